# SPDX-License-Identifier: Apache-2.0
"""Rebuilds the model from labelled pages: `python -m thresher.train --out FILE [--report FILE]`, the same bytes for the same data and seed.

With `--held-out DIR` also the models that the figures come from, for each fifth of the sites one that was fitted without its pages, for
`thresher evaluate --held-out DIR`.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import lightgbm as lgb
import numpy as np

from thresher.evaluate.folds import FOLDS, site_fold
from thresher.evaluate.pages import list_datasets
from thresher.evaluate.systems import held_out_file
from thresher.train.choices import lay_out, with_context
from thresher.train.dataset import Example, Floats, Reader
from thresher.train.export import export
from thresher.train.fit import (
    Recipe,
    fit_blocks,
    fit_choices,
    fit_tuning,
    fit_weights,
    predict_blocks,
    sample,
    with_weights,
)
from thresher.train.report import Judged, report

VERSION = "2"

T = TypeVar("T")


def main(argv: list[str] | None = None) -> None:
    """Fits the model and writes it; with --report also the figures of cross-validation grouped by site."""
    default = Path(os.environ.get("THRESHER_DATA", Path(__file__).resolve().parents[3].parent / "shared" / "data"))
    parser = argparse.ArgumentParser(
        prog="python -m thresher.train", description="Rebuild the model of the learned extractor."
    )
    parser.add_argument(
        "--data", type=Path, default=default, help="folder of labelled sets, Parquet (default: %(default)s)"
    )
    parser.add_argument("--out", type=Path, help="model file to write")
    parser.add_argument("--report", type=Path, help="Markdown file for the figures of cross-validation")
    parser.add_argument(
        "--held-out", type=Path, metavar="DIR", help=f"folder for {FOLDS} models, each fitted without a fold of sites"
    )
    parser.add_argument("--seed", type=int, default=Recipe().seed)
    arguments = parser.parse_args(argv)
    if not arguments.out and not arguments.held_out and not arguments.report:
        parser.error("nothing to write: give --out FILE, --report FILE or --held-out DIR")
    recipe = Recipe(seed=arguments.seed)
    folder = arguments.data / "labelled" if (arguments.data / "labelled").is_dir() else arguments.data
    files = list_datasets(folder)
    started = time.monotonic()

    def say(message: str) -> None:
        sys.stderr.write(f"{time.monotonic() - started:5.0f} s  {message}\n")

    examples = list(Reader().read(files))
    say(f"{len(examples)} pages")
    models, judged = fit(files, examples, recipe, say)
    if arguments.report:
        arguments.report.parent.mkdir(parents=True, exist_ok=True)
        arguments.report.write_text(report(judged), encoding="utf-8")
        say(f"report written to {arguments.report}")
    wanted = {} if arguments.out is None else {arguments.out: models[-1]}
    if arguments.held_out:
        wanted |= {held_out_file(arguments.held_out, fold): models[fold] for fold in range(FOLDS)}
    for path, model in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(model, encoding="utf-8")
        say(f"model written to {path}")


def fit(
    files: Sequence[Path], examples: Sequence[Example], recipe: Recipe, say: Callable[[str], None]
) -> tuple[list[str], Judged]:
    """For each fold of sites a model that was fitted without it, and last one of all pages, as texts of their files; and what the first ones reach.

    The parts of a model are fitted one after the other, each without each fold. What a part learns from is what the parts before it say of a page
    of which they saw no site, and so are the figures: a page is judged by the model without its fold.
    """
    fitted = fit_scores(files, examples, recipe, say)
    folds, inside = fitted.folds, fitted.inside
    layouts = lay_out(files, examples, fitted.scores)
    page_weights = [recipe.page_weight(example) for example in examples]
    choices = [fit_choices(_of(layouts, chosen), _of(page_weights, chosen), recipe) for chosen in inside]
    predicted = [np.asarray(choices[f].predict(layout.values.T)) for layout, f in zip(layouts, folds, strict=True)]
    say("choices")
    tunings = [
        fit_tuning(_of(layouts, chosen), _of(predicted, chosen), _of(page_weights, chosen), recipe) for chosen in inside
    ]
    parts = zip(fitted.weights, fitted.first, fitted.second, choices, tunings, strict=True)
    models = [export(VERSION, *each) for each in parts]
    return models, Judged(examples, layouts, predicted, [tunings[f] for f in folds])


@dataclass(frozen=True, slots=True)
class Fitted:
    """The parts of the models that score blocks, for each fold of sites without it and last of all pages, and each page's scores without its fold."""

    folds: list[int]
    """Of each page."""
    inside: list[list[int]]
    """The pages that each model is fitted on."""
    weights: list[bytes]
    first: list[lgb.Booster]
    second: list[lgb.Booster]
    scores: list[Floats]


def fit_scores(
    files: Sequence[Path], examples: Sequence[Example], recipe: Recipe, say: Callable[[str], None]
) -> Fitted:
    """Weights and trees of both stages, and what they say of pages of which they saw no site."""
    pages = sample(examples, recipe)
    folds = [site_fold(example.site) for example in examples]
    inside = [[i for i, f in enumerate(folds) if f != fold] for fold in range(FOLDS)] + [list(range(len(pages)))]

    weights = [fit_weights(_of(pages, chosen), recipe) for chosen in inside]
    values = [with_weights(example, weights[f]) for example, f in zip(examples, folds, strict=True)]
    say("weights of tokens and terms")
    first = [fit_blocks(_of(pages, chosen), _of(values, chosen), recipe.first, recipe) for chosen in inside]
    scores = [predict_blocks(first[f], page_values) for page_values, f in zip(values, folds, strict=True)]
    say("first scores")
    values = with_context(files, values, scores)
    second = [fit_blocks(_of(pages, chosen), _of(values, chosen), recipe.second, recipe) for chosen in inside]
    scores = [predict_blocks(second[f], page_values) for page_values, f in zip(values, folds, strict=True)]
    say("scores")
    return Fitted(folds, inside, weights, first, second, scores)


def _of(found: Sequence[T], chosen: Sequence[int]) -> list[T]:
    return [found[i] for i in chosen]


if __name__ == "__main__":
    main()
