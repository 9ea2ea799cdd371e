# SPDX-License-Identifier: Apache-2.0
"""Rewrites the tables of a finished run as few large files, for those who look rows up.

A run leaves a file for each partition. Here they become files near a target size, sorted by host and URL, with a page
index and bloom filters, so that a look-up by host reads one file or two and little of them. Everything is written below
OUT/_compact first, then each table is swapped as a whole:

    OUT/_compact/plan.json          the arrangement that was asked for
    OUT/_compact/pages/pieces/      rows by the file that they will be in, as Arrow files
    OUT/_compact/pages/new/         the finished files, and `_compacted.json`, which lists them

On Linux the folders of old and new files change places in one step of the file system, so whoever lists the folder
finds the old files or the new ones. Elsewhere, and in object stores, old files are deleted before new ones are moved. A
command that was killed is given again and goes on; what was finished is not done twice.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from bisect import bisect_right
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq

from thresher.errors import OutputError, RunError, naming
from thresher.running.outcome import Report, report_on
from thresher.schemas import ASKED, PARTS
from thresher.terminal import number_of
from thresher.writing.layout import COMPACTING
from thresher.writing.run_folder import RunFolder
from thresher.writing.same_run import check_answered
from thresher.writing.tables import COMPACTED, DICTIONARY_COLUMNS, SCHEMA_FILE

if TYPE_CHECKING:
    from thresher.writing.storage import Storage

PARTITIONS: Final = ("language", "crawl")
"""What the pages can be partitioned by, in folders named as Hive does: language=ell/crawl=CC-MAIN-2026-47/."""

_READ_FOR: Final = {"crawl": "warc_filename"}
"""The column that tells it, where it is another."""
_SORTED: Final = {
    "pages": ("url_host_name", "url"),
    "blocks": ("url_host_name", "url"),
    **dict.fromkeys(ASKED, ("url_host_name", "url")),
    "templates": ("node",),
    "keys": ("key",),
}
_BLOOM: Final = ("url_host_name", "url_host_registered_domain", "url", "content_digest", "node", "key")
_CRAWL: Final = re.compile(r"\bCC-MAIN-\d{4}-\d\d\b")
_SAMPLE: Final = 100_000  # rows in the sample that determines the bounds of the files
_OPEN: Final = 128  # pieces open at the same time
_GROUP_BYTES: Final = 32 << 20  # of a row group, in memory
_BATCH: Final = 1024  # rows
_EXCHANGE: Final = 2  # RENAME_EXCHANGE of renameat2()
_HERE: Final = -100  # AT_FDCWD

Key = tuple[str, ...]
Change = Callable[[str, pa.RecordBatch], pa.RecordBatch]
"""What becomes of a batch of a table."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    target_bytes: int
    sort: bool = True
    """By host and URL."""
    partition_by: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {"partition_by": list(self.partition_by)}

    @staticmethod
    def of(made: Mapping[str, Any]) -> Arrangement:
        """That of a table by what `_compacted.json` says of it."""
        return Arrangement(made["target_bytes"], made["sort"], tuple(made["partition_by"]))


@dataclass(slots=True)
class Compacted:
    """The result: numbers of files and bytes before and after, over all tables."""

    files_before: int = 0
    files: int = 0
    bytes_before: int = 0
    bytes: int = 0


def rewrite_pages(folder: RunFolder, change: Change, answers: int) -> None:
    """Rewrites the tables with pages and their parts of a compacted run, every batch changed, arranged as they
    are. `answers` numbers what is done so, from 1: a command that was killed is given again with the same number.
    """
    with folder.storage.undamaged(f"pages/{COMPACTED}"):
        arrangement = Arrangement.of(_made(folder.storage, "pages"))
    _rewrite(folder, arrangement, ("pages", *PARTS), lambda _: None, change, answers)


