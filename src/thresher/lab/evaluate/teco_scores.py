# SPDX-License-Identifier: Apache-2.0
"""Scores of extractors and template detectors on the TeCo suite, in DOM nodes, words and links (Alarte 2023)."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import pyarrow as pa

from thresher.lab.evaluate.metrics import Score, node_score, node_word_score, overlap
from thresher.lab.evaluate.pages import EvaluationError, Page
from thresher.lab.evaluate.runner import run_pages
from thresher.lab.evaluate.systems import System, core_version, find_systems, our_extractors
from thresher.lab.evaluate.teco import TASKS, Benchmark, Place, Task, Tree, Unusable, read_benchmark
from thresher.lab.evaluate.tokens import words_cjk
from thresher.native.choosing.registry import EXTRACTORS
from thresher.native.parsing.document import Document
from thresher.native.templates.fingerprints import block_fingerprints
from thresher.native.workspace import Workspace
from thresher.templates.structure import CONEX, MAX_NODES, TEMEX, Site

UNITS: Final = ("nodes", "words", "links")
"""What is counted. Links count for menus only (chapter 5), and other systems' texts have no nodes."""

REPEATING_PAGES: Final = 10
"""Pages of a site that `repeated` looks at."""


@dataclass(frozen=True, slots=True)
class TecoSystem:
    name: str
    task: Task
    kind: str
    """`extractor` (one page), `site` (a page among others of its site) or the kind of a peer."""
    version: str


@dataclass(frozen=True, slots=True)
class Judged:
    place: Place
    system: TecoSystem
    status: str
    milliseconds: float
    """CPU time. Of systems that compare pages without the time for reading the other pages."""
    compared: int | None
    """Pages that the key page was compared with."""
    scores: dict[str, Score]
    """By unit."""
    counts: dict[str, tuple[int, int, int]]
    """By unit: correct, retrieved and in the gold standard."""


@dataclass(frozen=True, slots=True)
class Average:
    """A system on a set of benchmarks: means over pages, F1 as the mean of the pages' F1, as in the thesis."""

    system: TecoSystem
    subset: str
    n: int
    scores: dict[str, Score]
    milliseconds: float
    failures: int


SITE_SYSTEMS: Final[dict[str, Task]] = {
    "conex-site": "main content",
    "temex": "template",
    "hybex": "template",
    "repeated": "template",
}
"""Systems that compare a page with others of its site."""


def teco_systems(names: Sequence[str], peers: Sequence[str]) -> list[TecoSystem]:
    """The systems with these names. By default all of ours, if no peer is given. Raises EvaluationError for an unknown
    one.
    """
    if not names and not peers:
        names = [*our_extractors(), *SITE_SYSTEMS, "menex"]
    found = []
    for name in dict.fromkeys(names):
        if name in SITE_SYSTEMS:
            found.append(TecoSystem(name, SITE_SYSTEMS[name], "site", core_version()))
        elif name in EXTRACTORS:
            found.append(TecoSystem(name, "menu" if name == "menex" else "main content", "extractor", core_version()))
        else:
            raise EvaluationError(
                f"no system is called {name!r} (there are {', '.join((*EXTRACTORS, *SITE_SYSTEMS))}; peers have an"
                " option of their own)"
            )
    found += [TecoSystem(each.name, "main content", each.kind, each.version) for each in find_systems((), peers)]
    return sorted(found, key=lambda system: TASKS.index(system.task))


@dataclass(slots=True)
class Measurement:
    """The results, and the key pages that could not be judged."""

    judged: list[Judged] = field(default_factory=list)
    unusable: list[tuple[Place, str]] = field(default_factory=list)


def measure(
    places: Iterable[Place],
    systems: Sequence[TecoSystem],
    *,
    jobs: int = 1,
    time_limit: float = 30.0,
    advance: Callable[[], object] = lambda: None,
) -> Measurement:
    """Every system on every key page that has labels for its task. Calls `advance` after each page."""
    found = Measurement()
    ours = [system for system in systems if system.kind in {"extractor", "site"}]
    others = [system for system in systems if system.kind not in {"extractor", "site"}]
    runner = _Runner()
    pages: list[Page] = []
    golds: list[tuple[Benchmark, str]] = []
    for place in places:
        try:
            benchmark = read_benchmark(place)
        except (Unusable, OSError) as error:
            found.unusable.append((place, str(error)))
            advance()
            continue
        found.judged += runner.judge(benchmark, ours)
        gold = benchmark.gold.get("main content")
        if others and gold is not None:
            number = str(len(pages))
            text = benchmark.tree.text_of(gold)
            pages.append(Page("teco", number, place.id, None, None, benchmark.html, number.encode(), text))
            golds.append((benchmark, text))
        advance()
    for system in others if pages else ():
        found.judged += _judge_texts(system, pages, golds, jobs=jobs, time_limit=time_limit)
    return found


