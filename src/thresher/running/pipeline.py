# SPDX-License-Identifier: Apache-2.0
"""Extracts one partition of a WARC: its record batches, written into files.

`extract_partition` runs in a worker process of the command line and in a task of Spark alike.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from thresher.config import Configuration
from thresher.reading.captures import DeadLetter, LeftOut
from thresher.reading.limits import traffic
from thresher.reading.listing import read_robots
from thresher.reading.progress import Progress
from thresher.rows.answers import KeptAnswers
from thresher.rows.batches import ReadingBatches, RowMaker
from thresher.rows.tables import dead_letter_batch, metrics_batch, skipped_batch
from thresher.running.partitions import MAX_SIZE, Partition, PartitionResult
from thresher.writing.run_folder import RunFolder
from thresher.writing.staging import StagingFolder

if TYPE_CHECKING:
    from thresher.rows.notes import Stager


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
        started, cpu_started, asked_before = time.perf_counter_ns(), time.process_time(), traffic()
        run_input = partition.run_input
        reading = run_input.input.read(
            self.capture_options, partition.start, partition.end, filename=run_input.filename
        )
        reading.progress = progress = progress or Progress()
        left_out: list[LeftOut] = []
        batches = ReadingBatches(self, reading, stager=self._stager_of(partition), give_up=give_up, progress=progress)
        with self.folder.start_partition(partition.name) as writer:
            if write.skipped == "list":

                def keep(record: LeftOut) -> None:
                    left_out.append(record)
                    if len(left_out) >= write.batch_rows:
                        writer.write("skipped", skipped_batch(left_out))
                        left_out.clear()

                reading.on_skipped = keep
            if write.pass_on:
                reading.pass_on = write.pass_on
                reading.on_document = partial(batches.pass_on, write=writer.pass_on)
            letters: list[DeadLetter] = []
            n_letters = 0

            def post(letter: DeadLetter) -> None:
                nonlocal n_letters
                n_letters += 1
                letters.append(letter)
                if len(letters) >= write.batch_rows:
                    writer.write("dead_letter", dead_letter_batch(letters))
                    letters.clear()

            def post_record(letter: DeadLetter) -> None:
                read.errors[letter.error_class] += 1
                post(letter)

            read = batches.totals["read"]
            reading.on_dead_letter, batches.on_dead_letter = post_record, post
            for table, batch in batches:
                writer.write(table, self.answers.put_in(table, batch))
            if left_out:
                writer.write("skipped", skipped_batch(left_out))
            read.bytes = min(reading.bytes_read, MAX_SIZE)
            if letters:
                writer.write("dead_letter", dead_letter_batch(letters))
            elapsed, cpu = time.perf_counter_ns() - started, time.process_time() - cpu_started
            requests, received = (now - before for now, before in zip(traffic(), asked_before, strict=True))
            named, counts = (partition.name, partition.run_input.filename), (batches.totals, batches.statuses)
            writer.write("metrics", metrics_batch(*named, *counts, reading, elapsed, cpu, (requests, received)))
            files = writer.close()
        return PartitionResult(partition, reading.first_offset, reading.next_offset, files, writer.rows, n_letters)

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
