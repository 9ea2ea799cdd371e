# SPDX-License-Identifier: Apache-2.0
"""From scores to tables: one row per page and system, then the summaries that the papers show."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from thresher.lab.evaluate.intervals import Mean, bootstrap_over_sets
from thresher.lab.evaluate.metrics import METRICS
from thresher.lab.evaluate.output import Output
from thresher.lab.evaluate.pages import Page
from thresher.lab.evaluate.systems import System

Floats = NDArray[np.float64]

SCORE_NAMES = tuple(
    name.removesuffix("_f1") for name in METRICS if name.endswith("_f1") and not name.startswith("tolerant")
)
"""The metrics with precision, recall and F1 that every page with a gold text has."""

SCHEMA = pa.schema(
    [
        ("dataset", pa.dictionary(pa.int32(), pa.string())),
        ("id", pa.string()),
        ("site", pa.string()),
        ("language", pa.string()),
        ("page_type", pa.string()),
        ("system", pa.dictionary(pa.int32(), pa.string())),
        ("kind", pa.dictionary(pa.int32(), pa.string())),
        ("version", pa.dictionary(pa.int32(), pa.string())),
        ("status", pa.dictionary(pa.int32(), pa.string())),
        ("milliseconds", pa.float64()),
        ("n_characters", pa.int64()),
        ("n_gold_characters", pa.int64()),
        *((name, pa.float64()) for name in METRICS),
    ]
)
"""One row per page and system, with one column for each of `metrics.METRICS`."""


def results_table(
    system: System, outputs: Iterable[tuple[Page, Output]], scores: Sequence[dict[str, float]]
) -> pa.Table:
    """The rows of one system, of `SCHEMA`."""
    rows = [
        {
            "dataset": page.dataset,
            "id": page.id,
            "site": page.site,
            "language": page.language,
            "page_type": page.page_type,
            "system": system.name,
            "kind": system.kind,
            "version": system.version,
            "status": output.status,
            "milliseconds": output.milliseconds,
            "n_characters": len(output.text),
            "n_gold_characters": len(page.gold),
            **values,
        }
        for (page, output), values in zip(outputs, scores, strict=True)
    ]
    return pa.Table.from_pylist(rows, SCHEMA)


@dataclass(frozen=True, slots=True)
class Summary:
    """One system's row of a table. Every figure but the last three is a mean over the sets."""

    system: str
    kind: str
    mean_precision: float
    mean_recall: float
    median_precision: float
    median_recall: float
    median_f1: float
    first_quartile: float  # of F1
    third_quartile: float
    f1: Mean
    word: Mean  # Chinese and Japanese by character
    milliseconds: float  # mean CPU time per page, over all pages
    failures: int  # pages whose status is not ok
    empty: int  # pages without text, failures included

    def cells(self) -> list[str]:
        means = (self.mean_precision, self.mean_recall)
        medians = (self.median_precision, self.median_recall, self.median_f1)
        return [
            self.system,
            *(f"{figure:.3f}" for figure in means),
            str(self.f1),
            *(f"{figure:.3f}" for figure in medians),
            f"{self.first_quartile:.3f}-{self.third_quartile:.3f}",
            str(self.word),
            f"{self.milliseconds:.2f}",
            str(self.failures),
            str(self.empty),
        ]


HEAD = (
    "system", "P", "R", "F1 (95 %)", "median P", "median R", "median F1", "IQR of F1", "word F1 (95 %)", "ms/page",
    "failed", "empty",
)  # fmt: skip
"""The head of a table of summaries."""


def column(table: pa.Table, name: str) -> Floats:
    """A column of numbers as a numpy array."""
    return np.asarray(table.column(name).combine_chunks().to_numpy(zero_copy_only=False), dtype=np.float64)


def strings(table: pa.Table, name: str) -> NDArray[np.object_]:
    values = np.empty(table.num_rows, dtype=object)
    values[:] = table.column(name).to_pylist()
    return values


def summarise(table: pa.Table, metric: str = "rouge_lsum") -> list[Summary]:
    """One summary per system, best mean F1 first. Every set has the same weight (Bevendorff et al. 2023, table 3).

    Pages without a gold text do not count: precision and recall say nothing of them.
    """
    table = _with_gold(table)
    systems, sets, sites = strings(table, "system"), strings(table, "dataset"), strings(table, "site").tolist()
    names = [f"{metric}_{part}" for part in ("precision", "recall", "f1")]
    parts = [column(table, name) for name in names]
    word_f1, milliseconds = column(table, "word_cjk_f1"), column(table, "milliseconds")
    status, characters, kinds = strings(table, "status"), column(table, "n_characters"), strings(table, "kind")
    summaries = []
    for system in dict.fromkeys(systems):
        ours = systems == system
        groups = [np.flatnonzero(ours & (sets == name)) for name in dict.fromkeys(sets[ours])]

        def over_sets(values: Floats, q: float | None = None, groups: list[NDArray[np.intp]] = groups) -> float:
            """The mean over the sets of their means, or of their quantiles."""
            return float(
                np.mean([values[group].mean() if q is None else np.quantile(values[group], q) for group in groups])
            )

        f1, word = bootstrap_over_sets(np.stack([parts[2], word_f1], axis=1), sites, groups)
        summaries.append(
            Summary(
                system=str(system),
                kind=str(kinds[ours][0]),
                mean_precision=over_sets(parts[0]),
                mean_recall=over_sets(parts[1]),
                median_precision=over_sets(parts[0], 0.5),
                median_recall=over_sets(parts[1], 0.5),
                median_f1=over_sets(parts[2], 0.5),
                first_quartile=over_sets(parts[2], 0.25),
                third_quartile=over_sets(parts[2], 0.75),
                f1=f1,
                word=word,
                milliseconds=float(milliseconds[ours].mean()),
                failures=int((status[ours] != "ok").sum()),
                empty=int((characters[ours] == 0).sum()),
            )
        )
    return sorted(summaries, key=lambda summary: -summary.f1.value)


def _with_gold(table: pa.Table) -> pa.Table:
    return table.filter(pa.array(column(table, "n_gold_characters") > 0))


def set_means(table: pa.Table, metric: str = "word_f1") -> tuple[list[str], dict[str, list[float]]]:
    """The sets, and each system's mean of the metric on each of them; NaN if it was not run. Pages without
    a gold text do not count.
    """
    table = _with_gold(table)
    systems, sets, values = strings(table, "system"), strings(table, "dataset"), column(table, metric)
    names = sorted(set(sets))
    means = {}
    for system in dict.fromkeys(systems):
        cells = [values[(systems == system) & (sets == name)] for name in names]
        means[str(system)] = [float(cell.mean()) if len(cell) else float("nan") for cell in cells]
    return names, means
