# SPDX-License-Identifier: Apache-2.0
"""Main text of a column of pages: pandas, Polars, Arrow, or any sequence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import Any, Final, get_args, get_type_hints

from thresher.options import Options
from thresher.page.columns import OF_THE_PAGE
from thresher.page.extraction import Extraction, extract

__all__ = ["extract_column"]

_FIELDS: Final = ("text", "charset", *(name for name in OF_THE_PAGE if hasattr(Extraction, name) and name != "text"))
"""What an Extraction tells of a page: its text, charset, and what is a column of the table `pages` too."""


def extract_column(
    pages: Any,  # noqa: ANN401 (a column of any library)
    *,
    field: str = "text",
    urls: Iterable[str | None] | None = None,
    options: Options | None = None,
    **keywords: Any,  # noqa: ANN401 (those of extract)
) -> Any:  # noqa: ANN401 (a column of the same library)
    """The main text of each page in a column of HTML: a Series of pandas or Polars, an array of Arrow, or a sequence.

    Returns a column of the same kind, with the same index and name; a sequence becomes a list. A page is bytes or str;
    null gives null. `field` names another result instead of the text, such as "title", "language" or "confidence".
    `urls` are the pages' URLs. `options` and all other keywords are those of thresher.extract(). For example:

        frame["text"] = thresher.extract_column(frame["html"], urls=frame["url"], format="markdown")

    No page makes it raise. Raises TypeError for a single page and for a table, TypeError or ValueError for options that
    thresher.extract() does not take, and for an unknown field.
    """
    if field not in _FIELDS:
        raise ValueError(f"unknown field {field!r}. Known: {', '.join(_FIELDS)}")
    given = _values(pages)
    addresses = _values(urls) if urls is not None else [None] * len(given)
    if len(addresses) != len(given):
        raise ValueError(f"{len(given):,} pages, but {len(addresses):,} urls")
    extract(b"", options=options, **keywords)  # wrong options are an error even where there is no page
    found: list[Any] = []
    for page, url in zip(given, addresses, strict=True):
        if not isinstance(page, bytes | bytearray | memoryview | str):
            found.append(None)
            continue
        address = url if isinstance(url, str) else None
        content = page if isinstance(page, bytes | str) else bytes(page)
        found.append(getattr(extract(content, url=address, options=options, **keywords), field))
    return _like(pages, found, field)


def _values(column: Any) -> Sequence[Any]:  # noqa: ANN401 (a column of any library)
    """A column as Python values. Raises TypeError for a single page, and for a table."""
    is_single = isinstance(column, str | bytes | bytearray | memoryview) or not isinstance(column, Iterable)
    if is_single or isinstance(column, Mapping) or hasattr(column, "columns"):
        raise TypeError(f"pages and urls must be columns or sequences, not {type(column).__name__}")
    for method in ("to_pylist", "to_list"):  # Arrow; pandas and Polars
        if hasattr(column, method):
            values: Sequence[Any] = getattr(column, method)()
            return values
    return column if isinstance(column, list | tuple) else list(column)


def _like(column: Any, values: list[Any], field: str) -> Any:  # noqa: ANN401 (a column of any library)
    """Values of a field as a column of the same library, of the field's type even where all are null."""
    declared = getattr(Extraction, field)
    hints = get_type_hints(declared.fget if isinstance(declared, property) else declared.func)
    kind = next(each for each in (get_args(hints["return"]) or (hints["return"],)) if each is not type(None))
    library = type(column).__module__.partition(".")[0]
    if library == "pandas" and hasattr(column, "index"):  # an Index has none
        return type(column)(values, index=column.index, name=column.name, dtype=object)
    if library == "polars":
        import polars

        dtype = {str: polars.String, float: polars.Float64, int: polars.Int64, date: polars.Date}[kind]
        return type(column)(column.name, values, dtype=dtype)
    if library == "pyarrow":
        import pyarrow as pa

        type_: Any = {str: pa.string(), float: pa.float64(), int: pa.int64(), date: pa.date32()}[kind]
        if not isinstance(column, pa.ChunkedArray):
            return pa.array(values, type_)
        rest = iter(values)
        chunks: Any = [pa.array(list(islice(rest, len(chunk))), type_) for chunk in column.chunks]
        return pa.chunked_array(chunks, type_)
    return values
