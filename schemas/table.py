# SPDX-License-Identifier: Apache-2.0
"""What a table is: its columns, each with a number that is never given to another column.

The number is also written into every Parquet file as the column's field id, so that a reader that follows ids (Iceberg,
DuckDB) finds a column again under whatever name it has in a later version.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from pyspark.sql.types import DataType, StructType

TIMESTAMP = pa.timestamp("us", tz="UTC")  # Spark knows microseconds only
COUNTS = pa.map_(pa.string(), pa.int64())  # a number for each name: status, reason, error class
SHARES = pa.map_(pa.string(), pa.float32())  # a share for each name: language
ADDRESSES = pa.list_(pa.string())  # of links
CELLS = pa.list_(pa.list_(pa.string()))  # rows of cells

# What Spark can hold and give back unchanged. It rejects unsigned integers and silently makes a string out of a
# large_string, so neither may be a column's type.
_SPARK_NAMES: dict[pa.DataType, str] = {
    pa.string(): "StringType",
    pa.int16(): "ShortType",
    pa.int32(): "IntegerType",
    pa.int64(): "LongType",
    pa.float32(): "FloatType",
    pa.float64(): "DoubleType",
    pa.bool_(): "BooleanType",
    pa.date32(): "DateType",
    TIMESTAMP: "TimestampType",
}


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `measured` is true where the value is a measurement of this run (a time, a peak of memory) and
    differs between two runs over the same input; every other column is a function of input and configuration.
    """

    id: int  # permanent: never reused, not even after the column is gone
    name: str
    type: pa.DataType
    doc: str
    example: object
    since: str = "0.1.0"  # the version that first wrote it
    nullable: bool = True  # false only for columns of the first version: older files lack whatever came later
    measured: bool = False
    optional: bool = False  # only in the files of a run that asked for it


@dataclass(frozen=True, slots=True)
class Table:
    """One table: what a row of it is, and its columns in the order in which they are written."""

    name: str
    doc: str
    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        ids = [column.id for column in self.columns]
        names = [column.name for column in self.columns]
        if len(set(ids)) != len(ids) or len(set(names)) != len(names):
            message = f"table {self.name}: two columns share an id or a name"
            raise ValueError(message)

    def names(self) -> list[str]:
        """The names of the columns, in order."""
        return [column.name for column in self.columns]

    def written(self, optional: Collection[str] = ()) -> Table:
        """The table as a run writes it: without the optional columns, save for those named."""
        return replace(self, columns=tuple(c for c in self.columns if not c.optional or c.name in optional))

    def only(self, names: Collection[str]) -> Table:
        """The table with these columns alone."""
        return replace(self, columns=tuple(column for column in self.columns if column.name in names))

    def to_arrow(self) -> pa.Schema:
        """The Arrow schema; each field carries its id (`PARQUET:field_id`) and its description."""
        return pa.schema(
            pa.field(
                column.name,
                column.type,
                nullable=column.nullable,
                metadata={"PARQUET:field_id": str(column.id), "description": column.doc},
            )
            for column in self.columns
        )

    def to_spark(self) -> StructType:
        """The same schema for Spark, which drops Arrow's field metadata: the description goes into Spark's own."""
        from pyspark.sql.types import StructField, StructType

        return StructType(
            [
                StructField(column.name, _to_spark_type(column.type), column.nullable, {"comment": column.doc})
                for column in self.columns
            ]
        )

    def frozen(self) -> dict[str, Any]:
        """The table as plain data: what `frozen/<name>.json` keeps, and what the compatibility test compares."""
        return {
            "table": self.name,
            "columns": [
                {
                    "id": column.id,
                    "name": column.name,
                    "type": str(column.type),
                    "nullable": column.nullable,
                    "since": column.since,
                }
                for column in self.columns
            ],
        }


def record_number(id_: int) -> Column:
    """The column that, with warc_record_offset, is the address of a record."""
    doc = (
        "Its number among the records that begin at that offset, from 0: a gzip member or a frame may hold many. With "
        "the offset it is the record's address."
    )
    return Column(id_, "warc_record_number", pa.int32(), doc, 0)


def page_columns(first: int) -> tuple[Column, ...]:
    """The columns that name the page of a row, in a table beside `pages`; their ids begin at `first`."""
    return (
        Column(first, "url", pa.string(), "URL of the page.", "https://example.org/a?b=1"),
        Column(first + 1, "url_host_name", pa.string(), "Host name of the page.", "www.example.org"),
        Column(first + 2, "warc_filename", pa.string(), "The WARC.", "CC-MAIN-00000.warc.gz", nullable=False),
        Column(first + 3, "warc_record_offset", pa.int64(), "Bytes from the WARC's start to the page.", 123456),
        record_number(first + 4),
    )


def _to_spark_type(type_: pa.DataType) -> DataType:
    from pyspark.sql import types

    if pa.types.is_list(type_):
        return types.ArrayType(_to_spark_type(type_.value_type))
    if pa.types.is_map(type_):
        return types.MapType(_to_spark_type(type_.key_type), _to_spark_type(type_.item_type))
    cls: type[DataType] = getattr(types, _SPARK_NAMES[type_])
    return cls()
