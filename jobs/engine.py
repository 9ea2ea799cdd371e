# SPDX-License-Identifier: Apache-2.0
"""The second pass's engine on a cluster (thresher.templates.counting.Engine): one task for each partition, Spark SQL for what is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession


class Spark:
    """A session as the second pass uses it."""

    def __init__(self, spark: SparkSession, tasks: int) -> None:
        """On this session, with so many tasks on the other side of a shuffle: one WARC of 30,000 pages sends about 200 MB of counts into it."""
        self._spark = spark
        spark.conf.set("spark.sql.shuffle.partitions", str(max(tasks, 1)))

    def each(self, step: Callable[[str], int], partitions: Sequence[str]) -> int:
        """The sum of a step's results over all partitions, a task for each."""

        def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                places: list[Any] = batch.column(0).to_pylist()
                for place in places:
                    yield pa.RecordBatch.from_pydict({"result": [step(partitions[place])]})

        n = len(partitions)
        if not n:
            return 0
        done = self._spark.range(0, n, 1, n).mapInArrow(run, "result bigint").agg({"result": "sum"})
        return int(done.collect()[0][0] or 0)

    def sql(self, query: str, tables: Mapping[str, str], output: str) -> None:
        """Run a query over folders of Parquet files; its rows go into a folder `partition=N` of `output` for each value of that column."""
        frames: dict[str, Any] = {name: self._spark.read.parquet(_url(folder)) for name, folder in tables.items()}
        found = self._spark.sql(query, None, **frames)
        rows = found.repartition("partition").sortWithinPartitions("partition")
        rows.write.partitionBy("partition").mode("overwrite").option("compression", "lz4").parquet(_url(output))


def _url(folder: str) -> str:
    """A folder as Spark names it: a path without a scheme is a local one here, as in the rest of the package."""
    return folder if "://" in folder else f"file://{folder}"
