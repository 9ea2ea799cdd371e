# SPDX-License-Identifier: Apache-2.0
"""What the evaluations print: tables on a wide enough console, and bars of progress."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager

from rich.box import HEAVY_HEAD, MARKDOWN
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table


def wide_console() -> Console:
    """The standard output; a file or a pipe has room for every column."""
    console = Console()
    return console if console.is_terminal else Console(width=200)


def make_table(
    title: str | None, head: Sequence[str], left: Collection[str], *, markdown: bool, folds: bool = False
) -> Table:
    """A table with these columns, of which `left` are texts; with `folds` the heads of the others may be wrapped."""
    # A title is wrapped to the width of its table.
    box, least = MARKDOWN if markdown else HEAVY_HEAD, len(title or "")
    table = Table(title=title, title_justify="left", box=box, min_width=least)
    for name in head:
        is_text = name in left
        table.add_column(name, no_wrap=is_text or not folds, justify="left" if is_text else "right", overflow="fold")
    return table


@contextmanager
def progress_bars() -> Iterator[Callable[[str, int], Callable[[], object]]]:
    """Progress on the standard error: a function of a name and a total that returns what advances its bar."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:

        def bar(name: str, total: int) -> Callable[[], object]:
            task = progress.add_task(name, total=total)
            return lambda: progress.advance(task)

        yield bar
