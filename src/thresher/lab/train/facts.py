# SPDX-License-Identifier: Apache-2.0
"""Fits what is chosen by weights of a page's facts: `python -m thresher.lab.train.facts --data DIR --labels FILE`.

Needs the extra `train`. First the types of pages (page_types.py), then the rankers of candidates for the site's name,
the title and the author (native/facts/candidates.pyx): boosted trees over the evidence of each candidate, right or not
by the labels of annotators. Of titles the best is taken, however small its sum. How much a candidate for the author
looks like a name (names.py) is evidence, by weights that have not seen the page's site. The day of publication is one
candidate, of which it is asked whether the page has it. A ranker's least sum is that which costs least when a wrong or
invented value is as bad as so many missing ones (_WRONG). All figures that are printed are of pages of sites that
nothing was fitted on, the type of a page included.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
import lightgbm
import numpy as np
from sklearn.feature_extraction import DictVectorizer

from thresher.lab.evaluate.block_classes import page_id
from thresher.lab.evaluate.facts import (
    FIELDS,
    Facts,
    Judged,
    estimates,
    judge,
    labelled_files,
    labelled_pages,
    measure,
    outcome,
    read_labels,
)
from thresher.lab.evaluate.folds import FOLDS, site_fold
from thresher.lab.evaluate.page_groups import GROUPINGS
from thresher.lab.evaluate.peers import FACT_READERS, ReadFacts
from thresher.lab.train.names import fit_names, read_texts
from thresher.lab.train.page_types import Numbers, fit, held_out, likeliest, read_pages, to_json
from thresher.lab.train.page_types import report as report_types
from thresher.lab.train.trees import REPEATABLE, as_nodes
from thresher.native.facts.candidates import Ranker
from thresher.native.facts.names import NameWeights
from thresher.page.metadata import TITLE_WEIGHTS, WEIGHTS, read_candidates
from thresher.page.page_extractor import PageExtractor
from thresher.page.page_type import WEIGHTS as TYPE_WEIGHTS
from thresher.page_types import GROUP_OF_TYPE, TYPES

FACTS: Final = ("site", "title", "author", "date")
_LIKELY: Final = 0.5
"""Probability of a type from which on it says whether a page has a day."""
_WRONG: Final = {"site": 1.0, "author": 0.5, "date": 0.35}
"""Missing values that a wrong or invented one costs. An author that a page names is seldom a wrong one for readers, who
see who signs it; so fewer are left out."""
_UNITS: Final = 1000  # of a leaf make 1
_ANY: Final = -(10**6)  # the least sum of what always is the best
_MIN_PAGES: Final = 8  # on which evidence occurs
_TREES: Final = {
    "site": (60, 24, 0.12),
    "title": (100, 16, 0.12),
    "author": (100, 24, 0.1),
    "date": (100, 8, 0.15),
}
"""How many trees, leaves of each and the rate of learning: a page has one candidate for its date, and fewer things to
weigh."""
_RANKED: Final = {"objective": "lambdarank", "lambdarank_truncation_level": 5, "feature_fraction": 0.3}
"""Trees for titles order the candidates of a page; the others say how likely each is right. It makes .004 of titles."""
_PARAMETERS: Final = {
    "objective": "binary",
    "min_data_in_leaf": 20,
    "feature_fraction": 0.5,
    "lambda_l2": 3.0,
    "seed": 1,
    **REPEATABLE,
}

Candidates = list[tuple[str, set[str]]]
Tree = tuple[list[tuple[str, int, int]], list[int]]
"""Nodes and leaves, as thresher.native.facts.candidates.Ranker takes them."""


@dataclass(frozen=True, slots=True)
class Page:
    """What is fitted to: a labelled page."""

    site: str
    gold: Facts
    candidates: Mapping[str, Candidates]
    """By fact; without evidence of the page's type."""
    type: str
    """The type after weights that were not fitted on its site."""
    page: str = ""
    """Its hash."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A ranker: trees over the names of evidence, and the least sum that is taken."""

    trees: list[Tree]
    least: int

    def best(self, candidates: Candidates) -> str:
        """What thresher.native.facts.candidates.Ranker takes; "" for none."""
        score, text = _first(candidates, Ranker(self.trees, 0))
        return text if score >= self.least else ""


def read_facts(
    data: Path,
    labels: Mapping[str, Facts],
    types: Mapping[str, Numbers],
    names: Sequence[NameWeights],
    site: Ranker | None = None,
    title: Ranker | None = None,
) -> list[Page]:
    """The labelled pages below a folder. `types` has the probabilities of their types by the hashes of pages, `names`
    for each fold of sites what was fitted to the names of the others. With `site`, the candidates for the title and
    the author are those beside the site's name that it chooses; with `title` those for the author are beside its title.
    """
    extractor = PageExtractor()
    pages = []
    for path in labelled_files(data, labels=labels):
        for number, (html, row, gold) in enumerate(labelled_pages(path, labels)):
            host = row.get("site") or f"{path.stem}/{number}"
            extractor.extract(html, row.get("url"))
            said = read_candidates(extractor.workspace, row.get("url"), site, names[site_fold(host)], title)
            shares = types[page_id(html)]
            best = likeliest(shares)
            name = TYPES[best]
            of_type = {f"type:{name}", f"group:{GROUP_OF_TYPE[name]}"}
            candidates = {
                "site": said["site"],
                "title": said["title"],
                "author": [(text, names | of_type) for text, names in said["author"]],
                "date": [
                    (text, names | (of_type if shares[best] >= _LIKELY else set())) for text, names in said["date"]
                ],
            }
            pages.append(Page(host, gold, candidates, name, page_id(html)))
    return pages


