# SPDX-License-Identifier: Apache-2.0
"""HTTP/1.1 with time limits for slow clients, on top of uvicorn's protocol.

uvicorn waits without limit for the head of a request, and for a client that does not read its answer.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

_LINGER = 1.0  # seconds


class PatientProtocol(H11Protocol):
    """A connection that is closed when it stays idle in the middle of a request or answer."""

    seconds = 10.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._head: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._linger: asyncio.TimerHandle | None = None
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        if not self.transport.get_write_buffer_size():  # the client has read all answers
            self._unread = _cancel(self._unread)
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._await_head()
        else:
            self._head = _cancel(self._head)

    def on_response_complete(self) -> None:
        """Wait for the next request, for as long as uvicorn keeps the connection.

        A client that is still sending its body gets a moment to read the answer. Then the connection is closed.
        """
        unfinished = self.conn.their_state is h11.SEND_BODY
        super().on_response_complete()
        self._head = _cancel(self._head)
        if unfinished and self._linger is None:
            self._linger = self.loop.call_later(_LINGER, self.transport.abort)

    def pause_writing(self) -> None:
        """The client does not read its answer."""
        super().pause_writing()
        self._await_reading()

    def resume_writing(self) -> None:
        """The client has read some of it, perhaps not all."""
        super().resume_writing()
        self._unread = _cancel(self._unread)
        if self.cycle is None or self.cycle.response_complete:
            self._await_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head, self._unread, self._linger = _cancel(self._head), _cancel(self._unread), _cancel(self._linger)
        super().connection_lost(exc)

    def _await_head(self) -> None:
        if self._head is None:
            self._head = self.loop.call_later(self.seconds, self.transport.abort)

    def _await_reading(self) -> None:
        if self._unread is None:
            self._unread = self.loop.call_later(self.seconds, self._abort_unless_read)

    def _abort_unless_read(self) -> None:
        self._unread = None
        if self.transport.get_write_buffer_size():
            self.transport.abort()


def _cancel(timer: asyncio.TimerHandle | None) -> Any:  # noqa: ANN401 (None, to be assigned)
    if timer is not None:
        timer.cancel()
    return None
