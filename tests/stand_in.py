# SPDX-License-Identifier: Apache-2.0
"""A server that stands in for a larger model."""

import json
import re
import threading
from collections.abc import Callable
from typing import Any

from local_server import Handler, LocalServer

from thresher.after.asking import Model

Answer = Callable[[str], Any]


def article(blocks: str) -> str:
    """The blocks of the article, as a good model names them."""
    numbers = [
        line.split()[0] for line in blocks.splitlines() if re.match(r"\d+ (h1|p):", line) and "Imprint" not in line
    ]
    return f"{numbers[0]}-{numbers[-1]}"


class StandIn(LocalServer):
    """A server of OpenAI's interface; `answers` says what the model answers, or as (status, body) what the server does."""

    def __init__(self, answers: Answer = article) -> None:
        self.answers, self.asked, self.lock = answers, list[dict[str, Any]](), threading.Lock()
        outer = self

        class Answering(Handler):
            protocol_version = "HTTP/1.0"

            def do_POST(self) -> None:  # noqa: N802 (as http.server calls it)
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

        super().__init__(Answering)
        self.url = f"{self.root}/v1"

    def model(self, **values: Any) -> Model:
        return Model(self.url, "stand-in", **values)


def completion(said: str) -> dict[str, Any]:
    usage = {"prompt_tokens": 100, "completion_tokens": 5}
    return {"choices": [{"message": {"role": "assistant", "content": said}}], "usage": usage}
