# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks share: pages, a line about the machine, interleaved rounds of CPU time, result tables.

Contestants take turns in every round, so a machine that slows down slows all of them. Tables show medians, and ratios
within a round; never the best round of one against the best round of another.
"""

import gc
import json
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

import pyarrow.parquet as pq

from thresher.native.scoring.model import MODEL_FILE

HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("THRESHER_DATA") or HERE.parent.parent / "shared" / "data")
MODERN = ("wcxb",)  # 2020s, every type of page: 280 KB on average
OLDER = ("dragnet", "daniel", "cleaneval_final")  # 2003 to 2014, mostly news: 74 KB on average


def labelled_file(name: str) -> Path:
    """The Parquet file of a labelled set; ends the program with a message if it is missing."""
    path = DATA / "labelled" / f"{name}.parquet"
    if not path.exists():
        sys.exit(f"No pages to measure with: {path} is missing (set THRESHER_DATA)")
    return path


def labelled(sets: Sequence[str], limit: int) -> list[bytes]:
    """The stored HTML of labelled pages: a sample of `limit`, the same each time."""
    pages: list[bytes] = []
    for name in sets:
        pages += [html or b"" for html in pq.read_table(labelled_file(name), columns=["html"])["html"].to_pylist()]
    random.Random(0).shuffle(pages)
    return pages[:limit]


@dataclass(frozen=True, slots=True)
class Work:
    """The work of a contestant in one round."""

    pages: int
    megabytes: float  # 10**6 bytes of HTML
    nodes: int = 0  # of thresher's tree, for every contestant: the same pages, the same nodes


@dataclass(slots=True)
class Contestant:
    """A system: its work in a round, and the seconds of each round."""

    name: str
    round: (
        Callable[[], float] | Callable[[], None]
    )  # may return the seconds itself, where not this process does the work
    work: Work
    note: str = ""
    seconds: list[float] | None = None


def cpu_seconds(run: Callable[[], float] | Callable[[], None]) -> float:
    gc.collect()
    before = time.process_time()
    returned = run()
    return returned if isinstance(returned, float) else time.process_time() - before


def compare(contestants: Sequence[Contestant], *, rounds: int, warm_up: bool = True) -> None:
    """Fills in `seconds`. Every other round runs in reverse order."""
    for contestant in contestants:
        contestant.seconds = []
    for number in range(-1 if warm_up else 0, rounds):
        for contestant in contestants if number % 2 == 0 else reversed(contestants):
            took = cpu_seconds(contestant.round)
            if number >= 0 and contestant.seconds is not None:
                contestant.seconds.append(took)
            print(f"  round {number + 1}/{rounds} {contestant.name}: {took:.2f} s", file=sys.stderr)


def table(contestants: Sequence[Contestant]) -> str:
    """A Markdown table of medians, and of the ratios to the first contestant's time within each round."""
    reference = contestants[0]
    lines = [
        f"| system | ms/page | pages/s | MB/s | M nodes/s | time against {reference.name} (min–max) | |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in contestants:
        assert one.seconds
        assert reference.seconds
        each = statistics.median(one.seconds) / one.work.pages
        ratios = [
            (a / one.work.pages) / (b / reference.work.pages)
            for a, b in zip(one.seconds, reference.seconds, strict=True)
        ]
        rate = one.work.megabytes / one.work.pages / each
        nodes = f"{one.work.nodes / one.work.pages / each / 1e6:.2f}" if one.work.nodes else ""
        spread = f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})"
        lines.append(
            f"| {one.name} | {1000 * each:.3f} | {1 / each:.0f} | {rate:.1f} | {nodes} | {spread} | {one.note} |"
        )
    return "\n".join(lines)


def machine() -> str:
    """The day, the model, processor, system and Python in one line."""
    cpu = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []:
        if line.startswith("model name"):
            cpu = line.partition(":")[2].strip()
            break
    system = f"{platform.system()} {platform.release()}, Python {platform.python_version()}"
    model = f"{datetime.now(UTC):%-d %B %Y}, {Path(MODEL_FILE).stem}"
    return f"{model}. {cpu}, {os.cpu_count()} processors seen, {system}"


def versions(*packages: str) -> str:
    """'name version, …' of these packages."""
    found = []
    for package in packages:
        try:
            found.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            found.append(f"{package} not installed")
    return ", ".join(found)


def report(
    name: str, title: str, sections: Sequence[tuple[str, Sequence[Contestant]]], about: str, packages: str
) -> None:
    """Prints the tables and writes them to results/NAME.md; every single time goes to results/NAME.json."""
    text = [f"# {title}", "", about, "", f"{machine()}. {packages}.", ""]
    for heading, contestants in sections:
        text += [f"## {heading}", "", table(contestants), ""]
    record = {
        heading: {one.name: {"work": asdict(one.work), "seconds": one.seconds} for one in contestants}
        for heading, contestants in sections
    }
    write(name, text, {"machine": machine(), "packages": packages, **record})


def write(name: str, text: Sequence[str], record: dict[str, object] | None = None) -> None:
    """Prints the lines and writes them to results/NAME.md; the record goes to results/NAME.json."""
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.md").write_text("\n".join(text))
    if record is not None:
        (folder / f"{name}.json").write_text(json.dumps(record, indent=1) + "\n")
    print("\n".join(text))
    print(f"Written to {folder / name}.md")
