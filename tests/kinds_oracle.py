# SPDX-License-Identifier: Apache-2.0
"""The type of a page in plain Python: the slow oracle of thresher.native.facts.kinds."""

from __future__ import annotations

import base64
import json
import math
import re
import zlib
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from typing import Any, Final

from thresher.native.facts.linked_data import TYPE_NAMES
from thresher.page.page_type import WEIGHTS
from thresher.page_types import TYPES

_ADDRESS: Final = re.compile(r"(?:[a-z]+:)?//([^/?#]*)([^?#]*)")
_DATE_IN_PATH: Final = re.compile(r"/(?:19|20)[0-9]{2}/[0-9]{1,2}/")
_LONG: Final = 5  # words of an article's name in an address
_SHORT: Final = 3  # words of a section's name
_MAX_WORDS: Final = 60  # that are looked at in an address or a class


def find_evidence(
    values: Mapping[str, list[str]],
    counts: tuple[int, int, int],
    linked: list[dict[str, Any]],
    url: str | None,
    shape: tuple[int, ...] | None = None,
) -> set[str]:
    """What speaks for The type of a page, as names of evidence, from what find_metadata() found."""
    found: set[str] = set()
    if linked:
        _add_data(found, linked)
    if "og:type" in values:
        found.add("og:" + values["og:type"][0].lower()[:20])
    if "generator" in values:
        found.update(prefixed_words("gen:", values["generator"][0].lower(), 1))
    if "body class" in values:
        found.update(prefixed_words("class:", values["body class"][0].lower(), _MAX_WORDS))
    if not _MARKS_OF_TIME.isdisjoint(values):
        found.add("dated")
    if any(
        f"time {kind}" in values for kind in ("published", "in article", "published elsewhere", "in article elsewhere")
    ):
        found.add("time")
    found.update([name for name in ("author", "rel author") if name in values])
    if "rel author elsewhere" in values:
        found.add("rel author")
    headings = len(values["h1"]) if "h1" in values else 0
    if headings != 1:
        found.add("h1s" if headings else "no h1")
    articles, paragraphs, links = counts
    for count, limits in (
        (links / (paragraphs + 1), _LINKS_A_PARAGRAPH),
        (paragraphs, _PARAGRAPHS),
        (articles, _ARTICLES),
        (links, _LINKS),
    ):
        for limit, name in limits:
            if count <= limit:
                break
            found.add(name)
    if shape is None:
        found.add("no text chosen")
    else:
        _add_shape(found, *shape)
    if url:
        _add_address(found, url.lower())
    return found


_SHAPE: Final = (
    ("text", "50 100 200 400 800 1600"),
    ("kept", ".1 .3 .5 .7 .9"),
    ("linked", ".05 .1 .2 .4 .6"),
    ("blocks", "5 10 20 50 100"),
    ("block words", "5 10 15 25 40 60"),
    ("long", ".05 .1 .2 .4 .6"),
    ("short", ".1 .2 .4 .6 .8"),
    ("headings", ".05 .1 .2"),
    ("items", ".1 .3 .5 .8"),
)


def _add_shape(
    found: set[str], words: int, kept: int, linked: int, blocks: int, long: int, short: int, headings: int, items: int
) -> None:
    """Adds what the kept text is made of."""
    whole = {"text": 1, "kept": words, "linked": kept, "blocks": 1}
    parts = (kept, kept, linked, blocks, kept, long, short, headings, items)
    for part, (name, limits) in zip(parts, _SHAPE, strict=True):
        of = whole.get(name, blocks)
        share = part / of if of else 0.0
        found.update(f"{name}:{limit}" for limit in limits.split() if share > float(limit))


def prefixed_words(prefix: str, text: str, most: int) -> list[str]:
    """The runs of letters a to z in the first 1,000 characters of a text, at most `most`, each after the prefix."""
    return [prefix + word for word in re.findall("[a-z]+", text[:1000])[:most]]


def _add_data(found: set[str], linked: list[dict[str, Any]]) -> None:
    """Adds what the page's JSON-LD says."""
    types = 0
    for each in linked:
        types |= each["@type"]
        if "datePublished" in each:
            found.add("ld dated")
        if "headline" in each:
            found.add("ld headline")
    found |= _evidence_of_types(types)


@lru_cache(maxsize=1 << 8)
def _evidence_of_types(types: int) -> frozenset[str]:
    return frozenset(f"ld:{name}" for bit, name in TYPE_NAMES.items() if types & bit)


_LINKS_A_PARAGRAPH: Final = tuple((limit, f"links:{limit}") for limit in (1, 3, 10, 30))
_PARAGRAPHS: Final = tuple((limit, f"paragraphs:{limit}") for limit in (3, 10, 30))
_ARTICLES: Final = tuple((limit, f"articles:{limit}") for limit in (1, 4, 10))
_LINKS: Final = tuple((limit, f"all links:{limit}") for limit in (50, 150, 400))
_MARKS_OF_TIME: Final = frozenset(("article:published_time", "datepublished", "article:modified_time"))


def _add_address(found: set[str], url: str) -> None:
    """Adds what an address in lower case says."""
    match = _ADDRESS.match(url)
    if not match:
        return
    host, path = match[1], match[2]
    found.add("host:" + host.partition(".")[0])
    folders, _, last = path.rstrip("/").rpartition("/")
    if not last:
        found.add("front page")
    found.update(prefixed_words("path:", folders, _MAX_WORDS))
    words = prefixed_words("last:", last, _MAX_WORDS)
    if len(words) <= _SHORT:
        found.update(words)
    elif len(words) >= _LONG:
        found.add("long name")
    if _DATE_IN_PATH.search(path):
        found.add("date in path")


@cache
def _weights() -> tuple[dict[str, list[int]], bytes]:
    """The weights of each piece of evidence for all kinds, in hundredths, "" for those of every page; and 24 bytes of
    weights for each token and term, in four-hundredths.
    """
    weights = json.loads(WEIGHTS.read_text("utf-8"))
    return weights["evidence"], zlib.decompress(base64.b64decode(weights["hashed"]))


def type_of(evidence: AbstractSet[str], vocabulary: bytes | None = None) -> tuple[str, float]:
    """The likeliest type of a page, and its probability. Of types that are as likely, the first in TYPES."""
    weights, hashed = _weights()
    found = int.from_bytes(vocabulary or b"", "little")
    rows = [hashed[24 * bit : 24 * bit + 24] for bit in range(found.bit_length()) if found >> bit & 1]
    shares = []
    for kind in range(len(TYPES)):
        named = weights[""][kind] + sum(weights[name][kind] for name in weights.keys() & evidence)
        words = sum((row[kind] ^ 128) - 128 for row in rows)
        shares.append(math.exp((named + words / 4) / 100))
    greatest = max(shares)
    return TYPES[shares.index(greatest)], greatest / math.fsum(shares)
