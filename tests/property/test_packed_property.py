# SPDX-License-Identifier: Apache-2.0
"""Packed pages that were damaged are refused, or give some text; they never crash and never give what is not theirs."""

import struct
from typing import Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from thresher.native.choosing.registry import EXTRACTORS
from thresher.native.templates.packed import PackedPage
from thresher.page.page_extractor import PageExtractor

LOW = -32768  # of all blocks the text
BODIES = [
    "",
    "<p>One paragraph of a few words.",
    "<h1>Title</h1><p>A paragraph of some words, and more of them, to be kept.<ul><li>one<li>two</ul><pre>\n  code\n</pre>",
    "<table><tr><td><td>b<td hidden>c<td>d<tr><td>e<td><table><tr><td>f<td>g</table><td>h</table>after",
    "<p hidden>concealed</p>" + "<p>text</p><div>more<p>text</p>again</div>" * 20,
    "<table>" + "<tr>" + "<td>x" * 30 + "</table>",
]


def pack(body: str, name: str, datelines: Literal["auto", "keep", "drop"] = "auto") -> bytes:
    extractor = PageExtractor(name, datelines=datelines)
    extractor.extract(f"<!doctype html><title>t</title><body>{body}".encode())
    data = extractor.pack(LOW)
    assert data is not None
    return data


PACKED = [pack(body, name) for body in BODIES for name in ("thresher", "all")]
DATED = "<p class=byline>Ann Miller</p><p>A paragraph of some words, and more of them.<p><time>May</time>" * 3
PACKED += [pack(DATED, name, "keep") for name in ("thresher", "all")] + [pack(DATED, "thresher", "drop")]
NUMBERS = st.one_of(
    st.sampled_from([0, 1, 2, 3, 255, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 24]),
    st.integers(0, 0xFFFFFFFF),
    st.integers(0, 200),
)
DAMAGES = st.lists(
    st.one_of(
        st.tuples(st.just("word"), st.integers(0, 4000), NUMBERS),
        st.tuples(st.just("byte"), st.integers(0, 4000), st.integers(0, 255)),
        st.tuples(st.just("cut"), st.integers(0, 4000), st.just(0)),
        st.tuples(st.just("add"), st.integers(1, 100), st.integers(0, 255)),
    ),
    max_size=4,
)


def damaged(data: bytes, damages: list[tuple[str, int, int]]) -> bytes:
    for kind, where, value in damages:
        if kind == "cut":
            data = data[: where % (len(data) + 1)]
        elif kind == "add":
            data += bytes([value]) * where
        elif kind == "byte" and data:
            at = where % len(data)
            data = data[:at] + bytes([value]) + data[at + 1 :]
        elif kind == "word" and len(data) >= 4:
            at = where % (len(data) // 4) * 4
            data = data[:at] + struct.pack("<I", value) + data[at + 4 :]
    return data


def use(data: bytes) -> None:
    """Loads a packed page and does with it all that can be done."""
    packed = PackedPage()
    try:
        packed.load(data)
    except ValueError:
        with pytest.raises(RuntimeError, match="load"):
            packed.kept_bytes()
        return
    n_blocks = len(packed.kept_bytes())
    assert packed.render() == b""
    for kept in (b"\1" * n_blocks, (b"\0\1" * n_blocks)[:n_blocks]):
        packed.keep(kept)
        text = packed.render()
        # No more than the page has: what is packed, and white space between blocks and for cells.
        assert text is None or len(text) <= len(data) + 2 * n_blocks + (1 << 28)
    for scores in (bytes(2 * n_blocks), struct.pack("<h", 8000) * n_blocks):
        try:
            packed.choose(EXTRACTORS["thresher"], scores, bytes(2 * n_blocks))
        except ValueError as error:
            assert "nothing to choose by" in str(error)  # noqa: PT017 (most pages can be chosen from)
        else:
            assert 0.0 <= (packed.confidence or 0.0) <= 1.0
            assert len(packed.kept_bytes()) == n_blocks
            packed.render()


@given(st.sampled_from(PACKED), DAMAGES)
def test_a_damaged_packed_page_is_refused_or_gives_some_text(data: bytes, damages: list[tuple[str, int, int]]) -> None:
    use(damaged(data, damages))


@given(st.binary(max_size=300))
@example(PACKED[0])
def test_any_bytes_are_refused_or_give_some_text(data: bytes) -> None:
    use(data)


@pytest.mark.parametrize("number", [0, 1, 2, 0x7FFFFFFF, 0xFFFFFFFF])
@pytest.mark.parametrize("data", PACKED, ids=range(len(PACKED)))
def test_every_word_may_be_anything(data: bytes, number: int) -> None:
    for at in range(len(data) // 4):
        use(damaged(data, [("word", at, number)]))


@pytest.mark.parametrize(
    "page",
    [
        "<label>a<label><math display=block><mi>x</mi></math>",
        "<label>a<label> <b></b><math display=block><mi>x</mi></math> b",
        "<p>a<button>\\[x^2\\] b</button>\\(y\\)",
        "<p>a<button>b \\[x^2\\]</button><label>c",
    ],
)
def test_a_display_formula_that_begins_a_block_has_its_line(page: str) -> None:
    """Such a block follows the one before it on its line, but for the formula."""
    for name in ("all", "thresher"):
        extractor = PageExtractor(name)
        text = extractor.extract(page.encode())
        packed = PackedPage()
        packed.load(extractor.pack(-32768))
        packed.keep(extractor.workspace.kept_bytes())
        assert packed.render() == text
