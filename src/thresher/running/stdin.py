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
from thresher.reading.names import WACZ_SUFFIX

_LOOK: Final = 1 << 16  # bytes
_ZIP: Final = b"PK\3\4"


def spooled() -> str:
    """The path of a file with everything on standard input. It is removed when this process ends."""
    if sys.stdin.isatty():
        raise InputError("- means standard input, and that is the terminal; pipe a file into it")
    start = sys.stdin.buffer.read(_LOOK)
    if not start:
        raise InputError("nothing on standard input")
    # The name of a WARC in a WACZ begins with that of the WACZ, by which it is known.
    suffix = WACZ_SUFFIX if start.startswith(_ZIP) else ""
    try:
        handle, path = tempfile.mkstemp(prefix="thresher-", suffix=suffix)
        atexit.register(_remove, path, os.getpid())
        with os.fdopen(handle, "wb") as file:
            file.write(start)
            shutil.copyfileobj(sys.stdin.buffer, file, 1 << 20)
    except OSError as error:
        raise InputError(
            f"standard input cannot be kept in {tempfile.gettempdir()}: {error.strerror or error}; name a folder with "
            "room for it in TMPDIR, or give the file itself"
        ) from None
    return path


def _remove(path: str, process: int) -> None:
    if os.getpid() == process:  # workers are forked from this process
        with suppress(OSError):
            os.remove(path)
