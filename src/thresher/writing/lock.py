# SPDX-License-Identifier: Apache-2.0
"""The lock of a folder: which process owns it."""

from __future__ import annotations

import os
import sys
from weakref import WeakSet

from thresher.errors import OutputError
from thresher.writing.layout import LOCK
from thresher.writing.storage import Storage

__all__ = ["FolderLock"]


class FolderLock:
    """A folder's lock, which one process holds until it ends, however it ends. Only local folders can be locked."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._file: int | None = None

    def take(self) -> None:
        """Takes the lock. Raises OutputError if another process has it."""
        if not self._storage.is_local or sys.platform == "win32":
            return
        import fcntl

        self._file = os.open(self._storage.path(LOCK), os.O_CREAT | os.O_RDWR, 0o644)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self.release()
            raise OutputError(f"{self._storage.location} is in use by another run; wait for it or stop it") from error
        _held.add(self)

    def is_taken(self) -> bool:
        """Whether a process on this machine has the lock. False where that cannot be told."""
        if not self._storage.is_local or sys.platform == "win32":
            return False
        import fcntl

        try:
            lock = os.open(self._storage.path(LOCK), os.O_RDONLY)
        except OSError:
            return False
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:  # a file system without locks
            return False
        finally:
            os.close(lock)
        return False

    def release(self) -> None:
        """Closes this process's handle on the lock. Its parent and children keep theirs."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
            _held.discard(self)

    def remove(self) -> None:
        """Releases the lock for good, if this process has it: its file goes too."""
        if self._file is not None:
            self._storage.delete(self._storage.path(LOCK))
            self.release()


_held: WeakSet[FolderLock] = WeakSet()  # by this process


def _leave() -> None:
    for lock in list(_held):
        lock.release()


# A worker that outlives its parent for a moment must not prevent the same command from resuming.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave)
