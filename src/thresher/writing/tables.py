# SPDX-License-Identifier: Apache-2.0
"""Rows into files and out of them: a partition's files being written, and the tables of a folder read back.

A file format is a class with `write(batch)` and `close()` (TableFile) and its entry in `_FORMATS`.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from thresher.config import JSON_LINES
from thresher.errors import OutputError
from thresher.schemas import TABLES
from thresher.schemas.skipped import PASSED_ON
from thresher.writing.file_format import FileFormat
from thresher.writing.storage import Storage

if TYPE_CHECKING:
    from pyarrow.dataset import Dataset

    from thresher.reading.captures import Document


SCHEMA_FILE: Final = "schema.parquet"
COMPACTED: Final = "_compacted.json"
"""In the folder of a table whose files were rewritten (thresher.after.compacting)."""

# Columns whose values repeat within a row group. For any other column a dictionary would be built only to be thrown
# away.
DICTIONARY_COLUMNS: Final = [
    "url_host_name",
    "url_host_registered_domain",
    "fetch_time",
    "fetch_status",
    "content_mime_type",
    "content_mime_detected",
    "content_charset",
    "content_languages",
    "content_truncated",
    "warc_filename",
    "warc_segment",
    "language",
    "charset_source",
    "status",
    "extractor",
    "extractor_version",
    "partition",
    "stage",
    "error_class",
    "kind",
    "path",
]


class TableFile(Protocol):
    """A file of one table that is being written."""

    def write(self, batch: pa.RecordBatch) -> None:
        """Write the rows of a batch."""

    def close(self) -> None:
        """Write what a file of this format ends with. The stream stays open."""


class ParquetFile:
    """A Parquet file with one row group for each batch."""

    def __init__(self, stream: Any, schema: pa.Schema, form: FileFormat) -> None:  # noqa: ANN401 (pyarrow's streams)
        dictionary: Any = [column for column in DICTIONARY_COLUMNS if column in schema.names]
        codec: Any = form.codec
        self._writer = pq.ParquetWriter(
            stream, schema, compression=codec, compression_level=form.level, use_dictionary=dictionary
        )

    def write(self, batch: pa.RecordBatch) -> None:
        self._writer.write_batch(batch, row_group_size=max(batch.num_rows, 1))

    def close(self) -> None:
        self._writer.close()


class ArrowFile:
    """An Arrow file, for rows that are read once and soon."""

    def __init__(self, stream: Any, schema: pa.Schema, form: FileFormat) -> None:  # noqa: ANN401 (pyarrow's streams)
        codec: Any = form.codec
        self._writer = pa.ipc.new_file(stream, schema, options=pa.ipc.IpcWriteOptions(compression=codec))

    def write(self, batch: pa.RecordBatch) -> None:
        self._writer.write_batch(batch)

    def close(self) -> None:
        self._writer.close()


_FORMATS: Final = {
    "parquet": ("tables", "ParquetFile"),
    "arrow": ("tables", "ArrowFile"),
    **dict.fromkeys(JSON_LINES, ("jsonl", "JsonLinesFile")),
    "csv": ("csv_file", "CsvFile"),
    "wet": ("wet", "WetFile"),
    "warc": ("warc_file", "WarcFile"),
}
"""The modules and classes that write files of a format; they are imported when one is written."""

_NOT_PARQUET: Final = {"jsonl": "JSON Lines", "csv": "CSV", "warc.wet": "WET"}
"""What names of files of the other formats hold."""


class PartitionWriter(AbstractContextManager["PartitionWriter"]):
    """Writes the files of one partition under temporary names, batch by batch; `formats` says how for each table."""

    def __init__(self, storage: Storage, partition: str, formats: Mapping[str, FileFormat]) -> None:
        self.partition = partition
        self.rows = dict.fromkeys(formats, 0)
        self._storage = storage
        self._formats = formats
        self._open: dict[str, tuple[TableFile, Any, str]] = {}
        self._files: dict[str, str] = {}

    def __exit__(self, error: object, *_: object) -> None:
        if error is not None:
            self.abandon()

    def write(self, table: str, batch: pa.RecordBatch) -> None:
        self._file_of(table, batch.schema).write(batch)
        self.rows[table] += batch.num_rows

    def pass_on(self, document: Document) -> None:
        """Write the record of a document."""
        self._file_of(PASSED_ON, None).write(document)
        self.rows[PASSED_ON] += 1

    def take_over(self, table: str, source: Storage) -> None:
        """Copy this partition's file of a table in another folder as it is, if there is one."""
        name = f"{self.partition}.{self._formats[table].suffix}"
        if source.has(f"{table}/{name}"):
            self._files[table] = self._storage.temporary(name)
            with (
                source.fs.open_input_stream(source.path(table, name), compression=None) as read,
                self._storage.fs.open_output_stream(self._files[table], compression=None) as write,
            ):
                shutil.copyfileobj(read, write, 1 << 20)

    def _file_of(self, table: str, schema: pa.Schema | None) -> Any:  # noqa: ANN401 (a TableFile, or of documents)
        if table not in self._open:
            form = self._formats[table]
            path = self._storage.temporary(f"{self.partition}-{table}.{form.suffix}")
            stream = self._storage.fs.open_output_stream(path, compression=None)  # by its suffix otherwise
            module, name = _FORMATS[form.format]
            file: TableFile = getattr(import_module(f"thresher.writing.{module}"), name)(stream, schema, form)
            self._open[table] = file, stream, path
        return self._open[table][0]

    def close(self) -> dict[str, str]:
        """Finish the files; {table: temporary path} of those that have rows."""
        for table, (file, stream, path) in self._open.items():
            file.close()
            stream.close()
            self._files[table] = path
        self._open.clear()
        return self._files

    def abandon(self) -> None:
        """Remove what was written. What cannot be removed now is removed when the run starts again or ends."""
        for table, (file, stream, path) in self._open.items():
            self._files[table] = path
            try:
                file.close()
                stream.close()
            except (OSError, pa.ArrowException):
                continue
        self._open.clear()
        for path in self._files.values():
            self._storage.delete(path)


