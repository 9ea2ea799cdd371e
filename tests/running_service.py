# SPDX-License-Identifier: Apache-2.0
"""A service of this process, with real workers, at a free port, and with a clock that tests can move on."""

import asyncio
import http.client
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from waiting import LIMIT, wait_for

from thresher.lab.routes import LabRoutes
from thresher.running.pool import Pool
from thresher.serving.run import server, workers
from thresher.serving.settings import Settings

ARTICLE = (
    "<!doctype html><html lang=en><title>Apple cake - Example</title><body>"
    "<nav><a href=/>Home</a> <a href=/b>Cakes</a></nav>"
    "<article><h1>Apple cake</h1>"
    "<p>Peel four apples and cut them into thin slices. Mix the flour with the sugar, the butter and two eggs, and let "
    "the dough rest for half an hour in the cold.</p>"
    "<p>Line a tin with the dough, lay the slices on it, and bake the cake until the edges are brown. It keeps for "
    "three days, if nobody finds it.</p></article>"
    "<footer><a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a></footer>"
)


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Loop(asyncio.SelectorEventLoop):
    """A loop whose clock can be moved on."""

    ahead = 0.0

    def time(self) -> float:
        return super().time() + self.ahead

    def pass_time(self, seconds: float) -> None:
        """Moves the clock, from another thread."""

        def move() -> None:
            self.ahead += seconds

        self.call_soon_threadsafe(move)


@dataclass
class Running:
    port: int
    pool: Pool
    served: uvicorn.Server
    loop: Loop

    def ask(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Answer:
        """The answer to a request; a dict is sent as JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)
        headers = dict(headers or {})
        if isinstance(body, dict):
            body = json.dumps(body).encode()
            headers.setdefault("Content-Type", "application/json")
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def post(self, path: str, body: Any, content_type: str = "text/html") -> Answer:
        return self.ask("POST", path, body, {} if isinstance(body, dict) else {"Content-Type": content_type})

    def get(self, path: str) -> Answer:
        return self.ask("GET", path)

    def raw(self, data: bytes) -> socket.socket:
        """A connection over which these bytes were sent."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=LIMIT)
        connection.sendall(data)
        return connection

    @contextmanager
    def passing_time(self, seconds: float, when: Callable[[], object] = lambda: True) -> Iterator[None]:
        """Moves the service's clock on by so many seconds, again and again, during the body while `when()` is true."""
        ended = threading.Event()

        def move() -> None:
            while not ended.wait(0.02):
                if when():
                    self.loop.pass_time(seconds)

        thread = threading.Thread(target=move)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def wait_for_metric(self, line: str) -> None:
        """Waits until /metrics has this line."""
        wait_for(lambda: line in self.get("/metrics").body.decode(), line)


@contextmanager
def running(labels: Path | None = None, **settings: Any) -> Iterator[Running]:
    """A running service with these settings; two workers unless told otherwise."""
    chosen = Settings(**{"workers": 2, "port": 0, **settings})
    listening = socket.create_server(("127.0.0.1", 0))
    with workers(chosen) as pool:
        served = server(chosen, pool, [LabRoutes(labels)])
        loop = Loop()

        def serve() -> None:
            with asyncio.Runner(loop_factory=lambda: loop) as runner:
                runner.run(served.serve(sockets=[listening]))

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        found = Running(listening.getsockname()[1], pool, served, loop)
        wait_for(lambda: served.started and pool.alive)
        try:
            yield found
        finally:
            served.should_exit = True
            thread.join(LIMIT)
            assert not thread.is_alive()


def read_all(connection: socket.socket) -> bytes:
    """What comes until the other side ends the connection."""
    pieces = []
    try:
        while piece := connection.recv(1 << 16):
            pieces.append(piece)
    except ConnectionError:
        pass
    return b"".join(pieces)
