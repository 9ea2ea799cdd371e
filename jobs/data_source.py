# SPDX-License-Identifier: Apache-2.0
"""Archives as a data source of Spark, and `main_text(html)` as a function of Spark SQL:
    thresher.jobs.data_source.register(spark)
    spark.read.format("thresher").option("where", "language = 'ell'").load("s3://bucket/warc/")

Options: path and columns, both comma-separated; where, format, mode; table=dead_letter or metrics reads these instead
of pages; accounts names a folder for both. The log of the executors counts dead letters. Each input is a partition. It
never resumes.
"""

from collections.abc import Iterator
from typing import Any

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.functions import pandas_udf
from pyspark.sql.types import StructType

import thresher
from thresher.integrations.data_source import DataSourceRows


class ThresherDataSource(DataSource):
    @classmethod
    def name(cls) -> str:
        return "thresher"

    def schema(self) -> StructType:
        return DataSourceRows(self.options).table.to_spark()

    def reader(self, schema: StructType) -> DataSourceReader:  # noqa: ARG002 (the one above)
        return ThresherReader(DataSourceRows(self.options))


class ThresherReader(DataSourceReader):
    def __init__(self, rows: DataSourceRows) -> None:
        self._rows = rows

    def partitions(self) -> list[InputPartition]:
        return list(map(InputPartition, self._rows.inputs()))

    def read(self, partition: InputPartition) -> Iterator[Any]:
        return self._rows.batches(partition.value)


def register(spark: SparkSession) -> None:
    def main_text(pages: pd.Series) -> pd.Series:
        return thresher.extract_column(pages)

    spark.dataSource.register(ThresherDataSource)
    spark.udf.register("main_text", pandas_udf(main_text, "string"))  # type: ignore[call-overload]
