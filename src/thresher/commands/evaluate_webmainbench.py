# SPDX-License-Identifier: Apache-2.0
"""`thresher evaluate --webmainbench`: the tables that the benchmark's page shows."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console
from rich.table import Table

import thresher
from thresher.commands.evaluate_output import make_table, progress_bars, wide_console
from thresher.lab.evaluate import webmainbench
from thresher.lab.evaluate.peers import Mode
from thresher.lab.evaluate.systems import core_version
from thresher.lab.evaluate.webmainbench import LEVELS, Judged, Row
from thresher.running.crew import available_cores

_MOST_GROUPS = 10  # languages or styles of a table, the most frequent ones


def measure_webmainbench(
    file: Path, extractors: Sequence[str], peers: Sequence[str], options: Mapping[str, Any]
) -> None:
    """Measures systems by the rules of WebMainBench, and prints its tables. Without a name, `thresher` is measured."""
    extractors = extractors or ([] if peers else ["thresher"])
    systems = webmainbench.converted_systems(extractors, peers, held_out=options["held_out"])
    rows = webmainbench.read_rows(file, limit=options["limit"])
    judged: list[tuple[str, Mode, list[Judged]]] = []
    with progress_bars() as bar:
        for system, name, mode in systems:
            advance = bar(system.name, len(rows))
            found = []
            for each in webmainbench.judge(
                rows, system, jobs=options["jobs"] or available_cores(), time_limit=options["time_limit"]
            ):
                found.append(each)
                advance()
            judged.append((name, mode, found))
    console = wide_console()
    console.print(f"{len(rows)} pages of {file.name} (SHA-256 {webmainbench.file_hash(file)[:16]}), {_versions()}")
    differing = sum(row.gold_differs for row in rows)
    if differing:
        console.print(
            f"html2text of main_html differs from convert_main_content on {differing} pages: the gold was made by"
            " another version of html2text, or in another way"
        )
    _print_rouge(console, judged, rows, options)
    if any(system.name.startswith("thresher/") and not system.models for system, _, _ in systems):
        console.print(
            "If sites of this file are in the model's training data (docs/model-card.md), --held-out keeps them apart."
        )
    if options["parquet"] is not None:
        pq.write_table(pa.Table.from_pylist(webmainbench.results(judged)), options["parquet"], compression="zstd")


def _print_rouge(
    console: Console,
    judged: Sequence[tuple[str, Mode, Sequence[Judged]]],
    rows: Sequence[Row],
    options: Mapping[str, Any],
) -> None:
    levels: list[str | None] = [level for level in LEVELS if any(row.level == level for row in rows)]
    languages, styles = _frequent(row.page.language for row in rows), _frequent(row.style for row in rows)
    groups: list[tuple[str, list[str | None], Callable[[Row], str | None]]] = [
        ("", levels, lambda row: row.level),
        (" by language", languages, lambda row: row.page.language),
        (" by style", styles, lambda row: row.style),
    ]
    for title, values, of in groups:
        if not values and title:
            continue
        head = ["Extractor", "Mode", "All", *(str(value).capitalize() for value in values)]
        table = _table(f"ROUGE-5 F1{title}", head, options)
        for name, mode, pages in judged:
            means = [webmainbench.mean_rouge(pages)]
            means += [webmainbench.mean_rouge(one for one in pages if of(one.row) == value) for value in values]
            table.add_row(_line(name), mode, *("" if mean is None else f"{mean:.4f}" for mean in means))
        console.print(table)


def _frequent(values: Iterable[str | None]) -> list[str | None]:
    return [value for value, _ in Counter(values).most_common(_MOST_GROUPS) if value is not None]


def _table(title: str, head: Sequence[str], options: Mapping[str, Any]) -> Table:
    return make_table(title, head, ("Extractor", "Mode"), markdown=options["markdown"])


def _line(name: str) -> str:
    """The name of a system as the benchmark's table would show it: ours with their version."""
    from thresher.options import EXTRACTORS

    if name not in EXTRACTORS:
        return name
    return f"thresher {thresher.__version__}" if name == "thresher" else f"thresher {thresher.__version__} ({name})"


def _versions() -> str:
    """What figures depend on: our version and the hash of our package, and the versions of libraries."""
    others = "".join(f", {package} {metadata.version(package)}" for package in ("html2text", "jieba"))
    return f"thresher {thresher.__version__}, core {core_version()}{others}"
