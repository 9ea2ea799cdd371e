# SPDX-License-Identifier: Apache-2.0
"""The engine for a cluster: a Spark task per WARC or partition, and Spark SQL for counting."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Self

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark import SparkConf, errors
from pyspark.sql import SparkSession

from thresher.reading.progress import Progress
from thresher.running.partition_queue import OnSnapshot
from thresher.running.run import Run
from thresher.running.tasks import Work, extracting, failure, over_batches, stepping
from thresher.writing.staging import StagingFolder


class SparkEngine:
    """Runs on a Spark session, which starts when there is work."""

    def __init__(self, run: Run, tasks: int | None = None) -> None:
        self._run, self._tasks = run, tasks  # tasks for extraction; None means one per WARC

    def __enter__(self) -> Self:
        level = SparkConf().get("spark.log.level", "WARN")  # INFO, Spark's default, buries the lines that matter
        builder = SparkSession.builder.appName("thresher extract").config("spark.log.level", level)
        # A WARC of 30,000 pages sends about 200 MB of counts through the shuffle, hence one shuffle partition per WARC.
        self._spark = builder.config("spark.sql.shuffle.partitions", max(len(self._run.inputs), 1)).getOrCreate()
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        with suppress(Py4JError, OSError):  # Java may have been killed, and the error is to be told
            self._spark.stop()
        if isinstance(error, errors.PySparkException | Py4JError):
            raise failure(error) from error

    def extract(self, _watch: OnSnapshot) -> None:
        """Extracts the inputs that are left of run.extraction. Tasks write the rows; only counts pass through Spark."""
        context = self._spark.sparkContext
        failures = int(context.getConf().get("spark.task.maxFailures") or 4)
        work = extracting(self._run, context.defaultParallelism, failures)
        self._sum(work, len(self._run.extraction.pending), self._tasks)

    def each(self, step: Callable[[str, Progress], int], partitions: Sequence[str], _watch: OnSnapshot) -> int:
        """The sum of a step's results over all partitions, one task per partition."""
        return self._sum(stepping(self._run, step, partitions), len(partitions))

    def sql(self, query: str, staging: StagingFolder, tables: Iterable[str], output: str, _watch: OnSnapshot) -> None:
        """Runs a Spark SQL query over tables in the folder of the first pass, whose path is no glob."""
        base = staging.location if "://" in staging.location else f"file://{staging.storage.path()}"
        read = self._spark.read.option("__globPaths__", "false").parquet
        rows = self._spark.sql(query, None, **{table: read(f"{base}/{table}") for table in tables})
        rows = rows.repartition("partition").sortWithinPartitions("partition")
        rows.write.parquet(f"{base}/{output}", "overwrite", "partition", "lz4")

    def _sum(self, work: Work, n: int, tasks: int | None = None) -> int:
        """The sum of what `work` returns for the numbers below n, spread over `tasks` tasks; None means one each."""
        numbers = self._spark.range(0, n, 1, tasks or max(n, 1))
        return int(numbers.mapInArrow(over_batches(work), "result bigint").agg({"result": "sum"}).collect()[0][0] or 0)
