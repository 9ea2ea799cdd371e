# SPDX-License-Identifier: Apache-2.0
"""What each stage of the work on a page costs: CPU time for a byte, and how it grows with the page.

    PYTHONPATH=src python tests/page_costs.py [--from 32768] [--doublings 3] [--only WORD] [--all]

prints a line of a Markdown table for each structure of hostile_structures.py: the stage that costs most, its
microseconds for a byte in each size, the power of the size that it grows with, all stages together, and the memory of
a workspace for a byte.

Costs are judged by what an ordinary page costs on the same machine at the same time, so no test knows how fast it is. A
machine at work on other things only ever adds to a time: what seems too slow is measured again, several times, and the
least time counts; what takes less than FLOOR is not judged by its growth.
"""

import argparse
import gc
import math
import sys
import time
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any, Final, NamedTuple

from costs import ordinary_page
from hostile_structures import STRUCTURES, page_of

from thresher.native.base.characters import first_letters
from thresher.native.writing.block_columns import block_columns
from thresher.options import EXTRACTORS
from thresher.page.charset import decode
from thresher.page.page_extractor import PageExtractor

URL: Final = "http://www.example.org/2014/03/a-page-of-words.html"
LATEST: Final = date(2026, 1, 1)
DEAR: Final = 200.0  # times as much for a byte of one stage as of all for an ordinary page; "all extractors": of each
GROWTH: Final = (
    1.4  # the exponent of the size that a cost may grow with; 1 is linear, 2 is quadratic; caches are worth .2
)
LARGEST: Final = 16 << 20  # bytes: the default limit of a page, for which the cost of what grows is estimated
GROWN: Final = 50.0  # times as much for a byte of such a page, of what grows faster than the page
FLOOR: Final = 0.002  # seconds
TRIES: Final = 12


class Pages:
    """Workspaces that are used for one page after another."""

    def __init__(self) -> None:
        self.first = PageExtractor()
        self.whole = PageExtractor("all")
        self.all = PageExtractor(extractors=list(EXTRACTORS))
        self.ordinary = math.inf
        """The least seconds that all stages took for a byte of an ordinary page."""

    def measure_ordinary(self) -> None:
        """Measures an ordinary page, again."""
        page = ordinary_page(1 << 18)
        stages = seconds_of(self, page)
        seconds = sum(each for stage, each in stages.items() if stage != "all extractors")
        self.ordinary = min(self.ordinary, seconds / len(page))

    def stages(self, page: bytes) -> Iterator[tuple[str, Callable[[], Any]]]:
        """The stages of the work on a page in their order, each a function to be called once before the next.

        What writes is given the whole page: the default extractor may drop a page written against it.
        """
        first, whole, every = self.first, self.whole, self.all
        decoded: list[bytes] = []
        yield "decode", lambda: decoded.append(decode(page).utf8)
        utf8 = decoded[0]
        yield "parse", lambda: first.parse(utf8, URL)
        yield "measure", first.measure
        yield "classify", first.classify
        yield "text and data", first.render
        parts = first.workspace.document, first.workspace.metrics, first.workspace.blocks
        yield "block columns", lambda: block_columns(*parts)
        yield "fingerprints", first.fingerprints
        yield "metadata", lambda: first.metadata(URL, not_after=LATEST)
        whole.parse(utf8, URL)
        whole.measure()
        whole.classify()
        workspace = whole.workspace
        url = URL.encode()
        yield "text", workspace.render
        text = workspace.render()
        yield "language letters", lambda: first_letters(text, 1000)
        for name in ("markdown", "html"):
            yield (
                name,
                lambda name=name: workspace.render_markup(name, links=True, images=True, html_tables=True, url=url),
            )
        yield "pack", lambda: whole.pack(-32768)
        yield "blocks", whole.blocks
        every.parse(utf8, URL)
        every.measure()
        yield "all extractors", every.classify


