# SPDX-License-Identifier: Apache-2.0
"""The bench: labelled pages, the cache of results, and the workers.

A system of your own is a module whose load() returns a function from a page (bytes in UTF-8) and its language (two
letters, or None) to its main text. Results are cached by its version, so raise it when the code changes:

    measured = Bench(Path("labelled"), [], Path("cache")).measure(System("my_module", "module", "1"))
    print(summarise(measured.table)[0].mean_f1)
"""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from thresher.lab.evaluate import difficulty, shapes
from thresher.lab.evaluate.cache import Cache
from thresher.lab.evaluate.ensembles import (
    ENSEMBLES_VERSION,
    LearnedQuality,
    Votes,
    check_ensemble,
    choose_members,
    count_votes,
    ensemble_texts,
    threshold_name,
)
from thresher.lab.evaluate.output import Output
from thresher.lab.evaluate.pages import EvaluationError, Page, corpus_hash, list_datasets, read_pages
from thresher.lab.evaluate.runner import run_system, score_texts
from thresher.lab.evaluate.summary import column, results_table
from thresher.lab.evaluate.systems import SHAPES, System, leaves_system, shares

Advance = Callable[[], object]


_QUALITY_KEY = sha256(b"quality of a learned ensemble").digest()


def _no_progress() -> None:
    pass


@dataclass(frozen=True, slots=True)
class Measured:
    """One system's outputs and scores, in the order of the bench's pages."""

    system: System
    outputs: list[Output]
    table: pa.Table


@dataclass(frozen=True, slots=True)
class Difficulty:
    complexity: NDArray[np.float64]
    estimate: difficulty.ComplexityEstimate
    groups: NDArray[np.int64]
    gold_errors: NDArray[np.float64]


class Bench:
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

    @property
    def n_pages(self) -> int:
        return len(self.pages)

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
        return self._scored(system, outputs)

    def _scored(self, system: System, outputs: list[Output]) -> Measured:
        texts = [(page, output.text) for page, output in zip(self.pages, outputs, strict=True)]
        scores = score_texts(texts, self.cache, jobs=self.jobs)
        return Measured(system, outputs, results_table(system, zip(self.pages, outputs, strict=True), scores))

    def difficulty(self, advance: Advance = _no_progress) -> Difficulty:
        """Complexity, its estimate, group and gold error of all pages."""
        found = [shapes.read(output.text) for output in self.outputs(SHAPES, advance)]
        golds = [page.gold for page in self.pages]
        complexities = np.array([difficulty.complexity(shape, gold) for shape, gold in zip(found, golds, strict=True)])
        x = difficulty.features(found)
        return Difficulty(
            complexities,
            difficulty.estimate_complexity(x, complexities, self.sites),
            difficulty.page_groups(x),
            np.array([difficulty.gold_error(shape, gold) for shape, gold in zip(found, golds, strict=True)]),
        )

    def measure_ensembles(
        self, names: Sequence[str], members: Sequence[Measured], *, prefix: str = "", advance: Advance = _no_progress
    ) -> tuple[list[Measured], list[LearnedQuality]]:
        """The ensembles of these names over the members that may vote, and the quality of the learned ones.

        Our own members vote from one parse. An ensemble's time is that of this parse with all of our members, plus its
        other members, plus the vote. EvaluationError if an ensemble does not exist or needs more members.
        """
        by_name = {measured.system.name: measured for measured in members}
        order = choose_members(list(by_name))
        for name in names:
            check_ensemble(name, order)
        members = [by_name[name] for name in order]
        key = sha256(f"{ENSEMBLES_VERSION}\0{self.corpus_hash}\0{leaves_system().version}".encode())
        for member in members:
            key.update(f"{member.system.name}\0{member.system.version}\0".encode())
        systems = [System(prefix + name, "ensemble", key.hexdigest()[:16]) for name in names]
        # An ensemble's text depends on the page's site as well as its HTML: the site decides which pages its rule
        # learned from.
        keys = [sha256(f"{page.dataset}\0{page.id}\0".encode() + page.key).digest() for page in self.pages]
        votes: list[Votes] = []
        vote_milliseconds: list[float] = []
        measured, qualities = [], []
        for name, system in zip(names, systems, strict=True):
            found = self.cache.outputs(system, [*keys, _QUALITY_KEY])
            if any(page_key not in found for page_key in keys):
                if not votes:
                    votes, vote_milliseconds = self._count_votes(members, advance)
                outputs, quality = self._decide(name, members, votes, vote_milliseconds)
                stored = [*zip(keys, outputs, strict=True)]
                if quality is not None:
                    stored.append((_QUALITY_KEY, Output("ok", 0.0, json.dumps(asdict(quality)))))
                for page_key, output in stored:
                    self.cache.store_output(system, page_key, output)
                found = dict(stored)
            if _QUALITY_KEY in found:
                qualities.append(LearnedQuality(**json.loads(found[_QUALITY_KEY].text)))
            measured.append(self._scored(system, [found[page_key] for page_key in keys]))
        return measured, qualities

    def _count_votes(self, members: Sequence[Measured], advance: Advance) -> tuple[list[Votes], list[float]]:
        votes, milliseconds = [], []
        for i, (page, output) in enumerate(zip(self.pages, self.outputs(leaves_system()), strict=True)):
            found = json.loads(output.text) if output.text else {"leaves": [], "kept": {}}
            said = [
                np.frombuffer(found["kept"][member.system.name].encode(), dtype=np.uint8) == ord("1")
                if member.system.name in found["kept"]
                else member.outputs[i].text
                for member in members
            ]
            started = time.process_time()
            votes.append(count_votes(found["leaves"], said, page.gold))
            milliseconds.append((time.process_time() - started) * 1000 + output.milliseconds)
            advance()
        return votes, milliseconds

    def _decide(
        self, name: str, members: Sequence[Measured], votes: Sequence[Votes], vote_milliseconds: Sequence[float]
    ) -> tuple[list[Output], LearnedQuality | None]:
        f1, precision = (
            np.stack([column(member.table, f"rouge_lsum_{part}") for member in members], axis=1)
            for part in ("f1", "precision")
        )
        texts, quality = ensemble_texts(name, votes, self.sites, f1, precision)
        threshold = threshold_name(name)
        asked = members if threshold is None else members[: threshold[1]]
        others = [member for member in asked if member.system.kind != "extractor"]
        costs = [sum(member.outputs[i].milliseconds for member in others) for i in range(self.n_pages)]
        milliseconds = [cost + vote for cost, vote in zip(costs, vote_milliseconds, strict=True)]
        return [Output("ok", ms, text) for ms, text in zip(milliseconds, texts, strict=True)], quality
