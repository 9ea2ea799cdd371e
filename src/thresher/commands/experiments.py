# SPDX-License-Identifier: Apache-2.0
"""`thresher experiments`: list and compare stored evaluations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import click

from thresher.commands.refusals import Refusal
from thresher.terminal import display_width, one_line, safe_json


@contextmanager
def experiment_errors() -> Iterator[None]:
    """Turn errors of the database into a message and exit status 2."""
    from thresher.evaluate.experiments import ExperimentError

    try:
        yield
    except ExperimentError as error:
        raise Refusal(str(error)) from error


@click.command("experiments", context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--html",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="PAGE",
    help="Write a page of HTML that compares experiments and pages over time. It needs no network.",
)
@click.option(
    "--import",
    "documents",
    type=click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True),
    multiple=True,
    metavar="JSON",
    help="First add the experiments of an algorithm outside Thresher; - for standard input. Repeatable.",
)
@click.option(
    "--metric", metavar="NAME", help="Score to show, such as lcs_f1  [default: the main one of each data set]"
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def experiments(file: Path, html: Path | None, documents: tuple[Path, ...], metric: str | None, as_json: bool) -> None:  # noqa: FBT001 (click's flags)
    """List the experiments in FILE: one line for each algorithm, data set and evaluation, oldest first.

    FILE is a database written by `thresher evaluate --experiments FILE`.

    \b
    Examples:
      thresher evaluate --data labelled/ --experiments scores.db --note "before the change"
      thresher experiments scores.db
      thresher experiments scores.db --html scores.html --metric lcs_f1
      thresher experiments scores.db --import mine.json

    \b
    Exit status: 0 done; 2 invalid file, document or option. Nothing is added from an invalid document.
    """
    from thresher.evaluate.experiments import groups, import_experiments, main_metric, write_page

    with experiment_errors():
        for document in documents:
            with click.open_file(str(document), "rb") as stream:
                added = import_experiments(file, stream.read())
            state = "added" if added.new else "known already"
            click.echo(f"{one_line(str(document))}: {added.experiments:,} experiments {state}", err=True)
        found = groups(file)
        if metric is not None and found and not any(metric in group.means for group in found):
            names = sorted({name for group in found for name in group.means})
            raise Refusal(f"no experiment has a score called {metric!r} (there are {', '.join(names)})")
        if html is not None:
            html.write_text(write_page(file, metric), encoding="utf-8")
            click.echo(f"written: {one_line(str(html))}", err=True)
    if as_json:
        for group in found:
            click.echo(safe_json(asdict(group)))
        return
    head = ("time", "algorithm", "version", "data set", "pages", "score", "mean", "ms/page", "failed", "note")
    rows = []
    for group in found:
        name = main_metric(group.means, metric)
        rows.append(
            (
                group.time[:16].replace("T", " "),
                one_line(group.algorithm, 40),
                one_line(group.version, 16),
                one_line(group.dataset, 40),
                f"{group.pages:,}",
                one_line(name or "", 24),
                "" if name is None else f"{group.means[name]:.3f}",
                "" if group.milliseconds is None else f"{group.milliseconds:.2f}",
                str(group.failures),
                one_line(group.note, 60),
            )
        )
    widths = [max(map(display_width, cells)) for cells in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        cells = []
        for at, (cell, width) in enumerate(zip(row, widths, strict=True)):
            room = " " * (width - display_width(cell))
            cells.append(room + cell if at in {4, 6, 7, 8} else cell + room)
        click.echo("  ".join(cells).rstrip())
