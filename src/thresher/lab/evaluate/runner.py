# SPDX-License-Identifier: Apache-2.0
"""Runs systems over pages in worker processes with a time limit, and scores the texts.

A page that takes too long, or takes its process down, costs that page and one process (running/pool.py). The pool of
concurrent.futures cannot do that: it never stops a running task, and one dead worker fails every page that is still
waiting.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, as_completed
from dataclasses import replace
from hashlib import sha256

from thresher.errors import Refused
from thresher.lab.evaluate.cache import Cache
from thresher.lab.evaluate.measuring_process import LOAD_LIMIT, extract, load
from thresher.lab.evaluate.metrics import METRICS_VERSION, page_scores
from thresher.lab.evaluate.output import Output
from thresher.lab.evaluate.pages import EvaluationError, Page
from thresher.lab.evaluate.systems import System
from thresher.running.pool import JobFailed, NotBegun, Pool, TooSlow

MEMORY = 8 << 30
"""Bytes of address space of a worker. A system that runs wild fails on that page and leaves the machine alone."""
_FEWEST_FOR_A_POOL = 200  # texts to score: as long as starting the processes takes


def run_pages(
    system: System, pages: Sequence[Page], *, jobs: int = 1, time_limit: float = 30.0
) -> Iterator[tuple[Page, Output]]:
    """Each page with its output, as they are done. The limit is in seconds per page; loading the system does not count.

    EvaluationError if the system does not load.
    """
    with Pool(
        min(jobs, len(pages)), load, system, seconds=time_limit, memory=MEMORY, boot=LOAD_LIMIT + 10.0, tries=1
    ) as pool:
        futures = {pool.submit(extract, page.html, page.language): page for page in pages}
        for future in as_completed(futures):
            yield futures[future], _output(future, system, time_limit)


def _output(future: Future[bytes], system: System, time_limit: float) -> Output:
    try:
        return Output(*json.loads(future.result()))
    except TooSlow:
        return Output("timeout", time_limit * 1000, "")
    except Refused as error:
        raise EvaluationError(f"{system.name} failed to load: {error}") from error
    except NotBegun as error:
        raise EvaluationError(
            f"{system.name} failed to load: its process died, or needed more than {LOAD_LIMIT} s"
        ) from error
    except JobFailed:
        return Output("crash", 0.0, "")


def run_system(
    system: System, pages: Iterable[Page], cache: Cache, *, jobs: int = 1, time_limit: float = 30.0
) -> Iterator[tuple[Page, Output]]:
    """The output of a system for every page: cached ones first, the others as they are done.

    Pages with the same HTML share one run.
    """
    pages = list(pages)
    cached = cache.outputs(system, list({page.key for page in pages}))
    waiting: dict[bytes, list[Page]] = {}
    for page in pages:
        if page.key in cached:
            yield page, cached[page.key]
        else:
            waiting.setdefault(page.key, []).append(page)
    if not waiting:
        return
    first_ones = [twins[0] for twins in waiting.values()]
    for page, output in run_pages(system, first_ones, jobs=jobs, time_limit=time_limit):
        cache.store_output(system, page.key, output)
        for twin in waiting[page.key]:
            yield twin, output


def score_key(page: Page, text: str) -> bytes:
    """The key under which the scores of a text for a page are cached."""
    lengths = f"{len(text)}\0{len(page.gold)}"
    digest = sha256(f"{METRICS_VERSION}\0{lengths}\0{page.required}\0{page.forbidden}\0{page.optional!r}\0".encode())
    digest.update(text.encode("utf-8", "surrogatepass"))
    digest.update(page.gold.encode("utf-8", "surrogatepass"))
    return digest.digest()


def _score(text: str, page: Page) -> dict[str, float]:
    return page_scores(text, page.gold, required=page.required, forbidden=page.forbidden, optional=page.optional)


def _score_job(text: str, page: Page) -> bytes:
    return json.dumps(_score(text, page)).encode()


def score_texts(texts: Sequence[tuple[Page, str]], cache: Cache, *, jobs: int = 1) -> list[dict[str, float]]:
    """The scores of each text against its page's gold text, in the given order; cached."""
    keys = [score_key(page, text) for page, text in texts]
    found = cache.scores(keys)
    tasks = {
        key: (text, replace(page, html=b""))  # not sent to the processes
        for key, (page, text) in zip(keys, texts, strict=True)
        if key not in found
    }
    for key, scores in _scores_of(tasks, jobs if len(tasks) >= _FEWEST_FOR_A_POOL else 1):
        found[key] = scores
        cache.store_scores(key, scores)
    return [found[key] for key in keys]


def _scores_of(tasks: Mapping[bytes, tuple[str, Page]], jobs: int) -> Iterator[tuple[bytes, dict[str, float]]]:
    if jobs == 1:
        for key, task in tasks.items():
            yield key, _score(*task)
        return
    with Pool(jobs, dict, tries=3) as pool:
        futures = {pool.submit(_score_job, *task): key for key, task in tasks.items()}
        for future in as_completed(futures):
            yield futures[future], json.loads(future.result())