def fit_ranker(pages: Sequence[Page], fact: str) -> Fitted:
    """The ranker of a fact; its least sum is found on pages of sites held out."""
    pages = [page for page in pages if fact in page.gold]
    trees = _trees(pages, fact)
    if fact == "title":
        return Fitted(trees, _ANY)
    chosen = []
    for fold in range(FOLDS):
        other = Ranker(_trees([page for page in pages if site_fold(page.site) != fold], fact), 0)
        chosen += [(*_first(page.candidates[fact], other), page) for page in pages if site_fold(page.site) == fold]
    least = _cheapest(
        fact,
        [
            (score, outcome(fact, text, page.gold[fact]), outcome(fact, "", page.gold[fact]))
            for score, text, page in chosen
        ],
    )
    return Fitted(trees, least)


def _first(candidates: Candidates, ranker: Ranker) -> tuple[int, str]:
    """The greatest sum and its value."""
    if not candidates:
        return _ANY, ""
    sums = ranker.scored([names for _, names in candidates])
    return max(sums), candidates[sums.index(max(sums))][0]


def _cheapest(fact: str, chosen: Iterable[tuple[int, str, str]]) -> int:
    """The least sum from which on to take a value, of (sum, outcome if taken, outcome if not)."""
    rows = sorted(chosen, reverse=True)
    cost, best, least = 0.0, 0.0, rows[0][0] + 1 if rows else 0
    for place, (score, taken, left) in enumerate(rows):
        cost += _cost(taken, _WRONG[fact]) - _cost(left, _WRONG[fact])
        if cost < best and (place + 1 == len(rows) or rows[place + 1][0] < score):
            best, least = cost, score
    return least


def _cost(what: str, wrong: float) -> float:
    """What an outcome costs; a wrong value is missing too."""
    return {"missing": 1.0, "wrong": 1.0 + wrong, "invented": wrong}.get(what, 0.0)


def _trees(pages: Sequence[Page], fact: str) -> list[Tree]:
    """The trees over the evidence of a fact's candidates."""
    on_pages: Counter[str] = Counter()
    for page in pages:
        on_pages.update(set().union(*(names for _, names in page.candidates[fact])))
    rows, right, counts = [], [], []
    is_ranked = fact == "title"
    for page in pages:
        candidates = page.candidates[fact]
        are_right = [
            bool(page.gold[fact]) and outcome(fact, text, page.gold[fact]) == "right" for text, _ in candidates
        ]
        if is_ranked and not any(are_right):
            continue  # nothing to order
        rows += [{name: 1.0 for name in names if name and on_pages[name] >= _MIN_PAGES} for _, names in candidates]
        right += are_right
        counts.append(len(candidates))
    table = DictVectorizer(sort=True, dtype=np.float32)
    found, labels = table.fit_transform(rows), np.array(right, np.float32)
    trees, leaves, rate = _TREES[fact]
    parameters = {**_PARAMETERS, "num_leaves": leaves, "learning_rate": rate}
    if is_ranked:
        parameters |= _RANKED
        data = lightgbm.Dataset(found, labels, group=counts)
    else:
        weights = [1 / math.sqrt(count) for count in counts for _ in range(count)]
        data = lightgbm.Dataset(found, labels, weight=np.array(weights))
    model = lightgbm.train(parameters, data, trees).dump_model()

    def asks(node: Mapping[str, Any]) -> tuple[str]:
        return (table.feature_names_[node["split_feature"]],)

    return [as_nodes(each["tree_structure"], asks, _UNITS) for each in model["tree_info"]]


def say_held_out(pages: Sequence[Page]) -> list[dict[str, str]]:
    """What is said of each page by what was fitted to other sites."""
    said = [{"type": page.type, "group": GROUP_OF_TYPE[page.type]} for page in pages]
    for fold in range(FOLDS):
        others = [page for page in pages if site_fold(page.site) != fold]
        rankers = {fact: fit_ranker(others, fact) for fact in FACTS}
        for page, found in zip(pages, said, strict=True):
            if site_fold(page.site) == fold:
                found |= {fact: ranker.best(page.candidates[fact]) for fact, ranker in rankers.items()}
    return said


