# SPDX-License-Identifier: Apache-2.0
"""The routes for labelling, which `thresher serve` adds to those of the service."""

from __future__ import annotations

from collections.abc import Mapping
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
from thresher.serving.service import Service, error_answer


class LabRoutes:
    """Adds the routes to a service. Without a folder for labels they answer 403."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = None if folder is None else str(folder)

    def __call__(self, service: Service) -> list[Route]:
        self._service = service
        service.offers["labels"] = self._folder is not None
        return [
            Route("/blocks", service.task(blocks_of_page), methods=["POST"]),
            Route("/facts", service.task(facts_of_page), methods=["POST"]),
            Route("/labels", self._labels),
            Route("/labels", self._save, methods=["POST"]),
            Route("/labels/facts", self._save_facts, methods=["POST"]),
            Route("/labels/facts/{annotator}/{page}", self._facts_of_page),
            Route("/labels/agreement", self._agreement),
            Route("/labels/{annotator}/{page}", self._labels_of_page),
        ]

    async def _labels(self, _: Request) -> Response:
        return await self._ask(labelling.describe)

    async def _labels_of_page(self, request: Request) -> Response:
        annotator, page = request.path_params["annotator"], request.path_params["page"]
        return await self._ask(labelling.labels_of, annotator, page)

    async def _agreement(self, request: Request) -> Response:
        one, other = request.query_params.get("one", ""), request.query_params.get("other", "")
        return await self._ask(labelling.agreement, one, other)

    async def _facts_of_page(self, request: Request) -> Response:
        annotator, page = request.path_params["annotator"], request.path_params["page"]
        return await self._ask(fact_labels.labels_of, annotator, page)

    async def _ask(self, task: Task, *arguments: object) -> Response:
        return _off() if self._folder is None else await self._service.ask(task, self._folder, *arguments)

    async def _save(self, request: Request) -> Response:
        return await self._write(request, labelling.save)

    async def _save_facts(self, request: Request) -> Response:
        return await self._write(request, fact_labels.save)

    async def _write(self, request: Request, save: Task) -> Response:
        folder = self._folder
        if folder is None:
            return _off()
        return await self._service.write(request, lambda body: (save, folder, body))


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
