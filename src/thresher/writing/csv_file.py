# SPDX-License-Identifier: Apache-2.0
"""Pages as CSV (RFC 4180, in UTF-8): a line of names, then a record for each row.

It begins with a byte order mark, without which Excel takes it for another encoding.
"""

from __future__ import annotations

import csv
import io
import json
from codecs import BOM_UTF8
from datetime import date
from typing import Any

import pyarrow as pa

from thresher.writing.file_format import FileFormat, TextFile


class CsvFile(TextFile):
    """A CSV file. It begins with the names of the columns: those asked for by name first, in the order asked."""

    def __init__(self, stream: Any, schema: pa.Schema, form: FileFormat) -> None:  # noqa: ANN401 (pyarrow's streams)
        super().__init__(stream, form)
        asked = {name: place for place, name in enumerate(dict.fromkeys(form.columns))}
        self._order = sorted(range(len(schema)), key=lambda place: asked.get(schema.names[place], len(asked)))
        self._stream.write(BOM_UTF8)
        self._write([[schema.names[place] for place in self._order]])

    def write(self, batch: pa.RecordBatch) -> None:
        columns = [
            [_cell(value) for value in (_objects(column) if pa.types.is_map(column.type) else column.to_pylist())]
            for column in (batch.column(place) for place in self._order)
        ]
        self._write(zip(*columns, strict=True))

    def _write(self, records: Any) -> None:  # noqa: ANN401 (iterables of lists and of tuples)
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows(records)
        self._stream.write(text.getvalue().encode("utf-8"))


def _objects(column: Any) -> list[dict[str, float] | None]:  # noqa: ANN401 (pyarrow's arrays)
    """A column of maps from names to numbers."""
    return [None if row is None else {name: round(value, 6) for name, value in row} for row in column.to_pylist()]


def _cell(value: Any) -> Any:  # noqa: ANN401 (any value of a row)
    """A value as CSV has it: null is empty, a list or an object is JSON."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return round(value, 6)  # columns have 32 bits
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return value