def report(pages: Sequence[Page], said: Sequence[Facts]) -> list[str]:
    """A line of Markdown for each fact: right of those that have one, wrong or invented of all, and on how many of the
    former the right one is a candidate.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    ceiling: Counter[str] = Counter()
    for page, found in zip(pages, said, strict=True):
        for fact, text in found.items():
            right = page.gold.get(fact)
            if right is None:
                continue
            counts[fact][outcome(fact, text, right)] += 1
            ceiling[fact] += any(
                right and outcome(fact, text, right) == "right" for text, _ in page.candidates.get(fact, ())
            )
    lines = ["| | pages | right | wrong or invented | among the candidates |", "|---|---|---|---|---|"]
    for fact in (*FACTS, "type", "group"):
        found_so = counts[fact]
        there = found_so["right"] + found_so["wrong"] + found_so["missing"]
        lines.append(
            f"| {fact} | {found_so.total()} | {found_so['right'] / there:.3f} |"
            f" {(found_so['wrong'] + found_so['invented']) / found_so.total():.3f} |"
            f" {f'{ceiling[fact] / there:.3f}' if fact in FACTS else ''} |"
        )
    return lines


def report_beside(
    data: Path, labels: Mapping[str, Facts], said: Mapping[str, Facts], peers: Sequence[str]
) -> list[str]:
    """The lines of tables() for what is said of pages by their hashes, beside other libraries."""
    readers: dict[str, ReadFacts] = {"thresher": lambda page, _: said[page_id(page)]}
    readers |= {name: FACT_READERS[name]() for name in peers}
    return tables(list(judge(labelled_files(data, labels=labels), readers, labels=labels)))


def tables(pages: Sequence[Judged]) -> list[str]:
    """Lines of Markdown: how each system does on each fact, with intervals; and by the pages' language, decade and
    generator.
    """
    lines = ["| fact | system | pages | right | wrong or invented |", "|---|---|---|---|---|"]
    lines += [f"| {' | '.join(map(str, row))} |" for row in estimates(pages)]
    shown = [name for name in FIELDS if name != "modified"]
    says = {(system, fact) for page in pages for system, said in page.said.items() for fact in said}
    for by in GROUPINGS:
        lines += ["", f"| {by} | system | pages | {' | '.join(f'{name} | not' for name in shown)} |"]
        lines.append("|---" * (3 + 2 * len(shown)) + "|")
        for system, group, score in measure(pages, by):
            values = [share for name in shown for share in (score.shares(name) if (system, name) in says else ("", ""))]
            lines.append(f"| {group} | {system} | {score.pages} | {' | '.join(values)} |")
    return lines


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--labels", required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--peers", default="", help="Libraries to measure beside, by commas: trafilatura, htmldate, ...")
@click.option("--report-only", is_flag=True, help="Write no weights.")
def main(data: Path, labels: Path, peers: str, *, report_only: bool) -> None:
    """Fit the weights of types and facts, write them, and print how they do on sites held out."""
    known = read_labels(labels)
    typed = read_pages(data, known)
    judged = held_out(typed)
    types = {page.page: shares for page, shares in judged if page.labelled and not page.bare}
    texts = read_texts(data, known)
    folds = [fit_names([page for page in texts if site_fold(page.site) != fold]) for fold in range(FOLDS)]
    names = [NameWeights(weights) for weights in folds]
    fitted: list[Ranker] = []
    for fact in ("site", "title"):  # what the candidates for others depend on
        ranker = fit_ranker(read_facts(data, known, types, names, *fitted), fact)
        fitted.append(Ranker(ranker.trees, ranker.least))
    pages = read_facts(data, known, types, names, *fitted)
    said = say_held_out(pages)
    by_page = {page.page: found for page, found in zip(pages, said, strict=True)}
    beside = report_beside(data, known, by_page, [name for name in peers.split(",") if name])
    click.echo("\n".join([*report(pages, said), "", *beside, "", *report_types(judged)]))
    if report_only:
        return
    TYPE_WEIGHTS.write_text(to_json(fit(typed)), encoding="utf-8")
    WEIGHTS.write_text(facts_json(pages, fit_names(texts)), encoding="utf-8")
    TITLE_WEIGHTS.write_text(_written(_fitted(pages, "title")), encoding="utf-8")


def facts_json(pages: Sequence[Page], names: bytes) -> str:
    """The file of the weights, as thresher.page.metadata reads it. `names` are those of fit_names()."""
    fitted: dict[str, Any] = {fact: _fitted(pages, fact) for fact in FACTS if fact != "title"}
    fitted["likely"] = _LIKELY
    fitted["names"] = base64.b64encode(zlib.compress(names, 9)).decode("ascii")
    return _written(fitted)


def _fitted(pages: Sequence[Page], fact: str) -> dict[str, Any]:
    ranker = fit_ranker(pages, fact)
    return {"least": ranker.least, "trees": ranker.trees}


def _written(fitted: object) -> str:
    return json.dumps(fitted, ensure_ascii=False, separators=(",", ":")).replace("[[", "\n[[") + "\n"


if __name__ == "__main__":
    main()