def compact(output: str, arrangement: Arrangement, tell: Callable[[str], None] = lambda _: None) -> Compacted:
    """Compact the tables of a finished run; nothing is done if they are arranged so already.

    Raises OutputError if the run is not finished, or was compacted with another arrangement.
    """
    folder = RunFolder(output)
    report = report_on(folder, contents=False)
    folder.check_own()
    _check(folder, report, arrangement)
    folder.lock.take()
    try:
        _check(folder, report_on(folder, contents=False), arrangement)  # another command may have ended since
        made = _made(folder.storage, "pages")
        if made and not folder.storage.has(COMPACTING):
            tell(f"{output} is compacted so already")
        done = _rewrite(folder, arrangement, tuple(folder.formats), tell, answers=made.get("answers", 0))
        folder.close_run()
        return done
    finally:
        folder.lock.release()


def _rewrite(
    folder: RunFolder,
    arrangement: Arrangement,
    tables: Collection[str],
    tell: Callable[[str], None],
    change: Change | None = None,
    answers: int = 0,
) -> Compacted:
    """Rewrites those of these tables that there are."""
    storage, plan = folder.storage, arrangement.to_dict() | {"answers": answers}
    tables = [table for table in tables if storage.has(table)]
    is_ready = storage.has(f"{COMPACTING}/ready")
    if storage.has(COMPACTING) and _read(storage, f"{COMPACTING}/plan.json") != plan:
        if is_ready:
            location = folder.location
            raise OutputError(f"{location} is being compacted with other options; give the same command again first")
        storage.remove(COMPACTING)
    storage.make(COMPACTING)
    storage.write_json(f"{COMPACTING}/plan.json", plan)
    done = Compacted()
    # If the mark is missing and new files are in place, a command was killed while it removed the old ones.
    if not is_ready and not _is_made(storage, "pages", answers):
        for table in tables:
            with naming(f"{folder.location}/{COMPACTING}"):
                _Table(folder, table, arrangement, change, answers).write(tell)
        storage.mark(f"{COMPACTING}/ready")
    for table in tables:
        made = _swap(storage, table, answers)
        done.files_before += made["files_before"]
        done.bytes_before += made["bytes_before"]
        done.files += len(made["files"])
        done.bytes += made["bytes"]
    # The mark goes first: a command that is killed while it removes the rest must not leave the mark without the plan.
    storage.delete(storage.path(f"{COMPACTING}/ready"))
    storage.remove(COMPACTING)
    return done


def _made(storage: Storage, folder: str) -> Mapping[str, Any]:
    """What `_compacted.json` says of the table in a folder; empty if it was not compacted."""
    name = f"{folder}/{COMPACTED}"
    made: Mapping[str, Any] = storage.read_json(name) if storage.has(name) else {}
    return made


def _is_made(storage: Storage, folder: str, answers: int) -> bool:
    """Whether a folder has the files of a table as they are to be: compacted, with so many rounds of answers."""
    made = _made(storage, folder)
    return bool(made) and made.get("answers", 0) == answers


def _check(folder: RunFolder, report: Report, arrangement: Arrangement) -> None:
    if report.state != "finished":
        raise OutputError(
            f"{folder.location} is {report.state}: {report.finished_inputs:,} of {report.inputs:,} inputs"
            + (f"; {next(iter(report.missing))} is missing" if report.missing else "")
        )
    if unknown := sorted(set(arrangement.partition_by) - set(PARTITIONS)):
        raise OutputError(f"cannot partition by {unknown[0]}; choose from {', '.join(PARTITIONS)}")
    files = folder.tables.files("pages")
    if arrangement.partition_by and files:
        with folder.tables.open("pages", files[0]) as file:
            names = file.schema_arrow.names
        if missing := {_READ_FOR.get(name, name) for name in arrangement.partition_by}.difference(names):
            raise OutputError(f"{folder.location}: its pages have no column {min(missing)} to partition by")
    check_answered(folder.storage)
    with folder.storage.undamaged(f"pages/{COMPACTED}"):
        made = _made(folder.storage, "pages")
        if made and not folder.storage.has(f"{COMPACTING}/ready") and Arrangement.of(made) != arrangement:
            raise OutputError(f"{folder.location} was compacted already, with other options")


def _read(storage: Storage, name: str) -> Any:  # noqa: ANN401 (whatever the file holds)
    try:
        return storage.read_json(name)
    except (OSError, ValueError):
        return None


