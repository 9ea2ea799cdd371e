# SPDX-License-Identifier: Apache-2.0
"""The body of a worker process: tasks in, answers out, until the connection closes or the parent dies.

A task is a small object with `run(bench)`. The bench is what the process keeps from one task to the next.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator, MutableSequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

from thresher.arrow import import_pyarrow
from thresher.collector import calm_collector
from thresher.config import Configuration
from thresher.errors import RunError, ThresherError, TransferError
from thresher.reading.limits import Pause, share_limits
from thresher.reading.progress import NO_PAGE, Progress
from thresher.running.crew import tasks_from

if TYPE_CHECKING:
    from thresher.reading.inputs import Input
    from thresher.running.partitions import Partition, PartitionResult
    from thresher.running.pipeline import PartitionMaker

# Five numbers for each worker, in shared memory: pages finished, position in the WARC, page or record at work, doing
# what, anything done.
Slots = MutableSequence[int]
PAGES, POSITION, PAGE, PHASE, BEAT = range(5)
N_SLOTS: Final = 5
WAITING, FETCHING, READING, WORKING = range(4)  # values of PHASE


@dataclass(frozen=True, slots=True)
class Failure:
    error: Exception


@dataclass(frozen=True, slots=True)
class TaskContext:
    """What later tasks have in common, pickled once."""

    pickled: bytes


class SharedProgress(Progress):
    """Tells the parent through shared memory."""

    def __init__(self, slots: Slots, worker: int) -> None:
        self._slots = slots
        self._first = worker * N_SLOTS
        self._parent = os.getppid()

    def begin(self, position: int, skipped: frozenset[int]) -> None:
        """A partition is begun at `position`; the records at `skipped` must not be read."""
        self.skipped = skipped
        self._set(POSITION, position)
        self._rest()

    def record(self, offset: int) -> None:
        self._slots[self._first + BEAT] += 1
        self._slots[self._first + PAGE] = offset
        self._slots[self._first + PHASE] = READING
        if self.skipped:
            super().record(offset)

    def fetch(self) -> None:
        self._set(PHASE, FETCHING)

    def fetched(self) -> None:
        self._set(PHASE, READING if self._slots[self._first + PAGE] != NO_PAGE else WAITING)
        self.beat()

    def beat(self) -> None:
        self._slots[self._first + BEAT] += 1

    def page(self, offset: int) -> None:
        if offset == NO_PAGE:
            self._rest()
            return
        self._slots[self._first + PAGE] = offset
        self._slots[self._first + PHASE] = WORKING

    def passed(self, position: int) -> None:
        self._set(POSITION, position)
        self.beat()

    def done(self, position: int) -> None:
        self._slots[self._first + PAGES] += 1
        self._set(POSITION, position)
        self._rest()
        if os.getppid() != self._parent:  # where the system does not see to it, see die_with()
            os._exit(1)

    def _rest(self) -> None:
        self._set(PAGE, NO_PAGE)
        self._set(PHASE, WAITING)
        self.beat()

    def _set(self, slot: int, value: int) -> None:
        self._slots[self._first + slot] = value


class Bench:
    """What a worker process keeps from task to task."""

    def __init__(self, configuration: Configuration, output: str, progress: SharedProgress) -> None:
        self.configuration = configuration
        self.progress = progress
        self.context: Any = None
        self._output = output
        self._maker: PartitionMaker | None = None

    @property
    def maker(self) -> PartitionMaker:
        if self._maker is None:
            from thresher.running.pipeline import PartitionMaker

            self._maker = PartitionMaker(self.configuration, self._output)
            calm_collector()
        return self._maker

    def set_context(self, context: object) -> None:
        """Begin tasks of another kind: the workspace for pages is freed."""
        self._maker = None
        self.context = context
        calm_collector()

    def recover(self) -> None:
        """Take a new workspace after an exception."""
        if self._maker is not None:
            self._maker.recover()


# --- tasks ---


@dataclass(frozen=True, slots=True)
class LookAt:
    """Open an input; the answer is its size in bytes, None if its server does not tell.

    With `seconds`, a slower server is given up with TransferError, so that the others do not have to wait for it.
    """

    number: int  # of the input
    input: Input
    seconds: float | None

    @property
    def title(self) -> str:
        return f"opening {self.input.location}"

    def run(self, bench: Bench) -> int | None:
        bench.progress.begin(0, frozenset())
        bench.progress.fetch()
        if self.seconds is None:
            return self.input.size()
        try:
            with _at_most(self.seconds):
                return self.input.size()
        except _TooLong:
            raise TransferError(f"{self.input.location}: no answer within {self.seconds:g} s") from None


@dataclass(frozen=True, slots=True)
class Extract:
    """Extracts the pages of a partition; the answer is its PartitionResult."""

    partition: Partition
    give_up: frozenset[int] = frozenset()  # offsets of pages to leave alone
    skip: frozenset[int] = frozenset()  # offsets of records to leave unread

    @property
    def title(self) -> str:
        return f"partition {self.partition.name} of {self.partition.run_input.source}"

    def run(self, bench: Bench) -> PartitionResult:
        bench.progress.begin(self.partition.start, self.skip)
        return bench.maker.extract_partition(self.partition, progress=bench.progress, give_up=self.give_up)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the second pass over a partition: calls the context with it; the answer is a number."""

    partition: str
    skip: frozenset[int] = frozenset()  # offsets of records to leave unread: their pages keep the first choice

    @property
    def title(self) -> str:
        return f"second pass over partition {self.partition}"

    def run(self, bench: Bench) -> int:
        bench.progress.begin(0, self.skip)
        step: Callable[[str, Progress], int] = bench.context
        return step(self.partition, bench.progress)


