# SPDX-License-Identifier: Apache-2.0
"""Rebuilds the model from labelled pages: `python -m thresher.lab.train --out FILE [--report FILE]`.

The same data and seed give the same bytes. With `--held-out DIR` it also writes the models behind the figures: for each
fifth of the sites, a model fitted without its pages, for `thresher evaluate --held-out DIR`; and for each set, a model
fitted without it, `without-set-NAME.json`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import lightgbm as lgb
import numpy as np

from thresher.lab.evaluate.folds import FOLDS
from thresher.lab.evaluate.systems import held_out_file
from thresher.lab.train.choices import lay_out, with_context
from thresher.lab.train.command import each, labelled_sets, narrator, options, parse, write
from thresher.lab.train.cuts import write_cuts
from thresher.lab.train.dataset import Example, Floats, Ints, Reader
from thresher.lab.train.export import export
from thresher.lab.train.fit import (
    MADE,
    Recipe,
    Split,
    fit_blocks,
    fit_choices,
    fit_tuning,
    fit_weights,
    predict_blocks,
    sample,
    split,
    with_weights,
)
from thresher.lab.train.inserts import write_inserts
from thresher.lab.train.report import Judged, report

VERSION = "8"

T = TypeVar("T")


def main(argv: list[str] | None = None) -> None:
    """Fits the model and writes it; with --report also the figures of cross-validation grouped by site, and by set."""
    parser = options("thresher.lab.train", "Rebuild the model of the learned extractor.")
    parser.add_argument(
        "--classes",
        type=Path,
        metavar="FILE",
        help="a set whose blocks have classes, as benchmarks/class_labels.py set writes it",
    )
    parser.add_argument("--seed", type=int, default=Recipe().seed)
    arguments = parse(parser, argv)
    files = labelled_sets(arguments.data) + ([arguments.classes] if arguments.classes else [])
    say = narrator()
    with TemporaryDirectory() as folder:
        if arguments.classes:
            files += [*write_cuts(arguments.classes, Path(folder)), write_inserts(arguments.classes, Path(folder))]
        examples = list(Reader().read(files))
        say(f"{len(examples)} pages")
        models, without_set, judged, far = fit(files, examples, Recipe(seed=arguments.seed), arguments.jobs, say)
    if arguments.report:
        write(arguments.report, report(judged, far), say)
    if arguments.out:
        write(arguments.out, models[-1], say)
    if arguments.held_out:
        for fold in range(FOLDS):
            write(held_out_file(arguments.held_out, fold), models[fold], say)
        for name, model in without_set.items():
            write(arguments.held_out / f"without-set-{name}.json", model, say)


def fit(
    files: Sequence[Path], examples: Sequence[Example], recipe: Recipe, jobs: int, say: Callable[[str], None]
) -> tuple[list[str], dict[str, str], Judged, Judged]:
    """For each fold of sites a model that was fitted without it, and last one of all pages, as texts of their files; by
    name of a set the model without it; and what pages reach by the models without their site's fold, and by those
    without their set.

    Parts are fitted in turn. Each learns from predictions of earlier parts on pages whose site, and mostly whose set,
    those had not seen (fit.split). The figures, too, are from models that had not seen the page.
    """
    fitted = fit_scores(files, examples, recipe, jobs, say)
    by = fitted.split
    layouts = lay_out(files, examples, fitted.scores)
    far_layouts = lay_out(files, examples, fitted.far_scores)
    seen = by.learned_from(layouts, far_layouts)
    page_weights = [recipe.page_weight(example) for example in examples]
    whole = [[i for i in chosen if not examples[i].partial] for chosen in by.inside]
    real = [[i for i in chosen if examples[i].dataset not in MADE] for chosen in whole]
    choices = each(jobs, len(whole), lambda m: fit_choices(_of(seen, whole[m]), _of(page_weights, whole[m]), recipe))
    predicted = [np.asarray(choices[m].predict(each.values.T)) for each, m in zip(layouts, by.near, strict=True)]
    far_predicted = [np.asarray(choices[m].predict(each.values.T)) for each, m in zip(far_layouts, by.far, strict=True)]
    say("choices")
    tunings = [fit_tuning(_of(predicted, chosen), _of(layouts, chosen), recipe) for chosen in real]
    parts = zip(fitted.weights, fitted.first, fitted.second, choices, tunings, strict=True)
    models = [export(VERSION, *each) for each in parts]
    return (
        [*models[:FOLDS], models[-1]],
        {
            example.dataset: models[far]
            for example, far in zip(examples, by.far, strict=True)
            if far >= FOLDS and example.dataset not in MADE
        },
        Judged(examples, layouts, predicted, [tunings[m] for m in by.near]),
        Judged(examples, far_layouts, far_predicted, [tunings[m] for m in by.far]),
    )


@dataclass(frozen=True, slots=True)
class Fitted:
    """The parts of the models that score blocks, one for each of split.inside, and each page's scores by the models
    without it.
    """

    split: Split
    weights: list[bytes]
    first: list[lgb.Booster]
    second: list[lgb.Booster]
    scores: list[Floats]
    """By the model without the page's fold of sites."""
    far_scores: list[Floats]
    """By the model without the page's set."""


def fit_scores(
    files: Sequence[Path], examples: Sequence[Example], recipe: Recipe, jobs: int, say: Callable[[str], None]
) -> Fitted:
    """Weights and trees of both stages, and what they say of pages of which they saw no site, and no set."""
    pages = sample(examples, recipe)
    by = split(examples, recipe)
    inside = by.inside
    weights = each(jobs, len(inside), lambda m: fit_weights(_of(pages, inside[m]), recipe))
    values = [with_weights(example, weights[m]) for example, m in zip(examples, by.near, strict=True)]
    far_values = [with_weights(example, weights[m]) for example, m in zip(examples, by.far, strict=True)]
    say("weights of tokens and terms")
    first = each(
        jobs, len(inside), lambda m: fit_blocks(_of(pages, inside[m]), _of(values, inside[m]), recipe.first, recipe)
    )
    first_scores = [predict_blocks(first[m], each) for each, m in zip(values, by.near, strict=True)]
    far_first_scores = [predict_blocks(first[m], each) for each, m in zip(far_values, by.far, strict=True)]
    say("first scores")
    values = with_context(files, values, first_scores)
    far_values = with_context(files, far_values, far_first_scores)
    seen = by.learned_from(values, far_values)
    second = each(
        jobs, len(inside), lambda m: fit_blocks(_of(pages, inside[m]), _of(seen, inside[m]), recipe.second, recipe)
    )
    scores = _scores(second, values, first_scores, by.near)
    far_scores = _scores(second, far_values, far_first_scores, by.far)
    say("scores")
    return Fitted(by, weights, first, second, scores, far_scores)


def _scores(
    second: Sequence[lgb.Booster], values: Sequence[Ints], first_scores: Sequence[Floats], models: Sequence[int]
) -> list[Floats]:
    """The scores that count: the mean of first and second ones."""
    pages = zip(values, first_scores, models, strict=True)
    return [np.float32(0.5) * (first + predict_blocks(second[m], each)) for each, first, m in pages]


def _of(found: Sequence[T], chosen: Sequence[int]) -> list[T]:
    return [found[i] for i in chosen]


if __name__ == "__main__":
    main()