class _Table:
    """One table while it is being rewritten."""

    def __init__(
        self, folder: RunFolder, table: str, arrangement: Arrangement, change: Change | None = None, answers: int = 0
    ) -> None:
        self.table = table
        self.change, self.answers = change, answers
        self.storage = folder.storage
        self.tables = folder.tables
        self.files = folder.tables.files(table)
        self.arrangement = arrangement
        self.partition_by = arrangement.partition_by if table == "pages" else ()
        self.work = f"{COMPACTING}/{table}"
        self.sizes = [self.storage.size(f"{table}/{name}") for name in self.files]
        self.schema: pa.Schema = self._schema()
        sort = _SORTED.get(table, ()) if arrangement.sort else ()
        self.sort = tuple(name for name in sort if name in self.schema.names)

    def _schema(self) -> pa.Schema:
        has_schema = self.storage.has(f"{self.table}/{SCHEMA_FILE}")
        if not has_schema and not self.files:
            raise OutputError(f"{self.storage.location}/{self.table} holds neither rows nor {SCHEMA_FILE}")
        with self.tables.open(self.table, SCHEMA_FILE if has_schema else self.files[0]) as file:
            return file.schema_arrow

    def write(self, tell: Callable[[str], None]) -> None:
        """Write the new files, except those that an earlier command finished."""
        storage = self.storage
        if storage.has(f"{self.work}/new/{COMPACTED}"):
            return
        tell(f"compacting {self.table}: {number_of(len(self.files), 'file')}, {sum(self.sizes) / 1e6:,.1f} MB")
        if not storage.has(f"{self.work}/cut"):
            storage.remove(f"{self.work}/pieces")
            storage.write_json(f"{self.work}/cut", {"rows": self._cut()})
        storage.make(f"{self.work}/new")
        pieces = _pieces_of(storage.names(f"{self.work}/pieces"))
        n_rows = sum(self._write_file(name, parts) for name, parts in pieces.items())
        expected = storage.read_json(f"{self.work}/cut")["rows"]
        if n_rows != expected:
            raise RunError(
                f"{storage.location}/{self.table}: {n_rows:,} rows instead of {expected:,}; nothing was replaced"
            )
        has_schema = not self.partition_by or not pieces  # Hive's readers expect every file in a partition folder
        if has_schema:
            with storage.fs.open_output_stream(storage.path(self.work, "new", SCHEMA_FILE)) as stream:
                pq.ParquetWriter(stream, self.schema).close()
        names = sorted(_file_name(name) for name in pieces)
        made: dict[str, Any] = {
            "files": names,
            "has_schema": has_schema,
            "bytes": sum(storage.size(f"{self.work}/new/{name}") for name in names),
            "files_before": len(self.files),
            "bytes_before": sum(self.sizes),
        }
        storage.write_json(
            f"{self.work}/new/{COMPACTED}", self.arrangement.to_dict() | {"answers": self.answers} | made
        )
        storage.remove(f"{self.work}/pieces")

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[tuple[int, pa.RecordBatch]]:
        """The rows of all files, each batch with the number of its file."""
        for number, name in enumerate(self.files):
            with self.tables.open(self.table, name) as file:
                wanted = None if columns is None or self.change else list(columns)
                for batch in file.iter_batches(_BATCH, columns=wanted):
                    yield number, self.change(self.table, batch) if self.change else batch

    # --- cutting: which row goes into which file ---

    def _cut(self) -> int:
        """Write every row into the piece of its new file. Returns how many there are."""
        route = _Route(self)
        pieces: OrderedDict[str, tuple[Any, Any]] = OrderedDict()
        opened: Counter[str] = Counter()
        folder = f"{self.work}/pieces"
        self.storage.make(folder)
        n_rows = 0

        def close(name: str) -> None:
            writer, stream = pieces.pop(name)
            writer.close()
            stream.close()

        for number, batch in self.batches():
            n_rows += batch.num_rows
            for name, rows in route.of(number, batch).items():
                if name not in pieces:
                    while len(pieces) >= _OPEN:
                        close(next(iter(pieces)))
                    path = self.storage.path(folder, f"{name}.{opened[name]:06d}.arrow")
                    opened[name] += 1
                    stream = self.storage.fs.open_output_stream(path, compression=None)
                    options = pa.ipc.IpcWriteOptions(compression="lz4")
                    pieces[name] = pa.ipc.new_file(stream, batch.schema, options=options), stream
                pieces.move_to_end(name)
                part = batch if len(rows) == batch.num_rows else batch.take(pa.array(rows, pa.int32()))
                pieces[name][0].write_batch(part)
        for name in list(pieces):
            close(name)
        if self.change is None and n_rows != (expected := self.tables.all_rows(self.table)):
            raise RunError(f"{self.storage.location}/{self.table}: {n_rows:,} rows instead of {expected:,}")
        return n_rows

    # --- writing ---

    def _write_file(self, name: str, parts: Sequence[str]) -> int:
        """Write one file, sorted, from its pieces, unless it exists. Returns its number of rows."""
        storage, target = self.storage, f"{self.work}/new/{_file_name(name)}"
        if storage.has(target):
            return int(pq.read_metadata(storage.path(target), filesystem=storage.fs).num_rows)
        tables = []
        for part in parts:
            with storage.fs.open_input_file(storage.path(self.work, "pieces", part)) as file:
                tables.append(pa.ipc.open_file(file).read_all())
        rows = pa.concat_tables(tables)
        order: Any = None
        if self.sort:
            keys: list[Any] = [(column, "ascending") for column in self.sort]
            numbered = rows.select(self.sort).append_column("_n", pa.array(range(rows.num_rows), pa.int64()))
            order = numbered.sort_by([*keys, ("_n", "ascending")])["_n"].combine_chunks()
        n = max(1, int(rows.num_rows * _GROUP_BYTES / max(rows.nbytes, 1)))
        storage.make(target.rpartition("/")[0])
        with storage.writing(target) as stream:
            writer = self._writer(stream, min(n, rows.num_rows))
            for start in range(0, rows.num_rows, n):
                # Group by group, because a string column of a whole file may exceed its offsets.
                group = rows.slice(start, n) if order is None else rows.take(order.slice(start, n))
                writer.write_table(group.cast(self.schema), row_group_size=n)
            writer.close()
        return int(rows.num_rows)

    def _writer(self, stream: Any, group_rows: int) -> pq.ParquetWriter:  # noqa: ANN401 (pyarrow's streams)
        names = self.schema.names
        dictionary: Any = [column for column in DICTIONARY_COLUMNS if column in names]
        bloom: Any = {name: {"ndv": max(group_rows, 1), "fpp": 0.01} for name in _BLOOM if name in names}
        sorting = [pq.SortingColumn(names.index(name)) for name in self.sort]
        return pq.ParquetWriter(
            stream,
            self.schema,
            compression="zstd",
            compression_level=3,
            use_dictionary=dictionary,
            write_page_index=True,
            bloom_filter_options=bloom or None,
            sorting_columns=sorting or None,
        )


