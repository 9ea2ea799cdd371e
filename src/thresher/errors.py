# SPDX-License-Identifier: Apache-2.0
"""Every error that Thresher raises on purpose. Each inherits from ThresherError and from the fitting builtin."""

from __future__ import annotations

import errno
import shlex
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

__all__ = [
    "ConfigError",
    "ExtractorError",
    "InputError",
    "OutputError",
    "Refused",
    "RunError",
    "StoreRefused",
    "ThresherError",
    "TransferError",
    "WorkerDied",
    "WorkerStalled",
]


FULL: Final = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
"""Errors that pass once there is room."""
NO_ROOM: Final = FULL | {errno.EROFS}
"""Errors that only those get who write."""
NOT_WRITTEN: Final = NO_ROOM | {errno.EACCES}
"""Errors of whoever writes; others, such as a lack of processes or a file that is gone, are not of writing."""


@contextmanager
def naming(path: str) -> Iterator[None]:
    """Gives an error of a full disk the name of the file or folder; the stream that raises it does not know it."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL and error.filename is None:
            error.filename = path
        raise


def install_command(extra: str) -> str:
    """The command that installs what an extra brings. pip takes the Thresher that this Python has and asks no index."""
    return f"{shlex.quote(sys.executable)} -m pip install 'thresher[{extra}]'"


class ThresherError(Exception):
    """Base class of all errors that Thresher raises."""


class InputError(ThresherError, ValueError):
    """An input cannot be read: it does not exist, access is denied, or it is not an archive."""


class TransferError(ThresherError, OSError):
    """Bytes of an input could not be fetched after several attempts. Another attempt may succeed."""


class OutputError(ThresherError, ValueError):
    """An output folder cannot be used. The message says why and what to do."""


class ConfigError(ThresherError, ValueError):
    """A setting does not exist or cannot have this value. The message says what is allowed."""


class ExtractorError(ThresherError, RuntimeError):
    """A Python extractor raised an exception, or returned something else than text."""


class RunError(ThresherError, RuntimeError):
    """A run could not continue. Finished work is kept; run the same command again to resume."""


class StoreRefused(RunError):
    """A store refuses every request of this run (403 Forbidden). Asking on would only make it worse."""


class WorkerDied(ThresherError, RuntimeError):
    """A worker process ended before it finished its task."""


class WorkerStalled(WorkerDied):
    """A worker process was stopped because it made no progress for run.stall_seconds."""


class Refused(ThresherError, ValueError):
    """A request to the service is invalid. The message tells the client why."""


def nearest(name: str, known: Iterable[str]) -> str:
    """What follows an unknown name in a message: the known one that is most like it, or a full stop."""
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else "."


def check_known(names: Iterable[str], known: Iterable[str], what: str, error: type[Exception] = ConfigError) -> None:
    """Raises an error for the first name that is not known, with the one that is most like it."""
    possible = list(known)
    for name in names:
        if name not in possible:
            raise error(f"unknown {what} {name!r}{nearest(name, possible)} Known: {', '.join(possible)}")
