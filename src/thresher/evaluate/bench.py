# SPDX-License-Identifier: Apache-2.0
"""The bench: pages, cache and workers together."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

import pyarrow as pa

from thresher.evaluate.pages import EvaluationError, Page, corpus_hash, list_datasets, read_pages
from thresher.evaluate.runner import Cache, Output, run_system, score_texts
from thresher.evaluate.summary import results_table
from thresher.evaluate.systems import System


class Bench:
    """Labelled pages and the cache of what was done with them. Holds the stored HTML of all pages: about 160 KB each."""

    def __init__(self, data: Path, sets: Sequence[str], cache: Path, *, limit: int | None = None, jobs: int = 1) -> None:
        self.pages: list[Page] = [page for file in list_datasets(data, sets) for page in read_pages(file, limit=limit)]
        if not self.pages:
            raise EvaluationError(f"no page in {data} has a gold text")
        self.jobs = jobs
        self.cache = Cache(cache)
        self._hash: str | None = None

    @property
    def n_pages(self) -> int:
        """How many pages there are."""
        return len(self.pages)

    @property
    def corpus_hash(self) -> str:
        """The hash of the pages and their gold texts."""
        if self._hash is None:
            self._hash = corpus_hash(self.pages)
        return self._hash

    def outputs(self, system: System, time_limit: float = 30.0, advance: Callable[[], object] = lambda: None) -> list[Output]:
        """The output of a system for every page, in the order of the pages; `advance` is called after each."""
        found: dict[tuple[str, str], Output] = {}
        for page, output in run_system(system, self.pages, self.cache, jobs=self.jobs, time_limit=time_limit):
            found[page.dataset, page.id] = output
            advance()
        return [found[page.dataset, page.id] for page in self.pages]

    def measure(self, system: System, time_limit: float = 30.0, advance: Callable[[], object] = lambda: None) -> pa.Table:
        """The scores of a system on every page, as rows of `summary.SCHEMA`."""
        return self.table(system, self.outputs(system, time_limit, advance))

    def table(self, system: System, outputs: Sequence[Output]) -> pa.Table:
        """The rows of outputs that are already there, in the order of the pages."""
        scores = score_texts([(page, output.text) for page, output in zip(self.pages, outputs, strict=True)], self.cache, jobs=self.jobs)
        return results_table(system, zip(self.pages, outputs, strict=True), scores)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cache.__exit__()
