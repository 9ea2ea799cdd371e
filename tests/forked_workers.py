# SPDX-License-Identifier: Apache-2.0
"""Fixtures for tests of the service and of the laboratory: their workers are forked. One that is spawned, as in a
command, imports everything anew. One that is forked has all the memory of the tests, and may be replaced for it, by
another that is forked while the service runs: a test that holds on to a worker, or has large pages, needs it spawned.
"""

import os
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from thresher.running.crew import Worker, start_worker


@pytest.fixture(autouse=True)
def _forked_workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test with the fixture `spawned` has workers as the command has them."""
    if "spawned" not in request.fixturenames:
        monkeypatch.setattr("thresher.running.pool.start_worker", _forked)


def _forked(body: Callable[..., None], *arguments: object, **options: Any) -> Worker:
    return start_worker(_without_sockets, body, *arguments, fork=True, **options)


def _without_sockets(connection: Connection, body: Callable[..., None], *arguments: object) -> None:
    """In the worker: no socket but its own is open. A client would not see the end of a connection that is open here,
    too, because the worker was forked a moment after the service had taken it.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in map(int, os.listdir("/dev/fd")):
        if number != connection.fileno() and Path(f"/dev/fd/{number}").is_socket():
            os.dup2(nothing, number)  # its owner may close it once more
    body(connection, *arguments)


@pytest.fixture
def spawned() -> None:
    """Workers as the command has them."""
