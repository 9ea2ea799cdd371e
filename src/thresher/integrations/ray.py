# SPDX-License-Identifier: Apache-2.0
"""Ray Data: `read_archives("crawl/*.warc.gz")` is a Dataset of pages, a read task for each archive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import pyarrow as pa
import ray
from ray.data.block import BlockMetadata
from ray.data.datasource import Datasource, ReadTask

from thresher.integrations.data_source import DataSourceRows

__all__ = ["ThresherDatasource", "read_archives"]


def read_archives(paths: str | Iterable[str], *, ray_remote_args: dict[str, Any] | None = None, **options: Any) -> Any:  # noqa: ANN401 (a Dataset)
    """The pages of archives as a ray.data.Dataset, the rows of `thresher extract`.

    `options` are those of ThresherDatasource, `ray_remote_args` those of Ray's tasks. Raises ConfigError and InputError
    as it does.
    """
    return ray.data.read_datasource(ThresherDatasource(paths, **options), ray_remote_args=ray_remote_args or {})


class ThresherDatasource(Datasource):
    """Archives, for ray.data.read_datasource()."""

    def __init__(self, paths: str | Iterable[str], **options: Any) -> None:  # noqa: ANN401
        """`options` are columns, where, format, mode, table and accounts; see DataSourceRows. Raises ConfigError for
        others, InputError for paths that name no archive.
        """
        super().__init__()  # type: ignore[no-untyped-call]
        self._rows = DataSourceRows.of(paths, options)
        self._inputs = self._rows.inputs()

    def get_name(self) -> str:
        return "Thresher"

    def estimate_inmemory_data_size(self) -> int | None:
        """Nothing is known before the archives are read."""
        return None

    def get_read_tasks(
        self,
        parallelism: int,  # noqa: ARG002 (an archive is read by one task)
        per_task_row_limit: int | None = None,
        data_context: Any = None,  # noqa: ANN401, ARG002
    ) -> list[ReadTask]:
        """A task for each archive."""
        schema = self._rows.table.to_arrow()
        return [
            ReadTask(
                partial(_blocks, self._rows, each),
                BlockMetadata(num_rows=None, size_bytes=None, input_files=(str(each[1]),), exec_stats=None),
                schema=schema,
                per_task_row_limit=per_task_row_limit,
            )
            for each in self._inputs
        ]


def _blocks(rows: DataSourceRows, numbered: tuple[int, Any]) -> Iterator[pa.Table]:
    for batch in rows.batches(numbered):
        yield pa.Table.from_batches([batch])
