# SPDX-License-Identifier: Apache-2.0
"""`thresher evaluate`: extractors and peers over labelled pages.

Only click is imported at the top, because `thresher --help` imports this module as well.
"""

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from thresher.commands.help import Command
from thresher.commands.options import Number, split_names
from thresher.commands.refusals import Refusal
from thresher.errors import install_command

if TYPE_CHECKING:
    import pyarrow as pa
    from rich.table import Table

    from thresher.lab.evaluate.labelled_pages import LabelledPages
    from thresher.lab.evaluate.systems import System


NOT_WITH_BENCHMARK = ("sets", "metric", "cache", "report", "facts", "labels", "by")
"""Options that mean nothing with --webmainbench."""
LIBRARIES = (
    "html2text", "jieba", "jinja2", "numpy", "rapidfuzz", "resiliparse",
)  # fmt: skip
"""What the extra `evaluate` brings."""
FOLDER: Any = click.Path(path_type=Path, exists=True, file_okay=False)
FILE: Any = click.Path(path_type=Path, exists=True, dir_okay=False)
NEW_FILE: Any = click.Path(path_type=Path, dir_okay=False)


def _names(_context: click.Context, _parameter: click.Parameter, value: str | None) -> list[str]:
    return split_names(value or "")


@click.command("evaluate", cls=Command, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--data",
    type=click.Path(path_type=Path, exists=True),
    help="A directory of labelled files (Parquet with the columns html and gold), or one of them."
    "  [required unless a benchmark is given]",
)
@click.option(
    "--webmainbench",
    type=FILE,
    metavar="FILE",
    help="Measure by the rules of WebMainBench on its JSON Lines instead: F1 over 5-grams."
    " --peers are trafilatura, readability, resiliparse and fullpage.",
)
@click.option("--sets", callback=_names, help="Only these sets: names of files without their suffix, comma-separated.")
@click.option(
    "--extractors",
    callback=_names,
    help="Our extractors, or Python functions (module:function), comma-separated.  [default: all of ours, unless "
    "--peers is given]",
)
@click.option("--peers", callback=_names, help="Other systems, comma-separated (extra `peers`).")
@click.option(
    "--held-out",
    type=FOLDER,
    metavar="DIR",
    help="Judge each page by a model of the learned extractor that has not seen its site"
    " (python -m thresher.lab.train --held-out DIR fits them).",
)
@click.option(
    "--metric",
    default="rouge_lsum",
    show_default=True,
    help="Metric of the table: rouge_lsum, word, word_cjk, lcs, bag, 4gram.",
)
@click.option(
    "--limit", type=click.IntRange(min=1), help="Sample at most this many pages of each set, always the same ones."
)
@click.option("--jobs", type=click.IntRange(min=1), help="Worker processes.  [default: the number of cores]")
@click.option("--time-limit", type=Number(min=0.1), default=30.0, show_default=True, help="Seconds per page.")
@click.option(
    "--cache",
    type=click.Path(path_type=Path, file_okay=False),
    help="Directory for texts and scores.  [default: ~/.cache/thresher]",
)
@click.option("--parquet", type=NEW_FILE, help="Write all scores to this file: one row per page and system.")
@click.option("--report", type=NEW_FILE, help="Write an HTML report to this file.")
@click.option(
    "--facts",
    is_flag=True,
    help="Measure titles, authors, dates, sites and types instead of texts; peers: trafilatura, htmldate, newspaper, "
    "extruct.",
)
@click.option(
    "--labels",
    type=FILE,
    metavar="FILE",
    help="With --facts: the labels of the pages, a line each, instead of columns date, title and authors.",
)
@click.option(
    "--by",
    type=click.Choice(("set", "language", "decade", "generator")),
    default="set",
    show_default=True,
    help="With --facts: print a row for each set, language, decade or generator. Groups under 20 pages are joined.",
)
@click.option("--markdown", is_flag=True, help="Print the tables as Markdown.")
def evaluate(
    data: Path | None,
    sets: list[str],
    extractors: list[str],
    peers: list[str],
    held_out: Path | None,
    cache: Path | None,
    webmainbench: Path | None,
    **options: Any,  # noqa: ANN401 - what click parsed, by name
) -> None:
    """Measure extractors on pages whose main text is known.

    Prints a table: precision, recall and F1 of each extractor, with 95 % intervals over sites, and its time a page.
    With --parquet and --report it also writes the scores and a report. Texts and scores are kept in the folder of
    --cache, so that no system is run twice over the same pages.

    \b
    Examples:
      thresher evaluate --data labelled/
      thresher evaluate --data pages.parquet --extractors thresher,cetd --limit 100 --report report.html
      thresher evaluate --data labelled/ --peers trafilatura,resiliparse --metric word --markdown
    """
    missing = [name for name in LIBRARIES if importlib.util.find_spec(name) is None]
    if missing:
        raise Refusal(f"evaluation needs {', '.join(missing)}. Install with: {install_command('evaluate')}")
    from thresher.lab.evaluate.pages import EvaluationError

    place = data or webmainbench
    if place is None or (data and webmainbench):
        raise click.UsageError("give one of --data, --webmainbench")
    if options["labels"] and not options["facts"]:
        raise click.UsageError("--labels goes with --facts")
    if options["by"] != "set" and not options["facts"]:
        raise click.UsageError("--by goes with --facts")
    context = click.get_current_context()
    for name in NOT_WITH_BENCHMARK if webmainbench else ():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name} does not go with --webmainbench")
    options |= {"held_out": held_out, "cache": cache}
    try:
        for name in ("parquet", "report"):
            _check_writable(options[name], f"--{name}")
        if webmainbench:
            from thresher.commands.evaluate_webmainbench import measure_webmainbench

            measure_webmainbench(webmainbench, extractors, peers, options)
        elif options["facts"]:
            _measure_facts(place, sets, peers, options)
        else:
            _measure_texts(place, sets, extractors, peers, options)
    except EvaluationError as error:
        raise Refusal(str(error)) from error


