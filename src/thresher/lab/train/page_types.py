# SPDX-License-Identifier: Apache-2.0
"""Fits the weights of the evidence for the type of a page: `python -m thresher.lab.train.page_types --data DIR`.

Needs the extra `train`. A page's type is that of its column page_type or kind, or of its set: all pages of a set of
news are articles, whatever their age, language and markup. Half of what is fitted are the same pages without the shape
of their main text, for callers that choose none. The report is of pages of sites that the weights were not fitted on.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
import numpy as np
import pyarrow.parquet as pq
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from thresher.lab.evaluate.decoding import decode_page
from thresher.lab.evaluate.folds import FOLDS, site_fold
from thresher.native.facts.describe import find_values
from thresher.native.facts.kinds import find_evidence
from thresher.page.extraction import PageExtractor
from thresher.page.page_type import TYPES, WEIGHTS

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
_WITHOUT_SHAPE: Final = 0.3  # weight of a page without the shape of its text
_MIN_SITES: Final = 10  # that a piece of evidence occurs on
_MIN_WEIGHT: Final = 0.15  # weights of evidence that says less are left out
_REGULARISATION: Final = 0.5


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
            pages.append(LabelledPage(path.stem, site, label, kind, frozenset(evidence), frozenset(unread)))
    return pages


def _matrix(rows: list[frozenset[str]], names: list[str]) -> Any:  # noqa: ANN401 (scipy)
    index = {name: i for i, name in enumerate(names)}
    known = [sorted(index[name] for name in row if name in index) for row in rows]
    ends = np.cumsum([0, *map(len, known)])
    columns = np.array([column for row in known for column in row], np.int32)
    return csr_matrix((np.ones(len(columns), np.float32), columns, ends), shape=(len(rows), len(names)))


def fit(pages: list[LabelledPage]) -> dict[str, np.ndarray[Any, Any]]:
    """The weights of each piece of evidence for each kind; "" has the intercepts."""
    sites = defaultdict(set)
    for page in pages:
        for name in page.evidence | page.unread:
            sites[name].add(page.site)
    names = sorted(name for name, found in sites.items() if len(found) >= _MIN_SITES and name != "host:www")
    model = LogisticRegression(C=_REGULARISATION, max_iter=1000)
    weights_of_pages = np.array([_SET_WEIGHTS.get(page.dataset, _SET_WEIGHT) for page in pages])
    model.fit(
        _matrix([page.evidence for page in pages] + [page.unread for page in pages], names),
        np.array([page.kind for page in pages] * 2),
        sample_weight=np.concatenate([weights_of_pages, _WITHOUT_SHAPE * weights_of_pages]),
    )
    weights = {name: row for name, row in zip(names, model.coef_.T, strict=True) if abs(row).max() >= _MIN_WEIGHT}
    return {"": model.intercept_, **weights}


def predict(weights: dict[str, np.ndarray[Any, Any]], page: LabelledPage) -> tuple[int, float]:
    """The likeliest type and its probability, as thresher.page.page_type.type_of() has them."""
    sums = weights[""] + sum(weights[name] for name in page.evidence if name in weights)
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
    lines = [f"# Weights of evidence for each type of page: {', '.join(TYPES)}. See thresher.lab.train.page_types."]
    lines += ["\t".join((name, *(f"{each:.2f}" for each in row))) for name, row in sorted(fit(pages).items())]
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
