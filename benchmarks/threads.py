# SPDX-License-Identifier: Apache-2.0
"""`thresher.extract` in several threads of one process: pages a second, and a stress run.

    python benchmarks/threads.py [--pages 400] [--seconds 5] [--rounds 3] [--threads 1,2,4,8,16]
    python benchmarks/threads.py --minutes 10

Each thread has its own PageExtractor, which `thresher.extract` keeps for it. The numbers of threads take turns in every
round. Pages a second are by the clock, because the question is what a further thread adds; so the machine has to be
quiet, and its load stands in the results. CPU time a page says what threads cost each other.

Every text is compared with the one that a single thread made. `--minutes` adds a stress run: the largest number of
threads, pages in random order, the resident memory at each tenth. A text that differs, or a thread that fails, ends the
program with exit status 1.
"""

import argparse
import os
import random
import statistics
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

from measure import MODERN, labelled, machine, versions, write

import thresher

_QUIET: Final = 0.5  # load of a machine that does nothing else


@dataclass(slots=True)
class Measured:
    """What a number of threads did in one round."""

    pages: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0


@dataclass(slots=True)
class Tally:
    """What one thread did."""

    pages: int = 0
    different: int = 0
    error: str = ""


def digest_of(page: bytes) -> bytes:
    found = thresher.extract(page)
    return blake2b(f"{found.status}\n{found.title}\n{found.text}".encode("utf-8", "replace"), digest_size=16).digest()


def work(pages: Sequence[bytes], expected: Sequence[bytes], seed: int, stop: threading.Event, tally: Tally) -> None:
    """Extracts pages in an order of its own until `stop` is set."""
    order = list(range(len(pages)))
    chance = random.Random(seed)
    try:
        while not stop.is_set():
            chance.shuffle(order)
            for number in order:
                if stop.is_set():
                    return
                tally.different += digest_of(pages[number]) != expected[number]
                tally.pages += 1
    except Exception as error:  # noqa: BLE001 (reported by the main thread)
        tally.error = f"{type(error).__name__}: {error}"


def in_threads(pages: Sequence[bytes], expected: Sequence[bytes], n: int, seconds: float, seed: int) -> Measured:
    """What `n` threads do in so many seconds. Ends the program if a text differs or a thread fails."""
    stop = threading.Event()
    tallies = [Tally() for _ in range(n)]
    threads = [
        threading.Thread(target=work, args=(pages, expected, seed + number, stop, tally))
        for number, tally in enumerate(tallies)
    ]
    since, cpu_since = time.perf_counter(), time.process_time()
    for thread in threads:
        thread.start()
    stop.wait(seconds)
    stop.set()
    for thread in threads:
        thread.join()
    took, cpu = time.perf_counter() - since, time.process_time() - cpu_since
    if errors := [tally.error for tally in tallies if tally.error]:
        sys.exit(f"{n} threads: {len(errors)} failed, the first with {errors[0]}")
    if different := sum(tally.different for tally in tallies):
        sys.exit(f"{n} threads: {different} texts differ from those of one thread")
    return Measured(sum(tally.pages for tally in tallies), took, cpu)


def resident() -> float:
    """Resident memory of this process in MiB; 0 where /proc does not say."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:")), 0.0)


def table(rounds: dict[int, list[Measured]]) -> list[str]:
    """A Markdown table: the median of the rounds, and the ratio to the first number of threads within each round."""
    first = next(iter(rounds.values()))
    lines = [
        "| threads | pages/s | against the first row (min–max) | processors busy | CPU ms/page |",
        "|---|---|---|---|---|",
    ]
    for n, measured in rounds.items():
        rates = [one.pages / one.seconds for one in measured]
        ratios = [rate * one.seconds / one.pages for rate, one in zip(rates, first, strict=True)]
        cpu = statistics.median(1000 * one.cpu_seconds / one.pages for one in measured)
        spread = f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})"
        busy = statistics.median(one.cpu_seconds / one.seconds for one in measured)
        lines.append(f"| {n} | {statistics.median(rates):,.0f} | {spread} | {busy:.2f} | {cpu:.3f} |")
    return lines


def stress(pages: Sequence[bytes], expected: Sequence[bytes], n: int, minutes: float) -> list[str]:
    """Lines about a run of `n` threads for so many minutes."""
    memory, total = [resident()], 0
    for part in range(10):
        total += in_threads(pages, expected, n, minutes * 6, 1000 * (part + 1)).pages
        memory.append(resident())
        print(f"  stress {part + 1}/10: {total:,} pages, {memory[-1]:,.0f} MiB", file=sys.stderr)
    return [
        f"## Stress: {n} threads, {minutes:g} minutes",
        "",
        f"{total:,} pages in random order, each text equal to that of one thread, no failure.",
        "The threads are new at each tenth.",
        f"Resident memory in MiB before and after each tenth: {', '.join(f'{one:,.0f}' for one in memory)}.",
        "",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each number of threads in each round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", default="1,2,4,8,16")
    parser.add_argument("--minutes", type=float, default=0.0, help="of a stress run; 0 for none")
    arguments = parser.parse_args()
    counts = [int(n) for n in arguments.threads.split(",")]
    pages = labelled(MODERN, arguments.pages)
    expected = [digest_of(page) for page in pages]
    load = os.getloadavg()[0]  # before the threads make their own
    rounds: dict[int, list[Measured]] = {n: [] for n in counts}
    for number in range(arguments.rounds):
        for n in counts if number % 2 == 0 else reversed(counts):
            rounds[n].append(in_threads(pages, expected, n, arguments.seconds, 100 * number))
            print(f"  round {number + 1}/{arguments.rounds} {n} threads: {rounds[n][-1]}", file=sys.stderr)
    text = [
        "# Threads of one process",
        "",
        f"`thresher.extract` of {len(pages)} pages of WCXB, text and title, each thread with its own PageExtractor.",
        f"By the clock: {arguments.rounds} rounds of {arguments.seconds:g} s for each row, interleaved. Each text is",
        "equal to that of one thread.",
        "",
        f"{machine()}. {versions('thresher')}. Load of the machine before the run: {load:.1f}.",
        *(["Others were at work on the machine: the rates do not show what a further thread adds."] * (load > _QUIET)),
        "",
        *table(rounds),
        "",
    ]
    if arguments.minutes:
        text += stress(pages, expected, max(counts), arguments.minutes)
    write("threads", text)


if __name__ == "__main__":
    main()
