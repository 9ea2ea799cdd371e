# SPDX-License-Identifier: Apache-2.0
"""A proxy before the S3 of the tests that answers a share of the requests with status 503, as a busy store does."""

import http.client
import random
from collections import Counter
from collections.abc import Callable
from urllib.parse import urlsplit

from local_server import Handler, LocalServer
from waiting import LIMIT


class FlakyStore(LocalServer):
    """Forwards requests to a store, but answers 503 where `fails(method, path)`: by default 15 % of them, seeded."""

    def __init__(self, store: str, fails: Callable[[str, str], bool] | None = None) -> None:
        chance = random.Random(15)
        self.fails = fails or (lambda _method, _path: chance.random() < 0.15)
        self.refused: Counter[str] = Counter()  # method → requests answered 503
        outer, host = self, urlsplit(store).netloc

        class Forwarding(Handler):
            def forward(self) -> None:
                body = self.body()
                headers = {name: value for name, value in self.headers.items() if name.lower() != "transfer-encoding"}
                if outer.fails(self.command, self.path):
                    outer.refused[self.command] += 1
                    self.send_response(503)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                connection = http.client.HTTPConnection(host, timeout=LIMIT)
                connection.request(self.command, self.path, body, headers)
                answer = connection.getresponse()
                content = answer.read()
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("transfer-encoding", "connection", "date", "server"):
                        self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)
                connection.close()

            def body(self) -> bytes:
                if "chunked" not in (self.headers.get("Transfer-Encoding") or ""):
                    return self.rfile.read(int(self.headers.get("Content-Length") or 0))
                chunks = []
                while size := int(self.rfile.readline().split(b";")[0], 16):
                    chunks.append(self.rfile.read(size))
                    self.rfile.readline()
                while self.rfile.readline().strip():
                    pass
                return b"".join(chunks)

            def __getattr__(self, name: str) -> Callable[[], None]:
                if name.startswith("do_"):
                    return self.forward
                raise AttributeError(name)

        super().__init__(Forwarding)
        self.url = self.root
