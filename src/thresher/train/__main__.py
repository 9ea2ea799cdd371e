# SPDX-License-Identifier: Apache-2.0
"""Rebuilds the model from labelled pages: `python -m thresher.train --out FILE [--report FILE]`, the same bytes for the same data and seed."""

import argparse
import os
import sys
import time
from pathlib import Path

import numpy as np

from thresher.evaluate.pages import list_datasets
from thresher.train.choices import lay_out
from thresher.train.dataset import Reader, fold_of
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
    parser.add_argument("--out", type=Path, required=True, help="model file to write")
    parser.add_argument("--report", type=Path, help="Markdown file for the figures of cross-validation")
    parser.add_argument("--seed", type=int, default=Recipe().seed)
    arguments = parser.parse_args(argv)
    recipe = Recipe(seed=arguments.seed)
    folder = arguments.data / "labelled" if (arguments.data / "labelled").is_dir() else arguments.data
    files = list_datasets(folder)
    started = time.monotonic()

    def say(message: str) -> None:
        sys.stderr.write(f"{time.monotonic() - started:5.0f} s  {message}\n")

    examples = list(Reader().read(files))
    say(f"{len(examples)} pages")
    pages = sample(examples, recipe)
    token_weights, values = token_values(pages, recipe)
    say("token weights")
    sites = [example.site for example in examples]
    scores = out_of_fold(pages, sites, recipe, values)
    say("block scores out of fold")
    layouts = lay_out(files, examples, scores)
    say("choices laid out")
    weights = [recipe.page_weight(example) for example in examples]
    if arguments.report:
        folds = np.array([fold_of(site, recipe.folds, "choices") for site in sites])
        f1, confidence = np.zeros(len(examples)), np.zeros(len(examples))
        for fold in range(recipe.folds):
            model = fit_choices(*_present(layouts, weights, folds != fold), recipe)
            for i in np.flatnonzero(folds == fold).tolist():
                layout = layouts[i]
                if layout is not None:
                    predicted = np.asarray(model.predict(layout.values.T))
                    taken = choose(layout, predicted, recipe)
                    f1[i], confidence[i] = layout.f1[taken], min(max(predicted[taken], 0.0), 1.0)
        arguments.report.write_text(report(examples, f1.tolist(), confidence.tolist()), encoding="utf-8")
        say(f"report written to {arguments.report}")
    choices = fit_choices(*_present(layouts, weights, np.ones(len(examples), dtype=bool)), recipe)
    blocks = fit_blocks(pages, values, recipe)
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(export(VERSION, token_weights, blocks, choices, recipe.expected_weight), encoding="utf-8")
    say(f"model written to {arguments.out}")


def _present(
    layouts: list[Layout | None], weights: list[float], wanted: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> tuple[list[Layout], list[float]]:
    """The layouts of the wanted pages that have one, with their weights."""
    chosen = [
        (layout, weight)
        for layout, weight, take in zip(layouts, weights, wanted, strict=True)
        if take and layout is not None
    ]
    return [layout for layout, _ in chosen], [weight for _, weight in chosen]


if __name__ == "__main__":
    main()
