# SPDX-License-Identifier: Apache-2.0
"""What a crawl costs: ranges beside whole archives behind a server that throttles, memory over many WARCs, Spark.

    python benchmarks/crawl.py [--only ranges,memory,spark] [--pages 4000] [--archives 50] [--max-bytes 8000]
                               [--rate 100] [--warcs 1000] [--warc-pages 20] [--spark-pages 30000] [--rounds 2]

The load is one archive of real pages of at most --max-bytes under many names; for Spark, pages are up to 60 kB. The
server answers 503 above --rate requests a second. Prints Markdown tables. Each pair of numbers that is compared comes
from one call of this script, since machines and their load differ.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from range_server import RangeServer

from thresher.after.report import rows_digest
from thresher.reading.captures import WarcReading
from thresher.running.outcome import inspect_run

ROOT = Path(__file__).parents[1]
WORKERS = 2
LATENCY = 0.05  # seconds until the server answers
# What is read, every n-th record or whole archives (0), of one in how many archives, and options.
WAYS: list[tuple[str, int, int, list[Any]]] = [
    ("whole archives", 0, 1, []),
    ("every 2nd record of a fifth of the archives", 2, 5, []),
    ("every 2nd record", 2, 1, []),
    ("every 200th record, one request at a time", 200, 1, ["--workers", 1]),
    ("every 200th record, eight at a time", 200, 1, ["--workers", 1, "--max-connections", 8]),
]


@dataclass(slots=True)
class Timed:
    """A command that ended: how long it took, and the memory of its processes meanwhile."""

    seconds: float
    cpu: float  # seconds, with all processes that it waited for
    memory: list[int]  # bytes, of all its processes together, sampled twice a second


def timed(command: list[Any], environment: dict[str, str] | None = None) -> Timed:
    """Runs a command. Raises CalledProcessError unless it is done."""
    before = os.times()
    started = time.monotonic()
    process = subprocess.Popen(
        [*map(str, command)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, **(environment or {})},
    )
    memory: list[int] = []

    def watch() -> None:
        while process.poll() is None:
            memory.append(sum(resident(each) for each in tree(process.pid)))
            time.sleep(0.5)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    said = process.communicate()[1]
    seconds = time.monotonic() - started
    watcher.join()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, stderr=said[-3000:])
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Timed(seconds, cpu, memory)


def tree(process: int) -> list[int]:
    """A process and its descendants."""
    found = [process]
    for each in found:
        try:
            found += map(int, Path(f"/proc/{each}/task/{each}/children").read_text().split())
        except OSError:
            continue
    return found


def resident(process: int) -> int:
    """The memory of a process that no other shares, in bytes."""
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0
    return sum(int(n) << 10 for n in re.findall(r"^Private_\w+:\s+(\d+) kB", text, re.MULTILINE))


def make(folder: Path, pages: int, archives: int, max_bytes: int) -> Path:
    """A folder with one archive under many names."""
    folder.mkdir(exist_ok=True)
    one = folder / "one"
    command = [sys.executable, ROOT / "benchmarks" / "host_load.py", one, "--pages", pages, "--archives", 1]
    command += ["--max-bytes", max_bytes, "--hosts", 20]
    subprocess.run([*map(str, command)], check=True, stdout=subprocess.DEVNULL)
    (made,) = sorted(one.iterdir())
    source = folder / "archives"
    source.mkdir()
    for number in range(archives):
        os.link(made, source / f"crawl-{number:05d}.warc.gz")
    return source


def thresher(*arguments: object) -> list[Any]:
    """A command of thresher."""
    workers = [] if "--workers" in arguments else ["--workers", WORKERS]
    return [sys.executable, "-m", "thresher.commands.main", *arguments, *workers]


def linger(_request: object) -> bool:
    """Waits as long as a store far away takes to answer."""
    time.sleep(LATENCY)
    return False


def ranges(folder: Path, source: Path, rate: float) -> None:
    """Whole archives, half of their records and a two hundredth of them, from a server that throttles."""
    everything = sorted(path.name for path in source.iterdir())
    listed = folder / "archives.paths"
    listed.write_text("".join(f"{name}\n" for name in everything))
    one = source / everything[0]
    found = [(each.url, each.warc_record_offset, each.warc_record_length) for each in WarcReading(one)]
    n = len(everything)
    print(f"{n * len(found):,} pages in {n} archives of {one.stat().st_size:,} bytes;")
    print(f"the server answers after {LATENCY:g} s, and 503 above {rate:g} requests a second.\n")
    print(
        "| read | ranges | seconds | CPU s | pages/s | MB of memory | requests | 503 | MB wanted | MB received | rows |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for what, every, one_in, options in WAYS:
        names = everything[::one_in]
        server = RangeServer(source, rate=rate)
        server.answer = linger
        output = folder / f"out-{what.replace(' ', '-')}"
        command: list[Any] = [listed, "--input-base-url", server.url]
        wanted, rows = 0, 0
        if every:
            chosen = found[::every]
            index = folder / f"index-{every}-{one_in}.parquet"
            lengths = [length for _ in names for _, _, length in chosen]
            columns: dict[str, list[Any]] = {
                "url": [url for _ in names for url, _, _ in chosen],
                "warc_filename": [name for name in names for _ in chosen],
                "warc_record_offset": [offset for _ in names for _, offset, _ in chosen],
                "warc_record_length": lengths,
            }
            pq.write_table(pa.table(columns), index)
            command = ["--index", index, "--warc-prefix", server.url]
            wanted, rows = sum(lengths), len(lengths)
        took = timed(thresher("extract", *command, "-o", output, *options))
        report = inspect_run(str(output), contents=False)
        equal = ""
        if every:
            local = folder / f"local-{what.replace(' ', '-')}"
            timed(thresher("extract", "--index", index, "--warc-prefix", source, "-o", local))
            equal = "equal" if rows_digest(str(local)) == rows_digest(str(output)) else "DIFFERENT"
        wanted = wanted or sum((source / name).stat().st_size for name in names)
        sizes = f"{wanted / 1e6:,.1f} | {server.n_bytes / 1e6:,.1f}"
        rates = (
            f"{took.seconds:.1f} | {took.cpu:.1f} | {report.pages / took.seconds:,.0f} | {max(took.memory) / 1e6:,.0f}"
        )
        asked = f"{len(server.requests):,} | {server.n_busy:,}"
        print(f"| {what} | {rows or len(names):,} | {rates} | {asked} | {sizes} | {equal} |", flush=True)
        server.close()


def memory(folder: Path, warcs: int, pages: int, max_bytes: int) -> None:
    """The memory of a run over many small WARCs, at ten moments."""
    small = make(folder / "small", pages, warcs, max_bytes)
    took = timed(thresher("extract", small, "-o", folder / "many"))
    report = inspect_run(str(folder / "many"), contents=False)
    print(f"\n{warcs:,} WARCs of {pages} pages, {report.pages:,} pages, {took.seconds:.0f} s, {WORKERS} workers.")
    print("Private memory of all processes, MB, at ten moments of the run:\n")
    samples = [took.memory[min(len(took.memory) - 1, len(took.memory) * k // 10)] / 1e6 for k in range(1, 11)]
    print("| " + " | ".join(f"{10 * k} %" for k in range(1, 11)) + " |\n" + "|---" * 10 + "|")
    print("| " + " | ".join(f"{each:,.0f}" for each in samples) + " |", flush=True)


def spark(folder: Path, pages: int, rounds: int) -> None:
    """A Spark cluster of one process for each core beside the command line, start-up apart: the least of the rounds."""
    import pyspark

    home = Path(pyspark.__file__).parent
    tiny = make(folder / "tiny", 2, 2, 60_000)
    load = make(folder / "load", pages // 4, 4, 60_000)
    job = [home / "bin" / "spark-submit", "--master", f"local-cluster[{WORKERS},1,1024]"]
    job += ["--properties-file", ROOT / "conf" / "spark-defaults.conf", "--conf", "spark.driver.host=127.0.0.1"]
    job += ["--conf", "spark.ui.enabled=false", ROOT / "jobs" / "extract.py"]
    environment = {
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
    }
    print(f"\n| {pages // 4 * 4:,} pages | start-up s | seconds | start-up apart |\n|---|---|---|---|")
    ways: dict[str, Callable[[Path, Path], Timed]] = {
        "command line": lambda archives, output: timed(thresher("extract", archives, "-o", output)),
        "Spark": lambda archives, output: timed([*job, archives, output], environment),
    }
    least: dict[str, tuple[float, float]] = {}
    for number in range(rounds):
        for name, run in ways.items():
            took = (
                run(tiny, folder / f"tiny-{name.split()[0]}-{number}").seconds,
                run(load, folder / f"out-{name.split()[0]}-{number}").seconds,
            )
            least[name] = tuple(map(min, least.get(name, took), took))  # type: ignore[assignment]
    work = {name: whole - start for name, (start, whole) in least.items()}
    for name, (start, whole) in least.items():
        print(f"| {name} | {start:.1f} | {whole:.1f} | {work[name]:.1f} |", flush=True)
    equal = rows_digest(str(folder / "out-command-0")) == rows_digest(str(folder / "out-Spark-0"))
    ratio = work["Spark"] / work["command line"]
    print(f"\nSpark beside the command line: {ratio:.2f} times; rows equal: {'yes' if equal else 'NO'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="ranges,memory,spark")
    parser.add_argument("--pages", type=int, default=4000)
    parser.add_argument("--archives", type=int, default=50)
    parser.add_argument("--max-bytes", type=int, default=8000)
    parser.add_argument("--warcs", type=int, default=1000)
    parser.add_argument("--warc-pages", type=int, default=20)
    parser.add_argument("--spark-pages", type=int, default=30_000)
    parser.add_argument("--rounds", type=int, default=2, help="of Spark and the command line")
    parser.add_argument("--rate", type=float, default=100.0)
    arguments = parser.parse_args()
    os.environ["no_proxy"] = "127.0.0.1,localhost"
    with tempfile.TemporaryDirectory(prefix="thresher-crawl-") as name:
        folder = Path(name)
        wanted = arguments.only.split(",")
        if "ranges" in wanted:
            source = make(folder / "ranges", arguments.pages, arguments.archives, arguments.max_bytes)
            ranges(folder, source, arguments.rate)
        if "memory" in wanted:
            memory(folder, arguments.warcs, arguments.warc_pages, arguments.max_bytes)
        if "spark" in wanted:
            spark(folder, arguments.spark_pages, arguments.rounds)


if __name__ == "__main__":
    main()
