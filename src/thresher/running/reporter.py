# SPDX-License-Identifier: Apache-2.0
"""Reporters: where a run sends its progress and announcements."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from thresher.running.partition_queue import OnSnapshot, Snapshot

_QUIET_SECONDS: Final = 10.0  # between two lines of progress where standard error is no terminal
_NARROW: Final = 72  # columns; a narrower terminal gets a step's name and a share only
_WIDE: Final = 100  # columns; a wider terminal also gets the time elapsed


def every(seconds: float) -> Callable[[], bool]:
    """A function that says whether so many seconds have passed since it last said so, or since it was made."""
    last = time.monotonic()

    def is_due() -> bool:
        nonlocal last
        now = time.monotonic()
        if now - last < seconds:
            return False
        last = now
        return True

    return is_due


class Reporter:
    """Receives what a run announces. This base class discards it."""

    def say(self, message: str) -> None:
        """Takes an announcement of one or two sentences."""

    def watching(self, step: str = "") -> AbstractContextManager[OnSnapshot]:
        """A context for one step of a run, whose value takes snapshots of the progress, a few per second."""
        del step
        return nullcontext(lambda _: None)


class TerminalReporter(Reporter):
    """Writes to standard error: a progress bar on a terminal, otherwise a line every ten seconds."""

    def __init__(self, *, bar: bool = True) -> None:
        """Without `bar` it always writes lines, for where something else shows progress."""
        # A terminal that cannot move its cursor (an editor's, for example) cannot redraw a bar.
        self._bar = bar and sys.stderr.isatty() and os.environ.get("TERM", "").lower() not in ("dumb", "unknown")

    def say(self, message: str) -> None:
        import click

        click.echo(message, err=True)

    def watching(self, step: str = "") -> AbstractContextManager[OnSnapshot]:
        """Shows a progress bar on a terminal, otherwise lines."""
        if self._bar:
            return _bar(step)
        if step:
            self.say(step)
        return nullcontext(self._lines())

    def _lines(self) -> OnSnapshot:
        meter, is_due = _Meter(), every(_QUIET_SECONDS)

        def watch(snapshot: Snapshot) -> None:
            rate, left = meter.read(snapshot)
            if snapshot.fraction is not None and is_due():
                pages = f"  {snapshot.pages:,} pages  {rate:,.0f} pages/s" if snapshot.pages else ""
                self.say(f"{snapshot.fraction:4.0%}{pages}  {left}".rstrip())

        return watch


@contextmanager
def _bar(step: str) -> Iterator[OnSnapshot]:
    """A bar that is gone when the step ends."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.table import Column

    console = Console(stderr=True)
    whole = Column(no_wrap=True)
    columns: list[ProgressColumn] = [TaskProgressColumn(table_column=whole)]
    if console.width >= _NARROW:
        figures = TextColumn("{task.fields[figures]}", table_column=whole)
        columns = [BarColumn(bar_width=None), *columns, figures]
        columns += [TimeElapsedColumn(table_column=whole)] if console.width >= _WIDE else []
        columns.append(TextColumn("{task.fields[left]}", table_column=whole))
    elif not step:
        columns.insert(0, BarColumn(bar_width=None))
    if step:
        words = Column(no_wrap=True, overflow="ellipsis", width=min(len(step), console.width * 2 // 3))
        columns.insert(0, TextColumn("{task.description}", table_column=words, markup=False))
    meter = _Meter()
    # Refreshed by hand: a refresh thread would prevent the supervisor from forking workers.
    with Progress(*columns, console=console, transient=True, auto_refresh=False, expand=True) as progress:
        bar = progress.add_task(step, total=None, figures="", left="")

        def watch(snapshot: Snapshot) -> None:
            rate, left = meter.read(snapshot)
            figures = f"{snapshot.pages:,} pages {rate:,.0f} pages/s" if snapshot.pages else ""
            if snapshot.fraction is not None:  # else the bar stays as it is, or shows only that work goes on
                progress.update(bar, total=1.0, completed=snapshot.fraction)
            progress.update(bar, figures=figures, left=left, refresh=True)

        yield watch


class _Meter:
    """Estimates pages per second and the time left from the snapshots so far."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._first: float | None = None  # what was finished before this start

    def read(self, snapshot: Snapshot) -> tuple[float, str]:
        elapsed = time.monotonic() - self._started
        rate = snapshot.pages / max(elapsed, 1e-9)
        if snapshot.fraction is None:
            return rate, ""
        if self._first is None:
            self._first = snapshot.fraction
        done = snapshot.fraction - self._first
        left = ""
        if done > 0 and elapsed > 2:
            seconds = round(elapsed * (1 - snapshot.fraction) / done)
            left = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02} left"
        return rate, left
