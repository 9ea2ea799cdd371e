# SPDX-License-Identifier: Apache-2.0
"""The kind of a page: article, product, recipe, forum, listing, documentation or other.

What speaks for a kind are the types of the page's JSON-LD, og:type, the generator, classes of its body, words of its
address, and whether it is dated and signed. Each piece of evidence has a weight for each kind (kinds.tsv, fitted by
`python -m thresher.train.kinds`), as in a logistic regression; the score is a probability.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path
from typing import Any, Final

from thresher.native.linked_data import TYPE_NAMES

KINDS: Final = ("article", "product", "recipe", "forum", "listing", "documentation", "other")
WEIGHTS: Final = Path(__file__).with_name("kinds.tsv")

_WORD: Final = re.compile(r"[a-z]+")
_ADDRESS: Final = re.compile(r"(?:[a-z]+:)?//([^/?#]*)([^?#]*)")
_DATE_IN_PATH: Final = re.compile(r"/(?:19|20)[0-9]{2}/[0-9]{1,2}/")
_LONG: Final = 5  # words of an article's name in an address
_SHORT: Final = 3  # words of a section's name
_MAX_WORDS: Final = 60  # that are looked at in an address or a class


def find_evidence(values: Mapping[str, list[str]], linked: list[dict[str, Any]], url: str | None) -> set[str]:
    """What speaks for the kind of a page, as names of evidence."""
    found = set()
    types = 0
    for each in linked:
        types |= each["@type"]
        if "datePublished" in each:
            found.add("ld dated")
        if "headline" in each:
            found.add("ld headline")
    if types:
        found.update(f"ld:{name}" for bit, name in TYPE_NAMES.items() if types & bit)
    if "og:type" in values:
        found.add("og:" + values["og:type"][0].lower()[:20])
    if "generator" in values and (match := _WORD.search(values["generator"][0].lower())):
        found.add("gen:" + match[0])
    if "body class" in values:
        found.update(["class:" + word for word in _words(values["body class"][0])])
    if not _MARKS_OF_TIME.isdisjoint(values):
        found.add("dated")
    if "time published" in values or "time in article" in values:
        found.add("time")
    found.update(name for name in ("author", "rel author") if name in values)
    headings = len(values.get("h1", ()))
    if headings != 1:
        found.add("h1s" if headings else "no h1")
    articles, paragraphs, links = (int(values[name][0]) if name in values else 0 for name in _COUNTS)
    _add_above(found, links, _LINKS_A_PARAGRAPH, paragraphs + 1)
    _add_above(found, paragraphs, _PARAGRAPHS)
    _add_above(found, articles, _ARTICLES)
    _add_above(found, links, _LINKS)
    if url:
        found |= _evidence_of_address(url.lower())
    return found


_COUNTS: Final = ("articles", "paragraphs", "links")
_LINKS_A_PARAGRAPH: Final = tuple((limit, f"links:{limit}") for limit in (1, 3, 10, 30))
_PARAGRAPHS: Final = tuple((limit, f"paragraphs:{limit}") for limit in (3, 10, 30))
_ARTICLES: Final = tuple((limit, f"articles:{limit}") for limit in (1, 4, 10))
_LINKS: Final = tuple((limit, f"all links:{limit}") for limit in (50, 150, 400))


def _add_above(found: set[str], count: int, limits: tuple[tuple[int, str], ...], each: int = 1) -> None:
    """Adds the names of the limits, which rise, that a count exceeds, each limit multiplied by `each`."""
    for limit, name in limits:
        if count <= limit * each:
            break
        found.add(name)


_MARKS_OF_TIME: Final = frozenset(("article:published_time", "datepublished", "article:modified_time"))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower()[:1000])[:_MAX_WORDS]


def _evidence_of_address(url: str) -> set[str]:
    match = _ADDRESS.match(url)
    if not match:
        return set()
    host, path = match[1], match[2]
    found = {"host:" + host.partition(".")[0]}
    *folders, last = [part for part in path.split("/") if part] or [""]
    if not last:
        found.add("front page")
    for folder in folders:
        found.update(["path:" + word for word in _words(folder)])
    words = _words(last)
    if len(words) <= _SHORT:
        found.update(["last:" + word for word in words])
    elif len(words) >= _LONG:
        found.add("long name")
    if _DATE_IN_PATH.search(path):
        found.add("date in path")
    return found


@cache
def _weights() -> dict[str, tuple[int, ...]]:
    """The weights of each piece of evidence, in hundredths; "" has those of every page.

    Whole numbers, because their sum does not depend on the order of a set.
    """
    lines = WEIGHTS.read_text("utf-8").splitlines()
    return {
        name: tuple(round(100 * float(weight)) for weight in weights)
        for name, *weights in (line.split("\t") for line in lines if line[:1] != "#")
    }


def kind_of(evidence: AbstractSet[str]) -> tuple[str, float]:
    """The likeliest kind of a page, and its probability. Of kinds that are as likely, the first in KINDS."""
    weights = _weights()
    known = [weights[name] for name in evidence if name in weights]
    shares = [math.exp(sum(each) / 100) for each in zip(weights[""], *known, strict=True)]
    greatest = max(shares)
    return KINDS[shares.index(greatest)], greatest / math.fsum(shares)