def _measure_texts(
    data: Path, sets: list[str], extractors: list[str], peers: list[str], options: dict[str, Any]
) -> None:
    from thresher.lab.evaluate.cache import default_cache_directory
    from thresher.lab.evaluate.labelled_pages import LabelledPages
    from thresher.lab.evaluate.summary import SCORE_NAMES
    from thresher.lab.evaluate.systems import find_systems, our_extractors
    from thresher.running.crew import available_cores

    if options["metric"] not in SCORE_NAMES:
        raise click.BadParameter(f"{options['metric']!r} is none of {', '.join(SCORE_NAMES)}", param_hint="--metric")
    if not extractors and not peers:
        extractors = list(our_extractors())
    systems = find_systems(extractors, peers, held_out=options["held_out"])
    labelled = LabelledPages(
        data,
        sets,
        options["cache"] or default_cache_directory(),
        limit=options["limit"],
        jobs=options["jobs"] or available_cores(),
        time_limit=options["time_limit"],
    )
    _run(labelled, systems, options)


def _measure_facts(data: Path, sets: list[str], peers: list[str], options: dict[str, Any]) -> None:
    """Measures titles, authors, dates, sites and types, and prints the table."""
    from thresher.commands.evaluate_output import make_table, wide_console
    from thresher.lab.evaluate.facts import HEAD, READERS, estimates, judge, labelled_files, measure, read_labels

    for name in peers:
        if name not in READERS:
            raise click.BadParameter(f"{name!r} is none of {', '.join(READERS)}", param_hint="--peers")
        if importlib.util.find_spec(name) is None:
            raise Refusal(f"{name} is not installed. Install with: {install_command('peers')}")
    labels = read_labels(options["labels"]) if options["labels"] else None
    files = labelled_files(data, sets, options["labels"])
    readers = {name: READERS[name]() for name in dict.fromkeys(("thresher", *peers))}
    pages = list(judge(files, readers, labels=labels, limit=options["limit"]))
    by, markdown = options["by"], options["markdown"]
    table = make_table(None, ("system", by, *HEAD), ("system", by), markdown=markdown)
    for system, group, score in measure(pages, by):
        table.add_row(system, group, *score.cells())
    head = ("fact", "system", "pages", "right (95 % interval)", "wrong or invented")
    sure = make_table(None, head, head[:2], markdown=markdown)
    for fact, system, n, right, wrong in estimates(pages):
        sure.add_row(fact, system, str(n), str(right), str(wrong))
    console = wide_console()
    console.print(table)
    console.print(sure)


