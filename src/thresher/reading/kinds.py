# SPDX-License-Identifier: Apache-2.0
"""What an input is: archive, folder of HTML files, JSON Lines, Parquet, ranges of archives, or a list of paths."""

from __future__ import annotations

import os
import re
from contextlib import closing
from typing import Final

from thresher.errors import InputError
from thresher.file_kinds import binary_kind
from thresher.reading.files import in_memory
from thresher.reading.members import ZSTD, Broken, codec_of
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
    path_of,
    scheme_of,
)
from thresher.reading.opening import open_input
from thresher.reading.payload import sniff_html
from thresher.reading.streams import begins_record, inflate_start

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
_CODECS: Final = {".gz": "gzip", ".zst": "zstd", ".lz4": "lz4", ".bz2": "bz2"}
_WARC_TYPE: Final = re.compile(rb"^WARC-Type:[ \t]*(\w+)", re.IGNORECASE | re.MULTILINE)
_OF_PAGES: Final = frozenset((b"response", b"resource", b"revisit"))


def kind_by_name(name: str) -> str | None:
    """The kind of a file that its name says; None if it says none."""
    path = path_of(name).lower()
    return next((kind for kind, suffixes in _SUFFIXES.items() if path.endswith(suffixes)), None)


def codec_by_name(name: str) -> str:
    """How a file is compressed by its name; "" where that says nothing."""
    path = path_of(name).lower()
    return next((codec for suffix, codec in _CODECS.items() if path.endswith(suffix)), "")


def kind_of(source: str) -> tuple[str, str]:
    """(the kind of an input, how it is compressed), by its name, or where that does not tell by the beginning of a
    local file. A WARC in a WACZ is a WARC.

    Raises InputError for a file that holds no pages, such as an image.
    """
    kind, codec = kind_by_name(source), codec_by_name(source)
    if not scheme_of(source) and kind in (None, FOLDER) and os.path.isdir(local_path(source)):
        return FOLDER, ""
    if kind is None and not scheme_of(source):
        kind, what, codec = look(source)
        if kind is None and what:
            hint = "; name a WACZ *.wacz" if what == "a ZIP archive" else ""
            raise InputError(f"{source}: this is {what}, not an archive of pages{hint}")
    if kind == WAT:
        raise InputError(f"{source}: this is a WAT, metadata about the pages of a WARC, with no pages in it")
    return WARC if kind in (None, WACZ) else kind, codec


def look(source: str) -> tuple[str | None, str | None, str]:
    """(the kind of a file by the beginning of its content, None if that does not tell; what it is, for a sentence, if
    it never holds pages; how it is compressed).
    """
    with closing(open_input(source)) as file:
        return look_at(file.read(_LOOK))


def look_at(start: bytes) -> tuple[str | None, str | None, str]:
    """What look() finds of a file that begins so."""
    start = start[:_LOOK]
    try:
        codec, begin = codec_of(in_memory(start), start)
    except Broken:
        return WARC, None, ZSTD.name  # its reader says what is wrong with the dictionary
    name = codec.name if codec else ""
    if codec and begin < len(start):
        start = inflate_start(in_memory(start), begin, _LOOK, codec)
        if not start:
            return WARC, None, name  # a damaged one: its reader says where and how
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"PAR1"):
        return PARQUET, None, name
    if begins_record(start.lstrip()):
        return _kind_of_records(start), None, name
    if text.startswith(b"{"):
        return JSON_LINES, None, name
    if sniff_html(start):
        return FOLDER, None, name
    lines = [line for line in text.decode("latin-1").splitlines() if not line.startswith("#")]
    if lines and lines[0].strip().lower().endswith((*WARC_SUFFIXES, *WET_SUFFIXES, WACZ_SUFFIX)):
        return LIST, None, name
    what = binary_kind(start)
    return None, what if what and not what.startswith("binary") else None, name


def _kind_of_records(start: bytes) -> str:
    """What an archive holds, by the types of its first records: pages, texts or metadata."""
    types = {found.lower() for found in _WARC_TYPE.findall(start)}
    if types & _OF_PAGES:
        return WARC
    if b"conversion" in types:
        return WET
    is_wat = b"metadata" in types and b"request" not in types and b"Content-Type: application/json" in start
    return WAT if is_wat else WARC
