# SPDX-License-Identifier: Apache-2.0
"""Partitions: how the inputs of a run are cut into stretches of work, and what came of one."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from thresher.config import Configuration
from thresher.inputs import open_input, scheme_of
from thresher.schemas import TABLES
from thresher.sinks import PartitionEntry

NO_PAGE: Final = -1  # for Progress.page()


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


class Progress:
    """Where a worker stands, for whoever watches it; the base class tells nobody."""

    def page(self, offset: int) -> None:
        """The page at this offset of the WARC is about to be worked on; none with NO_PAGE."""

    def done(self, position: int) -> None:
        """It is finished; the WARC was read up to `position`."""


def partitions_of(warc: Warc, configuration: Configuration) -> list[Partition]:
    """The partitions of a WARC: stretches of read.split_bytes, the last two of them in quarters, so that workers end at the same time.

    One where the WARC is small or cannot be cut. Only gzip files are cut (one member for each record, as the WARC standard recommends);
    where exactly a stretch begins is found by reading, see WarcReading. Raises InputError where the WARC does not exist.
    """
    size = input_size(warc.source) if warc.source.lower().endswith(".gz") else None
    step = configuration.read.split_bytes
    starts = [0]
    if size:
        quarter = max(step // 4, 1)
        whole = max(0, round(size / step) - 2)
        # Rounded, so that the last stretch is between half and one and a half times as long as the others.
        quarters = max(1, round((size - whole * step) / quarter))
        starts = [k * step for k in range(whole)] + [whole * step + k * quarter for k in range(quarters)]
    ends = [*starts[1:], None]
    return [Partition(warc, k, start, end) for k, (start, end) in enumerate(zip(starts, ends, strict=True))]


@lru_cache(maxsize=1 << 16)
def input_size(source: str) -> int | None:
    """Bytes of an input, None where its server does not say."""
    if not scheme_of(source):
        try:
            return os.stat(source.removeprefix("file://")).st_size
        except OSError:
            pass  # open_input says what is wrong
    file = open_input(source)
    try:
        return file.size
    finally:
        file.close()


def empty_result(partition: Partition, next_offset: int | None) -> PartitionResult:
    """The result of a partition in which no record begins: one record is longer than it, or the WARC broke before it."""
    return PartitionResult(partition, None, next_offset, {}, dict.fromkeys(TABLES, 0), 0)
