# SPDX-License-Identifier: Apache-2.0
"""Hosts and registered domains of URLs."""

from urllib.parse import urlsplit

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from publicsuffixlist import PublicSuffixList

from thresher.page.hosts import _suffixes, host_and_domain


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://WWW.Example.CO.UK:8080/a", ("www.example.co.uk", "example.co.uk")),
        ("http://user:secret@blog.example.org/", ("blog.example.org", "example.org")),
        ("http://someone.github.io/", ("someone.github.io", "github.io")),
        ("http://192.0.2.7/", ("192.0.2.7", None)),
        ("http://[2001:db8::1]/", ("2001:db8::1", None)),
        ("http://localhost/", ("localhost", None)),
        ("http://[broken/", (None, None)),
        ("urn:uuid:1", (None, None)),
        ("http://пример.рф/", ("пример.рф", "пример.рф")),
        ("", (None, None)),
    ],
)
def test_host_and_registered_domain(url: str, expected: tuple[str | None, str | None]) -> None:
    assert host_and_domain(url) == expected


@given(
    st.sampled_from(["http://", "https://", "HTTP://", " http://", "http:/", "ftp://", ""]),
    st.text(st.sampled_from("ab.-Z09:@[]/?#\\%_é中\t\n "), max_size=14),
)
def test_the_host_is_the_one_that_python_finds(scheme: str, rest: str) -> None:
    try:
        host = urlsplit(scheme + rest).hostname
    except ValueError:
        host = None
    assume(not host or "." in host.strip("."))
    assert host_and_domain(scheme + rest)[0] == (host or None)


def test_suffixes_are_those_that_the_package_makes_of_the_whole_list() -> None:
    whole = PublicSuffixList(only_icann=True, accept_unknown=False)
    assert _suffixes()._publicsuffix == whole._publicsuffix
    assert _suffixes()._maxlabel == whole._maxlabel
