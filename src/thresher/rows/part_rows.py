# SPDX-License-Identifier: Apache-2.0
"""Rows of the tables beside `pages` that hold parts of the main text: images, tables, code, posts (write.also)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from thresher.address import page_id
from thresher.page.parts import IMAGES, PageParts, PartsReader
from thresher.rows.beside import KEY, RowsBeside, key_of
from thresher.rows.tables import batch_of
from thresher.schemas import PARTS

if TYPE_CHECKING:
    from thresher.page.columns import PageRow

_PLACE: Final = "_place"
"""Of rows that wait for the second pass: the place of their page among the pages of their group."""


class PartRows(RowsBeside[PageParts]):
    def __init__(self, wanted: Sequence[str], read: PartsReader) -> None:
        """`read` gives the parts of the most recently rendered page."""
        super().__init__()
        self.read = read
        self._wanted = tuple(name for name in PARTS if name in wanted)

    def batches(
        self, rows: Sequence[PageRow], left_out: Sequence[object | None], *, staged: bool
    ) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The rows of each table for the pages since the last batch. A page with a reason to be excluded has none.

        If `staged`, they wait for the second pass, which reads them group by group: each table has a batch.
        """
        pages = self._take(left_out)
        for table in self._wanted:
            found = {place: page.rows[table] for place, page in pages.items() if page.rows[table]}
            batch = _batch(table, found, {place: key_of(rows[place]) for place in found})
            if staged:
                places = [place for place, parts in found.items() for _ in parts]
                batch = batch.append_column(_PLACE, pa.array(places, pa.int32()))
            if staged or batch.num_rows:
                yield table, batch


def decided_parts(
    table: str,
    staged: pa.RecordBatch,
    pages: pa.RecordBatch,
    new: Mapping[int, PageParts | None],
    left_out: Sequence[object | None],
) -> pa.RecordBatch:
    """Rows of a table that waited for the second pass, as it decided: `new` has the parts of pages that were decided
    again, by their place among `pages`. Pages with a reason to be excluded have none.
    """
    places: list[Any] = staged[_PLACE].to_pylist()
    gone = {place for place, reason in enumerate(left_out) if reason is not None} | new.keys()
    kept = [row for row, place in enumerate(places) if place not in gone]
    rows = staged.drop_columns([_PLACE])
    if len(kept) < len(places):
        rows = rows.take(pa.array(kept, pa.int32()))
    fresh = {
        place: parts.rows[table]
        for place, parts in sorted(new.items())
        if parts is not None and left_out[place] is None and parts.rows[table]
    }
    if not fresh:
        return rows
    added = _batch(table, fresh, {place: tuple(pages[name][place].as_py() for name in KEY) for place in fresh})
    order = [places[row] for row in kept] + [place for place, parts in fresh.items() for _ in parts]
    both = pa.Table.from_batches([rows, added.cast(rows.schema)])
    turned = pa.array(sorted(range(len(order)), key=order.__getitem__), pa.int32())
    return both.take(turned).combine_chunks().to_batches()[0]


def _batch(
    table: str, parts: Mapping[int, Sequence[Mapping[str, Any]]], keys: Mapping[int, tuple[Any, ...]]
) -> pa.RecordBatch:
    """Rows of a table: parts of pages, and what names each page, by place."""
    columns: dict[str, list[Any]] = {name: [] for name in PARTS[table].names()}
    own = [name for name in columns if name not in KEY and name != "sample_id"]
    for place, rows in parts.items():
        key = keys[place]
        for row in rows:
            for name in own:
                columns[name].append(row.get(name))
        for name, value in zip(KEY, key, strict=True):
            columns[name] += [value] * len(rows)
        if table == IMAGES:
            columns["sample_id"] += [page_id(*key[2:])] * len(rows)
    return batch_of(table, columns)
