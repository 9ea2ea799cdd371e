# SPDX-License-Identifier: Apache-2.0
"""Worker processes on one machine: partitions handed out, dead workers replaced, results put in the order of the WARC.

Partitions of one WARC are worked on at the same time, though where one begins is known for certain only when the one before
it has ended. So a worker begins at the first record it finds in its stretch, and its result counts only if that is where the
partition before it ended; otherwise it is done again from there. The rows are those of one reader from start to end, for
any number of workers.

The parent alone gives files their final names, so a worker that outlives it by a moment does no harm.
"""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final

from thresher.arrow import import_pyarrow
from thresher.config import Configuration
from thresher.inputs import InputError, scheme_of
from thresher.partitions import (
    NO_PAGE,
    Partition,
    PartitionResult,
    Progress,
    Warc,
    empty_result,
    input_size,
    partitions_of,
)
from thresher.pipeline import Worker
from thresher.run import Run
from thresher.settlement import lost_partition
from thresher.sinks import PartitionEntry

_log = logging.getLogger(__name__)

_TICK: Final = 0.25  # seconds between two looks at the workers
_MAX_DEATHS: Final = 8  # of workers over one partition, pages given up among them, until it is lost

# Three numbers for each worker, in shared memory: pages finished, position in the WARC, offset of the page at work.
Slots = MutableSequence[int]


class WorkerDied(RuntimeError):
    """A worker process that ended before its work did."""


class WorkerStalled(WorkerDied):
    """A worker process that finished no page for run.stall_seconds and was stopped."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How far a run is."""

    pages: int  # finished since the run began (again)
    fraction: float  # of the input, what was finished earlier included
    busy: int  # workers


@dataclass(frozen=True, slots=True)
class _Task:
    partition: Partition
    give_up: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class _Failure:
    error: Exception


def extract_on_this_machine(run: Run, watch: Callable[[Snapshot], None] | None = None, *, fork: bool = False) -> int:
    """Work on everything that is pending in worker processes; the number of partitions that were lost.

    `watch` is called a few times a second. `fork` says that the process is the caller's own and may be forked: workers then begin with
    what it has imported, which is .3 s of CPU for each. Raises OSError where the output cannot be written.
    """
    driver = _Driver(run, watch or (lambda _: None), fork=fork)
    try:
        driver.work()
    finally:
        driver.stop()
    return driver.lost


# --- in the worker process ---


class _SharedProgress(Progress):
    """Tells the parent through shared memory, and ends the process when there is no parent any more."""

    def __init__(self, slots: Slots, worker: int) -> None:
        self._slots = slots
        self._first = worker * 3
        self._parent = os.getppid()

    def begin(self, position: int) -> None:
        self._slots[self._first + 1] = position
        self._slots[self._first + 2] = NO_PAGE

    def page(self, offset: int) -> None:
        self._slots[self._first + 2] = offset

    def done(self, position: int) -> None:
        self._slots[self._first] += 1
        self._slots[self._first + 1] = position
        self._slots[self._first + 2] = NO_PAGE
        if os.getppid() != self._parent:
            os._exit(1)


def _work(
    connection: Connection,
    slots: Slots,
    number: int,
    configuration: Configuration,
    output: str,
    inherited: Sequence[Connection] = (),
) -> None:
    """The body of a worker process: tasks in, results out, until the connection closes.

    `inherited` are the parent's ends of all connections, which a process that was forked has too: none closes while one is open here.
    """
    for each in inherited:
        each.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    pa = import_pyarrow()
    pa.set_cpu_count(1)  # the other cores have workers of their own
    worker = Worker(configuration, output)
    progress = _SharedProgress(slots, number)
    calm_collector()
    while True:
        try:
            task: _Task = connection.recv()
        except EOFError:
            return
        progress.begin(task.partition.start)
        answer: PartitionResult | _Failure
        try:
            answer = worker.extract_partition(task.partition, progress=progress, give_up=task.give_up)
        except Exception as error:  # noqa: BLE001 (told to the parent, which decides)
            worker.recover()
            answer = _Failure(_plain(error))
        try:
            connection.send(answer)
        except BrokenPipeError:
            return