class TableReader:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def dataset(self, table: str) -> Dataset:
        from pyarrow import dataset

        self._check(table)
        self.files(table)
        schema = TABLES[table].to_arrow()
        return dataset.dataset(self._storage.path(table), filesystem=self._storage.fs, schema=schema)

    def batches(self, table: str, columns: Sequence[str], *, batch_size: int = 1 << 17) -> Iterator[pa.RecordBatch]:
        """Some columns of a table in Parquet, batch by batch. Raises OutputError if a file is damaged."""
        with self._storage.undamaged(table):
            yield from self.dataset(table).to_batches(columns=list(columns), batch_size=batch_size)

    def files(self, table: str) -> list[str]:
        """The Parquet files of a table that may have rows, relative to its folder, in order. Raises OutputError if the
        table is in another format.
        """
        names = self._storage.files(table)
        for suffix, other in _NOT_PARQUET.items():
            if any(f".{suffix}" in name for name in names):
                raise OutputError(
                    f"{self._storage.location} holds {table} as {other}; only rows in Parquet can be read back: "
                    "extract again with --to parquet"
                )
        return [name for name in names if name.endswith(".parquet") and name != SCHEMA_FILE]

    def names_of(self, table: str) -> list[str]:
        """The columns that the files of a table have, by the first of them; none if there is no file."""
        for name in self.files(table)[:1]:
            with self.open(table, name) as file:
                return list(file.schema_arrow.names)
        return []

    def all_rows(self, table: str) -> int:
        """How many rows a table has."""
        return sum(self._storage.each(partial(self.n_rows, table), self.files(table)))

    def n_rows(self, table: str, name: str) -> int:
        """How many rows a file of a table has."""
        with self.open(table, name) as file:
            return int(file.metadata.num_rows)

    def rows(self, table: str) -> Iterator[dict[str, Any]]:
        """The rows of a small table, file by file. Avoids pyarrow.dataset, which takes 0.3 s of CPU to import."""
        names = TABLES[table].names()
        self._check(table)
        for found in self._storage.each(partial(self.read, table), self.files(table)):
            for row in found.to_pylist():
                yield {column: row.get(column) for column in names}

    def read(self, table: str, name: str) -> pa.Table:
        """The rows of a small file of a table. Raises OutputError, which names the file, if it is damaged."""
        with self.open(table, name) as file:
            return file.read()

    @contextmanager
    def open(self, table: str, name: str) -> Iterator[pq.ParquetFile]:
        """A Parquet file of a table. What reading a damaged one raises becomes an OutputError that names the file."""
        with self._storage.undamaged(f"{table}/{name}"):
            self._storage.require_file(f"{table}/{name}")
            with self._storage.fs.open_input_file(self._storage.path(table, name)) as file:
                yield pq.ParquetFile(file)

    def _check(self, table: str) -> None:
        if table not in self._storage.names():
            raise OutputError(f"{self._storage.location} holds no table {table!r}")
