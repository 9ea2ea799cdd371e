# SPDX-License-Identifier: Apache-2.0
"""Labelled pages, the cache of results, and the workers.

A system of your own is a module whose load() returns a function from a page (bytes in UTF-8) and its language (two
letters, or None) to its main text. Results are cached by its version, so raise it when the code changes:

    pages = LabelledPages(Path("labelled"), [], Path("cache"))
    measured = pages.measure(System("my_module", "module", "1"))
    print(summarise(measured.table)[0].f1.value)
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from thresher.lab.evaluate.cache import Cache
from thresher.lab.evaluate.output import Output
from thresher.lab.evaluate.pages import EvaluationError, Page, corpus_hash, list_datasets, read_pages
from thresher.lab.evaluate.runner import run_system, score_texts
from thresher.lab.evaluate.summary import results_table
from thresher.lab.evaluate.systems import System, shares

Advance = Callable[[], object]


def _no_progress() -> None:
    pass


@dataclass(frozen=True, slots=True)
class Measured:
    """One system's outputs and scores, in the order of the labelled pages."""

    system: System
    outputs: list[Output]
    table: pa.Table


class LabelledPages:
    """Labelled pages and the cache of their results. Holds the HTML of all pages in memory, about 160 KB each."""

    def __init__(
        self,
        data: Path,
        sets: Sequence[str],
        cache: Path,
        *,
        limit: int | None = None,
        jobs: int = 1,
        time_limit: float = 30.0,
    ) -> None:
        files = list_datasets(data, sets)
        self.cache = Cache(cache)
        self.pages: list[Page] = [page for file in files for page in read_pages(file, limit=limit)]
        if not self.pages:
            raise EvaluationError(f"no page in {data} has a gold text")
        self.sites = [page.site for page in self.pages]
        self.jobs = jobs
        self.time_limit = time_limit
        self.corpus_hash = corpus_hash(self.pages)

    def outputs(self, system: System, advance: Advance = _no_progress) -> list[Output]:
        """The output of a system for every page, in the order of the pages. Calls `advance` after each."""
        found: dict[tuple[str, str, bytes], Output] = {}
        for one, numbers in shares(system, self.sites):
            pages = [self.pages[number] for number in numbers]
            for page, output in run_system(one, pages, self.cache, jobs=self.jobs, time_limit=self.time_limit):
                found[page.dataset, page.id, page.key] = output
                advance()
        return [found[page.dataset, page.id, page.key] for page in self.pages]

    def measure(self, system: System, advance: Advance = _no_progress) -> Measured:
        """A system's outputs for every page and their scores.

        EvaluationError if it fails on every page: then it is called wrongly, and a mean of 0 would say nothing. Such
        outputs are not cached, so that a corrected system runs again under the same version.
        """
        outputs = self.outputs(system, advance)
        if all(output.status != "ok" for output in outputs):
            for one, numbers in shares(system, self.sites):
                self.cache.forget(one, [self.pages[number].key for number in numbers])
            first = next((output for output in outputs if output.reason), outputs[0])
            reason = f"{first.status}: {first.reason}" if first.reason else first.status
            n_pages = f"all {len(outputs):,} pages" if len(outputs) > 1 else "the only page"
            raise EvaluationError(f"{system.name} failed on {n_pages}. The first failure: {reason}")
        texts = [(page, output.text) for page, output in zip(self.pages, outputs, strict=True)]
        scores = score_texts(texts, self.cache, jobs=self.jobs)
        return Measured(system, outputs, results_table(system, zip(self.pages, outputs, strict=True), scores))
