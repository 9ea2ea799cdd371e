# SPDX-License-Identifier: Apache-2.0
"""What stands beside and in lines of text: footnotes, tasks, callouts, readings, quotations, raised numbers."""

from pathlib import Path

import pytest

import thresher
from thresher.page.page_extractor import PageExtractor

BODY = "<p>A long first sentence{} goes on, and another one{} follows it.</p>"


def render(html: str, format: str = "markdown", **options: bool) -> str:  # noqa: A002
    return PageExtractor("all", format=format, **options).extract(f"<!doctype html><body>{html}".encode()).decode()


GENERATORS = {
    "markdown": (
        '<sup id="fnref:1"><a class="footnote-ref" href="#fn:1">1</a></sup>',
        '<sup id="fnref:2"><a class="footnote-ref" href="#fn:2">2</a></sup>',
        '<div class="footnote"><hr /><ol>\n<li id="fn:1">\n<p>One <i>x</i>.&#160;<a class="footnote-backref" href="#fnref:1">&#8617;</a></p>\n</li>\n<li id="fn:2">\n<p>Two.&#160;<a class="footnote-backref" href="#fnref:2">&#8617;</a></p>\n</li>\n</ol></div>',
    ),
    "remark": (
        '<sup><a href="#user-content-fn-1" id="user-content-fnref-1" data-footnote-ref="">1</a></sup>',
        '<sup><a href="#user-content-fn-2" id="user-content-fnref-2" data-footnote-ref="">2</a></sup>',
        '<section data-footnotes=""><h2 class="anchor sr-only" id="footnote-label">Footnotes</h2><ol><li id="user-content-fn-1"><p>One <i>x</i>. <a href="#user-content-fnref-1" data-footnote-backref="">↩</a></p></li><li id="user-content-fn-2"><p>Two. <a href="#user-content-fnref-2" data-footnote-backref="">↩</a></p></li></ol></section>',
    ),
    "markdown-it": (
        '<sup class="footnote-ref"><a href="#fn1" id="fnref1">[1]</a></sup>',
        '<sup class="footnote-ref"><a href="#fn2" id="fnref2">[2]</a></sup>',
        '<hr class="footnotes-sep"><section class="footnotes"><ol class="footnotes-list"><li id="fn1" class="footnote-item"><p>One <i>x</i>. <a href="#fnref1" class="footnote-backref">↩︎</a></p></li><li id="fn2" class="footnote-item"><p>Two. <a href="#fnref2" class="footnote-backref">↩︎</a></p></li></ol></section>',
    ),
    "sphinx": (
        '<a class="footnote-reference brackets" href="#id3" id="id1" role="doc-noteref"><span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a>',
        '<a class="footnote-reference brackets" href="#id4" id="id2" role="doc-noteref"><span class="fn-bracket">[</span>2<span class="fn-bracket">]</span></a>',
        '<hr class="footnotes docutils" /><aside class="footnote-list brackets"><aside class="footnote brackets" id="id3" role="doc-footnote">\n<span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" href="#id1">1</a><span class="fn-bracket">]</span></span>\n<p>One <i>x</i>.</p>\n</aside>\n<aside class="footnote brackets" id="id4" role="doc-footnote">\n<span class="label">[<a role="doc-backlink" href="#id2">2</a>]</span>\n<p>Two.</p>\n</aside></aside>',
    ),
    "mediawiki": (
        '<sup id="cite_ref-1" class="reference"><a href="#cite_note-1"><span class="cite-bracket">[</span>1<span class="cite-bracket">]</span></a></sup>',
        '<sup id="cite_ref-b_2-0" class="reference"><a href="#cite_note-b-2">[2]</a></sup><sup id="cite_ref-b_2-1" class="reference"><a href="#cite_note-b-2">[2]</a></sup>',
        '<ol class="references"><li id="cite_note-1"><span class="mw-cite-backlink"><b><a href="#cite_ref-1">^</a></b></span> <span class="reference-text">One <i>x</i>.</span></li><li id="cite_note-b-2"><span class="mw-cite-backlink">^ <a href="#cite_ref-b_2-0"><sup><i><b>a</b></i></sup></a> <a href="#cite_ref-b_2-1"><sup><i><b>b</b></i></sup></a></span> <span>Two.</span></li></ol>',
    ),
    "wordpress": (
        '<sup data-fn="ab-1"><a href="#ab-1" id="ab-1-link">1</a></sup>',
        '<sup data-fn="cd-2"><a href="#cd-2" id="cd-2-link">2</a></sup>',
        '<ol class="wp-block-footnotes"><li id="ab-1">One <i>x</i>. <a href="#ab-1-link" aria-label="Jump to footnote reference 1">↩︎</a></li><li id="cd-2">Two. <a href="#cd-2-link">↩︎</a></li></ol>',
    ),
    "word": (
        '<a href="#_ftn1" name="_ftnref1"><sup>[1]</sup></a>',
        '<a href="#_ftn2" name="_ftnref2"><sup>[2]</sup></a>',
        '<div id="ftn1"><p><a href="#_ftnref1" name="_ftn1"><sup>[1]</sup></a> One <i>x</i>.</p></div><div id="ftn2"><p><a href="#_ftnref2" name="_ftn2"><sup>[2]</sup></a> Two.</p></div>',
    ),
    "substack": (
        '<a id="anchor-1" href="https://e.org/p#note-1" class="footnote-anchor">1</a>',
        '<a id="anchor-2" href="https://e.org/p#note-2" class="footnote-anchor">2</a>',
        '<div class="footnote"><a id="note-1" href="https://e.org/p#anchor-1">1</a><div><p>One <i>x</i>.</p></div></div><div class="footnote"><a id="note-2" href="https://e.org/p#anchor-2">2</a><div><p>Two.</p></div></div>',
    ),
}  # fmt: skip


