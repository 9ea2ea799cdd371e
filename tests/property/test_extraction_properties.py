# SPDX-License-Identifier: Apache-2.0
"""What holds for the text of any page at all."""

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tag_soup import tag_soup

import thresher
from thresher.native.choosing import registry
from thresher.native.parsing.document import Document
from thresher.options import EXTRACTORS
from thresher.page.page_extractor import PageExtractor

TAGS = [
    "hr", "thead", "tbody", "select", "option", "textarea", "title", "script", "style", "noscript", "iframe",
    "frameset", "body", "html", "head",
]  # fmt: skip
ATTRIBUTES = [" hidden", " class='menu nav'", ' style="display:none"', " href=x", ' style="', " id=nav", " open"]
PIECES = [
    *(" ", "\n", "\t", "\f", "words in a row ", "中文", "<!-- c -->", "<!doctype html>"),
    *("&amp;", "&nbsp;", "&#0;", "&#x1F600;"),
]
pages = st.one_of(
    tag_soup(TAGS, ATTRIBUTES, PIECES, size=60).map(lambda page: page.encode("utf-8", "replace")),
    st.binary(max_size=300),
)


def squeezed(text: str) -> str:
    """Without the white space that rendering may add or drop."""
    return text.translate(dict.fromkeys(map(ord, " \t\n\f\r")))


def is_subsequence(part: str, whole: str) -> bool:
    rest = iter(whole)
    return all(character in rest for character in part)


def any_bytes_give_text(page, extractor):
    found = thresher.extract(page, extractor=extractor)
    found.text.encode("utf-8")
    assert found.title is None or found.title.encode("utf-8")
    assert found.status in {"ok", "empty", "not_html"}  # not_html: bytes that no page begins with
    assert (found.status != "ok") == (found.text == "")


def the_core_survives_bytes_that_are_not_utf8(page, _):
    page_extractor = PageExtractor()
    page_extractor.parse(page)
    page_extractor.measure()
    for extractor in EXTRACTORS:
        page_extractor.choose(extractor)
        page_extractor.classify()
        assert isinstance(page_extractor.render(), bytes)
        assert len(page_extractor.blocks()) == page_extractor.workspace.n_blocks
    page_extractor.metadata("https://example.org/")


def text_is_a_subsequence_of_the_pages_text(page, extractor):
    utf8 = page.decode("utf-8", "replace").encode()
    document = Document()
    document.parse(utf8)
    whole = "".join(text for n in range(document.n_nodes) if document.tag(n) == "#text" and (text := document.text(n)))
    page_extractor = PageExtractor(extractor)
    assert is_subsequence(squeezed(page_extractor.extract(utf8).decode()), squeezed(whole))


def an_extractor_chooses_among_the_blocks_of_all(page, extractor):
    page_extractor = PageExtractor(extractor)
    page_extractor.extract(page)
    chosen = page_extractor.blocks()
    page_extractor.choose("all")
    page_extractor.classify()
    everything = page_extractor.blocks()
    if registry.EXTRACTORS[extractor].reads_concealed:
        visible = "".join(block.text for block in everything)
        assert is_subsequence(squeezed(visible), squeezed("".join(block.text for block in chosen)))
    else:
        assert [block.text for block in chosen] == [block.text for block in everything]
    assert all(block.kept for block in everything)
    assert squeezed(page_extractor.render().decode("utf-8", "replace")) == squeezed(
        "".join(block.text for block in everything)
    )


def blocks_cover_the_visible_text_once(page, _):
    page_extractor = PageExtractor("all")
    page_extractor.extract(page)
    blocks = page_extractor.blocks()
    assert all(a.end <= b.start for a, b in itertools.pairwise(blocks))
    assert sum(block.words for block in blocks) == page_extractor.workspace.n_words


def the_same_page_gives_the_same_text(page, extractor):
    page_extractor = PageExtractor(extractor)
    first = page_extractor.extract(page)
    page_extractor.extract(b"<p>something else" * 10)
    assert page_extractor.extract(page) == first == PageExtractor(extractor).extract(page)


@given(pages, st.sampled_from(EXTRACTORS))
@example(b"<p>a<table><td>b", "cetd")
@example(b"\xff\xfe<", "all")
@example(b"a<p hidden>words in a row", "thresher")
@example(b"<nav><h2>words in a row ", "cetd")
def test_of_any_page(page, extractor):
    """One test of all: to make up a page takes longer than most of them."""
    any_bytes_give_text(page, extractor)
    the_core_survives_bytes_that_are_not_utf8(page, extractor)
    text_is_a_subsequence_of_the_pages_text(page, extractor)
    an_extractor_chooses_among_the_blocks_of_all(page, extractor)
    blocks_cover_the_visible_text_once(page, extractor)
    the_same_page_gives_the_same_text(page, extractor)


@given(st.text(alphabet="ab \n\t<>/pbr", max_size=80))
def test_there_is_never_white_space_at_the_ends(text):
    found = thresher.extract(f"<p>{text}</p>", extractor="all").text
    assert found == found.strip(" \n\t")
    assert "\n\n\n" not in found
    assert "  " not in found or pytest.fail(found)
