# SPDX-License-Identifier: Apache-2.0
"""What a data source of another system needs: its options, the schema of its rows, its inputs, and the rows of each."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from thresher.errors import ConfigError, check_known
from thresher.options import make_options
from thresher.rows.batches import PageBatches, batches_configuration
from thresher.rows.selection import Selection
from thresher.rows.tables import dead_letter_batch
from thresher.schemas import TABLES

if TYPE_CHECKING:
    from thresher.schemas.table import Table

__all__ = ["DataSourceRows"]

_OPTIONS: Final = ("path", "columns", "where", "format", "mode", "table")
_TABLES: Final = ("pages", "dead_letter")
_log: Final = logging.getLogger(__name__)


class DataSourceRows:
    """The pages of some inputs, or with `table` their dead letters. It can be pickled."""

    def __init__(self, options: Mapping[str, str]) -> None:
        """Raises ConfigError for an unknown option, which names the nearest known one, or an invalid value."""
        check_known(options, _OPTIONS, "option")
        self._table = options.get("table", "pages")
        if self._table not in _TABLES:
            raise ConfigError(f"table: {self._table!r} is not one of {', '.join(_TABLES)}")
        self._path = options.get("path", "")
        given: Any = {name: options[name] for name in ("format", "mode") if name in options}
        columns = [name.strip() for name in options.get("columns", "").split(",") if name.strip()]
        self._keywords: dict[str, Any] = {
            "options": make_options(None, **given),
            "where": options.get("where"),
            "columns": columns,
        }

    @property
    def table(self) -> Table:
        """The table that the rows are of, with their columns."""
        if self._table != "pages":
            return TABLES[self._table].written()
        return TABLES["pages"].only(Selection(batches_configuration(**self._keywords)).columns)

    def inputs(self) -> list[Any]:
        """The inputs that the option `path` names. Raises InputError."""
        return [each.absolute() for each in PageBatches(self._path.split(",")).inputs]

    def batches(self, source: Any) -> Iterator[pa.RecordBatch]:  # noqa: ANN401 (one of inputs())
        """The rows of an input. What could not be read is counted in the log."""
        batches = PageBatches(source, **self._keywords)
        for batch in batches:
            if self._table == "pages":
                yield batch
        if batches.dead_letters:
            if self._table == "dead_letter":
                yield dead_letter_batch(batches.dead_letters)
            first = batches.dead_letters[0]
            _log.warning(
                "%s: %s dead letters beside %s pages; the first, at %s: %s: %s (table=dead_letter reads them)",
                *(source, f"{batches.n_dead_letters:,}", f"{batches.statuses.total():,}"),
                *(first.offset, first.error_class, first.message),
            )
        _log.info("%s: skipped %s", source, dict(batches.skipped))
