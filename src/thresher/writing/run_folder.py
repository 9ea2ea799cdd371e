# SPDX-License-Identifier: Apache-2.0
"""The folder of a run: what it holds, which process owns it, and how a partition's files get into it.

    OUT/pages/00007-0002.parquet    rows of partition 2 of the eighth WARC; metrics/ and dead_letter/ use the same names
    OUT/pages/00007-0002.jsonl.zst  the same as JSON Lines; WET is 00007-0002.warc.wet.gz
    OUT/pages/schema.parquet        no rows: makes the table readable even if it has no pages
    OUT/_run.json                   resolved configuration, inputs and versions: everything that rows depend on
    OUT/_inputs.json                all inputs, in order
    OUT/_index/                     of a run over an index: the records that it names, as files of ranges
    OUT/_plan.json                  what is left to do, for people (thresher.running.plan)
    OUT/_shards/                    the shards of a run that are not merged yet, each a run folder
    OUT/_ledger/                    which partitions are finished (ledger.py)
    OUT/_staging/                   the folder of the first pass, while a run with templates lasts (staging.py)
    OUT/_compact/                   files of a finished run being rewritten (thresher.after.compacting)
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
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn
from weakref import WeakSet

import pyarrow.parquet as pq

from thresher.errors import OutputError
from thresher.reading.names import scheme_of
from thresher.schemas import TABLES
from thresher.terminal import one_line
from thresher.writing.file_kind import FileKind, kinds_of
from thresher.writing.ledger import LEDGER, Ledger
from thresher.writing.storage import TEMPORARY, Storage
from thresher.writing.tables import COMPACTED, SCHEMA_FILE, PartitionWriter, TableReader

if TYPE_CHECKING:
    from thresher.config import Configuration

RUN_FILE: Final = "_run.json"
INPUTS: Final = "_inputs.json"
INDEX: Final = "_index"
LOCK: Final = "_lock"
COMPACTING: Final = "_compact"
PLAN: Final = "_plan.json"
SHARDS: Final = "_shards"
STAGING: Final = "_staging"
_PART: Final = re.compile(r"(\d{5,})-\d{4,}\.(parquet|arrow|(?:jsonl|warc\.wet)(?:\.zst|\.gz)?)")


class RunFolder:
    """The folder of a run, local or remote. Cheap to make; each process makes its own."""

    own: frozenset[str] = frozenset(
        {RUN_FILE, INPUTS, INDEX, LEDGER, TEMPORARY, LOCK, PLAN, SHARDS, STAGING, COMPACTING, *TABLES}
    )  # names that may be in it

    def __init__(self, location: str, configuration: Configuration | None = None) -> None:
        """`configuration` is needed to write, not to read."""
        self.location = location
        self.kinds: Mapping[str, FileKind] = self._kinds(configuration)
        """How the files of each table are written."""
        self.storage = Storage(location)
        self.ledger = Ledger(self.storage)
        self.tables = TableReader(self.storage)
        self._lock_file: int | None = None

    # --- the run as a whole ---

    def open_run(
        self,
        run: Mapping[str, Any],
        inputs: Sequence[str],
        columns: Collection[str] = (),
        *,
        extends: Sequence[str] | None = None,
    ) -> bool:
        """Prepares the folder for a run. Returns whether it already holds part of the same run.

        `run` is what `_run.json` will hold; its key "rows" is what rows depend on. `columns` are those of `pages`, by
        default the usual ones. `extends` are the inputs of the run in the folder if this run adds some to them. Raises
        OutputError if the folder holds another run's output or anything else.
        """
        storage = self.storage
        present = self.check_own()
        resumed = RUN_FILE in present
        if SHARDS in present:
            raise OutputError(f"{self.location} holds shards; join them first: thresher merge {self.location}")
        if COMPACTING in present or storage.has(f"pages/{COMPACTED}"):
            raise OutputError(f"{self.location} was compacted, so nothing can be added to it; choose another folder")
        if resumed:
            self._check_same_run(run, inputs, extended=extends is not None)
        elif present & set(TABLES) or LEDGER in present:
            raise OutputError(f"{self.location} holds tables but no {RUN_FILE}; choose an empty or new folder")
        for table in TABLES:
            self._check_parts(table, len(inputs))
        try:
            storage.make()
            self.lock()
            if extends is not None and self.inputs() != list(extends):
                raise OutputError(f"another command added inputs to {self.location} just now; give this one again")
            if TEMPORARY in present:
                storage.remove(TEMPORARY)
            for name in (*self.kinds, LEDGER, TEMPORARY):
                storage.make(name)
            if not resumed or extends is not None:
                storage.write_json(INPUTS, {"inputs": list(inputs)})  # first: what it lists beyond the run is ignored
                storage.write_json(RUN_FILE, run)
            for table, declared in TABLES.items():
                if not self.kinds[table].is_text and SCHEMA_FILE not in storage.names(table):
                    temporary = storage.temporary(SCHEMA_FILE)
                    with storage.fs.open_output_stream(temporary) as stream:
                        usual = declared.written()
                        written = declared.only(columns) if columns and table == "pages" else usual
                        pq.ParquetWriter(stream, written.to_arrow()).close()
                    storage.move(temporary, storage.path(table, SCHEMA_FILE))
        except OSError as error:
            raise OutputError(f"cannot write to {self.location}: {error}") from error
        return resumed

    def check_own(self) -> set[str]:
        """The names in the folder. Raises OutputError if it holds anything that no run writes."""
        present = self.storage.names()
        foreign = sorted(present - self.own)
        if foreign:
            raise OutputError(
                f"{self.location} holds {foreign[0]!r}, which is not output of a run; choose an empty or new folder"
            )
        return present

    def close_run(self) -> None:
        """Removes what only a run in progress needs."""
        if TEMPORARY in self.storage.names():
            self.storage.remove(TEMPORARY)
        if self._lock_file is not None:
            self.storage.delete(self.storage.path(LOCK))
            self.unlock()

    def read_run(self) -> dict[str, Any]:
        """The contents of `_run.json`. Raises OutputError if it is missing or unreadable."""
        try:
            run: dict[str, Any] = self.storage.read_json(RUN_FILE)
        except (OSError, ValueError) as error:
            raise OutputError(f"{self.location} is not the output of a run: it has no readable {RUN_FILE}") from error
        return run

    def inputs(self) -> list[str]:
        """The inputs of the run in the folder; none if there is no run, or one that has only begun to be prepared."""
        if RUN_FILE not in self.storage.names():
            return []
        n = self.read_run().get("rows", {}).get("inputs", 0)
        try:
            listed = self.storage.read_json(INPUTS)["inputs"]
        except (OSError, ValueError, KeyError) as error:
            raise OutputError(f"{self.location} has no readable {INPUTS}, so no inputs can be added") from error
        return [str(name) for name in listed[:n]]

    def url(self, name: str) -> str:
        """The path or URL of a file below the folder, as inputs are named."""
        location, mark, query = self.location.partition("?") if scheme_of(self.location) else (self.location, "", "")
        return f"{location.rstrip('/')}/{name}{mark}{query}"

    @property
    def staging(self) -> str:
        """Where the first pass of a run with templates writes."""
        return f"{self.location.rstrip('/')}/{STAGING}"

    def lock(self) -> None:
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

    def is_locked(self) -> bool:
        """Whether a run in a process on this machine is at work in the folder. False where that cannot be told."""
        if not self.storage.is_local or sys.platform == "win32":
            return False
        import fcntl

        try:
            lock = os.open(self.storage.path(LOCK), os.O_RDONLY)
        except OSError:
            return False
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:  # a file system without locks
            return False
        finally:
            os.close(lock)
        return False

    def unlock(self) -> None:
        """Closes this process's handle on the lock. Its parent and children keep theirs."""
        if self._lock_file is not None:
            os.close(self._lock_file)
            self._lock_file = None
            _locked.discard(self)

    def _check_same_run(self, run: Mapping[str, Any], inputs: Sequence[str], *, extended: bool) -> None:
        before, now = self.read_run().get("rows", {}), json.loads(json.dumps(run["rows"]))
        same_inputs = all(before.get(key) == now.get(key) for key in ("inputs", "inputs.sha256"))
        if not same_inputs and not extended and "index" not in before | now:
            self._refuse_inputs(inputs)
        for key in sorted({*before, *now} - {"inputs", "inputs.sha256"}):
            if before.get(key) != now.get(key):
                raise OutputError(
                    f"{self.location} holds a run with {key} = {before.get(key)!r}, but this run has {now.get(key)!r}; "
                    "choose another output folder, or resume with the same inputs and options"
                )

    def _refuse_inputs(self, inputs: Sequence[str]) -> NoReturn:
        """Raises OutputError, which says how the inputs differ from those of the run in the folder."""
        before = self.inputs()
        added = [name for name in inputs if name not in set(before)]
        missing = [name for name in before if name not in set(inputs)]
        holds = f"{self.location} holds a run over {len(before):,} input{'s' * (len(before) != 1)}"
        if added and not missing:
            problem = f"and this command names {len(added):,} more, such as {one_line(added[0])}; add --append to add "
            problem += "them to the run, or choose another output folder"
        elif missing:
            problem = f"and this command does not name {len(missing):,} of them, such as {one_line(missing[0])}; name "
            problem += "the same inputs to resume the run, use --append to add others, or choose another output folder"
        else:
            problem = "and this command names them in another order; name them in the same order to resume the run"
        raise OutputError(f"{holds}, {problem}")

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
        return f"{partition}.{self.kinds[table].suffix}"

    def start_partition(self, partition: str) -> PartitionWriter:
        """A writer of one partition's files, under temporary names."""
        return PartitionWriter(self.storage, partition, self.kinds)

    def _kinds(self, configuration: Configuration | None) -> Mapping[str, FileKind]:
        return kinds_of(configuration)

    def commit(self, partition: str, files: Mapping[str, str]) -> None:
        """Gives a partition's files ({table: temporary path}) their final names and removes those of other tables."""
        for table in self.kinds:
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
        folder.unlock()


# A worker that outlives its parent for a moment must not prevent the same command from resuming.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_locks)
