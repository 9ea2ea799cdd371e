# SPDX-License-Identifier: Apache-2.0
"""The folder of a run: what it holds, which process owns it, and how a partition's files get into it.

    OUT/pages/00007-0002.parquet    rows of partition 2 of the eighth WARC; metrics/ and dead_letter/ use the same names
    OUT/pages/schema.parquet        no rows: makes the table readable even if it has no pages
    OUT/_run.json                   resolved configuration, inputs and versions: everything that rows depend on
    OUT/_ledger/                    which partitions are finished (ledger.py)
    OUT/_staging/                   the folder of the first pass, while a run with templates lasts (staging.py)
    OUT/_temporary/                 files being written (storage.py); readers ignore them

A partition's files are written under _temporary/, renamed one by one, and then entered in the ledger. If the run is
killed in between, the partition is done again. File names depend only on input and configuration, so the new files
replace the old ones and no row occurs twice. Two attempts at one partition (a retried or speculative task) write under
different temporary names and rename to the same final ones, with the same rows.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Collection, Mapping
from typing import Any, Final
from weakref import WeakSet

import pyarrow.parquet as pq

from thresher.config import Write
from thresher.errors import OutputError
from thresher.schemas import TABLES
from thresher.writing.ledger import LEDGER, Ledger
from thresher.writing.storage import TEMPORARY, Storage
from thresher.writing.tables import SCHEMA_FILE, FileKind, PartitionWriter, TableReader

RUN_FILE: Final = "_run.json"
LOCK: Final = "_lock"
STAGING: Final = "_staging"
_PART: Final = re.compile(r"(\d{5,})-\d{4,}\.(parquet|arrow)")


class RunFolder:
    """The folder of a run, local or remote. Cheap to make; each process makes its own."""

    own: frozenset[str] = frozenset({RUN_FILE, LEDGER, TEMPORARY, LOCK, STAGING, *TABLES})  # names that may be in it
    suffixes: Mapping[str, str] = dict.fromkeys(TABLES, "parquet")  # of the files of each table

    def __init__(self, location: str) -> None:
        self.location = location
        self.storage = Storage(location)
        self.ledger = Ledger(self.storage)
        self.tables = TableReader(self.storage)
        self._lock_file: int | None = None

    # --- the run as a whole ---

    def open_run(self, run: Mapping[str, Any], n_inputs: int, columns: Collection[str] = ()) -> bool:
        """Prepares the folder for a run. Returns whether it already holds part of the same run.

        `run` is what `_run.json` will hold; its key "rows" is what rows depend on. `columns` are those of
        `pages`, by default the usual ones. Raises OutputError if the folder holds another run's output or anything
        else.
        """
        storage = self.storage
        present = storage.names()
        foreign = sorted(present - self.own)
        if foreign:
            raise OutputError(
                f"{self.location} holds {foreign[0]!r}, which is not output of a run; choose an empty or new folder"
            )
        resumed = RUN_FILE in present
        if resumed:
            self._check_same_run(run)
        elif present & set(TABLES) or LEDGER in present:
            raise OutputError(f"{self.location} holds tables but no {RUN_FILE}; choose an empty or new folder")
        for table in TABLES:
            self._check_parts(table, n_inputs)
        try:
            storage.make()
            self._lock()
            if TEMPORARY in present:
                storage.remove(TEMPORARY)
            for name in (*self.suffixes, LEDGER, TEMPORARY):
                storage.make(name)
            if not resumed:
                storage.write_json(RUN_FILE, run)
            for table, declared in TABLES.items():
                if SCHEMA_FILE not in storage.names(table):
                    temporary = storage.temporary(SCHEMA_FILE)
                    with storage.fs.open_output_stream(temporary) as stream:
                        usual = declared.written()
                        written = declared.only(columns) if columns and table == "pages" else usual
                        pq.ParquetWriter(stream, written.to_arrow()).close()
                    storage.move(temporary, storage.path(table, SCHEMA_FILE))
        except OSError as error:
            raise OutputError(f"cannot write to {self.location}: {error}") from error
        return resumed

    def close_run(self) -> None:
        """Removes what only a run in progress needs."""
        if TEMPORARY in self.storage.names():
            self.storage.remove(TEMPORARY)
        if self._lock_file is not None:
            self.storage.delete(self.storage.path(LOCK))
            self._leave_lock()

    def read_run(self) -> dict[str, Any]:
        """The contents of `_run.json`. Raises OutputError if it is missing or unreadable."""
        try:
            run: dict[str, Any] = self.storage.read_json(RUN_FILE)
        except (OSError, ValueError) as error:
            raise OutputError(f"{self.location} is not the output of a run: it has no readable {RUN_FILE}") from error
        return run

    @property
    def staging(self) -> str:
        """Where the first pass of a run with templates writes."""
        return f"{self.location.rstrip('/')}/{STAGING}"

    def _lock(self) -> None:
        """Locks the folder until this process ends, however it ends. Only local folders can be locked."""
        if not self.storage.is_local or sys.platform == "win32":
            return
        import fcntl

        self._lock_file = os.open(self.storage.path(LOCK), os.O_CREAT | os.O_RDWR, 0o644)
        try:
            fcntl.flock(self._lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise OutputError(f"{self.location} is in use by another run; wait for it or stop it") from error
        _locked.add(self)

    def _leave_lock(self) -> None:
        """Closes this process's handle on the lock. Its parent and children keep theirs."""
        if self._lock_file is not None:
            os.close(self._lock_file)
            self._lock_file = None
            _locked.discard(self)

    def _check_same_run(self, run: Mapping[str, Any]) -> None:
        before, now = self.read_run().get("rows", {}), json.loads(json.dumps(run["rows"]))
        for key in sorted({*before, *now}):
            if before.get(key) != now.get(key):
                raise OutputError(
                    f"{self.location} holds a run with {key} = {before.get(key)!r}, but this run has {now.get(key)!r}; "
                    "choose another output folder, or resume with the same inputs and options"
                )

    def _check_parts(self, table: str, n_inputs: int) -> None:
        for name in sorted(self.storage.names(table)):
            part = _PART.fullmatch(name)
            if name != SCHEMA_FILE and (part is None or int(part[1]) >= n_inputs):
                raise OutputError(
                    f"{self.location}/{table} holds {name!r}, which this run would not write; "
                    "choose an empty or new folder"
                )

    # --- partitions ---

    def file_name(self, table: str, partition: str) -> str:
        """The name of a partition's file in a table."""
        return f"{partition}.{self.suffixes[table]}"

    def start_partition(self, partition: str, write: Write) -> PartitionWriter:
        """A writer of one partition's files, under temporary names."""
        level = write.compression_level if write.compression in {"zstd", "gzip"} else None
        return PartitionWriter(
            self.storage, partition, dict.fromkeys(TABLES, FileKind("parquet", write.compression, level))
        )

    def commit(self, partition: str, files: Mapping[str, str]) -> None:
        """Gives a partition's files ({table: temporary path}) their final names and removes those of other tables."""
        for table in self.suffixes:
            final = self.storage.path(table, self.file_name(table, partition))
            if table in files:
                self.storage.move(files[table], final)
            else:
                self.storage.delete(final)

    def discard(self, files: Mapping[str, str]) -> None:
        """Removes temporary files that are not needed."""
        for path in files.values():
            self.storage.delete(path)


_locked: WeakSet[RunFolder] = WeakSet()  # folders locked by this process


def _leave_locks() -> None:
    for folder in list(_locked):
        folder._leave_lock()  # noqa: SLF001 (same module)


# A worker that outlives its parent for a moment must not prevent the same command from resuming.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_locks)