@pytest.mark.parametrize("generator", GENERATORS)
def test_footnotes_of_generators(generator):
    first, second, notes = GENERATORS[generator]
    twice = "[^2]" if generator == "mediawiki" else ""
    page = BODY.format(first, second) + notes
    expected = (
        f"A long first sentence[^1] goes on, and another one[^2]{twice} follows it.\n\n[^1]: One {{}}.\n\n[^2]: Two."
    )
    assert render(page) == expected.format("*x*")
    assert render(page, "text") == expected.format("x")
    assert (
        render(page, "html")
        == "".join(f"<p>{line}</p>\n" for line in expected.format("<em>x</em>").split("\n\n")).strip()
    )


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        # nothing leads back
        ('<p>a<sup><a href="#n">1</a></sup></p><p id="n">b', "a¹\n\nb"),
        ('<p>a<sup><a href="#n">1</a></sup></p><p id="n">b <a href="#o">↩</a><p id=o>c', "a¹\n\nb ↩\n\nc"),
        # a section and its entry in the table of contents
        ('<ul><li><a id=t href="#s">1</a></ul><div id=s><h2><a href="#t">1</a> x</h2><p>y</div>', "- 1\n\n## 1 x\n\ny"),
        # words lead to a note and back
        ('<p id=r><a href="#n">more</a></p><p id="n">b <a href="#r">back</a>', "more\n\nb back"),
        # two notes in one paragraph
        (
            '<p>a<a id=r href="#n">1</a> b<a id=s href="#m">2</a><p><a id=n href="#r">1</a> c<br><a id=m href="#s">2</a> d',
            "a[^1] b2\n\n[^1]: c  \n2 d",
        ),
        # a note refers to another one, and to a formula
        (
            '<p>a<a id=r href="#n">1</a> b<a id=s href="#m">2</a><p id=n>see <a href="#m">2</a> and <a href="#f">3</a> <a href="#r">↩</a><p id=m>d <a href="#s">↩</a><p id=f>e',
            "a[^1] b[^2]\n\n[^1]: see [^2] and 3\n\n[^2]: d\n\ne",
        ),
        # brackets outside the link, a symbol, a link at the beginning of a note
        ('<p>a [<a id=r href="#n">1</a>] b<p id=n><a href=/x>c</a> <a href="#r">↩</a>', "a [^1] b\n\n[^1]: c"),
        ('<p>a<a id=r href="#n">†</a> b<p id=n><b>c</b> <a href="#r">†</a>', "a[^1] b\n\n[^1]: c"),
        ('<p>a!<a id=r href="#n">*</a><ul><li id=n>c <a href="#r">*</a></ul>', "a\\![^1]\n\n[^1]: c"),
    ],
)  # fmt: skip
def test_what_is_a_footnote(html, expected):
    assert render(html) == expected


