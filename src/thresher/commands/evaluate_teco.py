# SPDX-License-Identifier: Apache-2.0
"""`thresher evaluate --teco`: measure systems on the TeCo suite and print the thesis' tables."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import pyarrow.parquet as pq
from rich.box import HEAVY_HEAD, MARKDOWN
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

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
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task("key pages", total=len(places))
        found = measure(
            places,
            systems,
            jobs=options["jobs"] or os.cpu_count() or 1,
            time_limit=options["time_limit"],
            advance=lambda: progress.advance(bar),
        )
    _print(found, len(places), markdown=options["markdown"])
    if options["parquet"] is not None:
        pq.write_table(results_table(found.judged), options["parquet"], compression="zstd")


def _print(found: Measurement, n_places: int, *, markdown: bool) -> None:
    console = Console()
    if not console.is_terminal:
        console = Console(width=200)
    judged = {each.place for each in found.judged}
    n_evaluation = sum(place.subset == "evaluation" for place in judged)
    console.print(f"{n_places} key pages: {len(judged) - n_evaluation} for training, {n_evaluation} for evaluation")
    rows = averages(found.judged)
    for task in TASKS:
        of_task = [cells(row) for row in rows if row.system.task == task]
        if not of_task:
            continue
        shown = [at for at in range(len(HEAD)) if any(row[at] for row in of_task)]
        table = Table(title=f"{task}, mean over pages", title_justify="left", box=MARKDOWN if markdown else HEAVY_HEAD)
        for at in shown:
            table.add_column(HEAD[at], no_wrap=at == 0, justify="left" if at < 2 else "right")
        for row in of_task:
            table.add_row(*(row[at] for at in shown))
        console.print(table)
    for place, reason in found.unusable:
        click.echo(f"left out: {one_line(place.id)}: {one_line(reason)}", err=True)
