# SPDX-License-Identifier: Apache-2.0
"""The engine of a cluster (thresher.engine.Engine): tasks of Spark, each looking after a worker process of its own.

A page that kills its process kills the task's child, not Spark's Python worker, and one that hangs is stopped. What follows
is what follows on one machine, as supervisor, queue and settlement are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self

import pyarrow as pa
from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from thresher.config import Configuration
from thresher.engine import run_steps
from thresher.errors import RunError
from thresher.partition_queue import PartitionQueue
from thresher.supervisor import Supervisor

if TYPE_CHECKING:
    from thresher.partition_queue import Snapshot
    from thresher.progress import Progress
    from thresher.run import Run
    from thresher.staging import StagingFolder

_FAILED = (PySparkException, Py4JError)


class SparkEngine:
    """A Spark session, begun when there is work, as a run uses it."""

    def __init__(self, run: Run, tasks: int | None = None) -> None:
        """With so many tasks for extraction; None is one for each WARC."""
        self._run = run
        self._tasks = tasks

    def __enter__(self) -> Self:
        self._spark = SparkSession.builder.appName("thresher extract").getOrCreate()
        # One WARC of 30,000 pages sends about 200 MB of counts through the shuffle: a task for each on its other side.
        self._spark.conf.set("spark.sql.shuffle.partitions", str(max(len(self._run.warcs), 1)))
        return self

    def __exit__(self, *_: object) -> None:
        self._spark.stop()

    def extract(self, run: Run, watch: Callable[[Snapshot], None]) -> None:  # noqa: ARG002 (Spark's own pages tell)
        """Extract all pending WARCs. Rows go from the tasks straight into the output folder; only their number passes through Spark."""
        configuration, output, warcs = run.configuration, run.output, run.pending
        folder_of = type(run.folder)

        def work(places: list[int]) -> int:
            queue = PartitionQueue(folder_of(output), configuration, [warcs[place] for place in places])
            with _supervisor(configuration, output) as supervisor:
                supervisor.work(queue)
                return supervisor.pages

        self._sum(work, len(warcs), self._tasks or len(warcs))

    def each(self, step: Callable[[str, Progress], int], partitions: Sequence[str]) -> int:
        """The sum of a step's results over all partitions, a task for each."""
        configuration, output = self._run.configuration, self._run.output

        def work(places: list[int]) -> int:
            with _supervisor(configuration, output) as supervisor:
                return run_steps(supervisor, step, [partitions[place] for place in places])

        return self._sum(work, len(partitions), len(partitions))

    def sql(self, query: str, staging: StagingFolder, tables: Iterable[str], output: str) -> None:
        """Run a query of Spark SQL over tables of the first pass's folder."""

        def url(table: str) -> str:
            # A path without a scheme is a local one here, as in the rest of the package.
            folder = f"{staging.location}/{table}"
            return folder if "://" in folder else f"file://{folder}"

        try:
            # The name of the user's folder is no pattern.
            reader = self._spark.read.option("__globPaths__", "false")
            frames: dict[str, Any] = {table: reader.parquet(url(table)) for table in tables}
            rows = self._spark.sql(query, None, **frames).repartition("partition").sortWithinPartitions("partition")
            rows.write.partitionBy("partition").mode("overwrite").option("compression", "lz4").parquet(url(output))
        except _FAILED as error:
            raise RunError(f"Spark could not count: {_first_line(error)}") from error

    def _sum(self, work: Callable[[list[int]], int], n: int, tasks: int) -> int:
        """The sum of what `work` returns for lists of the numbers below n, spread over so many tasks."""

        def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            places: list[Any] = [place for batch in batches for place in batch.column(0).to_pylist()]
            if places:
                yield pa.RecordBatch.from_pydict({"result": [work(places)]})

        if not n:
            return 0
        try:
            found = self._spark.range(0, n, 1, tasks).mapInArrow(run, "result bigint").agg({"result": "sum"})
            return int(found.collect()[0][0] or 0)
        except _FAILED as error:
            raise RunError(f"a task of Spark failed: {_first_line(error)}") from error


def _supervisor(configuration: Configuration, output: str) -> Supervisor:
    """What looks after the one worker process of a task."""
    return Supervisor(configuration, output, 1)


def _first_line(error: BaseException) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