@pytest.mark.parametrize(
    ("reference", "notes"),
    [
        ('<sup><a href="#fn1">1</a></sup>', "<ol><li id=fn1>One <i>x</i>.</ol>"),
        ('<a href="#fn1">1</a>', "<p id=fn1>1. One <i>x</i>."),
        ('<span class=fn><a href="#mn37note01">1</a></span>', "<p id=mn37note01>[1] One <i>x</i>."),
        ('<a href="#_ftn1"><sup>[1]</sup></a>', '<p><a name="_ftn1"><sup>[1]</sup></a> One <i>x</i>.'),
        ('<sup><a href="#cite_note-1">[1]</a></sup>', "<ol class=references><li id=cite_note-1><span>One <i>x</i>.</span></ol>"),
        ('<sup><a href="#x">*</a></sup>', "<p id=x>* One <i>x</i>."),
        # Texinfo: the number is a heading
        ('<a id=D1 href="#F1"><sup>1</sup></a>', '<h5><a id=F1 href="#D1">(1)</a></h5>\n<p>One <i>x</i>.'),
        # no link at all
        ("<sup>1</sup>", "<p class=footnote><sup>1</sup>One <i>x</i>."),
        ("<sup>1</sup>", "<div class=Post__footnotes><p><b><sup>1</sup> One</b> <i>x</i>.</div>"),
        ("<span> <sup class=ref>1</sup> </span>", "<section class=footnotes><ol><li id=fn1><p>One <i>x</i>.</ol></section>"),
    ],
)  # fmt: skip
def test_notes_from_which_nothing_leads_back(reference, notes):
    assert render(f"<p>A sentence.{reference} Another.</p>{notes}") == "A sentence.[^1] Another.\n\n[^1]: One *x*."


def test_further_blocks_of_a_note_are_indented_in_markdown():
    page = (
        "<p>One<a href=#f1><sup>1</sup></a> and two<a href=#f2><sup>2</sup></a>.<section class=footnotes><ol>"
        "<li id=f1><p>A.<p>B.<ul><li>C</ul><pre>D\n\nE</pre><li id=f2><blockquote>F.</blockquote><p>G.</ol></section><p>H."
    )
    text = "One[^1] and two[^2].\n\n[^1]: A.\n\n    B.\n\n    - C\n\n    ```\n    D\n    \n    E\n    ```\n\n"
    assert render(page) == text + "> [^2]: F.\n\nG.\n\nH."
    assert "\nB.\n" in thresher.extract(page, extractor="all").text


def test_raised_numbers_that_begin_paragraphs_in_a_row_are_notes():
    page = "<p>One.<sup>1</sup> <b>Two</b><sup>2</sup><p>Three. <sup>3</sup><p>Two again<sup>2</sup>."
    notes = "<hr><p><sup>1</sup> A.<p>More of it.<p><sup>2</sup>B.<p><sup>3</sup> C."
    text = "One.[^1] **Two**[^2]\n\nThree. [^3]\n\nTwo again[^2].\n\n"
    assert render(page + notes) == text + "[^1]: A.\n\nMore of it.\n\n[^2]: B.\n\n[^3]: C."
    linked = page + '<p>Four<a id=r href="#n">4</a><p id=n>D. <a href="#r">↩</a>' + notes
    assert render(linked).startswith("One.[^2] **Two**[^3]\n\nThree. [^4]")