def _judge_texts(
    system: TecoSystem, pages: Sequence[Page], golds: Sequence[tuple[Benchmark, str]], *, jobs: int, time_limit: float
) -> Iterator[Judged]:
    """Another system's texts, judged as bags of words, because nothing tells which nodes they come from."""
    outputs = run_pages(System(system.name, system.kind, system.version), pages, jobs=jobs, time_limit=time_limit)
    for page, output in sorted(outputs, key=lambda each: int(each[0].id)):
        benchmark, text = golds[int(page.id)]
        words, gold = words_cjk(output.text), words_cjk(text)
        score = overlap(words, gold)
        correct = round(score.recall * len(gold))
        yield Judged(
            benchmark.place,
            system,
            output.status,
            output.milliseconds,
            None,
            {"words": score},
            {"words": (correct, len(words), len(gold))},
        )


class _Runner:
    """Runs our own systems on one benchmark after the other."""

    def __init__(self) -> None:
        self._workspace = Workspace(Document(max_nodes=MAX_NODES))
        self._workspace.parse(b"<p>One page, so that no time includes the loading of a model.</p>")
        self._workspace.measure()
        self._workspace.classify(EXTRACTORS["thresher"])

    def judge(self, benchmark: Benchmark, systems: Sequence[TecoSystem]) -> Iterator[Judged]:
        """The scores of every system for whose task the benchmark has labels."""
        wanted = [system for system in systems if system.task in benchmark.gold]
        siblings = [*benchmark.siblings()] if any(system.kind == "site" for system in wanted) else []
        sites: dict[str, Site] = {}
        for system in wanted:
            compared = None
            if system.kind == "site":
                method = "conex" if system.name == "conex-site" else "temex"
                if method not in sites:
                    sites[method] = Site(CONEX if method == "conex" else TEMEX)
                    for url, html in [(benchmark.url, benchmark.html), *siblings]:
                        sites[method].add(html, url)
                started = time.process_time()
                nodes, compared = self._compare(system.name, benchmark, sites[method], siblings)
            else:
                started = time.process_time()
                nodes = self._extract(system.name, benchmark)
            milliseconds = (time.process_time() - started) * 1000
            yield _score(benchmark, system, nodes, milliseconds, compared)

    def _compare(
        self, name: str, benchmark: Benchmark, site: Site, siblings: Sequence[tuple[str, bytes]]
    ) -> tuple[frozenset[int], int]:
        """(nodes that the system found, pages that it compared the key page with)"""
        if name == "repeated":
            others = [siblings[number - 1][1] for number in site.candidates(0, REPEATING_PAGES)]
            return self._repeated(benchmark, others), len(others)
        candidates = site.candidates(0)
        if name == "conex-site":
            marks = site.main_content(0, candidates)
        elif name == "hybex":
            marks = site.template_around(0, benchmark.html, candidates)
        else:
            marks = site.template(0, candidates)
        return frozenset(node for node, mark in enumerate(marks) if mark), len(candidates)

    def _repeated(self, benchmark: Benchmark, others: Sequence[bytes]) -> frozenset[int]:
        """Blocks whose text is on two other pages, or on the only other page, as nodes."""
        seen: dict[bytes, int] = {}
        for html in others:
            for mark in set(self._fingerprints(html)):
                seen[mark] = seen.get(mark, 0) + 1
        votes = min(2, len(others))
        marks = self._fingerprints(benchmark.html)
        blocks = (number for number, mark in enumerate(marks) if votes and seen.get(mark, 0) >= votes)
        return with_elements(benchmark.tree, _texts_of_blocks(self._workspace, blocks))

    def _fingerprints(self, html: bytes) -> list[bytes]:
        workspace = self._workspace
        workspace.parse(html)
        workspace.measure()
        marks = block_fingerprints(workspace.document, workspace.metrics, workspace.blocks)
        return [marks[at : at + 8] for at in range(0, len(marks), 8)]

    def _extract(self, name: str, benchmark: Benchmark) -> frozenset[int]:
        """The nodes that one of our extractors keeps."""
        workspace = self._workspace
        workspace.parse(benchmark.html)
        workspace.measure()
        workspace.classify(EXTRACTORS[name])
        marks = workspace.node_marks()
        if marks is None:
            kept = (number for number, is_kept in enumerate(workspace.kept_bytes()) if is_kept)
            return with_elements(benchmark.tree, _texts_of_blocks(workspace, kept))
        nodes = frozenset(node for node, mark in enumerate(marks) if mark)
        if all(node in benchmark.tree.texts or not benchmark.tree.counted[node] for node in nodes):
            return with_elements(benchmark.tree, nodes)
        return nodes


def _texts_of_blocks(workspace: Workspace, numbers: Iterable[int]) -> frozenset[int]:
    """All nodes between the first and the last text of these blocks."""
    blocks = (workspace.blocks[number] for number in numbers)
    return frozenset(node for block in blocks for node in range(block["start"], block["end"]))


