# SPDX-License-Identifier: Apache-2.0
"""Pages as JSON Lines: one object on a line, in the shape of a row, of Dolma's documents, or of datatrove's."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from typing import Any, Final

import pyarrow as pa

from thresher.address import page_id
from thresher.reading.names import WACZ_MEMBER, local_path, scheme_of
from thresher.writing.file_format import FileFormat, TextFile

TIME_SUFFIX: Final = "_us"
"""Of the columns that say how long a page took."""

_LINE_ENDS: Final = str.maketrans({"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"})
"""Line ends to some readers, though not to JSON Lines."""

Row = Mapping[str, Any]


class JsonLinesFile(TextFile):
    """A file of JSON Lines, compressed as one stream."""

    def __init__(self, stream: Any, schema: pa.Schema, form: FileFormat) -> None:  # noqa: ANN401 (pyarrow's streams)
        super().__init__(stream, form)
        self._shape = SHAPES[form.format]
        self._maps = [field.name for field in schema if pa.types.is_map(field.type)]
        self._floats = [field.name for field in schema if pa.types.is_floating(field.type)]

    def write(self, batch: pa.RecordBatch) -> None:
        lines = []
        for row in batch.to_pylist():
            for name in self._floats:
                if row[name] is not None:
                    row[name] = round(row[name], 6)  # columns have 32 bits
            for name in self._maps:
                if row[name] is not None:
                    row[name] = {key: round(value, 6) for key, value in row[name]}
            line = json.dumps(self._shape(row), ensure_ascii=False, default=lambda value: value.isoformat())
            lines.append(line.translate(_LINE_ENDS) + "\n")
        self._stream.write("".join(lines).encode("utf-8"))


def document_id(row: Row) -> str:
    """A name for a page that no other page has: its archive and its address there, as in the column duplicate_of.

    An absolute path of this machine is reduced to the file's name. As other folders may hold a file of that name, the
    id then ends in eight hexadecimal digits of URL, time and text.
    """
    name = public_name(row["warc_filename"])
    found = page_id(name, row["warc_record_offset"], row["warc_record_number"])
    if name == row["warc_filename"]:
        return found
    what = "\0".join(str(row[column]) for column in ("url", "fetch_time", "text"))
    return f"{found}-{hashlib.sha256(what.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def public_name(warc_filename: str) -> str:
    """The name of an archive without the folder of this machine that it lies in; a URL or relative path as it is."""
    path = local_path(warc_filename)
    if scheme_of(warc_filename) or not os.path.isabs(path):
        return warc_filename
    member = WACZ_MEMBER.fullmatch(path)
    archive, rest = (member[1], f"!{member[2]}") if member else (path, "")
    return (os.path.basename(archive.rstrip("/")) or "root") + rest


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
    """All columns but the text. Left out are those without a value, times that were measured, and folders of this
    machine, so that the same pages give the same documents.
    """
    found = {
        name: value
        for name, value in row.items()
        if value is not None and name != "text" and not name.endswith(TIME_SUFFIX)
    }
    found["warc_filename"] = public_name(found["warc_filename"])
    if "duplicate_of" in found:
        archive, _, address = found["duplicate_of"].rpartition("#")
        found["duplicate_of"] = f"{public_name(archive)}#{address}"
    return found


SHAPES: Final[dict[str, Callable[[Row], Row]]] = {"jsonl": _row, "dolma": _dolma, "datatrove": _datatrove}
"""What a line holds, by the format of the file."""