@pytest.mark.parametrize(
    "html",
    [
        # one that is named for nothing, and one that is not counted from 1
        "<p>a.<sup>1</sup><p><sup>1</sup> b",
        "<p>a.<sup>2</sup> b.<sup>3</sup><p><sup>2</sup> b<p><sup>3</sup> c",
        # nobody refers to the second
        "<p>a.<sup>1</sup><p><sup>1</sup> b<p><sup>2</sup> c",
        # verses
        "<p><sup>1</sup>a b. <sup>2</sup>c d. <sup>3</sup>e<p><sup>1</sup>f g. <sup>2</sup>h<p><sup>2</sup>i",
        # units and isotopes
        "<p>25 m<sup>2</sup> and 8 cm<sup>3</sup>, 10<sup>1</sup><p class=footnote><sup>2</sup>H<p class=footnote><sup>3</sup>H<p class=footnote><sup>1</sup>H",
        # the small print of a site
        "<p>a.<sup>1</sup> b.<sup>2</sup><footer><p><sup>1</sup> c<p><sup>2</sup> d</footer>",
        '<p>a.<sup><a href="#fn1">1</a></sup><footer><ul><li id=fn1>b</ul></footer>',
        # an equation, an entry of a bibliography, a note before its reference
        '<p>a (<a href="#eq">3</a>)<ul><li><a name=eq></a>Exercise 3. b</ul>',
        '<p>a [<a href="#bib.bib35">35</a>]<ul><li id=bib.bib35>[35] b</ul>',
        '<ul><li id=fn1>b</ul><p>a<sup><a href="#fn1">1</a></sup>',
        # a note that leads back to another place
        '<p id=top>a<sup><a href="#fn1">1</a></sup><ol><li id=fn1><a href="#top">^</a> b</ol>',
        # a number that the note does not begin with
        '<p>a<a href="#fn1">1</a><p id=fn1>1st b',
    ],
)
def test_other_raised_numbers_are_no_footnotes(html):
    assert "[^" not in render(html)


@pytest.mark.parametrize(
    "box",
    [
        "<li>{} a",
        "<li class=task-list-item><p>{}a</p>",
        "<li><label class=task-list-control>{}<span class=task-list-indicator></span></label> a",
        "<li>\n{}<p>a",
    ],
)
def test_boxes_of_tasks(box):
    for mark, checked in (("[ ]", ""), ("[x]", "checked")):
        page = f"<ul>{box.format(f'<input type=checkbox disabled {checked}>')}</ul>"
        assert render(page) == f"- {mark} a"
        assert render(page, "text") == f"{mark} a"


@pytest.mark.parametrize(
    "html",
    [
        "<ul><li><input type=checkbox> a</ul>",  # a form
        "<ul><li><input type=radio disabled> a</ul>",
        "<ul><li>a <input type=checkbox disabled></ul>",
        "<ul><li>a <input type=checkbox disabled> </ul>",
        "<ul><li><input type=checkbox disabled><ul></ul></li><li>a</ul>",
    ],
)
def test_other_boxes_leave_no_trace(html):
    assert render(html) == "- a"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p><ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>", "漢字(かんじ)"),
        ("<p><ruby>漢<rt> かん </rt>字<rt>じ</rt></ruby>", "漢(かん)字(じ)"),
        ("<p><ruby>a<rt></rt></ruby> <rt>b</rt>", "a b"),
        ("<p><q>a <b>b</b></q>", "“a b”"),
        ("<p><q> “a” </q> <q>'b'</q> <q>«c»</q> <q></q>", "“a” 'b' «c»"),
        ("<blockquote> <div><cite>Ann wrote:</cite>It is.</div></blockquote>", "> Ann wrote: It is."),
        ("<blockquote><cite>Ann</cite><br>a</blockquote><p><cite>Emma</cite>s", "> Ann  \n> a\n\nEmmas"),
        ("<blockquote></blockquote><cite>Emma</cite>s", "Emmas"),
        ("<blockquote>a<cite>Emma</cite>s", "> aEmmas"),
        ("<p>in&shy;com&#8203;pre\ufeffhen\u2060sible", "incomprehensible"),
        ("<p>\u200bไทย\u200bไทย \u200c\u200d", "ไทย\u200bไทย \u200c\u200d"),
        ("<p><code>a\u200bb</code><pre>c\u00add</pre>", "`a\u200bb`\n\n```\nc\u00add\n```"),
        ("<p>a<p>\u200b<p>b", "a\n\nb"),
    ],
)
def test_characters_of_a_line(html, expected):
    assert render(html) == expected


