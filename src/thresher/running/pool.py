# SPDX-License-Identifier: Apache-2.0
"""Jobs with a time each, in worker processes: those of the service, and those in which systems are evaluated.

Each worker belongs to a thread of the parent, which gives it one job after the other and waits for the answer. If a
worker dies or takes too long, only that job is lost: another worker is started. The caller limits how many jobs wait;
see Quota in serving/bodies.py. Tasks of a run are handed out by supervisor.py.
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
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Final, Self

from thresher.errors import Refused, ThresherError
from thresher.running.crew import GONE, Crew, Worker, start_worker, tasks_from

_log = logging.getLogger(__name__)

_TICK: Final = 0.1  # seconds between two checks of the workers
_ANSWER, _REFUSAL, _FAILURE = b"a", b"r", b"f"
MAX_ANSWER: Final = 64 << 20
"""Bytes of an answer; a page about which there is more to say is an error."""
_READY: Final = b"ready"
_BEGINNING: Final = "beginning"  # the first task of a worker
_ENDING: Final = 5.0  # seconds for a thread to end
_PAUSE: Final = 1.0  # seconds before a worker that failed to start is started again
_NO_WORKER: Final = "no worker can be started, or all of them are ending"

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
        # The answers of those that read strangers' pages are bytes, and no pickles.
        self._crews = [Crew(1, self._start, Connection.recv_bytes) for _ in range(n)]
        self._threads = [threading.Thread(target=self._serve, args=(crew,), daemon=True) for crew in self._crews]
        self._ended = threading.Event()
        self._submitting = threading.Lock()  # so that no job comes behind the end of the jobs

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the workers. Jobs that wait raise NotBegun, and so do those that come later."""
        with self._submitting:
            self._ended.set()
            for _crew in self._crews:
                self._jobs.put(None)
        for thread in self._threads:
            thread.join(_ENDING)

    def submit(self, task: Task, *arguments: object, seconds: float | None = None) -> Future[bytes]:
        """A future for the answer of `task(*arguments)`, run in a worker. `task` is a module-level function.

        The future raises Refused if the task does, and JobFailed if it raises anything else or gives no answer.
        """
        job = _Job(Future(), (task, arguments), self._seconds if seconds is None else seconds)
        with self._submitting:
            if not self._ended.is_set():
                self._jobs.put(job)
                return job.future
        job.future.set_exception(NotBegun(_NO_WORKER))
        return job.future

    async def run(self, task: Task, *arguments: object, seconds: float | None = None) -> bytes:
        return await asyncio.wrap_future(self.submit(task, *arguments, seconds=seconds))

    @property
    def alive(self) -> int:
        return len(self.processes())

    def processes(self) -> list[int]:
        """The numbers of the processes that have begun and are alive."""
        workers = [worker for crew in self._crews if (worker := crew.workers[0]) and worker.task is not _BEGINNING]
        return [worker.process.pid or 0 for worker in workers if worker.is_alive]

    # --- in the threads ---

    def _serve(self, crew: Crew) -> None:
        self._begin(crew)
        while (job := self._jobs.get()) is not None:
            if job.future.set_running_or_notify_cancel():
                self._work(crew, job)
            self._begin(crew)
        crew.close()

    def _begin(self, crew: Crew) -> Worker | None:
        """The idle worker, started if need be, again and again; None if that is of no use."""
        failed = 0
        while not self._ended.is_set():
            worker = crew.workers[0]
            if worker is not None and worker.is_alive:
                return worker
            try:
                worker = crew.at(0)
                if self._ask(crew, worker, _BEGINNING, self._boot)[0] is not GONE:
                    return worker
                why = "the worker did not begin"
            except OSError as error:  # no process can be started now, perhaps later
                why = str(error)
            failed += 1
            if failed >= self._tries:
                break
            _log.warning("cannot start a worker: %s", why)
            self._ended.wait(_PAUSE)
        return None

    def _ask(self, crew: Crew, worker: Worker, task: object, seconds: float, *messages: bytes) -> tuple[Any, bool]:
        """The answer of a worker to a task, or GONE; and whether it took too long, for which it was stopped."""
        worker.give(task, *messages)
        until, is_late = time.monotonic() + seconds, False
        while True:
            for *_, answer in crew.answers(_TICK):
                return answer, is_late
            is_late = time.monotonic() > until
            if is_late or self._ended.is_set():
                worker.process.kill()

    def _work(self, crew: Crew, job: _Job) -> None:
        worker = self._begin(crew)
        if worker is None:
            job.future.set_exception(NotBegun(_NO_WORKER))
            return
        answer, is_late = self._ask(crew, worker, job, job.seconds, pickle.dumps(job.call))
        if answer is not GONE:
            _settle(job.future, answer)
            if self._most_kept < math.inf and memory_of(worker.process.pid) > self._most_kept:
                worker.leave()
            return
        error: JobFailed
        if is_late:
            self.n_stopped += 1
            error = TooSlow(f"the page took longer than {job.seconds:g} s")
        else:
            self.n_lost += 1
            error = WorkerLost(f"the worker process {worker.ending} over this page")
        _log.warning("%s", error)
        job.future.set_exception(error)

    def _start(self, _number: int, siblings: Sequence[Connection]) -> Worker:
        worker = start_worker(work, *self._body, name="thresher-page", siblings=siblings)
        worker.task = _BEGINNING  # at once: others look
        return worker


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


def work(connection: Connection, memory: int, prepare: Callable[..., object], *arguments: object) -> None:
    """The body of a worker process: jobs in, answers out, until the parent closes the connection or ends."""
    import resource

    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    prepare(*arguments)
    connection.send_bytes(_READY)
    for task, given in tasks_from(connection):
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
