# SPDX-License-Identifier: Apache-2.0
"""The output folder: Parquet files that appear whole or not at all, and the ledger of what is finished.

    OUT/pages/00007-0002.parquet        rows of partition 2 of the eighth WARC; metrics/ and dead_letter/ likewise
    OUT/pages/schema.parquet            no rows: the table can be read before, and without, any page
    OUT/_run.json                       resolved configuration, inputs and versions: what the rows are a function of
    OUT/_ledger/00007.json              which partitions of a WARC are finished; 00007.done.json when all are
    OUT/_staging/                       of a run with templates, until it ends: the first pass's own output folder
    OUT/_temporary/                     files being written; nothing else ever looks at them

A partition's files are written under _temporary/, renamed one by one, and only then entered in the ledger. Killed in
between, the partition is done again: the names are a function of input and configuration, so the new files take the place
of the old and no row is there twice. Two attempts at one partition (a task that was retried, or run twice by speculation)
write under different temporary names and rename to the same final ones, with the same rows.

Local folders, s3://, hdfs:// and whatever else pyarrow.fs or fsspec can write. Where a store has no rename (S3), a copy made
by the store takes its place; an object appears whole there too.
"""

from __future__ import annotations

import json
import os
import re
import sys
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakSet

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from thresher.config import Write
from thresher.inputs import s3_file_system, scheme_of
from thresher.schemas import TABLES
from thresher.schemas.staging import COUNTED, STAGED

if TYPE_CHECKING:
    from pyarrow.dataset import Dataset

RUN_FILE = "_run.json"
LEDGER = "_ledger"
TEMPORARY = "_temporary"
LOCK = "_lock"
SCHEMA_FILE = "schema.parquet"
STAGING = "_staging"
_OWN = {
    RUN_FILE,
    LEDGER,
    TEMPORARY,
    LOCK,
    STAGING,
    *TABLES,
    *STAGED,
    "originals",
    "large_hosts",
    "known",
    "counts",
    "evidence",
    "_counted",
    "_decided",
}
_PART = re.compile(r"(\d{5,})-\d{4,}\.(parquet|arrow)")
_LEDGER_FILE = re.compile(r"\d{5,}(\.done)?\.json")

# Columns whose values repeat within a row group; for the others a dictionary is built only to be thrown away.
_DICTIONARY_COLUMNS = [
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
]