@pytest.mark.parametrize("length", range(2, 40))
def test_an_invisible_character_or_a_formula_is_found_at_any_byte(length):
    """Texts are looked at in pieces of 8 and 16 bytes."""
    for place in range(length):
        before, after = "a" * place, "b" * (length - place)
        assert render(f"<p>{before}\u00ad{after}") == before + after
        page = f"<script src=/katex.min.js></script><p>{before}\\(x^2\\){after}"
        assert render(page) == f"{before}$x^2${after}"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("H<sub>2</sub>O CO<sub>2</sub>. 25 m<sup>2</sup>, 3·10<sup>8</sup> 10<sup>-3</sup> 10<sup>−3</sup> Ca<sup>2+</sup>", "H₂O CO₂. 25 m², 3·10⁸ 10⁻³ 10⁻³ Ca²⁺"),
        ("<i>x</i><sup>H</sup> <span class=texhtml>AA<sup>H</sup>A</span> ℝ<sup>n</sup>", "*x*^H AA^HA ℝ^n"),
        ("M<sup>C</sup>Donald <span class=texhtml>Word<sup>A</sup></span>", "MCDonald WordA"),
        ("x<sup>n+1</sup> x<sub>i+1</sub> x<sup>n</sup> x<sub>max</sub> <i>x</i><sup><i>n</i> - 1</sup>", "x^(n+1) x_(i+1) x^n x_max *x*^(n-1)"),
        ("2<sup>n</sup> (a+b)<sup>2</sup> (a+b)<sup>n</sup> α<sub>1</sub>", "2^n (a+b)² (a+b)^n α₁"),
        # raised for its looks
        ("1<sup>st</sup> 2<sup>e</sup> M<sup>me</sup> n<sup>o</sup> A<sup>TM</sup> A<sup>new one</sup>", "1st 2e Mme no ATM Anew one"),
        ("word.<sup>1</sup> word<sup>[1]</sup> word<sup><a href=x>1</a></sup> word<sup>*</sup>", "word.1 word[1] word¹ word\\*"),
        ("Total<sub>net</sub> <sub>2</sub> a <sup>2</sup>", "Totalnet 2 a 2"),
        ("x<sup>1234567890123456789012345</sup>", "x1234567890123456789012345"),
        ("x<sup></sup><sub> </sub>y", "x y"),
        ("x<sup>2<br>3</sup>", "x2  \n3"),
    ],
)  # fmt: skip
def test_raised_and_lowered_text(html, expected):
    assert render(f"<p>{html}") == expected
    plain = expected.replace("  \n", "\n").replace("\\", "").replace("*x*", "x")
    assert render(f"<p>{html}", "text") == plain


def test_html_keeps_raised_text_and_code_does_not_change():
    assert render("<p>H<sub>2</sub>O x<sup>n+1</sup>", "html") == "<p>H<sub>2</sub>O x<sup>n+1</sup></p>"
    assert render("<pre>m<sup>2</sup></pre>") == "```\nm2\n```"


def test_several_notes_in_a_paragraph():
    text = "".join(
        f"<p>Text.<a href=#{name}><sup>{n}</sup></a></p>" for n, name in enumerate(("one", "two", "three"), 1)
    )
    notes = (
        "<p id=footnote><a name=one><sup>1</sup></a> First. <a href=#>↩</a><br><br><a name=two><sup>2</sup></a> <i>Second</i>"
        " one.<br> <br><a name=three><sup>3</sup></a> Third.</p>"
    )
    assert render(text + notes) == (
        "Text.[^1]\n\nText.[^2]\n\nText.[^3]\n\n[^1]: First. ↩\n\n[^2]: Second one.\n\n[^3]: Third."
    )
    one_line = notes.replace("<br><br>", "<br>").replace("<br> <br>", "<br>")
    assert "[^2]:" not in render(text + one_line)


