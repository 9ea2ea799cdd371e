# SPDX-License-Identifier: Apache-2.0
"""The inputs of a run over an index: files of ranges, which lie in the run's folder.

    OUT/_index/00007.ranges.parquet    the eighth group of records, read as one input (thresher.reading.ranges)

The index is asked once, when the run is begun. A resumed run and every executor of a cluster read these files. Groups
and their order are a function of the index and the condition alone: records in the order of archive and offset, cut
where a group is full.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from thresher.reading.index import Index, ask_index
from thresher.reading.names import RANGES_SUFFIX
from thresher.reading.ranges import COLUMNS, MOST_IN_MEMBER, SIZE_KEY, extent
from thresher.writing.layout import INDEX
from thresher.writing.storage import Storage

GROUP_BYTES: Final = 1 << 30  # of records in a group: what a WARC of Common Crawl holds
LEAST_GROUP_BYTES: Final = 32 << 20  # a smaller index makes smaller groups, so that a cluster has work for many tasks
GROUPS: Final = 256  # that an index makes if neither bound matters
GROUP_RANGES: Final = MOST_IN_MEMBER  # records in a group: bounds the memory of the process that writes it
ROW_GROUP: Final = 4096  # records
_SCHEMA: Final = pa.schema([pa.field(name, kind) for name, kind in COLUMNS.items()])


def write_ranges(storage: Storage, index: Index, *, base_url: str | None) -> tuple[list[str], dict[str, Any]]:
    """Asks an index, and writes the records that it names below a run's folder.

    Returns the names of the files, in order, and what `_run.json` keeps: number of records and a digest of them.
    """
    storage.remove(INDEX)
    storage.make(INDEX)
    names: list[str] = []
    digest = hashlib.sha256()
    n = 0
    with ask_index(index, base_url=base_url) as answer:
        bound = min(GROUP_BYTES, max(LEAST_GROUP_BYTES, answer.n_bytes // GROUPS))
        for group, size in _groups(answer.batches, bound):
            names.append(f"{INDEX}/{len(names):05d}{RANGES_SUFFIX}")
            for key in ("warc_filename", "offset", "number", "length"):
                digest.update(repr(group[key].to_pylist()).encode("utf-8", "surrogatepass"))
            rows = group.replace_schema_metadata({SIZE_KEY: str(size).encode()})
            with storage.writing(names[-1]) as stream:
                pq.write_table(rows, stream, compression="zstd", row_group_size=ROW_GROUP)
            n += group.num_rows
        found = {"index.records": n, "index.bytes": answer.n_bytes, "index.sha256": digest.hexdigest()}
    return names, found


def _groups(batches: Iterator[pa.RecordBatch], bound: int) -> Iterator[tuple[pa.Table, int]]:
    """The records with their places, cut where a group has so many bytes or GROUP_RANGES records; and its bytes.

    Records of one member lie at one place and the next ones, so that a member is read once.
    """
    held: list[pa.RecordBatch] = []
    places: list[int] = []
    end = 0  # of the members so far
    member: tuple[str, int | None] | None = None
    for batch in batches:
        begin = 0
        keys = zip(*(batch[name].to_pylist() for name in ("source", "offset", "length")), strict=True)
        for number, (source, offset, length) in enumerate(keys):
            is_new = offset is None or member != (source, offset)
            if places and ((is_new and end + extent(length) > bound) or len(places) >= GROUP_RANGES):
                held.append(batch.slice(begin, number - begin))
                yield _table(held, places), end
                held, places, end, begin, is_new = [], [], 0, number, True
            if is_new:
                member, start = (source, offset), end
            places.append(end if is_new else places[-1] + 1)
            end = max(end, start + extent(length), places[-1] + 1)
        held.append(batch.slice(begin))
    if places:
        yield _table(held, places), end


def _table(batches: list[pa.RecordBatch], places: list[int]) -> pa.Table:
    rows = pa.Table.from_batches(batches)
    columns = {"place": pa.array(places, pa.int64())} | {name: rows[name] for name in _SCHEMA.names[1:]}
    return pa.table(columns, schema=_SCHEMA)