class OutputError(ValueError):
    """An output folder that cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class PartitionEntry:
    """What the ledger keeps of a finished partition."""

    partition: str
    next_offset: int | None  # of the first record after it; None where the WARC ended or broke
    rows: dict[str, int]  # per table


class OutputFolder:
    """One output folder, wherever it lies. Cheap to make; each process makes its own."""

    def __init__(self, location: str, *, staging: bool = False) -> None:
        """The folder at this location; `staging` for that of a first pass, which has tables of its own."""
        self.location = location
        self.tables = (*TABLES, *STAGED) if staging else tuple(TABLES)
        self.is_staging = staging
        self._fs, self._root = _file_system(location)
        self.is_local = isinstance(self._fs, fs.LocalFileSystem)
        self._lock_file: int | None = None

    # --- the run as a whole ---

    def open_run(self, run: Mapping[str, Any], n_inputs: int, optional: Collection[str] = ()) -> bool:
        """Make the folder ready for a run, or find that it holds a part of the same run; true if so.

        `run` is what `_run.json` will hold; its key "rows" is what rows are a function of; `optional` the optional columns
        that it writes. Raises OutputError where the folder holds another run's output or anything else.
        """
        present = self._names("")
        foreign = sorted(present - _OWN)
        if foreign:
            raise OutputError(
                f"{self.location} holds {foreign[0]!r}, which is not of a run's output; choose an empty or a new folder"
            )
        resumed = RUN_FILE in present
        if resumed:
            self._check_same_run(run)
        elif present & set(TABLES) or LEDGER in present:
            raise OutputError(f"{self.location} holds tables but no {RUN_FILE}; choose an empty or a new folder")
        for table in TABLES:
            self._check_parts(table, n_inputs)
        try:
            self._fs.create_dir(self._root, recursive=True)
            self._lock()
            if TEMPORARY in present:
                self._fs.delete_dir(self._path(TEMPORARY))
            for name in (*self.tables, LEDGER, TEMPORARY):
                self._fs.create_dir(self._path(name), recursive=True)
            if not resumed:
                self._write_json(RUN_FILE, run)
            for table, columns in TABLES.items():
                if SCHEMA_FILE not in self._names(table):
                    temporary = self._temporary(SCHEMA_FILE)
                    with self._fs.open_output_stream(temporary) as stream:
                        pq.ParquetWriter(stream, columns.written(optional).to_arrow()).close()
                    self._move(temporary, self._path(table, SCHEMA_FILE))
        except OSError as error:
            raise OutputError(f"cannot write to {self.location}: {error}") from error
        return resumed

    def close_run(self) -> None:
        """Remove what only a run in progress needs."""
        if TEMPORARY in self._names(""):
            self._fs.delete_dir(self._path(TEMPORARY))
        if self._lock_file is not None:
            self._delete(self._path(LOCK))
            self._leave_lock()

    def _leave_lock(self) -> None:
        """Let go of the lock, unless a process forked from this one, or that this one was forked from, has it too."""
        if self._lock_file is not None:
            os.close(self._lock_file)
            self._lock_file = None
            _locked.discard(self)

    def _lock(self) -> None:
        """Take the folder for this process until it ends, however it ends; only for local folders."""
        if not self.is_local or sys.platform == "win32":
            return
        import fcntl

        self._lock_file = os.open(self._path(LOCK), os.O_CREAT | os.O_RDWR, 0o644)
        try:
            fcntl.flock(self._lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise OutputError(f"{self.location} is being written by another run; wait for it or stop it") from error
        _locked.add(self)

    # --- the first of two passes ---

    @property
    def staging(self) -> str:
        """Where the first pass of a run with templates writes."""
        return f"{self.location.rstrip('/')}/{STAGING}"

    def partitions(self) -> list[str]:
        """The names of the partitions that have a file in any table, in order."""
        names = {name for table in TABLES for name in self._names(table) if name != SCHEMA_FILE}
        return sorted({name.partition(".")[0] for name in names})

    def read(self, table: str, partition: str) -> pa.Table | None:
        """The rows of a partition's file, or folder `partition=` of files; None where there is none."""
        for path in (self._path(table, f"{partition}.parquet"), self._path(table, f"partition={partition}")):
            kind = self._fs.get_file_info(path).type
            if kind == fs.FileType.File:
                return self._read_file(path)
            if kind == fs.FileType.Directory:
                files = [
                    info.path
                    for info in self._fs.get_file_info(fs.FileSelector(path))
                    if info.path.endswith(".parquet")
                ]
                tables = [self._read_file(each) for each in sorted(files)]
                return pa.concat_tables(tables) if tables else None
        return None

    def _read_file(self, path: str) -> pa.Table:
        with self._fs.open_input_file(path) as file:
            return pq.ParquetFile(file).read()  # pq.read_table() imports pyarrow.dataset

    def read_groups(self, table: str, partition: str, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
        """What the first pass wrote of a partition, group of rows by group of rows, with all columns or these; none where there is no file.

        Of a local file nothing is copied, and only what is looked at is read.
        """
        path = self._path(table, self.file_name(table, partition))
        if self._fs.get_file_info(path).type == fs.FileType.NotFound:
            return
        with pa.memory_map(path) if self.is_local else self._fs.open_input_file(path) as source:
            schema = pa.ipc.open_file(source).schema
            wanted = None if columns is None else [schema.get_field_index(name) for name in columns]
            file = pa.ipc.open_file(source, options=pa.ipc.IpcReadOptions(included_fields=wanted))
            for number in range(file.num_record_batches):
                yield file.get_batch(number)

    def write(self, table: str, name: str, rows: pa.Table) -> None:
        """Write a file of a table that is nobody's but the second pass's."""
        temporary = self._temporary(f"{name}.parquet")
        self._fs.create_dir(self._path(TEMPORARY), recursive=True)
        self._fs.create_dir(self._path(table), recursive=True)
        with self._fs.open_output_stream(temporary) as stream:
            pq.write_table(rows, stream, compression="lz4", use_dictionary=False, write_statistics=False)
        self._move(temporary, self._path(table, f"{name}.parquet"))

    def mark(self, name: str) -> None:
        """Leave a mark; `has` sees it."""
        self._fs.create_dir(self._path(os.path.dirname(name)), recursive=True)
        with self._fs.open_output_stream(self._path(name)) as stream:
            stream.write(b"")

    def has(self, name: str) -> bool:
        """Whether there is a file or folder of that name."""
        return bool(self._fs.get_file_info(self._path(name)).type != fs.FileType.NotFound)

    def remove(self, name: str) -> None:
        """Remove a folder and everything in it, where it is there."""
        if self.has(name):
            self._fs.delete_dir(self._path(name))

    def read_run(self) -> dict[str, Any]:
        """What `_run.json` holds. Raises OutputError where there is none."""
        try:
            with self._fs.open_input_stream(self._path(RUN_FILE)) as stream:
                run: dict[str, Any] = json.loads(stream.read())
        except (OSError, ValueError) as error:
            raise OutputError(f"{self.location} is not the output of a run: no readable {RUN_FILE} in it") from error
        return run

    def dataset(self, table: str) -> Dataset:
        """The rows of a table as a pyarrow dataset."""
        from pyarrow import dataset

        if table not in self._names(""):
            raise OutputError(f"{self.location} holds no table {table!r}")
        return dataset.dataset(self._path(table), filesystem=self._fs, schema=TABLES[table].to_arrow())

    def rows(self, table: str) -> Iterator[dict[str, Any]]:
        """The rows of a small table, file after file. For what every run does: pyarrow.dataset takes .3 s of CPU to import."""
        names = TABLES[table].names()
        if table not in self._names(""):
            raise OutputError(f"{self.location} holds no table {table!r}")
        for name in sorted(self._names(table) - {SCHEMA_FILE}):
            with self._fs.open_input_file(self._path(table, name)) as file:
                for row in pq.ParquetFile(file).read().to_pylist():
                    yield {column: row.get(column) for column in names}

    def _check_same_run(self, run: Mapping[str, Any]) -> None:
        before, now = self.read_run().get("rows", {}), json.loads(json.dumps(run["rows"]))
        for key in sorted({*before, *now}):
            if before.get(key) != now.get(key):
                raise OutputError(
                    f"{self.location} holds a run with {key} = {before.get(key)!r}, this one has {now.get(key)!r}; "
                    "choose another output folder, or repeat the run as it was"
                )

    def _check_parts(self, table: str, n_inputs: int) -> None:
        for name in sorted(self._names(table)):
            part = _PART.fullmatch(name)
            if name != SCHEMA_FILE and (part is None or int(part[1]) >= n_inputs):
                raise OutputError(
                    f"{self.location}/{table} holds {name!r}, which this run would not write; "
                    "choose an empty or a new folder"
                )

    # --- partitions ---

    def file_name(self, table: str, partition: str) -> str:
        """The name of a partition's file: Parquet, or Arrow where only the second pass reads it."""
        return f"{partition}.{'arrow' if self.is_staging and table not in COUNTED else 'parquet'}"

    def start_partition(self, partition: str, write: Write) -> PartitionWriter:
        """A writer of one partition's files, under temporary names."""
        return PartitionWriter(self, partition, write)

    def commit(self, partition: str, files: Mapping[str, str]) -> None:
        """Give a partition's files ({table: temporary path}) their final names; a table without a file has none after."""
        for table in self.tables:
            final = self._path(table, self.file_name(table, partition))
            if table in files:
                self._move(files[table], final)
            else:
                self._delete(final)

    def discard(self, files: Mapping[str, str]) -> None:
        """Remove temporary files that are not wanted."""
        for path in files.values():
            self._delete(path)

    # --- ledger ---

    def finished_warcs(self) -> set[int]:
        """The numbers of the WARCs that need nothing more."""
        return {int(name.split(".")[0]) for name in self._names(LEDGER) if name.endswith(".done.json")}

    def read_ledger(self, warc: int) -> list[PartitionEntry]:
        """The finished partitions of a WARC, in order, without a gap."""
        for name in (f"{warc:05d}.done.json", f"{warc:05d}.json"):
            try:
                with self._fs.open_input_stream(self._path(LEDGER, name)) as stream:
                    return [PartitionEntry(**entry) for entry in json.loads(stream.read())["partitions"]]
            except FileNotFoundError:
                continue
        return []

    def write_ledger(self, warc: int, source: str, entries: Iterable[PartitionEntry], *, done: bool) -> None:
        """Record the finished partitions of a WARC; `done` when there are no others."""
        record = {"warc": source, "partitions": [asdict(entry) for entry in entries]}
        self._write_json(f"{LEDGER}/{warc:05d}{'.done' if done else ''}.json", record)
        if done:
            self._delete(self._path(LEDGER, f"{warc:05d}.json"))

    # --- files ---

    def _path(self, *names: str) -> str:
        return "/".join((self._root, *(name for name in names if name)))

    def _temporary(self, name: str) -> str:
        return self._path(TEMPORARY, f"{uuid.uuid4().hex}-{name}")

    def _names(self, folder: str) -> set[str]:
        try:
            found = self._fs.get_file_info(fs.FileSelector(self._path(folder), allow_not_found=True))
        except OSError as error:
            raise OutputError(f"cannot look into {self.location}: {error}") from error
        return {info.base_name for info in found if info.base_name}

    def _write_json(self, name: str, value: Mapping[str, Any]) -> None:
        temporary = self._temporary(name.rsplit("/", 1)[-1])
        self._fs.create_dir(self._path(TEMPORARY), recursive=True)
        with self._fs.open_output_stream(temporary) as stream:
            stream.write(json.dumps(value, indent=1, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        self._move(temporary, self._path(name))

    def _move(self, source: str, target: str) -> None:
        try:
            self._fs.move(source, target)
        except OSError:
            # HDFS renames nothing onto a file that is there: another attempt's, with the same rows.
            if self.is_local:
                raise
            self._delete(target)
            self._fs.move(source, target)

    def _delete(self, path: str) -> None:
        try:
            self._fs.delete_file(path)
        except FileNotFoundError:
            return
        except OSError:
            if self._fs.get_file_info(path).type != fs.FileType.NotFound:
                raise


_locked: WeakSet[OutputFolder] = WeakSet()  # the folders that this process holds the locks of


def _leave_locks() -> None:
    for folder in list(_locked):
        folder._leave_lock()  # noqa: SLF001 (same module)


# A worker that outlives its parent by a page must not keep the same command from going on.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_locks)


class PartitionWriter:
    """Writes the files of one partition, row group by row group; `close()` returns where they lie."""

    def __init__(self, folder: OutputFolder, partition: str, write: Write) -> None:
        self.partition = partition
        self.rows = dict.fromkeys(folder.tables, 0)
        self._folder = folder
        self._write = write
        self._open: dict[str, tuple[pq.ParquetWriter | pa.RecordBatchFileWriter, Any, str]] = {}
        self._files: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: object, *_: object) -> None:
        if error is not None:
            self.abandon()

    def write(self, table: str, batch: pa.RecordBatch) -> None:
        """Write a record batch as one row group."""
        if table not in self._open:
            self._open[table] = self._start(table, batch.schema)
        writer = self._open[table][0]
        if isinstance(writer, pq.ParquetWriter):
            writer.write_batch(batch, row_group_size=max(batch.num_rows, 1))
        else:
            writer.write_batch(batch)
        self.rows[table] += batch.num_rows

    def close(self) -> dict[str, str]:
        """Finish the files; {table: temporary path} of those that have rows."""
        for table, (writer, stream, path) in self._open.items():
            writer.close()
            stream.close()
            self._files[table] = path
        self._open.clear()
        return self._files

    def abandon(self) -> None:
        """Remove what was written. What cannot be removed now is removed when the run starts or ends."""
        for table, (writer, stream, path) in self._open.items():
            self._files[table] = path
            try:
                writer.close()
                stream.close()
            except (OSError, pa.ArrowException):
                continue
        self._open.clear()
        self._folder.discard(self._files)

    def _start(self, table: str, schema: pa.Schema) -> tuple[pq.ParquetWriter | pa.RecordBatchFileWriter, Any, str]:
        folder = self._folder
        name = folder.file_name(table, f"{self.partition}-{table}")
        path = folder._temporary(name)  # noqa: SLF001 (same module)
        stream = folder._fs.open_output_stream(path)  # noqa: SLF001
        if name.endswith(".arrow"):
            # Read once, soon: on a disk of this machine no codec is worth its time, over a network lz4 is.
            options = pa.ipc.IpcWriteOptions(compression=None if folder.is_local else "lz4")
            return pa.ipc.new_file(stream, schema, options=options), stream, path
        codec: Any = "lz4" if folder.is_staging else self._write.compression
        dictionary: Any = [column for column in _DICTIONARY_COLUMNS if column in schema.names]
        writer = pq.ParquetWriter(
            stream,
            schema,
            compression=codec,
            compression_level=self._write.compression_level if codec in {"zstd", "gzip"} else None,
            use_dictionary=dictionary,
        )
        return writer, stream, path


def _file_system(location: str) -> tuple[Any, str]:
    """(pyarrow file system, path in it) of a folder given as a path or URL."""
    scheme = scheme_of(location)
    if not scheme:
        return fs.LocalFileSystem(), os.path.abspath(location.removeprefix("file://"))
    from thresher.stores import patient

    try:
        if scheme in ("s3", "s3a", "s3n"):
            filesystem, path = s3_file_system(location)
        elif scheme in ("http", "https"):
            raise OutputError(f"{location}: cannot write to a web server; give a folder, s3:// or hdfs://")
        elif scheme in ("hdfs", "viewfs"):
            filesystem, path = fs.FileSystem.from_uri(location)
        else:
            import fsspec

            remote, path = fsspec.core.url_to_fs(location)
            handler: Any = fs.FSSpecHandler
            filesystem = fs.PyFileSystem(handler(remote))
    except (pa.ArrowException, OSError, ImportError) as error:
        raise OutputError(f"cannot write to {location}: {error}") from error
    return patient(filesystem, location), path.rstrip("/")