@pytest.mark.parametrize(
    ("html", "kind", "title"),
    [
        ('<div class="admonition note"><p class="admonition-title">Before</p>{}</div>', "note", "Before"),
        ('<div class="admonition-before admonition"><p class="admonition-title">Before</p>{}</div>', "note", "Before"),
        ('<div class="theme-admonition theme-admonition-tip admonition_xyz"><div class="admonitionHeading_ab"><span></span>Before</div><div>{}</div></div>', "tip", "Before"),
        ('<div class="warning custom-block"><p class="custom-block-title">WARNING</p>{}</div>', "warning", "WARNING"),
        ('<div class="markdown-alert markdown-alert-caution"><p class="markdown-alert-title"><svg></svg>Caution</p>{}</div>', "caution", "Caution"),
        ('<aside class="callout callout-tip"><div><span class="callout-title">Tip</span></div><div>{}</div></aside>', "tip", "Tip"),
        ('<div class="admonition danger"><h5 class="admonition-heading">Before</h5>{}</div>', "danger", "Before"),
        ('<blockquote class="note"><p><strong>Before</strong></p>{}</blockquote>', "note", "**Before**"),
        ('<blockquote class="tip">{}</blockquote>', "tip", ""),
        ('<div class="custom-block info">{}</div>', "info", ""),
        ('<div class="TIP">\n<p>Tip</p>{}</div>', "tip", "Tip"),  # Microsoft Learn
        ('<div class="box warning"><h4>Warning:</h4>{}</div>', "warning", "Warning:"),
    ],
)  # fmt: skip
def test_callouts(html, kind, title):
    head = f"> [!{kind}] {title}".strip()
    assert render(f"<p>a</p>{html.format('<p>b</p><p>c</p>')}<p>d") == f"a\n\n{head}\n> b\n>\n> c\n\nd"
    assert render(html.format("<ul><li>b</ul>")) == f"{head}\n> - b"
    assert render(html.format("<ol><li>b</ol>")) == (f"{head}\n>\n> 1. b" if title else f"{head}\n> 1. b")


@pytest.mark.parametrize(
    "html",
    [
        "<div class=note><p>a</div>",
        "<div class=note>a</div>",
        "<div class=callout><p>a</div>",
        "<div class='alert alert-info'><p>a</div>",
        "<div class=notebook><p class=admonition>a</div>",
    ],
)
def test_what_is_no_callout(html):
    assert render(html) == "a"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a<hr><p>b", "a\n\n---\n\nb"),
        ("<ul><li><p>a<hr><p>b</ul>", "- a\n\n  ---\n\n  b"),
        ("<blockquote><p>a<hr><p>b</blockquote>", "> a\n>\n> ---\n>\n> b"),
        ("<hr><p>a<hr>", "a"),
        ("<p>a<div><hr><p>b</div>", "a\n\nb"),
        ("<ul><li>a<hr></li><hr><li>b</ul>", "- a\n- b"),
        ("<p>a<hr><hr><p>b", "a\n\n---\n\n---\n\nb"),
    ],
)
def test_rules_between_paragraphs(html, expected):
    assert render(html) == expected
    assert render(html, "html").count("<hr>") == expected.count("---")


PAGES = Path(__file__).parents[3] / "benchmarks" / "fixtures" / "pages"


@pytest.mark.parametrize("generator", ["hugo", "jekyll", "sphinx-furo", "vitepress"])
def test_a_footnote_is_kept_with_its_reference_and_a_title_with_its_page(generator):
    page = (PAGES / generator / "notes.html").read_bytes()
    found = thresher.extract(page, format="markdown").text
    assert found.startswith("# Remarks beside the text\n\n")
    if generator != "vitepress":  # whose last paragraphs the model drops
        assert "[^1]: The first note explains a word.\n\n[^2]: The second note has a link and *emphasis*." in found


