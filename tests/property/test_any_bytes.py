# SPDX-License-Identifier: Apache-2.0
"""What holds for the tree of any bytes at all."""

import hypothesis
import hypothesis.strategies as st

from thresher.native.parsing.document import Document
from thresher.native.parsing.tokenizer import tokenize

TAGS = [
    "a", "b", "i", "nobr", "p", "div", "table", "tbody", "tr", "td", "caption", "col", "colgroup", "select", "option",
    "optgroup", "template", "svg", "math", "mi", "annotation-xml", "foreignObject", "title", "textarea", "style",
    "script", "noscript", "plaintext", "frameset", "frame", "form", "button", "li", "dd", "h1", "ruby", "rt", "pre",
    "image", "input", "hr", "br", "body", "html", "head", "x-y", "selectedcontent", "marquee",
]  # fmt: skip
MARKUP = st.one_of(
    st.sampled_from([f"<{tag}>".encode() for tag in TAGS]),
    st.sampled_from([f"</{tag}>".encode() for tag in TAGS]),
    st.sampled_from(
        [b"<p class='a&amp;b' id=x>", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<!DOCTYPE html>", b"&amp", b"\0"]
    ),
    st.binary(max_size=8),
    st.text(max_size=8).map(str.encode),
)
PAGES = st.one_of(st.binary(max_size=300), st.lists(MARKUP, max_size=60).map(b"".join))


@hypothesis.given(PAGES)
def test_any_bytes_make_a_whole_tree(page: bytes) -> None:
    document = Document()
    document.parse(page)
    assert document.status == "ok"
    assert document.verify() == ""
    document.dump()
    document.text(0).encode()


@hypothesis.given(PAGES, st.integers(1, 40), st.integers(1, 40), st.integers(1, 10))
def test_no_limit_breaks_the_tree(page: bytes, max_bytes: int, max_nodes: int, max_depth: int) -> None:
    document = Document(max_bytes=max_bytes, max_nodes=max_nodes, max_depth=max_depth, max_attributes=max_depth)
    document.parse(page)
    assert document.verify() == ""


@hypothesis.given(PAGES, PAGES)
def test_the_page_before_leaves_no_trace(before: bytes, page: bytes) -> None:
    fresh, used = Document(), Document()
    fresh.parse(page)
    used.parse(before)
    used.parse(page)
    assert used.dump() == fresh.dump()
    assert used.checksum() == fresh.checksum()


@hypothesis.given(
    st.lists(st.text(alphabet=st.characters(exclude_characters="<&\0\r", exclude_categories=["Cs"])), max_size=5)
)
def test_plain_text_comes_out_as_it_went_in(texts: list[str]) -> None:
    document = Document()
    document.parse(b"<body>" + b"<!---->".join(text.encode() for text in texts))
    assert document.text(0) == "".join(texts)


@hypothesis.given(PAGES)
def test_the_tokenizer_ends(page: bytes) -> None:
    for state in (
        "Data state",
        "RCDATA state",
        "RAWTEXT state",
        "Script data state",
        "PLAINTEXT state",
        "CDATA section state",
    ):
        tokenize(page, state, "title")
