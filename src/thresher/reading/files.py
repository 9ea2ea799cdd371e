# SPDX-License-Identifier: Apache-2.0
"""Opened inputs: bytes in order, and seeking to an absolute position, on a local disk or in blocks from a store."""

from __future__ import annotations

import io
import os
import stat
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

from thresher.errors import InputError, ThresherError, TransferError
from thresher.reading.limits import ask, limiter_of
from thresher.terminal import one_line

KEPT_HEAD: Final = 64 << 10  # bytes of a web server's file that are kept from its beginning
KEPT_LAST: Final = 2 << 20  # bytes that are kept of what was read last: the last two records of a split
READ_OVER: Final = 256 << 10  # bytes that are read over rather than asked for anew
REMOTE_BLOCK: Final = 4 << 20  # bytes per request to an object store: 250 requests for a WARC of 1 GB


class InputFile(Protocol):
    """An input opened for reading: bytes in order, and seeking to an absolute position."""

    @property
    def size(self) -> int | None:
        """Bytes of the input, or None if the server does not say."""

    def read(self, n: int = -1, /) -> bytes: ...
    def seek(self, position: int, /) -> int: ...
    def tell(self) -> int: ...
    def close(self) -> None: ...


def read_at(file: InputFile, position: int, n: int) -> bytes:
    """Up to n bytes from a position of a file."""
    file.seek(position)
    pieces: list[bytes] = []
    while n > 0 and (piece := file.read(n)):
        pieces.append(piece)
        n -= len(piece)
    return b"".join(pieces)


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)


class LocalFile:
    def __init__(self, path: str) -> None:
        try:
            # Without waiting: opening a pipe would wait for somebody to write into it.
            self._file = open(path, "rb", buffering=0, opener=_open_at_once)  # noqa: SIM115  (closed by close())
            status = os.fstat(self._file.fileno())
            self.size: int | None = status.st_size
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from None
        except ValueError as error:  # NUL, or half a surrogate pair
            raise InputError(f"{one_line(path, 100)}: {error}") from None
        if not stat.S_ISREG(status.st_mode):
            self._file.close()
            raise InputError(f"{path}: no regular file")

    def read(self, n: int = -1, /) -> bytes:
        return self._file.read(n) or b""

    def seek(self, position: int, /) -> int:
        return self._file.seek(position)

    def tell(self) -> int:
        return self._file.tell()

    def close(self) -> None:
        self._file.close()


class CachingFile:
    """An input that keeps its first bytes and the last ones that were read, so that short seeks cost no request.

    A reader of a split looks at the beginning of the file, goes to its split, and tries where its first record begins.
    On a web server each of these seeks would be a request, of which the server sends more than is read.
    """

    def __init__(self, file: InputFile) -> None:
        self.close = file.close
        self._file = file
        self._head = b""  # the beginning of the file, as far as it was read in order
        self._last: deque[tuple[int, bytes]] = deque()  # (position, bytes) of the last reads, without gaps
        self._kept = 0  # bytes of these
        self._position = 0

    @property
    def size(self) -> int | None:
        return self._file.size

    def read(self, n: int = -1, /) -> bytes:
        """Up to n bytes, b"" only at the end of the file."""
        piece = self._head[self._position : self._position + n if n >= 0 else None]
        if not piece:
            piece = next((self._part_of(start, held, n) for start, held in self._last if self._holds(start, held)), b"")
        if not piece:
            piece = self._fetch(n)
        self._position += len(piece)
        return piece

    def _holds(self, start: int, held: bytes) -> bool:
        return start <= self._position < start + len(held)

    def _part_of(self, start: int, held: bytes, n: int) -> bytes:
        begin = self._position - start
        return held[begin : begin + n if n >= 0 else None]

    def _fetch(self, n: int) -> bytes:
        here = self._file.tell()
        if here != self._position:
            # A short stretch is read over: the bytes are on their way anyhow.
            while here < self._position <= here + READ_OVER and (over := self._file.read(self._position - here)):
                self._keep(here, over)
                here += len(over)
            if here != self._position:
                self._file.seek(self._position)
                self._last.clear()
                self._kept = 0
        piece = self._file.read(n)
        self._keep(self._position, piece)
        return piece

    def _keep(self, position: int, piece: bytes) -> None:
        if position == len(self._head) < KEPT_HEAD:
            self._head += piece[: KEPT_HEAD - position]
        if piece:
            self._last.append((position, piece))
            self._kept += len(piece)
        while len(self._last) > 1 and self._kept - len(self._last[0][1]) >= KEPT_LAST:
            self._kept -= len(self._last.popleft()[1])

    def seek(self, position: int, /) -> int:
        self._position = position
        return position

    def tell(self) -> int:
        return self._position


