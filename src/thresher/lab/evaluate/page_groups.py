# SPDX-License-Identifier: Apache-2.0
"""Kinds of pages by which results are told apart: language, decade, and what wrote the page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

LEAST: Final = 20
"""Pages of a group; smaller ones are one, OTHER."""
OTHER: Final = "other"
UNKNOWN: Final = "unknown"
_HEAD: Final = 20_000  # bytes in which the generator is named
_DOCTYPE: Final = 1000  # bytes in which the document type is
# What programs write into pages, in small letters; the first that a page has counts.
_GENERATORS: Final = {
    "Discourse": (b"discourse",), "vBulletin": (b"vbulletin",), "phpBB": (b"phpbb",), "Discuz": (b"discuz!",),
    "XenForo": (b"xenforo",), "MediaWiki": (b"mediawiki", b"wgpagename"),
    "WordPress": (b"wordpress", b"wp-content/", b"wp-includes/"),
    "Drupal": (b"drupal", b"/sites/default/files/"), "Joomla": (b"joomla", b"/components/com_"),
    "TYPO3": (b"typo3",), "Shopify": (b"cdn.shopify.com",), "Blogger": (b"blogger.com/static", b"bp.blogspot.com"),
    "Wix": (b"wix.com website", b"static.wixstatic.com"), "Squarespace": (b"squarespace",), "HubSpot": (b"hubspot",),
    "Sphinx": (b"sphinx_", b"_static/doctools.js"),
    "static site": (b"hugo", b"jekyll", b"gatsby", b"docusaurus", b"hexo", b"mkdocs", b"vitepress"),
    "Word or FrontPage": (b"microsoft", b"frontpage", b"netscape", b"mozilla/"),
}  # fmt: skip
_META: Final = re.compile(rb"<meta[^>]{0,300}\bgenerator\b[^>]{0,300}>", re.IGNORECASE)
_ALWAYS: Final = (b"/", b".", b"_", b"!")  # in what names a program wherever it stands


def generator_of(page: bytes) -> str:
    """What wrote a page: as its element `generator` says, else what only one program writes, or its document type."""
    small = page.lower()
    named = b" ".join(_META.findall(small[:_HEAD]))
    for name, marks in _GENERATORS.items():
        if any(mark in named for mark in marks):
            return name
    for name, marks in _GENERATORS.items():
        if any(mark in small for mark in marks if any(sign in mark for sign in _ALWAYS)):
            return name
    doctype = re.search(rb"<!doctype([^>]*)>", small[:_DOCTYPE])
    if doctype is None:
        return "none named, no doctype"
    kind = "XHTML" if b"xhtml" in doctype[1] else "HTML 4 or older" if b"public" in doctype[1] else "HTML 5"
    return f"none named, {kind}"


def _decade(row: Mapping[str, Any], gold: Mapping[str, str], _: bytes) -> str:
    year = str(row.get("year") or gold.get("date") or gold.get("modified") or "")[:4]
    return f"{year[:3]}0s" if year.isdigit() else UNKNOWN


GROUPINGS: Final[dict[str, Callable[[Mapping[str, Any], Mapping[str, str], bytes], str]]] = {
    "language": lambda row, _gold, _page: str(row.get("lang") or UNKNOWN),
    "decade": _decade,
    "generator": lambda _row, _gold, page: generator_of(page),
}
"""The group of a page by its columns `lang` and `year`, its labels and its HTML."""


def summed(groups: Sequence[str]) -> dict[str, str]:
    """The name under which each group is counted, largest groups first, OTHER last; from the group of each page."""
    counts = Counter(groups)
    large = [name for name, n in counts.most_common() if n >= LEAST]
    return {**{name: name for name in large}, **{name: OTHER for name in counts if counts[name] < LEAST}}
