# SPDX-License-Identifier: Apache-2.0
"""Records of documents as WARC, for the tools that read such documents: each as it is in its archive.

To a record's header three lines are added: WARC-Source-URI and WARC-Source-Range, where it lies, as cdx_toolkit writes
them, and what the document is, where the archive does not say that. A record from an ARC gets the header of a WARC.
Every record is a gzip member of its own. Everything in a file is a function of the archive: two runs give equal files.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
from contextlib import nullcontext
from typing import Any, Final

from thresher.file_kinds import DOCUMENTS
from thresher.reading.captures import Capture, Document
from thresher.writing.file_format import FileFormat
from thresher.writing.wet import about, identifier, one_line, record_of, warc_date

__all__ = ["WarcFile"]

_LENGTH: Final = re.compile(rb"(?im)^Content-Length[ \t]*:[^\r\n]*")


class WarcFile:
    """A file of records."""

    def __init__(self, stream: Any, _schema: None, form: FileFormat) -> None:  # noqa: ANN401 (pyarrow's streams)
        self._stream, self._level, self._begun = stream, form.level, False
        self._is_compressed = form.codec is not None

    def write(self, document: Document) -> None:
        capture = document.capture
        date = warc_date(capture.fetch_time)
        name = f"passed on {capture.warc_filename}#{capture.warc_record_offset}.{capture.warc_record_number}"
        if not self._begun:
            self._begun = True
            with self._member() as member:
                member.write(record_of(*about(name, date)))
        n = document.block.seek(0, os.SEEK_END)
        document.block.seek(0)
        with self._member() as member:
            member.write(_head(document, n, name, date))
            shutil.copyfileobj(document.block, member, 1 << 20)
            member.write(b"\r\n\r\n")

    def close(self) -> None:
        """Nothing ends a file: every record is whole."""

    def _member(self) -> Any:  # noqa: ANN401 (a file that is open while a record is written)
        if not self._is_compressed:
            return nullcontext(self._stream)
        return gzip.GzipFile("", "wb", self._level or 6, self._stream, mtime=0)


def _head(document: Document, n: int, name: str, date: str) -> bytes:
    """The header of a document's record, whose block has `n` bytes."""
    capture, head = document.capture, document.head
    if not head.startswith(b"WARC/"):
        headers = {
            "WARC-Type": "response",
            "WARC-Target-URI": capture.url,
            "WARC-Date": date,
            "WARC-Record-ID": identifier("document", name),
            "Content-Type": "application/http;msgtype=response",
        }
        head = record_of(headers, b"")
    lines = _LENGTH.sub(b"Content-Length: %d" % n, head.replace(b"\r\n", b"\n").strip(b"\r\n")).split(b"\n")
    present = {line.partition(b":")[0].strip().lower() for line in lines}
    lines += [line for line in _added(capture, document.kind) if line.partition(b":")[0].lower() not in present]
    return b"\r\n".join([*lines, b"", b""])


def _added(capture: Capture, kind: str) -> list[bytes]:
    last = capture.warc_record_offset + capture.warc_record_length - 1
    added = {
        "WARC-Source-URI": capture.warc_filename,
        "WARC-Source-Range": f"bytes={capture.warc_record_offset}-{last}",
        "WARC-Identified-Payload-Type": DOCUMENTS.get(kind, (kind,))[0],
    }
    return [f"{name}: {one_line(value)}".encode("utf-8", "replace") for name, value in added.items()]
