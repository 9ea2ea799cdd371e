# SPDX-License-Identifier: Apache-2.0
"""Worker processes that survive bad pages: those of the service, and those in which systems are evaluated.

Each worker belongs to a thread of the parent, which gives it one job after the other and waits for the answer. If a
worker dies or takes too long, only that job is lost: the thread starts another worker. The caller limits how many jobs
wait; see Admission in serving/service.py. Jobs of a run are handed out by supervisor.py.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import pickle
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Final, Self

from thresher.errors import Refused, ThresherError
from thresher.running.child_process import Child, die_with, start_child

_log = logging.getLogger(__name__)

_TICK: Final = 0.1  # seconds between two checks of the workers
_ANSWER, _REFUSAL, _FAILURE = b"a", b"r", b"f"
MAX_ANSWER: Final = 64 << 20
"""Bytes of an answer; a page about which there is more to say is an error."""
_READY: Final = b"ready"
_DYING: Final = 5.0  # seconds for a process to exit by itself
_PAUSE: Final = 1.0  # seconds before a worker that failed to start is started again

Task = Callable[..., bytes]


class JobFailed(ThresherError):
    """A job without an answer; `kind` tells why."""

    kind = "failed"


class WorkerLost(JobFailed):
    """The worker died during the job."""

    kind = "worker_died"


class TooSlow(JobFailed):
    """The job took too long, and its worker was stopped."""

    kind = "too_slow"


class NotBegun(JobFailed):
    """No worker can be started."""


@dataclass(slots=True)
class _Job:
    future: Future[bytes]
    call: tuple[Task, tuple[object, ...]]
    seconds: float


@dataclass(slots=True)
class _Hand:
    """A thread of the parent, with its worker."""

    thread: threading.Thread | None = None
    worker: Child | None = None
    until: float | None = None  # deadline of the current job
    stopped: bool = False  # whether its worker was stopped for missing it
    lock: threading.Lock = field(default_factory=threading.Lock)


class Pool:
    def __init__(
        self,
        n: int,
        prepare: Callable[..., object],
        *arguments: object,
        seconds: float = math.inf,
        memory: int = -1,
        most_kept: float = math.inf,
        boot: float = 60.0,
        tries: float = math.inf,
    ) -> None:
        """Workers with `memory` bytes of address space each, stopped after `seconds` on one job.

        Each calls prepare(*arguments) when it begins, for which it has `boot` seconds. Where so many workers one after
        the other do not begin as `tries` says, jobs raise NotBegun. One that keeps more than `most_kept` bytes after a
        job is replaced.
        """
        self.n_workers = n
        self.n_lost = 0
        """Workers that died over a job."""
        self.n_stopped = 0
        """Workers that were stopped because they took too long."""
        self._seconds, self._most_kept = seconds, most_kept
        self._boot, self._tries = boot, tries
        self._body: tuple[object, ...] = (memory, prepare, *arguments)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._hands = [_Hand() for _ in range(n)]
        self._ended = threading.Event()

    def __enter__(self) -> Self:
        for number, hand in enumerate(self._hands):
            hand.thread = threading.Thread(target=self._serve, args=(hand,), name=f"thresher-{number}", daemon=True)
            hand.thread.start()
        threading.Thread(target=self._watch, name="thresher-watch", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        for hand in self._hands:
            self._jobs.put(None)
            self._kill(hand)
        for hand in self._hands:
            if hand.thread is not None:
                hand.thread.join(_DYING)

    def submit(self, task: Task, *arguments: object, seconds: float | None = None) -> Future[bytes]:
        """A future for the answer of `task(*arguments)`, run in a worker. `task` is a module-level function.

        The future raises Refused if the task does, and JobFailed if it raises anything else or gives no answer.
        """
        job = _Job(Future(), (task, arguments), self._seconds if seconds is None else seconds)
        self._jobs.put(job)
        return job.future

    async def run(self, task: Task, *arguments: object, seconds: float | None = None) -> bytes:
        return await asyncio.wrap_future(self.submit(task, *arguments, seconds=seconds))

    @property
    def alive(self) -> int:
        return sum(hand.worker is not None and hand.worker.process.is_alive() for hand in self._hands)

    def processes(self) -> list[int]:
        return [hand.worker.process.pid or 0 for hand in self._hands if hand.worker is not None]

    # --- in the threads ---

    def _serve(self, hand: _Hand) -> None:
        while not self._ended.is_set():
            self._ensure(hand)
            job = self._jobs.get()
            if job is None:
                break
            if job.future.set_running_or_notify_cancel():
                self._work(hand, job)
        self._kill(hand)

    def _ensure(self, hand: _Hand) -> None:
        failed = 0
        while not self._ended.is_set() and (hand.worker is None or not hand.worker.process.is_alive()):
            try:
                hand.worker = self._start()
            except OSError as error:  # no process can be started now, perhaps later
                failed += 1
                if failed >= self._tries:
                    hand.worker = None
                    return
                _log.warning("cannot start a worker: %s", error)
                self._ended.wait(_PAUSE)

    def _work(self, hand: _Hand, job: _Job) -> None:
        self._ensure(hand)
        worker = hand.worker
        if worker is None:
            job.future.set_exception(NotBegun("no worker can be started, or all of them are ending"))
            return
        with hand.lock:
            hand.stopped, hand.until = False, time.monotonic() + job.seconds
        try:
            worker.connection.send_bytes(pickle.dumps(job.call))
            answer = worker.connection.recv_bytes()
        except (EOFError, OSError):
            answer = b""
        with hand.lock:
            hand.until = None
        if answer:
            _settle(job.future, answer)
            if self._most_kept < math.inf and memory_of(worker.process.pid) > self._most_kept:
                worker.end(_DYING)
                hand.worker = None
        else:
            self._bury(hand, worker, job)

    def _bury(self, hand: _Hand, worker: Child, job: _Job) -> None:
        """Fail a job whose worker is gone."""
        worker.process.join(_DYING)
        ending = worker.ending
        worker.end(_DYING)
        hand.worker = None
        error: JobFailed
        if hand.stopped:
            self.n_stopped += 1
            error = TooSlow(f"the page took longer than {job.seconds:g} s")
        else:
            self.n_lost += 1
            error = WorkerLost(f"the worker process {ending} over this page")
        _log.warning("%s", error)
        job.future.set_exception(error)

    def _watch(self) -> None:
        while not self._ended.wait(_TICK):
            now = time.monotonic()
            for hand in self._hands:
                with hand.lock:
                    if hand.until is not None and now > hand.until and hand.worker is not None and not hand.stopped:
                        hand.stopped = True
                        hand.worker.process.kill()

    def _start(self) -> Child:
        child = start_child(work, *self._body, name="thresher-page")
        try:
            if child.connection.poll(self._boot):
                child.connection.recv_bytes()  # it is ready
                return child
        except EOFError:
            pass
        child.end(_DYING)
        raise OSError("the worker did not begin")

    @staticmethod
    def _kill(hand: _Hand) -> None:
        worker = hand.worker
        if worker is not None:
            worker.process.kill()


def _settle(future: Future[bytes], answer: bytes) -> None:
    kind, content = answer[:1], answer[1:]
    if kind == _ANSWER:
        future.set_result(content)
    elif kind == _REFUSAL:
        future.set_exception(Refused(content.decode("utf-8", "replace")))
    else:
        future.set_exception(JobFailed(content.decode("utf-8", "replace")))


# --- the process ---


def memory_of(process: int | None = None) -> int:
    """Resident bytes of a process, by default this one; 0 if the system does not tell."""
    try:
        with open(f"/proc/{process or 'self'}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0


def work(
    connection: Connection,
    parent: int,
    inherited: Sequence[Connection],
    memory: int,
    prepare: Callable[..., object],
    *arguments: object,
) -> None:
    """The body of a worker process: jobs in, answers out, until the parent closes the connection or ends."""
    import resource

    for each in inherited:
        each.close()
    die_with(parent)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    prepare(*arguments)
    connection.send_bytes(_READY)
    while True:
        try:
            task, given = pickle.loads(connection.recv_bytes())  # noqa: S301 (it comes from our own parent)
        except (EOFError, OSError):
            return
        try:
            answer = _ANSWER + task(*given)
            if len(answer) > MAX_ANSWER:
                answer = _FAILURE + b"the answer is larger than %d bytes" % MAX_ANSWER
        except Refused as error:
            answer = _REFUSAL + str(error).encode("utf-8", "replace")
        except MemoryError:
            answer = _FAILURE + b"the page needs more memory than a worker may have"
        except Exception as error:  # noqa: BLE001 (told to the parent)
            answer = _FAILURE + f"{type(error).__name__}: {error}".encode("utf-8", "replace")
        try:
            connection.send_bytes(answer)
        except OSError:
            return
