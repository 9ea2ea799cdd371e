# SPDX-License-Identifier: Apache-2.0
"""Hosts and registered domains of URLs."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList


MAX_HOST: Final = 253  # characters of a name in DNS; the URL of a record may have 128 KiB
_PLAIN: Final = re.compile(r"https?://([a-z0-9.-]+)(?::[0-9]*)?(?:[/?#]|$)")
"""The host of nearly every URL, which urlsplit() takes ten times as long to find."""


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList

    # The list that the package carries: no network, and the same answer on every machine. Not tldextract, which answers
    # the same but imports an HTTP client first: .19 s of CPU a process against .04, and 11 microseconds a host against
    # 2.
    return PublicSuffixList(_icann_suffixes(), accept_unknown=False, accept_encoded_idn=False)


def _icann_suffixes() -> list[str]:
    """The part of the list that only_icann=True takes, with the encoded names that accept_encoded_idn=True adds.

    The package makes these of all 7,000 names, which takes 25 ms; only those beyond ASCII have one of their own. The
    list has them normalised, so Punycode is all there is to do: 5 ms, where Python's codec takes 20.
    """
    from publicsuffixlist import PSLFILE

    with open(PSLFILE, encoding="utf-8") as file:
        icann = file.read().partition("// ===BEGIN ICANN DOMAINS===")[2].partition("// ===END ICANN DOMAINS===")[0]
    names = [line for line in icann.splitlines() if line and not line.startswith("//")]
    beyond = [name for name in names if not name.isascii()]
    return names + ["!" * name.startswith("!") + _encoded(name.lstrip("!")) for name in beyond]


def _encoded(name: str) -> str:
    """A normalised name as DNS has it."""
    labels = name.split(".")
    return ".".join(label if label.isascii() else f"xn--{label.encode('punycode').decode()}" for label in labels)


@lru_cache(maxsize=1 << 14)  # hosts come in runs; 16,384 of them take 5 MB
def registered_domain(host: str) -> str | None:
    """The domain one level below the registry's suffix; None for an IP address and for a suffix by itself."""
    return _suffixes().privatesuffix(host)


def host_and_domain(url: str) -> tuple[str | None, str | None]:
    """(host name in lower case, registered domain) of a URL; None if it has none, or one longer than DNS allows."""
    plain = _PLAIN.match(url)
    try:
        host = plain[1] if plain else urlsplit(url).hostname
    except ValueError:  # "http://[": brackets that are no IPv6 address
        return None, None
    if not host or len(host) > MAX_HOST:
        return None, None
    return host, registered_domain(host)
