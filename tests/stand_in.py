# SPDX-License-Identifier: Apache-2.0
"""A server that stands in for a larger model."""

import json
import re
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from thresher.after.asking import Model

Answer = Callable[[str], Any]


def article(blocks: str) -> str:
    """The blocks of the article, as a good model names them."""
    numbers = [
        line.split()[0] for line in blocks.splitlines() if re.match(r"\d+ (h1|p):", line) and "Imprint" not in line
    ]
    return f"{numbers[0]}-{numbers[-1]}"


class StandIn:
    """A server of OpenAI's interface; `answers` says what the model answers, or as (status, body) what the server does."""

    def __init__(self, answers: Answer = article) -> None:
        self.answers, self.asked, self.lock = answers, list[dict[str, Any]](), threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with outer.lock:
                    outer.asked.append(body | {"path": self.path, "key": self.headers["Authorization"]})
                said = outer.answers(body["messages"][1]["content"])
                status, reply = said if isinstance(said, tuple) else (200, completion(said))
                self.send_response(status)
                self.end_headers()
                if isinstance(reply, dict):
                    reply = json.dumps(reply).encode()
                for piece in [reply] if isinstance(reply, bytes) else reply:
                    self.wfile.write(piece)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def model(self, **values: Any) -> Model:
        return Model(self.url, "stand-in", **values)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def completion(said: str) -> dict[str, Any]:
    usage = {"prompt_tokens": 100, "completion_tokens": 5}
    return {"choices": [{"message": {"role": "assistant", "content": said}}], "usage": usage}
