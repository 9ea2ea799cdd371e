# SPDX-License-Identifier: Apache-2.0
"""Formulas on any page: nothing breaks, each comes out once, and all formats hold the same words."""

from hypothesis import given
from hypothesis import strategies as st
from tag_soup import tag_soup, tree_of

from thresher.page.page_extractor import PageExtractor

TAGS = [
    *("math", "mrow", "mi", "mo", "mn", "msup", "msubsup", "mfrac", "munder", "mover", "mtable", "mtr", "mtd", "mtext"),
    *("mmultiscripts", "mprescripts", "mfenced", "semantics", "annotation", "mjx-container", "mjx-math", "mjx-msup"),
    *("mjx-script", "mjx-mfrac", "mjx-num", "mjx-c", "script", "noscript", "code", "g"),
]
ATTRIBUTES = [
    *(" class=katex", " class=katex-display", " class=MathJax", " class=MathJax_Preview", " class=mwe-math-element"),
    *(" class=math", " class=arithmatex", " class=latex", " class=mjx-c1D450", " display=block", " type=math/tex"),
    *(" encoding=application/x-tex", " alttext='x_1'", " data-math='x_1'", " data-mml-node=msup", " hidden"),
    *(" src='?%5Calpha' alt='\\alpha'", " src='/latex.php?latex=x%20y'", " data-mjx-texclass=OPEN"),
]
PIECES = [
    *(
        "\\(", "\\)", "\\[", "\\]", "$", "$$", "x_1", "\\frac{a}", "\\begin{align}", "\\end{align}", "\\", "{", "}",
        "%", "`",
    ),
    *("word ", " ", "\n", "<br>", "<!-- c -->", "&lt;b>", "α", "∑", "|", "(", "[", "5"),
]  # fmt: skip
pages = tag_soup(TAGS, ATTRIBUTES, PIECES, size=60)

ANNOTATED = "<math><semantics><mi>q</mi><annotation encoding='application/x-tex'>{}</annotation></semantics></math>"
WRAPPERS = (
    "<p>a \\({}\\) b",
    "<p>a $${}$$ b",
    "\\[{}\\]",
    "<p>a <math alttext='{}'><mi>q</mi></math>",
    f"<p>a {ANNOTATED}",
    f"<p>a <span class=katex-display><span class=katex>{ANNOTATED}<span class=katex-html>q</span></span></span> b",
    "<p>a <span class=MathJax_Preview>q</span><span class=MathJax>q</span><script type=math/tex>{}</script>",
    "<p>a <img src='/latex.php?latex=q' alt='{}'>",
    "<p>a <span class=mwe-math-element><math alttext='{}'></math><img class=mwe-math-fallback-image alt='q'></span>",
    "<p>a <span class=math>{}</span>",
    "<ul><li>\\({}\\)</ul>",
)


def squeezed(text: str) -> str:
    return "".join(text.split())


def rendered(page: bytes, extractor: str) -> list[str]:
    return [
        PageExtractor(extractor, format=name).extract(page).decode("utf-8", "replace")
        for name in ("text", "markdown", "html")
    ]


def text_of(html: str) -> str:
    document = tree_of(html)
    return "".join(document.text(n) for n in range(document.n_nodes) if document.tag(n) == "#text")


@given(pages, st.sampled_from(["all", "all", "thresher"]))
def test_html_holds_the_words_of_the_text(page, extractor):
    text, markdown, html = rendered(page.encode("utf-8", "replace"), extractor)
    assert squeezed(text_of(html)) == squeezed(text)
    assert (markdown == "") == (text == "")


@given(st.binary(max_size=200), st.sampled_from(["tex", "text", "drop"]))
def test_any_bytes_give_text(page, formulas):
    soup = b"<math><msup>" + page + b"</msup></math>\\(" + page + b"\\)$" + page + b"$"
    for name in ("text", "markdown", "html"):
        PageExtractor("all", format=name, formulas=formulas).extract(soup)


@given(pages)
def test_the_blocks_hold_the_words_of_the_text(page):
    page_extractor = PageExtractor("all")
    text = page_extractor.extract(page.encode("utf-8", "replace")).decode("utf-8", "replace")
    assert squeezed("".join(block.text for block in page_extractor.blocks())) == squeezed(text)


@given(st.lists(st.sampled_from(WRAPPERS), min_size=1, max_size=8))
def test_each_formula_comes_out_once(wrappers):
    formulas = [f"x_{{{number}}}=\\alpha" for number in range(100, 100 + len(wrappers))]
    page = "".join(wrapper.format(tex) + "</p>" for wrapper, tex in zip(wrappers, formulas, strict=True))
    for text in rendered(f"<!doctype html><body>{page}".encode(), "all"):
        assert [text.count(tex) for tex in formulas] == [1] * len(formulas)
        assert "q" not in text
