# SPDX-License-Identifier: Apache-2.0
"""Made-up pages for what holds of any page: tags that open and close in any order, with text between them."""

from collections.abc import Sequence

from hypothesis import strategies as st

from thresher.native.parsing.document import Document

BASIC_TAGS = [
    "p", "div", "span", "a", "b", "i", "em", "br", "ul", "ol", "li", "dl", "dt", "dd", "table", "tr", "td", "th",
    "caption", "h1", "h2", "pre", "button", "label", "blockquote", "article", "nav", "my-element", "img", "section",
    "svg", "math", "template", "form",
]  # fmt: skip


def tag_soup(
    tags: Sequence[str], attributes: Sequence[str], pieces: Sequence[str], *, size: int
) -> st.SearchStrategy[str]:
    """Pages of up to `size` pieces: start tags with at most one of `attributes`, end tags, any short text, and one of
    `pieces`.
    """
    tag = st.sampled_from([*BASIC_TAGS, *tags])
    attribute = st.sampled_from(["", *attributes])
    piece = st.one_of(
        st.builds(lambda name, given: f"<{name}{given}>", tag, attribute),
        st.builds(lambda name: f"</{name}>", tag),
        st.sampled_from(pieces),
        st.text(max_size=12),
    )
    return st.lists(piece, max_size=size).map("".join)


def tree_of(html: str) -> Document:
    """The tree of a text as it is: thresher.parse() repairs one that was decoded wrongly."""
    document = Document()
    document.parse(html.encode("utf-8", "replace"))
    return document
