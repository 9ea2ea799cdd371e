# SPDX-License-Identifier: Apache-2.0
"""Pages as WET: WARC records of type `conversion` with the text of each page, as Common Crawl publishes them.

Every record is a gzip member of its own. Everything in a file is a function of the rows: two runs give equal files.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import pyarrow as pa

from thresher._version import __version__
from thresher.writing.file_format import COLUMNS, FileFormat
from thresher.writing.jsonl import document_id

_MEDIA_TYPES: Final = {"text": "text/plain", "markdown": "text/markdown", "html": "text/html", "source": "text/html"}
_NO_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NAMESPACE: Final = uuid.UUID("0b5c6f0e-6d0c-5b44-9a2b-4f6c2b7a5d11")


class WetFile:
    def __init__(self, stream: Any, _schema: pa.Schema, form: FileFormat) -> None:  # noqa: ANN401 (pyarrow's streams)
        self._stream = stream
        self._gzip_level = form.level or 6 if form.codec == "gzip" else None
        self._media_type = _MEDIA_TYPES[form.text_format]
        self._begun = False

    def write(self, batch: pa.RecordBatch) -> None:
        for row in batch.select(list(COLUMNS["wet"])).to_pylist():
            name = document_id(row)
            date = warc_date(row["fetch_time"])
            if not self._begun:
                self._begun = True
                self._write(*about(name, date))
            text = (row["text"] or "").encode("utf-8")
            headers = {
                "WARC-Type": "conversion",
                "WARC-Target-URI": row["url"],
                "WARC-Date": date,
                "WARC-Record-ID": identifier("conversion", name),
                "WARC-Refers-To": f"<{row['warc_record_id']}>" if row["warc_record_id"] else None,
                "WARC-Block-Digest": _digest(text),
                "WARC-Identified-Content-Language": row["language"] if row["language"] != "und" else None,
                "Content-Type": self._media_type,
            }
            self._write(headers, text)

    def close(self) -> None:
        """Nothing ends a file: every record is whole."""

    def _write(self, headers: dict[str, str | None], block: bytes) -> None:
        record = record_of(headers, block)
        if self._gzip_level is not None:
            record = gzip.compress(record, self._gzip_level, mtime=0)
        self._stream.write(record)


def record_of(headers: Mapping[str, str | None], block: bytes) -> bytes:
    """A WARC record with the headers that have a value."""
    lines = [f"{name}: {one_line(value)}" for name, value in headers.items() if value]
    head = "\r\n".join(["WARC/1.0", *lines, f"Content-Length: {len(block)}", "", ""])
    return head.encode("utf-8") + block + b"\r\n\r\n"


def warc_date(moment: datetime | None) -> str:
    """A time as WARC has it; one that is not known is the first second of 1970."""
    return (moment or _NO_TIME).strftime("%Y-%m-%dT%H:%M:%SZ")


def one_line(value: str) -> str:
    """A header's value without line ends and other control characters, so that no page can write headers."""
    return "".join(character if character.isprintable() or character == " " else "%20" for character in value)


def about(first: str, date: str) -> tuple[dict[str, str | None], bytes]:
    """The warcinfo record of a file whose first page has this name."""
    headers: dict[str, str | None] = {
        "WARC-Type": "warcinfo",
        "WARC-Date": date,
        "WARC-Record-ID": identifier("warcinfo", first),
        "Content-Type": "application/warc-fields",
    }
    return headers, f"software: thresher/{__version__}\r\nformat: WARC File Format 1.0\r\n".encode()


def identifier(kind: str, name: str) -> str:
    return f"<urn:uuid:{uuid.uuid5(_NAMESPACE, f'{kind} {name}')}>"


def _digest(block: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(block, usedforsecurity=False).digest()).decode()
