# SPDX-License-Identifier: Apache-2.0
"""The rows of a run's tables in their order, whatever format they were written in."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pyarrow.parquet as pq

from thresher.config import JSON_LINES
from thresher.errors import OutputError
from thresher.reading.files import ReadAt
from thresher.reading.records import Record, RecordReader
from thresher.reading.text_files import content_of, split_lines
from thresher.schemas import ASKED
from thresher.writing.run_folder import RunFolder

Row = Mapping[str, Any]

_ROWS: Final = 64  # read at a time
_MAX_FIELD: Final = 1 << 30  # bytes of a value in CSV
_WET_HEADERS: Final = {
    "url": "warc-target-uri",
    "fetch_time": "warc-date",
    "language": "warc-identified-content-language",
    "warc_record_id": "warc-refers-to",
}


def first_rows(location: str, table: str) -> Iterator[Row]:
    """The rows of a table in an output folder, read as they are asked for. Raises OutputError for a folder that holds
    no run or no such table, and for damaged files.
    """
    folder = RunFolder(location)
    written = folder.rows().get("write.to", "parquet")
    if table not in folder.storage.names():
        raise OutputError(f"{location} holds no table {table!r}")
    if table != "pages" and not (table in ASKED and written == "jsonl"):
        written = "parquet"
    read = (
        _json_rows if written in JSON_LINES else {"parquet": _parquet_rows, "csv": _csv_rows, "wet": _wet_rows}[written]
    )
    names = folder.tables.files(table) if written == "parquet" else folder.storage.files(table)
    for name in names:
        if name.startswith(("_", ".")):
            continue
        with folder.storage.undamaged(f"{table}/{name}"):
            folder.storage.require_file(f"{table}/{name}")
            with folder.storage.fs.open_input_file(folder.storage.path(table, name)) as file:
                yield from read(file)


def _parquet_rows(file: Any) -> Iterator[Row]:  # noqa: ANN401 (pyarrow's files)
    for batch in pq.ParquetFile(file).iter_batches(_ROWS):
        yield from batch.to_pylist()


def _json_rows(file: Any) -> Iterator[Row]:  # noqa: ANN401 (pyarrow's files)
    """Rows of JSON Lines; the metadata of a document are columns again."""
    for line in _lines(file):
        row = json.loads(line)
        yield row.pop("metadata", {}) | row


def _csv_rows(file: Any) -> Iterator[Row]:  # noqa: ANN401 (pyarrow's files)
    """Rows of CSV, all values as text; an empty one is null."""
    csv.field_size_limit(_MAX_FIELD)
    lines = (line.decode("utf-8-sig" if number == 0 else "utf-8") + "\n" for number, line in enumerate(_lines(file)))
    for row in csv.DictReader(lines):
        yield {name: value or None for name, value in row.items()}


def _lines(file: Any) -> Iterator[bytes]:  # noqa: ANN401 (pyarrow's files)
    return (line or b"" for line in split_lines(content_of(file), _MAX_FIELD))


def _wet_rows(file: Any) -> Iterator[Row]:  # noqa: ANN401 (pyarrow's files)
    archive = ReadAt(file.size(), lambda start, n: file.read_at(n, start))
    for record in RecordReader(archive):
        if isinstance(record, Record) and record.kind == "conversion":
            row = {name: record.headers.get(header) for name, header in _WET_HEADERS.items()}
            yield row | {"text": record.reader.read(record.content_length).decode("utf-8", "replace")}
