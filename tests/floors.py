# SPDX-License-Identifier: Apache-2.0
"""Quality floors: the lowest mean F1 that each of our extractors may have on each set.

    python tests/floors.py --data DIR --floors tests/gate/floors.json     prints what is below its floor
    python tests/floors.py … --update                                     raises floors and adds new ones
    python tests/floors.py … --update --lower                             also lowers floors; say why in
    the commit

The gate takes seconds because it uses a sample of each set, chosen by the hash of the pages' ids. Floors hold for these
pages only, so the hash of their HTML and gold texts is pinned with them.
"""

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import click

from thresher.lab.evaluate import metrics
from thresher.lab.evaluate.pages import EvaluationError, Page, corpus_hash, list_datasets, read_pages
from thresher.lab.evaluate.systems import System, core_version, our_extractors

PAGES_PER_SET = 50
GATED = {"word_cjk": metrics.word_cjk_score, "lcs": metrics.lcs_score}
"""The metrics of the floors: one ignores the order of words, one follows it."""

Figures = dict[str, dict[str, dict[str, float]]]
"""extractor -> set -> metric -> mean F1"""


@dataclass(frozen=True, slots=True)
class Floors:
    corpus: str
    pages_per_set: int
    f1: Figures


def read_floors(path: Path) -> Floors:
    value = json.loads(path.read_text(encoding="utf-8"))
    return Floors(value["corpus"], value["pages_per_set"], value["f1"])


def write_floors(path: Path, floors: Floors) -> None:
    """Writes the floors with sorted keys, so that a diff shows what changed."""
    value = {"corpus": floors.corpus, "pages_per_set": floors.pages_per_set, "f1": floors.f1}
    path.write_text(json.dumps(value, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def sample(data: Path, pages_per_set: int = PAGES_PER_SET) -> list[Page]:
    """The pages of the gate: so many with gold text from each set of a directory."""
    return [page for file in list_datasets(data) for page in read_pages(file, limit=pages_per_set)]


def measure(pages: Iterable[Page], extractors: Iterable[str]) -> Figures:
    """The mean F1 of each extractor on each set, rounded down to four digits.

    Runs in this process: a crash fails the gate.
    """
    pages = list(pages)
    figures: Figures = {}
    for name in extractors:
        extract = System(name, "extractor", core_version()).load()
        values: dict[str, dict[str, list[float]]] = {}
        for page in pages:
            text = extract(page.html, page.language)
            by_metric = values.setdefault(page.dataset, {})
            for metric, function in GATED.items():
                by_metric.setdefault(metric, []).append(function(text, page.gold).f1)
        figures[name] = {
            dataset: {metric: math.floor(math.fsum(f1) / len(f1) * 10_000) / 10_000 for metric, f1 in by_metric.items()}
            for dataset, by_metric in values.items()
        }
    return figures


def shortfalls(floors: Floors, corpus: str, measured: Figures) -> list[str]:
    """Why the gate fails, one line per reason: different pages, values below their floor, extractors without floors."""
    if floors.corpus != corpus:
        return [f"the floors belong to other pages (corpus {floors.corpus[:16]}, here {corpus[:16]}): pin them again"]
    lines = [
        f"{name} on {dataset}: {metric} F1 {value:.4f} is below its floor {floor:.4f}"
        for name, datasets in floors.f1.items()
        for dataset, by_metric in datasets.items()
        for metric, floor in by_metric.items()
        if (value := measured.get(name, {}).get(dataset, {}).get(metric, 0.0)) < floor
    ]
    return lines + [f"{name} has no floors yet: run with --update" for name in measured if name not in floors.f1]


def updated(floors: Floors | None, corpus: str, measured: Figures, *, lower: bool) -> Floors:
    """The floors after an update: the higher of floor and measured value, or with `lower` the measured value.

    Different pages and removed extractors take floors away, so they need `lower` as well. EvaluationError without it.
    """
    if floors is None or lower:
        return Floors(corpus, PAGES_PER_SET, measured)
    if floors.corpus != corpus:
        raise EvaluationError("these are other pages than the pinned ones; --lower replaces the floors")
    gone = sorted(set(floors.f1) - set(measured))
    if gone:
        raise EvaluationError(f"no longer an extractor: {', '.join(gone)}; --lower drops its floors")
    raised = {
        name: {
            dataset: {
                metric: max(value, floors.f1.get(name, {}).get(dataset, {}).get(metric, 0.0))
                for metric, value in by_metric.items()
            }
            for dataset, by_metric in datasets.items()
        }
        for name, datasets in measured.items()
    }
    return Floors(corpus, floors.pages_per_set, raised)


@click.command()
@click.option(
    "--data", required=True, type=click.Path(path_type=Path, exists=True), help="Directory with labelled Parquet files."
)
@click.option(
    "--floors", "path", required=True, type=click.Path(path_type=Path, dir_okay=False), help="File with the floors."
)
@click.option("--update", is_flag=True, help="Raise the floors to what was measured.")
@click.option("--lower", is_flag=True, help="With --update, also lower floors. Justify it in the commit.")
def main(*, data: Path, path: Path, update: bool, lower: bool) -> None:
    """Compare our extractors with their floors, or update the floors."""
    try:
        floors = read_floors(path) if path.exists() else None
        pages = sample(data, PAGES_PER_SET if floors is None or lower else floors.pages_per_set)
        measured, corpus = measure(pages, our_extractors()), corpus_hash(pages)
        if update:
            write_floors(path, updated(floors, corpus, measured, lower=lower))
            return
    except EvaluationError as error:
        raise click.ClickException(str(error)) from error
    lines = (
        shortfalls(floors, corpus, measured) if floors is not None else [f"{path} does not exist: run with --update"]
    )
    for line in lines:
        click.echo(line)
    raise SystemExit(1 if lines else 0)


if __name__ == "__main__":
    main()
