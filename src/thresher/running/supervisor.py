# SPDX-License-Identifier: Apache-2.0
"""The supervisor of worker processes. It hands out tasks, and stops workers that make no progress.

On one machine, one supervisor serves both passes of a run. A Spark task has its own, with a single worker. The Queue
decides which tasks there are, and what follows from an answer, an error or a death.
"""

from __future__ import annotations

import logging
import multiprocessing
import pickle
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Final, Protocol

from thresher.config import Configuration
from thresher.errors import WorkerDied, WorkerStalled
from thresher.reading.limits import Pause
from thresher.reading.progress import NO_PAGE
from thresher.running import worker_process
from thresher.running.crew import GONE, Crew, Worker, start_worker
from thresher.running.worker_process import (
    FETCHING,
    N_SLOTS,
    PAGE,
    PAGES,
    PHASE,
    POSITION,
    READING,
    WAITING,
    WORKING,
    Failure,
    TaskContext,
)

_log = logging.getLogger(__name__)

_TICK: Final = 0.25  # seconds between two looks at the workers
# Minimum seconds allowed for fetching bytes of an input. Retries and time limits in transfers.py end before that, but
# for a store that is waited for.
_FETCH: Final = 600.0


@dataclass(frozen=True, slots=True)
class Spot:
    """What a worker was doing when it died."""

    phase: int  # WAITING: no page; FETCHING bytes of the input; READING a record; WORKING on a page
    offset: int  # of the record or page; NO_PAGE if there is none


class Queue(Protocol):
    """Where a supervisor gets its tasks, and reports their outcome."""

    def next_task(self) -> Any | None:  # noqa: ANN401 (tasks are the queue's own; see thresher.running.worker_process)
        """The next task, or None if there is none at present."""

    def finished(self, task: Any, answer: Any) -> None:  # noqa: ANN401
        """A task returned its answer."""

    def failed(self, task: Any, error: Exception) -> None:  # noqa: ANN401
        """A task raised an exception."""

    def died(self, task: Any, error: WorkerDied, spot: Spot) -> None:  # noqa: ANN401
        """The worker of a task died or was stopped."""

    def look(self, supervisor: Supervisor) -> None:
        """Called a few times per second."""


@dataclass(slots=True)
class _Work:
    """A task that a worker was given, and what was seen of it."""

    task: Any
    changed: float  # when its slots were last different
    seen: tuple[int, ...] = ()  # its slots at the last look
    stalled: float = 0.0  # seconds without progress, for which it was stopped


