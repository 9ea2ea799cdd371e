# SPDX-License-Identifier: Apache-2.0
"""What a run shows of its progress, on terminals of several kinds and where there is none."""

import io
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from small_archive import page, write_archive

from thresher.config import load_configuration
from thresher.running import reporter as module
from thresher.running.engine import LocalEngine
from thresher.running.execute import execute
from thresher.running.partition_queue import PartitionQueue, Snapshot
from thresher.running.reporter import TerminalReporter
from thresher.running.run import EXIT_OK, start_run
from thresher.running.supervisor import Supervisor
from thresher.templates import second_pass

STEPS = [
    "extracting pages",
    "looking for copies of pages",
    "counting what the pages of a host have in common",
    "deciding each page with what is known from the others",
]
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Screen(io.StringIO):
    """Standard error of a terminal, or of a pipe."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal

    def lines(self) -> list[str]:
        return [line for line in re.split(r"[\r\n]+", ESCAPE.sub("", self.getvalue())) if line.strip()]


Open = Callable[[tuple[bool, int, str]], Screen]


@pytest.fixture
def open_screen(monkeypatch: pytest.MonkeyPatch) -> Open:
    """Puts a screen in the place of standard error. In the test itself: pytest changes it after fixtures."""

    def put(kind: tuple[bool, int, str]) -> Screen:
        terminal, columns, term = kind
        for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("TERM", term)
        shown = Screen(terminal=terminal)
        monkeypatch.setattr(sys, "stderr", shown)
        return shown

    return put


TERMINAL, NARROW, DUMB, PIPE = (
    (True, 100, "xterm-256color"),
    (True, 32, "xterm-256color"),
    (True, 80, "dumb"),
    (False, 80, "xterm-256color"),
)


def show(reporter: TerminalReporter) -> None:
    with reporter.watching(STEPS[2]) as watch:
        for pages, fraction in ((0, None), (120, 0.25), (480, 1.0)):
            watch(Snapshot(pages, fraction))


@pytest.mark.parametrize("kind", [TERMINAL, NARROW], ids=["wide", "narrow"])
def test_a_bar_fits_its_terminal(open_screen: Open, kind: tuple[bool, int, str]) -> None:
    screen = open_screen(kind)
    show(TerminalReporter())
    lines = screen.lines()
    assert 20 < max(map(len, lines)) <= kind[1]
    assert any("25%" in line for line in lines)
    assert any("480 pages" in line for line in lines) == (kind is TERMINAL)
    assert screen.getvalue().count("\n") <= 1
    assert screen.getvalue().endswith("\x1b[2K")  # the line of the bar is erased


def test_no_color_is_obeyed(open_screen: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    colour = re.compile(r"\x1b\[[0-9;]*3[0-9;]*m")
    screen = open_screen(TERMINAL)
    show(TerminalReporter())
    assert colour.search(screen.getvalue())
    screen = open_screen(TERMINAL)
    monkeypatch.setenv("NO_COLOR", "1")
    show(TerminalReporter())
    assert screen.lines()
    assert not colour.search(screen.getvalue())


@pytest.mark.parametrize("kind", [DUMB, PIPE], ids=["dumb", "pipe"])
def test_lines_without_escapes_where_no_bar_can_be_drawn(
    open_screen: Open, monkeypatch: pytest.MonkeyPatch, kind: tuple[bool, int, str]
) -> None:
    monkeypatch.setattr(module, "_QUIET_SECONDS", -1.0)
    screen = open_screen(kind)
    show(TerminalReporter())
    assert "\x1b" not in screen.getvalue()
    first, second, third = screen.getvalue().splitlines()
    assert (first, second[:15], third[:15]) == (STEPS[2], " 25%  120 pages", "100%  480 pages")


@pytest.mark.parametrize("kind", [TERMINAL, PIPE], ids=["terminal", "pipe"])
def test_each_step_of_both_passes_is_shown(open_screen: Open, tmp_path: Path, kind: tuple[bool, int, str]) -> None:
    archives = [
        str(write_archive(tmp_path / f"{k}.warc.gz", {f"http://a.example/{k}/{n}": page(n) for n in range(4)}))
        for k in range(2)
    ]
    settings = {"run.workers": 1, "templates.mode": "fused"}
    run = start_run(archives, str(tmp_path / "out"), load_configuration(None, settings))
    screen = open_screen(kind)
    assert execute(run, LocalEngine, TerminalReporter(), second_pass=second_pass) == EXIT_OK
    shown = screen.lines()
    if kind is PIPE:
        assert shown[:4] == STEPS
        return
    of_each = [[line for line in shown if line.startswith(step[:20])] for step in STEPS]
    assert all(of_each)
    assert any("50%" in line for line in of_each[3])  # one of two partitions is decided
    for lines in of_each:
        shares = [int(found[1]) for line in lines if (found := re.search(r"(\d+)%", line))]
        assert shares == sorted(shares)


def test_progress_never_runs_ahead_of_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a worker stopped in a long archive is no place in the short one that comes next."""
    archives = [
        write_archive(tmp_path / f"{k}.warc.gz", {f"http://a.example/{n}": page(n) for n in range(count)})
        for k, count in enumerate((40, 2))
    ]
    seen: list[tuple[int, int]] = []

    def look(_queue: PartitionQueue, supervisor: Supervisor) -> None:
        seen.extend((task.partition.run_input.number, position) for task, position in supervisor.at_work())

    monkeypatch.setattr(PartitionQueue, "look", look)
    run = start_run(list(map(str, archives)), str(tmp_path / "out"), load_configuration(None, {"run.workers": 1}))
    assert execute(run, LocalEngine, second_pass=second_pass) == EXIT_OK
    assert {number for number, _ in seen} == {0, 1}
    assert all(position <= archives[number].stat().st_size for number, position in seen)
