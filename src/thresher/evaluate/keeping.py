# SPDX-License-Identifier: Apache-2.0
"""The results of an evaluation as experiments for the database (experiments.py)."""

import hashlib
import math
from collections.abc import Iterator, Sequence

from thresher.evaluate.bench import Bench, Measured
from thresher.evaluate.experiments import Algorithm, Experiment
from thresher.evaluate.metrics import METRICS, Score
from thresher.evaluate.teco_scores import Measurement


def bench_experiments(bench: Bench, measured: Sequence[Measured]) -> Iterator[Experiment]:
    """Every system on every page of a bench, with all metrics. Metrics that a page lacks are left out."""
    digests = [
        hashlib.sha256(page.key + hashlib.sha256(page.gold.encode("utf-8", "surrogatepass")).digest()).hexdigest()
        for page in bench.pages
    ]
    for one in measured:
        options = {"held_out": True} if one.system.models else {}
        algorithm = Algorithm(one.system.name, one.system.version, one.system.kind, options)
        rows = one.table.select(["status", "milliseconds", *METRICS]).to_pylist()
        for page, digest, row in zip(bench.pages, digests, rows, strict=True):
            scores = {name: row[name] for name in METRICS if row[name] is not None and math.isfinite(row[name])}
            yield Experiment(algorithm, page.dataset, page.id, scores, row["status"], row["milliseconds"], digest)


def teco_experiments(found: Measurement) -> Iterator[Experiment]:
    """Every system on every TeCo benchmark. The training and evaluation sets are separate data sets."""
    for each in found.judged:
        scores = {
            f"{unit}_{part}": value
            for unit, score in each.scores.items()
            for part, value in zip(Score._fields, score, strict=True)
        }
        yield Experiment(
            Algorithm(each.system.name, each.system.version, each.system.kind, {"task": each.system.task}),
            f"teco-{each.place.subset}",
            each.place.id,
            scores,
            each.status,
            each.milliseconds,
            found.digests[each.place.id],
        )
