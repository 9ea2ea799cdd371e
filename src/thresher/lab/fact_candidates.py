# SPDX-License-Identifier: Apache-2.0
"""What may be a page's title, author, date, site and type: each candidate with where the page says it and how it was
weighed, and why one was taken or none. The candidates and their evidence are those of the core (native/facts), which
names them when it is asked to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import exp
from typing import Any, Final

from thresher.lab.evaluate.facts import key
from thresher.native.facts.labels import SITE_ELEMENTS
from thresher.page.metadata import fact_rankers, least_likely, name_weights, read_candidates
from thresher.page.page_extractor import PageExtractor
from thresher.page_types import GROUP_OF_TYPE, TYPES
from thresher.serving import tasks
from thresher.serving.asking import read_ask

FACTS: Final = ("title", "author", "date", "site", "type")
MAX_CANDIDATES: Final = 40
"""Candidates of a fact in an answer, the best first."""
_UNITS: Final = 1000  # of a sum make 1 in log-odds
_ORDERED: Final = "title"  # whose sums say which candidate is better, not how likely it is

# Names of evidence that say where a value stands, in words.
_SOURCES: Final[dict[str, dict[str, str]]] = {
    "s:": {
        **{name: f"meta {name}" for name in SITE_ELEMENTS},
        "ld site": "JSON-LD of the site", "ld organization": "JSON-LD of an organisation",
        "ld publisher": "JSON-LD, publisher", "home link": "link to the front page",
        "home link later": "later link to the front page", "rights": "line of rights", "feed": "title of a feed",
        "logo": "text of the logo", "host words": "words of the host in the text",
        "journal": "meta citation_journal_title", "title": "title element", "og:title": "meta og:title",
        "h1": "heading",
    },
    "t: by ": {
        "title": "title element", "og": "meta og:title", "twitter": "meta twitter:title", "linked": "JSON-LD",
        "meta": "another meta element", "h1": "heading", "h1 part": "part of the heading", "block": "block of text",
    },
    "day by ": {
        "article": "JSON-LD of the article", "meta": "meta element", "data": "JSON-LD of something else",
        "time": "time element of the publication", "address": "address", "line near": "line near the headline",
        "one time": "the one day of all time elements", "weak meta": "meta element that may mean another day",
        "line": "line of text", "script": "script", "hint": "hint in the markup", "weak line": "uncertain line of text",
    },
    "": {
        "ld article": "JSON-LD of the article", "ld": "JSON-LD of something else", "author": "meta author",
        "article:author": "meta article:author", "meta": "another meta element", "written by": "label in the head",
        "rel author": "rel=author", "rel author elsewhere": "rel=author outside the article", "line": "line of text",
        "edge": "block where the text begins or ends", "rights": "line of rights", "site itself": "name of the site",
        "headline": "headline",
    },
}  # fmt: skip
_PREFIX: Final = {"site": "s:", "title": "t: by ", "date": "day by ", "author": ""}
_PARTS: Final = {
    "first": "first piece", "last": "last piece", "cut": "shortened", "end": "end", "but end": "all but the end",
    "begin": "beginning", "but begin": "all but the beginning", "two": "last two pieces",
    "before end": "piece before the end", "end cut": "end, shortened", "beside heading": "beside the heading",
    "at": "behind a word like at", "but two": "all but the last two pieces", "begin of two": "first of two pieces",
    "begins": "first pieces", "end of two": "second of two pieces", "ends": "last pieces", "middle": "middle",
    "whole": "",
}  # fmt: skip
_SHOWN: Final = {
    "shown kept": "in the kept text", "shown left": "in text that is left out", "not shown": "not shown",
    "t: kept": "in the kept text", "t: left": "in text that is left out", "t: site": "name of the site",
    "t: thing": "JSON-LD, name of a thing",
}  # fmt: skip


def facts_of_page(body: bytes, content_type: str, query: Mapping[str, str]) -> bytes:
    """The candidates for the facts of the page in a request, as candidates_of() has them, under `facts`."""
    ask = read_ask(body, content_type, query)
    return tasks.to_json({"facts": candidates_of(tasks.extracted(ask), ask.url)})


def candidates_of(extractor: PageExtractor, url: str | None) -> list[dict[str, Any]]:
    """For each of FACTS: `fact`, `value` as the result has it (or None), `why` (a sentence), `scale` of the scores
    (`probability`, or `order` where they only compare candidates), `least` (the score below which none is taken, or
    None), `n_candidates`, and the MAX_CANDIDATES best as `candidates`: `value`, `place` in words, `score`, `taken` and
    `evidence` by its names.

    The page must have been extracted.
    """
    said, rankers = extractor.metadata(url), fact_rankers()
    found = read_candidates(extractor.workspace, url, rankers["site"][0], name_weights(), rankers["title"][0])
    if said.type is not None:
        of_type = {f"type:{said.type}", f"group:{said.type_group}"}
        found["author"] = [(text, names | of_type) for text, names in found["author"]]
        if (said.type_score or 0.0) >= least_likely():
            found["date"] = [(text, names | of_type) for text, names in found["date"]]
    day = said.date.isoformat() if said.date else None
    values = {"title": said.title, "author": said.author, "date": day, "site": said.site_name}
    ranked = [_ranked(fact, value, found.get(fact, [])) for fact, value in values.items()]
    return [*ranked, _type(said.type, found["type"])]


def _ranked(fact: str, value: str | None, candidates: list[tuple[str, set[str]]]) -> dict[str, Any]:
    ranker, least = fact_rankers()[fact]
    sums = ranker.scored([names for _, names in candidates])
    order = sorted(range(len(sums)), key=lambda i: -sums[i])
    best = order[0] if order else -1
    taken = best if value is not None and order and key(candidates[best][0]) == key(value) else -1
    rows = [
        {
            "value": candidates[i][0],
            "place": place_of(fact, candidates[i][1]),
            "score": _score(fact, sums[i]),
            "taken": i == taken,
            "evidence": sorted(candidates[i][1] - {""}),
        }
        for i in order[:MAX_CANDIDATES]
    ]
    lowest = None if fact == _ORDERED else _score(fact, least)
    if taken >= 0:
        why = "the best candidate" + ("" if lowest is None else f"; one must have at least {lowest:.2f}")
    elif value is not None:
        why = "by a rule, as the page has too little text or is a front page; no candidate was taken"
    elif not rows:
        why = "nothing on the page may be it"
    elif lowest is not None and sums[best] < least:
        why = f"none: the best candidate has {rows[0]['score']:.2f}, less than the {lowest:.2f} that one must have"
    else:
        why = "none"
    return _said(fact, value, why, rows, len(candidates), lowest)


def _said(
    fact: str, value: str | None, why: str, best: list[dict[str, Any]], n_candidates: int, least: float | None = None
) -> dict[str, Any]:
    """What candidates_of() has of a fact."""
    scale = "order" if fact == _ORDERED else "probability"
    return {
        "fact": fact,
        "value": value,
        "why": why,
        "scale": scale,
        "least": least,
        "n_candidates": n_candidates,
        "candidates": best,
    }


def _score(fact: str, total: int) -> float:
    """A sum as a probability, or as it is where sums only order candidates."""
    value = total / _UNITS
    return round(value if fact == _ORDERED else 1 / (1 + exp(-max(-50.0, min(50.0, value)))), 4)


def _type(value: str | None, shares: list[float]) -> dict[str, Any]:
    rows = [
        {
            "value": TYPES[i],
            "place": f"group {GROUP_OF_TYPE[TYPES[i]]}",
            "score": round(shares[i], 4),
            "taken": TYPES[i] == value,
            "evidence": [],
        }
        for i in sorted(range(len(TYPES)), key=lambda i: -shares[i])
    ]
    why = "none: the page has no word of text"
    if value is not None:
        group = GROUP_OF_TYPE[value]
        share = sum(shares[i] for i, name in enumerate(TYPES) if GROUP_OF_TYPE[name] == group)
        why = f"the likeliest type of the likeliest group ({group}, {share:.2f})"
    return _said("type", value, why, rows, len(rows))


def place_of(fact: str, evidence: Iterable[str]) -> str:
    """Where the page says a value, in words, after the names of a candidate's evidence."""
    prefix, known = _PREFIX[fact], _SOURCES[_PREFIX[fact]]
    found: dict[str, None] = {}
    evidence = set(evidence)
    for name in sorted(evidence):
        if not name.startswith(prefix):
            continue
        source, part = _split(name.removeprefix(prefix), known)
        if source is None:
            continue
        parts = [part] if part else [each for each in _PARTS if fact == "title" and f"t: {source} {each}" in evidence]
        words = _PARTS[parts[0]] if parts else ""
        found[known[source] + (f": {words}" if words else "")] = None
    found.update({words: None for name, words in _SHOWN.items() if name in evidence})
    return "; ".join(found)


def _split(text: str, sources: Mapping[str, str]) -> tuple[str | None, str]:
    """The longest source that a name begins with, and the part of it behind a space."""
    for source in sorted(sources, key=len, reverse=True):
        if text == source or (text.startswith(f"{source} ") and text.removeprefix(f"{source} ") in _PARTS):
            return source, text[len(source) + 1 :]
    return None, ""
