# SPDX-License-Identifier: Apache-2.0
"""The work of extraction: opening inputs, handing out their partitions, and handling workers that fail or die.

If two workers died or hung on a page, the page is given up: a row of status `error` and a dead letter. The partition
continues with all other pages, however many are given up.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from thresher.errors import InputError, RunError, WorkerDied
from thresher.reading.progress import NO_PAGE
from thresher.running.partitions import Partition, PartitionResult, RunInput, cut
from thresher.running.settlement import Settlement, write_loss
from thresher.running.worker_process import READING, WORKING, Extract, LookAt
from thresher.writing.storage import TEMPORARY

if TYPE_CHECKING:
    from thresher.config import Configuration
    from thresher.running.supervisor import Spot, Supervisor
    from thresher.writing.run_folder import RunFolder

_log = logging.getLogger(__name__)

_QUICK_LOOK: Final = 5.0  # seconds that a server has to answer before all other inputs go first
_LATER: Final = 30.0  # seconds before a partition that failed is tried again while there is other work
_MAX_TRIES: Final = 2  # of a task that raises an exception
_MAX_DEATHS_AT: Final = 2  # of workers at one page or record before it is given up
_ATTEMPTS: Final = f"{TEMPORARY}/attempts"
_MAX_DEATHS: Final = 8  # worker deaths in one partition that no given-up page explains, before the partition is lost


@dataclass(frozen=True, slots=True)
class Snapshot:
    pages: int  # extracted since the run began (again); 0 in the second pass
    fraction: float | None  # of the step, with what was finished earlier; None if it is not known


OnSnapshot = Callable[[Snapshot], None]
"""Receives snapshots of the progress, a few per second."""


@dataclass(slots=True)
class _Deaths:
    """The workers that died over one partition."""

    at: Counter[Spot] = field(default_factory=Counter)

    def given_up(self, phase: int) -> frozenset[int]:
        """Offsets of the pages (or records) that are not tried again."""
        return frozenset(spot.offset for spot, n in self.at.items() if n >= _MAX_DEATHS_AT and spot.phase == phase)

    @property
    def is_hopeless(self) -> bool:
        """True if workers died too often for giving up pages to help."""
        unaccounted = 0
        for spot, n in self.at.items():
            named = spot.offset != NO_PAGE
            if n > _MAX_DEATHS_AT:
                return True
            unaccounted += n if not named or n < _MAX_DEATHS_AT else 0
        return unaccounted >= _MAX_DEATHS


class Attempts:
    """Counts how often a WARC was started and not finished, by processes that may die with their machine.

    Each attempt is a mark in the run's folder: OUT/_temporary/attempts/00007-3-… for one that started after the third
    partition of the eighth WARC. Only attempts that started at the same partition are counted together. The next
    command that works on the run starts without marks.
    """

    def __init__(self, folder: RunFolder, most: int) -> None:
        self._storage = folder.storage
        self._most = most
        self._ours: dict[int, str] = {}

    def begin(self, run_input: RunInput, n_finished: int) -> WorkerDied | None:
        """Record one more attempt at a WARC with this many finished partitions.

        Returns an error if there were enough already: the WARC must not be started again.
        """
        prefix = f"{run_input.number:05d}-{n_finished}-"
        begun = sum(name.startswith(prefix) for name in self._storage.names(_ATTEMPTS))
        if begun >= self._most:
            return WorkerDied(
                f"{begun} attempts ended without a word over {run_input.source}: it may kill what reads it"
            )
        self._ours[run_input.number] = name = f"{_ATTEMPTS}/{prefix}{uuid.uuid4().hex}"
        self._storage.mark(name)
        return None

    def end(self, run_input: RunInput) -> None:
        """The attempt at a WARC ended, with whatever result: the process is alive."""
        if name := self._ours.pop(run_input.number, None):
            self._storage.delete(self._storage.path(name))


class PartitionQueue:
    """The tasks that extract WARCs into a run folder."""

    def __init__(
        self,
        folder: RunFolder,
        configuration: Configuration,
        run_inputs: Sequence[RunInput],
        *,
        all_inputs: Sequence[RunInput] = (),
        resumed: bool = True,
        watch: OnSnapshot | None = None,
        deadline: float | None = None,
        attempts: Attempts | None = None,
    ) -> None:
        """Extracts `run_inputs`. Progress refers to `all_inputs`, which include those finished earlier. No task is
        handed out after `deadline`, a time as of time.time(). `attempts` counts those of processes before this one.
        """
        self.lost = 0  # partitions
        self._folder = folder
        self._configuration = configuration
        self._resumed = resumed
        self._watch = watch
        self._deadline = deadline
        self._attempts = attempts
        self._new = iter(run_inputs)
        self._open: dict[int, Settlement] = {}
        self._handing_out: deque[Iterator[Partition]] = deque()
        self._again: deque[Extract] = deque()
        self._later: deque[tuple[float, Extract | LookAt]] = deque()  # not before this time, if there is other work
        self._waiting: dict[int, RunInput] = {}  # opened, or to be opened again
        self._tries: Counter[str] = Counter()
        self._deaths: dict[str, _Deaths] = {}
        self._weights = _weights(all_inputs or run_inputs) if watch else {}
        pending = {run_input.number for run_input in run_inputs}
        self._done = sum(weight for number, weight in self._weights.items() if number not in pending)

    # --- what a supervisor asks ---

    def next_task(self) -> Extract | LookAt | None:
        """The next task: what must be repeated, then partitions of WARCs that are open, then new WARCs, then what
        failed. None once the deadline is over.
        """
        if self._deadline is not None and time.time() > self._deadline:
            return None
        if self._again:
            return self._again.popleft()
        if self._later and self._later[0][0] <= time.monotonic():
            return self._later.popleft()[1]
        while True:
            while self._handing_out:
                partition = next(self._handing_out[0], None)
                if partition is not None:
                    return Extract(partition)
                self._handing_out.popleft()
            run_input = next(self._new, None)
            if run_input is None:
                return self._later.popleft()[1] if self._later else None
            if run_input.input.is_remote:
                self._waiting[run_input.number] = run_input
                return LookAt(run_input.number, run_input.input, _QUICK_LOOK)
            self._begin(run_input, run_input.input.known_size())

    def finished(self, task: Extract | LookAt, answer: Any) -> None:  # noqa: ANN401 (the task's own)
        """Opens a WARC whose size is known now, or settles a partition."""
        if isinstance(task, LookAt):
            self._begin(self._waiting.pop(task.number), answer)
            return
        result: PartitionResult = answer
        settlement = self._open.get(task.partition.run_input.number)
        if settlement is None:  # settled meanwhile: no record begins in it
            self._folder.discard(result.files)
            return
        settlement.take(result)
        self._go_on(settlement)

    def failed(self, task: Extract | LookAt, error: Exception) -> None:
        """Retry the task later, or give up the partition."""
        if isinstance(error, RunError):
            raise error
        if not self._is_wanted(task):
            return
        self._tries[task.title] += 1
        if isinstance(error, InputError) or self._tries[task.title] >= _MAX_TRIES:
            _log.error("%s: %s", task.title, error)
            self._lose(task, error)
            return
        _log.warning("%s: %s; trying again later", task.title, error)
        if isinstance(task, LookAt):
            task = LookAt(task.number, task.input, None)
        self._later.append((time.monotonic() + _LATER, task))

    def died(self, task: Extract | LookAt, error: WorkerDied, spot: Spot) -> None:
        """Restart the partition without the pages on which two workers died."""
        if not self._is_wanted(task):
            return
        if isinstance(task, LookAt):
            self.failed(task, error)
            return
        deaths = self._deaths.setdefault(task.partition.name, _Deaths())
        deaths.at[spot] += 1
        if deaths.is_hopeless:
            self._lose(task, error)
            return
        given_up = deaths.given_up(WORKING)
        if spot.offset in given_up:
            _log.warning("%s: the page at offset %d is given up", task.title, spot.offset)
        self._again.append(Extract(task.partition, given_up, deaths.given_up(READING)))

    def look(self, supervisor: Supervisor) -> None:
        if self._watch is None:
            return
        done = self._done + sum(self._weights[number] * settlement.share for number, settlement in self._open.items())
        for task, position in supervisor.at_work():
            settlement = self._open.get(task.partition.run_input.number) if isinstance(task, Extract) else None
            if settlement is not None and (end := task.partition.end or settlement.cut.size):
                start, end = task.partition.start, max(end, task.partition.start + 1)
                part = min(1.0, max(0.0, (position - start) / (end - start)))
                done += self._weights[settlement.run_input.number] / len(settlement.cut) * part
        total = sum(self._weights.values()) or 1.0
        self._watch(Snapshot(supervisor.pages, min(1.0, done / total)))

    # --- WARCs ---

    def _begin(self, run_input: RunInput, size: int | None) -> None:
        entries = self._folder.ledger.read(run_input.number) if self._resumed else []
        if self._attempts and (error := self._attempts.begin(run_input, len(entries))):
            _log.error("%s", error)
            self._give_up(run_input, error)
            return
        if entries and (change := self._change(run_input, size)):
            hint = "bring back what it was, or run into another folder"
            self._give_up(run_input, InputError(f"{run_input.source}: {change}; {hint}"))
            return
        if size is None and entries:  # a server that does not tell it now: cut as it was
            size = self._folder.ledger.size(run_input.number)
        settlement = Settlement(self._folder, cut(run_input, size, self._configuration), entries)
        self._open[run_input.number] = settlement
        self._handing_out.append(settlement.partitions())
        self._go_on(settlement)

    def _change(self, run_input: RunInput, size: int | None) -> str | None:
        """What shows that an input that was read, or a part of it, is another now. A file may have grown."""
        before = self._folder.ledger.state(run_input.number)
        if before["names"] not in (None, run_input.input.names_digest()):
            return "it has other files than when it was read"
        if size is not None and size < (before["size"] or 0):
            return f"it has {size:,} bytes, and had {before['size']:,} when it was read"
        return None

    def _go_on(self, settlement: Settlement) -> None:
        """Continue after something was settled."""
        self._again.extendleft(
            Extract(partition, *self._given_up(partition)) for partition in reversed(settlement.again)
        )
        settlement.again.clear()
        if settlement.is_done and self._open.pop(settlement.run_input.number, None) is not None:
            self.lost += settlement.lost
            self._done += self._weights.get(settlement.run_input.number, 0.0)
            if self._attempts:
                self._attempts.end(settlement.run_input)

    def _given_up(self, partition: Partition) -> tuple[frozenset[int], frozenset[int]]:
        deaths = self._deaths.get(partition.name, _Deaths())
        return deaths.given_up(WORKING), deaths.given_up(READING)

    def _is_wanted(self, task: Extract | LookAt) -> bool:
        if isinstance(task, LookAt):
            return True
        settlement = self._open.get(task.partition.run_input.number)
        return settlement is not None and not settlement.is_settled(task.partition)

    def _lose(self, task: Extract | LookAt, error: Exception) -> None:
        if isinstance(task, Extract):
            settlement = self._open[task.partition.run_input.number]
            settlement.lose(task.partition, error)
            self._go_on(settlement)
            return
        self._give_up(self._waiting.pop(task.number), error)

    def _give_up(self, run_input: RunInput, error: Exception) -> None:
        """Record what is missing of an input that was not started as failed."""
        entries = self._folder.ledger.read(run_input.number) if self._resumed else []
        missing = next((n for n, entry in enumerate(entries) if entry.number != n), len(entries))
        if entries and missing == len(entries) and entries[-1].next_offset is None:
            # All of it was read once, and is only tried again: it stays as it was.
            _log.warning("what was read of an input stays as it was: %s", error)
            kept, ledger = [replace(entry, again=False) for entry in entries], self._folder.ledger
            ledger.write(run_input.number, run_input.source, kept, done=True, **ledger.state(run_input.number))
        else:
            write_loss(self._folder, run_input, missing, error)
            self.lost += 1
        self._done += self._weights.get(run_input.number, 0.0)


def _weights(run_inputs: Sequence[RunInput]) -> dict[int, float]:
    """The share of each WARC in the work: its bytes if all are local, otherwise the same for each."""
    if any(run_input.input.is_remote for run_input in run_inputs):
        return {run_input.number: 1.0 for run_input in run_inputs}
    return {run_input.number: float(run_input.input.local_bytes() or 1) for run_input in run_inputs}
