# SPDX-License-Identifier: Apache-2.0
"""Any bytes come out as valid UTF-8, the check of validity agrees with Python's, and text survives its own encoding."""

import codecs
import re

from hypothesis import given
from hypothesis import strategies as st

from thresher.native.parsing.utf8 import ASCII, OTHER, encoded_once, repaired_sequences, utf8_state
from thresher.page.charset import decode
from thresher.page.legacy_encodings import LABELS, table_of

FRAGMENTS = st.one_of(
    st.binary(max_size=40),
    st.text(max_size=20).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.sampled_from(sorted(LABELS)).map(lambda label: b"<meta charset=" + label.encode() + b">"),
    st.sampled_from(
        [
            b"<!--",
            b"-->",
            b"<script>",
            b"<meta http-equiv=content-type content='",
            b"a" * 40,
            b"\x1b$B",
            b"\xc3\xa2\xc2\x80",
        ]
    ),
)
PAGES = st.lists(FRAGMENTS, max_size=12).map(b"".join)


@given(page=PAGES, http=st.one_of(st.none(), st.sampled_from(sorted(LABELS)), st.text(max_size=10)))
def test_any_bytes_become_valid_utf8(page, http):
    decoded = decode(page, http_charset=http)
    decoded.utf8.decode("utf-8")
    assert decoded.charset in LABELS


@given(page=PAGES)
def test_the_check_agrees_with_python(page):
    try:
        expected = page.decode("utf-8").isascii()
    except UnicodeDecodeError:
        assert utf8_state(page) == OTHER
    else:
        assert utf8_state(page) != OTHER
        assert (utf8_state(page) == ASCII) == expected


@given(text=st.text(alphabet=st.characters(max_codepoint=0x4FF, categories=["L", "N", "P", "Z"]), max_size=60))
def test_text_that_is_utf8_once_comes_back(text):
    assert decode(text.encode()).utf8.decode() == text or decode(text.encode()).repaired


WINDOWS_1252 = table_of("windows-1252")
CONTINUATIONS = "".join(map(chr, range(0x80, 0xA0))) + WINDOWS_1252[0x80:0xC0]
SEQUENCE = re.compile(f"[\u00e0-\u00ef][{CONTINUATIONS}]{{2}}|[\u00f0-\u00f4][{CONTINUATIONS}]{{3}}")


def once_by_the_book(text: str) -> bytes | None:
    text = re.sub("[\x80-\x9f]", lambda control: WINDOWS_1252[ord(control[0])], text)
    try:
        return codecs.charmap_encode(text, "strict", codecs.charmap_build(WINDOWS_1252))[0]
    except UnicodeEncodeError:
        return None


def repaired_by_the_book(found: re.Match[str]) -> str:
    once = once_by_the_book(found[0])
    if once is None or not re.search("[\x80-\x9f]", found[0]):
        return found[0]
    try:
        return once.decode("utf-8")
    except UnicodeDecodeError:
        return found[0]


PIECES = st.sampled_from(
    [
        *"aé中😀\x80\x9d\u20ac\u2122à\xa0ï",
        "plain ascii text ",
        "“so”".encode().decode("latin-1"),
        "😀".encode().decode("latin-1"),
    ]
)


@given(st.lists(PIECES | st.text("àâãðôïñ" + CONTINUATIONS, max_size=5), max_size=20).map("".join))
def test_bytes_before_they_were_encoded_twice_are_those_by_the_book(text: str) -> None:
    assert encoded_once(text.encode()) == once_by_the_book(text)
    assert repaired_sequences(text.encode()).decode() == SEQUENCE.sub(repaired_by_the_book, text)
