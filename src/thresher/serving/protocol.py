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
        """Waits for the head of a request."""
        self._head: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        """Takes bytes of a request."""
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
        if unfinished:
            self._unread = _cancel(self._unread)
            self._unread = self.loop.call_later(_LINGER, self.transport.abort)

    def pause_writing(self) -> None:
        """The client does not read its answer."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(self.seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """The client has read some of it."""
        super().resume_writing()
        if self.cycle is not None and not self.cycle.response_complete:
            self._unread = _cancel(self._unread)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self._head, self._unread = _cancel(self._head), _cancel(self._unread)
        super().connection_lost(exc)

    def _await_head(self) -> None:
        if self._head is None:
            self._head = self.loop.call_later(self.seconds, self.transport.abort)


def _cancel(timer: asyncio.TimerHandle | None) -> Any:  # noqa: ANN401 (None, to be assigned)
    if timer is not None:
        timer.cancel()
    return None