def _check_writable(path: Path | None, option: str) -> None:
    """Refuses a file that cannot be written: before the work, not after it."""
    if path is None:
        return
    folder = path.absolute().parent
    if not folder.is_dir() or not os.access(path if path.exists() else folder, os.W_OK):
        raise click.BadParameter(f"cannot write {path}", param_hint=option)


def _counts(labelled: "LabelledPages") -> str:
    n_gold = sum(bool(page.gold) for page in labelled.pages)
    without = f", {len(labelled.pages) - n_gold} known to have none" if n_gold < len(labelled.pages) else ""
    return f"{n_gold} pages with gold text{without}"


def _run(labelled: "LabelledPages", systems: "list[System]", options: dict[str, Any]) -> None:
    """Measures, prints the tables, and writes what was asked for."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from thresher.commands.evaluate_output import progress_bars, wide_console
    from thresher.lab.evaluate.tolerant import has_classes

    console = wide_console()
    with progress_bars() as bar:
        measured = [labelled.measure(system, bar(system.name, len(labelled.pages))) for system in systems]
    results = pa.concat_tables([one.table for one in measured]).unify_dictionaries()
    console.print(f"{_counts(labelled)}, corpus {labelled.corpus_hash[:16]}")
    markdown = options["markdown"]
    for table in summary_tables(results, options["metric"], markdown=markdown):
        console.print(table)
    if has_classes(results):
        for table in tolerant_tables(results, markdown=markdown):
            console.print(table)
    if any(system.name == "thresher" and not system.models for system in systems):
        console.print(
            "thresher was trained on the sets of its model card (docs/model-card.md): its figures there mean nothing"
            " without --held-out"
        )
    if options["parquet"] is not None:
        pq.write_table(results, options["parquet"], compression="zstd")
    if options["report"] is not None:
        from thresher.lab.evaluate.report import write_report

        options["report"].write_text(write_report(labelled, measured, results), encoding="utf-8")
        console.print(f"report: {options['report']}")


def summary_tables(results: "pa.Table", metric: str, *, markdown: bool) -> "Iterator[Table]":
    """The tables of the terminal: means over the sets of their means and medians, and the mean word F1 on each set."""
    from thresher.commands.evaluate_output import make_table
    from thresher.lab.evaluate.summary import HEAD, set_means, summarise

    table = make_table(f"{metric}, mean over the sets", HEAD, ("system",), markdown=markdown, folds=True)
    for row in summarise(results, metric):
        table.add_row(*row.cells())
    yield table
    names, means = set_means(results, "word_cjk_f1")
    title = "mean word F1 (Chinese and Japanese by character) on each set"
    table = make_table(title, ("system", *names), ("system",), markdown=markdown, folds=True)
    for system, values in sorted(means.items(), key=lambda item: -sum(item[1])):
        table.add_row(system, *(f"{value:.3f}" for value in values))
    yield table


def tolerant_tables(results: "pa.Table", *, markdown: bool) -> "Iterator[Table]":
    """The tables of the tolerant measure: systems with their ranks, then by type of page and by language."""
    from thresher.commands.evaluate_output import make_table
    from thresher.lab.evaluate.tolerant import HEAD, tolerant_rows

    rows = tolerant_rows(results)
    ranks = {row.system: rank for rank, row in enumerate(sorted(rows, key=lambda row: -row.word_f1), 1)}
    title = f"tolerant measure, {rows[0].pages} pages of {rows[0].sites} sites with classes of blocks"
    head = ("system", "rank", *HEAD, "word F1", "rank by it")
    table = make_table(title, head, ("system",), markdown=markdown)
    for rank, row in enumerate(rows, 1):
        table.add_row(row.system, str(rank), *row.cells(), f"{row.word_f1:.3f}", str(ranks[row.system]))
    yield table
    for name, about in (("page_type", "type of page"), ("language", "language")):
        columns = (about, "pages", "system", *HEAD)
        table = make_table(f"tolerant measure by {about}", columns, (about, "system"), markdown=markdown)
        before = None
        for row in tolerant_rows(results, name):
            first = [row.group, str(row.pages)] if row.group != before else ["", ""]
            table.add_row(*first, row.system, *row.cells())
            before = row.group
        yield table
