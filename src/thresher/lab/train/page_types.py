# SPDX-License-Identifier: Apache-2.0
"""Fits the weights of the evidence for the type of a page; thresher.lab.train.facts is the command.

A page's type is that which an annotator gave, or that of its column page_type or kind, or of its set: all pages of a
set of news are news, whatever their age, language and markup. Where a set tells fewer types apart, a page counts for
each that its label may stand for, by how likely it is.
Evidence is named, or a hashed word of a class or of the
beginning of a block (scoring/tokens.pxd). The same pages are fitted without the hashed words too, as short pages have
few of them, and without the shape, for callers that choose no text. The report is of pages of sites that the weights
were not fitted on.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow.parquet as pq
from scipy.sparse import csr_matrix, hstack, vstack
from sklearn.linear_model import LogisticRegression

from thresher.lab.evaluate.block_classes import page_id
from thresher.lab.evaluate.decoding import decode_page
from thresher.lab.evaluate.facts import Facts
from thresher.lab.evaluate.folds import FOLDS, site_fold
from thresher.native.facts.describe import find_values
from thresher.native.facts.kinds import find_evidence
from thresher.page.page_extractor import PageExtractor
from thresher.page_types import GROUP_OF_TYPE, GROUPS, TYPES

Numbers = np.ndarray[Any, Any]

_TYPES_OF_LABEL: Final = {
    **{name: name for name in TYPES},
    "sports": "news", "collection": "listing", "category": "listing", "search": "listing", "docs": "documentation",
    "wiki": "reference", "landing": "home service", "about": "service", "contact": "service", "faq": "service",
    "gallery": "media", "login": "interface",
}  # fmt: skip
"""Labels of columns: the types that they may stand for."""
_COARSE: Final = {"article": "article news blog", "service": "service home", "documentation": "documentation reference"}
"""The same, of WCXB and other sets that know few types."""
_LABEL_OF_SET: Final = {
    "andy": "news blog article", "cn_immortal": "news article", "daniel": "news", "dragnet": "article news blog",
    "forum": "forum", "fundus": "news article", "magic_html_article": "article news blog", "magic_html_forum": "forum",
    "ota": "legal", "recipes": "recipe", "wwwxmu_cn": "news",
}  # fmt: skip
# A set of few sites says less than one of many.
_SET_WEIGHTS: Final = {
    "wcxb": 1.0, "pages": 1.0, "more": 1.0, "recipes": 0.3, "shopify": 0.5, "daniel": 0.3, "wwwxmu_cn": 0.1,
    "dragnet": 0.5,
}  # fmt: skip
_SET_WEIGHT: Final = 0.6
_WITHOUT_SHAPE: Final = 0.3  # weight of a page without the shape of its text, and
_WITHOUT_HASHED: Final = 1.0  # without its hashed words
_MIN_SITES: Final = 10  # that a piece of evidence occurs on
_MIN_SITES_HASHED: Final = 15  # that a hashed word occurs on
_MIN_WEIGHT: Final = 0.15  # weights of evidence that says less are left out
_MIN_HASHED: Final = 4  # and those of hashed words, in units
_UNITS: Final = 400  # of a weight of a hashed word make 1
_REGULARISATION: Final = 0.5
_STEPS: Final = (60, 30, 30)  # of each regression; each begins with the one before
_LEAST_PART: Final = 0.02
_NEVER: Final = -20.0  # the intercept of a type that no page has
_LABELLED_WEIGHT: Final = 1.0  # of a page that an annotator labelled
_FINE: Final = frozenset(("pages", "more"))
"""Sets whose labels tell the types apart that others hold together."""
_SHARE_HASHED: Final = 0.3  # of one: a page has a thousand hashed words, so each counts less
_N_HASHED: Final = 2 * 2**14
_LANES: Final = 24  # weights of a hashed word in the file: those of the types, and zeros


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """What is fitted to."""

    dataset: str
    site: str
    label: str
    """As the set has it, or the type that an annotator gave."""
    kinds: tuple[int, ...]
    """Numbers of the types that this may stand for."""
    labelled: bool
    """By an annotator."""
    page: str
    """Its hash."""
    evidence: frozenset[str]
    unread: frozenset[str]
    """The evidence without that of the shape of the main text."""
    hashed: Numbers
    """The numbers of its hashed words."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each piece of evidence says for each type."""

    evidence: dict[str, Numbers]
    """By name; "" has the intercepts."""
    hashed: Numbers
    """[hashed word, type], in units, rounded."""


def _kinds_of(label: str, dataset: str) -> tuple[int, ...]:
    """Numbers of the types that a label of a set may stand for."""
    types = _COARSE.get(label) if dataset not in _FINE else None
    return tuple(TYPES.index(name) for name in (types or _TYPES_OF_LABEL.get(label, label)).split() if name in TYPES)


