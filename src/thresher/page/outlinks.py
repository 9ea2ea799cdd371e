# SPDX-License-Identifier: Apache-2.0
"""Addresses that a page's main text links to. Imported only where a run asks for them (the column outlinks)."""

from __future__ import annotations

import re
from html import unescape
from typing import Final

__all__ = ["MAX_OUTLINKS", "addresses_in"]

MAX_OUTLINKS: Final = 2000  # of a page; of 2,929 labelled pages one has 1,223, all others fewer than 1,000
_LINK: Final = re.compile(rb'<a href="(https?://[^"#]+)', re.IGNORECASE)
"""A link in minimal HTML, which has no other attribute and escapes `<` in texts."""


def addresses_in(markup: bytes, url: str | None) -> list[str]:
    """The addresses (http and https) that main text as minimal HTML links to, each once, in reading order.

    An address has no fragment. The page's own, `url`, is left out, and so is what exceeds MAX_OUTLINKS.
    """
    own = (url or "").partition("#")[0]
    found: dict[str, None] = {}
    for link in _LINK.finditer(markup):
        address = unescape(link[1].decode("utf-8", "replace"))
        if address != own:
            found[address] = None
            if len(found) == MAX_OUTLINKS:
                break
    return list(found)
