# SPDX-License-Identifier: Apache-2.0
"""What an input is: archive, folder of HTML files, JSON Lines, Parquet, ranges of archives, or a list of paths."""

from __future__ import annotations

import os
import re
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
    WAT_SUFFIXES,
    WET_SUFFIXES,
    local_path,
    scheme_of,
)
from thresher.reading.opening import open_input
from thresher.reading.payload import sniff_html
from thresher.reading.streams import begins_record

__all__ = [
    "FOLDER",
    "JSON_LINES",
    "LIST",
    "PARQUET",
    "RANGES",
    "WACZ",
    "WARC",
    "WAT",
    "WET",
    "kind_by_name",
    "kind_of",
    "look",
]

WARC, FOLDER, JSON_LINES, PARQUET, RANGES, LIST = "warc", "html", "jsonl", "parquet", "ranges", "list"
WET, WAT, WACZ = "wet", "wat", "wacz"
"""Kinds of inputs. A WET is an archive of texts; a WAT, of metadata, is none."""

_SUFFIXES: Final = {
    WARC: WARC_SUFFIXES,
    WACZ: (WACZ_SUFFIX,),
    WET: WET_SUFFIXES,
    WAT: WAT_SUFFIXES,
    JSON_LINES: JSON_SUFFIXES,
    RANGES: (RANGES_SUFFIX,),  # before Parquet, which it is
    PARQUET: (PARQUET_SUFFIX,),
    FOLDER: HTML_SUFFIXES,
}
_LOOK: Final = 64 << 10  # bytes that tell what a file is
_MEMBERS: Final = 16  # of a gzip file that are looked at
_WARC_TYPE: Final = re.compile(rb"^WARC-Type:[ \t]*(\w+)", re.IGNORECASE | re.MULTILINE)
_OF_PAGES: Final = frozenset((b"response", b"resource", b"revisit"))


def kind_by_name(name: str) -> str | None:
    """The kind of a file that its name says; None if it says none."""
    path = (urllib.parse.urlsplit(name).path if scheme_of(name) else name).lower()
    return next((kind for kind, suffixes in _SUFFIXES.items() if path.endswith(suffixes)), None)


def kind_of(source: str) -> str:
    """The kind of an input, by its name, or where that does not tell by the beginning of a local file. A WARC in a WACZ
    is a WARC.

    Raises InputError for a file that holds no pages, such as an image.
    """
    kind = kind_by_name(source)
    if not scheme_of(source) and kind in (None, FOLDER) and os.path.isdir(local_path(source)):
        return FOLDER
    if kind is None and not scheme_of(source):
        kind, what = look(source)
        if kind is None and what:
            hint = "; name a WACZ *.wacz" if what == "a ZIP archive" else ""
            raise InputError(f"{source}: this is {what}, not an archive of pages{hint}")
    if kind == WAT:
        raise InputError(f"{source}: this is a WAT, metadata about the pages of a WARC, with no pages in it")
    return WARC if kind in (None, WACZ) else kind


def look(source: str) -> tuple[str | None, str | None]:
    """(the kind of a file by the beginning of its content, None if that does not tell; what it is, for a sentence, if
    it never holds pages).
    """
    file = open_input(source)
    try:
        start = file.read(_LOOK)
    finally:
        file.close()
    if start[:2] == b"\x1f\x8b":
        start = _decompressed(start)
        if not start:
            return WARC, None  # a damaged one: its reader says where and how
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"PAR1"):
        return PARQUET, None
    if begins_record(start.lstrip()):
        return _kind_of_records(start), None
    if text.startswith(b"{"):
        return JSON_LINES, None
    if sniff_html(start):
        return FOLDER, None
    lines = [line for line in text.decode("latin-1").splitlines() if not line.startswith("#")]
    if lines and lines[0].strip().lower().endswith((*WARC_SUFFIXES, *WET_SUFFIXES, WACZ_SUFFIX)):
        return LIST, None
    what = binary_kind(start)
    return None, what if what and not what.startswith(("binary", "a Zstandard", "an LZ4")) else None


def _decompressed(start: bytes) -> bytes:
    """The content of the first members of a gzip file; nothing if the first one is broken."""
    content = b""
    for _ in range(_MEMBERS):
        stream = zlib.decompressobj(31)
        try:
            content += stream.decompress(start, _LOOK - len(content))
        except zlib.error:
            break
        start = stream.unused_data
        if not start or len(content) >= _LOOK:
            break
    return content


def _kind_of_records(start: bytes) -> str:
    """What an archive holds, by the types of its first records: pages, texts or metadata."""
    types = {found.lower() for found in _WARC_TYPE.findall(start)}
    if types & _OF_PAGES:
        return WARC
    if b"conversion" in types:
        return WET
    is_wat = b"metadata" in types and b"request" not in types and b"Content-Type: application/json" in start
    return WAT if is_wat else WARC
