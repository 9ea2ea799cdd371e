# SPDX-License-Identifier: Apache-2.0
"""Pages written from bytes: each byte or two is an instruction, so that a mutation of the bytes is a change of structure.

Mutations of HTML itself seldom give a page whose containers repeat, whose tables are large or whose formatting elements
are many. Here a count is one byte.
"""

import re
from collections.abc import Callable
from typing import Final

LARGEST: Final = 20_000  # characters of a page
MOST_OPEN: Final = 200  # containers that are closed by name; the parser closes the others

CONTAINERS: Final = (
    "div", "section", "article", "main", "aside", "nav", "header", "footer", "ul", "ol", "li", "dl", "dt", "dd", "table",
    "tbody", "tr", "td", "th", "caption", "colgroup", "form", "fieldset", "blockquote", "figure", "figcaption", "details",
    "summary", "p", "h1", "h2", "h6", "pre", "address", "center", "button", "select", "option", "optgroup", "template",
    "svg", "math", "foreignObject", "title", "desc", "mi", "annotation-xml", "noscript", "iframe", "object", "marquee",
    "ruby", "rt", "rb", "label", "my-element", "frameset", "body", "html", "head", "dialog", "search",
)  # fmt: skip
FORMATTING: Final = (
    "a",
    "b",
    "i",
    "em",
    "strong",
    "code",
    "font",
    "nobr",
    "span",
    "sub",
    "sup",
    "small",
    "s",
    "u",
    "tt",
)
VOID: Final = (
    "br",
    "hr",
    "img src=/i.png alt='a picture'",
    "input",
    "wbr",
    "col",
    "meta charset=utf-8",
    "link",
    "area",
)
RAW: Final = ("script", "style", "textarea", "title", "xmp", "noframes", "noembed", "plaintext")
CLASSES: Final = (
    "", "post", "comment", "comments", "comment-body", "post post", "nav menu", "sidebar", "a b c d e f g h", "entry",
    "related", "ad", "footer", "Post", "c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 ca cb cc cd ce cf",
)  # fmt: skip
ATTRIBUTES: Final = (
    " hidden", " style='display:none'", " aria-hidden=true", " role=main", " role=presentation", " rowspan=1000",
    " colspan=1000", " start=7", " href=x", " href='javascript:a'", " src=/i", " rel=nofollow", " itemprop=articleBody",
    " datetime=2024-01-02", " encoding=text/html", " type=hidden", " dir=rtl", " id=x", " id=comments", " lang=el",
)  # fmt: skip
# What a page shows differently from the text of its nodes, with * where the value of an attribute or a word goes, and #
# where a number goes that other constructs use too: notes lead to each other, ids repeat.
MATHML: Final = (
    "mrow", "mfrac", "mroot", "msqrt", "mfenced open='*' close='*' separators='*'", "munder", "mover accent=true", "munderover", "msub", "msup", "msubsup", "mmultiscripts",
    "mprescripts", "none", "mtable columnalign='* left'", "mtr", "mlabeledtr", "mtd columnspan=2", "menclose notation='*'", "mphantom", "mstyle displaystyle=true", "mpadded",
    "merror", "maction", "semantics", "annotation-xml encoding='MathML-Content*'", "annotation encoding=TeX",
)  # fmt: skip
TOKENS: Final = (
    "mi",
    "mn",
    "mo",
    "mtext",
    "ms lquote='*'",
    "mspace width=1em",
    "mi mathvariant=bold*",
    "mo stretchy=false",
    "mglyph alt='*'",
)
LEAVES: Final = (
    "x",
    "2",
    "+",
    "*",
    "&sum;",
    "&int;",
    "(",
    "|",
    "\u2061",
    "\u0302",
    "\u2192",
    "sin",
    "&#x1D49C;",
    "\u221e",
    "&InvisibleTimes;",
    "\u00b1",
    "\u2032",
    "{",
    "",
    "lim",
    "&NotEqual;",
    "\u2a0c",
)
KATEX: Final = (
    "katex-html", "base", "mord", "mord mathbf", "mbin", "mrel", "mopen", "mclose", "mpunct", "mop op-symbol", "mop op-limits", "minner", "mfrac", "sqrt", "root", "msupsub", "vlist-t",
    "vlist-r", "vlist", "vlist-s", "delimsizing size2", "delimsizinginner delim-size1", "accent", "accent-body", "mtable", "col-align-c", "arraycolsep", "nulldelimiter", "frac-line",
    "sizing reset-size6 size3 mtight", "mspace", "strut", "pstrut", "tag", "overline", "underline", "underbrace", "katex-mfrac", "text",
)  # fmt: skip
MATHJAX: Final = (
    "mjx-math", "mjx-mrow", "mjx-mi", "mjx-mo", "mjx-mn", "mjx-mfrac", "mjx-num", "mjx-den", "mjx-msup", "mjx-script", "mjx-msqrt", "mjx-root", "mjx-munderover", "mjx-over", "mjx-under",
    "mjx-base", "mjx-mtable", "mjx-mtr", "mjx-mtd", "mjx-c class=mjx-c1D465", "mjx-c class='mjx-c2B TEX-S1'", "mjx-mtext", "mjx-assistive-mml", "mjx-TeXAtom", "mjx-stack", "mjx-box",
)  # fmt: skip
CONSTRUCTS: Final = (
    "<span class='marginnote*'>*</span>", "<span class='sidenote* footnote'>*", "<label for=sn# class='margin-toggle*'></label>",
    "<sup id='fnref#*'><a href='#fn#*'>#</a></sup>", "<li id='fn#*'>* <a href='#fnref#*'>\N{LEFTWARDS ARROW WITH HOOK}</a></li>",
    "<p id=fn#><sup>#</sup> *<a class='*backref' href='#fnref#'>^</a>", "<sup>#</sup>", "<a id='*#' name='*#'></a>", "<a href='#*#'>[#]</a>",
    "<div class='admonition* note'><p class='admonition-title*'>*</p>*</div>", "<div class='alert* alert-warning'>*", "<blockquote class='callout*'>*",
    "<pre><code class='language-*'>*\n*</code></pre>", "<div class='highlight*'><table class=highlighttable><tr><td class='linenos*'>#<td class=code><pre>*</table></div>",
    "<pre class='*prettyprint'>*<span class='lineno*'>#</span>*</pre>", "<div class='CodeMirror*'><pre>*</pre></div>", "<button class='copy*'>*</button>",
    "<div role=table class='*'><div role=row><div role='columnheader*'>*</div></div><div role=row><div role=cell>*</div></div></div>",
    "<div role='tablist*'><button role=tab class='*'>*</button></div><div role=tabpanel id='*'>*</div>", "<div class='tabbed-set* tabset'><input type=radio id=t#><label for=t#>*</label>*</div>",
    "<span class='katex*'><span class=katex-mathml><math><semantics><mi>x</mi><annotation encoding='application/x-tex*'>*</annotation></semantics></math></span></span>",
    "<script type='math/tex*; mode=display'>*</script>", "<math alttext='*' display='*'><msup><mi>*</mi><mn>#</mn></msup></math>", "<img class='*latex' alt='*'>", "<span data-math='*' data-latex='*'>*</span>",
    "<mjx-container class='*MathJax'><mjx-math><mjx-mi class='mjx-i'><mjx-c class='mjx-c1D4#*'></mjx-c></mjx-mi></mjx-math></mjx-container>", "<span class='mjx-chtml* mjx-mi'>*</span>",
    "$*$", "$$*$$", "\\(*\\)", "\\[*\\]", "[tex]*[/tex]", "`*`", "^[*]", "<link rel=stylesheet href='katex*.css'>", "<script src='MathJax*.js'></script>",
    "<time datetime='20#-0#-1#*' class='*updated' itemprop='datePublished*'>*</time>", "<meta name='*date' content='20#-1#-0#*'>", "<meta property='article:published_time' content='*'>",
    "<p class='byline*'>By * on # January 20#</p>", "<span class='date*'>20#\N{CJK UNIFIED IDEOGRAPH-5E74}#\N{CJK UNIFIED IDEOGRAPH-6708}#\N{CJK UNIFIED IDEOGRAPH-65E5}</span>", "<p>#/#/14# *",
    "<script type='application/ld+json*'>{\"@type\":\"NewsArticle*\",\"headline\":\"*\",\"datePublished\":\"20#-0#-1#\",\"author\":[{\"name\":\"*\"},\"*\"],\"articleBody\":\"* * *\"}</script>",
    '<script>window.__DATA__ = {"text": "* * * * *", "html": "<p>*</p>"}</script>', "<template><p>*</p></template>", "<meta property='og:*' content='*'>", "<base href='*'>",
    "<ul class='contains-task-list*'><li><input type=checkbox disabled checked*>*<li><p><input disabled type='checkbox*'>*</ul>", "<q>*</q>", "<q cite='*'>\N{LEFT DOUBLE QUOTATION MARK}*</q>", "<abbr title='*'>*</abbr>", "<kbd>*</kbd>", "<var>*</var>", "<ins>*</ins><del>*</del>",
    "<div class='prompt* input_prompt'>In&nbsp;[#]:*</div><div class='jp-InputPrompt'>[#]:</div>", "<a class='headerlink*' href='#*'>\N{PILCROW SIGN}</a>", "<span class='mw-editsection*'>[<a href='*'>edit</a>]</span>",
    "<p style='background:url(*);display:\"*;none' class=x>*", "<p style=\"content:'*\\';display:none;;!important{*}(*)\">*", "<p style='font-size:0*;opacity:0.0#;visibility:collapse;clip:rect(0*)'>*",
    "<li><input type='checkbox*' checked>*", "<span role='checkbox*' aria-checked=true></span>", "<ruby>*<rt>*</rt></ruby>", "<dl><dt>*<dd>*<dd>*</dl>", "<div role=heading aria-level='#*'>*</div>",
    "<div style='dis\\play:*none' class='*'>*</div>", "<p style='/**/visibility:hidden*;opacity:#'>*", "<div itemtype='https://schema.org/Recipe*' itemscope>*</div>", "<figure><img src='*' alt='*'><figcaption class='*credit'>*</figcaption></figure>",
    '<template id="*B:#"></template>*<!--/$-->', '<!--$?--><template id="B:#"></template>', '<div hidden id="*S:#">*', '<div hidden id="S:#">*<template id="P:#"></template></div>',
    '<script>$RC("B:#","S:#*");$RS("S:#","P:#")</script>', "<x-y>*<b slot='n*'>*</b><template shadowrootmode='open*'>*<slot name='n*'>*</slot><slot></slot>", "</template></x-y>",
    "<style>@layer x*,y;@layer y{.a*:not([class~=*],#x)~p+i>*{display:none;&[id$='*']{opacity:#}@media (#px<=width<#em){left:-#px}.b*{top:0}}",
    "<script type='application/json'>{\"title\":\"*\",\"body\":[\"* * * *. * *.\",\"* * *! * * * *.\"]}</script>",
    "<style>.a*.b,#x > p*{display:none*}@media (min-width:#em){.post{*opacity:0}</style>", "<style media='*screen'>.comment *{position:absolute;clip:rect(*#)}", "word<i class='*sr-only'>*</i>word",
    "word<span aria-hidden=true>*</span><b hidden>*</b>", "<i class='material-icons*'>*</i>", "<span class=price><b class=visually-hidden>*</b><b aria-hidden=true>*</b></span>",
    "<div class='comments*' id='comments*'><div class='comment*'>*</div></div>", "<span data-as='p*'>*</span>", "<my-tex-math latex='*'>*</my-tex-math>", "<details open><summary>*</summary>*</details>", "<hr class='footnotes-sep*'>",
)  # fmt: skip
PLACE_OF_NUMBER: Final = re.compile(r"(?<!href=')#")  # not the # of a fragment
# What stands in a value: every attribute that the core reads may hold references, which put it into the side buffer.
VALUES: Final = (
    "", "", " ", "&#32;", "&amp;", "&#0;", "\0", "&Tab;", "&#x200b;", "&nbsp", "&notit;", "&#128;", "&bogus;", "\r\n", "x", "a&#32;b", "&lt;i&gt;", "]", ")",
    "`", "|", "$", "\\", "{", "}", "javascript:x", "&colon;", "//e.org/", "2", "\N{CJK UNIFIED IDEOGRAPH-4E2D}", "\N{ZERO WIDTH SPACE}", "y" * 70, "x " * 40,
)  # fmt: skip
# Days as pages write them: by each order of day, month and year, by era and by calendar. # is a digit or two.
DAYS: Final = (
    "20##-0#-1#", "20##-1#-2#T1#:2#:3#Z", "1#.0#.20##", "#/#/20##", "20##/#/2#", "## January 20##", "Feb #, 20##", "#. März 20##", "1# de febrero de 20##",
    "20##\N{CJK UNIFIED IDEOGRAPH-5E74}#\N{CJK UNIFIED IDEOGRAPH-6708}1#\N{CJK UNIFIED IDEOGRAPH-65E5}", "令和#年#月#日", "平成1#年1#月#日", "民國10#年#月1#日", "20##년 #월 1#일", "1# มกราคม 256#",
    "# فروردین 140#", "۱#۴۰۳/۰#/۲#", "1# يناير 20##", "1# января 20## г.", "# ינואר 20##", "20##. január 1#.", "20##-W0#", "#th of May", "yesterday", "14# ago", "1#:2# Uhr", "99999999999999##", "0#-0#-0#",
)  # fmt: skip
LABELS: Final = (
    "",
    "Published ",
    "Updated: ",
    "Veröffentlicht am ",
    "发布时间:",
    "公開日 ",
    "By A. Name | ",
    "(",
    "Posted on ",
    "\u202b",
)
# JSON-LD: names of properties and types that the core looks for, some misspelt, some of another case.
PROPERTIES: Final = (
    "@type", "@graph", "@id", "mainEntity", "mainEntityOfPage", "articleBody", "text", "name", "headline", "author", "creator", "publisher", "datePublished", "dateModified",
    "dateCreated", "uploadDate", "recipeIngredient", "ingredients", "recipeInstructions", "itemListElement", "comment", "suggestedAnswer", "acceptedAnswer", "review", "reviewBody",
    "url", "inLanguage", "isPartOf", "about", "hasPart", "articleBody\\u0000", "Author", "step",
)  # fmt: skip
TYPES: Final = (
    "NewsArticle", "Article", "BlogPosting", "Recipe", "QAPage", "Question", "Answer", "Product", "Person", "Organization", "WebSite", "WebPage", "VideoObject", "ItemList",
    "HowToStep", "HowToSection", "Review", "Comment", "DiscussionForumPosting", "FAQPage", "Event", "JobPosting", "TechArticle", "https://schema.org/Article", "",
)  # fmt: skip
SCALARS: Final = (
    '""', "null", "true", "-1.5e9", '"a \\u00e9\\n<p>b</p>"', '"\\ud800"', '"&lt;i&gt;&amp;"', '"unclosed', "{}", "[]", '"https://e.org/#1"', '"2024-01-02T03:04:05+09:00"', '"x\\', "</script>", "<!--<script>", "'", ",", "//", '"\\"',
)  # fmt: skip
WORDS: Final = (
    "word ", "the ", "of ", "Sentence one. ", "1,234 ", "中文", "ไทย", "ελλάδα ", "слово ", "\N{NO-BREAK SPACE}", "\n", "  ",
    "&amp;", "&lt;", "&nbsp", "&#0;", "&NotEqualTilde;", "&ac;", "\0", "\r\n", "*", "_", "|", "`", "#", "- ", "1. ", "> ",
    "\\", "[a](b)", "©", "e\N{COMBINING ACUTE ACCENT}", "\N{SOFT HYPHEN}", "🎉", "\N{RIGHT-TO-LEFT OVERRIDE}", ".", "?", "Copyright 2024 ",
    "Posted by ", "Reply ", "Share ", "http://e.org/ ", "\N{ZERO WIDTH SPACE}", "x" * 40, "\ufffd",
)  # fmt: skip


