# SPDX-License-Identifier: Apache-2.0
"""`thresher evaluate --teco`: measure systems on the TeCo suite and print the thesis' tables."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import pyarrow.parquet as pq

from thresher.commands.evaluate_output import make_table, progress_bars, wide_console
from thresher.lab.evaluate.pages import EvaluationError
from thresher.lab.evaluate.teco import EVALUATION, TASKS, find_key_pages
from thresher.lab.evaluate.teco_scores import HEAD, Measurement, averages, cells, measure, results_table, teco_systems
from thresher.terminal import one_line


def measure_teco(suite: Path, extractors: Sequence[str], peers: Sequence[str], options: dict[str, Any]) -> None:
    """Measure, print a table for each task, and write the requested rows."""
    evaluation = EVALUATION
    if options["teco_evaluation"] is not None:
        try:
            evaluation = frozenset(options["teco_evaluation"].read_text(encoding="utf-8").split())
        except ValueError as error:
            raise EvaluationError(f"{options['teco_evaluation']}: {error}") from error
    systems = teco_systems(extractors, peers)
    places = find_key_pages(suite, evaluation)
    with progress_bars() as bar:
        found = measure(
            places,
            systems,
            jobs=options["jobs"] or os.cpu_count() or 1,
            time_limit=options["time_limit"],
            advance=bar("key pages", len(places)),
        )
    _print(found, len(places), markdown=options["markdown"])
    if options["parquet"] is not None:
        pq.write_table(results_table(found.judged), options["parquet"], compression="zstd")


def _print(found: Measurement, n_places: int, *, markdown: bool) -> None:
    console = wide_console()
    judged = {each.place for each in found.judged}
    n_evaluation = sum(place.subset == "evaluation" for place in judged)
    console.print(f"{n_places} key pages: {len(judged) - n_evaluation} for training, {n_evaluation} for evaluation")
    rows = averages(found.judged)
    for task in TASKS:
        of_task = [cells(row) for row in rows if row.system.task == task]
        if not of_task:
            continue
        shown = [at for at in range(len(HEAD)) if any(row[at] for row in of_task)]
        head = [HEAD[at] for at in shown]
        table = make_table(f"{task}, mean over pages", head, HEAD[:2], markdown=markdown, folds=True)
        for row in of_task:
            table.add_row(*(row[at] for at in shown))
        console.print(table)
    for place, reason in found.unusable:
        click.echo(f"left out: {one_line(place.id)}: {one_line(reason)}", err=True)
