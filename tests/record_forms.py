# SPDX-License-Identifier: Apache-2.0
"""The same 60 records in every form that Thresher reads."""

from __future__ import annotations

import gzip
import json
import random
import struct
import sys
import zipfile
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final

N_PAGES: Final = 60
HOSTS: Final = 3
SENTENCE: Final = "The harvest of the northern fields was brought in before the rain came over the hills. "
MENU: Final = "".join(f'<li><a href="/menu/{number}">Item {number} of this site</a></li>' for number in range(6))
REPEATED: Final = (
    "<p>Subscribe to the miller's letter of these northern fields, and read it every morning at no cost.</p>"
)


def url_of(number: int) -> str:
    return f"http://site{number % HOSTS}.example/fields/{number:02}.html"


@cache
def html_of(number: int) -> bytes:
    """A page with a menu, a paragraph that every page of its host has, an article, a picture, a table and code. Words
    of the article are no other page's: texts that differ in numbers alone are one text to templates.
    """
    letters = random.Random(number)
    own = [" ".join("".join(letters.choices("abcdefghij", k=5)) for _ in range(9)) for _ in range(2 + number % 4)]
    article = "".join(f"<p>{SENTENCE}{words}. It is page {number}, paragraph {k}.</p>" for k, words in enumerate(own))
    return (
        f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Page {number}</title></head><body>"
        f"<ul>{MENU}</ul><div><h1>Page {number}</h1>{article}{REPEATED}<p><img src=/{number}.jpg alt='Field {number}' "
        f"width=640 height=480></p><table><tr><th>Field<th>Tons</tr><tr><td>{number}<td>{number * 3}</tr></table>"
        f"<pre><code class=language-python>print({number})</code></pre><p>More at <a href=http://mill.example/{number}>"
        "the mill</a>, where the corn is ground.</p></div><p>Imprint</p></body></html>"
    ).encode()


def response(url: str, number: int) -> bytes:
    """A WARC record of a page."""
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + html_of(number)
    return (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:%d>\r\nWARC-Target-URI: %s\r\n"
        b"WARC-Date: 2026-11-20T00:00:%02dZ\r\nContent-Type: application/http; msgtype=response\r\n"
        b"Content-Length: %d\r\n\r\n%s\r\n\r\n" % (number + 1, url.encode(), number % 60, len(block), block)
    )


def warc_records(numbers: Sequence[int]) -> list[bytes]:
    """A warcinfo record and the pages."""
    note = b"software: tests\r\n"
    records = [
        b"WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:uuid:0>\r\nWARC-Date: 2026-11-20T00:00:00Z\r\n"
        b"Content-Type: application/warc-fields\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (len(note), note)
    ]
    return records + [response(url_of(number), number) for number in numbers]


def arc_records(numbers: Sequence[int]) -> list[bytes]:
    """The same pages in ARC, whose times are the same, and which has no ids."""
    note = b"1 0 Mill\nURL IP-address Archive-date Content-type Archive-length\n"
    records = [b"filedesc://mill.arc 0.0.0.0 20261120000000 text/plain %d\n%s\n" % (len(note), note)]
    for number in numbers:
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + html_of(number)
        at = url_of(number).encode()
        records.append(b"%s 192.0.2.1 202611200000%02d text/html %d\n%s\n" % (at, number % 60, len(block), block))
    return records


def groups(records: Sequence[bytes], n: int) -> list[bytes]:
    return [b"".join(records[at : at + n]) for at in range(0, len(records), n)]


def pieces(records: Sequence[bytes]) -> list[bytes]:
    """The records cut without regard to where they begin."""
    data, cut, size = b"".join(records), [], 700
    while data:
        cut.append(data[:size])
        data, size = data[size:], 700 + (size * 7) % 4000
    return cut


Compress = Callable[[bytes], bytes]


def gz(data: bytes) -> bytes:
    return gzip.compress(data, 6, mtime=0)


def zst(data: bytes) -> bytes:
    compressed: bytes = zstd().compress(data)
    return compressed


def zstd() -> ModuleType:
    if sys.version_info >= (3, 14):
        from compression import zstd as found
    else:
        from backports import zstd as found
    return found


def lz4(data: bytes) -> bytes:
    import lz4.frame

    compressed: bytes = lz4.frame.compress(data)
    return compressed


def members(parts: Iterable[bytes], compress: Compress) -> bytes:
    return b"".join(map(compress, parts))


def with_dictionary(records: Sequence[bytes]) -> bytes:
    """A frame for each record, all of which need the dictionary at the beginning of the file."""
    library = zstd()
    samples = [record[at : at + 400] for record in records for at in range(0, len(record), 400)]
    trained = library.train_dict(samples, 2048)
    content = trained.dict_content
    front = b"\x5d\x2a\x4d\x18" + struct.pack("<I", len(content)) + content
    return front + b"".join(library.compress(record, zstd_dict=trained) for record in records)


