# SPDX-License-Identifier: Apache-2.0
"""Fits the weight of template evidence: `python -m thresher.lab.train.templates --out FILE [--report FILE]`.

The same data gives the same bytes. Boosted trees start from a block's own score, predicted by trees that never saw its
site, and learn what to add to it from the other pages of the site. Each page occurs with several random numbers of
known pages, so that the trees learn how little two pages say and how much a hundred.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import lightgbm as lgb
import numpy as np
import numpy.typing as npt

from thresher.lab.evaluate.folds import FOLDS, site_fold
from thresher.lab.train.__main__ import fit_scores
from thresher.lab.train.command import labelled_sets, narrator, options, parse, write
from thresher.lab.train.dataset import Example, Floats, Ints, Mask, Reader, fold_of
from thresher.lab.train.export import export_trees
from thresher.lab.train.fit import Recipe
from thresher.native.choosing.registry import EXTRACTORS
from thresher.native.templates.evidence import EVIDENCE_FEATURES, evidence_features, moved_share, negative_evidence
from thresher.native.templates.fingerprints import block_fingerprints, block_sizes
from thresher.native.templates.packed import PackedPage
from thresher.templates.evidence import MIN_MOVED, MODEL_FORMAT, is_taken

KNOWN: Final = (1, 2, 4, 9, 24, 49, 99)
"""Numbers of other pages known that training draws from."""
_MIN_PAGES: Final = 5  # of a site, to be learned from
_LEARNED: Final = EXTRACTORS["thresher"]
_NO_TEXT: Final = 32767  # for Workspace.pack(): only what is kept has its text packed


@dataclass(frozen=True, slots=True)
class Settings:
    """What the trees are fitted with."""

    trees: int = 60
    leaves: int = 8
    rate: float = 0.1
    weight: float = 0.35
    """Share of what the trees say that is added to a score: the largest with which no site of 60 loses more than .01 in
    cross-validation over sites. All of it gains .0045 on the mean of four sets and loses more than that on four sites,
    .7 of it .0042 and on two, .5 of it .0035 and on two, .35 of it .0024 and on none. From scores of models that never
    saw the site's set these gain .0085, .0073, .0059 and .0049, and lose on two, two, one and one.
    """
    draws: int = 2
    """Numbers of known pages drawn for each page."""
    folds: int = 4
    seed: int = 1


@dataclass(frozen=True, slots=True)
class SitePage:
    """A labelled page with what is counted of it."""

    example: Example
    fingerprints: npt.NDArray[np.int64]
    sizes: bytes
    packed: bytes
    """What a choice among its blocks is made from."""


def weights_file(directory: Path, fold: int) -> Path:
    """Where the weights that have not seen the sites of a fold lie."""
    return directory / f"weights-without-fold-{fold}-of-{FOLDS}.json"


def read_site_pages(files: Iterable[Path]) -> list[SitePage]:
    """All pages of the sets that may be trained on."""
    reader = Reader()
    found = []
    for example in reader.read(files):
        workspace = reader.workspace  # still holds the example's page
        prints = block_fingerprints(workspace.document, workspace.metrics, workspace.blocks)
        workspace.classify(_LEARNED)
        found.append(
            SitePage(example, np.frombuffer(prints, np.int64), block_sizes(workspace.blocks), workspace.pack(_NO_TEXT))
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


def as_scores(logits: Floats) -> bytes:
    """Logits as the core holds them: signed 16-bit, 1/4096."""
    return np.clip(np.round(logits * 4096), -32768, 32767).astype(np.int16).tobytes()


def features_of(page: SitePage, logits: Floats, others: Sequence[SitePage]) -> Ints:
    """[feature, block] of a page of which these others are known."""
    found = evidence_features(as_scores(logits), page.sizes, counts_of(page, others), len(others))
    return np.frombuffer(found, np.int16).reshape(len(EVIDENCE_FEATURES), -1)


@dataclass(frozen=True, slots=True)
class Draw:
    """A page seen with some others known."""

    place: int
    site: str
    values: Ints
    weights: npt.NDArray[np.float64]


def draw(pages: Sequence[SitePage], logits: Sequence[Floats], settings: Settings) -> list[Draw]:
    """The pages of all sites with several, each with others known, drawn by the seed and its id alone."""
    found = []
    for (dataset, site), places in sites(pages, _MIN_PAGES).items():
        for place in places:
            page = pages[place]
            if not len(page.fingerprints):
                continue
            generator = np.random.default_rng([settings.seed, fold_of(f"{dataset}:{page.example.id}", 1 << 31)])
            others = [each for each in places if each != place]
            for known in generator.choice([*(k for k in KNOWN if k < len(others)), len(others)], settings.draws):
                chosen = generator.choice(others, int(known), replace=False).tolist()
                values = features_of(page, logits[place], [pages[each] for each in chosen])
                weights = (page.example.words + 1.0) ** 0.7
                # A site of a hundred pages is not ten times as much to learn from as one of ten.
                found.append(Draw(place, site, values, weights / weights.sum() / len(places) ** 0.5))
    return found


def fit(draws: Sequence[Draw], pages: Sequence[SitePage], logits: Sequence[Floats], settings: Settings) -> lgb.Booster:
    """Trees that give what is to be added to a block's logit."""
    x = np.concatenate([each.values.T for each in draws])
    y = np.concatenate([pages[each.place].example.labels for each in draws])
    w = np.concatenate([each.weights for each in draws])
    start = np.concatenate([np.clip(logits[each.place], -8, 8) for each in draws])
    parameters = {
        "objective": "cross_entropy", "learning_rate": settings.rate,
        "num_leaves": settings.leaves, "min_data_in_leaf": 200,
        "lambda_l2": 10.0, "max_bin": 63, "seed": settings.seed, "deterministic": True,
        "force_row_wise": True, "num_threads": 1,
        "verbose": -1,
    }  # fmt: skip
    return lgb.train(parameters, lgb.Dataset(x, y, weight=w / w.mean(), init_score=start), settings.trees)


