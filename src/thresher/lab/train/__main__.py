# SPDX-License-Identifier: Apache-2.0
"""Rebuilds the model from labelled pages: `python -m thresher.lab.train --out FILE [--report FILE]`.

The same data and seed give the same bytes. With `--held-out DIR` it also writes the models behind the figures: for each
fifth of the sites, a model fitted without its pages, for `thresher evaluate --held-out DIR`; and for each set, a model
fitted without it, `without-set-NAME.json`.
"""

from collections.abc import Callable, Sequence
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
    fit_blocks,
    fit_choices,
    fit_confidence,
    fit_weights,
    predict_blocks,
    sample,
    split,
    with_weights,
)
from thresher.lab.train.inserts import write_inserts
from thresher.lab.train.report import Judged, report

VERSION = "9"

T = TypeVar("T")


def main(argv: list[str] | None = None) -> None:
    """Fits the model and writes it; with --report also the figures of cross-validation grouped by site, and by set."""
    parser = options("thresher.lab.train", "Rebuild the model of the learned extractor.")
    parser.add_argument(
        "--classes",
        type=Path,
        nargs="+",
        default=[],
        metavar="FILE",
        help="sets whose blocks have classes, as benchmarks/class_labels.py set writes them; cut pages and pages with "
        "furniture are made of the first one",
    )
    parser.add_argument("--seed", type=int, default=Recipe().seed)
    arguments = parse(parser, argv)
    files = labelled_sets(arguments.data) + arguments.classes
    say = narrator()
    with TemporaryDirectory() as folder:
        if arguments.classes:
            of = arguments.classes[0]
            files += [*write_cuts(of, Path(folder)), write_inserts(of, Path(folder))]
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
) -> tuple[list[str], dict[str, str], list[Judged], list[Judged]]:
    """For each fold of sites a model that was fitted without it, and last one of all pages, as texts of their files; by
    name of a set the model without it; and what pages reach by the models without their site's fold, and by those
    without their set.

    Parts are fitted in turn. Each learns from predictions of earlier parts on pages whose site, and mostly whose set,
    those had not seen (fit.split). The figures, too, are from models that had not seen the page.
    """
    pages, by = sample(examples, recipe), split(examples, recipe)
    views = by.near, by.far  # whose models judge the pages: what follows is known of each page once for each of them

    def fit_each(inside: Sequence[list[int]], part: Callable[[list[int]], T]) -> list[T]:
        return each(jobs, len(inside), lambda m: part(inside[m]))

    weights = fit_each(by.inside, lambda chosen: fit_weights(_of(pages, chosen), recipe))
    values = [[with_weights(page, weights[m]) for page, m in zip(examples, view, strict=True)] for view in views]
    say("weights of tokens and terms")
    first = fit_each(
        by.inside, lambda chosen: fit_blocks(_of(pages, chosen), _of(values[0], chosen), recipe.first, recipe)
    )
    first_scores = [_scores(first, *of_view) for of_view in zip(values, views, strict=True)]
    say("first scores")
    values = [with_context(files, *of_view) for of_view in zip(values, first_scores, strict=True)]
    seen = by.learned_from(*values)
    second = fit_each(
        by.inside, lambda chosen: fit_blocks(_of(pages, chosen), _of(seen, chosen), recipe.second, recipe)
    )
    second_scores = [_scores(second, *of_view) for of_view in zip(values, views, strict=True)]
    # The scores that count are the means of first and second ones.
    scores = [
        [np.float32(0.5) * (one + other) for one, other in zip(*both, strict=True)]
        for both in zip(first_scores, second_scores, strict=True)
    ]
    say("scores")
    layouts = [lay_out(files, examples, of_view) for of_view in scores]
    learned = by.learned_from(*layouts)
    page_weights = [recipe.page_weight(example) for example in examples]
    whole = [[i for i in chosen if not examples[i].partial] for chosen in by.inside]
    choices = fit_each(whole, lambda chosen: fit_choices(_of(learned, chosen), _of(page_weights, chosen), recipe))
    predicted = [
        [np.asarray(choices[m].predict(layout.values.T)) for layout, m in zip(*of_view, strict=True)]
        for of_view in zip(layouts, views, strict=True)
    ]
    say("choices")
    real = [[i for i in chosen if examples[i].dataset not in MADE] for chosen in whole]
    confidence = [fit_confidence(_of(predicted[0], chosen), _of(layouts[0], chosen), recipe) for chosen in real]
    parts = zip(weights, first, second, choices, confidence, strict=True)
    models = [export(VERSION, recipe.expected_weight, *of_model) for of_model in parts]
    without_set = {
        example.dataset: models[m]
        for example, m in zip(examples, by.far, strict=True)
        if m >= FOLDS and example.dataset not in MADE
    }
    near, far = (
        [
            Judged(page, layout, said, confidence[m], recipe.expected_weight)
            for page, layout, said, m in zip(examples, *of_view, strict=True)
        ]
        for of_view in zip(layouts, predicted, views, strict=True)
    )
    return [*models[:FOLDS], models[-1]], without_set, near, far


def _scores(models: Sequence[lgb.Booster], values: Sequence[Ints], view: Sequence[int]) -> list[Floats]:
    """The scores of each page's blocks by its model."""
    return [predict_blocks(models[m], of_page) for of_page, m in zip(values, view, strict=True)]


def _of(found: Sequence[T], chosen: Sequence[int]) -> list[T]:
    return [found[i] for i in chosen]


if __name__ == "__main__":
    main()
