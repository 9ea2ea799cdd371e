# SPDX-License-Identifier: Apache-2.0
"""The lock of a folder: which process owns it.

A local folder has a file that its owner locks. The system unlocks it when the owner ends, however it ends.

In a store, OUT/_lock/ has an object for each process that asked for the folder. Whoever asks writes one, and then lists
them: with any other there it gives up. A store lists what was written before, so of two that ask at once one at least
sees the other. It needs no conditional writes, which pyarrow has none of. The owner writes its object again every
minute. If one is ten minutes old by the clock of the store, its owner was killed; so was one of this machine whose
process is gone.
"""

from __future__ import annotations

import _thread
import atexit
import datetime as dt
import fcntl
import json
import logging
import os
import socket
import threading
import uuid
from contextlib import suppress
from typing import Any, Final
from weakref import WeakSet

from pyarrow import fs

from thresher.errors import OutputError
from thresher.terminal import one_line
from thresher.writing.layout import LOCK
from thresher.writing.storage import Storage

_RENEWED: Final = 60.0  # seconds between two signs of life
_LEASE: Final = dt.timedelta(minutes=10)  # without one
_log: Final = logging.getLogger(__name__)


class FolderLock:
    """A folder's lock, which one process holds until it ends."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._file: int | None = None
        self._lease: _Lease | None = None

    def take(self) -> None:
        """Takes the lock. Raises OutputError if another process has it."""
        if not self._storage.is_local:
            lease = _Lease(self._storage)
            lease.take()
            self._lease = lease
            return
        path = self._storage.path(LOCK)
        while True:
            self._file = os.open(path, os.O_CREAT | os.O_RDWR, 0o644)
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                self.release()
                location = self._storage.location
                raise OutputError(f"{location} is in use by another run; wait for it or stop it") from error
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(self._file), os.stat(path)):
                    break
            os.close(self._file)  # its owner removed it after it was opened here; others lock a new one
        _held.add(self)

    def is_taken(self) -> bool:
        """Whether a process has the lock. False where that cannot be told."""
        if not self._storage.is_local:
            return bool(_Lease(self._storage).others(dt.datetime.now(dt.UTC)))
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
        """Gives up this process's hold on the lock. Its parent and children keep theirs."""
        if self._lease is not None:
            self._lease.end()
            self._lease = None
        if self._file is not None:
            os.close(self._file)
            self._file = None
            _held.discard(self)

    def remove(self) -> None:
        """Releases the lock for good, if this process has it: its file goes too."""
        if self._file is not None:
            self._storage.delete(self._storage.path(LOCK))
        self.release()


class _Lease:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._name = f"{uuid.uuid4().hex}.json"
        self._process = os.getpid()
        self._ended = threading.Event()
        self._writing = threading.Lock()

    def take(self) -> None:
        """Takes it, and keeps it until end(). Raises OutputError if another process has it."""
        self._storage.make(LOCK)
        self._write()
        found = self._objects()
        others = self.others(found[self._name].mtime) if self._name in found else ["another command"]
        if others:
            self._delete(self._name)
            raise OutputError(
                f"{self._storage.location} is in use by another run ({others[0]}); wait for it or stop it. If it was "
                f"killed, wait {_LEASE.seconds // 60} minutes, or delete {LOCK}/ there"
            )
        for name in found.keys() - {self._name}:
            self._delete(name)
        atexit.register(self.end)
        threading.Thread(target=self._renew, name="thresher-lock", daemon=True).start()

    def others(self, now: dt.datetime | None) -> list[str]:
        """Whoever else has it, or asks for it, and shows signs of life."""
        found = []
        for name, info in self._objects().items():
            is_old = now is not None and info.mtime is not None and now - info.mtime >= _LEASE
            if name == self._name or is_old:
                continue
            owner = self._owner(name)
            if owner.get("host") == socket.gethostname() and not _is_alive(owner.get("process")):
                continue
            about = f"process {owner.get('process')} on {owner.get('host')}, since {owner.get('since')}"
            found.append(one_line(about, 200))
        return found

    def end(self) -> None:
        """Gives it up. A child that inherited it leaves it to its parent."""
        self._ended.set()
        atexit.unregister(self.end)
        if self._process != os.getpid():
            return
        with self._writing, suppress(OSError):
            self._delete(self._name)
            if not self._objects():
                self._storage.fs.delete_dir(self._storage.path(LOCK))

    def _objects(self) -> dict[str, Any]:
        selector = fs.FileSelector(self._storage.path(LOCK), allow_not_found=True)
        return {each.base_name: each for each in self._storage.fs.get_file_info(selector) if each.is_file}

    def _write(self) -> None:
        since = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        about = {"host": socket.gethostname(), "process": self._process, "since": since}
        with self._storage.fs.open_output_stream(self._storage.path(LOCK, self._name)) as stream:
            stream.write(json.dumps(about).encode())

    def _owner(self, name: str) -> dict[str, Any]:
        try:
            with self._storage.fs.open_input_file(self._storage.path(LOCK, name)) as stream:
                found = json.loads(stream.read())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _delete(self, name: str) -> None:
        self._storage.delete(self._storage.path(LOCK, name))

    def _renew(self) -> None:
        """Writes the object again until end(). If another process took it for dead, this one stops: its object is gone,
        or, where it was just being written, there is another that is written again and again.
        """
        seen: dict[str, Any] = {}
        while not self._ended.wait(_RENEWED):
            try:
                with self._writing:
                    if self._ended.is_set():
                        return
                    found = {name: info.mtime for name, info in self._objects().items()}
                    others = found.keys() & seen.keys() - {self._name}
                    is_ours = self._name in found and all(found[name] == seen[name] for name in others)
                    seen = found
                    if is_ours:
                        self._write()
            except OSError as error:
                _log.warning("%s: the lock cannot be renewed: %s", self._storage.location, error)
                continue
            if not is_ours:
                _log.error("%s was taken over by another command, as this one did nothing", self._storage.location)
                _thread.interrupt_main()
                return


def _is_alive(process: object) -> bool:
    """Whether a process of this machine lives; True where that cannot be told."""
    if not isinstance(process, int) or process <= 0:
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


_held: WeakSet[FolderLock] = WeakSet()  # by this process


def _leave() -> None:
    for lock in list(_held):
        lock.release()


# A worker that outlives its parent for a moment must not prevent the same command from resuming.
os.register_at_fork(after_in_child=_leave)
