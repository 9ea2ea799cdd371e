# SPDX-License-Identifier: Apache-2.0
"""DuckDB: `main_text(html)` and `near_text_marks(text)` in SQL, and archives as relations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import duckdb
import pyarrow as pa

from thresher.options import Options, make_options
from thresher.page.column import extract_column
from thresher.page.near_copies import near_text_marks

__all__ = ["read_warc", "register"]

_FUNCTIONS: Final = {"main_text": "text", "main_title": "title", "main_language": "language"}


def register(
    connection: duckdb.DuckDBPyConnection,
    *,
    options: Options | None = None,
    **keywords: Any,  # noqa: ANN401 (options of thresher.extract)
) -> None:
    """Gives a connection main_text(html), main_title(html), main_language(html) and near_text_marks(text).

    `html` is a BLOB; of a VARCHAR it is encode(html). NULL gives NULL, and so does main_title() of a page without a
    title. `options` and all other keywords are options of thresher.extract().

    near_text_marks() returns five numbers as BIGINT[], of which two nearly equal texts share at least one. A text of
    fewer than 143 words has an empty list. Numbers of different versions of Thresher cannot be compared.
    """
    made = make_options(options, **keywords)
    for name, field in _FUNCTIONS.items():
        compute = _function(field, made)
        arguments: Any = ["BLOB"]
        kind: Any = "arrow"
        # "special" hands NULL to the function and lets it return NULL: a page need not have a title.
        nulls: Any = "special"
        connection.create_function(name, compute, arguments, "VARCHAR", type=kind, null_handling=nulls)
    connection.create_function(
        "near_text_marks", _marks_of_texts, ["VARCHAR"], "BIGINT[]", type=kind, null_handling=nulls
    )


def read_warc(
    source: str | Iterable[str],
    connection: duckdb.DuckDBPyConnection | None = None,
    **keywords: Any,  # noqa: ANN401 (those of page_batches)
) -> duckdb.DuckDBPyRelation:
    """The pages of archives as a relation, read while the query runs; a relation can be read once.

    All keywords are those of thresher.page_batches(): filters given there are applied before pages are parsed.
    """
    from thresher.running.page_batches import page_batches

    batches = page_batches(source, **keywords)
    reader = pa.RecordBatchReader.from_batches(batches.schema, batches)
    return (connection or duckdb).from_arrow(reader)


def _function(field: str, options: Options) -> Callable[[pa.ChunkedArray[Any]], pa.Array[Any]]:
    def compute(pages: Any) -> Any:  # noqa: ANN401 (DuckDB evaluates the types, which pyarrow's classes do not bear)
        values = extract_column(pages.to_pylist(), field=field, options=options)
        return pa.array(values, pa.string())

    return compute


def _marks_of_texts(texts: Any) -> Any:  # noqa: ANN401 (as in _function)
    marks = [None if text is None else near_text_marks(text) for text in texts.cast(pa.binary()).to_pylist()]
    return pa.array(marks, pa.list_(pa.int64()))
