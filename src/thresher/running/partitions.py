# SPDX-License-Identifier: Apache-2.0
"""Partitions: how inputs are split into units of work, and the result of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from thresher.reading.inputs import Input
from thresher.schemas import TABLES
from thresher.schemas.staging import MAX_SIZE, PARTITION_BITS
from thresher.writing.ledger import PartitionEntry

if TYPE_CHECKING:
    from thresher.config import Configuration

_MAX_PARTITIONS: Final = 1 << (PARTITION_BITS - 1)


@dataclass(frozen=True, slots=True)
class RunInput:
    number: int  # its place among the inputs
    input: Input
    filename: str  # for warc_filename: relative to the base URL where one was given

    @property
    def source(self) -> str:
        return self.input.location


@dataclass(frozen=True, slots=True)
class Partition:
    """Part of a WARC: the records that begin in [start, end), or from `start` to the WARC's end if `end` is None."""

    run_input: RunInput
    number: int
    start: int
    end: int | None

    @property
    def name(self) -> str:
        """The name of its files: a function of the inputs and read.split_bytes alone."""
        return f"{self.run_input.number:05d}-{self.number:04d}"


@dataclass(slots=True)
class PartitionResult:
    """The result of a partition. Its files have temporary names until they are committed."""

    partition: Partition
    first_offset: int | None  # of the first record; None if there was none
    next_offset: int | None  # of the first record at or after the end; None if the WARC ended or broke
    files: dict[str, str]  # table → temporary path
    rows: dict[str, int]
    errors: int  # dead letters

    def entry(self) -> PartitionEntry:
        return PartitionEntry(self.partition.name, self.next_offset, self.rows)


@dataclass(frozen=True, slots=True)
class Cut:
    """The partitions of a WARC, each made on request: `whole` partitions of `step` bytes, then `quarters` of them."""

    run_input: RunInput
    size: int | None  # bytes of the WARC, None if they are not known
    step: int
    whole: int
    quarters: int

    def __len__(self) -> int:
        return self.whole + self.quarters

    def __getitem__(self, number: int) -> Partition:
        """The partition with this number. Raises IndexError beyond the last one."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        end = self._start(number + 1) if number + 1 < len(self) else None
        return Partition(self.run_input, number, self._start(number), end)

    def _start(self, number: int) -> int:
        beyond = max(0, number - self.whole)
        return (number - beyond) * self.step + beyond * max(self.step // 4, 1)


def cut(run_input: RunInput, size: int | None, configuration: Configuration) -> Cut:
    """How a WARC of `size` bytes is split: every read.split_bytes, the last two partitions in quarters.

    The quarters let workers finish together. A WARC is one partition if it is small, cannot be split, or its size is
    unknown. Only gzip files are split (one member per record, as the WARC standard recommends), ranges of archives, and
    folders of HTML files. The exact beginning of a partition is found by reading, see WarcReading. An impossible size
    counts as unknown. Partitions grow if there would be too many.
    """
    wanted, in_bytes = run_input.input.step(configuration.read.split_bytes)
    if not size or size > MAX_SIZE or wanted is None:
        return Cut(run_input, size, 1, 0, 1)
    step = max(wanted, -(-size // _MAX_PARTITIONS))
    if not in_bytes:
        return Cut(run_input, size, step, -(-size // step), 0)
    quarter = max(step // 4, 1)
    whole = max(0, round(size / step) - 2)
    # Rounded, so that the last stretch is between half and one and a half times as long as the others.
    return Cut(run_input, size, step, whole, max(1, round((size - whole * step) / quarter)))


def empty_result(partition: Partition, next_offset: int | None) -> PartitionResult:
    """The result of a partition in which no record begins: a record spans it, or the WARC broke off before it."""
    return PartitionResult(partition, None, next_offset, {}, dict.fromkeys(TABLES, 0), 0)
