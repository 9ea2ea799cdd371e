# SPDX-License-Identifier: Apache-2.0
"""Each extractor by itself: CPU milliseconds per page to choose blocks, after the parsing and measuring that all share.

    python benchmarks/extractors.py [--pages 400] [--rounds 3]

Every page is parsed once; then the extractors take turns, a different one first on each page. The workspace is that of
the pipeline. An ensemble's time includes all its members and the count. `thresher` also looks at concealed text, so its
blocks are cut again, and its row includes that.
"""

import argparse
import statistics
import time
from collections.abc import Callable

from measure import MODERN, OLDER, labelled, machine, versions, write

from thresher.native.choosing.registry import EXTRACTORS, NAMES
from thresher.native.parsing.document import Document
from thresher.native.workspace import Workspace

STAGES = ("parse", "measure", *NAMES, "render")


def times(pages: list[bytes], rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each stage and extractor on each page, the least of the rounds."""
    workspace = Workspace(Document())
    found: dict[str, list[float]] = {stage: [] for stage in STAGES}
    for number, page in enumerate(pages):
        best = dict.fromkeys(STAGES, float("inf"))

        def run(stage: str, call: Callable[..., object], *arguments: object, best: dict[str, float] = best) -> None:
            started = time.process_time_ns()
            call(*arguments)
            best[stage] = min(best[stage], (time.process_time_ns() - started) / 1e6)

        turn = number % len(NAMES)
        for _ in range(rounds):
            run("parse", workspace.parse, page)
            run("measure", workspace.measure)
            for name in NAMES[turn:] + NAMES[:turn]:
                if name != "thresher":
                    run(name, workspace.classify, EXTRACTORS[name])
            run("render", workspace.render)
            run("thresher", workspace.classify, EXTRACTORS["thresher"])
        for stage, value in best.items():
            found[stage].append(value)
    return found


def table(found: dict[str, list[float]]) -> list[str]:
    """Markdown rows."""
    lines = ["| | mean ms | median ms | 95 % of pages under |", "|---|---|---|---|"]
    for stage, values in found.items():
        last = statistics.quantiles(values, n=20)[-1]
        lines.append(f"| {stage} | {statistics.fmean(values):.3f} | {statistics.median(values):.3f} | {last:.3f} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=400, help="of each kind")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    text = ["# Extractors after parsing", ""]
    text += [f"CPU time, the least of {options.rounds} rounds for each page. {machine()}. {versions('thresher')}.", ""]
    for heading, sets in (("Pages of today (WCXB)", MODERN), ("Older pages (Dragnet, DAnIEL, CleanEval)", OLDER)):
        pages = labelled(sets, options.pages)
        size = sum(map(len, pages)) / len(pages) / 1024
        text += [
            f"## {heading}: {len(pages)} pages, {size:.0f} KB on average",
            "",
            *table(times(pages, options.rounds)),
            "",
        ]
    write("extractors", text)


if __name__ == "__main__":
    main()
