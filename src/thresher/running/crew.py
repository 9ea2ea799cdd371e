# SPDX-License-Identifier: Apache-2.0
"""Processes that may be killed at any moment: workers of a run (supervisor.py), of the service and of
evaluation (pool.py).
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from types import ModuleType
from typing import Any, Final

_PR_SET_PDEATHSIG: Final = 1
_STARTING: Final = threading.Lock()


@dataclass(slots=True)
class Child:
    """A process and the parent's end of the connection to it."""

    process: BaseProcess
    connection: Connection

    def end(self, seconds: float | None = None) -> None:
        """Kills the process and waits for it to be gone, for so many seconds at most."""
        self.connection.close()
        self.process.kill()
        self.process.join(seconds)

    @property
    def ending(self) -> str:
        """How the process ended, as in `the worker was killed by SIGKILL`."""
        code = self.process.exitcode
        if code is not None and code < 0:
            return f"was killed by {signal.Signals(-code).name if -code in set(signal.Signals) else f'signal {-code}'}"
        return f"exited with status {code}"


def start_child(
    body: Callable[..., None], *arguments: object, name: str, fork: bool = False, siblings: Iterable[Connection] = ()
) -> Child:
    """A process that runs body(connection, process id of the parent, connections to be closed, *arguments).

    A forked process has the parent's ends of all connections, its own and those to its siblings, too: none would close
    while one is open there.
    """
    context: Any = multiprocessing.get_context("fork" if fork else "spawn")
    ours, theirs = context.Pipe()
    inherited = [each for each in (ours, *siblings) if not each.closed] if fork else []
    process = context.Process(target=body, args=(theirs, os.getpid(), inherited, *arguments), name=name, daemon=True)
    with _STARTING, _quietly() if fork else _without_main():
        process.start()
    theirs.close()
    return Child(process, ours)


def die_with(parent: int) -> None:
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
