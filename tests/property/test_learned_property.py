# SPDX-License-Identifier: Apache-2.0
"""The learned extractor takes any bytes, and gives the same again."""

from hypothesis import given
from hypothesis import strategies as st

from thresher.page.page_extractor import PageExtractor

PIECES = [
    b"<div class='a b'>", b"</div>", b"<p>", b"</p>", b"<li>", b"<table><tr><td>", b"<h1>", b"<a href=x>", b"</a>",
    b"<nav>", b"<br>", b"<select>", b"<noscript>", b"<div hidden>", b"<title>", b"<svg>", b"text, and more. ",
    "漢字。".encode(), b"\xff\x00", b"<x-y>", b"<img>", b"<input>",
]  # fmt: skip
EXTRACTOR = PageExtractor("thresher")


@given(st.one_of(st.binary(max_size=300), st.lists(st.sampled_from(PIECES), max_size=60).map(b"".join)))
def test_any_bytes(page: bytes) -> None:
    text = EXTRACTOR.extract(page)
    confidence = EXTRACTOR.confidence
    assert confidence is None or 0.0 <= confidence <= 1.0
    assert EXTRACTOR.extract(page) == text
    assert EXTRACTOR.confidence == confidence
