# SPDX-License-Identifier: Apache-2.0
"""Worker processes that may be killed at any moment: those of a run (supervisor.py), and those of the service and of
evaluation (pool.py).
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import ModuleType
from typing import Any, Final

_PR_SET_PDEATHSIG: Final = 1
_STARTING: Final = threading.Lock()
_LEAVE: Final = 5.0  # seconds that a process gets to exit by itself

GONE: Final = object()
"""In place of an answer: the worker ended over its task."""


def available_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(slots=True, eq=False)
class Worker:
    """A process, the parent's end of the connection to it, and what it is doing."""

    process: BaseProcess
    connection: Connection
    task: Any = None  # None if it is idle

    @property
    def is_alive(self) -> bool:
        return self.process.is_alive()

    @property
    def ending(self) -> str:
        """How the process ended, as in `the worker was killed by SIGKILL`."""
        code = self.process.exitcode
        if code is not None and code < 0:
            return f"was killed by {signal.Signals(-code).name if -code in set(signal.Signals) else f'signal {-code}'}"
        return f"exited with status {code}"

    def give(self, task: Any, *messages: bytes) -> None:  # noqa: ANN401 (tasks are the owner's own)
        """Has the worker do a task, about which it is sent messages. What ends it is told by Crew.answers()."""
        self.task = task
        with suppress(OSError):
            for message in messages:
                self.connection.send_bytes(message)

    def leave(self) -> None:
        """Closes the connection, upon which the process exits; kills it if it does not."""
        self.connection.close()
        self.process.join(_LEAVE)
        if self.process.is_alive():  # stopped by a signal, perhaps
            self.process.kill()
            self.process.join()


class Crew:
    """At most `n` workers, each with one task at a time. They are started when they are asked for."""

    def __init__(
        self,
        n: int,
        start: Callable[[int, Sequence[Connection]], Worker],
        receive: Callable[[Connection], Any] = Connection.recv,
    ) -> None:
        """start(number of the worker, connections to the others) starts one; receive(connection) takes an answer."""
        self.workers: list[Worker | None] = [None] * n
        self._start, self._receive = start, receive

    def at(self, number: int) -> Worker:
        """The idle worker of this number, which is alive: started, or started again. OSError if it cannot be."""
        worker = self.workers[number]
        if worker is None or not worker.is_alive:
            if worker is not None:
                worker.leave()
            others = [each.connection for each in self.workers if each is not None]
            worker = self.workers[number] = self._start(number, others)
        return worker

    def is_idle(self, number: int) -> bool:
        worker = self.workers[number]
        return worker is None or worker.task is None

    def busy(self) -> Iterator[tuple[int, Worker]]:
        """The workers that have a task, with their numbers."""
        for number, worker in enumerate(self.workers):
            if worker is not None and worker.task is not None:
                yield number, worker

    def answers(self, seconds: float) -> Iterator[tuple[int, Worker, Any, Any]]:
        """(number, worker, task, its answer or GONE) of those that are done. Waits for one, so many seconds at most."""
        busy = list(self.busy())
        ready = wait([sign for _, each in busy for sign in (each.connection, each.process.sentinel)], seconds)
        for number, worker in busy:
            if worker.connection not in ready and worker.process.sentinel not in ready:
                continue
            try:
                answer = self._receive(worker.connection)
            except (EOFError, OSError):
                worker.leave()
                answer = GONE
            task, worker.task = worker.task, None
            yield number, worker, task, answer

    def close(self) -> None:
        """Ends all workers: idle ones exit by themselves, busy ones (after an error or Ctrl-C) are killed."""
        workers = [each for each in self.workers if each is not None]
        for each in workers:
            each.connection.close()
            if each.task is not None:
                each.process.kill()
        for each in workers:
            each.leave()


def start_worker(
    body: Callable[..., None], *arguments: object, name: str, fork: bool = False, siblings: Sequence[Connection] = ()
) -> Worker:
    """A process that runs body(connection, *arguments), and ends with this process."""
    context: Any = multiprocessing.get_context("fork" if fork else "spawn")
    ours, theirs = context.Pipe()
    # A forked process has the parent's ends of all connections, its own and those to its siblings, too: none would
    # close while one is open there.
    inherited = [each for each in (ours, *siblings) if not each.closed] if fork else []
    given = (os.getpid(), inherited, body, theirs, *arguments)
    process = context.Process(target=_run, args=given, name=name, daemon=True)
    with _STARTING, _quietly() if fork else _without_main():
        process.start()
    theirs.close()
    return Worker(process, ours)


def _run(
    parent: int, inherited: Sequence[Connection], body: Callable[..., None], connection: Connection, *arguments: object
) -> None:
    for each in inherited:
        each.close()
    _die_with(parent)
    body(connection, *arguments)


def _die_with(parent: int) -> None:
    """In the child: it ends, in whatever state, when its parent ends (Linux only; elsewhere it ends with its task), and
    ignores Ctrl-C, which reaches the whole group: the parent decides.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "linux":
        return
    import ctypes

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before
        os._exit(1)


def tasks_from(connection: Connection) -> Iterator[Any]:
    """In the child: what the parent sends, until it closes the connection."""
    while True:
        try:
            task = connection.recv()
        except (EOFError, OSError):
            return
        yield task


@contextmanager
def _quietly() -> Iterator[None]:
    """Python 3.12 and later warn about a fork beside any thread, such as those of pyarrow, which survive it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


@contextmanager
def _without_main() -> Iterator[None]:
    """Hides the caller's script from multiprocessing, which would import it in the child.

    The script may be Spark's worker, or lack a `__main__` guard.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