def begin_counting() -> None:
    """Makes a new process ready for the second pass; here, as what it is the first to import must not import numpy."""
    import_pyarrow(compute=True).set_cpu_count(1)
    calm_collector()


def calm_collector() -> None:
    """Lets Python look for cycles seldom, and not among what is there now.

    The garbage of a page is freed by reference counts; looking for cycles through everything that was imported took 4 % of the time.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def _plain(error: Exception) -> Exception:
    """The error, or one that survives pickling and says the same."""
    if type(error) in (InputError, OSError, MemoryError):
        return error
    return RuntimeError(f"{type(error).__name__}: {error}")


# --- in the parent ---


@dataclass(slots=True)
class _Hand:
    """A worker process as the parent sees it."""

    process: BaseProcess
    connection: Connection
    task: _Task | None = None
    seen: tuple[int, ...] = ()  # its slots at the last look
    changed: float = 0.0  # when they were last different


@dataclass(slots=True)
class _WarcState:
    """One WARC on its way."""

    warc: Warc
    partitions: list[Partition]
    entries: list[PartitionEntry]  # in the ledger
    start: int | None  # where the next partition to be settled begins; None: no record is left
    settled: int  # partitions settled
    results: dict[int, PartitionResult | Exception] = field(default_factory=dict)
    deaths: dict[int, Counter[int]] = field(default_factory=dict)  # partition → offset of the page → deaths
    failures: Counter[int] = field(default_factory=Counter)
    after_loss: bool = False  # a partition is missing: where the next begins is known from itself alone
    ledger_open: bool = True  # until one is missing


class _Driver:
    def __init__(self, run: Run, watch: Callable[[Snapshot], None], *, fork: bool) -> None:
        self.lost = 0
        self._run = run
        self._watch = watch
        self._knobs = run.configuration.run
        self._folder = run.folder
        n = self._knobs.workers or len(os.sched_getaffinity(0))
        # Only on Linux: system libraries of macOS do not survive it. Threads of S3 and HDFS clients do not either.
        self._fork = fork and sys.platform == "linux" and self._folder.is_local
        self._fork = self._fork and not any(scheme_of(warc.source) for warc in run.warcs)
        self._slots = multiprocessing.RawArray("q", 3 * n)
        self._hands: list[_Hand] = []
        self._n_hands = n
        self._states: dict[int, _WarcState] = {}
        self._again: deque[_Task] = deque()
        self._new = self._new_tasks()
        self._weights = _weights(run.warcs)
        pending = {warc.number for warc in run.pending}
        self._done_weight = sum(weight for number, weight in self._weights.items() if number not in pending)

    def work(self) -> None:
        """Hand out partitions and settle results until nothing is left."""
        while True:
            for number in range(self._n_hands):
                self._keep_busy(number)
            self._watch(self._snapshot())
            busy = [hand for hand in self._hands if hand.task is not None]
            if not busy:
                if self._states:  # an unsettled partition without a task would wait for ever
                    message = "partitions are left without a worker"
                    raise RuntimeError(message)
                return
            ready = wait([*(hand.connection for hand in busy), *(hand.process.sentinel for hand in busy)], _TICK)
            for number, hand in enumerate(self._hands):
                if hand.task is not None and (hand.connection in ready or hand.process.sentinel in ready):
                    self._receive(number, hand)
            self._stop_stalled()

    def stop(self) -> None:
        """End all worker processes: idle ones leave by themselves, busy ones (after an error or Ctrl-C) are killed."""
        for hand in self._hands:
            hand.connection.close()
            if hand.task is not None:
                hand.process.kill()
        for hand in self._hands:
            hand.process.join()

    # --- handing out ---

    def _new_tasks(self) -> Iterator[_Task]:
        for warc in self._run.pending:
            entries = self._folder.read_ledger(warc.number) if self._run.resumed else []
            try:
                partitions = partitions_of(warc, self._run.configuration)
            except (InputError, OSError) as error:
                _log.error("%s: %s", warc.source, error)
                self._lose(warc, len(entries), error)
                self._done_weight += self._weights[warc.number]
                continue
            start = entries[-1].next_offset if entries else 0
            state = _WarcState(warc, partitions, entries, start, len(entries))
            self._states[warc.number] = state
            self._settle(state)
            for partition in partitions[state.settled :]:
                if partition.number >= state.settled:  # may have been settled without being worked on
                    exact = partition.number == state.settled and state.start is not None
                    begin = state.start if exact and state.start is not None else partition.start
                    yield _Task(Partition(warc, partition.number, begin, partition.end))

    def _keep_busy(self, number: int) -> None:
        if number < len(self._hands) and self._hands[number].task is not None:
            return
        task = self._again.popleft() if self._again else next(self._new, None)
        if task is None:
            return
        if number == len(self._hands):
            self._hands.append(self._start(number))
        elif not self._hands[number].process.is_alive():
            self._hands[number] = self._start(number)
        hand = self._hands[number]
        hand.task = task
        hand.changed = time.monotonic()
        self._slots[3 * number + 1] = task.partition.start
        self._slots[3 * number + 2] = NO_PAGE
        hand.connection.send(task)

    def _start(self, number: int) -> _Hand:
        # A thread of Python may hold a lock that the child would wait for. Those of pyarrow are made to be forked.
        fork = self._fork and threading.active_count() == 1
        context: Any = multiprocessing.get_context("fork" if fork else "spawn")
        ours, theirs = context.Pipe()
        inherited = [ours, *(hand.connection for hand in self._hands)] if fork else []
        process = context.Process(
            target=_work,
            args=(theirs, self._slots, number, self._run.configuration, self._run.output, inherited),
            name=f"thresher-{number}",
            daemon=True,
        )
        with warnings.catch_warnings():  # from Python 3.12 on any thread at all is warned of
            warnings.simplefilter("ignore", DeprecationWarning)
            process.start()
        theirs.close()
        return _Hand(process, ours)

    # --- taking back ---

    def _receive(self, number: int, hand: _Hand) -> None:
        task = hand.task
        assert task is not None
        try:
            answer: PartitionResult | _Failure = hand.connection.recv()
        except (EOFError, ConnectionError):
            self._bury_worker(number, hand, task)
            return
        hand.task = None
        state = self._states.get(task.partition.warc.number)
        if state is None or task.partition.number < state.settled:  # settled meanwhile: nothing begins in it
            if isinstance(answer, PartitionResult):
                self._folder.discard(answer.files)
            return
        if isinstance(answer, PartitionResult):
            state.results[task.partition.number] = answer
        else:
            self._fail(state, task, answer.error)
        self._settle(state)

    def _bury_worker(self, number: int, hand: _Hand, task: _Task) -> None:
        """A worker died: start its partition again, without the page over which two have died."""
        hand.process.join()
        hand.connection.close()
        hand.task = None
        page = self._slots[3 * number + 2]
        error = _death(hand.process.exitcode, task, page)
        _log.warning("%s", error)
        state = self._states.get(task.partition.warc.number)
        if state is None or task.partition.number < state.settled:
            return
        deaths = state.deaths.setdefault(task.partition.number, Counter())
        deaths[page] += 1
        over_and_over = page == NO_PAGE and deaths[page] > 1
        if over_and_over or deaths.total() >= _MAX_DEATHS:
            state.results[task.partition.number] = error
            self._settle(state)
            return
        given_up = frozenset(offset for offset, times in deaths.items() if times > 1)
        self._again.append(_Task(task.partition, given_up))

    def _fail(self, state: _WarcState, task: _Task, error: Exception) -> None:
        number = task.partition.number
        state.failures[number] += 1
        if isinstance(error, InputError) or state.failures[number] > 1:
            _log.error("%s, partition %s: %s", task.partition.warc.source, task.partition.name, error)
            state.results[number] = error
        else:
            _log.warning("%s, partition %s: %s; trying again", task.partition.warc.source, task.partition.name, error)
            self._again.append(task)

    def _stop_stalled(self) -> None:
        now = time.monotonic()
        for number, hand in enumerate(self._hands):
            seen = tuple(self._slots[3 * number : 3 * number + 3])
            if hand.task is None or seen != hand.seen:
                hand.seen, hand.changed = seen, now
            elif now - hand.changed > self._knobs.stall_seconds:
                _log.warning("no page finished for %.0f s: stopping a worker", now - hand.changed)
                hand.process.kill()
                hand.changed = now

    # --- settling ---

    def _settle(self, state: _WarcState) -> None:
        """Commit what is certain, in the order of the WARC."""
        while state.settled < len(state.partitions):
            partition = state.partitions[state.settled]
            result: PartitionResult | Exception | None
            beyond = partition.end is not None and state.start is not None and state.start >= partition.end
            if not state.after_loss and (state.start is None or beyond):
                early = state.results.pop(partition.number, None)
                if isinstance(early, PartitionResult):
                    self._folder.discard(early.files)
                result = empty_result(partition, state.start)
            else:
                result = state.results.pop(partition.number, None)
                if result is None:
                    break
            if isinstance(result, Exception):
                self._lose(state.warc, partition.number, result)
                state.ledger_open, state.after_loss = False, True
                state.settled += 1
                continue
            begun = result.partition.start, result.first_offset
            if not state.after_loss and state.start is not None and not beyond and state.start not in begun:
                # Where it began to read there was no record's beginning, or not the first.
                self._folder.discard(result.files)
                self._again.appendleft(_Task(Partition(state.warc, partition.number, state.start, partition.end)))
                break
            self._commit(state, result)
        if state.settled == len(state.partitions):
            self._done_weight += self._weights[state.warc.number]
            self._states.pop(state.warc.number, None)

    def _commit(self, state: _WarcState, result: PartitionResult) -> None:
        self._folder.commit(result.partition.name, result.files)
        state.settled += 1
        state.start = result.next_offset
        state.after_loss = False
        if state.ledger_open:
            state.entries.append(result.entry())
            done = state.settled == len(state.partitions)
            self._folder.write_ledger(state.warc.number, state.warc.source, state.entries, done=done)

    def _lose(self, warc: Warc, number: int, error: Exception) -> None:
        lost_partition(self._folder, warc, number, error)
        self.lost += 1

    # --- watching ---

    def _snapshot(self) -> Snapshot:
        done = self._done_weight
        for state in self._states.values():
            share = self._weights[state.warc.number] / len(state.partitions)
            done += share * (state.settled + len(state.results))
        for number, hand in enumerate(self._hands):
            if hand.task is not None:
                partition = hand.task.partition
                end = partition.end or input_size(partition.warc.source) or 0
                if end > partition.start:
                    part = min(1.0, max(0.0, (self._slots[3 * number + 1] - partition.start) / (end - partition.start)))
                    n = (
                        len(self._states[partition.warc.number].partitions)
                        if partition.warc.number in self._states
                        else 1
                    )
                    done += self._weights[partition.warc.number] / n * part
        pages = sum(self._slots[3 * number] for number in range(self._n_hands))
        total = sum(self._weights.values()) or 1.0
        return Snapshot(pages, min(1.0, done / total), sum(hand.task is not None for hand in self._hands))


def _weights(warcs: tuple[Warc, ...]) -> dict[int, float]:
    """How much of the work each WARC is: its bytes where all are local, else the same for each."""
    if any(scheme_of(warc.source) for warc in warcs):
        return {warc.number: 1.0 for warc in warcs}
    return {warc.number: float(input_size(warc.source) or 1) for warc in warcs}


def _death(exit_code: int | None, task: _Task, page: int) -> WorkerDied:
    """What is said of a worker that died."""
    how = f"with exit status {exit_code}"
    if exit_code is not None and exit_code < 0:
        name = signal.Signals(-exit_code).name
        how = f"by {name}" + (", probably for want of memory" if name == "SIGKILL" else "")
    where = f" at offset {page}" if page != NO_PAGE else ""
    return WorkerDied(
        f"a worker ended {how}, in partition {task.partition.name} of {task.partition.warc.source}{where}"
    )
