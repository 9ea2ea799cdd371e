# SPDX-License-Identifier: Apache-2.0
"""Any bytes come out as valid UTF-8, the check of validity agrees with Python's, and text survives its own encoding."""

from hypothesis import given
from hypothesis import strategies as st

from thresher.charset import decode
from thresher.encodings import LABELS
from thresher.native.utf8 import ASCII, OTHER, utf8_state

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
    assert decoded.n_replaced >= 0


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
