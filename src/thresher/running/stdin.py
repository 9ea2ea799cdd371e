# SPDX-License-Identifier: Apache-2.0
"""Standard input as an input of a run. A temporary file holds it while the run lasts, so that all workers read it."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from contextlib import suppress
from typing import Final

from thresher.errors import InputError
from thresher.reading.kinds import WARC, kind_of

__all__ = ["STDIN", "spooled"]

STDIN: Final = "-"


def spooled() -> str:
    """The path of a file with everything on standard input. It is removed when this process ends."""
    if sys.stdin.isatty():
        raise InputError("- means standard input, and that is the terminal; pipe a file into it")
    handle, path = tempfile.mkstemp(prefix="thresher-")
    atexit.register(_remove, path, os.getpid())
    with os.fdopen(handle, "wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file, 1 << 20)
    with open(path, "rb") as file:
        start = file.read(3)
    if not start:
        raise InputError("nothing on standard input")
    if start == b"\x1f\x8b\x08" and kind_of(path) == WARC:
        os.rename(path, f"{path}.gz")  # only gzip archives are split, and their name says that they are some
        path = f"{path}.gz"
        atexit.register(_remove, path, os.getpid())
    return path


def _remove(path: str, process: int) -> None:
    if os.getpid() == process:  # workers are forked from this process
        with suppress(OSError):
            os.remove(path)
