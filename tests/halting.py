# SPDX-License-Identifier: Apache-2.0
"""Commands that stand still at a chosen moment, however fast the machine is, until the test kills them or lets them go
on.
"""

import os
import signal
import subprocess
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from waiting import wait_for

SITE = Path(__file__).parent / "halting_site"


def start_and_halt(command: Sequence[object], at: str, folder: Path, **options: Any) -> "subprocess.Popen[Any]":
    """A command that stands still, and the processes that it started with it.

    The process of the command that first gives a file a name like `at`, or first takes such a name from a file, is
    stopped then. `folder` is a folder for the test's own files.
    """
    halted = folder / "halted"
    halted.unlink(missing_ok=True)
    path = os.pathsep.join([str(SITE), str(SITE.parent), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, "THRESHER_TEST_HALT_AT": at, "THRESHER_TEST_HALTED": str(halted)}
    process = subprocess.Popen([*map(str, command)], env=environment, **options)
    wait_for(lambda: halted.exists() or process.poll() is not None, f"for {at}")
    assert process.poll() is None, f"the command ended before there was a file {at}"
    return process


def halt_at_files() -> None:
    """Makes this process stop at the files that the environment names. Called by halting_site/sitecustomize.py."""
    from thresher.writing.storage import Storage

    pattern, halted = f"*/{os.environ['THRESHER_TEST_HALT_AT']}", os.environ["THRESHER_TEST_HALTED"]
    move, mark = Storage.move, Storage.mark

    def halt() -> None:
        try:
            with open(halted, "x") as file:
                file.write(str(os.getpid()))
        except FileExistsError:
            return
        os.kill(os.getpid(), signal.SIGSTOP)

    def move_and_halt(self: Storage, source: str, target: str) -> None:
        if fnmatch(source, pattern):
            halt()
        move(self, source, target)
        if fnmatch(target, pattern):
            halt()

    def mark_and_halt(self: Storage, name: str) -> None:
        mark(self, name)
        if fnmatch(self.path(name), pattern):
            halt()

    Storage.move, Storage.mark = move_and_halt, mark_and_halt  # type: ignore[method-assign]
