# SPDX-License-Identifier: Apache-2.0
"""Archives as a data source of Spark, and `main_text(html)` as a function of Spark SQL:
    thresher.jobs.data_source.register(spark)
    spark.read.format("thresher").option("where", "language = 'ell'").load("s3://bucket/warc/")

Options: path and columns, both comma-separated; where, format, mode. Each input is a partition. It never resumes.
"""

from collections.abc import Iterator
from typing import Any

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.functions import pandas_udf
from pyspark.sql.types import StructType

import thresher
from thresher.errors import check_known
from thresher.reading.listing import list_inputs
from thresher.reading.names import absolute
from thresher.rows.selection import written_columns
from thresher.schemas import TABLES


class ThresherDataSource(DataSource):
    @classmethod
    def name(cls) -> str:
        return "thresher"

    def schema(self) -> StructType:
        return TABLES["pages"].only(written_columns(self._keywords()["columns"], ())).to_spark()

    def reader(self, schema: StructType) -> DataSourceReader:  # noqa: ARG002 (the one above)
        return ThresherReader(self.options["path"], self._keywords())

    def _keywords(self) -> dict[str, Any]:
        check_known(self.options, ("path", "columns", "where", "format", "mode"), "option")
        given: Any = {name: self.options[name] for name in ("format", "mode") if name in self.options}
        columns = [name for name in self.options.get("columns", "").split(",") if name]
        return {"options": thresher.Options(**given), "where": self.options.get("where"), "columns": columns}


class ThresherReader(DataSourceReader):
    def __init__(self, path: str, keywords: dict[str, Any]) -> None:
        self._path, self._keywords = path, keywords

    def partitions(self) -> list[InputPartition]:
        return [InputPartition(absolute(name)) for name in list_inputs(self._path.split(","))]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        return thresher.page_batches(partition.value, **self._keywords)


def register(spark: SparkSession) -> None:
    def main_text(pages: pd.Series) -> pd.Series:
        return thresher.extract_column(pages)

    spark.dataSource.register(ThresherDataSource)
    spark.udf.register("main_text", pandas_udf(main_text, "string"))  # type: ignore[call-overload]
