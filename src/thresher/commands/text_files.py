# SPDX-License-Identifier: Apache-2.0
"""`thresher text FOLDER -o OUT`: a file of text for each page of a folder, in the same structure."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

import click

from thresher.commands.one_page import read_file, text_of
from thresher.commands.refusals import Incomplete, Refusal, whole_file
from thresher.errors import NO_ROOM, InputError
from thresher.file_kinds import binary_kind
from thresher.page.extraction import Extraction
from thresher.page.extraction import extract as extract_page
from thresher.reading.folders import FoundFile, files_below
from thresher.reading.kinds import FOLDER
from thresher.running.partition_queue import Snapshot
from thresher.running.reporter import TerminalReporter
from thresher.schemas.files import LEFT_OUT
from thresher.terminal import number_of, one_line

if TYPE_CHECKING:
    from thresher.options import Options

_ENDINGS: Final = {"text": ".txt", "markdown": ".md", "html": ".html", "source": ".html"}
_SILENT: Final = 2.0  # seconds before progress is shown
_NAMED: Final = 20  # files with a problem that are named one by one


def write_texts(
    folder: str, out: str, options: Options, *, charset: str | None, as_json: bool, overwrite: bool
) -> bool:
    """Whether no page failed. Writes the text of each HTML file below `folder` under its own name with `.txt`, `.md`,
    `.html` or `.json` added, in the same folders below `out`.

    A file that is there already stays unless `overwrite` is set. Standard error names the files with a problem and ends
    with a line that accounts for every file.
    """
    _check(folder, out)
    ending = ".json" if as_json else _ENDINGS[options.format]
    files = sorted(files_below(folder), key=lambda each: each.path)
    if not any(each.kind == FOLDER and each.reason is None for each in files):
        archives = next((each.path for each in files if each.reason is None), None)
        hint = f"; for archives such as {archives}: thresher extract {folder} -o OUT" if archives else ""
        raise Refusal(f"{folder}: no HTML file in this folder{hint}")
    written: Counter[str] = Counter()
    left: Counter[str] = Counter()
    problems = _Problems()
    n_there = 0

    def work(file: FoundFile) -> None:
        nonlocal n_there
        if file.reason is not None or file.kind != FOLDER:
            left["archive" if file.reason is None else file.reason] += 1
            return
        target = os.path.join(out, os.path.relpath(file.path, folder) + ending)
        if not overwrite and os.path.lexists(target):
            n_there += 1
            return
        try:
            found = _extracted(file.path, options, charset)
            shown = json.dumps(found.to_dict(), ensure_ascii=False) if as_json else text_of(found)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with whole_file(target) as text:
                text.write((shown if not shown or shown.endswith("\n") else shown + "\n").encode("utf-8", "replace"))
        except OSError as error:
            if error.errno in NO_ROOM:
                raise Incomplete(f"{out}: {error.strerror}; the same command goes on from here") from error
            problems.add(file.path, f"error ({error.strerror or error})")
        except Exception as error:  # noqa: BLE001 (a page that fails is a status)
            problems.add(
                file.path, f"error ({one_line(str(error).removeprefix(file.path + ': ')) or type(error).__name__})"
            )
        else:
            written[found.status] += 1
            if found.status != "ok":
                problems.add(file.path, found.status, failed=False)

    _with_progress(files, work)
    problems.close()
    click.echo(_account(len(files), written, n_there, problems.n_failed, left), err=True)
    return not problems.n_failed


def _check(folder: str, out: str) -> None:
    """Refuses an output that is no folder, or that would be read as part of the input."""
    if os.path.lexists(out) and not os.path.isdir(out):
        raise Refusal(f"{out}: this is a file; -o names the folder of the texts")
    inside, around = os.path.realpath(out), os.path.realpath(folder)
    if os.path.commonpath((inside, around)) == around:
        raise Refusal(f"{out}: lies in the folder that is read; choose a folder for the texts outside of {folder}")


def _extracted(path: str, options: Options, charset: str | None) -> Extraction:
    page = read_file(path)
    found = extract_page(page, charset=charset, options=options)
    if found.status == "not_html":
        raise InputError(f"{path}: this is {binary_kind(page)}, not a web page")
    return found


def _with_progress(files: list[FoundFile], work: Callable[[FoundFile], None]) -> None:
    """Works on each file. Progress is shown once that has taken two seconds."""
    reporter, started, watch = TerminalReporter(), time.monotonic(), None
    with ExitStack() as stack:
        for n, file in enumerate(files):
            work(file)
            if watch is None and time.monotonic() - started > _SILENT:
                watch = stack.enter_context(reporter.watching("Writing texts"))
            if watch is not None:
                watch(Snapshot(n + 1, (n + 1) / len(files)))


class _Problems:
    """The files whose status is not `ok`, of which the first are named at the end."""

    def __init__(self) -> None:
        self.n_failed = 0
        self._n = 0
        self._lines: list[str] = []

    def add(self, path: str, what: str, *, failed: bool = True) -> None:
        self.n_failed += failed
        self._n += 1
        if self._n <= _NAMED:
            self._lines.append(f"{one_line(path)}: {what}")

    def close(self) -> None:
        for line in self._lines:
            click.echo(line, err=True)
        if self._n > _NAMED:
            click.echo(f"… and {number_of(self._n - _NAMED, 'more file')} with another status than ok", err=True)


def _account(n_files: int, written: Counter[str], n_there: int, n_failed: int, left: Counter[str]) -> str:
    """One line in which the numbers add up to all files."""
    others = ", ".join(f"{n:,} {status}" for status, n in sorted(written.items()) if status != "ok")
    parts = [f"{number_of(written.total(), 'text')} written" + (f" ({others})" if others else "")]
    if n_there:
        parts.append(f"{n_there:,} already there (--overwrite replaces them)")
    if n_failed:
        parts.append(f"{n_failed:,} failed")
    if left:
        reasons = LEFT_OUT | {"archive": "an archive or a table of pages, which thresher extract reads"}
        parts.append(
            f"{left.total():,} left out: " + "; ".join(f"{n:,} {reasons[reason]}" for reason, n in left.most_common())
        )
    return f"{number_of(n_files, 'file')}: " + ", ".join(parts)