class _Route:
    """Maps the rows of a table to files."""

    def __init__(self, table: _Table) -> None:
        self._sort, self._partition_by = table.sort, table.partition_by
        self._columns = list(dict.fromkeys([*self._sort, *self._read_for_partitions()]))
        self._bounds: dict[str, list[Key]] = {}  # for each folder, the first keys of its files but the first
        self._file_of: list[int] = []  # without sorting: for each old file the number of the new one
        self._folders: dict[Key, str] = {}
        target = table.arrangement.target_bytes
        before = 0
        for size in table.sizes:
            self._file_of.append(before // target)
            before += size
        if self._sort:
            self._choose_bounds(table, sum(table.sizes), target)

    def _read_for_partitions(self) -> list[str]:
        return [_READ_FOR.get(name, name) for name in self._partition_by]

    def _choose_bounds(self, table: _Table, n_bytes: int, target: int) -> None:
        """Split each folder where a sample of its keys predicts files of equal size."""
        step = max(1, table.tables.all_rows(table.table) // _SAMPLE)
        samples: dict[str, list[Key]] = {}
        place = 0
        for _, batch in table.batches(self._columns):
            for number, (folder, key) in enumerate(self._keys(batch)):
                if (place + number) % step == 0:
                    samples.setdefault(folder, []).append(key)
            place += batch.num_rows
        total = sum(map(len, samples.values()))
        for folder, keys in samples.items():
            n_files = -(-n_bytes * len(keys) // (target * total))
            keys.sort()
            bounds = {keys[k * len(keys) // n_files] for k in range(1, n_files)}
            self._bounds[folder] = sorted(bounds - {keys[0]})

    def _keys(self, batch: pa.RecordBatch) -> Iterator[tuple[str, Key]]:
        """For each row the folder that it goes into, and its key."""
        columns: dict[str, list[Any]] = {name: batch[name].to_pylist() for name in self._columns}
        sort = [["" if value is None else value for value in columns[name]] for name in self._sort]
        keys: Iterator[Key] = zip(*sort, strict=True) if sort else iter([()] * batch.num_rows)
        if not self._partition_by:
            yield from (("", key) for key in keys)
            return
        values = [columns[name] for name in self._read_for_partitions()]
        for key, value in zip(keys, zip(*values, strict=True), strict=True):
            yield self._folder(value), key

    def _folder(self, values: tuple[Any, ...]) -> str:
        if (folder := self._folders.get(values)) is None:
            parts = []
            for name, value in zip(self._partition_by, values, strict=True):
                if name == "crawl":
                    found = _CRAWL.search(value or "")
                    value = found[0] if found else None  # noqa: PLW2901 (the crawl in the name)
                parts.append(f"{name}={quote(value, safe='') if value else '__HIVE_DEFAULT_PARTITION__'}")
            folder = self._folders[values] = "+".join(parts)
        return folder

    def of(self, file: int, batch: pa.RecordBatch) -> dict[str, list[int]]:
        """The rows of a batch of an old file, by the name of their piece."""
        if not self._columns:
            return {f"@{self._file_of[file]:05d}": list(range(batch.num_rows))}
        found: dict[str, list[int]] = {}
        for row, (folder, key) in enumerate(self._keys(batch)):
            number = bisect_right(self._bounds.get(folder, ()), key) if self._sort else self._file_of[file]
            found.setdefault(f"{folder}@{number:05d}", []).append(row)
        return found


def _pieces_of(names: set[str]) -> dict[str, list[str]]:
    """The pieces of each file, in order."""
    found: dict[str, list[str]] = {}
    for name in sorted(names):
        found.setdefault(name.removesuffix(".arrow").rpartition(".")[0], []).append(name)
    return found


def _file_name(piece: str) -> str:
    """The name of the file that a piece belongs to, below the table's folder."""
    folder, _, number = piece.rpartition("@")
    return "/".join([*(folder.split("+") if folder else ()), f"{number}.parquet"])


def _swap(storage: Storage, table: str, answers: int) -> Mapping[str, Any]:
    """Replace the old files of a table by the new ones. Returns the description of the new files."""
    new = f"{COMPACTING}/{table}/new"
    has_new = _is_made(storage, new, answers)
    begun = _is_made(storage, table, answers)  # by an earlier command
    made: Mapping[str, Any] = storage.read_json(f"{new if has_new else table}/{COMPACTED}")
    if begun and not has_new:  # the folders have been exchanged
        return made
    if not begun and storage.is_local and _exchange(storage.path(new), storage.path(table)):
        return made
    storage.write_json(f"{table}/{COMPACTED}", made)
    wanted = set(made["files"]) | ({SCHEMA_FILE} if made["has_schema"] else set())
    for name in storage.files(table):
        if name != COMPACTED and (name not in wanted or storage.has(f"{new}/{name}")):
            storage.delete(storage.path(table, name))
    for name in sorted(wanted):
        if storage.has(f"{new}/{name}"):
            storage.make(f"{table}/{name}".rpartition("/")[0])
            storage.move(storage.path(new, name), storage.path(table, name))
    return made


def _exchange(one: str, other: str) -> bool:
    """Exchange two folders in one step; False if the system cannot do that."""
    if sys.platform != "linux":
        return False
    try:
        function = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    return bool(function(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0)
