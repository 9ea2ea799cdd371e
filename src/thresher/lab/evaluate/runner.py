# SPDX-License-Identifier: Apache-2.0
"""Runs systems over pages in worker processes with a time limit, and scores the texts.

The pool is pebble's: a page that takes too long, or takes its process down, costs that page and one process. The pool
of concurrent.futures cannot do that: it never stops a running task, and one dead worker fails every page that is still
waiting. Workers are spawned, not forked, because the parent has threads (the progress bar). As always with spawned
processes, a script that uses this module needs `if __name__ == "__main__":`.
"""

import multiprocessing
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import replace
from hashlib import sha256

from pebble import ProcessExpired, ProcessPool

from thresher.lab.evaluate.cache import Cache
from thresher.lab.evaluate.measuring_process import LOAD_LIMIT, LoadError, extract, load
from thresher.lab.evaluate.metrics import METRICS_VERSION, page_scores
from thresher.lab.evaluate.output import Output
from thresher.lab.evaluate.pages import EvaluationError, Page
from thresher.lab.evaluate.systems import System

_SPAWN = multiprocessing.get_context("spawn")
_FEWEST_FOR_A_POOL = 200  # texts to score: as long as starting the processes takes


def run_pages(
    system: System, pages: Sequence[Page], *, jobs: int = 1, time_limit: float = 30.0
) -> Iterator[tuple[Page, Output]]:
    """Each page with its output, as they are done. The limit is in seconds per page; loading the system does not count.

    EvaluationError if the system does not load.
    """
    pool = ProcessPool(min(jobs, len(pages)), initializer=load, initargs=(system,), context=_SPAWN)
    try:
        futures: dict[Future[Output], Page] = {
            pool.schedule(extract, args=(page.html, page.language), timeout=time_limit): page for page in pages
        }
        for future in as_completed(futures):
            yield futures[future], _output(future, system, time_limit)
    finally:
        pool.stop()  # type: ignore[no-untyped-call]
        pool.join()


def _output(future: Future[Output], system: System, time_limit: float) -> Output:
    try:
        return future.result()
    except TimeoutError:
        return Output("timeout", time_limit * 1000, "")
    except ProcessExpired:
        return Output("crash", 0.0, "")
    except LoadError as error:
        raise EvaluationError(f"{system.name} failed to load: {error}") from error
    except BrokenProcessPool as error:
        raise EvaluationError(
            f"{system.name} failed to load: its process died, or needed more than {LOAD_LIMIT} s"
        ) from error


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
    try:
        first_ones = [twins[0] for twins in waiting.values()]
        for done, (page, output) in enumerate(run_pages(system, first_ones, jobs=jobs, time_limit=time_limit), 1):
            cache.store_output(system, page.key, output)
            if done % 50 == 0:
                cache.commit()
            for twin in waiting[page.key]:
                yield twin, output
    finally:
        cache.commit()


def score_key(page: Page, text: str) -> bytes:
    """The key under which the scores of a text for a page are cached."""
    lengths = f"{len(text)}\0{len(page.gold)}"
    digest = sha256(f"{METRICS_VERSION}\0{lengths}\0{page.required}\0{page.forbidden}\0{page.optional!r}\0".encode())
    digest.update(text.encode("utf-8", "surrogatepass"))
    digest.update(page.gold.encode("utf-8", "surrogatepass"))
    return digest.digest()


def _score(task: tuple[bytes, str, Page]) -> tuple[bytes, dict[str, float]]:
    key, text, page = task
    return key, page_scores(text, page.gold, required=page.required, forbidden=page.forbidden, optional=page.optional)


def score_texts(texts: Sequence[tuple[Page, str]], cache: Cache, *, jobs: int = 1) -> list[dict[str, float]]:
    """The scores of each text against its page's gold text, in the given order; cached."""
    keys = [score_key(page, text) for page, text in texts]
    found = cache.scores(keys)
    tasks = {
        key: (key, text, replace(page, html=b""))  # not sent to the processes
        for key, (page, text) in zip(keys, texts, strict=True)
        if key not in found
    }
    with ExitStack() as stack:
        results: Iterable[tuple[bytes, dict[str, float]]] = map(_score, tasks.values())
        if jobs > 1 and len(tasks) >= _FEWEST_FOR_A_POOL:
            pool = stack.enter_context(ProcessPoolExecutor(jobs, _SPAWN))
            results = pool.map(_score, tasks.values(), chunksize=16)
        for done, (key, scores) in enumerate(results, 1):
            found[key] = scores
            cache.store_scores(key, scores)
            if done % 500 == 0:
                cache.commit()
    cache.commit()
    return [found[key] for key in keys]
