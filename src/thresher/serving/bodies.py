# SPDX-License-Identifier: Apache-2.0
"""Bodies of requests, read within limits on bytes and time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import ClientDisconnect, Request


class BadBody(Exception):
    """A body that was refused; `status` is the HTTP status of the answer."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind


class Holding:
    """The total size of the bodies in memory, with an upper limit."""

    def __init__(self, most: int) -> None:
        self.n_bytes = 0
        self._most = most

    def take(self, n: int) -> None:
        """Reserve `n` more bytes. Raises BadBody if that exceeds the limit."""
        if self.n_bytes + n > self._most:
            raise BadBody(429, "busy", "the service holds too many bytes of other requests; try again")
        self.n_bytes += n

    def give_back(self, n: int) -> None:
        self.n_bytes -= n


async def read_body(request: Request, holding: Holding, *, most: int, seconds: float) -> bytes:
    """The body of a request. Its bytes stay reserved until the caller releases them.

    Raises BadBody if it has more than `most` bytes, or has not arrived after `seconds`.
    """
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
                holding.take(len(piece))
                held += len(piece)
                pieces.append(piece)
    except TimeoutError:
        holding.give_back(held)
        raise BadBody(408, "slow_body", f"the body was not there after {seconds:g} s") from None
    except ClientDisconnect:
        holding.give_back(held)
        raise BadBody(400, "disconnected", "the client went away") from None
    except BaseException:
        holding.give_back(held)
        raise
    return b"".join(pieces)


async def read_lines(
    request: Request, *, most: int, most_of_all: int, seconds: float
) -> AsyncIterator[bytes | BadBody]:
    """The lines of a body as they arrive, blank ones too. What follows the last line end is a line if it has text.

    A line of more than `most` bytes is skipped, with a BadBody in its place. Raises BadBody for more than `most_of_all`
    bytes in total, and if a line has not arrived after `seconds`.
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
            raise BadBody(408, "slow_body", f"no line within {seconds:g} s") from None
        except ClientDisconnect:
            raise BadBody(400, "disconnected", "the client went away") from None
        total += len(piece)
        if total > most_of_all:
            raise BadBody(413, "too_large", f"the batch has more than {most_of_all:,} bytes")
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


def _too_large(most: int) -> BadBody:
    return BadBody(413, "too_large", f"a page may have {most:,} bytes")