class Costs(NamedTuple):
    """Seconds of each stage in each size, and of all stages for a byte of an ordinary page."""

    sizes: tuple[int, ...]
    seconds: dict[str, list[float]]
    ordinary: float

    def microseconds(self, stage: str) -> list[float]:
        """The cost for a byte in each size."""
        return [1e6 * each / size for each, size in zip(self.seconds[stage], self.sizes, strict=True)]

    def growth(self, stage: str) -> float:
        """The exponent that a stage grows with from the smallest page to the largest; 0 for what takes no time."""
        first, last = self.seconds[stage][0], self.seconds[stage][-1]
        if last < FLOOR:
            return 0.0
        return math.log(last / max(first, FLOOR / 64)) / math.log(self.sizes[-1] / self.sizes[0])

    def faults(self) -> list[str]:
        """The stages that cost more than is promised, or grow so fast that they would on the largest page.

        Caches make every stage somewhat slower on larger pages. So growth is a fault if it is more than theirs, and if
        it comes to something at the limit of 16 MiB.
        """
        found = []
        size = self.sizes[-1]
        for stage, seconds in self.seconds.items():
            ordinary = self.ordinary * (len(EXTRACTORS) if stage == "all extractors" else 1)
            cost = seconds[-1] / size
            if cost > DEAR * ordinary:
                found.append(f"{stage}: {cost / ordinary:.0f} times an ordinary page's cost for a byte of {size:,}")
            growth = self.growth(stage)
            if growth > GROWTH and cost * (LARGEST / size) ** (growth - 1) > GROWN * ordinary:
                costs = ", ".join(f"{each:.3f}" for each in self.microseconds(stage))
                found.append(f"{stage}: grows with the power {growth:.2f}: {costs} µs for a byte")
        return found


def seconds_of(pages: Pages, page: bytes) -> dict[str, float]:
    """The CPU time of each stage. The cyclic garbage of the test process is not the page's."""
    found = {}
    gc.disable()
    try:
        for name, run in pages.stages(page):
            start = time.thread_time()
            run()
            found[name] = time.thread_time() - start
    finally:
        gc.enable()
    return found


def costs_of(pages: Pages, structure: str, sizes: tuple[int, ...]) -> Costs:
    """The costs of a structure, measured again where they look like a fault."""
    made = [page_of(structure, size) for size in sizes]
    seconds_of(pages, made[0])  # what only the first page of its kind needs
    costs = Costs(tuple(map(len, made)), {}, pages.ordinary)
    for tried in range(TRIES):
        if tried or costs.ordinary == math.inf:
            pages.measure_ordinary()
            costs = costs._replace(ordinary=pages.ordinary)
        for number, page in enumerate(made):
            for stage, seconds in seconds_of(pages, page).items():
                kept = costs.seconds.setdefault(stage, [math.inf] * len(made))
                kept[number] = min(kept[number], seconds)
        if not costs.faults():
            break
    return costs


def memory_of(page: bytes) -> int:
    """The memory of a new workspace after a page, its text and its Markdown."""
    new = PageExtractor(format="markdown", links=True, images=True, tables="html")
    new.extract(page, URL)
    return new.workspace.nbytes


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="smallest", type=int, default=1 << 15, help="bytes of the smallest page")
    parser.add_argument("--doublings", type=int, default=3)
    parser.add_argument("--only", default="", help="structures with this word in their names")
    parser.add_argument("--all", action="store_true", help="a line for each stage")
    arguments = parser.parse_args()
    sizes = tuple(arguments.smallest << number for number in range(arguments.doublings + 1))
    heads = [f"{size >> 10} KiB" for size in sizes]
    print("| structure | stage | " + " | ".join(heads) + " | growth | all stages | memory |")
    print("|---|---|" + "---|" * (len(sizes) + 3))
    pages = Pages()
    n_faults = 0
    for name in STRUCTURES:
        if arguments.only not in name:
            continue
        costs = costs_of(pages, name, sizes)
        total = sum(costs.microseconds(stage)[-1] for stage in costs.seconds if stage != "all extractors")
        faults = costs.faults()
        n_faults += bool(faults)
        stages = sorted(costs.seconds, key=lambda stage: -costs.seconds[stage][-1])
        if not arguments.all:
            stages = [stage for stage in stages if stage != "all extractors"][:1]
        for stage in stages:
            figures = " | ".join(f"{cost:.3f}" for cost in costs.microseconds(stage))
            memory = memory_of(page_of(name, sizes[-1])) / costs.sizes[-1]
            print(
                f"| {name} | {stage} | {figures} | {costs.growth(stage):.2f} | {total:.2f} | {memory:.1f} |", flush=True
            )
        for fault in faults:
            print(f"FAULT {name}: {fault}", file=sys.stderr, flush=True)
    if n_faults:
        sys.exit(1)


if __name__ == "__main__":
    main()
