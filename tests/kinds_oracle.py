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

from thresher.native.facts.kinds import NUMBERS
from thresher.native.facts.linked_data import TYPE_NAMES
from thresher.page.page_type import WEIGHTS
from thresher.page_types import GROUP_OF_TYPE, GROUPS, TYPES

_ADDRESS: Final = re.compile(r"(?:[a-z]+:)?//([^/?#]*)([^?#]*)(\??[^#]*)")
_WORD: Final = re.compile("[a-z\u00c0-\u1fff\u2c00-\u2fff\ud800-\ufeff\U00010000-\U0010ffff]+|[\u3040-\ud7ff]+")
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
    for name, most, prefix, first, last, only in (
        ("title", 40, "title:", "first:", "end:", None),
        ("h1", 40, "h1:", "h1 first:", None, "only:"),
        ("og:site_name", 8, "site:", None, None, None),
    ):
        for line in values.get(name, [])[: 2 if name == "h1" else 1]:
            words = words_of(line)[:most]
            found.update(prefix + word for word in words)
            found.update(
                add + words[at]
                for add, at, there in ((first, 0, words), (last, -1, words), (only, 0, len(words) == 1))
                if add and there
            )
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
        _add_shape(found, *shape[:8])
    _add_address(found, _address(values, url))
    return found


def _address(values: Mapping[str, list[str]], url: str | None) -> str:
    return (url or values.get("og:url", values.get("canonical", [""]))[0]).lower()


def find_numbers(
    values: Mapping[str, list[str]],
    counts: tuple[int, int, int],
    url: str | None,
    shape: tuple[int, ...],
) -> list[int]:
    """What the trees ask for, without the sums, in the order of NUMBERS; nothing of a page of less than 100 words."""
    most = 1 << 30
    words, kept, _, blocks, _, _, headings, _, whole, first, last = shape[:11]
    largest, in_paragraphs, in_headings, links, items, plain, all_headings, unsure, highest = shape[11:20]
    sentences, dates, digits, capitals = shape[20:]
    if words < 100:
        return []

    def share(part: int, of: int) -> int:
        return min(1000 * part // of, most) if of > 0 else 0

    match = _ADDRESS.match(_address(values, url))
    path = match[2] if match else ""
    ending = path.rstrip("/")
    found = [
        share(headings, blocks), whole, share(first, whole), share(last, whole), share(max(last - first, 0), blocks),
        largest, share(in_paragraphs, kept), share(in_headings, kept), share(links, words), share(items, whole),
        share(plain, whole), share(all_headings, whole), share(unsure, words), highest, share(sentences, blocks),
        share(dates, blocks), share(digits, blocks), share(capitals, blocks), counts[2],
        *[len(values[name][0]) if name in values else -1 for name in ("title", "h1", "description")],
        _size(ending), _size(ending.rpartition("/")[2]), len(re.findall("[0-9]", path)),
    ]  # fmt: skip
    return [min(int(number), most) for number in found]


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


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


def words_of(line: str) -> list[str]:
    """The words near the beginning of a title or heading; of Chinese, Japanese and Korean pairs of letters."""
    found = []
    for word in _WORD.findall(line[:1000].lower()):
        pairs = [word[i : i + 2] for i in range(len(word) - 1)] or [word]
        found += pairs if "\u3040" <= word[0] <= "\ud7ff" else [word]
    return found


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
    labels, dot, top = host.partition(":")[0].rpartition(".")
    if top:
        found.add("tld:" + top)
    for word in re.findall("[a-z]+", labels + dot):
        found.add("host word:" + word)
        found.update("in host:" + word[i : i + n] for n in (4, 5) for i in range(len(word) - n + 1))
    found.update(prefixed_words("query:", match[3], 20))
    folders, _, last = path.rstrip("/").rpartition("/")
    found.update(prefixed_words("name:", last, _MAX_WORDS))
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
def _weights() -> dict[str, Any]:
    """The file: weights of each piece of evidence for all kinds, in hundredths, "" for those of every page; 24 bytes of
    weights for each token and term, in four-hundredths, as are the leaves of trees.
    """
    weights = json.loads(WEIGHTS.read_text("utf-8"))
    return weights | {"hashed": zlib.decompress(base64.b64decode(weights["hashed"]))}


def type_of(
    evidence: AbstractSet[str], vocabulary: bytes | None = None, numbers: list[int] | None = None
) -> tuple[str, float]:
    """The likeliest type of the likeliest group, and its probability. Of those that are as likely, the first. Trees are
    asked where the vocabulary and numbers are known.
    """
    weights = _weights()
    known, hashed = weights["evidence"], weights["hashed"]
    found = int.from_bytes(vocabulary or b"", "little")
    rows = [hashed[24 * bit : 24 * bit + 24] for bit in range(found.bit_length()) if found >> bit & 1]
    sums = [
        4 * (known[""][kind] + sum(known[name][kind] for name in known.keys() & evidence))
        + sum((row[kind] ^ 128) - 128 for row in rows)
        for kind in range(len(TYPES))
    ]
    unit = 400
    if vocabulary is not None and numbers:
        asked = dict(zip(NUMBERS, [*numbers, *[each - max(sums) for each in sums]], strict=True))
        sums = [weights["scale"] * each for each in sums]
        for tree, (nodes, leaves) in enumerate(weights["trees"]):
            at = 0 if nodes else -1
            while at >= 0:
                name, limit, below, above = nodes[at]
                at = above if asked[name] > limit else below
            sums[tree % len(TYPES)] += 100 * leaves[~at]
        unit *= 100
    shares = [math.exp((each - max(sums)) / unit) for each in sums]
    groups = {
        group: sum(share for share, name in zip(shares, TYPES, strict=True) if GROUP_OF_TYPE[name] == group)
        for group in GROUPS
    }
    # of groups as likely, that whose first type stands first
    group = GROUP_OF_TYPE[max(TYPES, key=lambda name: groups[GROUP_OF_TYPE[name]])]
    name = max((name for name in TYPES if GROUP_OF_TYPE[name] == group), key=lambda name: shares[TYPES.index(name)])
    return name, shares[TYPES.index(name)] / math.fsum(shares)