class Writer:
    """Reads bytes as instructions and writes a page."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.pieces: list[str] = []
        self.length = 0
        self.open: list[str] = []
        self.steps: tuple[Callable[[], str], ...] = (
            self.container, self.container, self.close, self.close, self.text, self.text, self.formatting, self.repeat,
            self.table, self.items, self.link, self.void, self.raw, self.numbered, self.comment, self.misnested,
            self.construct, self.construct, self.construct, self.attribute, self.day, self.linked_data, self.tabs,
            self.grid, self.mathml, self.boxes,
        )  # fmt: skip

    def byte(self) -> int:
        """The next byte; 0 at the end."""
        at, self.at = self.at, self.at + 1
        return self.data[at] if at < len(self.data) else 0

    def page(self) -> bytes:
        """The page that the bytes describe."""
        while self.at < len(self.data) and self.length < LARGEST:
            piece = self.steps[self.byte() % len(self.steps)]()
            self.pieces.append(piece)
            self.length += len(piece)
        return "".join(self.pieces)[:LARGEST].encode()

    def one_of(self, choices: tuple[str, ...]) -> str:
        return choices[self.byte() % len(choices)]

    def tag(self, name: str) -> str:
        """A start tag; the byte says which attributes it has."""
        given = self.byte()
        classes = f' class="{CLASSES[given % 16 % len(CLASSES)]}"' if given % 16 else ""
        return f"<{name}{classes}{ATTRIBUTES[given % len(ATTRIBUTES)] if given >= 128 else ''}>"

    def container(self) -> str:
        name = self.one_of(CONTAINERS)
        if len(self.open) < MOST_OPEN:
            self.open.append(name)
        return self.tag(name)

    def close(self) -> str:
        return f"</{self.open.pop()}>" if self.open else ""

    def misnested(self) -> str:
        """An end tag that need not fit."""
        return f"</{self.one_of(CONTAINERS + FORMATTING)}>"

    def text(self) -> str:
        count = 1 + self.byte() % 64
        return self.one_of(WORDS) * count + self.one_of(WORDS)

    def formatting(self) -> str:
        """Formatting elements, as many as a byte says, left open unless that is odd."""
        count, name = self.byte(), self.one_of(FORMATTING)
        numbered = "".join(f"<{name} x={number}>" for number in range(count % 24))
        return numbered + self.tag(name) + self.one_of(WORDS) + (f"</{name}>" if count % 2 else "")

    def repeat(self) -> str:
        """The last few pieces again and again."""
        part = "".join(self.pieces[-1 - self.byte() % 12 :])
        count = 1 + self.byte()
        return part * min(count, max(1, (LARGEST - self.length) // max(1, len(part))))

    def table(self) -> str:
        rows, cells, cell = 1 + self.byte() % 16, 1 + self.byte() % 32, self.tag("td")
        return (
            self.tag("table")
            + ("<tr>" + (cell + self.one_of(WORDS)) * cells) * rows
            + ("</table>" if cells % 2 else "")
        )

    def items(self) -> str:
        """A list, with links in every other one."""
        count, item, word = 1 + self.byte() % 64, self.tag("li"), self.one_of(WORDS)
        inner = f"<a href=/{count}>{word}</a>" if count % 2 else word
        return self.tag("ul") + (item + inner) * count + "</ul>"

    def link(self) -> str:
        return (
            f'<a href="{self.one_of(("/a", "http://e.org/b?c=d&e", "//[::1", "mailto:a@b", "#x", "../" * 40, ""))}">'
            + self.text()
        )

    def void(self) -> str:
        return f"<{self.one_of(VOID)}>" * (1 + self.byte() % 32)

    def raw(self) -> str:
        name = self.one_of(RAW)
        return f"<{name}>" + self.text() + ("" if self.byte() % 4 == 0 else f"</{name}>")

    def numbered(self) -> str:
        """Containers with a class each of its own, and a text before and after what they hold."""
        count, name = 1 + self.byte(), self.one_of(CONTAINERS)
        return "".join(f"<{name} class=c{number}>t<p>x</p>u" for number in range(count)) + f"</{name}>" * (
            self.byte() % 8
        )

    def construct(self) -> str:
        """A formula, note, listing or whatever else is rewritten, with references in its attributes; or what only
        metadata are read from.
        """
        pieces = self.one_of(CONSTRUCTS).split("*")
        if self.byte() % 8:  # before the values go in: these hold references, such as &#32;
            number = str(self.byte() % 4)
            pieces = [PLACE_OF_NUMBER.sub(number, piece) for piece in pieces]
        return pieces[0] + "".join(self.one_of(VALUES) + piece for piece in pieces[1:])

    def attribute(self) -> str:
        """An element with one attribute, whose value is of several pieces."""
        name = self.one_of(
            ("class", "id", "href", "style", "alt", "title", "datetime", "content", "rel", "role", "lang")
        )
        value = "".join(self.one_of(VALUES + CLASSES) for _ in range(1 + self.byte() % 6))
        return f'<{self.one_of(FORMATTING + CONTAINERS)} {name}="{value}">'

    def day(self) -> str:
        """A day, shown, declared or in the address of a link; as many as a byte says."""
        written, digits = self.one_of(DAYS), self.byte()
        written = re.sub("#", lambda _: str(digits * 7 % 10), written)
        if digits % 3 == 0:
            return f"<time datetime='{written}'>{self.one_of(LABELS)}{written}</time>"
        if digits % 3 == 1:
            return f"<{self.one_of(FORMATTING)} class=date>{self.one_of(LABELS)}{written}</b> " * (1 + self.byte() % 16)
        return f"<meta name='{self.one_of(('date', 'dc.date', 'article:modified_time', 'og:updated_time'))}' content='{written}'>"

    def linked_data(self) -> str:
        """A script of JSON-LD: objects and lists as deep and as wide as bytes say, now and then damaged."""
        found = self.json(self.byte() % 24)
        cut = self.byte()
        damaged = found[: len(found) * cut // 256] if cut % 4 == 1 else found
        return f"<script type=application/ld+json>{damaged}</script>"

    def json(self, depth: int) -> str:
        """A value of JSON-LD."""
        kind = self.byte()
        if depth == 0 or kind % 4 == 0:
            return self.one_of(SCALARS) if kind % 8 else f'"{self.text()}"'
        if kind % 4 == 1:
            element = self.json(depth - 1)
            return "[" + ",".join([element] * min(1 + self.byte() % 8, 1 + LARGEST // len(element))) + "]"
        members = [f'"@type":"{self.one_of(TYPES)}"'] if kind & 16 else []
        members += [f'"{self.one_of(PROPERTIES)}":{self.json(depth - 1)}' for _ in range(1 + kind // 32 % 4)]
        found = "{" + ",".join(members) + "}"
        return found if len(found) <= LARGEST else "{}"

    def filled(self, text: str) -> str:
        """A text with values for its stars."""
        first, *rest = text.split("*")
        return first + "".join(self.one_of(VALUES) + piece for piece in rest)

    def mathml(self) -> str:
        """A formula in MathML."""
        return f"<math display={self.one_of(('block', 'inline', ''))}>{self.formula(1 + self.byte() % 6)}</math>"

    def formula(self, depth: int) -> str:
        """An element of MathML with as many children as a byte says, too few or too many among them."""
        kind = self.byte()
        if depth == 0 or kind % 3 == 0:
            name = self.filled(self.one_of(TOKENS))
            return f"<{name}>{self.one_of(LEAVES)}</{name.split()[0]}>"
        name = self.filled(self.one_of(MATHML))
        inner = "".join(self.formula(depth - 1) for _ in range(kind // 3 % 5))
        return f"<{name}>{inner}</{name.split()[0]}>"

    def boxes(self) -> str:
        """A formula as KaTeX or MathJax show it: boxes within boxes, with heights in their styles."""
        katex = self.byte() % 2
        inner = self.box(2 + self.byte() % 8, KATEX if katex else MATHJAX)
        return f"<span class=katex>{inner}</span>" if katex else f"<mjx-container class=MathJax>{inner}</mjx-container>"

    def box(self, depth: int, names: tuple[str, ...]) -> str:
        """A box, and what stands in it."""
        kind = self.byte()
        if depth == 0 or kind % 4 == 0:
            return self.one_of(LEAVES) if kind % 8 else ""
        name, inner = self.one_of(names), "".join(self.box(depth - 1, names) for _ in range(kind // 4 % 4))
        if names is MATHJAX:
            return f"<{name}>{inner}</{name.split()[0]}>"
        style = f" style='top:-{kind % 7}.{kind % 10}em;height:{kind % 5}em'" if kind % 3 else ""
        return f"<span class='{name}'{style}>{inner}</span>"

    def tabs(self) -> str:
        """Tabs and the panels that they control, some of them another's or none's."""
        count, shift = 1 + self.byte() % 12, self.byte() % 3
        named = [
            f"<{self.one_of(('button', 'a', 'li'))} role=tab aria-controls=p{at} id=t{at}>{self.one_of(WORDS)}"
            for at in range(count)
        ]
        panels = "".join(
            f"<div role=tabpanel id=p{at + shift} aria-labelledby=t{at}>{self.construct()}</div>" for at in range(count)
        )
        return f"<div role=tablist>{''.join(named)}</div>{panels}"

    def grid(self) -> str:
        """A table of data: heads, spans that overlap, captions, and cells that hold blocks or another table."""
        rows, cells = 1 + self.byte() % 6, 1 + self.byte() % 6
        head = f"<caption>{self.construct()}</caption><thead><tr>" + "<th scope=col>h" * cells + "</thead>"
        inner = (
            self.one_of(WORDS),
            "<p>a<p>b",
            "<ul><li>a<li>b</ul>",
            "<pre>a\n\nb</pre>",
            "<table><tr><td>x</table>",
            self.construct(),
        )
        spans = "".join(
            f"<td rowspan={self.byte() % 5} colspan={self.byte() % 5}>{inner[self.byte() % len(inner)]}"
            for _ in range(cells)
        )
        return f"<table>{head}" + f"<tr>{spans}" * rows + "</table>"

    def comment(self) -> str:
        """A comment, CDATA, a processing instruction, a DOCTYPE, or bytes of the input as they stand."""
        kind, length = self.byte() % 5, self.byte() % 64
        taken = self.data[self.at : self.at + length].decode("utf-8", "replace")
        self.at += length
        return (f"<!--{taken}-->", f"<![CDATA[{taken}]]>", f"<?{taken}>", f"<!DOCTYPE {taken}>", taken)[kind]


def written_page(data: bytes) -> bytes:
    """The page that these bytes describe, UTF-8."""
    return Writer(data).page()