PROSE = "<p>A paragraph that is long enough to be kept by any extractor, as it goes on and on about the mill.</p>"


@pytest.mark.parametrize(
    ("html", "title"),
    [
        (f"<h1>Wheel</h1>{PROSE}", True),
        (f"<h1>Wheel</h1>{PROSE}{PROSE}", True),
        (f"<h1>Wheel</h1>{'<p><a href=/>Home</a></p>' * 8}{PROSE}{PROSE}", False),
    ],
)
def test_the_title_of_a_small_page(html, title):
    assert thresher.extract(html, extractor="density").text.startswith("Wheel\n\n") is title


@pytest.mark.parametrize("tag", ["strong", "b", "sup"])
def test_notes_that_begin_with_bold_numbers(tag):
    page = (
        "<article><p>The first idea is old. <sup>1</sup></p><p>The second one is not.<sup>2</sup></p><p>End.</p><hr>"
        f"<p><{tag}>1</{tag}> An explanation.</p><ul><li>A point.</ul><p><{tag}>2</{tag}> Another one.</p></article>"
    )
    assert render(page) == (
        "The first idea is old. [^1]\n\nThe second one is not.[^2]\n\nEnd.\n\n[^1]: An explanation.\n\n- A point.\n\n"
        "[^2]: Another one."
    )


def test_bold_numbers_to_which_nothing_refers_are_no_notes():
    page = "<p>An area of 5 m<sup>2</sup> each.</p><p><b>1</b> Dig a hole.</p><p><b>2</b> Fill it.</p>"
    assert render(page) == "An area of 5 m² each.\n\n**1** Dig a hole.\n\n**2** Fill it."


def test_numbered_lists_in_asides_are_notes():
    page = (
        "<div><p>We built a library.<sup>1</sup></p><aside><ol start=1><li>A joke.</ol></aside></div>"
        "<div><p>It has a use.<sup>2</sup></p><aside><ol start=2><li>More than one.</ol></aside></div>"
    )
    assert render(page) == "We built a library.[^1]\n\n[^1]: A joke.\n\nIt has a use.[^2]\n\n[^2]: More than one."
    assert "1. A joke." in render(page.replace("<sup>1</sup>", ""))


LTX = (
    '<span class="ltx_note ltx_role_{0}"><sup class="ltx_note_mark">1</sup><span class="ltx_note_outer">'
    '<span class="ltx_note_content"><sup class="ltx_note_mark">1</sup>{1}</span></span></span>'
)


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        (LTX.format("footnote", '<span class="ltx_tag ltx_tag_note">1</span> See <i>there</i>. '), "^[See *there*.]"),
        (LTX.format("footnotemark", '<span class="ltx_note_type">footnotemark: </span>'), "¹"),
        ('<label class="margin-toggle"></label><span class="sidenote">See there.</span>', " ^[See there.]"),
        ('<span class="marginnote"><b>See</b></span>', "^[See]"),
        ('<span class="sidenote"></span>', ""),
        ('<span class="sidenote"><math alttext="x"><mi>x</mi></math></span>', "$x$"),
        ('<span class="sidebar">no</span>', "no"),
        (
            (
                '<span class="box"><label></label> <input type="checkbox" class="margin-toggle"> '
                '<span class="footnote"> See there. </span></span>'
            ),
            " ^[See there.]",
        ),
        ('<span title="See">1<span class="footnoteContent">See</span></span>', "^[See]"),
        ('<span title="See">1<span class="footnoteContent" style="display:none">See</span></span>', ""),
        ('<span>1a<span class="footnoteContent">See</span></span>', "1aSee"),
        ('<span>1<span class="footnoteContent">See</span>.</span>', "1See."),
        ('<span class="footnote">See</span>', "See"),
    ],
)
@pytest.mark.parametrize("format", ["markdown", "text"])
def test_notes_in_the_text(note, expected, format):  # noqa: A002
    if format == "text":
        expected = expected.replace("*", "")
    assert render(f"<p>A word{note} goes on.</p>", format) == f"A word{expected} goes on."
