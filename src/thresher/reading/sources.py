# SPDX-License-Identifier: Apache-2.0
"""What an input is, and how it is read: a WARC, a folder of HTML files, JSON Lines, Parquet, ranges of archives."""

from __future__ import annotations

import os
import urllib.parse
import zlib
from typing import Final

from thresher.errors import InputError, TransferError
from thresher.file_kinds import binary_kind
from thresher.options import CaptureOptions
from thresher.reading.captures import Reading, WarcReading
from thresher.reading.inputs import (
    HTML_SUFFIXES,
    JSON_SUFFIXES,
    PARQUET_SUFFIX,
    WACZ_SUFFIX,
    WARC_SUFFIXES,
    local_path,
    open_input,
    scheme_of,
)
from thresher.reading.pages import FolderReading, JsonLinesReading, ParquetReading, html_files
from thresher.reading.payload import sniff_html
from thresher.reading.ranges import RANGES_SUFFIX, RangesReading, ranges_size
from thresher.reading.streams import begins_record

__all__ = ["LIST", "PARQUET", "input_size", "kind_of", "reading_of", "size_of", "step_of"]

WARC, FOLDER, JSON_LINES, PARQUET, RANGES, LIST = "warc", "folder", "jsonl", "parquet", "ranges", "list"
"""Kinds of inputs."""

_READINGS: Final[dict[str, type[Reading]]] = {
    WARC: WarcReading,
    FOLDER: FolderReading,
    JSON_LINES: JsonLinesReading,
    PARQUET: ParquetReading,
    RANGES: RangesReading,
}
_SUFFIXES: Final = {
    WARC: (*WARC_SUFFIXES, WACZ_SUFFIX),
    JSON_LINES: JSON_SUFFIXES,
    RANGES: (RANGES_SUFFIX,),  # before Parquet, which it is
    PARQUET: (PARQUET_SUFFIX,),
}
_FILES: Final = 1000  # of a folder in one partition
_LOOK: Final = 64 << 10  # bytes that tell what a file is


def kind_of(source: str) -> str:
    """The kind of an input, by its name, or where that does not tell by the beginning of a local file.

    Raises InputError for a file that holds no pages, such as an image.
    """
    path = (urllib.parse.urlsplit(source).path if scheme_of(source) else source).lower()
    for kind, suffixes in _SUFFIXES.items():
        if path.endswith(suffixes):
            return kind
    if scheme_of(source):
        return WARC
    if os.path.isdir(local_path(source)) or path.endswith(HTML_SUFFIXES):
        return FOLDER
    return _kind_of_content(source)


def _kind_of_content(source: str) -> str:
    file = open_input(source)
    try:
        start = file.read(_LOOK)
    finally:
        file.close()
    if start[:2] == b"\x1f\x8b":
        try:
            start = zlib.decompressobj(31).decompress(start, _LOOK)
        except zlib.error:
            return WARC  # a damaged one: its reader says where and how
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"PAR1"):
        return PARQUET
    if begins_record(start.lstrip()):
        return WARC
    if text.startswith(b"{"):
        return JSON_LINES
    if sniff_html(start):
        return FOLDER
    lines = [line for line in text.decode("latin-1").splitlines() if not line.startswith("#")]
    if lines and lines[0].strip().lower().endswith(_SUFFIXES[WARC]):
        return LIST
    kind = binary_kind(start)
    if kind and not kind.startswith(("binary", "a Zstandard", "an LZ4")):
        hint = "; name a WACZ *.wacz" if kind == "a ZIP archive" else ""
        raise InputError(f"{source}: this is {kind}, not an archive of pages{hint}")
    return WARC


def reading_of(
    source: str,
    options: CaptureOptions,
    start: int = 0,
    end: int | None = None,
    filename: str | None = None,
) -> Reading:
    """One reading of an input, whatever it is; see WarcReading for the arguments."""
    reading = _READINGS.get(kind_of(source), WarcReading)
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
    is_split = kind == RANGES or (kind == WARC and source.lower().endswith(".gz"))
    return (split_bytes if is_split else None), True
