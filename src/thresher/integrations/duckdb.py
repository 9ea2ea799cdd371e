# SPDX-License-Identifier: Apache-2.0
"""DuckDB: `main_text(html)` in SQL, and archives as relations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import duckdb
import pyarrow as pa

import thresher

__all__ = ["read_warc", "register"]

_FUNCTIONS: Final = {"main_text": "text", "main_title": "title", "main_language": "language"}


def register(
    connection: duckdb.DuckDBPyConnection,
    *,
    options: thresher.Options | None = None,
    **keywords: Any,  # noqa: ANN401 (those of thresher.extract)
) -> None:
    """Gives a connection the functions main_text(html), main_title(html) and main_language(html).

    `html` is a BLOB; of a VARCHAR it is encode(html). NULL gives NULL, and so does main_title() of a page without a
    title. `options` and all other keywords are those of thresher.extract().
    """
    for name, field in _FUNCTIONS.items():
        compute = _function(field, options, keywords)
        arguments: Any = ["BLOB"]
        kind: Any = "arrow"
        # "special" hands NULL to the function and lets it return NULL: a page need not have a title.
        nulls: Any = "special"
        connection.create_function(name, compute, arguments, "VARCHAR", type=kind, null_handling=nulls)


def read_warc(
    source: str | Iterable[str],
    connection: duckdb.DuckDBPyConnection | None = None,
    **keywords: Any,  # noqa: ANN401 (those of page_batches)
) -> duckdb.DuckDBPyRelation:
    """The pages of archives as a relation, read while the query runs; a relation can be read once.

    All keywords are those of thresher.page_batches(): filters given there are applied before pages are parsed.
    """
    batches = thresher.page_batches(source, **keywords)
    reader = pa.RecordBatchReader.from_batches(batches.schema, batches)
    return (connection or duckdb).from_arrow(reader)


def _function(
    field: str, options: thresher.Options | None, keywords: dict[str, Any]
) -> Callable[[pa.ChunkedArray[Any]], pa.Array[Any]]:
    def compute(pages: Any) -> Any:  # noqa: ANN401 (DuckDB evaluates the types, which pyarrow's classes do not bear)
        values = thresher.extract_column(pages.to_pylist(), field=field, options=options, **keywords)
        return pa.array(values, pa.string())

    return compute
