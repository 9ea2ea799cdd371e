# SPDX-License-Identifier: Apache-2.0
"""The folder of a run: how a run begins in it, and how a partition's files get into it.

What lies where is in layout.py, which process owns it in lock.py, and what may go on in it in same_run.py.

A partition's files are written under _temporary/, renamed one by one, and then entered in the ledger. If the run is
killed in between, the partition is done again. File names depend only on input and configuration, so the new files
replace the old ones and no row occurs twice. Two attempts at one partition (a retried or speculative task) write under
different temporary names and rename to the same final ones, with the same rows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from thresher.config import SECTIONS, with_new_settings
from thresher.errors import FULL, OutputError, naming
from thresher.options import knobs
from thresher.reading.names import scheme_of
from thresher.schemas import OF_THE_RUN, TABLES
from thresher.writing.file_format import FileFormat, formats_of
from thresher.writing.layout import INPUTS, RUN_FILE, RUN_NAMES, STAGING
from thresher.writing.ledger import LEDGER, Ledger
from thresher.writing.lock import FolderLock
from thresher.writing.same_run import (
    SizeOf,
    check_names,
    check_parts,
    check_same_run,
    check_shards,
    check_sizes,
    check_unfinished,
)
from thresher.writing.storage import TEMPORARY, Storage
from thresher.writing.tables import SCHEMA_FILE, PartitionWriter, TableReader

if TYPE_CHECKING:
    from thresher.config import Configuration

_WHOLE: Final = "00000-0000"  # names the files of tables of the run as a whole


def is_parquet(rows: Mapping[str, Any]) -> bool:
    """Whether a run with these rows, as rows() has them, writes its pages as Parquet."""
    return str(rows.get("write.to", "parquet")) == "parquet"


def has_templates(rows: Mapping[str, Any]) -> bool:
    """Whether a run with these rows, as rows() has them, is one with --templates."""
    return str(rows.get("templates.mode", "off")) != "off"


class RunFolder:
    """The folder of a run, local or remote. Cheap to make; each process makes its own."""

    names = RUN_NAMES
    """What may be in the folder."""

    def __init__(self, location: str, configuration: Configuration | None = None) -> None:
        """`configuration` is needed to write, not to read."""
        self.location = location
        self.formats = self._formats(configuration)
        self.storage = Storage(location)
        self.ledger = Ledger(self.storage)
        self.tables = TableReader(self.storage)
        self.lock = FolderLock(self.storage)

    def _formats(self, configuration: Configuration | None) -> Mapping[str, FileFormat]:
        """How the files of each table that the folder has are written."""
        return formats_of(configuration)

    # --- the run as a whole ---

    def open_run(
        self,
        run: Mapping[str, Any],
        inputs: Sequence[str],
        columns: Collection[str] = (),
        *,
        extends: Sequence[str] | None = None,
        size_of: SizeOf = lambda _: None,
    ) -> bool:
        """Prepares the folder for a run. Returns whether it already holds part of the same run.

        `run` is what `_run.json` will hold; its key "rows" is what rows depend on. `columns` are those of `pages`, by
        default the usual ones. `extends` are the inputs of the run in the folder if this run adds some to them.
        `size_of` tells how large an input is now. Raises OutputError if the folder holds another run's output or
        anything else, or if a finished input has another size now.
        """
        storage = self.storage
        present = self.check_own()
        resumed = RUN_FILE in present
        check_unfinished(storage, present)
        if resumed:
            before = self.rows()
            others_may_come = extends is not None or "index" in before or "index" in run["rows"]
            check_same_run(self.location, before, run["rows"], inputs, None if others_may_come else self.inputs)
            check_sizes(self.location, self.ledger, inputs, size_of)
        check_parts(storage, len(inputs))
        with self._writable():
            storage.make()
            self.lock.take()
            if extends is not None and self.inputs() != list(extends):
                raise OutputError(f"another command added inputs to {self.location} just now; give this one again")
            if TEMPORARY in present:
                storage.remove(TEMPORARY)
            storage.make(TEMPORARY)
            if not resumed or extends is not None:
                storage.write_json(INPUTS, {"inputs": list(inputs)})  # first: what it lists beyond the run is ignored
                storage.write_json(RUN_FILE, run)  # before the tables: a folder with tables and no run is refused
            for name in (*self.formats, LEDGER):
                storage.make(name)
            for table, declared in TABLES.items():
                form = self.formats.get(table)
                if form is not None and not form.is_text and SCHEMA_FILE not in storage.names(table):
                    written = declared.only(columns) if columns and table == "pages" else declared.written()
                    with storage.writing(f"{table}/{SCHEMA_FILE}") as stream:
                        pq.ParquetWriter(stream, written.to_arrow()).close()
        return resumed

    def has_table(self, table: str) -> bool:
        """Whether a table of the run as a whole (OF_THE_RUN) is written."""
        return self.storage.has(f"{table}/{self.file_name(table, _WHOLE)}")

    def write_table(self, table: str, batches: Iterable[pa.RecordBatch]) -> None:
        """Writes a table of the run as a whole (OF_THE_RUN), in place of the one that is there."""
        with self._writable(), PartitionWriter(self.storage, _WHOLE, self.formats) as writer:
            for batch in batches:
                writer.write(table, batch)
            self.storage.move(writer.close()[table], self.storage.path(table, self.file_name(table, _WHOLE)))

    @contextmanager
    def _writable(self) -> Iterator[None]:
        """Turns a failure to write into an OutputError. A full disk stays an OSError: the same command goes on."""
        try:
            with naming(self.location):
                yield
        except OSError as error:
            if error.errno in FULL:
                raise
            raise OutputError(f"cannot write to {self.location}: {error}") from error

    def check_own(self) -> set[str]:
        """The names in the folder. Raises OutputError if it holds anything that no run writes."""
        present = self.storage.names()
        check_names(self.location, present, self.names)
        return present

    def close_run(self) -> None:
        """Removes what only a run in progress needs."""
        if TEMPORARY in self.storage.names():
            self.storage.remove(TEMPORARY)
        self.lock.remove()

    def read_run(self) -> dict[str, Any]:
        """The contents of `_run.json`. Raises OutputError if it is missing or unreadable."""
        try:
            run = self.storage.read_json(RUN_FILE)
        except (OSError, ValueError) as error:
            check_shards(self.location, self.storage.names())
            raise OutputError(f"{self.location} is not the output of a run: it has no readable {RUN_FILE}") from error
        with self.storage.undamaged(RUN_FILE):
            for key in ("rows", "configuration", "versions"):
                if not isinstance(run.get(key, {}), dict):
                    raise TypeError(f"{key!r} is no object")
            if not isinstance(run.get("rows", {}).get("inputs", 0), int):
                raise TypeError("the number of inputs is none")
            run["rows"] = with_new_settings(run.get("rows", {}))
            if not all(isinstance(each, dict) for each in run.get("configuration", {}).values()):
                raise TypeError("a section of the configuration is no object")
        return run

    def rows(self) -> dict[str, Any]:
        """Everything that the rows of the run in the folder depend on. Raises OutputError as read_run() does."""
        found: dict[str, Any] = self.read_run()["rows"]
        return found

    def require_templates(self) -> None:
        """Raises OutputError if the run was without --templates."""
        if not has_templates(self.rows()):
            raise OutputError(f"{self.location} has no templates: its run was without --templates")

    def settings(self, sections: Iterable[str] = tuple(SECTIONS)) -> dict[str, Any]:
        """The settings of some sections that the rows of the run in the folder depend on."""
        known = {f"{section}.{name}" for section in sections for name in knobs(SECTIONS[section])}
        return {key: value for key, value in self.rows().items() if key in known}

    def inputs(self) -> list[str]:
        """The inputs of the run in the folder; none if there is no run, or one that has only begun to be prepared."""
        if RUN_FILE not in self.storage.names():
            return []
        n = self.rows().get("inputs", 0)
        try:
            listed = self.storage.read_json(INPUTS)["inputs"]
        except (OSError, ValueError, KeyError) as error:
            raise OutputError(f"{self.location} has no readable {INPUTS}, so no inputs can be added") from error
        with self.storage.undamaged(INPUTS):
            return [str(name) for name in listed[:n]]

    def url(self, name: str) -> str:
        """The path or URL of a file below the folder, as inputs are named."""
        location, mark, query = self.location.partition("?") if scheme_of(self.location) else (self.location, "", "")
        return f"{location.rstrip('/')}/{name}{mark}{query}"

    @property
    def staging(self) -> str:
        """Where the first pass of a run with templates writes."""
        return f"{self.location.rstrip('/')}/{STAGING}"

    # --- partitions ---

    def partitions(self) -> list[str]:
        """The names of the partitions that have a file in any table of a run, in order."""
        names = {name for table in TABLES for name in self.storage.names(table) if name != SCHEMA_FILE}
        return sorted({name.partition(".")[0] for name in names})

    def start_partition(self, partition: str) -> PartitionWriter:
        """A writer of one partition's files, under temporary names."""
        return PartitionWriter(self.storage, partition, self.formats)

    def file_name(self, table: str, partition: str) -> str:
        return f"{partition}.{self.formats[table].suffix}"

    def commit(self, partition: str, files: Mapping[str, str]) -> None:
        """Gives a partition's files ({table: temporary path}) their final names and removes those of other tables."""
        for table in self.formats:
            if table in OF_THE_RUN:
                continue
            final = self.storage.path(table, self.file_name(table, partition))
            if table in files:
                self.storage.move(files[table], final)
            else:
                self.storage.delete(final)

    def discard(self, files: Mapping[str, str]) -> None:
        for path in files.values():
            self.storage.delete(path)
