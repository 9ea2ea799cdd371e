# SPDX-License-Identifier: Apache-2.0
"""Markdown and HTML of any page: another parser gives the same text back, and nothing but harmless markup comes out."""

import re
import unicodedata
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from shared_data import files
from tag_soup import tag_soup, tree_of

from thresher.lab.evaluate.pages import read_pages
from thresher.page.page_extractor import PageExtractor

ELEMENTS = {
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "dl", "dt", "dd", "blockquote", "pre", "code", "table", "caption", "tr", "td",
    "th", "strong", "em", "del", "sub", "sup", "br", "hr", "a", "img",
}  # fmt: skip
ATTRIBUTES = {
    "a": {"href"}, "img": {"src", "alt"}, "ol": {"start"}, "code": {"class"}, "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
}  # fmt: skip
OF_SOURCE = {
    *(ELEMENTS - {"code"}), "a", "abbr", "acronym", "address", "article", "aside", "b", "bdi", "bdo", "big", "center", "cite", "code", "col",
    "colgroup", "data", "details", "dfn", "dir", "div", "figcaption", "figure", "font", "footer", "header", "hgroup", "i", "ins", "kbd", "main", "mark",
    "menu", "nav", "nobr", "picture", "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "search", "section", "small", "span", "strike", "summary",
    "tbody", "tfoot", "thead", "time", "tt", "u", "var", "wbr",
}  # fmt: skip
SOURCE_ATTRIBUTES = {
    "align", "alt", "aria-label", "class", "colspan", "datetime", "dir", "headers", "height", "href", "itemprop", "itemscope", "itemtype", "lang", "open",
    "role", "rowspan", "scope", "src", "start", "title", "type", "valign", "value", "width",
}  # fmt: skip
MARKDOWN = MarkdownIt("commonmark").enable("table").enable("strikethrough")

TAGS = ["strong", "code", "sup", "sub", "del", "dl", "dt", "dd", "hr", "details", "summary", "listing", "base"]
SOUP_ATTRIBUTES = [
    " hidden", " href=x", " href='javascript:alert(1)'", ' href=\'"><script>\'', " src=/i", " start=7", " class=language-c", " role=presentation",
    " onclick=x", " href=#x class=anchor", " class=lineno", " class=gutter", " rowspan=2", " colspan=3", " role=table", " role=row", " role=cell", ' alt="a]b"', " class=comments",
    " class='admonition note'", " class=title",
]  # fmt: skip
PIECES = [
    "*", "**", "_", "`", "```", "#", "# ", "- ", "+ ", "1. ", "2) ", "> ", "|", "| - |", "---", "===", "[a](b)", "[a]: b", "![", "](", "&amp;lt;",
    "&lt;b>", "\\", "\\\\", "~~", "<!-- c -->", "&nbsp;", "\n", "    ", "\t", "word ", "words in a row ", "中文", "“", "http://e.org/", "&#13;", ":-", "!",
]  # fmt: skip
pages = tag_soup(TAGS, SOUP_ATTRIBUTES, PIECES, size=50)


def squeezed(text: str) -> str:
    """Without any white space: markdown-it strips that of Unicode at the ends of lines."""
    return "".join(text.split())


def flat(text: str) -> str:
    """Without white space, and with raised and lowered text on the line."""
    return re.sub(r"[\^_()−–-]", "", squeezed(unicodedata.normalize("NFKC", text)))


def read(markdown: str) -> str:
    """The text that markdown-it takes from Markdown, without the marks of callouts and descriptions.

    It knows no footnotes: to it, their marks are definitions of links.
    """
    tokens = MARKDOWN.parse(re.sub(r"(?<!\\)\[(\^\d+)\]", r"\\[\1\\]", markdown))
    for block, (before, _, token) in enumerate(zip(tokens, tokens[1:], tokens[2:], strict=False)):
        children = token.children or []
        if before.type == "blockquote_open" and children and tokens[block + 1].type == "paragraph_open":
            children[0].content = re.sub(r"^\[!\w+\]", "", children[0].content)
        for line, child in pairwise(children):
            if line.type == "softbreak":
                child.content = child.content.removeprefix(": ")
    return text_of(MARKDOWN.renderer.render(tokens, MARKDOWN.options, {}))


def text_of(html: str) -> str:
    document = tree_of(html)
    return "".join(document.text(n) for n in range(document.n_nodes) if document.tag(n) == "#text")


