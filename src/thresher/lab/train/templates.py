# SPDX-License-Identifier: Apache-2.0
"""Fits the weight of template evidence: `python -m thresher.lab.train.templates --scorers DIR --out FILE [--report
FILE]`, where DIR holds the models that thresher.lab.train wrote with --held-out.

The same data and models give the same bytes. Boosted trees start from a block's own score, by the model that never saw
its site, and learn what to add to it from the other pages of the site. Each page occurs with several random numbers of
known pages, so that the trees learn how little two pages say and how much a hundred.
"""

from __future__ import annotations

import json
import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Final

import lightgbm as lgb
import numpy as np
import numpy.typing as npt

from thresher.lab.evaluate.folds import FOLDS, site_fold
from thresher.lab.evaluate.systems import held_out_file
from thresher.lab.train.command import labelled_sets, narrator, options, parse, write
from thresher.lab.train.dataset import Example, Floats, Ints, Mask, Reader, fold_of, pages_in
from thresher.lab.train.export import LEAF_SCALE, export_trees
from thresher.lab.train.trees import REPEATABLE
from thresher.native.choosing.registry import EXTRACTORS
from thresher.native.parsing.document import Document
from thresher.native.scoring.feature_table import FEATURES
from thresher.native.scoring.model import Model
from thresher.native.templates.evidence import EVIDENCE_FEATURES, evidence_features, moved_share, negative_evidence
from thresher.native.templates.fingerprints import block_fingerprints, block_sizes
from thresher.native.templates.packed import PackedPage
from thresher.native.workspace import Workspace
from thresher.templates.evidence import MIN_MOVED, MODEL_FORMAT, is_taken

KNOWN: Final = (1, 2, 4, 9, 24, 49, 99)
"""Numbers of other pages known that training draws from."""
_MIN_PAGES: Final = 5  # of a site, to be learned from
_DRAWS: Final = 2  # numbers of known pages drawn for each page
_TREES: Final = 60
_PARAMETERS: Final = {
    "objective": "cross_entropy", "learning_rate": 0.1,
    "num_leaves": 8, "min_data_in_leaf": 200,
    "lambda_l2": 10.0, "max_bin": 63, "seed": 1, **REPEATABLE,
}  # fmt: skip
_SEED: Final = 1
_FOLDS: Final = 4  # of cross-validation
_WEIGHT: Final = 0.35
"""Share of what the trees say that is added to a score: the largest with which no site of 60 loses more than .01 in
cross-validation over sites. All of it gains .0045 on the mean of four sets and loses more than that on four sites, .7
of it .0042 and on two, .5 of it .0035 and on two, .35 of it .0024 and on none. From scores of models that never saw the
site's set these gain .0085, .0073, .0059 and .0049, and lose on two, two, one and one.
"""
_MUCH: Final = 0.01  # word F1 that makes a page better or worse
_LEARNED: Final = EXTRACTORS["thresher"]
_NO_TEXT: Final = 32767  # for Workspace.pack(): only what is kept has its text packed
_HEADLINE: Final = FEATURES.index("headline_distance")
_PRICE: Final = re.compile(r"[$€£¥₹₽₩]\s?\d|\d\s?(?:[€£¥₹₽₩円元]|(?:EUR|USD|GBP|kr|zł|руб)\b)")


@dataclass(frozen=True, slots=True)
class SitePage:
    """A labelled page with what is counted of it."""

    example: Example
    fingerprints: npt.NDArray[np.int64]
    sizes: bytes
    packed: bytes
    """What a choice among its blocks is made from."""
    scores: bytes
    """Of its blocks, by the model that has not seen its site: signed 16-bit, 1/4096."""
    prices: Mask
    """Blocks that show a price."""

    @property
    def logits(self) -> Floats:
        """Its scores as logits."""
        return (np.frombuffer(self.scores, np.int16) / LEAF_SCALE).astype(np.float32)

    @property
    def headline(self) -> Mask:
        """The block with its headline."""
        return np.asarray(self.example.values[_HEADLINE] == 0)


def weights_file(directory: Path, fold: int) -> Path:
    """Where the weights that have not seen the sites of a fold lie."""
    return directory / f"weights-without-fold-{fold}-of-{FOLDS}.json"


def read_site_pages(files: Sequence[Path], models: Sequence[Model]) -> list[SitePage]:
    """All pages of the sets that may be trained on; the models are those without each fold of sites."""
    workspaces = [Workspace(Document(), model) for model in models]
    found = []
    for example, html in zip(Reader().read(files), pages_in(files), strict=True):
        workspace = workspaces[site_fold(example.site)]
        workspace.parse(html)
        workspace.measure(with_concealed=True)
        workspace.classify(_LEARNED)
        prints = block_fingerprints(workspace.document, workspace.metrics, workspace.blocks)
        texts = (workspace.render_block(b).decode("utf-8", "replace") for b in range(len(example.labels)))
        found.append(
            SitePage(
                example,
                np.frombuffer(prints, np.int64),
                block_sizes(workspace.blocks),
                workspace.pack(_NO_TEXT),
                workspace.scores() or b"",
                np.array([_PRICE.search(text) is not None for text in texts], dtype=np.bool_),
            )
        )
    return found