@dataclass(frozen=True, slots=True)
class Query:
    """Run a query of DuckDB over folders of Parquet files below `folder`, with its result in the folder `output` there.

    Each value of the column `partition` gets a folder `partition=N` in `output`. The process works in `folder`
    meanwhile, so that the query contains only our own names: the name of the user's folder cannot act as a pattern or a
    quote.
    """

    folder: str
    text: str
    tables: dict[str, list[str]]  # {table: names of its files, below `folder`}
    output: str
    threads: int

    @property
    def title(self) -> str:
        return f"counting {self.output}"

    def run(self, bench: Bench) -> None:
        import duckdb

        bench.progress.begin(0, frozenset())
        sources = {
            name: f"read_parquet([{', '.join(map(repr, files))}], hive_partitioning = false)"
            for name, files in self.tables.items()
        }
        with chdir(self.folder), _heartbeat(bench.progress):
            os.makedirs(self.output, exist_ok=True)
            settings: dict[str, Any] = {
                "threads": self.threads,
                "temp_directory": f"{self.output}/_spill",
                "preserve_insertion_order": False,
            }
            try:
                with duckdb.connect(config=settings) as connection:
                    # Of a process without a main module DuckDB thinks that somebody sits before it.
                    connection.execute("SET enable_progress_bar = false")
                    connection.execute(
                        f"COPY ({self.text.format(**sources)}) TO '{self.output}' "
                        "(FORMAT parquet, COMPRESSION lz4, PARTITION_BY (partition), OVERWRITE_OR_IGNORE)"
                    )
            except duckdb.Error as error:
                raise RunError(f"DuckDB could not count: {str(error).strip().splitlines()[0]}") from None


class _TooLong(BaseException):
    """Raised when an attempt takes too long. Not an Exception, because code that retries must not catch it."""


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise _TooLong in the body after this many seconds."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _heartbeat(progress: Progress) -> Iterator[None]:
    """Report progress for a library that reports none, as long as this process uses CPU time."""
    ended = threading.Event()

    def beat() -> None:
        spent = -1.0
        while not ended.wait(0.2):
            if time.process_time() > spent + 0.001:
                progress.beat()
            spent = time.process_time()

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


# --- the process ---


def work(
    connection: Connection,
    slots: Slots,
    number: int,
    configuration: Configuration,
    output: str,
    processes: int,
    pause: Pause,
) -> None:
    """The body of a worker process.

    `processes` is the number of workers of the run; `pause` is shared with those of this machine, see
    thresher.reading.limits.
    """
    import_pyarrow().set_cpu_count(1)  # the other cores have workers of their own
    limits = configuration.run
    share_limits(
        limits.max_requests_per_second,
        limits.max_bytes_per_second,
        processes,
        pause,
        connections=limits.max_connections,
        patience=60.0 * limits.patience_minutes,
    )
    bench = Bench(configuration, output, SharedProgress(slots, number))
    unusable: Exception | None = None  # the reason that the context is missing
    for task in tasks_from(connection):
        if isinstance(task, TaskContext):
            unusable = _set_context(bench, task)
            continue
        try:
            if unusable is not None:
                raise unusable
            answer: Any = task.run(bench)
        except Exception as error:  # noqa: BLE001 (told to the parent, which decides)
            bench.recover()
            answer = Failure(plain(error))
        try:
            connection.send(answer)
        except ConnectionError:
            return


def _set_context(bench: Bench, context: TaskContext) -> Exception | None:
    try:
        import_pyarrow(compute=True)  # here: what imports pyarrow.compute first must not import numpy with it
        bench.set_context(pickle.loads(context.pickled))  # noqa: S301 (it comes from our own parent)
    except Exception as error:  # noqa: BLE001 (the answer of each task that needs it)
        return error
    return None


def plain(error: Exception) -> Exception:
    """The error, or if it cannot be pickled, one with the same message that can."""
    if isinstance(error, ThresherError):
        kind: type[Exception] = next(
            each for each in type(error).__mro__ if each.__module__ == ThresherError.__module__
        )
        return kind(*map(str, error.args))
    if isinstance(error, MemoryError):
        return MemoryError(str(error))
    if isinstance(error, OSError):
        return OSError(error.errno, error.strerror, error.filename) if error.errno else OSError(str(error))
    return RuntimeError(f"{type(error).__name__}: {error}")
