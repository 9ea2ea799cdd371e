# SPDX-License-Identifier: Apache-2.0
"""From WARC to Parquet: `thresher extract --workers 1` and the pipeline that a user writes today, on the same WARC.

    python benchmarks/whole_way.py [--pages 6000] [--rounds 3] [--warc PATH…]

Each side is a process of its own, started again in each round. What counts is its CPU time, user and system, with its
children, start-up and imports. pipeline_today.py does one thing after another in one process, and so does thresher with
one worker.

Without --warc, labelled pages of both kinds are written to a WARC with one gzip member per record: 6,000 pages, or all
there are. A second table shows start-up: the same over a WARC of one page. A third compares two workers with one by
wall time, on a machine with a core for each, and with two runs of one worker at the same time. These two share nothing
but the machine, so what they do in a second is what two workers could do.
"""

import argparse
import gzip
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow.dataset as ds
import pyarrow.parquet as pq
from measure import HERE, Contestant, Work, compare, labelled, report, versions

from thresher import demo

SETS = ("wcxb", "dragnet", "daniel")


def build_warc(path: Path, n_pages: int) -> None:
    """Writes a WARC of labelled pages on made-up hosts with ten pages each."""
    with open(path, "wb") as out:
        for number, html in enumerate(labelled(SETS, n_pages)):
            record = demo.record(demo.Page(url=f"https://host{number // 10}.example/{number}", body=html))
            out.write(gzip.compress(record, compresslevel=6, mtime=0))


# An installed package has its bytecode. A checkout gets it in the unmeasured run, unless PYTHONDONTWRITEBYTECODE is
# set: then Python compiles the package at each start, .1 s that no user waits for.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def process(command: list[str], *, clock: bool = False) -> float:
    """CPU seconds of a command and its children, or with `clock` its wall time."""
    started = time.perf_counter()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-3000:]}")
    if clock:
        return time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=6000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--warc", nargs="+", default=[])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        warcs = options.warc
        if not warcs:
            build_warc(folder / "pages.warc.gz", options.pages)
            warcs = [str(folder / "pages.warc.gz")]

        build_warc(folder / "one.warc.gz", 1)
        one = [str(folder / "one.warc.gz")]
        out = folder / "out"

        def thresher(inputs: list[str], workers: int = 1, *, clock: bool = False) -> Callable[[], float]:
            def run() -> float:
                shutil.rmtree(out, ignore_errors=True)
                program = str(Path(sys.executable).parent / "thresher")
                command = [program, "extract", *inputs, "-o", str(out), "--workers", str(workers)]
                return process(command, clock=clock)

            return run

        def two_runs() -> float:
            program = str(Path(sys.executable).parent / "thresher")
            outs = [folder / "first", folder / "second"]
            for each in outs:
                shutil.rmtree(each, ignore_errors=True)
            started = time.perf_counter()
            runs = [
                subprocess.Popen(
                    [program, "extract", *warcs, "-o", str(each), "--workers", "1"],
                    env=ENVIRONMENT,
                    stderr=subprocess.DEVNULL,
                )
                for each in outs
            ]
            statuses = [run.wait() for run in runs]
            if any(statuses):
                sys.exit("one of two runs at the same time failed")
            return time.perf_counter() - started

        def today(inputs: list[str]) -> Callable[[], float]:
            return lambda: process(
                [sys.executable, str(HERE / "pipeline_today.py"), str(folder / "today.parquet"), *inputs]
            )

        print("Counting pages, bytes and nodes in a run that is not measured", file=sys.stderr)
        thresher(warcs)()
        today(warcs)()
        rows = ds.dataset(folder / "out" / "pages", format="parquet").to_table(columns=["n_nodes"])
        metrics = (
            ds.dataset(folder / "out" / "metrics", format="parquet").to_table(columns=["stage", "bytes"]).to_pylist()
        )
        html = sum(row["bytes"] for row in metrics if row["stage"] == "decode") / 1e6
        n_nodes = sum(n or 0 for n in rows["n_nodes"].to_pylist())
        theirs = pq.read_metadata(folder / "today.parquet").num_rows
        work = Work(rows.num_rows, html, n_nodes)
        entrants = [
            Contestant("thresher extract --workers 1", thresher(warcs), work),
            Contestant("pipeline of today", today(warcs), Work(theirs, html, n_nodes), f"{theirs} pages"),
        ]
        compare(entrants, rounds=options.rounds, warm_up=False)
        first = Work(1, html / rows.num_rows)
        starts = [
            Contestant("thresher extract --workers 1", thresher(one), first),
            Contestant("pipeline of today", today(one), first),
        ]
        compare(starts, rounds=options.rounds, warm_up=False)
        by_clock = [
            Contestant("two workers", thresher(warcs, 2, clock=True), work),
            Contestant(
                "two runs of one worker at once",
                two_runs,
                Work(2 * work.pages, 2 * work.megabytes, 2 * work.nodes),
                "what the machine can do",
            ),
            Contestant("one worker", thresher(warcs, 1, clock=True), work),
        ]
        compare(by_clock, rounds=options.rounds, warm_up=False)
    packages = versions("thresher", "fastwarc", "resiliparse", "fasttext-predict", "pyarrow")
    about = f"CPU time of whole processes, start-up included, {options.rounds} rounds, interleaved."
    sections = [
        (f"{rows.num_rows} pages", entrants),
        ("Start-up: one page", starts),
        (f"Two workers, by the clock: {rows.num_rows} pages", by_clock),
    ]
    report("whole_way", "From WARC to Parquet", sections, about, packages)


if __name__ == "__main__":
    main()
