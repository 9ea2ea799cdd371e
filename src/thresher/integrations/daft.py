# SPDX-License-Identifier: Apache-2.0
"""Daft: `read_archives("crawl/*.warc.gz")` is a DataFrame of pages, a task for each archive."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import Any

import daft
from daft.io.source import DataSource, DataSourceTask
from daft.recordbatch import RecordBatch

from thresher.integrations.data_source import DataSourceRows

__all__ = ["ThresherSource", "read_archives"]


def read_archives(paths: str | Iterable[str], **options: Any) -> daft.DataFrame:  # noqa: ANN401
    """The pages of archives as a daft.DataFrame, the rows of `thresher extract`.

    `options` are columns, where, format, mode, table and accounts; see DataSourceRows. Raises ConfigError for others,
    InputError for paths that name no archive.
    """
    return ThresherSource(paths, **options).read()


class ThresherSource(DataSource):  # type: ignore[misc]
    """Archives as a source of Daft."""

    def __init__(self, paths: str | Iterable[str], **options: Any) -> None:  # noqa: ANN401
        """As read_archives()."""
        self._rows = DataSourceRows.of(paths, options)
        self._inputs = self._rows.inputs()

    @property
    def name(self) -> str:
        return "Thresher"

    @property
    def schema(self) -> daft.Schema:
        return daft.Schema.from_pyarrow_schema(self._rows.table.to_arrow())

    async def get_tasks(self, pushdowns: Any) -> AsyncIterator[DataSourceTask]:  # noqa: ANN401, ARG002 (Daft selects)
        """A task for each archive."""
        for each in self._inputs:
            yield _Task(self._rows, each)


class _Task(DataSourceTask):  # type: ignore[misc]
    def __init__(self, rows: DataSourceRows, numbered: tuple[int, Any]) -> None:
        self._rows, self._numbered = rows, numbered

    @property
    def schema(self) -> daft.Schema:
        return daft.Schema.from_pyarrow_schema(self._rows.table.to_arrow())

    async def read(self) -> AsyncIterator[RecordBatch]:
        """The rows of an archive."""
        for batch in self._rows.batches(self._numbered):
            yield RecordBatch.from_arrow_record_batches([batch], batch.schema)
