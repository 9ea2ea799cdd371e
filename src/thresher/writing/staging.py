# SPDX-License-Identifier: Apache-2.0
"""The folder of the first pass: OUT/_staging, which exists until the run ends.

It is a run folder with a ledger and the tables of a run, and has further tables (schemas/staging.py) that only the
second pass reads. Tables that are read across partitions, as by SQL, are Parquet; all other files are Arrow.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from thresher.reading.names import scheme_of
from thresher.schemas.skipped import PASSED_ON
from thresher.schemas.staging import COUNTED, STAGED
from thresher.writing.file_format import FileFormat, formats_of
from thresher.writing.layout import RUN_NAMES
from thresher.writing.run_folder import RunFolder
from thresher.writing.tables import SCHEMA_FILE

if TYPE_CHECKING:
    from thresher.config import Configuration

COUNTED_MARK = "_counted"  # there when everything is counted
OF_THE_SECOND_PASS = ("originals", "known_pages", "large_hosts", "counts", "evidence", "_decided")
"""What a second pass begins anew, unless everything is counted."""


class StagingFolder(RunFolder):
    """The folder of a first pass."""

    names = RUN_NAMES | {*STAGED, *OF_THE_SECOND_PASS, "earlier", "known", COUNTED_MARK}

    def _formats(self, configuration: Configuration | None) -> dict[str, FileFormat]:
        # On a local disk no codec pays for itself in Arrow files that are read once; over a network lz4 does.
        counted, arrow = FileFormat("parquet", "lz4"), FileFormat("arrow", "lz4" if scheme_of(self.location) else None)
        formats = formats_of(configuration)
        staged = {table: counted if table in COUNTED else arrow for table in (*formats, *STAGED)}
        return staged | {table: form for table, form in formats.items() if table == PASSED_ON}

    def read(self, table: str, partition: str) -> pa.Table | None:
        """The rows of a partition's Parquet file, or folder `partition=` of files; None if there is neither."""
        storage = self.storage
        for path in (storage.path(table, f"{partition}.parquet"), storage.path(table, f"partition={partition}")):
            kind = storage.fs.get_file_info(path).type
            if kind == fs.FileType.File:
                return self._read_file(path)
            if kind == fs.FileType.Directory:
                found = storage.fs.get_file_info(fs.FileSelector(path))
                files = [info.path for info in found if info.path.endswith(".parquet")]
                tables = [self._read_file(each) for each in sorted(files)]
                return pa.concat_tables(tables) if tables else None
        return None

    def _read_file(self, path: str) -> pa.Table:
        with self.storage.fs.open_input_file(path) as file:
            return pq.ParquetFile(file).read()  # pq.read_table() imports pyarrow.dataset

    def read_groups(self, table: str, partition: str, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
        """The batches of a partition's Arrow file, with all columns or these; none where there is no file.

        A local file is mapped: nothing is copied, and only what is looked at is read.
        """
        path = self.storage.path(table, self.file_name(table, partition))
        if self.storage.fs.get_file_info(path).type == fs.FileType.NotFound:
            return
        with pa.memory_map(path) if self.storage.is_local else self.storage.fs.open_input_file(path) as source:
            schema = pa.ipc.open_file(source).schema
            wanted = None if columns is None else [schema.get_field_index(name) for name in columns]
            file = pa.ipc.open_file(source, options=pa.ipc.IpcReadOptions(included_fields=wanted))
            for number in range(file.num_record_batches):
                yield file.get_batch(number)

    def files(self, table: str) -> list[str]:
        """The names of the Parquet files of a table, in order."""
        return sorted(name for name in self.storage.names(table) if name.endswith(".parquet") and name != SCHEMA_FILE)

    def write(self, table: str, name: str, rows: pa.Table) -> None:
        """Write a Parquet file of a table that only the second pass has."""
        self.storage.make(table)
        with self.storage.writing(f"{table}/{name}.parquet") as stream:
            pq.write_table(rows, stream, compression="lz4", use_dictionary=False, write_statistics=False)
