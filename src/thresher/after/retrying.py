# SPDX-License-Identifier: Apache-2.0
"""Tries again what failed in a run, so that its tables equal those of an undisturbed run.

A partition that has dead letters is worked on again as a whole, from the record where it began, and what comes of it
replaces its files. So a record is never settled apart from its partition, and nothing depends on how the archive is
compressed. Partitions without dead letters stay, as long as the one before them still ends where they begin
(thresher.running.settlement).

With templates, repetition on a host is counted over all pages: after the first pass everything is counted and decided
again, from its notes.

Every step can be killed: the ledger names the partitions that are to be tried again, and the same command or
`thresher extract` goes on there.
"""

from __future__ import annotations

import fnmatch
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from thresher.errors import ConfigError
from thresher.schemas.dead_letter import STAGES
from thresher.writing.staging import StagingFolder
from thresher.writing.tables import SCHEMA_FILE

if TYPE_CHECKING:
    from thresher.running.run import Run
    from thresher.writing.run_folder import RunFolder

_COLUMNS = ("warc_filename", "stage", "error_class")  # by which dead letters are chosen


@dataclass(frozen=True, slots=True)
class Choice:
    """Selects the dead letters to retry; all of them if nothing is named."""

    classes: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    files: tuple[str, ...] = ()  # patterns of warc_filename

    def __post_init__(self) -> None:
        """Raises ConfigError for a stage that does not exist."""
        for stage in self.stages:
            if stage not in STAGES:
                raise ConfigError(f"{stage!r} is no stage; one of {', '.join(STAGES)}")

    def takes(self, filename: str, stage: str, error_class: str) -> bool:
        """Whether a row of `dead_letter` is one of them."""
        return (
            (not self.classes or error_class in self.classes)
            and (not self.stages or stage in self.stages)
            and (not self.files or any(fnmatch.fnmatchcase(filename, each) for each in self.files))
        )


@dataclass(frozen=True, slots=True)
class Retries:
    partitions: dict[int, list[int]]  # number of an input → its partitions to work on again
    n: int  # dead letters that were chosen
    classes: Counter[str]  # of all dead letters

    @property
    def n_partitions(self) -> int:
        return sum(map(len, self.partitions.values()))


def retries_of(run: Run, choice: Choice) -> Retries:
    """What is to be tried again for the chosen dead letters of a run."""
    known = {run_input.number for run_input in run.inputs}
    partitions: dict[int, list[int]] = {}
    n = 0
    classes: Counter[str] = Counter()
    for partition, rows in _letters(run.extraction.folder):
        classes.update(filter(None, rows["error_class"].to_pylist()))
        chosen = sum(choice.takes(*row) for row in zip(*(rows[name].to_pylist() for name in _COLUMNS), strict=True))
        n += chosen
        number, place = map(int, partition.split("-"))
        if chosen and number in known:
            partitions.setdefault(number, []).append(place)
    return Retries(partitions, n, classes)


def reopen(run: Run, partitions: Mapping[int, list[int]]) -> Run:
    """The run with these partitions to be worked on again."""
    if not partitions:
        return run
    first_pass = run.first_pass
    if first_pass is None:
        run.folder.ledger.reopen(partitions)
    else:
        # In this order, so that after a kill any command can continue the run.
        first_pass.folder.ledger.reopen(partitions)
        run.folder.ledger.forget()
        staged = first_pass.folder.ledger.finished()
        first_pass = replace(first_pass, pending=tuple(each for each in run.inputs if each.number not in staged))
    finished = run.folder.ledger.finished()
    return replace(
        run, pending=tuple(each for each in run.inputs if each.number not in finished), first_pass=first_pass
    )


def _letters(folder: RunFolder) -> Iterator[tuple[str, pa.Table]]:
    """The rows of `dead_letter` by partition, the columns by which they are chosen."""
    for name in sorted(folder.storage.names("dead_letter") - {SCHEMA_FILE}):
        partition = name.partition(".")[0]
        if isinstance(folder, StagingFolder):  # whose files are Arrow
            batches: list[Any] = list(folder.read_groups("dead_letter", partition, list(_COLUMNS)))
            yield partition, pa.Table.from_batches(batches)
        else:
            yield partition, folder.tables.read("dead_letter", name).select(_COLUMNS)
