# SPDX-License-Identifier: Apache-2.0
"""References of links and images, resolved as browsers do and never into something that runs."""

from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.native.writing.urls import resolve_url

BASE = b"http://a/b/c/d;p?q#f"
# RFC 3986, sections 5.4.1 and 5.4.2
REFERENCES = [
    "g", "./g", "g/", "/g", "//g", "?y", "g?y", "#s", "g#s", "g?y#s", ";x", "g;x", "g;x?y#s", ".", "./", "..", "../",
    "../g", "../..", "../../", "../../g", "../../../g", "../../../../g", "/./g", "/../g", "g.", ".g", "g..", "..g",
    "./../g", "./g/.", "g/./h", "g/../h", "g;x=1/./y", "g;x=1/../y", "g?y/./x", "g?y/../x", "g#s/./x",
]  # fmt: skip


@pytest.mark.parametrize("reference", REFERENCES)
def test_references_of_the_standard(reference):
    assert resolve_url(BASE, reference.encode()) == urljoin(BASE.decode(), reference).encode()


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("  x y\n", b"http://a/b/c/x%20y"),
        ("\\g\\h", b"http://a/g/h"),
        ("g?a\\b", b"http://a/b/c/g?a\\b"),
        ("\x01 HTTPS://e.org/\t\n1", b"HTTPS://e.org/1"),
        ("mailto:a@b.example", b"mailto:a@b.example"),
        ("größe", "http://a/b/c/größe".encode()),
        ('"><script>', b"http://a/b/c/%22%3E%3Cscript%3E"),
        ("javascript:alert(1)", None),
        ("JaVaScRiPt:alert(1)", None),
        ("\x00\x1fjava\tscr\nipt:alert(1)", None),
        (" \u0001javascript:1", None),
        ("data:text/html,x", None),
        ("vbscript:x", None),
        ("file:///etc/passwd", None),
        ("", None),
        ("   ", None),
        ("//", None),
        ("///", None),
        ("//?q", None),
        ("//#f", None),
        ("http:", None),
        ("https:///", None),
        ("ftp://?q", None),
        ("mailto:", b"mailto:"),
        ("http:g", b"http://a/b/c/g"),
        ("HTTP:/g?q", b"http://a/g?q"),
        ("http:javascript:1", b"http://a/b/c/javascript:1"),
        ("https:g.org/x", b"https://g.org/x"),
        ("https:/\\/g.org", b"https:///g.org"),
        ("ftp:/g.org", b"ftp://g.org"),
        ("https:/", None),
        ("x" * 5000, None),
    ],
)
def test_what_comes_out(reference, expected):
    assert resolve_url(BASE, reference.encode()) == expected


def test_without_a_base():
    assert resolve_url(b"", b"a/b?c#d") == b"a/b?c#d"
    assert resolve_url(b"", b"https://e.org/") == b"https://e.org/"
    assert resolve_url(b"", b"http:e.org") == b"http://e.org"
    assert resolve_url(b"http:nonsense", b"http:javascript:1") is None
    assert resolve_url(b"nonsense", b"/x") == b"/x"
    assert resolve_url(b"javascript://a/", b"/x") == b"/x"
    assert resolve_url(b"", b"java&script:x") is None
    assert resolve_url(b"http://e.org", b"x") == b"http://e.org/x"
    assert resolve_url(b"http://e.org?q", b"x") == b"http://e.org/x"


def test_for_markdown_parentheses_are_encoded():
    assert resolve_url(b"", b"/a_(b)|[c]\\d?\\", for_markdown=True) == b"/a_%28b%29%7C%5Bc%5D/d?%5C"


@given(st.binary(max_size=60), st.binary(max_size=60), st.booleans())
def test_any_reference_is_harmless(base, reference, for_markdown):
    found = resolve_url(base, reference, for_markdown=for_markdown)
    if found is not None:
        assert 0 < len(found) <= 2048
        assert not set(found) & set(b'\x00\t\n\r "<>`')
        assert not for_markdown or not set(found) & set(b"()[]\\|")
        head = found.split(b":", 1)[0].lower() if b":" in found else b""
        assert not head.isalpha() or head in {b"http", b"https", b"ftp", b"mailto", b"tel"}
