# SPDX-License-Identifier: Apache-2.0
"""A folder in any file system: local, s3://, hdfs://, and whatever else pyarrow or fsspec can write.

Files appear whole or not at all. They are written under _temporary/ and renamed; where a store cannot rename (S3), the
store copies the object, which appears whole there too.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any, Final, TypeVar

import pyarrow as pa
from pyarrow import fs

from thresher.errors import NO_ROOM, OutputError, ThresherError, naming
from thresher.reading.names import local_path, scheme_of
from thresher.reading.opening import ARROW_SCHEMES, arrow_file_system
from thresher.terminal import one_line

TEMPORARY: Final = "_temporary"
_AT_ONCE: Final = 16  # requests to a store

Name = TypeVar("Name")
Read = TypeVar("Read")


class Storage:
    """Files and folders below one location. Cheap to make; each process makes its own."""

    def __init__(self, location: str) -> None:
        self.location = location
        self.fs, self._root = _file_system(location)
        self.is_local = isinstance(self.fs, fs.LocalFileSystem)

    def path(self, *names: str) -> str:
        """The path, in the file system, of what lies below the folder."""
        return "/".join((self._root, *(name for name in names if name)))

    def temporary(self, name: str) -> str:
        return self.path(TEMPORARY, f"{uuid.uuid4().hex}-{name}")

    def names(self, folder: str = "") -> set[str]:
        """The names in a folder, none where it does not exist. Raises OutputError if it cannot be listed."""
        try:
            found = self.fs.get_file_info(fs.FileSelector(self.path(folder), allow_not_found=True))
        except OSError as error:
            raise OutputError(f"cannot look into {self.location}: {error}") from error
        return {info.base_name for info in found if info.base_name}

    def each(self, read: Callable[[Name], Read], names: Iterable[Name]) -> Iterator[Read]:
        """What `read` returns of each name, in order. From a store, where each answer is waited for, many are read at
        once.
        """
        if self.is_local:
            yield from map(read, names)
            return
        left = iter(names)
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            while some := list(islice(left, 4 * _AT_ONCE)):
                yield from pool.map(read, some)

    def files(self, folder: str) -> list[str]:
        """The files at any depth below a folder, relative to it, in order; none where it does not exist."""
        base = self.path(folder)
        found = self.fs.get_file_info(fs.FileSelector(base, recursive=True, allow_not_found=True))
        return sorted(info.path[len(base) :].lstrip("/") for info in found if info.type == fs.FileType.File)

    def size(self, name: str) -> int:
        return int(self.fs.get_file_info(self.path(name)).size or 0)

    def has(self, name: str) -> bool:
        return bool(self.fs.get_file_info(self.path(name)).type != fs.FileType.NotFound)

    def make(self, name: str = "") -> None:
        self.fs.create_dir(self.path(name), recursive=True)

    def remove(self, name: str) -> None:
        """Remove a folder with everything in it, if it exists."""
        if self.has(name):
            self.fs.delete_dir(self.path(name))

    def mark(self, name: str) -> None:
        """Write an empty file, which `has` sees."""
        self.make(os.path.dirname(name))
        with self.fs.open_output_stream(self.path(name)) as stream:
            stream.write(b"")

    def read_json(self, name: str) -> dict[str, Any]:
        """The object that a JSON file holds. Raises FileNotFoundError if there is none, OutputError if it holds
        anything else.
        """
        with self.undamaged(name):
            self.require_file(name)
            with self.fs.open_input_stream(self.path(name)) as stream:
                found = json.loads(stream.read())
            if not isinstance(found, dict):
                raise TypeError(f"it holds {type(found).__name__}, not an object")
            return found

    def require_file(self, name: str) -> None:
        """Raises FileNotFoundError if there is nothing of that name, OutputError if it is no file: reading a pipe would
        wait for ever.
        """
        kind = self.fs.get_file_info(self.path(name)).type
        if kind == fs.FileType.NotFound:
            raise FileNotFoundError(name)
        if kind != fs.FileType.File:
            raise OutputError(f"{self.location}/{name} is not a file; restore it, or choose another folder")

    @contextmanager
    def undamaged(self, name: str) -> Iterator[None]:
        """Turns what reading a damaged file raises into an OutputError that names the file. What is written meanwhile
        may find no room; that is no damage.
        """
        try:
            yield
        except (FileNotFoundError, ThresherError):
            raise
        except (OSError, ValueError, TypeError, LookupError, RecursionError, pa.ArrowException) as error:
            if getattr(error, "errno", None) in NO_ROOM:
                raise
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise OutputError(
                f"{self.location}/{name} cannot be read: {one_line(reason, 200)}; restore it, or choose another folder"
            ) from error

    @contextmanager
    def writing(self, name: str) -> Iterator[Any]:
        """A stream into a file of a folder that is there; the file appears when it is complete, in place of another."""
        temporary = self.temporary(name.rpartition("/")[2])
        with naming(f"{self.location}/{name}"):
            self.make(TEMPORARY)
            try:
                with self.fs.open_output_stream(temporary, compression=None) as stream:  # by its suffix otherwise
                    yield stream
            except BaseException:
                with suppress(OSError):
                    self.delete(temporary)
                raise
            self.move(temporary, self.path(name))

    def write_json(self, name: str, value: Mapping[str, Any]) -> None:
        """Write a JSON file, replacing the one that is there."""
        with self.writing(name) as stream:
            stream.write(_json(value))

    def move(self, source: str, target: str) -> None:
        """Rename a file, replacing the one that is there. Takes paths as path() and temporary() return them."""
        try:
            self.fs.move(source, target)
        except OSError:
            # HDFS does not rename onto an existing file. What is there comes from another attempt and has the same
            # rows.
            if self.is_local:
                raise
            self.delete(target)
            self.fs.move(source, target)

    def delete(self, path: str) -> None:
        """Delete a file, if it exists. Takes a path as path() and temporary() return it."""
        try:
            self.fs.delete_file(path)
        except FileNotFoundError:
            return
        except OSError:
            if self.fs.get_file_info(path).type != fs.FileType.NotFound:
                raise


def _json(value: Mapping[str, Any]) -> bytes:
    """JSON in UTF-8; file names that are none are escaped, so that they are the same when they are read."""
    try:
        return json.dumps(value, indent=1, ensure_ascii=False).encode("utf-8") + b"\n"
    except UnicodeEncodeError:
        return json.dumps(value, indent=1).encode("ascii") + b"\n"


def _file_system(location: str) -> tuple[Any, str]:
    """(pyarrow file system, path in it) of a folder given as a path or URL."""
    scheme = scheme_of(location)
    try:
        location.encode()
    except UnicodeEncodeError:  # pyarrow takes no other name
        raise OutputError(f"{location}: the name of this folder is no UTF-8; choose another one") from None
    if not scheme:
        return fs.LocalFileSystem(), os.path.abspath(local_path(location))
    from thresher.writing.stores import patient

    try:
        if scheme in ARROW_SCHEMES:
            filesystem, path = arrow_file_system(location)
        elif scheme in ("http", "https"):
            raise OutputError(f"{location}: cannot write to a web server; give a folder, s3:// or hdfs://")
        else:
            import fsspec

            remote, path = fsspec.core.url_to_fs(location)
            handler: Any = fs.FSSpecHandler
            filesystem = fs.PyFileSystem(handler(remote))
    except OutputError:
        raise
    except (pa.ArrowException, OSError, ImportError, ValueError) as error:  # of a protocol that fsspec does not know
        raise OutputError(f"cannot write to {location}: {error}") from error
    return patient(filesystem, location), path.rstrip("/")