def export(model: lgb.Booster, settings: Settings) -> str:
    """The model file."""
    trees = [(splits, [round(leaf * settings.weight) for leaf in leaves]) for splits, leaves in export_trees(model)]
    content: dict[str, Any] = {
        "format": MODEL_FORMAT,
        "features": list(EVIDENCE_FEATURES),
        "trees": trees,
    }
    return json.dumps(content, separators=(",", ":")) + "\n"


class Chooser:
    """The choice among the blocks of a page by its scores and what is known of them, as a run makes it; by the choice
    trees of the model that the package holds.
    """

    def __init__(self) -> None:
        self._packed = PackedPage()

    def choose(self, page: SitePage, scores: bytes, evidence: bytes) -> tuple[Mask, float]:
        """Which blocks are kept, and the F1 that is expected of them."""
        self._packed.load(page.packed)
        self._packed.choose(_LEARNED, scores, evidence)
        return np.frombuffer(self._packed.kept_bytes(), np.bool_), self._packed.confidence or 0.0

    def word_f1(self, page: SitePage, logits: Floats, evidences: Sequence[Floats]) -> list[float]:
        """Word F1 of the page without templates and with each evidence, logits, that is then decided with or not as in
        a run.
        """
        example, scores = page.example, as_scores(logits)
        if not scores:
            return [example.word_f1(np.zeros(0, dtype=np.bool_))] * (1 + len(evidences))
        kept, expected = self.choose(page, scores, bytes(len(scores)))
        found = [example.word_f1(kept)]
        for logit in evidences:
            evidence = negative_evidence(as_scores(logit))
            f1 = found[0]
            if moved_share(scores, page.sizes, kept.tobytes(), evidence) > MIN_MOVED:
                again, then = self.choose(page, scores, evidence)
                if again.any() and is_taken(expected, then):
                    f1 = example.word_f1(again)
            found.append(f1)
        return found


def cross_validation(
    pages: Sequence[SitePage], logits: Sequence[Floats], draws: Sequence[Draw], settings: Settings
) -> list[str]:
    """Lines of a Markdown table: word F1 by number of pages known, off and fused, by trees that never saw the site; and
    the sites that lose.
    """
    models = [
        fit([d for d in draws if fold_of(d.site, settings.folds, "templates") != fold], pages, logits, settings)
        for fold in range(settings.folds)
    ]
    lines = [
        "| set | sites | pages | off | " + " | ".join(f"{k + 1} pages" for k in (1, 4, 9, 49)) + " | all |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    by_set: dict[str, list[list[float]]] = defaultdict(list)
    n_sites: Counter[str] = Counter()
    worse: list[str] = []
    chooser = Chooser()
    for (dataset, site), places in sites(pages, 10).items():
        n_sites[dataset] += 1
        model = models[fold_of(site, settings.folds, "templates")]
        rows = []
        for place in places:
            page = pages[place]
            generator = np.random.default_rng([settings.seed, 7, place])
            others = generator.permutation([each for each in places if each != place]).tolist()
            evidences = [
                settings.weight * np.asarray(model.predict(values.T, raw_score=True), dtype=np.float32)
                for known in (1, 4, 9, 49, len(others))
                if len(page.fingerprints)
                for values in [features_of(page, logits[place], [pages[each] for each in others[:known]])]
            ]
            rows.append(chooser.word_f1(page, logits[place], evidences or [logits[place]] * 5))
        by_set[dataset] += rows
        change = np.mean(rows, axis=0)
        if change[-1] < change[0] - 0.01:
            worse.append(f"{site} ({len(rows)} pages) {change[-1] - change[0]:+.3f}")
    for dataset, rows in by_set.items():
        means = np.mean(rows, axis=0)
        lines.append(
            f"| {dataset} | {n_sites[dataset]} | {len(rows)} | " + " | ".join(f"{mean:.4f}" for mean in means) + " |"
        )
    return [*lines, "", f"Sites that lose more than .01 with all pages known: {', '.join(worse) or 'none'}."]


def main(argv: list[str] | None = None) -> None:
    """Fits the model and writes it; with --report also the figures of cross-validation over sites."""
    arguments = parse(options("thresher.lab.train.templates", "Rebuild the weights of template evidence."), argv)
    say = narrator()
    recipe, settings = Recipe(), Settings()
    files = labelled_sets(arguments.data)
    pages = read_site_pages(files)
    say(f"{len(pages)} pages")
    logits = fit_scores(files, [page.example for page in pages], recipe, arguments.jobs, say).scores
    say("block scores out of fold")
    draws = draw(pages, logits, settings)
    if arguments.report:
        write(arguments.report, "\n".join(cross_validation(pages, logits, draws, settings)) + "\n", say)
    if arguments.out:
        write(arguments.out, export(fit(draws, pages, logits, settings), settings), say)
    if arguments.held_out:
        for fold in range(FOLDS):
            inside = [each for each in draws if site_fold(each.site) != fold]
            model = fit(inside, pages, logits, settings)
            write(weights_file(arguments.held_out, fold), export(model, settings), say)


if __name__ == "__main__":
    main()
