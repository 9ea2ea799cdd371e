# SPDX-License-Identifier: Apache-2.0
"""Settlement of the partitions of a WARC: which results count, what is committed, what the ledger holds, what is lost.

Partitions of one WARC are processed in parallel, although the exact beginning of each is known only when the one before
it has ended. A worker begins at the first record that it finds in its partition. Its result counts only if the
partition before ended there; otherwise the partition is done again from the right place. So the rows are those of a
single reader, for any number of workers.

Only the settling process gives files their final names, so a worker that outlives it for a moment does no harm.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from thresher.reading.captures import DeadLetter
from thresher.running.partitions import Cut, Partition, PartitionResult, RunInput, empty_result
from thresher.schemas.dead_letter import WORKER
from thresher.writing.ledger import PartitionEntry

if TYPE_CHECKING:
    from thresher.writing.run_folder import RunFolder


class Settlement:
    """Settles the partitions of one WARC in the run folder. Methods raise OSError if the folder cannot be written."""

    def __init__(self, folder: RunFolder, cut: Cut, entries: list[PartitionEntry]) -> None:
        """Continues after the partitions that the ledger lists."""
        self.run_input = cut.run_input
        self.cut = cut
        self.settled = len(entries)  # partitions
        self.again: list[Partition] = []  # to be worked on once more, from where they are now known to begin
        self.lost = 0
        self._folder = folder
        self._entries = entries
        self._start = entries[-1].next_offset if entries else 0  # of the next partition; None: no record is left
        self._results: dict[int, PartitionResult | Exception] = {}
        self._after_loss = False  # a partition is missing: where the next begins is known from itself alone
        self._ledger_open = True  # until one is missing
        self._settle()

    @property
    def is_done(self) -> bool:
        """Whether all partitions are settled."""
        return self.settled >= len(self.cut)

    @property
    def share(self) -> float:
        """The share of partitions that are settled, or finished and waiting for an earlier one."""
        return (self.settled + len(self._results)) / len(self.cut)

    def is_settled(self, partition: Partition) -> bool:
        """Whether a result of this partition is no longer wanted."""
        return partition.number < self.settled

    def partitions(self) -> Iterator[Partition]:
        """The partitions to extract. Each begins where it is known to begin when it is requested."""
        number = self.settled
        while number < len(self.cut):
            partition = self.cut[number]
            if number == self.settled and self._start is not None:
                partition = Partition(self.run_input, number, self._start, partition.end)
            yield partition
            number = max(number + 1, self.settled)  # some may have been settled without being worked on

    def take(self, result: PartitionResult) -> None:
        """Takes the result of a partition."""
        if self.is_settled(result.partition):
            self._folder.discard(result.files)
            return
        self._results[result.partition.number] = result
        self._settle()

    def lose(self, partition: Partition, error: Exception) -> None:
        """Records a partition as failed. It becomes a dead letter, and later partitions continue."""
        if not self.is_settled(partition):
            self._results[partition.number] = error
            self._settle()

    def _settle(self) -> None:
        """Commits results that are certain, in the order of the WARC."""
        recorded = len(self._entries)
        while not self.is_done:
            partition = self.cut[self.settled]
            beyond = partition.end is not None and self._start is not None and self._start >= partition.end
            if not self._after_loss and (self._start is None or beyond):
                early = self._results.pop(partition.number, None)
                if isinstance(early, PartitionResult):
                    self._folder.discard(early.files)
                self._commit(empty_result(partition, self._start))
                continue
            result = self._results.pop(partition.number, None)
            if result is None:
                break
            if isinstance(result, Exception):
                write_loss(self._folder, self.run_input, partition.number, result)
                self.lost += 1
                self._ledger_open, self._after_loss = False, True
                self.settled += 1
                continue
            begun = result.partition.start, result.first_offset
            if not self._after_loss and self._start not in begun:
                # Where it began to read no record begins, or not the first.
                self._folder.discard(result.files)
                self.again.append(Partition(self.run_input, partition.number, self._start or 0, partition.end))
                break
            self._commit(result)
        done = self.is_done and self._ledger_open
        if done or len(self._entries) > recorded:
            self._folder.ledger.write(self.run_input.number, self.run_input.source, self._entries, done=done)

    def _commit(self, result: PartitionResult) -> None:
        self._folder.commit(result.partition.name, result.files)
        self.settled += 1
        self._start = result.next_offset
        self._after_loss = False
        if self._ledger_open:
            self._entries.append(result.entry())


def write_loss(folder: RunFolder, run_input: RunInput, number: int, error: Exception) -> None:
    """Writes the dead letter of a partition that failed, under the partition's name.

    It is not entered in the ledger, so a resumed run retries the partition and replaces this file.
    """
    from thresher.rows.tables import dead_letter_batch

    name = Partition(run_input, number, 0, None).name
    letter = DeadLetter(run_input.filename, 0, 0, None, WORKER, type(error).__name__, str(error))
    with folder.start_partition(name) as writer:
        writer.write("dead_letter", dead_letter_batch([letter]))
        files = writer.close()
    folder.commit(name, files)
