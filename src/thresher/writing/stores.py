# SPDX-License-Identifier: Apache-2.0
"""Remote file systems that output goes to, with failures that pass tried again.

A busy S3 answers a few requests in a hundred with status 503, for hours. The AWS client tries again too, but on a
budget for the whole process; once that is spent, one failed HEAD would end a run. `patient` wraps a file system of
pyarrow:

- Every operation on names (information, listing, move, delete) is tried up to ATTEMPTS times with growing, jittered
  pauses.
- A file is written to memory, above `SPOOLED` bytes to a local temporary file, and sent when it is closed. A failed
  transfer is thus sent again from the beginning. Each file being written takes its size in the temporary folder of the
  machine.
- Reads are tried again at the position where they failed.

What still fails ends in an OSError that says what was tried on which file. pyarrow does not show a Retry-After header,
so the pauses are ours. Errors that no other attempt mends (no such bucket, no permission) are raised at once.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from typing import Any, Final, TypeVar

import pyarrow as pa
from pyarrow import fs

from thresher.reading.files import ReadAt, Seekable
from thresher.reading.transfers import persistently

SPOOLED: Final = 8 << 20  # bytes of a file that are kept in memory until it is sent
COPIED: Final = 4 << 20  # bytes sent in one call

T = TypeVar("T")


def patient(file_system: fs.FileSystem, location: str) -> fs.PyFileSystem:
    """The same file system, its operations tried again where they fail; `location` names it in messages."""
    return fs.PyFileSystem(PatientHandler(file_system, location))


class PatientHandler(fs.FileSystemHandler):
    """Calls another file system, again where it fails."""

    def __init__(self, file_system: fs.FileSystem, location: str) -> None:
        self._fs = file_system
        self._location = location

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PatientHandler) and self._fs == other._fs

    def __hash__(self) -> int:
        return hash(self._location)

    def _try(self, what: str, attempt: Callable[[], T]) -> T:
        return persistently(f"{self._location}: cannot {what}", attempt, failure=OSError)

    def _try_once(self, what: str, attempt: Callable[[], object], done: Callable[[], bool]) -> None:
        """Tries what cannot be done twice.

        An attempt may fail though it did its work: S3 moves a file in three requests, and the last may be the one that
        fails. So where a further attempt fails too, `done` decides.
        """
        failed = False

        def attempt_or_done() -> None:
            nonlocal failed
            try:
                attempt()
            except OSError:
                if not failed or not done():
                    failed = True
                    raise

        self._try(what, attempt_or_done)

    def _exists(self, path: str) -> bool:
        return bool(self._fs.get_file_info(path).type != fs.FileType.NotFound)

    # -- names --------------------------------------------------------------------------------------------------------

    def get_type_name(self) -> str:
        return f"patient+{self._fs.type_name}"

    def normalize_path(self, path: str) -> str:
        return str(self._fs.normalize_path(path))

    def get_file_info(self, paths: Any) -> list[fs.FileInfo]:  # noqa: ANN401 (pyarrow's)
        return self._try("look up a file", lambda: self._fs.get_file_info(paths))

    def get_file_info_selector(self, selector: fs.FileSelector) -> list[fs.FileInfo]:
        return self._try(f"list {selector.base_dir}", lambda: self._fs.get_file_info(selector))

    def create_dir(self, path: str, recursive: bool) -> None:  # noqa: FBT001 (pyarrow's)
        self._try(f"make the folder {path}", lambda: self._fs.create_dir(path, recursive=recursive))

    def delete_dir(self, path: str) -> None:
        self._try_once(f"remove {path}", lambda: self._fs.delete_dir(path), lambda: not self._exists(path))

    def delete_dir_contents(self, path: str, missing_dir_ok: bool = False) -> None:  # noqa: FBT001, FBT002 (pyarrow's)
        self._try(f"empty {path}", lambda: self._fs.delete_dir_contents(path, missing_dir_ok=missing_dir_ok))

    def delete_root_dir_contents(self) -> None:
        """Is refused: no run empties a whole store."""
        raise OSError(f"{self._location}: will not empty the whole store")

    def delete_file(self, path: str) -> None:
        self._try_once(f"remove {path}", lambda: self._fs.delete_file(path), lambda: not self._exists(path))

    def move(self, src: str, dest: str) -> None:
        """Renames a file. Raises FileExistsError on HDFS, which renames nothing onto a file that is there."""

        def attempt() -> None:
            try:
                self._fs.move(src, dest)
            except OSError:
                if self._fs.type_name == "hdfs" and self._exists(dest) and self._exists(src):
                    raise FileExistsError(f"{self._location}: {dest} is there already") from None
                raise

        def done() -> bool:
            return self._exists(dest) and not self._exists(src)

        self._try_once(f"move {src} to {dest}", attempt, done)

    def copy_file(self, src: str, dest: str) -> None:
        self._try(f"copy {src} to {dest}", lambda: self._fs.copy_file(src, dest))

    # -- contents -----------------------------------------------------------------------------------------------------

    def open_input_stream(self, path: str) -> pa.NativeFile:
        return self.open_input_file(path)

    def open_input_file(self, path: str) -> pa.NativeFile:
        opened: Any = self._try(f"open {path}", lambda: self._fs.open_input_file(path))

        def fetch(start: int, n: int) -> bytes:
            return self._try(f"read {path}", lambda: bytes(opened.read_at(n, start)))

        file: Any = Seekable(ReadAt(opened.size(), fetch), opened.close)
        return pa.PythonFile(file, mode="r")

    def open_output_stream(self, path: str, metadata: dict[str, str] | None) -> pa.NativeFile:
        """A file opened for writing; it is sent when it is closed."""

        def send(content: Any) -> None:  # noqa: ANN401 (a temporary file)
            def attempt() -> None:
                content.seek(0)
                # As it is: pyarrow would compress by the ending of the name what is compressed already.
                with self._fs.open_output_stream(path, compression=None, metadata=metadata) as stream:
                    shutil.copyfileobj(content, stream, COPIED)

            self._try(f"write {path}", attempt)

        file: Any = Upload(send)
        return pa.PythonFile(file, mode="w")

    def open_append_stream(self, path: str, metadata: dict[str, str] | None) -> pa.NativeFile:
        """Is refused: object stores cannot append."""
        raise OSError(f"{self._location}: cannot append to {path}{' with metadata' if metadata else ''}")


class Upload:
    def __init__(self, send: Callable[[Any], None]) -> None:
        self._content: Any = tempfile.SpooledTemporaryFile(SPOOLED)  # noqa: SIM115 (closed by close())
        self._send = send
        self.closed = False

    def write(self, data: bytes) -> int:
        return int(self._content.write(data))

    def tell(self) -> int:
        return int(self._content.tell())

    def flush(self) -> None:
        """Does nothing: a file is sent as a whole."""

    def writable(self) -> bool:
        return True

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            try:
                self._send(self._content)
            finally:
                self._content.close()
