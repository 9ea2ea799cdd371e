# SPDX-License-Identifier: Apache-2.0
"""Runs the service until it is stopped."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress

import uvicorn

from thresher.errors import InputError
from thresher.running.pool import Pool
from thresher.serving import tasks
from thresher.serving.protocol import PatientProtocol
from thresher.serving.service import MoreRoutes, Service
from thresher.serving.settings import Settings

MAX_KEPT = 256 << 20
"""Bytes that a worker may keep from a large page; one that keeps more is replaced."""
_BACKLOG = 256
_CONNECTIONS = 512  # at a time
_GRACE = 5  # seconds for running requests when the service stops


def serve_forever(settings: Settings, announce: Callable[[str], None], more: Sequence[MoreRoutes] = ()) -> None:
    """Serve until Ctrl-C or SIGTERM. `announce` gets the address. Raises InputError if the address cannot be used."""
    listening = _listen(settings.host, settings.port)
    port = listening.getsockname()[1]
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    with workers(settings) as pool:
        announce(f"http://{host}:{port}/")
        with suppress(KeyboardInterrupt):  # uvicorn raises it again after shutting down
            asyncio.run(server(settings, pool, more).serve(sockets=[listening]))


def workers(settings: Settings) -> Pool:
    """The processes that do the work of a service."""
    return Pool(
        settings.workers,
        tasks.prepare,
        seconds=settings.page_seconds,
        memory=settings.worker_memory,
        most_kept=MAX_KEPT,
    )


def server(settings: Settings, pool: Pool, more: Sequence[MoreRoutes] = ()) -> uvicorn.Server:
    """The server of a service with more routes than its own."""
    protocol = type("Protocol", (PatientProtocol,), {"seconds": settings.head_seconds})
    return uvicorn.Server(
        uvicorn.Config(
            Service(settings, pool, more).app(),
            http=protocol,
            ws="none",
            lifespan="off",
            log_level="warning",
            access_log=False,
            server_header=False,
            limit_concurrency=_CONNECTIONS,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=_GRACE,
            h11_max_incomplete_event_size=64 << 10,
        )
    )


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_BACKLOG)  # before the address is announced
    except OSError as error:
        raise InputError(f"cannot listen on {host}, port {port}: {error.strerror or error}") from error
    return listening
