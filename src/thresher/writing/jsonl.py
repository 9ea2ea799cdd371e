# SPDX-License-Identifier: Apache-2.0
"""Pages as JSON Lines: one object on a line, in the shape of a row, of Dolma's documents, or of datatrove's."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

if TYPE_CHECKING:
    from thresher.writing.file_kind import FileKind

__all__ = ["SHAPES", "JsonLinesFile", "document_id"]

_LINE_ENDS: Final = str.maketrans({"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"})
"""Line ends to some readers, though not to JSON Lines."""

Row = Mapping[str, Any]


class JsonLinesFile:
    """A file of JSON Lines, compressed as one stream."""

    def __init__(self, stream: Any, schema: pa.Schema, kind: FileKind) -> None:  # noqa: ANN401 (pyarrow's streams)
        codec: Any = kind.codec
        self._stream = pa.CompressedOutputStream(stream, codec) if codec else stream
        self._close = bool(kind.codec)
        self._shape = SHAPES[kind.format]
        self._maps = [field.name for field in schema if pa.types.is_map(field.type)]
        self._floats = [field.name for field in schema if pa.types.is_floating(field.type)]

    def write(self, batch: pa.RecordBatch) -> None:
        """Write a line for each row of a batch."""
        lines = []
        for row in batch.to_pylist():
            for name in self._floats:
                if row[name] is not None:
                    row[name] = round(row[name], 6)  # columns have 32 bits
            for name in self._maps:
                if row[name] is not None:
                    row[name] = {key: round(value, 6) for key, value in row[name]}
            lines.append(json.dumps(self._shape(row), ensure_ascii=False, default=_iso).translate(_LINE_ENDS))
        self._stream.write("".join(f"{line}\n" for line in lines).encode("utf-8"))

    def close(self) -> None:
        """Write what a compressed stream ends with."""
        if self._close:
            self._stream.close()


def document_id(row: Row) -> str:
    """A name for a page that no other page has: its archive and its offset there, as in the column duplicate_of."""
    return f"{row['warc_filename']}#{row['warc_record_offset']}"


def _iso(value: date) -> str:
    """A date or a time as JSON has none."""
    return value.isoformat()


def _row(row: Row) -> Row:
    return row


def _dolma(row: Row) -> Row:
    """A document as Dolma reads it."""
    return {
        "id": document_id(row),
        "text": row["text"] or "",
        "source": "thresher",
        "added": row["fetch_time"],
        "created": row["date"] or row["fetch_time"],
        "metadata": _metadata(row),
    }


def _datatrove(row: Row) -> Row:
    """A document as datatrove reads it."""
    return {"text": row["text"] or "", "id": document_id(row), "metadata": _metadata(row)}


def _metadata(row: Row) -> Row:
    """All columns but the text; those without a value are left out."""
    return {name: value for name, value in row.items() if name != "text" and value is not None}


SHAPES: Final[dict[str, Callable[[Row], Row]]] = {"jsonl": _row, "dolma": _dolma, "datatrove": _datatrove}
"""What a line holds, by the format of the file."""
