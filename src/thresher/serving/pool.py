# SPDX-License-Identifier: Apache-2.0
"""Worker processes that survive bad pages.

Each worker belongs to a thread of the parent, which gives it one job after the other and waits for the answer. If a
worker dies or takes too long, only that job is lost: the thread starts another worker. The caller limits how many jobs
wait; see Admission in `service`.
"""

from __future__ import annotations

import asyncio
import logging
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
from thresher.serving.counters import memory_of

_log = logging.getLogger(__name__)

_TICK: Final = 0.1  # seconds between two checks of the workers
_ANSWER, _REFUSAL, _FAILURE = b"a", b"r", b"f"
MAX_ANSWER: Final = 64 << 20
"""Bytes of an answer; a page about which there is more to say is an error."""
MAX_KEPT: Final = 256 << 20
"""Bytes that a worker may keep from a large page; one that keeps more is replaced."""
_READY: Final = b"ready"
_BOOT: Final = 60.0  # seconds for a process to start
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


@dataclass(slots=True)
class _Job:
    future: Future[bytes]
    message: bytes
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
    def __init__(self, n: int, *, seconds: float, memory: int) -> None:
        """Workers with `memory` bytes of address space each, stopped after `seconds` on one job."""
        self.n_workers = n
        self.n_lost = 0
        """Workers that died over a job."""
        self.n_stopped = 0
        """Workers that were stopped because they took too long."""
        self._seconds = seconds
        self._memory = memory
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
        job = _Job(Future(), pickle.dumps((task, arguments)), self._seconds if seconds is None else seconds)
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
        while not self._ended.is_set() and (hand.worker is None or not hand.worker.process.is_alive()):
            try:
                hand.worker = self._start()
            except OSError as error:  # no process can be started now, perhaps later
                _log.warning("cannot start a worker: %s", error)
                self._ended.wait(_PAUSE)

    def _work(self, hand: _Hand, job: _Job) -> None:
        self._ensure(hand)
        worker = hand.worker
        if worker is None:
            job.future.set_exception(JobFailed("the service is ending"))
            return
        with hand.lock:
            hand.stopped, hand.until = False, time.monotonic() + job.seconds
        try:
            worker.connection.send_bytes(job.message)
            answer = worker.connection.recv_bytes()
        except (EOFError, OSError):
            answer = b""
        with hand.lock:
            hand.until = None
        if answer:
            _settle(job.future, answer)
            if memory_of(worker.process.pid) > MAX_KEPT:
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
        child = start_child(work, self._memory, name="thresher-page")
        try:
            if child.connection.poll(_BOOT):
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


def work(connection: Connection, parent: int, _inherited: Sequence[Connection], memory: int) -> None:
    """The body of a worker process: jobs in, answers out, until the parent closes the connection or ends."""
    import resource

    from thresher.collector import calm_collector

    die_with(parent)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    import thresher.serving.tasks

    thresher.serving.tasks.warm_up()
    calm_collector()
    connection.send_bytes(_READY)
    while True:
        try:
            task, arguments = pickle.loads(connection.recv_bytes())  # noqa: S301 (it comes from our own parent)
        except (EOFError, OSError):
            return
        try:
            answer = _ANSWER + task(*arguments)
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