def read_pages(data: Path, labels: Mapping[str, Facts]) -> list[LabelledPage]:
    """The pages of all sets below a folder whose type is known; `labels` of annotators, by the hash of the page, count
    more than those of the set.
    """
    pages = []
    extractor = PageExtractor()
    for path in sorted(data.rglob("*.parquet")):
        names = pq.read_schema(path).names
        column = next((name for name in ("page_type", "kind") if name in names), None)
        if "html" not in names:
            continue
        columns = [name for name in ("html", "url", "site", column) if name in names]
        for number, row in enumerate(pq.read_table(path, columns=columns).to_pylist()):
            page = decode_page(row["html"])
            name = page_id(page)
            facts = labels.get(name)
            of_set = _LABEL_OF_SET.get(path.stem)
            label = facts["type"] if facts else of_set or (column and row[column]) or ""
            kinds = (TYPES.index(label),) if facts else _kinds_of(label, path.stem)
            if not kinds:
                continue
            url = row.get("url")
            extractor.parse(page, url)
            extractor.measure()
            extractor.classify()
            said, counts, linked, _ = find_values(extractor.document, url)
            evidence = find_evidence(said, counts, linked, url, extractor.shape)
            unread = find_evidence(said, counts, linked, url)
            site = row.get("site") or f"{path.stem}/{number}"
            found = np.frombuffer(extractor.vocabulary or b"", np.uint8)
            hashed = np.flatnonzero(np.unpackbits(found, bitorder="little"))
            pages.append(
                LabelledPage(
                    path.stem,
                    site,
                    label,
                    kinds,
                    facts is not None,
                    name,
                    frozenset(evidence),
                    frozenset(unread),
                    hashed,
                )
            )
    return pages


def _matrix(rows: Sequence[Sequence[int] | Numbers], width: int) -> Any:  # noqa: ANN401 (scipy)
    ends = np.cumsum([0, *map(len, rows)])
    columns = np.concatenate([np.asarray(row, np.int32) for row in rows])
    return csr_matrix((np.ones(len(columns), np.float32), columns, ends), shape=(len(rows), width))


def _common(pages: Sequence[LabelledPage], least: int) -> Numbers:
    """The hashed words that occur on enough sites."""
    by_site: dict[str, list[Numbers]] = defaultdict(list)
    for page in pages:
        by_site[page.site].append(page.hashed)
    counts = np.zeros(_N_HASHED, np.int64)
    for found in by_site.values():
        counts[np.unique(np.concatenate(found)).astype(np.int64)] += 1
    return np.flatnonzero(counts >= least)


def fit(pages: list[LabelledPage]) -> Weights:
    """The weights of all evidence for each type."""
    sites = defaultdict(set)
    for page in pages:
        for name in page.evidence | page.unread:
            sites[name].add(page.site)
    names = sorted(name for name, found in sites.items() if len(found) >= _MIN_SITES and name != "host:www")
    number = {name: i for i, name in enumerate(names)}
    common = _common(pages, _MIN_SITES_HASHED)
    named = [
        [number[name] for name in sorted(row) if name in number]
        for row in [page.evidence for page in pages] * 2 + [page.unread for page in pages]
    ]
    hashed = _matrix([page.hashed for page in pages], _N_HASHED)[:, common] * _SHARE_HASHED
    none = csr_matrix(hashed.shape, dtype=np.float32)
    known = hstack([_matrix(named, len(names)), vstack([hashed, none, none])]).tocsr()
    model = _fit_parts(known, pages)
    rows = np.zeros((known.shape[1], len(TYPES)))
    rows[:, model.classes_] = model.coef_.T
    intercepts = np.full(len(TYPES), _NEVER)
    intercepts[model.classes_] = model.intercept_
    evidence = {name: row for name, row in zip(names, rows, strict=False) if abs(row).max() >= _MIN_WEIGHT}
    units = np.zeros((_N_HASHED, len(TYPES)), np.int8)
    units[common] = np.clip(np.round(_UNITS * _SHARE_HASHED * rows[len(names) :]), -127, 127)
    units[abs(units).max(axis=1) < _MIN_HASHED] = 0
    return Weights({"": intercepts, **evidence}, units)