def with_elements(tree: Tree, nodes: frozenset[int]) -> frozenset[int]:
    """The texts among `nodes`, and the elements that belong to them.

    An element with text belongs if all of its text is among `nodes`. An element without text, such as an image, belongs
    if its parent does.
    """
    n = len(tree.ends)
    has, lacks = bytearray(n), bytearray(n)
    for node in range(n - 1, 0, -1):
        if node in tree.texts:
            (has if node in nodes else lacks)[node] = 1
        has[tree.parents[node]] |= has[node]
        lacks[tree.parents[node]] |= lacks[node]
    chosen = bytearray(n)
    for node in range(1, n):
        chosen[node] = not lacks[node] if has[node] else not lacks[node] and chosen[tree.parents[node]]
    return frozenset(node for node in range(n) if chosen[node] and tree.counted[node])


def _score(
    benchmark: Benchmark, system: TecoSystem, nodes: frozenset[int], milliseconds: float, compared: int | None
) -> Judged:
    tree, gold = benchmark.tree, benchmark.gold[system.task]
    found = frozenset(node for node in nodes if tree.counted[node])
    correct = found & gold
    scores = {"nodes": node_score(found, gold), "words": node_word_score(found, gold, tree.words)}
    counts = {"nodes": (len(correct), len(found), len(gold)), "words": _word_counts(tree, correct, found, gold)}
    if system.task == "menu":
        scores["links"] = node_score(found & tree.links, gold & tree.links)
        counts["links"] = (len(correct & tree.links), len(found & tree.links), len(gold & tree.links))
    return Judged(benchmark.place, system, "ok", milliseconds, compared, scores, counts)


def _word_counts(tree: Tree, correct: Iterable[int], found: Iterable[int], gold: Iterable[int]) -> tuple[int, int, int]:
    """The number of words in each of three sets of nodes."""
    one, two, three = (sum(tree.words.get(node, 0) for node in nodes) for nodes in (correct, found, gold))
    return one, two, three


def averages(judged: Iterable[Judged]) -> list[Average]:
    """Means of each system over the training set, the evaluation set, and both together if both exist; best first."""
    by_system: dict[TecoSystem, list[Judged]] = {}
    for each in judged:
        by_system.setdefault(each.system, []).append(each)
    found = []
    for system, rows in by_system.items():
        groups = {subset: [row for row in rows if row.place.subset == subset] for subset in ("training", "evaluation")}
        if all(groups.values()):
            groups["all"] = rows
        found += [_average(system, subset, group) for subset, group in groups.items() if group]
    order = ("training", "evaluation", "all")
    return sorted(
        found, key=lambda each: (TASKS.index(each.system.task), order.index(each.subset), -each.scores["words"].f1)
    )


def _average(system: TecoSystem, subset: str, rows: Sequence[Judged]) -> Average:
    scores = {
        unit: Score(*(sum(row.scores[unit][part] for row in rows) / len(rows) for part in range(3)))
        for unit in UNITS
        if all(unit in row.scores for row in rows)
    }
    milliseconds = sum(row.milliseconds for row in rows) / len(rows)
    return Average(system, subset, len(rows), scores, milliseconds, sum(row.status != "ok" for row in rows))


HEAD: Final = (
    "system", "set", "pages",
    "nodes P", "R", "F1",
    "words P", "R", "F1",
    "links P", "R", "F1",
    "ms/page", "failed",
)  # fmt: skip
"""The head of the table of averages; tables of other tasks than menus have no links."""


def cells(average: Average) -> list[str]:
    figures = [
        f"{value:.3f}" if unit in average.scores else ""
        for unit in UNITS
        for value in average.scores.get(unit, Score(0, 0, 0))
    ]
    return [
        average.system.name,
        average.subset,
        str(average.n),
        *figures,
        f"{average.milliseconds:.2f}",
        str(average.failures),
    ]


_COUNTS: Final = ("correct", "retrieved", "gold")
_FIELDS: list[tuple[str, pa.DataType]] = [
    *((name, pa.string()) for name in ("task", "system", "kind", "version")),
    *((name, pa.string()) for name in ("benchmark", "category", "subset", "status")),
    ("milliseconds", pa.float64()),
    ("compared", pa.int32()),
    *((f"{unit}_{name}", pa.int64()) for unit in UNITS for name in _COUNTS),
    *((f"{unit}_{part}", pa.float64()) for unit in UNITS for part in Score._fields),
]
SCHEMA: Final = pa.schema(_FIELDS)
"""One row per benchmark and system."""


def results_table(judged: Iterable[Judged]) -> pa.Table:
    """The rows of SCHEMA."""
    rows = []
    for each in judged:
        row: dict[str, object] = {
            "task": each.system.task,
            "system": each.system.name,
            "kind": each.system.kind,
            "version": each.system.version,
            "benchmark": each.place.id,
            "category": each.place.category,
            "subset": each.place.subset,
            "status": each.status,
            "milliseconds": each.milliseconds,
            "compared": each.compared,
        }
        for unit, score in each.scores.items():
            row |= {f"{unit}_{part}": value for part, value in score._asdict().items()}
            row |= {f"{unit}_{name}": n for name, n in zip(_COUNTS, each.counts[unit], strict=True)}
        rows.append(row)
    return pa.Table.from_pylist(rows, SCHEMA)
