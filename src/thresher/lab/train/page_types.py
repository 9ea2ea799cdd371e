# SPDX-License-Identifier: Apache-2.0
"""Fits the weights of the evidence for the type of a page: `python -m thresher.lab.train.page_types --data DIR`.

Needs the extra `train`. A page's type is that of its column page_type or kind, or of its set: all pages of a set of
news are articles, whatever their age, language and markup. Evidence is named, or a hashed word of a class or of the
beginning of a block (scoring/tokens.pxd). The same pages are fitted without the hashed words too, as short pages have
few of them, and without the shape, for callers that choose no text. The report is of pages of sites that the weights
were not fitted on.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
import numpy as np
import pyarrow.parquet as pq
from scipy.sparse import csr_matrix, hstack, vstack
from sklearn.linear_model import LogisticRegression

from thresher.lab.evaluate.decoding import decode_page
from thresher.lab.evaluate.folds import FOLDS, site_fold
from thresher.native.facts.describe import find_values
from thresher.native.facts.kinds import find_evidence
from thresher.page.extraction import PageExtractor
from thresher.page.page_type import TYPES, WEIGHTS

Numbers = np.ndarray[Any, Any]

_LABELS_OF_TYPE: Final = {
    "article": "article news blog sports",
    "product": "product",
    "recipe": "recipe",
    "forum": "forum",
    "listing": "collection listing category search",
    "documentation": "documentation docs wiki reference",
    "other": "service landing about contact legal event job faq profile gallery government login media",
}
_TYPE_OF_LABEL: Final = {label: name for name, labels in _LABELS_OF_TYPE.items() for label in labels.split()}
_LABEL_OF_SET: Final = {
    "andy": "news", "cn_immortal": "news", "daniel": "news", "dragnet": "article", "forum": "forum", "fundus": "news",
    "magic_html_article": "article", "magic_html_forum": "forum", "ota": "legal", "recipes": "recipe",
    "wwwxmu_cn": "news",
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
_SHARE_HASHED: Final = 0.3  # of one: a page has a thousand hashed words, so each counts less
_N_HASHED: Final = 2 * 2**14


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """What is fitted to."""

    dataset: str
    site: str
    label: str
    kind: int
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


def read_pages(data: Path) -> list[LabelledPage]:
    """The pages of all sets below a folder whose type is known."""
    pages = []
    extractor = PageExtractor()
    for path in sorted(data.rglob("*.parquet")):
        names = set(pq.read_schema(path).names)
        label_column = next((name for name in ("page_type", "kind") if name in names), None)
        of_set = _LABEL_OF_SET.get(path.stem)
        if "html" not in names or (of_set is None and label_column is None):
            continue
        columns = [name for name in ("html", "url", "site", label_column) if name in names]
        for number, row in enumerate(pq.read_table(path, columns=columns).to_pylist()):
            label = of_set or (label_column and row[label_column]) or ""
            if label not in _TYPE_OF_LABEL:
                continue
            url = row.get("url")
            extractor.parse(decode_page(row["html"]), url)
            extractor.measure()
            extractor.classify()
            said, counts, linked, _ = find_values(extractor.document, url)
            evidence = find_evidence(said, counts, linked, url, extractor.shape)
            unread = find_evidence(said, counts, linked, url)
            site = row.get("site") or f"{path.stem}/{number}"
            kind = TYPES.index(_TYPE_OF_LABEL[label])
            found = np.frombuffer(extractor.vocabulary or b"", np.uint8)
            hashed = np.flatnonzero(np.unpackbits(found, bitorder="little"))
            pages.append(LabelledPage(path.stem, site, label, kind, frozenset(evidence), frozenset(unread), hashed))
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
    model = LogisticRegression(C=_REGULARISATION, max_iter=1000)
    weights_of_pages = np.array([_SET_WEIGHTS.get(page.dataset, _SET_WEIGHT) for page in pages])
    none = csr_matrix(hashed.shape, dtype=np.float32)
    model.fit(
        hstack([_matrix(named, len(names)), vstack([hashed, none, none])]).tocsr(),
        np.array([page.kind for page in pages] * 3),
        sample_weight=np.concatenate([share * weights_of_pages for share in (1.0, _WITHOUT_HASHED, _WITHOUT_SHAPE)]),
    )
    rows = model.coef_.T
    evidence = {name: row for name, row in zip(names, rows, strict=False) if abs(row).max() >= _MIN_WEIGHT}
    units = np.zeros((_N_HASHED, len(TYPES)), np.int8)
    units[common] = np.clip(np.round(_UNITS * _SHARE_HASHED * rows[len(names) :]), -127, 127)
    units[abs(units).max(axis=1) < _MIN_HASHED] = 0
    return Weights({"": model.intercept_, **evidence}, units)


def predict(weights: Weights, page: LabelledPage) -> tuple[int, float]:
    """The likeliest type and its probability, as thresher.page.page_type.type_of() has them."""
    sums = weights.evidence[""] + weights.hashed[page.hashed].sum(axis=0) / _UNITS
    sums = sums + sum(weights.evidence[name] for name in page.evidence if name in weights.evidence)
    shares = np.exp(sums - sums.max())
    return int(sums.argmax()), float(shares.max() / shares.sum())


def held_out(pages: list[LabelledPage]) -> list[tuple[LabelledPage, int, float]]:
    """Each page with its kind and score by weights that were fitted on other sites."""
    found = []
    for fold in range(FOLDS):
        weights = fit([page for page in pages if site_fold(page.site) != fold])
        found += [(page, *predict(weights, page)) for page in pages if site_fold(page.site) == fold]
    return found


def report(found: list[tuple[LabelledPage, int, float]], dataset: str) -> list[str]:
    """A table in Markdown: how many pages of each label of a set were taken for which kind; then by score."""
    lines = [f"| {dataset} | pages | {' | '.join(TYPES)} |", "|---" * (len(TYPES) + 2) + "|"]
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    bins: dict[int, list[bool]] = defaultdict(list)
    for page, kind, score in found:
        if page.dataset == dataset:
            counts[page.label][kind] += 1
            bins[min(9, int(10 * score))].append(kind == page.kind)
    for label, row in sorted(counts.items()):
        lines.append(f"| {label} | {row.total()} | {' | '.join(str(row[i]) for i in range(len(TYPES)))} |")
    right = sum(map(sum, bins.values())) / max(1, sum(map(len, bins.values())))
    lines.append(f"\nRight: {right:.3f}.")
    lines += [
        f"Score {i / 10:.1f} to {(i + 1) / 10:.1f}: {np.mean(bins[i]):.2f} of {len(bins[i])}." for i in sorted(bins)
    ]
    return lines


def scores(found: list[tuple[LabelledPage, int, float]]) -> str:
    """F1 of each type over the sets of pages of all kinds."""
    mixed = [(page.kind, kind) for page, kind, _ in found if page.dataset in ("wcxb", "pages", "more")]
    lines = []
    for number, name in enumerate(TYPES):
        right = mixed.count((number, number))
        taken, there = sum(kind == number for _, kind in mixed), sum(kind == number for kind, _ in mixed)
        lines.append(f"{name}: precision {right / max(1, taken):.3f}, recall {right / max(1, there):.3f}.")
    return "\n".join([*lines, f"Right: {sum(a == b for a, b in mixed) / max(1, len(mixed)):.3f} of {len(mixed)}."])


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--out", type=click.Path(path_type=Path), default=WEIGHTS, show_default=True)
def main(data: Path, out: Path) -> None:
    """Fit the weights of the evidence for the type of a page, and print how they do on sites held out."""
    pages = read_pages(data)
    found = held_out(pages)
    for dataset in sorted({page.dataset for page in pages}):
        click.echo("\n".join(report(found, dataset)) + "\n")
    click.echo(scores(found))
    out.write_text(to_json(fit(pages)), encoding="utf-8")


def to_json(weights: Weights) -> str:
    """The file of the weights, as thresher.page.page_type reads it."""
    padded = np.zeros((_N_HASHED, 8), np.int8)
    padded[:, : len(TYPES)] = weights.hashed
    rows = {name: [round(100 * float(each)) for each in row] for name, row in sorted(weights.evidence.items())}
    hashed = base64.b64encode(zlib.compress(padded.tobytes(), 9)).decode()
    return json.dumps({"types": TYPES, "hashed": hashed, "evidence": rows}).replace('], "', '],\n"') + "\n"


if __name__ == "__main__":
    main()
