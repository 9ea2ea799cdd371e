# SPDX-License-Identifier: Apache-2.0
"""Fits the weights of the evidence for The type of a page: `python -m thresher.lab.train.page_types --data DIR`.

Needs the extra `train`. The kinds are those of the column page_type of labelled pages. The report is of pages of sites
that the weights were not fitted on.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
import numpy as np
import pyarrow.parquet as pq
from sklearn.linear_model import LogisticRegression

from thresher.lab.evaluate.decoding import decode_page
from thresher.lab.evaluate.folds import FOLDS, site_fold
from thresher.native.facts.describe import find_values
from thresher.native.facts.kinds import find_evidence
from thresher.page.extraction import parse
from thresher.page.page_type import TYPES, WEIGHTS

_TYPE_OF_LABEL: Final = {
    "article": "article", "news": "article", "product": "product", "collection": "listing", "listing": "listing",
    "forum": "forum", "documentation": "documentation", "recipe": "recipe", "service": "other", "landing": "other",
    "about": "other", "contact": "other", "legal": "other", "event": "other", "job": "other", "faq": "other",
    "profile": "other", "gallery": "other",
}  # fmt: skip
_SET_WEIGHTS: Final = {"wcxb": 1.0, "recipes": 0.3, "shopify": 0.5}
_SET_WEIGHT: Final = 0.6
_MIN_SITES: Final = 8  # that a piece of evidence occurs on
_MIN_WEIGHT: Final = 0.15  # weights of evidence that says less are left out
_REGULARISATION: Final = 0.3


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """What is fitted to."""

    dataset: str
    site: str
    label: str
    kind: int
    evidence: frozenset[str]


def read_pages(data: Path) -> list[LabelledPage]:
    """The pages of all sets below a folder whose page_type names a type."""
    pages = []
    for path in sorted(data.rglob("*.parquet")):
        names = set(pq.read_schema(path).names)
        if not {"html", "page_type"} <= names:
            continue
        columns = [name for name in ("html", "url", "site", "page_type") if name in names]
        for number, row in enumerate(pq.read_table(path, columns=columns).to_pylist()):
            kind = _TYPE_OF_LABEL.get(row["page_type"] or "")
            if kind is None:
                continue
            said, counts, linked, _ = find_values(parse(decode_page(row["html"])))
            evidence = find_evidence(said, counts, linked, row.get("url"))
            site = row.get("site") or f"{path.stem}/{number}"
            pages.append(LabelledPage(path.stem, site, row["page_type"], TYPES.index(kind), frozenset(evidence)))
    return pages


def _matrix(pages: list[LabelledPage], names: list[str]) -> Any:  # noqa: ANN401 (numpy)
    index = {name: i for i, name in enumerate(names)}
    matrix = np.zeros((len(pages), len(names)), np.float32)
    for row, page in enumerate(pages):
        matrix[row, [index[name] for name in page.evidence if name in index]] = 1
    return matrix


def fit(pages: list[LabelledPage]) -> dict[str, np.ndarray[Any, Any]]:
    """The weights of each piece of evidence for each kind; "" has the intercepts."""
    sites = defaultdict(set)
    for page in pages:
        for name in page.evidence:
            sites[name].add(page.site)
    names = sorted(name for name, found in sites.items() if len(found) >= _MIN_SITES and name != "host:www")
    model = LogisticRegression(C=_REGULARISATION, max_iter=500)
    model.fit(
        _matrix(pages, names),
        np.array([page.kind for page in pages]),
        sample_weight=np.array([_SET_WEIGHTS.get(page.dataset, _SET_WEIGHT) for page in pages]),
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


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--out", type=click.Path(path_type=Path), default=WEIGHTS, show_default=True)
def main(data: Path, out: Path) -> None:
    """Fit the weights of the evidence for The type of a page, and print how they do on sites held out."""
    pages = read_pages(data)
    for line in report(held_out(pages), "wcxb"):
        click.echo(line)
    lines = [f"# Weights of evidence for each type of page: {', '.join(TYPES)}. See thresher.lab.train.page_types."]
    lines += ["\t".join((name, *(f"{each:.2f}" for each in row))) for name, row in sorted(fit(pages).items())]
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
