# SPDX-License-Identifier: Apache-2.0
"""What a data source of another system needs: its options, the schema of its rows, its inputs, and the rows of each.

Each input is a partition. With the option `accounts` each leaves the tables `dead_letter` and `metrics` of a run in
that folder, a file for each input, so that a task that is repeated writes the same file again.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, Self

import pyarrow as pa

from thresher.config import load_configuration
from thresher.errors import ConfigError, check_known
from thresher.rows.selection import Selection
from thresher.rows.tables import dead_letter_batch, write_tables
from thresher.running.page_batches import PageBatches
from thresher.schemas import TABLES

if TYPE_CHECKING:
    from thresher.schemas.table import Table

__all__ = ["DataSourceRows"]

_OPTIONS: Final = ("path", "columns", "where", "format", "mode", "table", "accounts")
_SETTINGS: Final = {"where": "filter.where", "format": "extract.format", "mode": "extract.mode"}
_TABLES: Final = ("pages", "dead_letter", "metrics")
_log: Final = logging.getLogger(__name__)


class DataSourceRows:
    """The pages of some inputs, or with `table` their dead letters or metrics. It can be pickled."""

    def __init__(self, options: Mapping[str, str]) -> None:
        """Raises ConfigError for an unknown option, which names the nearest known one, or an invalid value."""
        check_known(options, _OPTIONS, "option")
        self._table = options.get("table", "pages")
        if self._table not in _TABLES:
            raise ConfigError(f"table: {self._table!r} is not one of {', '.join(_TABLES)}")
        self._paths = options.get("path", "").split(",")
        self._accounts = options.get("accounts", "")
        columns = [name.strip() for name in options.get("columns", "").split(",") if name.strip()]
        given = {setting: options[name] for name, setting in _SETTINGS.items() if name in options}
        self._configuration = load_configuration(None, {**given, "write.columns": columns})

    @classmethod
    def of(cls, paths: str | Iterable[str], options: Mapping[str, Any]) -> Self:
        """The rows of some paths, whatever their names hold; `columns` may be a list."""
        check_known(options, _OPTIONS[1:], "option")  # the paths are given already
        columns = options.get("columns", "")
        given = {**options, "columns": columns if isinstance(columns, str) else ",".join(columns)}
        found = cls(given)
        found._paths = [paths] if isinstance(paths, str) else list(map(str, paths))
        return found

    @property
    def table(self) -> Table:
        """The table that the rows are of, with their columns."""
        if self._table != "pages":
            return TABLES[self._table].written()
        return TABLES["pages"].only(Selection(self._configuration).columns)

    def inputs(self) -> list[tuple[int, Any]]:
        """The inputs that the option `path` names, each with its number. The log counts the files that are not read.
        Raises InputError.
        """
        batches = PageBatches(self._paths, self._configuration)
        if left_out := Counter(batches.left_out.values()):
            reasons = ", ".join(f"{n:,} {reason}" for reason, n in sorted(left_out.items()))
            _log.warning("%s files are not read: %s", left_out.total(), reasons)
        return list(enumerate(each.absolute() for each in batches.inputs))

    def batches(self, numbered: tuple[int, Any]) -> Iterator[pa.RecordBatch]:
        """The rows of one of inputs(). What could not be read is counted in the log."""
        number, source = numbered
        batches = PageBatches(source, self._configuration, first=number)
        for batch in batches:
            if self._table == "pages":
                yield batch
        tables = {"dead_letter": dead_letter_batch(batches.dead_letters), "metrics": batches.metrics[0]}
        if self._accounts:
            write_tables(self._accounts, f"{number:05d}-0000.parquet", tables)
        if self._table != "pages":
            yield tables[self._table]
        if batches.dead_letters:
            first = batches.dead_letters[0]
            _log.warning(
                "%s: %s dead letters beside %s pages; the first, at %s: %s: %s (table=dead_letter reads them)",
                *(source, f"{batches.n_dead_letters:,}", f"{batches.statuses.total():,}"),
                *(first.offset, first.error_class, first.message),
            )
        _log.info("%s: skipped %s", source, dict(batches.skipped))
