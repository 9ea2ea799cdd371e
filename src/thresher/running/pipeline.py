# SPDX-License-Identifier: Apache-2.0
"""Extracts one partition of a WARC: its record batches, written into files.

`extract_partition` runs in a worker process of the command line and in a task of Spark alike.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

import pyarrow as pa

from thresher.config import Configuration
from thresher.reading.listing import read_robots
from thresher.reading.progress import Progress
from thresher.rows.answers import KeptAnswers
from thresher.rows.batches import ReadingBatches, RowMaker
from thresher.rows.tables import dead_letter_batch, skipped_batch
from thresher.running.partitions import Partition, PartitionResult
from thresher.writing.run_folder import RunFolder
from thresher.writing.staging import StagingFolder

if TYPE_CHECKING:
    from thresher.rows.notes import Stager
    from thresher.writing.tables import PartitionWriter

_Item = TypeVar("_Item")


class _Kept(Generic[_Item]):
    """Writes rows of a table as they come, a batch of so many at a time."""

    def __init__(
        self, writer: PartitionWriter, table: str, batch_of: Callable[[list[_Item]], pa.RecordBatch], most: int
    ) -> None:
        self.n = 0
        """Rows so far."""
        self._write, self._most = partial(writer.write, table), most
        self._batch_of, self._items = batch_of, list[_Item]()

    def add(self, item: _Item) -> None:
        self.n += 1
        self._items.append(item)
        if len(self._items) >= self._most:
            self.flush()

    def flush(self) -> None:
        if self._items:
            self._write(self._batch_of(self._items))
            self._items.clear()


class PartitionMaker(RowMaker):
    """What a process needs to extract partitions: a workspace for pages, the configuration and the output folder."""

    def __init__(self, configuration: Configuration, output: str) -> None:
        super().__init__(configuration, read_robots(configuration.read.robots))
        self.folder = (StagingFolder if configuration.templates.mode != "off" else RunFolder)(output, configuration)
        self._answers: KeptAnswers | None = None
        self.progress = Progress()  # of whoever reads pages again
        self._stager: Stager | None = None

    def extract_partition(
        self, partition: Partition, *, progress: Progress | None = None, give_up: frozenset[int] = frozenset()
    ) -> PartitionResult:
        """Extracts one partition and writes its files under temporary names.

        `give_up` holds the offsets of pages that killed workers before. They become rows with status `error`. No other
        fault of a page stops the partition. Raises InputError or TransferError if the WARC cannot be read, OSError if
        the output cannot be written.
        """
        write = self.configuration.write
        run_input = partition.run_input
        reading = run_input.input.read(
            self.capture_options, partition.start, partition.end, filename=run_input.filename
        )
        reading.progress = progress = progress or Progress()
        with self.folder.start_partition(partition.name) as writer:
            skipped = _Kept(writer, "skipped", skipped_batch, write.batch_rows)
            letters = _Kept(writer, "dead_letter", dead_letter_batch, write.batch_rows)
            stager = self._stager_of(partition)
            batches = ReadingBatches(self, reading, letters.add, stager=stager, give_up=give_up, progress=progress)
            if write.skipped == "list":
                reading.on_skipped = skipped.add
            if write.pass_on:
                reading.pass_on = write.pass_on
                reading.on_document = partial(batches.pass_on, write=writer.pass_on)
            for table, batch in batches:
                writer.write(table, self.answers.put_in(table, batch))
            skipped.flush()
            letters.flush()
            writer.write("metrics", batches.metrics(partition.name))
            files = writer.close()
        return PartitionResult(partition, reading.first_offset, reading.next_offset, files, writer.rows, letters.n)

    @property
    def answers(self) -> KeptAnswers:
        """The answers about pages of the run that were merged into it."""
        if self._answers is None:
            self._answers = KeptAnswers(self.configuration, self.folder.storage)
        return self._answers

    def _stager_of(self, partition: Partition) -> Stager | None:
        """The stager that takes notes on a partition's pages for the second pass; None if there is only one pass."""
        if self.configuration.templates.mode == "off":
            return None
        if self._stager is None:
            from thresher.rows.notes import Stager

            # Of a packed page only its text can be written.
            only_text = not self.configuration.write.also and not self.reads_outlinks
            self._stager = Stager(packs=only_text)
        self._stager.begin(partition.run_input.number, partition.run_input.filename, partition.number)
        return self._stager
