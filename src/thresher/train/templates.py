# SPDX-License-Identifier: Apache-2.0
"""Fits the weight of template evidence: `python -m thresher.train.templates --out FILE [--report FILE]`, the same bytes for the same data.

Boosted trees go on from the score that a block has by itself, predicted by trees that never saw its site, and learn what to add from what the
other pages of the site say of it. Each page is seen with several numbers of other pages known, drawn at random, so that the trees
learn how little two pages say and how much a hundred.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import lightgbm as lgb
import numpy as np
import numpy.typing as npt

from thresher.evaluate.folds import FOLDS, site_fold
from thresher.evaluate.pages import list_datasets
from thresher.native.templates.evidence import EVIDENCE_FEATURES, evidence_features
from thresher.native.templates.fingerprints import block_fingerprints, block_sizes
from thresher.templates.evidence import MODEL_FORMAT
from thresher.train.__main__ import fit_scores
from thresher.train.dataset import Example, Floats, Ints, Reader, fold_of, trainable
from thresher.train.export import export_trees
from thresher.train.fit import Recipe

KNOWN: Final = (1, 2, 4, 9, 24, 49, 99)
"""Numbers of other pages known that training draws from."""
_MIN_PAGES: Final = 5  # of a site, to be learned from


@dataclass(frozen=True, slots=True)
class Settings:
    """What the trees are fitted with."""

    trees: int = 60
    leaves: int = 8
    rate: float = 0.1
    weight: float = 0.7
    """Share of what the trees say that is added to a score. In cross-validation over sites all of it gains .0142 on the mean of four sets and loses
    more than .01 on six sites, .7 of it gains .0128 and loses that on four, three of which lose less."""
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
        found.append(SitePage(example, np.frombuffer(prints, np.int64), block_sizes(workspace.blocks)))
    return found


def sites(pages: Sequence[SitePage], least: int) -> dict[tuple[str, str], list[int]]:
    """For each set and site with at least so many pages their places."""
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, page in enumerate(pages):
        found[page.example.dataset, page.example.site].append(place)
    return {site: places for site, places in found.items() if len(places) >= least}


def counts_of(page: SitePage, others: Iterable[SitePage]) -> bytes:
    """For each block how many of the other pages have it, -1 where it has no letters."""
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
        "objective": "cross_entropy", "learning_rate": settings.rate, "num_leaves": settings.leaves, "min_data_in_leaf": 200,
        "lambda_l2": 10.0, "max_bin": 63, "seed": settings.seed, "deterministic": True, "force_row_wise": True, "num_threads": 1,
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


def word_f1(page: SitePage, logits: Floats) -> float:
    """Word F1 of the page when blocks are kept above the threshold of largest expected F1, within .25 to .6."""
    words, p = page.example.words, 1 / (1 + np.exp(-logits.astype(np.float64)))
    if not len(words):
        return page.example.word_f1(np.zeros(0, dtype=np.bool_))
    bins = (p * 64).astype(int)
    kept = np.bincount(bins, words, 65)[::-1].cumsum()[::-1]
    expected = np.bincount(bins, words * p, 65)[::-1].cumsum()[::-1]
    f1 = 2 * expected / np.maximum(kept + expected[0], 1e-9)
    best = len(f1) - 1 - int(np.argmax(f1[::-1]))
    return page.example.word_f1(p >= min(max(best, 16), 38) / 64)


def cross_validation(
    pages: Sequence[SitePage], logits: Sequence[Floats], draws: Sequence[Draw], settings: Settings
) -> list[str]:
    """Lines of a Markdown table: word F1 by number of pages known, off and fused, by trees that never saw the site."""
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
    for (dataset, site), places in sites(pages, 10).items():
        n_sites[dataset] += 1
        model = models[fold_of(site, settings.folds, "templates")]
        for place in places:
            page = pages[place]
            row = [word_f1(page, logits[place])]
            generator = np.random.default_rng([settings.seed, 7, place])
            others = generator.permutation([each for each in places if each != place]).tolist()
            for known in (1, 4, 9, 49, len(others)):
                chosen = [pages[each] for each in others[:known]]
                if not len(page.fingerprints):
                    row.append(row[0])
                    continue
                more = np.asarray(
                    model.predict(features_of(page, logits[place], chosen).T, raw_score=True), dtype=np.float32
                )
                row.append(word_f1(page, np.clip(logits[place], -8, 8) + settings.weight * more))
            by_set[dataset].append(row)
    for dataset, rows in by_set.items():
        means = np.mean(rows, axis=0)
        lines.append(
            f"| {dataset} | {n_sites[dataset]} | {len(rows)} | " + " | ".join(f"{mean:.4f}" for mean in means) + " |"
        )
    return lines


def main(argv: list[str] | None = None) -> None:
    """Fits the model and writes it; with --report also the figures of cross-validation over sites."""
    default = Path(os.environ.get("THRESHER_DATA", Path(__file__).resolve().parents[3].parent / "shared" / "data"))
    parser = argparse.ArgumentParser(
        prog="python -m thresher.train.templates", description="Rebuild the weights of template evidence."
    )
    parser.add_argument(
        "--data", type=Path, default=default, help="folder of labelled sets, Parquet (default: %(default)s)"
    )
    parser.add_argument("--out", type=Path, help="model file to write")
    parser.add_argument("--report", type=Path, help="Markdown file for the figures of cross-validation")
    parser.add_argument(
        "--held-out", type=Path, metavar="DIR", help=f"folder for {FOLDS} models, each fitted without a fold of sites"
    )
    arguments = parser.parse_args(argv)
    if not arguments.out and not arguments.held_out:
        parser.error("nothing to write: give --out FILE, --held-out DIR, or both")
    folder = arguments.data / "labelled" if (arguments.data / "labelled").is_dir() else arguments.data
    started = time.monotonic()

    def say(message: str) -> None:
        sys.stderr.write(f"{time.monotonic() - started:5.0f} s  {message}\n")

    recipe, settings = Recipe(), Settings()
    pages = read_site_pages(list_datasets(folder))
    say(f"{len(pages)} pages")
    examples = [page.example for page in pages]
    files = [file for file in list_datasets(folder) if trainable(file)]
    logits = fit_scores(files, examples, recipe, say).scores
    say("block scores out of fold")
    draws = draw(pages, logits, settings)
    if arguments.report:
        lines = cross_validation(pages, logits, draws, settings)
        arguments.report.write_text("\n".join(lines) + "\n", encoding="utf-8")
        say(f"report written to {arguments.report}")
    if arguments.out:
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        arguments.out.write_text(export(fit(draws, pages, logits, settings), settings), encoding="utf-8")
        say(f"model written to {arguments.out}")
    if arguments.held_out:
        arguments.held_out.mkdir(parents=True, exist_ok=True)
        for fold in range(FOLDS):
            inside = [each for each in draws if site_fold(each.site) != fold]
            path = weights_file(arguments.held_out, fold)
            path.write_text(export(fit(inside, pages, logits, settings), settings), encoding="utf-8")
            say(f"{path} written")


if __name__ == "__main__":
    main()
