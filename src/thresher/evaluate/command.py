# SPDX-License-Identifier: Apache-2.0
"""`thresher evaluate`: extractors and peers over labelled pages."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

if TYPE_CHECKING:
    import pyarrow as pa

_DEFAULT_TIME_LIMIT = 30.0  # seconds; the slowest peers need about 2 s for the largest labelled pages


def _names(_context: click.Context, _parameter: click.Parameter, value: str | None) -> list[str]:
    return [name.strip() for name in (value or "").split(",") if name.strip()]


@click.command("evaluate")
@click.option("--data", required=True, type=click.Path(path_type=Path, exists=True), help="Directory with labelled Parquet files, or one.")
@click.option("--sets", callback=_names, help="Only these sets, by file name without .parquet, comma-separated.")
@click.option("--extractors", callback=_names, help="Our extractors, comma-separated; all of them unless peers are given.")
@click.option("--peers", callback=_names, help="Other systems, comma-separated (extra `peers`).")
@click.option("--metric", default="rouge_lsum", show_default=True, help="What the table shows: rouge_lsum, word, word_cjk, lcs, bag, 4gram.")
@click.option("--limit", type=click.IntRange(min=1), help="At most this many pages of each set, always the same ones.")
@click.option("--jobs", type=click.IntRange(min=1), help="Worker processes  [default: the number of cores]")
@click.option("--time-limit", type=click.FloatRange(min=0.1), default=_DEFAULT_TIME_LIMIT, show_default=True, help="Seconds per page.")
@click.option("--cache", type=click.Path(path_type=Path, file_okay=False), help="Where texts and scores are kept  [default: ~/.cache/thresher]")
@click.option("--parquet", type=click.Path(path_type=Path, dir_okay=False), help="Write every page, extractor and metric here.")
@click.option("--per-set/--no-per-set", default=True, show_default=True, help="Print the mean word F1 on each set as well.")
def evaluate(
    data: Path,
    sets: list[str],
    extractors: list[str],
    peers: list[str],
    metric: str,
    limit: int | None,
    jobs: int | None,
    time_limit: float,
    cache: Path | None,
    parquet: Path | None,
    per_set: bool,
) -> None:
    """Measure extractors against gold texts: which one for my pages, and how far from the best?"""
    try:
        from thresher.evaluate.bench import Bench
        from thresher.evaluate.pages import EvaluationError
        from thresher.evaluate.runner import default_cache_directory
        from thresher.evaluate.summary import SCORE_NAMES
        from thresher.evaluate.systems import find_systems, our_extractors
    except ModuleNotFoundError as error:
        raise click.ClickException(f"{error}. Evaluation needs an extra: pip install 'thresher[evaluate]'") from error
    if metric not in SCORE_NAMES:
        raise click.BadParameter(f"{metric!r} is none of {', '.join(SCORE_NAMES)}", param_hint="--metric")
    console = Console()
    if not console.is_terminal:
        console = Console(width=200)  # a file or a pipe: room for every column
    try:
        if not extractors and not peers:
            extractors = list(our_extractors())
        systems = find_systems(extractors, peers)
        progress = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True)
        )
        with progress, Bench(data, sets, cache or default_cache_directory(), limit=limit, jobs=jobs or os.cpu_count() or 1) as bench:
            tables = []
            for system in systems:
                task = progress.add_task(system.name, total=bench.n_pages)
                tables.append(bench.measure(system, time_limit, lambda task=task: progress.advance(task)))
            import pyarrow as pa

            results = pa.concat_tables(tables).unify_dictionaries()
            n_pages, corpus = bench.n_pages, bench.corpus_hash
    except (EvaluationError, RuntimeError) as error:
        raise click.ClickException(str(error)) from error
    console.print(f"{n_pages} pages with gold text, corpus {corpus[:16]}")
    console.print(summary_table(results, metric))
    if per_set:
        console.print(set_table(results))
    if parquet is not None:
        import pyarrow.parquet as pq

        pq.write_table(results, parquet, compression="zstd")


def summary_table(results: "pa.Table", metric: str) -> Table:
    """The terminal's table: macro means and medians over sets."""
    from thresher.evaluate.summary import summarise

    table = Table(title=f"{metric}, macro over sets", title_justify="left")
    table.add_column("system", no_wrap=True)
    for name in ("P", "R", "F1", "median P", "median R", "median F1", "IQR of F1", "word F1", "ms/page", "failed", "empty"):
        table.add_column(name, justify="right")
    for row in summarise(results, metric):
        figures = (row.mean_precision, row.mean_recall, row.mean_f1, row.median_precision, row.median_recall, row.median_f1)
        table.add_row(
            f"({row.system})" if row.kind == "ensemble" else row.system,
            *(f"{figure:.3f}" for figure in figures),
            f"{row.first_quartile:.3f}-{row.third_quartile:.3f}",
            f"{row.word_f1:.3f}",
            f"{row.milliseconds:.2f}",
            str(row.failures),
            str(row.empty),
        )
    return table


def set_table(results: "pa.Table") -> Table:
    """The terminal's second table: mean word F1 on each set (Chinese and Japanese by character)."""
    from thresher.evaluate.summary import set_means

    names, means = set_means(results, "word_cjk_f1")
    table = Table(title="mean word F1 (Chinese and Japanese by character) on each set", title_justify="left")
    table.add_column("system", no_wrap=True)
    for name in names:
        table.add_column(name, justify="right", overflow="fold")
    for system, values in sorted(means.items(), key=lambda item: -sum(item[1])):
        table.add_row(system, *(f"{value:.3f}" for value in values))
    return table


if __name__ == "__main__":
    evaluate()
