# SPDX-License-Identifier: Apache-2.0
"""Pages of one structure repeated, in any size: what tests measure time with, what fuzzing begins with.

`STRUCTURES` maps a name to a function from a size in bytes to a page of about that size. A page is a beginning, a unit
again and again, and an end. `#` in a unit stands for the number of the repetition, so that no two are equal.
"""

from collections.abc import Callable
from typing import Final

Structure = Callable[[int], bytes]
WORDS: Final = "Some words of a text that a reader may want to keep, and a few more. "
LETTERS: Final = " ".join("abcdefghijklmnopqrstuvwxyz") + " aa bb cc dd ee"


def repeated(head: str, *units: str, tail: str = "", charset: str = "utf-8", size: int) -> bytes:
    """The units by turns until the page has the size."""
    left = size - len(head) - len(tail)
    parts = [head]
    number = 0
    while left > 0:
        unit = units[number % len(units)].replace("#", str(number))
        parts.append(unit)
        left -= len(unit) if unit.isascii() else len(unit.encode(charset, "replace"))
        number += 1
    parts.append(tail)
    return "".join(parts).encode(charset, "replace")


def balanced(head: str, opening: str, middle: str, closing: str, tail: str = "", *, size: int) -> bytes:
    """An opening, again and again, and as many closings."""
    n = max(1, (size - len(head) - len(middle) - len(tail)) // (len(opening) + len(closing)))
    return (head + opening * n + middle + closing * n + tail).encode()


def referred(head: str, reference: str, between: str, target: str, tail: str = "", *, size: int) -> bytes:
    """As many references as there are targets behind them."""
    n = max(1, (size - len(head) - len(between) - len(tail)) // (len(reference) + len(target) + 8))
    references = "".join(reference.replace("#", str(number)) for number in range(n))
    targets = "".join(target.replace("#", str(number)) for number in range(n))
    return (head + references + between + targets + tail).encode()


def halved(head: str, one: str, between: str, other: str, tail: str = "", *, size: int) -> bytes:
    """Half of the page of one unit, half of another."""
    half = (size - len(head) - len(between) - len(tail)) // 2
    first = repeated("", one, size=half).decode()
    return (head + first + between + repeated("", other, size=half).decode() + tail).encode()


def of(head: str, *units: str, tail: str = "", charset: str = "utf-8") -> Structure:
    """A structure of repeated units."""
    return lambda size: repeated(head, *units, tail=tail, charset=charset, size=size)


def of_bytes(head: bytes, unit: bytes) -> Structure:
    """A structure of bytes that are no text."""
    return lambda size: head + unit * max(1, (size - len(head)) // len(unit))


def nested(head: str, opening: str, middle: str, closing: str, tail: str = "") -> Structure:
    """A structure of balanced openings and closings."""
    return lambda size: balanced(head, opening, middle, closing, tail, size=size)


def linked(head: str, reference: str, between: str, target: str, tail: str = "") -> Structure:
    """A structure of references and targets."""
    return lambda size: referred(head, reference, between, target, tail, size=size)


def halves(head: str, one: str, between: str, other: str, tail: str = "") -> Structure:
    """A structure of two units, one after the other."""
    return lambda size: halved(head, one, between, other, tail, size=size)


P: Final = f"<!doctype html><title>A page</title><article><h1>A page</h1><p>{WORDS * 3}<p>"
DATES: Final = (
    "2014-03-05", "5.3.2014", "5/3/14", "2014年3月5日", "2014년 3월 5일", "令和3年4月5日", "民國103年3月5日", "۵ فروردین ۱۳۹۳",
    "1393/01/05", "5 มีนาคม 2557", "5 March 2014", "mars 5, 2014", "Wed Mar 5 10:00:00 CET 2014", "ngày 5 tháng 3 năm 2014",
    "20140305T10", "5 de marzo de 2014", "5. März 2014", "5 марта 2014 г.",
)  # fmt: skip

LD: Final = "<script type=application/ld+json>"
KATEX: Final = "<span class=katex><span class=katex-html>"

STRUCTURES: Final[dict[str, Structure]] = {
    # tags and attributes
    "attributes of one tag": of("<!doctype html><p ", "a#=# ", tail=f">{WORDS}"),
    "one attribute again and again": of("<!doctype html><p ", "class=x ", tail=f">{WORDS}"),
    "tags with forty attributes": of(P, "<p " + " ".join(f"a{i}=#" for i in range(40)) + ">word "),
    "names that nobody knows": of(P, "<x#>word</x#> "),
    "one long attribute": of('<!doctype html><p class="', "word# ", tail=f'">{WORDS}'),
    "one long id": of('<!doctype html><p id="', "x", tail=f'">{WORDS}'),
    "styles": of(P, "<p style='color:red;/**/;dis\\70lay:block;;x:y(#)'>word "),
    "one long style": of('<!doctype html><p style="', "a:b;/*x*/c:'d", tail=f'">{WORDS}'),
    "class names": of(P, "<div class='a# b# comment-# post-# nav# c# d# e#'>word</div>"),
    "ids of the same name": of(P, "<p id=x>word <a href=\x01x>1</a>"),
    "ids and links to them": linked(P, "<a href='\x01t#'>#</a> ", "<hr>", "<p id=t#>word"),
    # tree construction
    "formatting elements": of(P, "<b id=#>x"),
    "formatting elements with 32 attributes": of(P, f"<b {LETTERS} z9=#>"),
    "formatting elements with equal attributes": of(P, f"<b {LETTERS}>", f"<b {' '.join(reversed(LETTERS.split()))}>"),
    "attributes that paragraphs reopen": halves(f"{P}<b ", "a# ", ">", "<p>x</p>"),
    "a class that paragraphs reopen": halves(f"{P}<b class='", "word# ", "'>", "<p>x</p>"),
    "an id that paragraphs reopen": halves(f"{P}<b id='", "x", "'>", "<p>x</p>"),
    "a style that paragraphs reopen": halves(f"{P}<b style='", "a:b;", "'>", "<p>x</p>"),
    "a link that paragraphs reopen": halves(f"{P}<a href='", "x", "'>", "<p>x</p>"),
    "a fragment that paragraphs reopen": halves(f"{P}<a href='\x01", "x", "'>", "<p>1</p>"),
    "a listing's class that lines reopen": halves(f"{P}<pre><code class='", "lang-x# ", "'><div>", "x</div><div>"),
    "a code's class that paragraphs reopen": halves(f"{P}<code class='", "lang-x# ", "'>", "<p>x</p>"),
    "links in code": of(f"{P}<code>", "<a href=/x>word</a> word "),
    "a title of an abbreviation that paragraphs reopen": halves(f"{P}<u title='", "word ", "'>", "<p>x</p>"),
    "a data attribute that paragraphs reopen": halves(f"{P}<b data-x='", "word ", "'>", "<p>x</p>"),
    "formatting elements that paragraphs reopen": of(P + "<b a=1><i b=2><u c=3><s d=4><tt e=5><em f=6>", "<p>x</p>"),
    "adoption agency": of(P, "<b><i><u><s><div></b></i></u></s>"),
    "adoption agency, furthest blocks": of(P + "".join(f"<b id={i}>" for i in range(300)), "<div>x</b>"),
    "links in links": of(P, "<a href=/#><div>x</a>"),
    "foster parenting": of(P + "<table>", "word#<tr>"),
    "foster parenting of elements": of(P + "<table>", "<b>word# <div><tr>"),
    "nested elements": nested(P, "<div>", "word", "</div>"),
    "texts below nested elements": of(P, f"{'<div>' * 480}{'<i>x</i>' * 100}{'</div>' * 480}"),
    "nested elements of known kinds": of(P, "<section><ul><li><blockquote><dl><dd>word "),
    "end tags that find nothing": of(P + "<div>" * 400, "</p></li></b></x>"),
    "nested tables": of(P, "<table><tr><td>word "),
    "templates": of(P, "<template><p>word#</template>"),
    "nested templates": nested(P, "<template>", "<p>word", "</template>"),
    "options of a select": of(P + "<select>", "<option value=#>word<optgroup>"),
    "selected content": of(P, "<select><selectedcontent></selectedcontent><option selected>word</select>"),
    "foreign content": of(P, "<svg><g><text>word</text><foreignObject><p>x</svg>"),
    "nested foreign content": nested(P + "<svg>", "<g>", "word", "</g>", "</svg>"),
    "forms and controls": of(P, "<form><label>word<input value=#></label><button>Send #</button></form>"),
    # text and characters
    "one long word": of(P, "x"),
    "one long line": of(P, WORDS),
    "many lines": of(P + "<pre>", "word\n"),
    "white space": of(P, " \n\t"),
    "entities": of(P, "&amp;&NotEqualTilde;&#x1F600;&nbsp &lt;b&gt; "),
    "ampersands without end": of(P, "&notanentity&am&#&#x"),
    "less-than signs": of(P, "<"),
    "punctuation of Markdown": of(P, "*_`[]()\\#|~>- 1. "),
    "lines of Markdown": of(P, "1. # - > word<br>"),
    "backticks": of(P, "<code>`</code>``"),
    "emphasis in words": of(P, "a<em>b</em>c<strong>d</strong>"),
    "CJK": of(P, "漢字仮名交じり文、これは文章です。"),
    "combining characters": of(
        P, "e\N{COMBINING ACUTE ACCENT}\N{COMBINING DIAERESIS}\N{COMBINING LONG SOLIDUS OVERLAY}"
    ),
    "right-to-left": of(P, "שלום \N{RIGHT-TO-LEFT OVERRIDE}عالم "),
    "invalid UTF-8": of_bytes(P.encode(), b"\xff\xc3(\xe2\x82 word "),
    "a legacy encoding": of(
        "<!doctype html><meta charset=windows-1251><article><p>", "Слово и ещё слово. ", charset="windows-1251"
    ),
    "Shift_JIS": of("<!doctype html><meta charset=shift_jis><article><p>", "これは文章です。", charset="shift_jis"),
    "bytes of no declared encoding": of_bytes(b"<!doctype html><article><p>", bytes(range(0x80, 0x100)) + b" word "),
    "UTF-8 encoded twice": of(P, "é – ü ".encode().decode("cp1252")),
    "NUL": of_bytes(P.encode(), b"a\0b "),
    # lists, tables, quotations
    "lists": of(P + "<ul>", f"<li>{WORDS}"),
    "nested lists": nested(P, "<ul><li>word ", "x", "</ul>"),
    "definition lists": of(P + "<dl>", "<dt>word#<dd>word "),
    "nested definition lists": nested(P, "<dl><dt>x<dd>", "x", "</dl>"),
    "nested quotations": nested(P, "<blockquote><p>word ", "x", "</blockquote>"),
    "headings": of(P, "<h2>Heading #</h2><p>word "),
    "headings by role": of(P, "<div role=heading aria-level=2>"),
    "headings with links to themselves": of(P, "<h2 id=x><a href='\x01x'>\x01</a>"),
    "a heading of links to itself": of(P + "<h2>", "<a href='\x01x'>\x01</a>"),
    "texts in one heading": of(P + "<h1>", "<b>x</b>"),
    "unclosed headings": of(P, "<h1>"),
    "one long heading": of(P + "<h2>", WORDS),
    "one long title": of("<!doctype html><title>", "word | part - ", tail=f"</title>{P}"),
    "task boxes": of(P + "<ul>", "<li><input type=checkbox checked>word "),
    "items with links into the page": of(P, "x<li><a href=\x01x>y</a><li><a href=\x01x>z</a>"),
    "tabs": of(P, "<div role=tablist><i role=tab>x</i></div>"),
    "nested tabs": nested(P, "<div role=tablist>", "<i role=tab>x</i>", "</div>"),
    "quotations in a line": of(P, "<q>"),
    "unclosed ruby": of(P, "<ruby>a<rt>"),
    "elements of the page's own": of(P, "<my-part>a</my-part>"),
    "nested elements of the page's own": of(P, "<my-part>"),
    "zero-width spaces": of(P, "a\N{ZERO WIDTH SPACE}"),
    "tables": of(P + "<table>", "<tr><td>word<th>#"),
    "one long row": of(P + "<table><tr>", "<td>x"),
    "lists in cells of one row": of(P + "<table><tr><td colspan=2>a<tr>", "<td><ul><li>x</ul>"),
    "tables with huge spans": of(P + "<table>", "<tr><td rowspan=65534 colspan=1000>x<td>y"),
    "tables with rowspans that overlap": of(P + "<table>", "<tr>" + "<td rowspan=1000>x" * 20),
    "many tables with spans": of(P, "<table><tr><td colspan=1000>x<tr><td>y</table>"),
    "data tables": of(P + "<table><caption>Data</caption><thead><tr><th>a<th>b<tbody>", "<tr><td>#<td>1,234.5"),
    "captions": of(P, f"<figure><img src=/#.png alt='word'><figcaption>{WORDS}</figcaption></figure>"),
    "ruby": of(P, "<ruby>漢<rt>kan</rt>字<rp>(</rp><rt>ji</rt></ruby>"),
    "callouts": of(P, "<div class='admonition note'><p class=admonition-title>Note</p><p>word</div>"),
    "nested callouts": nested(P, "<div class='admonition note'><p>word ", "x", "</div>"),
    "unclosed callouts": of(P, "<div class='admonition note'>"),
    "comments": of(P + "<div id=comments>", f"<div class=comment><b>User #</b><p>{WORDS}</div>"),
    "nested comments": of(P + "<ol class=comments>", "<li class=comment><p>word<ol class=children>"),
    "hidden blocks": of(P, f"<div hidden>{WORDS}</div><p>word "),
    "nested hidden elements": nested(P, "<div style='display:none'>", WORDS, "</div>"),
    # what a page shows
    "concealed runs in a line": of(P, "word<span hidden>#</span> <i class=sr-only>x</i><b aria-hidden=true>word</b>"),
    "concealed runs before a long blank": of(P, "<i hidden>x</i>" + " " * 3000),
    "rules of a sheet": of(
        "<!doctype html><style>", ".a#,.b .c#{display:none}p.d#{visibility:hidden}", tail=f"</style>{P}"
    ),
    "rules for every paragraph": halves(
        "<!doctype html><style>", ".b .a{display:none}", f"</style>{P}", "<p class='a c#'>word"
    ),
    "rules that climb": halves(
        "<!doctype html><style>", ".x .y .z .a{display:none}", f"</style>{P}", "<div class=a><p class=z>word"
    ),
    "rules for many classes": halves("<!doctype html><style>", ".a#{display:none}", f"</style>{P}<p class='", "a# "),
    "lists of selectors within each other": halves(
        "<!doctype html><style>", ".a:hover,", "b{", ".c:hover,", f"d{{display:none}}}}</style>{P}"
    ),
    "rules within a long selector": halves(
        "<!doctype html><style>.a", ":lang(x)", "{", "d{display:none}", f"}}</style>{P}"
    ),
    "declarations beside rules": halves(
        "<!doctype html><style>", ".a:hover,", "b{", "c{d:e}display:none;", f"}}</style>{P}"
    ),
    "one long selector": of("<!doctype html><style>", ".a:not(.b#)[c] > ", tail=f"p{{display:none}}</style>{P}"),
    "a sheet of braces": of("<!doctype html><style>", "@media{", tail=f"</style>{P}"),
    "a sheet of quotes": of("<!doctype html><style>", "a{b:'", tail=f"</style>{P}"),
    "style elements": of(P, "<style>.a{display:none}</style><p class=a>word"),
    "segments": linked(
        P, '<template id="B:#"></template>', "<hr>", '<div hidden id="S:#">x</div><script>$RC("B:#","S:#")</script>'
    ),
    "segments without places": of(P, '<div hidden id="S:#">x</div><script>$RC("B:#","S:#")</script>'),
    "segments in a circle": linked(
        P, '<div hidden id="S:#"><template id="B:#"></template></div>', "<hr>", '<script>$RC("B:#","S:1")</script>'
    ),
    "segments within each other": of(
        P + "<template id='P:0'></template>",
        '<div hidden id="S:#">x<template id="P:#1"></template></div><script>$RS("S:#","P:#")</script>',
    ),
    "one segment again and again": of(
        P, '<div hidden id="S:0">x</div><template id="B:#"></template><script>$RC("B:#","S:0")</script>'
    ),
    "fallbacks without an end": linked(
        P,
        '<template id="B:#"></template><!--$-->',
        "<hr>",
        '<div hidden id="S:#">x</div><script>$RC("B:#","S:#")</script>',
    ),
    "shadow roots": of(
        P, "<x-y>a<b slot=n>b</b><template shadowrootmode=open><slot name=n></slot>c<slot></slot></template></x-y>"
    ),
    "nested shadow roots": nested(P, "<x-y><template shadowrootmode=open><slot></slot>", "word", "</template>a</x-y>"),
    "slots of one shadow root": halves(
        P + "<x-y><template shadowrootmode=open>", "<slot name=n#></slot>", "</template>", "<b slot=n#>x</b>"
    ),
    # code
    "nested pre": nested(P, "<pre>word\n", "x", "</pre>"),
    "code with line numbers": of(P + "<pre><code>", "<span class=lineno>#</span> x = f(y)\n"),
    "code in a table of line numbers": of(
        P + "<table class=highlighttable>", "<tr><td class=lineno>#<td class=code><pre>x = #</pre>"
    ),
    "code in a table of lines": of(P + "<table>", "<tr><td class=lineno>1<td><code>a</code>"),
    "tables of code within each other": of(P, "<table><tr><td class=gutter><td class=code><pre>"),
    "tables of numbers within each other": of(P, "<table><tr><td>1<br>2<td><pre>"),
    "lists of lines within each other": of(P, "<ol class=linenums><li>"),
    "lines of code": of(P + "<pre>", "<div class=line>a</div>"),
    "unclosed lines of code": of(P + "<pre>", "<span class=line>", "<div>"),
    "numbers that cannot be selected": of(P + "<pre>", "<span style=user-select:none>1</span>a\n"),
    "numbers beside code": of(P, "<div class=flex><pre>1\n2</pre><pre>a\nb</pre></div>"),
    "numbers beside code in one box": of(P + "<div class=flex>", "<pre>1\n2</pre><pre>a\nb</pre>"),
    "one long column of numbers": of(P + "<div class=flex><pre>", "1\n", tail="</pre><pre>a</pre></div>"),
    "empty code": of(P, "<pre><span></span></pre><pre><div></div></pre><table><tr><td class=code><pre></pre></table>"),
    "code with a long blank": of(P + f"<pre><code>{'a' * 100}", "&nbsp;", tail="</code></pre>"),
    "one long language of code": of(P + "<pre class=language-", "x", tail="><span>a</span></pre>"),
    "code with highlights": of(
        P + "<pre><code class=language-python>", "<span class=k>def</span> <span class=n>f#</span>():\n"
    ),
    "code labels and buttons": of(
        P, "<div class=code-header><span>python</span><button>Copy</button></div><pre>x</pre>"
    ),
    "buttons beside code": of(P + "<div><pre>a</pre>", "<div><button>Copy</button></div>", tail="</div>"),
    "code behind comments": halves(f"{P}<div>", "<!---->", "", "<pre>a</pre>"),
    "code behind a long blank": halves(f"{P}<div>", " ", "", "<pre>a</pre>"),
    "code in a text behind a long blank": halves(P, " ", "", "<code>a</code>"),
    "cells behind comments and code": halves(
        f"{P}<table><tr>", "<!---->", "<td class=lineno>1<td class=code><pre>a</pre>", "<td>a"
    ),
    "nested code": of(P, f"{'<code>' * 480}word{'</code>' * 480}"),
    "nested code with a break": of(P, f"{'<code>' * 480}word<br>{'</code>' * 480}"),
    "nested code that keeps spaces": of(P, f"{'<code style=white-space:pre>' * 480}word{'</code>' * 480}"),
    "a code's style that paragraphs reopen": halves(f"{P}<code style='", "a:b;", "'>", "<p>x</p>"),
    "code beside comments": halves(P, "<!---->", "", "<code>x<br>y</code>"),
    "code without end": of(P, "<code class='lang-x language-y highlight-source-#'>x</code> "),
    "numbers below nested spans": of(f"{P}<pre>{'<span a>' * 400}", "1 2 3 4 5\n"),
    "line numbers below nested gutters": of(f"{P}<pre>{'<span class=lineno>' * 400}", "1 2 3 4 5\n"),
    "fences of code": of(P + "<pre>", "```\n~~~~\n"),
    # notes
    "notes": linked(
        P,
        "word<sup><a href='\x01n#' id=r#>#</a></sup> ",
        "<ol class=footnotes>",
        "<li id=n#>word <a href='\x01r#'>↩</a>",
    ),
    "a note with many references": of(
        P, "word<sup><a href='\x01n' id=r#>1</a></sup> ", tail="<ol class=footnotes><li id=n>x</ol>"
    ),
    "a note with many back links": of(
        P + "word<sup><a href='\x01n' id=r>1</a></sup><ol class=footnotes><li id=n>x", "<a href='\x01r'>↩</a>"
    ),
    "notes within their own references": of(P, "<p id=n>x<a id=r href='\x01n'>1</a>"),
    "a note of references and back links": of(P + "<li id=n>", "<a id=r href='\x01n'>1</a><a href='\x01r'>1</a>"),
    "notes of one number": linked(
        P, "<a class=footnote-ref href='\x01n'>1</a> ", "<div class=footnotes>", "<p id=n>1 word "
    ),
    "raised notes": of(P, "word<sup>#</sup> "),
    "raised numbers and lists of notes": halves(P, "word<sup>7</sup> ", "", "<aside><ol start=8><li>x</ol></aside>"),
    "raised notes of one number": of(P, "word<sup>1</sup> ", "<aside><ol><li>x</ol></aside>"),
    "raised notes in a row": of(P, "word<sup>1</sup> ", "<p><sup>1</sup>x</p>"),
    "raised notes, each with a number": linked(P, "<p>a.<sup>#</sup>", "", "<p><sup>#</sup>b"),
    "raised numbers within each other": of(P, "<sup>2"),
    "one long list of notes": of(P + "a.<sup>1</sup><ol class=footnotes>", "<li>b"),
    "lists of notes": of(P + "a.<sup>1</sup>", "<ol class=footnotes><li>b</ol>"),
    "nested lists behind a class like that of notes": of(f"{P}a.<sup>1</sup><div class='{'foot' * 40}'>", "<ol>"),
    "margin notes": of(
        P, "word<label for=m# class=margin-toggle>1</label><input id=m#><span class=sidenote>word</span> "
    ),
    "unclosed margin notes": of(P, "<span class=sidenote>x"),
    "nested margin notes": nested(P, "<span class=sidenote>", "x", "</span>"),
    "bold numbers before a raised one": of(P, "<b>1</b>", tail="<sup>1</sup>"),
    "one long margin note": of(P + "word<span class=marginnote>", "<b>word</b> "),
    "marks": of(P, "<mark>word</mark><del>word</del><ins>word</ins><kbd>word</kbd><abbr title=x>w</abbr>"),
    # formulas
    "TeX delimiters": of(P, "$x$ \\(y\\) "),
    "TeX that does not end": of(P, "$ \\( $$ \\[ "),
    "dollars that do not end": of(P, "$a "),
    "double dollars that do not end": of(P, "$$a ", tail="$"),
    "brackets that do not end": of(P, "\\(a "),
    "TeX environments that do not end": of(P, "\\begin{align}"),
    "TeX environments that end otherwise": of(P, "\\begin{align}\\end{gather}"),
    "line breaks in TeX": of(P, "$a<br>"),
    "formulas behind a long blank": halves(P, " ", "", "$$x_1$$ "),
    "tags of TeX behind a long blank": halves(P, " ", "", "[tex]a[/tex]"),
    "scripts of TeX behind a long blank": halves(P, " ", "", "<script type=math/tex>x</script>"),
    "pictures of TeX behind a long blank": halves(P, " ", "", '<img class=latex alt="x^2" src=a>'),
    "backslashes": of(P, "\\"),
    "braces in TeX": of(P, "$" + "{" * 900 + "x_1" + "}" * 900 + "$ "),
    "tags of TeX that do not close": of(P, "[tex]a ", "[tex][/latex] ", tail="[/tex]"),
    "TeX environments": of(P, "\\begin{align} x_{#} \\end{align} \\begin{x"),
    "TeX of one long formula": of(P + "$$", "\\frac{a}{b} + ", tail="$$"),
    "KaTeX": of(
        P,
        "<span class=katex><span class=katex-mathml><math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x^{#}</annotation></semantics></math></span><span class=katex-html>x</span></span> ",
    ),
    "KaTeX without annotations": of(
        P,
        "<span class=katex><span class=katex-html><span class=base><span class='mord mathnormal'>x</span><span class=msupsub><span class=vlist>2</span></span></span></span></span> ",
    ),
    "unclosed formulas": of(P, "<span class=katex>", "<div class=mwe-math-element>x"),
    "unclosed parts of KaTeX": of(P + KATEX, "<span class='mord accent'>x"),
    "unclosed tables of KaTeX": of(P + KATEX, "<span class=mtable><span class=col-align-c>"),
    "previews of MathJax": of(P, "<span class=MathJax_Preview></span>"),
    "MathML": of(P, "<math><mfrac><mi>a</mi><mi>b</mi></mfrac><msup><mi>x</mi><mn>#</mn></msup></math> "),
    "small formulas": of(P, "<math><msup><mi>x</mi><mn>2</mn></msup></math> "),
    "superscripts of superscripts": nested(P + "<math>", "<msup><mi>x</mi>", "<mi>y</mi>", "</msup>", "</math>"),
    "superscripts outside of formulas": of(P, "<msup><mi>x</mi><mn>2</mn></msup> "),
    "superscripts in elements": of(P, "<p><math><msup><mi>x</mi><mn>2</mn></msup></math>"),
    "unclosed superscripts": of(P, "<math><msup><mi>x</mi>"),
    "raised letters": of(P, "x<sup>2</sup> y<sub>i</sub> <i>z</i> "),
    "MathML superscripts": of(P + "<math>", "<msup><mi>x</mi><mn>2</mn></msup>", tail="</math>"),
    "MathML superscripts at the limits": of(P, f"<math>{'<msup><mi>x</mi><mn>2</mn></msup>' * 400}</math> "),
    "nested MathML at the limits": of(
        P, f"<math>{'<msup><mi>x</mi><mrow>' * 40}<mi>y</mi>{'</mrow></msup>' * 40}</math> "
    ),
    "TeX at the limits": of(P, "$$" + "x_{1}^{2} " * 300 + "$$ "),
    "nested MathML": nested(P + "<math>", "<msup><mi>x</mi><mrow>", "<mi>y</mi>", "</mrow></msup>", "</math>"),
    "MathML rows": nested(P + "<math>", "<mrow>", "<mi>y</mi>", "</mrow>", "</math>"),
    "MathML tables": of(
        P, f"<math><mtable>{'<mtr><mtd><mi>x</mi></mtd><mtd><mo>=</mo></mtd></mtr>' * 50}</mtable></math> "
    ),
    "unclosed MathML": of(P, "<math><mrow><mi>x"),
    "formulas within formulas": of(P, "<math>"),
    "formulas as pictures": of(P, "<img class=tex alt='x^{#}' src=/#.png> "),
    "pictures that may be formulas": of(P, "<img alt='\\alpha {'>", "<img src='?%5c'>"),
    "a picture of braces": of(P + "<img class=tex alt='", "{", tail="'>"),
    "a picture of commands": of(P + "<img class=tex alt='", "\\alpha", tail="'>"),
    # links, pictures, addresses
    "links": of(P, "<a href=/a/#?b=c>word</a> "),
    "pictures": of(P, "<img src=/#.png srcset='/a#.png 1x, /b#.png 2x' alt='word # [x](y)'> "),
    "one long srcset": of(P + "<img srcset='", "/a#.png #w, ", tail="'>"),
    "addresses with dots": of(P, "<a href='" + "../a/./" * 30 + "#'>word</a> "),
    "one long address": of(P + "<a href='http://e.org/", "a/../", tail="'>word</a>"),
    "a long base": of("<!doctype html><base href='http://e.org/" + "x" * 1900 + "/'><article>", "<a href=y#>w</a> "),
    "many base elements": of("<!doctype html>", "<base href=/#/>", tail=P),
    # metadata
    "meta elements": of(
        "<!doctype html>", "<meta name=author content='Jane Doe #'><meta property=article:tag content=#>", tail=P
    ),
    "meta elements of dates": of(
        "<!doctype html>", "<meta property=article:published_time content=2014-03-05T10:00:#>", tail=P
    ),
    "link elements": of(
        "<!doctype html>", "<link rel=canonical href='http://e.org/#'><link rel=alternate hreflang=x href=/#>", tail=P
    ),
    "one long author": of("<!doctype html><meta name=author content='", "Jane Doe and ", tail=f"'>{P}"),
    "one long author of roles": of("<!doctype html><meta name=author content='", "by ", tail=f"'>{P}"),
    "one long relation": of("<!doctype html><link href=x rel='", "canonical ", tail=f"'>{P}"),
    "links to authors": of(P, "<a rel=author href=/m>"),
    "separators of a title": of("<!doctype html><title>", "a|", tail=f"</title>{P}"),
    "blank pieces of a title": of("<!doctype html><title>", " - ", tail=f"</title>{P}"),
    "one long description": of("<!doctype html><meta name=description content='", WORDS, tail=f"'>{P}"),
    "one long language": of("<!doctype html><html lang='", "en-", tail=f"'>{P}"),
    "dates in every calendar": of(P, *(f"<p>{date} " for date in DATES)),
    "dates in one line": of(P, *(f"{date} " for date in DATES)),
    "digits": of(P, "1/2/3-4.5:6 "),
    "lines that may show a date": of(P, *(f"<div class=date>Published: {date}</div>" for date in DATES)),
    "time elements": of(P, "<time datetime=2014-03-05T10:00:# pubdate>5 March 2014</time>"),
    "time elements of a comment": of(P + "<div class=comment>", "<time></time>", tail="<h1>x</h1></div>"),
    "time elements with long classes": of(P, f"<time class='{'a ' * 1000}'>x</time>"),
    "signs of copyright": of(P, "<p>" + "©" * 2048),
    "lines of copyright": of(P, "<p>" + "©1 (c) copyright ® " * 100),
    "lines that may show an author": of(P, "<div class=byline>By Jane Doe# and John Roe</div>"),
    "long lines that may show an author": of(P, "<p>by " + " " * 60 + "A" * 120 + " |"),
    "microdata": of(
        P,
        "<div itemscope itemtype=http://schema.org/Article><b itemprop=author>Jane #</b><i itemprop=datePublished>2014-03-05</i>",
    ),
    "JSON-LD, wide": of(
        P + "<script type=application/ld+json>[",
        '{"@type":"Article","headline":"Word #","author":{"name":"Jane #"}},',
        tail="{}]</script>",
    ),
    "JSON-LD, deep": nested(P + "<script type=application/ld+json>", '{"@graph":[', "{}", "]}", "</script>"),
    "JSON-LD of brackets": of(P + LD, "["),
    "JSON-LD of nested authors": of(P + LD, '{"author":'),
    "JSON-LD of nested names": nested(P + LD, '{"a":', '"x"', "}", "</script>"),
    "JSON-LD of one long number": of(P + LD + '{"author":', "9", tail="}</script>"),
    "JSON-LD of organisations": of(
        P + LD + "[", '{"@type":"Organization","name":["a#","b#","c#"]},', tail="{}]</script>"
    ),
    "JSON-LD of comments": of(P + LD + "[", '{"@type":"Comment","text":"x"},', tail="{}]</script>"),
    "JSON-LD of one object of many types": of(P + LD + '{"@type":[', '"Article",', tail='"Article"]}</script>'),
    "JSON-LD with references": of(
        P + "<script type=application/ld+json>[",
        '{"@type":"Article","author":{"@id":"@#"},"@id":"#"},',
        tail="{}]</script>",
    ),
    "JSON-LD with references that lead nowhere": of(
        P + LD + "[", '{"author":{"@id":"\x01a"}},{"@id":"\x01b","name":"B"},', tail="{}]</script>"
    ),
    "JSON-LD with one reference in many scripts": of(P, LD + '[{"author":{"@id":"\x01x"}}]</script>'),
    "JSON-LD in many scripts": of(
        P, '<script type=application/ld+json>{"@type":"Article","datePublished":"2014-03-05","name":"#"}</script>'
    ),
    "one long string of JSON-LD": of(
        P + '<script type=application/ld+json>{"articleBody":"', "word &amp; \\u00e9 ", tail='"}</script>'
    ),
    "JSON-LD that breaks": of(P + "<script type=application/ld+json>", '{"a":["b\\",\'', tail="</script>"),
    "JSON-LD of quotes": of(P + LD + '{"text":"', '"', tail="</script>"),
    "JSON-LD of quotes that may end a string": of(P + LD + '{"text":"', '" x', tail='"}</script>'),
    "JSON-LD of escaped quotes": of(P + LD + '{"text":"', '\\"', tail='"}</script>'),
    "JSON-LD of backslashes": of(P + LD + '{"text":"', "\\", tail="</script>"),
    "JSON-LD of a quote and a long blank": of(P + LD + '{"text":""', " ", tail='x"}</script>'),
    "script data, wide": of(
        "<p>x<script>window.__DATA__ = [", '{"text":"A sentence of words, the number #."},', tail="]</script>"
    ),
    "script data, deep": nested("<p>x<script>window.__DATA__ = ", '{"a":[', "1", "]}", "</script>"),
    "script data, escaped": of('<p>x<script>window.__DATA__ = "', '\\"\n', tail="</script>"),
    "script data, backslashes": of('<p>x<script>window.__DATA__ = "', "\\\\", tail='"</script>'),
    "script data, white space": of(
        "<p>x<script>window.__DATA__ = ", '"a b c d e f g h i j k"', *[" "] * 9, tail="</script>"
    ),
    "script data, unclosed tags": of('<p>x<script>window.__DATA__ = "a b c. ', "<a ", tail='"</script>'),
    "script data in pieces": of("<p>x", '<script>self.__next_f.push([1,"a sentence of words #"])</script>'),
    "dates in scripts": of("<p>x<script>", 'publishedAt = "x"; pub_date: ', tail="</script>"),
    "scripts": of(P, "<script>var x# = '<p>';</script>"),
    "comments of HTML": of(P, "<!-- word # -->"),
    "comments that do not end": of(P, "<!--"),
    "addresses in text": of(P, "http://e.org/#?a=b www.e.org x@e.org "),
}


def page_of(name: str, size: int) -> bytes:
    """The page of a structure. In a unit, a number sign that is part of an address is written as \\1."""
    return STRUCTURES[name](size).replace(b"\x01", b"#")