class Supervisor(AbstractContextManager["Supervisor"]):
    """Owns `n` worker processes. They start when there is work for them, and end with the `with` block."""

    def __init__(
        self, configuration: Configuration, output: str, n: int, *, fork: bool = False, processes: int | None = None
    ) -> None:
        """Workers extract into the run folder `output`. `processes` is the number of workers of the whole run, which
        share its limits on requests; it may have other supervisors.

        With `fork`, workers are forked from this process and share its imports, which saves each 0.3 s of CPU.
        """
        self.n_workers = n
        self._configuration = configuration
        self._output = output
        self._fork = fork and sys.platform == "linux"  # system libraries of macOS do not survive it
        self._stall = configuration.run.stall_seconds
        self._slots = multiprocessing.RawArray("q", N_SLOTS * n)
        self._processes = processes or n
        self._pause: Pause = multiprocessing.RawValue(Pause)  # of all workers, for a store that is busy or fails
        self._waits: tuple[bytes, float] | None = None  # for which store, and since when
        self._crew = Crew(n, self._start)
        self._context: bytes | None = None
        self._told: dict[int, tuple[Worker, bytes]] = {}  # which context a worker has, by its number

    def __exit__(self, *_: object) -> None:
        self.close()

    def work(self, queue: Queue, context: object = None) -> None:
        """Hands out tasks of a queue until all are finished. `context` is what its tasks have in common."""
        self._context = None if context is None else pickle.dumps(TaskContext(pickle.dumps(context)))
        while True:
            for number in filter(self._crew.is_idle, range(self.n_workers)):
                task = queue.next_task()
                if task is None:
                    break
                self._hand_out(number, task)
            queue.look(self)
            if not any(self._crew.busy()):
                return
            for number, worker, work, answer in self._crew.answers(_TICK):
                if answer is GONE:
                    spot = self._spot(number)
                    error = _death(worker, work, spot)
                    _log.warning("%s", error)
                    queue.died(work.task, error, spot)
                elif isinstance(answer, Failure):
                    queue.failed(work.task, answer.error)
                else:
                    queue.finished(work.task, answer)
            self._tell_waits()
            self._stop_stalled()

    def close(self) -> None:
        """Ends all worker processes."""
        self._crew.close()

    @property
    def pages(self) -> int:
        return sum(self._slots[N_SLOTS * number + PAGES] for number in range(self.n_workers))

    def at_work(self) -> Iterator[tuple[Any, int]]:
        """The task of each busy worker and its position in the WARC."""
        for number, worker in self._crew.busy():
            yield worker.task.task, self._slots[N_SLOTS * number + POSITION]

    def _hand_out(self, number: int, task: Any) -> None:  # noqa: ANN401
        worker = self._crew.at(number)
        first = N_SLOTS * number
        self._slots[first + PAGE], self._slots[first + PHASE] = NO_PAGE, WAITING
        self._slots[first + POSITION] = 0  # until the worker begins; the last task's would count as progress
        messages = [pickle.dumps(task)]
        if self._context is not None and self._told.get(number) != (worker, self._context):
            messages.insert(0, self._context)
            self._told[number] = worker, self._context
        worker.give(_Work(task, time.monotonic()), *messages)

    def _start(self, number: int, siblings: Sequence[Connection]) -> Worker:
        # Another Python thread may hold a lock that the child would wait for. Threads of pyarrow survive a fork.
        return start_worker(
            worker_process.work,
            *(self._slots, number, self._configuration, self._output, self._processes, self._pause),
            name=f"thresher-{number}",
            fork=self._fork and threading.active_count() == 1,
            siblings=siblings,
        )

    def _spot(self, number: int) -> Spot:
        phase, offset = self._slots[N_SLOTS * number + PHASE], self._slots[N_SLOTS * number + PAGE]
        return Spot(phase, offset if phase in (READING, WORKING) else NO_PAGE)

    def _tell_waits(self) -> None:
        """Says when workers begin and cease to wait for a store."""
        why, minutes = self._pause.why, self._configuration.run.patience_minutes
        if why and self._waits is None:
            self._waits = why, time.monotonic()
            text = why.decode("utf-8", "replace")
            _log.warning("%s. All workers wait for it, for %g minutes at most", text, minutes)
        elif not why and self._waits is not None:
            store, began = self._waits[0].decode("utf-8", "replace").partition(" ")[0], self._waits[1]
            _log.warning("%s answers again, after %.0f s", store, time.monotonic() - began)
            self._waits = None

    def _stop_stalled(self) -> None:
        now = time.monotonic()
        for number, worker in self._crew.busy():
            work: _Work = worker.task
            seen = tuple(self._slots[N_SLOTS * number : N_SLOTS * (number + 1)])
            waits = self._waits is not None and seen[PHASE] != WORKING  # ends with the patience for the store
            if seen != work.seen or waits:
                work.seen, work.changed = seen, now
            elif now - work.changed > (max(self._stall, _FETCH) if seen[PHASE] == FETCHING else self._stall):
                work.stalled = now - work.changed
                worker.process.kill()
                work.changed = now


def _death(worker: Worker, work: _Work, spot: Spot) -> WorkerDied:
    """The error that describes how a worker died."""
    where = {
        FETCHING: ", while fetching bytes of the input",
        READING: f", while reading the record at offset {spot.offset}",
        WORKING: f", while extracting the page at offset {spot.offset}",
    }
    what = f"{work.task.title}{where.get(spot.phase, '')}"
    if work.stalled:
        return WorkerStalled(f"stopped a worker that made no progress for {work.stalled:.0f} s: {what}")
    hint = " (possibly out of memory)" if worker.process.exitcode == -signal.SIGKILL else ""
    return WorkerDied(f"a worker {worker.ending}{hint}: {what}")
