# SPDX-License-Identifier: Apache-2.0
"""What an input is: archive, folder of HTML files, JSON Lines, Parquet, ranges of archives, or a list of paths."""

from __future__ import annotations

import os
import urllib.parse
import zlib
from typing import Final

from thresher.errors import InputError
from thresher.file_kinds import binary_kind
from thresher.reading.names import (
    HTML_SUFFIXES,
    JSON_SUFFIXES,
    PARQUET_SUFFIX,
    RANGES_SUFFIX,
    WACZ_SUFFIX,
    WARC_SUFFIXES,
    local_path,
    scheme_of,
)
from thresher.reading.opening import open_input
from thresher.reading.payload import sniff_html
from thresher.reading.streams import begins_record

__all__ = ["FOLDER", "JSON_LINES", "LIST", "PARQUET", "RANGES", "WARC", "kind_of"]

WARC, FOLDER, JSON_LINES, PARQUET, RANGES, LIST = "warc", "folder", "jsonl", "parquet", "ranges", "list"
"""Kinds of inputs."""

_SUFFIXES: Final = {
    WARC: (*WARC_SUFFIXES, WACZ_SUFFIX),
    JSON_LINES: JSON_SUFFIXES,
    RANGES: (RANGES_SUFFIX,),  # before Parquet, which it is
    PARQUET: (PARQUET_SUFFIX,),
}
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
