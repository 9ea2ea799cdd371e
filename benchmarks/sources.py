# SPDX-License-Identifier: Apache-2.0
"""The data sources of other engines beside `thresher extract`: the same archives, on two cores.

    python benchmarks/sources.py ARCHIVE... [--python INTERPRETER]...

Runs each engine that an interpreter has (Ray Data, Daft, Spark), in turns, and prints the seconds from the first
request for rows to the last row, without and with the engine's start, and the processor time of the tasks by their
metrics. Rows stay in the engine: they are counted, and their columns are url, title and text.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import pyarrow.parquet as pq
from measure import machine, write

COLUMNS: Final = ["url", "title", "text"]
START: Final = """
import json, sys, time
began = time.time()
paths, accounts = json.loads(sys.argv[1]), sys.argv[2]
"""
END: Final = """
    print("\\n" + json.dumps([n, time.time() - started, time.time() - began]), flush=True)
"""
ENGINES: Final = {
    "ray": """
import ray
from thresher.integrations.ray import read_archives
if __name__ == "__main__":
    environment = {"env_vars": {"PYTHONPATH": ":".join(sys.path)}}
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env=environment)
    started = time.time()
    n = read_archives(paths, columns=["url", "title", "text"], accounts=accounts).materialize().count()
""",
    "daft": """
from thresher.integrations.daft import read_archives
if __name__ == "__main__":
    started = time.time()
    n = len(read_archives(paths, columns=["url", "title", "text"], accounts=accounts).collect())
""",
    "pyspark": """
from pyspark.sql import SparkSession
from thresher.jobs.data_source import register
if __name__ == "__main__":
    spark = SparkSession.builder.master("local[2]").config("spark.log.level", "ERROR").getOrCreate()
    register(spark)
    started = time.time()
    read = spark.read.format("thresher").option("columns", "url,title,text").option("accounts", accounts)
    n = read.load(",".join(paths)).cache().count()
""",
}


def cpu_of(metrics: Path) -> float:
    """Seconds of processor time of all tasks."""
    rows = pq.read_table(metrics).to_pylist()
    return float(sum(row["cpu_seconds"] or 0 for row in rows))


def has(python: str, package: str) -> bool:
    code = f"import importlib.util as u, sys; sys.exit(u.find_spec({package!r}) is None)"
    return subprocess.run([python, "-c", code], check=False).returncode == 0


def measured(python: str, engine: str, paths: list[str], folder: Path) -> tuple[int, float, float, float]:
    """Pages, seconds without and with the start, processor seconds of the tasks."""
    script = folder / "read.py"
    script.write_text(START + ENGINES[engine] + END)
    command = [python, str(script), json.dumps(paths), str(folder / "accounts")]
    environment = {**os.environ, "PYSPARK_PYTHON": python, "PYSPARK_DRIVER_PYTHON": python}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    n, read, whole = json.loads(done.stdout.splitlines()[-1])
    return n, read, whole, cpu_of(folder / "accounts" / "metrics")


def ours(paths: list[str], folder: Path) -> tuple[int, float, float, float]:
    began = time.time()
    command = [sys.executable, "-m", "thresher", "extract", *paths, "-o", str(folder / "out"), "--workers", "2"]
    subprocess.run([*command, "--columns", ",".join(COLUMNS)], check=True, capture_output=True)
    whole = time.time() - began
    n = pq.read_table(folder / "out" / "pages", columns=["url"]).num_rows
    return n, whole, whole, cpu_of(folder / "out" / "metrics")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archives", nargs="+")
    parser.add_argument("--python", action="append", default=[], help="a further interpreter, with other packages")
    parser.add_argument("--rounds", type=int, default=2)
    given = parser.parse_args()
    paths = [str(Path(each).resolve()) for each in given.archives]
    pythons = [sys.executable, *given.python]
    found = {engine: next((each for each in pythons if has(each, engine)), None) for engine in ENGINES}
    lines = [
        "# Sources of other engines",
        "",
        f"{len(paths)} archives on two cores (`python benchmarks/sources.py`): seconds from the first request for",
        "rows to the last row, without and with the engine's start, and processor time of the tasks by their metrics.",
        f"{machine()}.",
        "",
        "| engine | pages | read, s | with start, s | CPU of tasks, s |",
        "|---|---|---|---|---|",
    ]
    for _ in range(given.rounds):
        for name in ("thresher extract", *(engine for engine, python in found.items() if python)):
            with tempfile.TemporaryDirectory() as folder:
                if name in ENGINES:
                    n, read, whole, cpu = measured(str(found[name]), name, paths, Path(folder))
                else:
                    n, read, whole, cpu = ours(paths, Path(folder))
            lines.append(f"| {name} | {n:,} | {read:.1f} | {whole:.1f} | {cpu:.2f} |")
            print(lines[-1], file=sys.stderr, flush=True)
    write("sources", [*lines, ""])


if __name__ == "__main__":
    main()
