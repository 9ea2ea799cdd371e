# SPDX-License-Identifier: Apache-2.0
"""Reporters: where a run sends its progress and announcements."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from thresher.running.partition_queue import Snapshot

_QUIET_SECONDS: Final = 10.0  # between two lines of progress where standard error is no terminal


class Reporter:
    """Receives what a run announces. This base class discards it."""

    def say(self, message: str) -> None:
        """Takes an announcement of one or two sentences."""

    def watching(self) -> AbstractContextManager[Callable[[Snapshot], None]]:
        """A context whose value takes snapshots of the progress of extraction, a few per second."""
        return nullcontext(lambda _: None)


class TerminalReporter(Reporter):
    """Writes to standard error: a progress bar on a terminal, otherwise a line every ten seconds."""

    def say(self, message: str) -> None:
        """Writes a line."""
        import click

        click.echo(message, err=True)

    def watching(self) -> AbstractContextManager[Callable[[Snapshot], None]]:
        """Shows a progress bar on a terminal, otherwise lines."""
        return _bar() if sys.stderr.isatty() else nullcontext(self._lines())

    def _lines(self) -> Callable[[Snapshot], None]:
        meter = _Meter()
        last = time.monotonic()

        def watch(snapshot: Snapshot) -> None:
            nonlocal last
            rate, left = meter.read(snapshot)
            if time.monotonic() - last >= _QUIET_SECONDS:
                last = time.monotonic()
                self.say(f"{snapshot.fraction:4.0%}  {snapshot.pages:,} pages  {rate:,.0f} pages/s  {left}")

        return watch


@contextmanager
def _bar() -> Iterator[Callable[[Snapshot], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (
        BarColumn(bar_width=None),
        TaskProgressColumn(),
        TextColumn("{task.fields[pages]:,} pages"),
        TextColumn("{task.fields[rate]:,.0f} pages/s"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
    )
    meter = _Meter()
    # Refreshed by hand: a refresh thread would prevent the supervisor from forking workers.
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as progress:
        bar = progress.add_task("", total=1.0, pages=0, rate=0.0, left="")

        def watch(snapshot: Snapshot) -> None:
            rate, left = meter.read(snapshot)
            progress.update(bar, completed=snapshot.fraction, pages=snapshot.pages, rate=rate, left=left, refresh=True)

        yield watch


class _Meter:
    """Estimates pages per second and the time left from the snapshots so far."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._first: float | None = None  # what was finished before this start

    def read(self, snapshot: Snapshot) -> tuple[float, str]:
        elapsed = time.monotonic() - self._started
        if self._first is None:
            self._first = snapshot.fraction
        done = snapshot.fraction - self._first
        left = ""
        if done > 0 and elapsed > 2:
            seconds = round(elapsed * (1 - snapshot.fraction) / done)
            left = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02} left"
        return snapshot.pages / max(elapsed, 1e-9), left