ARCHIVES: Final[dict[str, tuple[str, Callable[[Sequence[int]], bytes]]]] = {
    "plain": ("pages.warc", lambda numbers: b"".join(warc_records(numbers))),
    "gzip": ("pages.warc.gz", lambda numbers: members(warc_records(numbers), gz)),
    "gzip-one": ("pages.warc.gz", lambda numbers: gz(b"".join(warc_records(numbers)))),
    "gzip-two": ("pages.warc.gz", lambda numbers: members(groups(warc_records(numbers), 31), gz)),
    "gzip-threes": ("pages.warc.gz", lambda numbers: members(groups(warc_records(numbers), 3), gz)),
    "gzip-uneven": ("pages.warc.gz", lambda numbers: members(pieces(warc_records(numbers)), gz)),
    "arc": ("pages.arc", lambda numbers: b"".join(arc_records(numbers))),
    "arc-one": ("pages.arc.gz", lambda numbers: gz(b"".join(arc_records(numbers)))),
    "arc-gzip": ("pages.arc.gz", lambda numbers: members(arc_records(numbers), gz)),
    "zstd": ("pages.warc.zst", lambda numbers: members(warc_records(numbers), zst)),
    "zstd-one": ("pages.warc.zst", lambda numbers: zst(b"".join(warc_records(numbers)))),
    "zstd-threes": ("pages.warc.zst", lambda numbers: members(groups(warc_records(numbers), 3), zst)),
    "zstd-dictionary": ("pages.warc.zst", lambda numbers: with_dictionary(warc_records(numbers))),
    "lz4": ("pages.warc.lz4", lambda numbers: members(warc_records(numbers), lz4)),
    "lz4-one": ("pages.warc.lz4", lambda numbers: lz4(b"".join(warc_records(numbers)))),
}
"""Archives: their names, and what makes them."""

PAGES: Final = ("jsonl", "jsonl-gzip", "parquet", "folder")
"""Inputs that are no archives: no times, no statuses."""
LABELLED: Final = ("parquet",)
"""Forms that may hold a gold text beside each page."""
PACKED: Final = ("wacz", "wacz-deflated", "wacz-one", "list")
FORMS: Final = (*ARCHIVES, *PAGES, *PACKED)
"""All forms that lie on disk."""


def write(form: str, folder: Path, numbers: Sequence[int] = range(N_PAGES), *, gold: bool = False) -> Path:
    """Writes the pages with these numbers in a form into an empty folder, with gold texts if they are wanted; what a
    command is given.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if form in ARCHIVES:
        name, make = ARCHIVES[form]
        path = folder / name
        path.write_bytes(make(numbers))
        return path
    rows = [{"url": url_of(number), "html": html_of(number).decode()} for number in numbers]
    if gold:
        rows = [row | {"gold": SENTENCE} for row in rows]
    if form.startswith("jsonl"):
        text = "".join(json.dumps(row) + "\n" for row in rows).encode()
        path = folder / ("pages.jsonl.gz" if form == "jsonl-gzip" else "pages.jsonl")
        path.write_bytes(gz(text) if form == "jsonl-gzip" else text)
        return path
    if form == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = folder / "pages.parquet"
        pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=7)
        return path
    if form == "folder":
        site = folder / "site"
        for row in rows:
            page = site / row["url"].removeprefix("http://")
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(row["html"])
        return site
    if form == "list":
        path = folder / "paths.txt"
        path.write_text(f"{write('gzip-threes', folder / 'listed', numbers)}\n")
        return path
    inner = {"wacz": "gzip", "wacz-deflated": "plain", "wacz-one": "gzip-one"}[form]
    name, make = ARCHIVES[inner]
    path = folder / "crawl.wacz"
    how = zipfile.ZIP_DEFLATED if form == "wacz-deflated" else zipfile.ZIP_STORED
    with zipfile.ZipFile(path, "w", how) as packed:
        packed.writestr(f"archive/{name}", make(numbers))
        packed.writestr("datapackage.json", "{}")
    return path


def damage(path: Path) -> Callable[[], object]:
    """Damages a file of pages, or a page of a folder; what mends it again."""
    if path.is_dir():
        page = sorted(path.rglob("*.html"))[7]
        held = page.read_bytes()
        page.unlink()
        page.symlink_to("nowhere")

        def mend() -> None:
            page.unlink()
            page.write_bytes(held)

        return mend
    data = path.read_bytes()
    cut = len(data) * 2 // 3
    if path.suffix == ".wacz":  # whose end says where everything is
        path.write_bytes(data[: cut - 500] + bytes(500) + data[cut:])
    else:
        path.write_bytes(data[:cut])
    return lambda: path.write_bytes(data)