def sites(pages: Sequence[SitePage], least: int) -> dict[tuple[str, str], list[int]]:
    """For each set and site with at least so many pages their places."""
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, page in enumerate(pages):
        found[page.example.dataset, page.example.site].append(place)
    return {site: places for site, places in found.items() if len(places) >= least}


def counts_of(page: SitePage, others: Iterable[SitePage]) -> bytes:
    """For each block how many of the other pages have it, -1 if it has no letters."""
    counts: Counter[int] = Counter()
    for other in others:
        counts.update(set(other.fingerprints.tolist()))
    return array("i", [counts[each] if each else -1 for each in page.fingerprints.tolist()]).tobytes()


def features_of(page: SitePage, counts: bytes, known: int) -> Ints:
    """[feature, block] of a page, by how many of that many other pages have each block."""
    found = evidence_features(page.scores, page.sizes, counts, known)
    return np.frombuffer(found, np.int16).reshape(len(EVIDENCE_FEATURES), -1)


@dataclass(frozen=True, slots=True)
class Draw:
    """A page seen with some others known."""

    page: SitePage
    values: Ints
    weights: npt.NDArray[np.float64]


def draw(pages: Sequence[SitePage]) -> list[Draw]:
    """The pages of all sites with several, each with others known, drawn by the seed and its id alone."""
    found = []
    for (dataset, _), places in sites(pages, _MIN_PAGES).items():
        for place in places:
            page = pages[place]
            if not len(page.fingerprints):
                continue
            generator = np.random.default_rng([_SEED, fold_of(f"{dataset}:{page.example.id}", 1 << 31)])
            others = [each for each in places if each != place]
            for known in generator.choice([*(k for k in KNOWN if k < len(others)), len(others)], _DRAWS):
                chosen = generator.choice(others, int(known), replace=False).tolist()
                values = features_of(page, counts_of(page, [pages[each] for each in chosen]), int(known))
                weights = (page.example.words + 1.0) ** 0.7
                # A site of a hundred pages is not ten times as much to learn from as one of ten.
                found.append(Draw(page, values, weights / weights.sum() / len(places) ** 0.5))
    return found


def fit(draws: Sequence[Draw]) -> lgb.Booster:
    """Trees that give what is to be added to a block's logit."""
    x = np.concatenate([each.values.T for each in draws])
    y = np.concatenate([each.page.example.labels for each in draws])
    w = np.concatenate([each.weights for each in draws])
    start = np.concatenate([np.clip(each.page.logits, -8, 8) for each in draws])
    return lgb.train(_PARAMETERS, lgb.Dataset(x, y, weight=w / w.mean(), init_score=start), _TREES)


def evidence_of(page: SitePage, others: Sequence[SitePage], model: lgb.Booster) -> bytes:
    """What is added to the scores of a page of which these others are known."""
    if not page.scores:
        return b""
    counts = counts_of(page, others)
    said = model.predict(features_of(page, counts, len(others)).T, raw_score=True)
    scaled = np.clip(np.round(np.asarray(said) * _WEIGHT * LEAF_SCALE), -32768, 32767).astype(np.int16)
    return negative_evidence(scaled.tobytes(), counts)


def export(model: lgb.Booster) -> str:
    """The model file."""
    trees = [(splits, [round(leaf * _WEIGHT) for leaf in leaves]) for splits, leaves in export_trees(model)]
    content = {"format": MODEL_FORMAT, "features": list(EVIDENCE_FEATURES), "trees": trees}
    return json.dumps(content, separators=(",", ":")) + "\n"


class Chooser:
    """The choice among the blocks of a page by its scores and what is known of them, as a run makes it."""

    def __init__(self, models: Sequence[Model]) -> None:
        """By the models without each fold of sites."""
        self._packed = [PackedPage(model) for model in models]

    def choose(self, page: SitePage, evidence: bytes) -> tuple[Mask, float]:
        """Which blocks are kept, and the F1 that is expected of them."""
        packed = self._packed[site_fold(page.example.site)]
        packed.load(page.packed)
        packed.choose(_LEARNED, page.scores, evidence)
        return np.frombuffer(packed.kept_bytes(), np.bool_), packed.confidence or 0.0

    def decide(self, page: SitePage, evidences: Sequence[bytes]) -> list[Mask]:
        """Which blocks are kept without templates, and with each evidence."""
        if not page.scores:
            return [np.zeros(0, dtype=np.bool_)] * (1 + len(evidences))
        kept, expected = self.choose(page, bytes(len(page.scores)))
        found = [kept]
        for evidence in evidences:
            again, then = kept, expected
            if moved_share(page.scores, page.sizes, kept.tobytes(), evidence) > MIN_MOVED:
                again, then = self.choose(page, evidence)
            found.append(again if again.any() and is_taken(expected, then) else kept)
        return found


