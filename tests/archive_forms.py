# SPDX-License-Identifier: Apache-2.0
"""The same pages as archives whose records share members: where an offset alone names no record."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
from small_archive import page, write_archive

PAGES = {f"https://mill.example/{n}": page(n, paragraphs=2) for n in range(11)}


def records_of(pages: dict[str, bytes], folder: Path) -> list[bytes]:
    """The records of a WARC of these pages, with their requests and metadata."""
    data = write_archive(folder / "records.warc", pages, gzip=False).read_bytes()
    starts = [found.start() for found in re.finditer(rb"^WARC/1\.", data, re.MULTILINE)]
    return [data[start:end] for start, end in zip(starts, [*starts[1:], len(data)], strict=True)]


def arc_of(pages: dict[str, bytes]) -> list[bytes]:
    """The records of an ARC of these pages."""
    note = b"1 0 Mill\nURL IP-address Archive-date Content-type Archive-length\n"
    out = [b"filedesc://mill.arc 0.0.0.0 20261120000000 text/plain %d\n%s\n" % (len(note), note)]
    for url, html in pages.items():
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + html
        out.append(b"%s 192.0.2.1 20261120000000 text/html %d\n%s\n" % (url.encode(), len(block), block))
    return out


def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def _zstd(data: bytes) -> bytes:
    return pa.compress(data, codec="zstd", asbytes=True)


def _lz4(data: bytes) -> bytes:
    return pa.compress(data, codec="lz4", asbytes=True)


FORMS: dict[str, tuple[Callable[[bytes], bytes], int]] = {
    "plain.warc": (bytes, 0),
    "each.warc.gz": (_gzip, 1),
    "one.warc.gz": (_gzip, 0),
    "threes.warc.gz": (_gzip, 3),
    "one.warc.zst": (_zstd, 0),
    "threes.warc.zst": (_zstd, 3),
    "one.warc.lz4": (_lz4, 0),
    "plain.arc": (bytes, 0),
    "one.arc.gz": (_gzip, 0),
    "threes.arc.gz": (_gzip, 3),
}
"""Names of archives: how a member is compressed, and how many records it holds (0: all of them)."""


def write_form(folder: Path, name: str, pages: dict[str, bytes] | None = None) -> Path:
    """The archive of that name, of PAGES or other pages."""
    folder.mkdir(parents=True, exist_ok=True)
    compress, size = FORMS[name]
    records = arc_of(pages or PAGES) if ".arc" in name else records_of(pages or PAGES, folder)
    size = size or len(records)
    path = folder / name
    path.write_bytes(b"".join(compress(b"".join(records[at : at + size])) for at in range(0, len(records), size)))
    (folder / "records.warc").unlink(missing_ok=True)
    return path