class Checker(HTMLParser):
    """Keeps a stack of open elements, and asserts that all is well."""

    def __init__(self, *more: str) -> None:
        super().__init__()
        self.elements = ELEMENTS | set(more)
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        is_formula = tag == "span" and dict(attrs).get("class") in ("math", "math display")
        assert tag in self.elements or is_formula
        assert {name for name, _ in attrs} <= ({"class"} if is_formula else ATTRIBUTES.get(tag, set()))
        for name, value in attrs:
            if name in ("href", "src"):
                assert value
                scheme = re.match(r"([a-z][a-z0-9+.-]*):", value.lower())
                assert scheme is None or scheme[1] in {"http", "https", "ftp", "mailto", "tel"}
        if tag not in ("br", "hr", "img"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)  # "<br />", as markdown-it writes it

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def check(html: str, *more: str) -> None:
    checker = Checker(*more)
    checker.feed(html)
    checker.close()
    assert checker.open == []


def rendered(page: bytes, extractor: str, **options: bool) -> tuple[str, str, str]:
    """The page as text, Markdown and HTML."""
    formats = ({}, {"format": "markdown", **options}, {"format": "html", **options})
    text, markdown, html = (PageExtractor(extractor, **output).extract(page).decode() for output in formats)
    return text, markdown, html


def without_spans(page: bytes) -> bytes:
    """The page with cells that span nothing: in Markdown, a cell that spans others stands in each of them."""
    return re.sub(rb"(?i)\b(?:col|row)span\b", b"data-span", page)


def check_page(page: bytes, extractor: str) -> None:
    text, markdown, html = rendered(page, extractor)
    if b"span" in page.lower():
        assert set(squeezed(read(markdown))) == set(squeezed(text))
        markdown = rendered(without_spans(page), extractor)[1]
    check(html)
    same = flat if "<su" in html else squeezed
    assert same(text_of(html)) == same(text)
    assert squeezed(PageExtractor("all").extract(html.encode()).decode()) == squeezed(text)
    assert squeezed(read(markdown)) == squeezed(text)


@given(pages, st.sampled_from(["all", "all", "cetd", "bte"]))
def test_text_comes_back_from_markdown_and_html(page, extractor):
    check_page(page.encode("utf-8", "replace"), extractor)


@given(pages)
@example("0$0^000$")
def test_with_links_and_images_nothing_but_harmless_markup_comes_out(page):
    text, markdown, html = rendered(page.encode("utf-8", "replace"), "all", links=True, images=True)
    check(html)
    same = flat if "<su" in html else squeezed
    assert same(text_of(html)) == same(text)
    # Raw HTML would come out of Markdown as it is: there must be none.
    check(MARKDOWN.render(markdown), "thead", "tbody", "s")


def check_source(page: bytes, **options: bool) -> str:
    """The page in its own elements, after checking them."""
    written = PageExtractor("all", format="source", **options).extract(page).decode()
    document = tree_of(written)
    for n in range(document.n_nodes):
        tag = document.tag(n)
        assert tag in OF_SOURCE or tag in {"", "html", "head", "body"} or tag[0] in "#!"
        for name, value in document.attributes(n).items():
            assert name in SOURCE_ATTRIBUTES
            if name in {"href", "src"}:
                scheme = re.match(r"([a-z][a-z0-9+.-]*):", value.lower())
                assert scheme is None or scheme[1] in {"http", "https", "ftp", "mailto", "tel"}
    return written


@given(pages)
def test_the_text_comes_back_from_the_pages_own_elements(page):
    utf8 = page.encode("utf-8", "replace")
    text = PageExtractor("all").extract(utf8).decode()
    written = check_source(utf8)
    assert flat(text_of(written)) == flat(text)
    again = PageExtractor("all", format="source").extract(written.encode()).decode()
    assert flat(text_of(again)) == flat(text)
    check_source(utf8, links=True, images=True)


@given(st.binary(max_size=200))
def test_any_bytes_give_markup(page):
    utf8 = page.decode("utf-8", "replace").encode()
    for text in rendered(utf8, "all", links=True, images=True)[1:]:
        text.encode("utf-8")
    # also where the bytes are no UTF-8
    PageExtractor("all", format="markdown").extract(page)
    PageExtractor("all", format="html").extract(page)
    PageExtractor("all", format="source").extract(page)


@pytest.mark.parametrize("n_pages", [5, pytest.param(10, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("file", files("labelled/*.parquet"), ids=lambda path: path.stem)
def test_text_of_real_pages_comes_back(file, n_pages):
    for page in read_pages(file, limit=n_pages):
        check_page(page.html, "all")
        text = PageExtractor("all").extract(page.html).decode()
        assert flat(text_of(check_source(page.html))) == flat(text)
        check_source(page.html, links=True, images=True)
