# SPDX-License-Identifier: Apache-2.0
"""The texts that a browser showed, as Browsertrix keeps them in a WACZ beside its WARCs (pages/*.jsonl)."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from thresher.errors import InputError
from thresher.reading.captures import clean_url
from thresher.reading.names import WACZ_MEMBER
from thresher.reading.text_files import lines_of

__all__ = ["rendered_texts"]

_FILES: Final = ("pages/pages.jsonl", "pages/extraPages.jsonl")
_MAX_LINE: Final = 64 << 20  # bytes
_MAX_TEXTS: Final = 256 << 20  # bytes of all texts of a WACZ that are held at a time
_log: Final = logging.getLogger(__name__)


def rendered_texts(source: str) -> Mapping[str, str]:
    """The text of each page by URL, the first of those that have one; none unless the source is a WARC in a WACZ.

    What is damaged has none, and what comes after 256 MiB of texts is left out: the log says either.
    """
    member = WACZ_MEMBER.fullmatch(source)
    return _texts_of(member[1]) if member else {}


@lru_cache(maxsize=1)
def _texts_of(wacz: str) -> Mapping[str, str]:
    texts: dict[str, str] = {}
    n_bytes = 0
    for name in _FILES:
        try:
            for line in lines_of(f"{wacz}!{name}", _MAX_LINE, instead=b""):
                try:
                    row = json.loads(line)
                    url, text = clean_url(row["url"]), row["text"]
                except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
                    continue  # the head of the file, and pages without a text
                if not isinstance(text, str) or url is None or url in texts:
                    continue
                n_bytes += len(text)
                if n_bytes > _MAX_TEXTS:
                    _log.warning("%s: more than %d MiB of rendered texts; the rest is left out", wacz, _MAX_TEXTS >> 20)
                    return texts
                texts[url] = text
        except InputError as error:
            if "no such file" not in str(error):
                _log.warning("no more rendered texts: %s", error)
    return texts
