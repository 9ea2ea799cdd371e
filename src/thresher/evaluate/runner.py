# SPDX-License-Identifier: Apache-2.0
"""Runs systems over pages in worker processes with a time limit, and caches every text and every score.

A worker is one process with one system. A page that takes too long, or that takes the process down, costs that page and a new
process, and is recorded with its status; nothing is run twice unless the page, the system or its settings have changed.
"""

import contextlib
import json
import multiprocessing
import multiprocessing.connection
import os
import sqlite3
import subprocess
import sys
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Self

from thresher.evaluate.metrics import METRICS, METRICS_VERSION, page_scores
from thresher.evaluate.output import Output
from thresher.evaluate.pages import Page
from thresher.evaluate.systems import System


class Cache:
    """Outputs and scores in one SQLite file, found by content: SHA-256 of page, output and gold, version of system and metrics."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(directory / "evaluation.sqlite", timeout=60)
        self._new_outputs: list[tuple[str, str, bytes, str, float, bytes]] = []
        self._new_scores: list[tuple[bytes, str]] = []
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        with self._connection:
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS outputs (system TEXT, version TEXT, page BLOB, status TEXT, milliseconds REAL, text BLOB,"
                " PRIMARY KEY (system, version, page)) WITHOUT ROWID"
            )
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS scores (key BLOB PRIMARY KEY, metrics TEXT) WITHOUT ROWID"
            )

    def outputs(self, system: System, keys: Sequence[bytes]) -> dict[bytes, Output]:
        """The cached outputs of a system for these pages."""
        found = {}
        for start in range(0, len(keys), 500):
            part = keys[start : start + 500]
            rows = self._connection.execute(
                "SELECT page, status, milliseconds, text FROM outputs WHERE system = ? AND version = ? AND page IN"
                f" ({','.join('?' * len(part))})",
                (system.name, system.version, *part),
            )
            for page, status, milliseconds, text in rows:
                found[page] = Output(status, milliseconds, zlib.decompress(text).decode("utf-8", "surrogatepass"))
        return found

    def store_output(self, system: System, key: bytes, output: Output) -> None:
        """Keeps one output; call `commit` from time to time."""
        text = zlib.compress(output.text.encode("utf-8", "surrogatepass"), 1)
        self._new_outputs.append((system.name, system.version, key, output.status, output.milliseconds, text))

    def scores(self, keys: Sequence[bytes]) -> dict[bytes, dict[str, float]]:
        """The cached scores under these keys."""
        found: dict[bytes, dict[str, float]] = {}
        for start in range(0, len(keys), 500):
            part = keys[start : start + 500]
            rows = self._connection.execute(
                f"SELECT key, metrics FROM scores WHERE key IN ({','.join('?' * len(part))})",
                tuple(part),
            )
            found.update((key, dict(zip(METRICS, json.loads(values), strict=True))) for key, values in rows)
        return found

    def store_scores(self, key: bytes, scores: dict[str, float]) -> None:
        """Keeps the scores of one text; call `commit` from time to time."""
        self._new_scores.append((key, json.dumps([scores[name] for name in METRICS])))

    def commit(self) -> None:
        """Writes what was stored since the last time: in one short transaction, so that several runs can share the file."""
        with self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO outputs VALUES (?, ?, ?, ?, ?, ?)", self._new_outputs)
            self._connection.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?)", self._new_scores)
        self._new_outputs.clear()
        self._new_scores.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.commit()
        self._connection.close()


@dataclass
class Worker:
    """A process that runs one system; started when first needed and again after it was lost."""

    system: System
    time_limit: float  # seconds of wall time per page
    load_limit: float = 120.0  # seconds until the system must have loaded
    _process: "subprocess.Popen[bytes] | None" = None
    _connection: Connection | None = None
    page: Page | None = None
    deadline: float = field(default=0.0)

    def submit(self, page: Page) -> None:
        """Hands over a page; the worker must be idle."""
        if self._process is None:
            self._start()
        assert self._connection is not None
        self.page = page
        with contextlib.suppress(OSError):  # a process that died in between is found when its answer is read
            self._connection.send((page.html, page.language))
        self.deadline = time.monotonic() + self.time_limit

    def result(self) -> Output | None:
        """What became of the page, None while it still runs and has time left."""
        assert self._connection is not None
        try:
            if self._connection.poll():
                output: Output = self._connection.recv()
                return output
        except (EOFError, OSError):
            self.stop()
            return Output("crash", 0.0, "")
        if time.monotonic() > self.deadline:
            self.stop()
            return Output("timeout", self.time_limit * 1000, "")
        return None

    @property
    def connection(self) -> Connection | None:
        """Where the answer will arrive, None before the start."""
        return self._connection

    def _start(self) -> None:
        ours, theirs = multiprocessing.Pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "thresher.evaluate.worker", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        theirs.close()
        self._connection = ours
        try:
            ours.send(self.system)
            if not ours.poll(self.load_limit):
                self.stop()
                raise RuntimeError(f"{self.system.name} did not load within {self.load_limit:.0f} s")
            ours.recv()
        except (EOFError, OSError):
            self.stop()
            raise RuntimeError(f"{self.system.name} failed to load; try it in a Python shell") from None

    def stop(self) -> None:
        """Kills the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class Workers:
    """A handful of workers of one system."""

    def __init__(self, system: System, *, jobs: int, time_limit: float) -> None:
        self._workers = [Worker(system, time_limit) for _ in range(jobs)]

    def run(self, pages: Iterable[Page]) -> Iterator[tuple[Page, Output]]:
        """Every page with its output, in the order in which they are done."""
        waiting = iter(pages)
        idle, busy = list(self._workers), list[Worker]()
        exhausted = False
        while True:
            while idle and not exhausted:
                page = next(waiting, None)
                if page is None:
                    exhausted = True
                    break
                worker = idle.pop()
                worker.submit(page)
                busy.append(worker)
            if not busy:
                return
            patience = max(0.0, min(worker.deadline for worker in busy) - time.monotonic()) + 0.001
            multiprocessing.connection.wait([w.connection for w in busy if w.connection is not None], patience)
            for worker in list(busy):
                output = worker.result()
                if output is not None:
                    assert worker.page is not None
                    yield worker.page, output
                    busy.remove(worker)
                    idle.append(worker)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.stop()


