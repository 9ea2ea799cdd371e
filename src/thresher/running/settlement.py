# SPDX-License-Identifier: Apache-2.0
"""Settlement of the partitions of a WARC: which results count, what is committed, what the ledger holds, what is lost.

Partitions of one WARC are processed in parallel, although the exact beginning of each is known only when the one before
it has ended. A worker begins at the first record that it finds in its partition. Its result counts only if the
partition before ended there; otherwise the partition is done again from the right place. So the rows are those of a
single reader, for any number of workers.

The same holds for what an earlier command finished, where partitions between are missing or tried again: an earlier
result counts if the partition before it ends where it began. What is tried again in vain keeps its earlier result.

Only the settling process gives files their final names, so a worker that outlives it for a moment does no harm.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from thresher.errors import InputError
from thresher.reading.captures import DeadLetter
from thresher.reading.kinds import FOLDER, RANGES
from thresher.running.partitions import Cut, Partition, PartitionResult, RunInput, empty_result
from thresher.schemas.dead_letter import WORKER
from thresher.writing.ledger import PartitionEntry

if TYPE_CHECKING:
    from thresher.writing.run_folder import RunFolder


_log: Final = logging.getLogger(__name__)


class Settlement:
    """Settles the partitions of one WARC in the run folder. Methods raise OSError if the folder cannot be written."""

    def __init__(self, folder: RunFolder, cut: Cut, entries: list[PartitionEntry]) -> None:
        """Continues with the partitions that the ledger does not list, or lists to be tried again."""
        self.run_input = cut.run_input
        self.cut = cut
        self.settled = 0  # partitions
        self.again: list[Partition] = []  # to be worked on once more, from where they are now known to begin
        self.lost = 0
        self._folder = folder
        self._names = cut.run_input.input.names_digest()
        self._earlier = {entry.number: entry for entry in entries}
        self._changed = False  # the ledger lacks an entry, or has one too many
        if cut.size is not None and entries and folder.ledger.size(cut.run_input.number) not in (None, cut.size):
            # The input has changed, and may be cut elsewhere: what was finished counts up to what is missing.
            first = next((n for n, entry in enumerate(entries) if entry.again or entry.number != n), len(entries))
            for number in [number for number in self._earlier if number > first]:
                folder.commit(self._earlier.pop(number).partition, {})
                self._changed = True
        self._entries: list[PartitionEntry] = []
        self._start: int | None = 0  # of the next partition; None: no record is left
        self._results: dict[int, PartitionResult | Exception] = {}
        self._after_loss = False  # a partition is missing: where the next begins is known from itself alone
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
            earlier = self._earlier.get(number)
            if earlier is not None and not earlier.again:
                number += 1
                continue
            if number == self.settled:
                yield self._next()
            else:
                start = earlier.start if earlier else None
                yield self.cut[number] if start is None else replace(self.cut[number], start=start)
            number = max(number + 1, self.settled)  # some may have been settled without being worked on

    def _next(self) -> Partition:
        """The first partition that is not settled, from where the one before it ended. After a loss it begins by
        itself: what was lost is not read with it.
        """
        partition = self.cut[self.settled]
        return partition if self._after_loss or self._start is None else replace(partition, start=self._start)

    def take(self, result: PartitionResult) -> None:
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
        while not self.is_done:
            partition = self.cut[self.settled]
            if self._take_earlier(partition):
                continue
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
            if isinstance(result, PartitionResult) and (change := self._change(result)):
                self._folder.discard(result.files)
                result = InputError(
                    f"{self.run_input.source}: {change}: it is another file now. Bring back the old one, or run into "
                    "another folder"
                )
            if isinstance(result, Exception):
                if self._keep_earlier(partition, result):
                    continue
                write_loss(self._folder, self.run_input, partition.number, result)
                self.lost += 1
                self._after_loss = True
                self.settled += 1
                continue
            begun = result.partition.start, result.first_offset
            if not self._after_loss and self._start not in begun:
                # Where it began to read no record begins, or not the first.
                self._folder.discard(result.files)
                self.again.append(self._next())
                break
            self._commit(result)
        self._record()

    def _change(self, result: PartitionResult) -> str | None:
        """What shows that a partition was read of another file than the one that was cut. A file may have grown."""
        source, size, start = self.run_input.input, self.cut.size, self._start
        if source.kind not in (FOLDER, RANGES) and size is not None and not source.is_remote:
            now = source.local_bytes()
            if now is not None and now < size:
                return f"it has {now:,} bytes, and had {size:,} when this run began with it"
        if self._after_loss or not start or result.partition.start != start or result.errors:
            return None
        if result.first_offset == start:
            return None
        return f"no record begins at byte {start:,}, where one began when what comes before was read"

    def _record(self) -> None:
        """Enters in the ledger what is settled, and what an earlier command finished beyond it."""
        done = self.is_done and not self.lost
        if done or self._changed:
            self._changed = False
            beyond = [entry for number, entry in sorted(self._earlier.items()) if number >= self.settled]
            entries = [*self._entries, *(beyond if not self.is_done else ())]
            number, source = self.run_input.number, self.run_input.source
            self._folder.ledger.write(number, source, entries, done=done, size=self.cut.size, names=self._names)

    def _take_earlier(self, partition: Partition) -> bool:
        """Settles a partition with its result of an earlier command, if that counts."""
        earlier = self._earlier.get(partition.number)
        if earlier is None or earlier.again:
            return False
        if self._after_loss or earlier.start != self._start:
            # The partition before it ends elsewhere now, so this one is worked on again.
            del self._earlier[partition.number]
            if partition.number not in self._results:
                self.again.append(self._next())
            return False
        self._settle_as(earlier)
        return True

    def _keep_earlier(self, partition: Partition, error: Exception) -> bool:
        """Settles a partition that was tried again in vain with its earlier result, if it has one that counts."""
        earlier = self._earlier.get(partition.number)
        if earlier is None or self._after_loss or earlier.start != self._start:
            return False
        _log.warning("partition %s failed again, and stays as it was: %s", partition.name, error)
        self._settle_as(replace(earlier, again=False))
        self._changed = True
        return True

    def _settle_as(self, entry: PartitionEntry) -> None:
        self.settled += 1
        self._start = entry.next_offset
        self._entries.append(entry)

    def _commit(self, result: PartitionResult) -> None:
        self._folder.commit(result.partition.name, result.files)
        entry = replace(result.entry(), start=self._start if not self._after_loss else result.first_offset)
        self._after_loss = False
        self._earlier.pop(result.partition.number, None)
        self._settle_as(entry)
        self._changed = True


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
