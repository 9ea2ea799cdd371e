# SPDX-License-Identifier: Apache-2.0
"""The rows that a run wrote."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq


def rows_of(output: Path, table: str = "pages") -> list[dict[str, Any]]:
    """The rows of a table in the order of its files, with what the names of their folders say."""
    rows: list[dict[str, Any]] = []
    for path in sorted((output / table).rglob("*.parquet")):
        if path.name != "schema.parquet":
            folders = dict(part.split("=") for part in path.relative_to(output / table).parts[:-1])
            rows += [folders | row for row in pq.read_table(path, partitioning=None).to_pylist()]
    return rows
