# SPDX-License-Identifier: Apache-2.0
"""How an input is read, whatever it is: its reading, its size, and the steps in which it is split."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Final
from warnings import warn

from thresher.errors import InputError, TransferError
from thresher.options import CaptureOptions
from thresher.reading.captures import Capture, DeadLetter, Reading, WarcReading
from thresher.reading.folders import html_files
from thresher.reading.kinds import FOLDER, JSON_LINES, PARQUET, RANGES, WARC, WET, kind_of
from thresher.reading.listing import list_inputs
from thresher.reading.names import local_path
from thresher.reading.opening import open_input

__all__ = ["input_size", "read_captures", "reading_of", "size_of", "step_of"]

# Where the readers other than that of archives are, which are imported when an input needs them.
_READINGS: Final = {
    WET: ("captures", "WetReading"),
    FOLDER: ("pages", "FolderReading"),
    JSON_LINES: ("pages", "JsonLinesReading"),
    PARQUET: ("pages", "ParquetReading"),
    RANGES: ("ranges", "RangesReading"),
}
_FILES: Final = 1000  # of a folder in one partition


def reading_of(
    source: str,
    options: CaptureOptions,
    start: int = 0,
    end: int | None = None,
    filename: str | None = None,
) -> Reading:
    """One reading of an input, whatever it is; see WarcReading for the arguments."""
    kind = kind_of(source)
    reading: type[Reading] = WarcReading
    if kind in _READINGS:
        module, name = _READINGS[kind]
        reading = getattr(import_module(f"thresher.reading.{module}"), name)
    return reading(source, options, start, end, filename)


def size_of(source: str) -> int | None:
    """The size of a local input by which it is split; None if it is unknown or cannot be found out."""
    try:
        return input_size(source)
    except (InputError, TransferError):
        return None  # the worker that opens it says what is wrong


def input_size(source: str) -> int | None:
    """The size of an input by which it is split: bytes, or the number of files in a folder; None if unknown.

    Asks the server of a remote input, so only workers call it for those. Raises InputError or TransferError.
    """
    kind = kind_of(source)
    if kind == FOLDER:
        return len(html_files(local_path(source)))
    if kind == RANGES:
        from thresher.reading.ranges import ranges_size

        return ranges_size(source)
    file = open_input(source)
    try:
        return file.size
    finally:
        file.close()


def step_of(source: str, split_bytes: int) -> tuple[int | None, bool]:
    """(how much of an input a partition has, None if it is not split; whether that is counted in bytes).

    Only gzip archives are split, one member for each record, ranges of archives, and folders.
    """
    try:
        kind = kind_of(source)
    except (InputError, TransferError):
        return None, True
    if kind == FOLDER:
        return _FILES, False
    is_split = kind == RANGES or (kind in (WARC, WET) and source.lower().endswith(".gz"))
    return (split_bytes if is_split else None), True


def read_captures(
    source: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    capture_options: CaptureOptions | None = None,
    options: CaptureOptions | None = None,
) -> Iterator[Capture]:
    """The captures of one or more archives, folders, files of JSON Lines or Parquet, or lists of paths.

    `capture_options` say which records are pages; `options` is what they were called in the version before.
    Unreadable records are passed over in silence; `page_batches` accounts for them.
    """
    if options is not None:
        warn("the keyword options is called capture_options now", FutureWarning, stacklevel=2)
    chosen = capture_options or options or CaptureOptions()
    for name in list_inputs(source, options=chosen):
        reading = reading_of(name, chosen)
        reading.on_dead_letter = _pass_over  # an archive may hold millions
        yield from reading


def _pass_over(letter: DeadLetter) -> None:
    del letter
