# SPDX-License-Identifier: Apache-2.0
"""The routes of the service.

A request is admitted before its body is read, so that waiting work is bounded, in requests and in bytes. One that is
not done ends with an exception; Service.refusal() makes its answer.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import time
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, asynccontextmanager, suppress
from functools import partial
from importlib.resources import files
from secrets import token_hex
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thresher._version import __version__
from thresher.errors import InputError, Refused
from thresher.running.pool import JobFailed, Pool, Task, TooSlow, memory_of
from thresher.serving import sources, tasks, web_fetch
from thresher.serving.asking import check_keys, query_of, read_object
from thresher.serving.bodies import Quota, Rejected, check_coding, read_body, read_lines
from thresher.serving.counters import Counters
from thresher.serving.openapi import describe_service
from thresher.serving.settings import Settings
from thresher.serving.sources import describe_sources

Handler = Callable[[Request], Awaitable[Response]]
MoreRoutes = Callable[["Service"], Sequence[Route]]

MAX_SENT: Final = 32  # pages kept for the workbench after POST /pages
MAX_ANSWERS: Final = 32 << 20  # bytes of a batch's answers that may wait for a slow reader
_MAX_BATCH: Final = 4 << 30  # bytes of all lines of a batch
_BUSY: Final = "the service has as many requests as it takes; try again"
_ANSWER: Final = 1 << 10  # bytes that a waiting answer takes beside its own
_JSON: Final = "application/json"
_FILE: Final = "/{name}"
_FETCHERS: Final = 8  # pages that are fetched at a time
_FETCH_SECONDS: Final = 15.0  # for one of them
_WRITERS: Final = 8  # requests that change files, at work or waiting
_MAX_SMALL: Final = 64 << 10  # bytes of a body that holds no page
_LONG: Final = 3  # times the time of a page: for several pages of a host, and for changing files
_FILES: Final = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_EXTENSIONS: Final = frozenset({"chrome-extension", "moz-extension"})
_LOCAL: Final = frozenset({"127.0.0.1", "localhost", "::1"})
# The workbench itself sets no style attributes, but the pages that it shows have them, and a frame without an address
# inherits this policy.
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; frame-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)


def error_answer(status: int, kind: str, message: str) -> JSONResponse:
    headers = {"Retry-After": "1"} if status == 429 else None
    return JSONResponse({"error": kind, "message": message}, status, headers=headers)


def without_query(handler: Handler) -> Handler:
    """A route that takes no parameters."""

    async def handle(request: Request) -> Response:
        for name in request.query_params:
            raise Refused(f"there are no parameters at this address, so {name!r} means nothing")
        return await handler(request)

    return handle


class Service:
    def __init__(self, settings: Settings, pool: Pool, more: Sequence[MoreRoutes] = ()) -> None:
        """A service with these settings. The routes of `more` come before its own."""
        self.settings = settings
        self.offers = {"fetch": settings.fetch}
        """What GET /sources tells the workbench of it."""
        self.pool = pool
        self.counters = Counters()
        self.inside = Quota(settings.max_requests, _BUSY)
        self.batches = asyncio.Semaphore(max(1, settings.workers))
        """Batches at work: each may hold answers and a line for each worker. Further ones wait."""
        self.writers = Quota(_WRITERS, _BUSY)
        self.held_bytes = Quota(settings.max_held, "the service holds too many bytes of other requests; try again")
        self._fetching = ThreadPoolExecutor(_FETCHERS, "thresher-fetch")
        self._writing = asyncio.Lock()
        self._long = _LONG * settings.page_seconds
        self._sent: OrderedDict[str, bytes] = OrderedDict()
        self._more = more

    def app(self) -> ASGIApp:
        routes = [
            *(route for more in self._more for route in more(self)),
            Route("/extract", self.task(tasks.extract_page), methods=["POST"]),
            Route("/extract/batch", self._batch, methods=["POST"]),
            Route("/blocks", self.task(tasks.blocks_of_page), methods=["POST"]),
            Route("/site", without_query(self._site), methods=["POST"]),
            Route("/pages", without_query(self._take_page), methods=["POST"]),
            Route("/pages/{name}", without_query(self._sent_page)),
            Route("/fetch", without_query(self._fetch), methods=["POST"]),
            Route("/sources", without_query(self._sources)),
            Route("/sources/{number}", self._source_pages),
            Route("/sources/{number}/{place}", without_query(self._source_page)),
            Route("/extractors", without_query(self._extractors)),
            Route("/health", self._health),
            Route("/metrics", self._metrics),
            Route("/openapi.json", self._openapi),
            Route("/", self._file),
            Route(_FILE, self._file),
        ]
        handlers: dict[Any, Any] = dict.fromkeys((Rejected, Refused, InputError, JobFailed), self._not_done)
        handlers |= {Exception: _unexpected, HTTPException: _no_such_request}
        app: ASGIApp = Starlette(routes=routes, exception_handlers=handlers)
        names = {route.path.split("/")[1] for route in routes} - {"", _FILE[1:]}
        return _Gate(app, self.settings, self.counters, names)

    # --- pages ---

    def task(self, task: Task) -> Handler:
        """A route that passes its body, media type and query to a task."""

        async def handle(request: Request) -> Response:
            content_type = request.headers.get("content-type", "")
            return await self.answer(request, task, content_type, query_of(request.query_params))

        return handle

    async def _site(self, request: Request) -> Response:
        return await self.answer(request, tasks.site, seconds=self._long)

    async def answer(self, request: Request, task: Task, *arguments: object, seconds: float | None = None) -> Response:
        """A worker's answer to `task(body of the request, *arguments)`, within `seconds`, if not the time of a page."""
        async with self._admitted(request, self.settings.max_body) as body:
            return Response(await self.pool.run(task, body, *arguments, seconds=seconds), media_type=_JSON)

    @asynccontextmanager
    async def _admitted(self, request: Request, most: int) -> AsyncGenerator[bytes]:
        """The body of a request that is admitted until the end of the with block."""
        with self.inside.one():
            body = await read_body(request, self.held_bytes, most=most, seconds=self.settings.body_seconds)
            try:
                yield body
            finally:
                self.held_bytes.give_back(len(body))

    def refusal(self, error: Exception) -> Response:
        """The answer to a request, or a line of a batch, that was not done for this reason."""
        if isinstance(error, Rejected):
            status, kind = error.status, error.kind
        elif isinstance(error, JobFailed):
            status, kind = (504 if isinstance(error, TooSlow) else 500), error.kind
        else:
            status, kind = 400, "refused"
        self.counters.failures[kind] += 1
        return error_answer(status, kind, str(error))

    async def _not_done(self, _: Request, error: Exception) -> Response:
        return self.refusal(error)

    async def write(self, request: Request, task: Task) -> Response:
        """The answer of a task that changes files. Such tasks run one at a time."""
        with self.writers.one():
            async with self._writing:
                return await self.answer(request, task, seconds=self._long)

    # --- batches ---

    async def _batch(self, request: Request) -> Response:
        check_coding(request)
        query = query_of(request.query_params)
        self.inside.take()  # until the answer has been sent
        return _Lines(self._batch_lines(request, query), self.inside.give_back)

    async def _batch_lines(self, request: Request, query: dict[str, str]) -> AsyncGenerator[bytes]:
        """The answers of a batch, one for each line, in the order of the lines.

        Lines are read while answers are sent. If the client does not read, up to MAX_ANSWERS bytes of answers are kept;
        then reading stops.
        """
        answers: deque[asyncio.Task[bytes]] = deque()
        working = asyncio.Semaphore(self.settings.workers)
        changed = asyncio.Event()
        waiting = number = 0  # bytes of unsent answers; the line that was read last
        ended: list[bytes] = []
        sent = asyncio.Event()

        async def one(line: bytes | Rejected, number: int) -> bytes:
            nonlocal waiting
            try:
                answer = await self._line(line, number, query)
            finally:
                working.release()
            waiting += len(answer) + _ANSWER
            return answer

        async def read() -> None:
            nonlocal number
            try:
                async for line in read_lines(
                    request,
                    most=self.settings.max_body,
                    most_of_all=_MAX_BATCH,
                    seconds=self.settings.body_seconds,
                ):
                    while waiting > MAX_ANSWERS:
                        sent.clear()
                        await sent.wait()
                    await working.acquire()
                    number += 1
                    answers.append(asyncio.create_task(one(line, number)))
                    changed.set()
            except Rejected as error:
                ended.append(await self._line_error(error, number + 1))

        await self.batches.acquire()
        reader = asyncio.create_task(read())
        reader.add_done_callback(lambda _: changed.set())
        try:
            while True:
                if answers:
                    answer = await answers.popleft()
                    yield answer + b"\n"
                    waiting -= len(answer) + _ANSWER
                    sent.set()
                elif reader.done():
                    reader.result()
                    break
                else:
                    changed.clear()
                    await changed.wait()
            for answer in ended:
                yield answer + b"\n"
        finally:
            self.batches.release()
            reader.cancel()
            for each in answers:
                each.cancel()

    async def _line(self, line: bytes | Rejected, number: int, query: dict[str, str]) -> bytes:
        if isinstance(line, Rejected):
            return await self._line_error(line, number)
        try:
            if not line.strip():
                raise Refused("the line is blank")
            return await self.pool.run(tasks.extract_line, line, query)
        except (Refused, JobFailed) as error:
            return await self._line_error(error, number, line)

    async def _line_error(self, error: Exception, number: int, line: bytes = b"") -> bytes:
        """The answer to a line that failed: its `id` if it has one, its number, and what happened.

        The id is looked for in a worker, as strangers wrote the line.
        """
        named: dict[str, Any] = {}
        if line.strip():
            with suppress(JobFailed):
                named = json.loads(await self.pool.run(tasks.id_of_line, line))
        return tasks.to_json({**named, "line": number, **json.loads(bytes(self.refusal(error).body))})

    # --- pages that an extension sends to the workbench ---

    async def _take_page(self, request: Request) -> Response:
        async with self._admitted(request, self.settings.max_body) as body:
            page = await self.pool.run(tasks.page_of_body, body, request.headers.get("content-type", ""))
        name = token_hex(8)
        self._sent[name] = page
        while len(self._sent) > MAX_SENT or sum(map(len, self._sent.values())) > self.settings.max_held:
            self._sent.popitem(last=False)
        return JSONResponse({"id": name, "open": f"/?page={name}", "label": f"/?page={name}&label=1"}, 201)

    async def _sent_page(self, request: Request) -> Response:
        page = self._sent.get(request.path_params["name"])
        if page is None:
            return error_answer(404, "unknown", "no such page; it may have made room for newer ones")
        return Response(page, media_type=_JSON)

    # --- pages that the service finds ---

    async def _fetch(self, request: Request) -> Response:
        """Fetch the page at the `url` of a JSON body. The answer is the page in the form that POST /extract takes."""
        if not self.settings.fetch:
            return error_answer(403, "not_allowed", "fetching is off; `thresher serve --fetch` switches it on")
        async with self._admitted(request, _MAX_SMALL) as body:
            asked = read_object(body)
            check_keys(asked, ("url",))
            url = asked.get("url")
            if not isinstance(url, str):
                raise Refused("`url` is missing or not a string")
            found = await asyncio.get_running_loop().run_in_executor(
                self._fetching,
                lambda: web_fetch.fetch(url, most=self.settings.max_body, seconds=_FETCH_SECONDS),
            )
            make = partial(tasks.page_of_fetch, is_cut=found.is_cut)
            page = await self.pool.run(make, found.body, found.content_type, found.url)
            return Response(page, media_type=_JSON)

    async def _sources(self, _: Request) -> Response:
        sources = describe_sources(self.settings)
        named = [{**each, "name": os.path.basename(each["name"].rstrip("/"))} for each in sources]
        return JSONResponse({"sources": named, **self.offers})

    async def _source_pages(self, request: Request) -> Response:
        asked = query_of(request.query_params)
        check_keys(asked, ("start", "q"))
        return await self.ask_source(request, sources.list_pages, asked.get("start", "0"), asked.get("q", ""))

    async def _source_page(self, request: Request) -> Response:
        return await self.ask_source(request, sources.read_page, request.path_params["place"])

    async def ask_source(self, request: Request, task: Task, *arguments: object) -> Response:
        """A worker's answer about the source whose number is in the path."""
        known = {str(each["number"]): each for each in describe_sources(self.settings)}
        source = known.get(request.path_params["number"])
        if source is None:
            return error_answer(404, "unknown", "there is no such source")
        return await self.ask(task, source["kind"], source["name"], *arguments)

    async def ask(self, task: Task, *arguments: object) -> Response:
        """The answer of a worker to a request without a body, as JSON."""
        with self.inside.one():
            return Response(await self.pool.run(task, *arguments), media_type=_JSON)

    # --- about the service ---

    async def _extractors(self, _: Request) -> Response:
        return JSONResponse({"version": __version__, "extractors": tasks.describe_extractors()})

    async def _health(self, _: Request) -> Response:
        alive = self.pool.alive
        return JSONResponse(
            {"status": "ok" if alive else "no workers", "version": __version__, "workers": alive}, 200 if alive else 503
        )

    async def _metrics(self, _: Request) -> Response:
        pool = self.pool
        memory = memory_of() + sum(map(memory_of, pool.processes()))
        gauges: dict[str, tuple[str, str, float]] = {
            "workers": ("gauge", "Worker processes that are alive.", pool.alive),
            "workers_lost_total": ("counter", "Workers that died over a page.", pool.n_lost),
            "workers_stopped_total": ("counter", "Workers stopped over a page that took too long.", pool.n_stopped),
            "requests_inside": ("gauge", "Requests at work or waiting.", self.inside.taken),
            "held_bytes": ("gauge", "Bytes of the bodies of these.", self.held_bytes.taken),
            "resident_bytes": ("gauge", "Memory of the service and its workers.", memory),
        }
        return Response(self.counters.text(gauges), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def _openapi(self, _: Request) -> Response:
        return JSONResponse(describe_service(self.settings))

    async def _file(self, request: Request) -> Response:
        name = request.path_params.get("name") or "index.html"
        known = {each.name: each for each in files("thresher.serving").joinpath("workbench").iterdir()}
        suffix = name.rpartition(".")[2]
        if name not in known or suffix not in _FILES:
            # This route takes every address of one part, also those that others answer to another method.
            raise HTTPException(405 if _methods_of(request) else 404)
        return Response(known[name].read_bytes(), media_type=_FILES[suffix])


class _Lines(Response):
    """An answer that is sent while the request's body is still being read.

    Starlette's StreamingResponse would read the body itself to detect the end of the connection.
    """

    media_type = "application/x-ndjson"

    def __init__(self, lines: AsyncGenerator[bytes], ended: Callable[[], None]) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._lines = lines
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        del scope, receive
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            async with aclosing(self._lines) as lines:
                async for line in lines:
                    await send({"type": "http.response.body", "body": line, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            self._ended()


def _methods_of(request: Request) -> list[str]:
    """The methods that routes of the request's address take; the route for files aside."""
    found: set[str] = set()
    for route in request.app.routes:
        if route.path != _FILE and route.matches(request.scope)[0] is not Match.NONE:
            found |= route.methods
    return sorted(found)


async def _no_such_request(request: Request, error: HTTPException) -> Response:
    """The answer to a request that no route takes."""
    if error.status_code != 405:
        return error_answer(404, "unknown", "there is nothing at this address")
    methods = ", ".join(_methods_of(request) or ("GET", "HEAD"))
    answer = error_answer(405, "wrong_method", f"this address takes {methods}, not {request.method}")
    answer.headers["allow"] = methods
    return answer


async def _unexpected(_: Request, error: Exception) -> Response:
    return error_answer(500, "unexpected", f"{type(error).__name__}: this is a fault of the service")


class _Gate:
    """Access control: checks the token, Host and Origin of a request, and adds security headers to each answer."""

    def __init__(self, app: ASGIApp, settings: Settings, counters: Counters, names: Collection[str]) -> None:
        self._app = app
        self._settings = settings
        self._counters = counters
        self._names = names  # first parts of the addresses that are counted by themselves

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        status = 0

        async def counted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                given = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(each for each in _HEADERS if each[0] not in given)]
            await send(message)

        try:
            refusal = self._refusal(scope)
            if refusal is not None:
                self._counters.failures["not_allowed"] += 1
                await refusal(scope, receive, counted)
            else:
                await self._app(scope, receive, counted)
        finally:
            self._counters.count(self._route_name(scope["path"]), status, time.perf_counter() - begun)

    def _route_name(self, path: str) -> str:
        """The route's name for counting. All unknown addresses share one name."""
        if path == "/extract/batch":
            return path
        first = path.strip("/").partition("/")[0]
        return f"/{first}" if first in self._names else "/other"

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        # A stranger's page may use a name that resolves to this machine. Its requests have that name as Host.
        if self._settings.token is None and _host_name(host) not in _LOCAL | {self._settings.host}:
            return error_answer(403, "not_allowed", "the Host of the request is not this service")
        origin = headers.get("origin")
        if origin is not None and not _is_own(origin, host):
            return error_answer(403, "not_allowed", "requests of other sites are not answered")
        if self._settings.token is not None and not _is_public(scope):
            given = headers.get("authorization", "")
            if not hmac.compare_digest(given.encode(), f"Bearer {self._settings.token}".encode()):
                return error_answer(401, "no_token", "send the header Authorization: Bearer TOKEN")
        return None


_HEADERS: Final = [
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
]
_PUBLIC: Final = frozenset({"/", "/health"})


def _is_public(scope: Scope) -> bool:
    """True if a request needs no token: the files of the workbench contain no data."""
    path: str = scope["path"]
    is_file = path.count("/") == 1 and path.endswith((".css", ".js", ".svg"))
    return scope["method"] in ("GET", "HEAD") and (path in _PUBLIC or is_file)


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_own(origin: str, host: str) -> bool:
    """True if a request comes from the workbench, or from an extension that its user installed."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in _EXTENSIONS or (parts.scheme in ("http", "https") and parts.netloc == host)
