# SPDX-License-Identifier: Apache-2.0
"""The routes for labelling, which `thresher serve` adds to those of the service."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from thresher.errors import Refused
from thresher.lab import fact_labels, labelling
from thresher.lab.evaluate.metrics import word_cjk_score
from thresher.lab.fact_candidates import facts_of_page
from thresher.running.pool import Task
from thresher.serving import tasks
from thresher.serving.asking import check_keys, query_of
from thresher.serving.service import Handler, Service, error_answer, without_query


class LabRoutes:
    """Adds the routes to a service. Without a folder for labels they answer 403."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = None if folder is None else str(folder)

    def __call__(self, service: Service) -> list[Route]:
        folder = self._folder
        service.offers["labels"] = folder is not None

        def asking(task: Task, *names: str) -> Handler:
            """The answer of a task to the folder and these values of the address or the query."""

            async def handle(request: Request) -> Response:
                given = {**query_of(request.query_params), **request.path_params}
                check_keys(given, names)
                values = (given.get(name, "") for name in names)
                return _off() if folder is None else await service.ask(task, folder, *values)

            return handle

        def saving(save: Task) -> Handler:
            async def handle(request: Request) -> Response:
                return _off() if folder is None else await service.write(request, partial(save, folder))

            return without_query(handle)

        return [
            Route("/blocks", service.task(blocks_of_page), methods=["POST"]),
            Route("/facts", service.task(facts_of_page), methods=["POST"]),
            Route("/labels", asking(labelling.describe)),
            Route("/labels", saving(labelling.save), methods=["POST"]),
            Route("/labels/facts", saving(fact_labels.save), methods=["POST"]),
            Route("/labels/facts/{annotator}/{page}", asking(fact_labels.labels_of, "annotator", "page")),
            Route("/labels/agreement", asking(labelling.agreement, "one", "other")),
            Route("/labels/{annotator}/{page}", asking(labelling.labels_of, "annotator", "page")),
        ]


def _off() -> Response:
    return error_answer(403, "not_allowed", "labelling is off; `thresher serve --labels DIR` switches it on")


def blocks_of_page(body: bytes, content_type: str, query: Mapping[str, str]) -> bytes:
    """What the service says of a page's blocks. With a text `gold`, the compared extractors have their word F1."""
    ask = tasks.read_blocks_ask(body, content_type, query, ("gold",))
    gold = ask.rest.pop("gold", None)
    if gold is not None and not isinstance(gold, str):
        raise Refused("`gold` must be a string")
    answer = tasks.blocks_of(ask)
    if gold is not None:
        for entry in answer.get("compared", ()):
            entry |= {name: round(value, 4) for name, value in word_cjk_score(entry["text"], gold)._asdict().items()}
    return tasks.to_json(answer)