class ReadAt:
    """A file of a known size, of which `fetch(start, n)` gives the bytes from a position on. An `InputFile`."""

    def __init__(self, size: int, fetch: Callable[[int, int], bytes], close: Callable[[], None] = lambda: None) -> None:
        self.size: int | None = size
        self.close = close
        self._size = size
        self._fetch = fetch
        self._position = 0

    def read(self, n: int = -1, /) -> bytes:
        left = max(self._size - self._position, 0)
        n = min(n, left) if n >= 0 else left
        piece = self._fetch(self._position, n) if n else b""
        self._position += len(piece)
        return piece

    def seek(self, position: int, /) -> int:
        self._position = position
        return position

    def tell(self) -> int:
        return self._position


def in_memory(data: bytes | memoryview) -> ReadAt:
    return ReadAt(len(data), lambda start, n: bytes(data[start : start + n]))


class Seekable(io.RawIOBase):
    """An input as pyarrow and zipfile read one: from anywhere, and all at once that is asked for."""

    def __init__(self, file: InputFile, close: Callable[[], None] = lambda: None) -> None:
        """`close` is called when this is closed; without it whoever opened the file closes it."""
        self._file, self._size, self._close = file, file.size or 0, close
        self.tell = file.tell  # type: ignore[method-assign]

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def read(self, n: int | None = -1, /) -> bytes:
        """The next n bytes, fewer only at the end."""
        left = max(self._size - self._file.tell(), 0)
        wanted = left if n is None or n < 0 else min(n, left)  # Python allocates what a read asks for
        return read_at(self._file, self._file.tell(), wanted)

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        base = (0, self._file.tell(), self._size)[whence]
        return self._file.seek(max(0, base + offset))

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._close()


class BlockFile(ReadAt):
    """A remote object read in blocks of `REMOTE_BLOCK` bytes; one block is kept, so short seeks cost nothing.

    `fetch(start, n)` returns up to n bytes from `start`, b"" only at the end, and raises OSError where an attempt
    failed.
    """

    def __init__(self, name: str, size: int, fetch: Callable[[int, int], bytes], close: Callable[[], None]) -> None:
        super().__init__(size, fetch, close)
        self._name = name
        self._block = b""
        self._block_start = 0

    def read(self, n: int = -1, /) -> bytes:
        if n < 0:
            n = self._size - self._position
        inside = self._position - self._block_start
        if not 0 <= inside < len(self._block):
            wanted = min(REMOTE_BLOCK, self._size - self._position)
            if wanted <= 0:
                return b""
            self._block = self._ask(self._position, wanted)
            self._block_start = self._position
            inside = 0
        piece = self._block[inside : inside + n]
        self._position += len(piece)
        return piece

    def read_at(self, start: int, n: int) -> bytes:
        """The n bytes from `start` on, fewer only at the end, and no more than these are fetched."""
        pieces: list[bytes] = []
        n = min(n, self._size - start)
        while n > 0:
            pieces.append(self._ask(start, n))
            start, n = start + len(pieces[-1]), n - len(pieces[-1])
        return b"".join(pieces)

    def _ask(self, start: int, n: int) -> bytes:
        """Up to n bytes from `start`, at least one."""
        try:
            found = ask(self._name, lambda: self._fetch(start, n))
        except ThresherError:
            raise
        except OSError as error:  # must not be mistaken for damage in the file
            raise TransferError(f"{self._name}: {error}") from error
        if not found:
            raise TransferError(f"{self._name}: no bytes at {start:,} of {self._size:,}")
        limiter_of(self._name).received(len(found))
        return found