@dataclass(slots=True)
class Changed:
    """Pages that templates change, with all other pages of their sites known."""

    pages: int = 0
    better: int = 0
    worse: int = 0
    headlines: int = 0
    """Pages that lose their headline."""
    prices: int = 0
    """Pages that lose a price that is in the gold text."""

    def add(self, page: SitePage, before: Mask, after: Mask, gain: float) -> None:
        """Counts a page; `gain` in word F1."""
        lost = before & ~after
        self.pages += bool((before != after).any())
        self.better += gain > _MUCH
        self.worse += gain < -_MUCH
        self.headlines += bool((lost & page.headline).any())
        self.prices += bool((lost & page.prices & (page.example.labels > 0.5)).any())


def cross_validation(pages: Sequence[SitePage], models: Sequence[Model], draws: Sequence[Draw]) -> list[str]:
    """Lines of Markdown tables: word F1 by number of pages known, off and fused, by trees that never saw the site; the
    sites that lose; and what becomes of the pages that change.
    """
    fitted = [fit([each for each in draws if _fold(each.page.example.site) != fold]) for fold in range(_FOLDS)]
    lines = [
        "| set | sites | pages | off | " + " | ".join(f"{k + 1} pages" for k in (1, 4, 9, 49)) + " | all |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    by_set: dict[str, list[list[float]]] = defaultdict(list)
    changed: dict[str, Changed] = defaultdict(Changed)
    n_sites: Counter[str] = Counter()
    worse: list[str] = []
    chooser = Chooser(models)
    for (dataset, site), places in sites(pages, 10).items():
        n_sites[dataset] += 1
        model = fitted[_fold(site)]
        rows = []
        for place in places:
            page = pages[place]
            generator = np.random.default_rng([_SEED, 7, place])
            others = generator.permutation([each for each in places if each != place]).tolist()
            evidences = [
                evidence_of(page, [pages[each] for each in others[:known]], model)
                for known in (1, 4, 9, 49, len(others))
            ]
            masks = chooser.decide(page, evidences)
            rows.append([page.example.word_f1(mask) for mask in masks])
            changed[dataset].add(page, masks[0], masks[-1], rows[-1][-1] - rows[-1][0])
        by_set[dataset] += rows
        change = np.mean(rows, axis=0)
        if change[-1] < change[0] - _MUCH:
            worse.append(f"{site} ({len(rows)} pages) {change[-1] - change[0]:+.3f}")
    for dataset, rows in by_set.items():
        means = np.mean(rows, axis=0)
        lines.append(
            f"| {dataset} | {n_sites[dataset]} | {len(rows)} | " + " | ".join(f"{mean:.4f}" for mean in means) + " |"
        )
    lines += ["", f"Sites that lose more than .01 with all pages known: {', '.join(worse) or 'none'}.", ""]
    lines += [
        "| set | changed | better | worse | headline lost | price lost |",
        "|---|---|---|---|---|---|",
    ]
    lines += [f"| {dataset} | {' | '.join(map(str, astuple(counts)))} |" for dataset, counts in changed.items()]
    return lines


def _fold(site: str) -> int:
    """The fold of a site in the cross-validation of these trees."""
    return fold_of(site, _FOLDS, "templates")


def main(argv: list[str] | None = None) -> None:
    """Fits the model and writes it; with --report also the figures of cross-validation over sites."""
    parser = options("thresher.lab.train.templates", "Rebuild the weights of template evidence.")
    parser.add_argument(
        "--scorers", type=Path, metavar="DIR", required=True, help="models of thresher.lab.train --held-out"
    )
    arguments = parse(parser, argv)
    say = narrator()
    models = [Model.read(held_out_file(arguments.scorers, fold)) for fold in range(FOLDS)]
    pages = read_site_pages(labelled_sets(arguments.data), models)
    say(f"{len(pages)} pages")
    draws = draw(pages)
    if arguments.report:
        write(arguments.report, "\n".join(cross_validation(pages, models, draws)) + "\n", say)
    if arguments.out:
        write(arguments.out, export(fit(draws)), say)
    if arguments.held_out:
        for fold in range(FOLDS):
            inside = [each for each in draws if site_fold(each.page.example.site) != fold]
            write(weights_file(arguments.held_out, fold), export(fit(inside)), say)


if __name__ == "__main__":
    main()
