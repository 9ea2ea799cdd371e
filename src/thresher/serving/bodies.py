# SPDX-License-Identifier: Apache-2.0
"""What requests may take: how many there are at a time, and their bodies, read within limits on bytes and time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

from starlette.requests import ClientDisconnect, Request


class Rejected(Exception):
    """A request that is not done; `status` is the HTTP status of the answer."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind


class Quota:
    """Requests, or bytes of them, that there may be at a time."""

    def __init__(self, most: int, message: str) -> None:
        """`message` is the answer where there is no room."""
        self.taken = 0
        self._most, self._message = most, message

    def take(self, n: int = 1) -> None:
        """Reserve `n` more. Raises Rejected if that exceeds the limit."""
        if self.taken + n > self._most:
            raise Rejected(429, "busy", self._message)
        self.taken += n

    def give_back(self, n: int = 1) -> None:
        self.taken -= n

    @contextmanager
    def one(self) -> Iterator[None]:
        """Reserves one until the end of the with block."""
        self.take()
        try:
            yield
        finally:
            self.give_back()


def check_coding(request: Request) -> None:
    """Raises Rejected for a body that is compressed: nothing here undoes that."""
    coding = request.headers.get("content-encoding", "").strip()
    if coding.lower() not in ("", "identity"):
        raise Rejected(415, "coded", f"the body has Content-Encoding {coding[:40]!r}; send it as it is")


async def read_body(request: Request, held_bytes: Quota, *, most: int, seconds: float) -> bytes:
    """The body of a request. Its bytes stay reserved until the caller releases them.

    Raises Rejected if it is compressed, has more than `most` bytes, or has not arrived after `seconds`.
    """
    check_coding(request)
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced[:19]) > most:
        raise _too_large(most)
    pieces: list[bytes] = []
    held = 0
    try:
        async with asyncio.timeout(seconds):
            async for piece in request.stream():
                if held + len(piece) > most:
                    raise _too_large(most)
                held_bytes.take(len(piece))
                held += len(piece)
                pieces.append(piece)
    except BaseException as error:
        held_bytes.give_back(held)
        if isinstance(error, TimeoutError):
            raise Rejected(408, "slow_body", f"the body was not there after {seconds:g} s") from None
        if isinstance(error, ClientDisconnect):
            raise Rejected(400, "disconnected", "the client went away") from None
        raise
    return b"".join(pieces)


async def read_lines(
    request: Request, *, most: int, most_of_all: int, seconds: float
) -> AsyncIterator[bytes | Rejected]:
    """The lines of a body as they arrive, blank ones too. What follows the last line end is a line if it has text.

    A line of more than `most` bytes is skipped, with a Rejected in its place, which is raised for more than
    `most_of_all` bytes in total, and if a line has not arrived after `seconds`.
    """
    pieces: list[bytes] = []
    held = total = 0  # more than `most` are held of a line whose rest is skipped
    stream = request.stream().__aiter__()
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    while True:
        try:
            async with asyncio.timeout_at(until):
                piece = await anext(stream)
        except StopAsyncIteration:
            break
        except TimeoutError:
            raise Rejected(408, "slow_body", f"no line within {seconds:g} s") from None
        except ClientDisconnect:
            raise Rejected(400, "disconnected", "the client went away") from None
        total += len(piece)
        if total > most_of_all:
            raise Rejected(413, "too_large", f"the batch has more than {most_of_all:,} bytes")
        *whole, rest = piece.split(b"\n")
        for line in whole:
            if held <= most < held + len(line):
                yield _too_large(most)
            elif held <= most:
                yield b"".join((*pieces, line))
            pieces.clear()
            held = 0
            until = loop.time() + seconds
        if rest and held <= most:
            held += len(rest)
            pieces.append(rest)
            if held > most:
                pieces.clear()
                yield _too_large(most)
    last = b"".join(pieces)
    if last.strip():
        yield last


def _too_large(most: int) -> Rejected:
    return Rejected(413, "too_large", f"a page may have {most:,} bytes")
