# SPDX-License-Identifier: Apache-2.0
"""Rebuilds the model from labelled pages: `python -m thresher.train --out FILE [--report FILE]`, the same bytes for the same data and seed.

With `--held-out DIR` also a model for each fifth of the sites that has not seen any page of theirs, for `thresher evaluate --held-out DIR`.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from thresher.evaluate.folds import FOLDS, site_fold
from thresher.evaluate.pages import list_datasets
from thresher.evaluate.systems import held_out_file
from thresher.train.choices import lay_out
from thresher.train.dataset import Example, Floats, Reader, fold_of
from thresher.train.export import export
from thresher.train.fit import Layout, Recipe, choose, fit_blocks, fit_choices, out_of_fold, sample, token_values
from thresher.train.report import report

VERSION = "1"


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
    if not arguments.out and not arguments.held_out:
        parser.error("nothing to write: give --out FILE, --held-out DIR, or both")
    recipe = Recipe(seed=arguments.seed)
    folder = arguments.data / "labelled" if (arguments.data / "labelled").is_dir() else arguments.data
    files = list_datasets(folder)
    started = time.monotonic()

    def say(message: str) -> None:
        sys.stderr.write(f"{time.monotonic() - started:5.0f} s  {message}\n")

    examples = list(Reader().read(files))
    say(f"{len(examples)} pages")
    if arguments.out:
        nobody = np.zeros(len(examples), dtype=np.bool_)
        model, layouts = fit(files, examples, nobody, recipe, say)
        if arguments.report:
            arguments.report.write_text(_cross_validate(examples, layouts, recipe), encoding="utf-8")
            say(f"report written to {arguments.report}")
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        arguments.out.write_text(model, encoding="utf-8")
        say(f"model written to {arguments.out}")
    if arguments.held_out:
        arguments.held_out.mkdir(parents=True, exist_ok=True)
        folds = np.array([site_fold(example.site) for example in examples])
        for fold in range(FOLDS):
            model, _ = fit(files, examples, folds == fold, recipe, say)
            path = held_out_file(arguments.held_out, fold)
            path.write_text(model, encoding="utf-8")
            say(f"{path} written, without the {(folds == fold).sum()} pages of fold {fold}")


def fit(
    files: Sequence[Path],
    examples: Sequence[Example],
    held_out: npt.NDArray[np.bool_],
    recipe: Recipe,
    say: Callable[[str], None],
) -> tuple[str, list[Layout | None]]:
    """A model fitted without the examples that are held out, as the text of its file, and the choices of each page, None for those held out."""
    used = np.flatnonzero(~held_out).tolist()
    pages = sample([examples[i] for i in used], recipe)
    token_weights, values = token_values(pages, recipe)
    say("token weights")
    scores: list[Floats] = [np.zeros(0, dtype=np.float32)] * len(examples)
    for i, found in zip(used, out_of_fold(pages, [examples[i].site for i in used], recipe, values), strict=True):
        scores[i] = found
    say("block scores out of fold")
    layouts = lay_out(files, examples, scores)
    say("choices laid out")
    choices = fit_choices(*_present(examples, layouts, ~held_out, recipe), recipe)
    blocks = fit_blocks(pages, values, recipe)
    return export(VERSION, token_weights, blocks, choices, recipe.expected_weight), layouts


def _cross_validate(examples: Sequence[Example], layouts: Sequence[Layout | None], recipe: Recipe) -> str:
    """The report: each page's choice made by trees of other sites."""
    folds = np.array([fold_of(example.site, recipe.folds, "choices") for example in examples])
    f1, confidence = np.zeros(len(examples)), np.zeros(len(examples))
    for fold in range(recipe.folds):
        model = fit_choices(*_present(examples, layouts, folds != fold, recipe), recipe)
        for i in np.flatnonzero(folds == fold).tolist():
            layout = layouts[i]
            if layout is not None:
                predicted = np.asarray(model.predict(layout.values.T))
                taken = choose(layout, predicted, recipe)
                f1[i], confidence[i] = layout.f1[taken], min(max(predicted[taken], 0.0), 1.0)
    return report(examples, f1.tolist(), confidence.tolist())


def _present(
    examples: Sequence[Example], layouts: Sequence[Layout | None], wanted: npt.NDArray[np.bool_], recipe: Recipe
) -> tuple[list[Layout], list[float]]:
    """The layouts of the wanted pages that have one, with their weights."""
    chosen = [
        (layout, recipe.page_weight(example))
        for example, layout, take in zip(examples, layouts, wanted, strict=True)
        if take and layout is not None
    ]
    return [layout for layout, _ in chosen], [weight for _, weight in chosen]


if __name__ == "__main__":
    main()