def run_system(
    system: System, pages: Sequence[Page], cache: Cache, *, jobs: int = 1, time_limit: float = 30.0
) -> Iterator[tuple[Page, Output]]:
    """The output of a system for every page: cached ones at once, the others as they are done."""
    keys = {page.key: page for page in pages}
    cached = cache.outputs(system, list(keys))
    for page in pages:
        if page.key in cached:
            yield page, cached[page.key]
    remaining = [page for key, page in keys.items() if key not in cached]
    twins: dict[bytes, list[Page]] = {}
    for page in pages:
        if page.key not in cached and keys[page.key] is not page:
            twins.setdefault(page.key, []).append(page)
    if not remaining:
        return
    with Workers(system, jobs=jobs, time_limit=time_limit) as workers:
        try:
            for done, (page, output) in enumerate(workers.run(remaining), 1):
                cache.store_output(system, page.key, output)
                if done % 50 == 0:
                    cache.commit()
                yield page, output
                for twin in twins.get(page.key, ()):
                    yield twin, output
        finally:
            cache.commit()


def score_key(page: Page, text: str) -> bytes:
    """What the scores of a text for a page are cached under."""
    digest = sha256(f"{METRICS_VERSION}\0{len(text)}\0{len(page.gold)}\0{page.required}\0{page.forbidden}\0".encode())
    digest.update(text.encode("utf-8", "surrogatepass"))
    digest.update(page.gold.encode("utf-8", "surrogatepass"))
    return digest.digest()


def _score(task: tuple[bytes, str, str, tuple[str, ...], tuple[str, ...]]) -> tuple[bytes, dict[str, float]]:
    key, text, gold, required, forbidden = task
    return key, page_scores(text, gold, required=required, forbidden=forbidden)


def score_texts(texts: Sequence[tuple[Page, str]], cache: Cache, *, jobs: int = 1) -> list[dict[str, float]]:
    """The scores of each text against its page's gold text, in the given order; cached."""
    keys = [score_key(page, text) for page, text in texts]
    found = cache.scores(keys)
    tasks = {
        key: (key, text, page.gold, page.required, page.forbidden)
        for key, (page, text) in zip(keys, texts, strict=True)
        if key not in found
    }
    if tasks:
        # fork: the children only compute, and nothing of the caller's main module is imported again (see worker.py).
        with contextlib.ExitStack() as stack:
            results: Iterable[tuple[bytes, dict[str, float]]] = map(_score, tasks.values())
            if jobs > 1 and len(tasks) > 100:
                pool = stack.enter_context(ProcessPoolExecutor(jobs, multiprocessing.get_context("fork")))
                results = pool.map(_score, tasks.values(), chunksize=16)
            for done, (key, scores) in enumerate(results, 1):
                found[key] = scores
                cache.store_scores(key, scores)
                if done % 500 == 0:
                    cache.commit()
        cache.commit()
    return [found[key] for key in keys]


def default_cache_directory() -> Path:
    """Where results are kept unless told otherwise: $XDG_CACHE_HOME/thresher or ~/.cache/thresher."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "thresher"
