# SPDX-License-Identifier: Apache-2.0
"""A web server on loopback that serves ranges of the files in a folder, and throttles those who ask too often."""

import re
import threading
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from local_server import Handler, LocalServer


class RangeServer(LocalServer):
    """Serves a folder. Above `rate` requests a second by `clock` it answers `busy` and asks for a pause of `pause`
    seconds; it does the same at the requests numbered `busy_at`.
    """

    def __init__(
        self,
        folder: Path,
        *,
        rate: float = 0.0,
        busy_at: Collection[int] = (),
        busy: int = 503,
        pause: int = 1,
        clock: Any = time,
    ) -> None:
        self.requests: list[tuple[str, str]] = []  # path, range
        self.connections: set[tuple[str, int]] = set()
        self.n_bytes = 0
        self.n_busy = 0
        self.impatient = 0  # requests during a pause that was asked for
        self.answer: Callable[[Handler], bool] = lambda _: False
        """Answers a request in a way of its own; whether it did."""
        self._lock = threading.Lock()
        self._tokens, self._filled, self._until = rate, clock.monotonic(), 0.0
        self._clock, self._busy_at = clock, busy_at
        outer = self

        class Serving(Handler):
            def do_GET(self) -> None:  # noqa: N802 (as http.server calls it)
                outer.requests.append((self.path, self.headers.get("Range") or ""))
                outer.connections.add(self.client_address)
                if outer.answer(self):
                    return
                if outer.throttles(rate, pause):
                    self.head(busy, {"Retry-After": str(pause), "Content-Length": "0"})
                    return
                path = folder / self.path.lstrip("/")
                if not path.is_file():
                    self.head(404, {"Content-Length": "0"})
                    return
                size = path.stat().st_size
                match = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "bytes=0-")
                assert match
                start, end = int(match[1]), min(int(match[2] or size) + 1, size)
                if start >= size:
                    self.head(416, {"Content-Range": f"bytes */{size}", "Content-Length": "0"})
                    return
                stated = f"bytes {start}-{end - 1}/{size}"
                self.head(206, {"Content-Range": stated, "Content-Length": str(end - start), "ETag": '"1"'})
                with path.open("rb") as file:
                    file.seek(start)
                    while start < end and (piece := file.read(min(1 << 20, end - start))):
                        self.wfile.write(piece)
                        start += len(piece)
                        outer.n_bytes += len(piece)

            def head(self, status: int, headers: dict[str, str]) -> None:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()

        super().__init__(Serving)
        self.url = f"{self.root}/"

    def throttles(self, rate: float, pause: float) -> bool:
        """Whether a request comes too early."""
        with self._lock:
            now = self._clock.monotonic()
            self._tokens = min(rate, self._tokens + rate * (now - self._filled)) - 1
            self._filled = now
            if now < self._until:
                self.impatient += 1
            if (rate and self._tokens < 0) or len(self.requests) in self._busy_at:
                self._until = max(self._until, now + pause)
                self.n_busy += 1
                self._tokens = 0.0
                return True
            return False
