# SPDX-License-Identifier: Apache-2.0
"""The second of two passes, step by step, on whatever engine; and the engine of one machine."""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

import pyarrow as pa

from thresher.sinks import OutputFolder
from thresher.templates.counting import APPLIED, EVIDENCE, LARGE_HOSTS, ORIGINALS, Engine
from thresher.templates.deciding import SecondPass, node_key, page_key
from thresher.templates.staging import text_hash
from thresher.workers import begin_counting, calm_collector

if TYPE_CHECKING:
    from thresher.run import Run


def second_pass(run: Run, engine: Engine, say: Callable[[str], None] = lambda _: None) -> int:
    """Count over all pages that the first pass staged, decide each, write the tables; how many pages were decided anew.

    Killed at any moment and started again, it goes on: counting from its beginning, deciding with the partitions that are left.
    """
    work = SecondPass(run.configuration, run.output, run.warcs)
    staging = work.staging
    partitions = staging.partitions()
    if not staging.has("_counted/all"):
        for name in ("originals", "large_hosts", "counts", "evidence", "_decided"):
            staging.remove(name)
        _count(work, staging, engine, partitions, say)
        staging.mark("_counted/all")
    say("deciding each page with what is known from the others")
    changed = engine.each(work.decide, partitions)
    for warc in run.warcs:
        entries = staging.read_ledger(warc.number)
        if warc.number in staging.finished_warcs():
            run.folder.write_ledger(warc.number, warc.source, entries, done=True)
    if len(run.folder.finished_warcs()) == len(run.warcs):
        run.folder.remove("_staging")
    return changed


def _count(
    work: SecondPass, staging: OutputFolder, engine: Engine, partitions: Sequence[str], say: Callable[[str], None]
) -> None:
    knobs = work.configuration.templates

    def folder(name: str) -> str:
        return f"{staging.location}/{name}"

    say("looking for copies of pages")
    engine.sql(ORIGINALS, {"marks": folder("marks")}, folder("originals"))
    engine.sql(
        LARGE_HOSTS.replace("{known_pages}", str(knobs.known_pages)), {"hosts": folder("hosts")}, folder("large_hosts")
    )
    say("counting what the pages of a host have in common")
    engine.each(work.count, partitions)
    if knobs.mode == "apply":
        write_known(staging, OutputFolder(knobs.source))
        engine.sql(APPLIED, {"counts": folder("counts"), "known": folder("known")}, folder("evidence"))
    else:
        engine.sql(EVIDENCE, {"counts": folder("counts")}, folder("evidence"))


def write_known(staging: OutputFolder, source: OutputFolder) -> None:
    """Write the templates of an earlier run as keys of host and fingerprint, as this run's own pages are counted."""
    staging.remove("known")
    for number, batch in enumerate(
        source.dataset("templates").to_batches(columns=["node", "fingerprint", "pages", "known"])
    ):
        keys: dict[int, int] = {}
        for node, fingerprint, pages, known in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            if fingerprint is not None:
                host = text_hash(node)
                keys[node_key(fingerprint, host)] = pages
                keys[page_key(host)] = known
        rows = pa.table({"key": pa.array(keys, pa.int64()), "pages": pa.array(keys.values(), pa.int64())})
        staging.write("known", f"{number:06d}", rows)


class ThisMachine:
    """DuckDB and worker processes, which end with the `with` that the engine is used in."""

    def __init__(self, workers: int) -> None:
        """With so many processes; 0 is one for each core."""
        self._workers = workers or len(os.sched_getaffinity(0))
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def each(self, step: Callable[[str], int], partitions: Sequence[str]) -> int:
        """The sum of a step's results over all partitions."""
        if self._workers == 1 or len(partitions) < 2:
            with _little_garbage():
                return sum(map(step, partitions))
        if self._pool is None:  # one for all steps: a process takes .3 s of CPU to start
            self._pool = ProcessPoolExecutor(self._workers, multiprocessing.get_context("spawn"), begin_counting)
        return sum(self._pool.map(step, partitions))

    def sql(self, query: str, tables: Mapping[str, str], output: str) -> None:
        """Run a query over folders of Parquet files; its rows go into a folder `partition=N` of `output` for each value of that column."""
        import duckdb

        os.makedirs(output, exist_ok=True)
        with duckdb.connect(
            config={"threads": self._workers, "temp_directory": f"{output}/_spill", "preserve_insertion_order": False}
        ) as connection:
            sources = {name: _source(folder) for name, folder in tables.items()}
            if None in sources.values():
                return
            quoted = output.replace("'", "''")
            text = query.format(**sources)
            connection.execute(
                f"COPY ({text}) TO '{quoted}' (FORMAT parquet, COMPRESSION lz4, PARTITION_BY (partition), OVERWRITE_OR_IGNORE)"
            )


def _source(folder: str) -> str | None:
    """A folder of Parquet files as DuckDB reads it; None where it has none."""
    if not any(name.endswith(".parquet") for name in os.listdir(folder)):
        return None
    quoted = folder.replace("'", "''")
    return f"read_parquet('{quoted}/*.parquet', hive_partitioning = false)"


@contextmanager
def _little_garbage() -> Iterator[None]:
    """The same in the caller's own process, for a while."""
    thresholds = gc.get_threshold()
    calm_collector()
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
