# SPDX-License-Identifier: Apache-2.0
"""Partitions: how the inputs of a run are cut into stretches of work, and what came of one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from thresher.reading.inputs import local_path, open_input, scheme_of
from thresher.reading.progress import NO_PAGE, Progress
from thresher.schemas import TABLES
from thresher.schemas.staging import OFFSET_BITS, PARTITION_BITS
from thresher.writing.ledger import PartitionEntry

if TYPE_CHECKING:
    from thresher.config import Configuration

__all__ = ["NO_PAGE", "Cut", "Partition", "PartitionResult", "Progress", "Warc", "cut", "input_size"]

MAX_SIZE: Final = 1 << OFFSET_BITS  # 1 TiB: a server that claims more is not believed
_MAX_PARTITIONS: Final = 1 << (PARTITION_BITS - 1)


@dataclass(frozen=True, slots=True)
class Warc:
    """One input of a run."""

    number: int  # its place among the inputs
    source: str  # path or URL
    filename: str  # for warc_filename: relative to the base URL where one was given


@dataclass(frozen=True, slots=True)
class Partition:
    """A stretch of a WARC: the records that begin in [start, end), to the WARC's end where `end` is None."""

    warc: Warc
    number: int
    start: int
    end: int | None

    @property
    def name(self) -> str:
        """The name of its files: a function of the inputs and read.split_bytes alone."""
        return f"{self.warc.number:05d}-{self.number:04d}"


@dataclass(slots=True)
class PartitionResult:
    """What came of a partition. Its files lie under temporary names until they are committed."""

    partition: Partition
    first_offset: int | None  # of the first record; None where there was none
    next_offset: int | None  # of the first record at or after the end; None where the WARC ended or broke
    files: dict[str, str]  # table → temporary path
    rows: dict[str, int]
    errors: int  # dead letters

    def entry(self) -> PartitionEntry:
        """What the ledger keeps of it."""
        return PartitionEntry(self.partition.name, self.next_offset, self.rows)


@dataclass(frozen=True, slots=True)
class Cut:
    """The partitions of a WARC, each made when it is asked for: `whole` stretches of `step` bytes, then `quarters`."""

    warc: Warc
    size: int | None  # bytes of the WARC, None where they are not known
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
        return Partition(self.warc, number, self._start(number), end)

    def _start(self, number: int) -> int:
        beyond = max(0, number - self.whole)
        return (number - beyond) * self.step + beyond * max(self.step // 4, 1)


def cut(warc: Warc, size: int | None, configuration: Configuration) -> Cut:
    """How a WARC of `size` bytes is cut: stretches of read.split_bytes, the last two in quarters, so that workers end
    together.

    It is one stretch where it is small, cannot be cut, or its size is not known. Only gzip files are cut (one member
    for each record, as the WARC standard recommends); where exactly a stretch begins is found by reading, see
    WarcReading. A size that no archive has counts as unknown, and stretches grow where there would be too many.
    """
    if not size or size > MAX_SIZE or not warc.source.lower().endswith(".gz"):
        return Cut(warc, size, 1, 0, 1)
    step = max(configuration.read.split_bytes, -(-size // _MAX_PARTITIONS))
    quarter = max(step // 4, 1)
    whole = max(0, round(size / step) - 2)
    # Rounded, so that the last stretch is between half and one and a half times as long as the others.
    return Cut(warc, size, step, whole, max(1, round((size - whole * step) / quarter)))


@lru_cache(maxsize=1 << 16)
def input_size(source: str) -> int | None:
    """Bytes of an input, None where its server does not say. Asks the server: only workers call it for remote inputs."""
    file = open_input(local_path(source) if not scheme_of(source) else source)
    try:
        return file.size
    finally:
        file.close()


def empty_result(partition: Partition, next_offset: int | None) -> PartitionResult:
    """The result of a partition in which no record begins: one record is longer than it, or the WARC broke before it."""
    return PartitionResult(partition, None, next_offset, {}, dict.fromkeys(TABLES, 0), 0)
