# SPDX-License-Identifier: Apache-2.0
"""What a run says while it runs, and to whom."""

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
    """Is told what a run announces; this base class keeps it to itself."""

    def say(self, message: str) -> None:
        """One sentence or two."""

    def watching(self) -> AbstractContextManager[Callable[[Snapshot], None]]:
        """What is to be told a few times a second how far extraction is, while it lasts."""
        return nullcontext(lambda _: None)


class TerminalReporter(Reporter):
    """Writes to standard error: a bar on a terminal, elsewhere a line now and then."""

    def say(self, message: str) -> None:
        """Write a line."""
        import click

        click.echo(message, err=True)

    def watching(self) -> AbstractContextManager[Callable[[Snapshot], None]]:
        """A bar, or lines."""
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
    # Refreshed by hand: a thread of its own would keep the supervisor from forking workers.
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as progress:
        bar = progress.add_task("", total=1.0, pages=0, rate=0.0, left="")

        def watch(snapshot: Snapshot) -> None:
            rate, left = meter.read(snapshot)
            progress.update(bar, completed=snapshot.fraction, pages=snapshot.pages, rate=rate, left=left, refresh=True)

        yield watch


class _Meter:
    """Pages per second and time left, from what was seen since the start."""

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