def _fit_parts(known: Any, pages: Sequence[LabelledPage]) -> LogisticRegression:  # noqa: ANN401 (scipy)
    """The regression over the pages three times, as fit() has them. A page that may be of several types counts for each
    by how likely it is, after the regression before (expectation and maximisation).
    """
    allowed = np.zeros((len(pages), len(TYPES)))
    for row, page in zip(allowed, pages, strict=True):
        row[list(page.kinds)] = 1.0
    single = allowed.sum(axis=1) == 1
    parts = allowed * single[:, None]
    of_pages = np.array([
        _LABELLED_WEIGHT if page.labelled else _SET_WEIGHTS.get(page.dataset, _SET_WEIGHT) for page in pages
    ])  # fmt: skip
    model = LogisticRegression(C=_REGULARISATION, warm_start=True)
    for steps in _STEPS:
        rows, kinds = np.nonzero(parts > _LEAST_PART)
        weights = of_pages[rows] * parts[rows, kinds]
        model.set_params(max_iter=steps).fit(
            known[np.concatenate([rows + copy * len(pages) for copy in range(3)])],
            np.concatenate([kinds] * 3),
            sample_weight=np.concatenate([share * weights for share in (1.0, _WITHOUT_HASHED, _WITHOUT_SHAPE)]),
        )
        parts = np.zeros_like(allowed)
        parts[:, model.classes_] = model.predict_proba(known[: len(pages)])
        parts *= allowed
        parts /= parts.sum(axis=1, keepdims=True) + 1e-12
    return model


def predict(weights: Weights, page: LabelledPage) -> Numbers:
    """The probability of each type, as thresher.native.facts.kinds has it."""
    sums = weights.evidence[""] + weights.hashed[page.hashed].sum(axis=0) / _UNITS
    sums = sums + sum(weights.evidence[name] for name in page.evidence if name in weights.evidence)
    shares = np.exp(sums - sums.max())
    return shares / shares.sum()  # type: ignore[no-any-return]


def held_out(pages: list[LabelledPage]) -> list[tuple[LabelledPage, Numbers]]:
    """Each page with the probabilities of its types by weights that were fitted on other sites."""
    found = []
    for fold in range(FOLDS):
        weights = fit([page for page in pages if site_fold(page.site) != fold])
        found += [(page, predict(weights, page)) for page in pages if site_fold(page.site) == fold]
    return found


def report(found: Sequence[tuple[LabelledPage, Numbers]]) -> list[str]:
    """Lines of Markdown: how often the type and its group are right, by set; of the pages that annotators labelled, by
    group and by score too.
    """
    rows = [(page, int(shares.argmax()), float(shares.max())) for page, shares in found]
    lines = ["| set | pages | type right | group right |", "|---|---|---|---|"]
    sets = {page.dataset: [row for row in rows if row[0].dataset == page.dataset] for page, _, _ in rows}
    sets["labelled by annotators"] = labelled = [row for row in rows if row[0].labelled]
    for name, of_set in sorted(sets.items()):
        if of_set:
            right = np.mean([kind in page.kinds for page, kind, _ in of_set])
            groups = np.mean([_group(kind) in map(_group, page.kinds) for page, kind, _ in of_set])
            lines.append(f"| {name} | {len(of_set)} | {right:.3f} | {groups:.3f} |")
    lines += ["", "| group | pages | precision | recall | F1 |", "|---|---|---|---|---|"]
    pairs = [(_group(page.kinds[0]), _group(kind)) for page, kind, _ in labelled]
    for group in GROUPS:
        hits, taken = pairs.count((group, group)), sum(kind == group for _, kind in pairs)
        there = sum(right == group for right, _ in pairs)
        shares = (hits / max(1, taken), hits / max(1, there), 2 * hits / max(1, taken + there))
        lines.append(f"| {group} | {there} | " + " | ".join(f"{share:.3f}" for share in shares) + " |")
    lines += ["", "| score | pages | type right |", "|---|---|---|"]
    for tenth in range(10):
        of_score = [kind in page.kinds for page, kind, score in labelled if min(9, int(10 * score)) == tenth]
        if of_score:
            lines.append(f"| {tenth / 10:.1f} to {(tenth + 1) / 10:.1f} | {len(of_score)} | {np.mean(of_score):.3f} |")
    return lines


def _group(kind: int) -> str:
    return GROUP_OF_TYPE[TYPES[kind]]


def to_json(weights: Weights) -> str:
    """The file of the weights, as thresher.page.page_type reads it."""
    padded = np.zeros((_N_HASHED, _LANES), np.int8)
    padded[:, : len(TYPES)] = weights.hashed
    rows = {name: [round(100 * float(each)) for each in row] for name, row in sorted(weights.evidence.items())}
    hashed = base64.b64encode(zlib.compress(padded.tobytes(), 9)).decode()
    return json.dumps({"types": GROUP_OF_TYPE, "hashed": hashed, "evidence": rows}).replace('], "', '],\n"') + "\n"
