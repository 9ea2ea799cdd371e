# SPDX-License-Identifier: Apache-2.0
"""Rows of the tables as Arrow batches."""

from __future__ import annotations

import resource
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pyarrow as pa

from thresher.captures import DeadLetter, WarcReading
from thresher.config import Configuration
from thresher.partitions import Partition
from thresher.schemas import TABLES
from thresher.schemas.metrics import TOTAL
from thresher.schemas.pages import text_column


@dataclass(slots=True)
class StageTotals:
    """Sums of one stage over a partition."""

    pages: int = 0
    nodes: int = 0
    bytes: int = 0
    nanoseconds: int = 0
    errors: Counter[str] = field(default_factory=Counter)


def metrics_batch(
    partition: Partition,
    totals: dict[str, StageTotals],
    statuses: Counter[str],
    reading: WarcReading,
    elapsed: int,
    cpu_seconds: float,
) -> pa.RecordBatch:
    """The `metrics` rows of a partition; `elapsed` in nanoseconds."""
    nodes = totals["parse"].nodes
    totals["write"].nodes = nodes
    everything = StageTotals(totals["write"].pages, nodes, totals["read"].bytes, elapsed)
    rows = []
    for stage, sums in [*totals.items(), (TOTAL, everything)]:
        seconds = sums.nanoseconds / 1e9
        is_read, is_total = stage == "read", stage == TOTAL
        rows.append(
            (
                partition.name,
                partition.warc.filename,
                reading.first_offset,
                stage,
                sums.pages,
                sums.nodes,
                sums.bytes,
                seconds,
                sums.nodes / seconds if seconds else None,
                peak_memory() if is_total else None,
                reading.n_records if is_read else None,
                sorted(statuses.items()) if is_total else None,
                sorted(reading.skipped.items()) if is_read else None,
                sorted(sums.errors.items()) if sums.errors else None,
                cpu_seconds if is_total else None,
            )
        )
    return batch_of("metrics", zip(*rows, strict=True))


def dead_letter_batch(letters: Sequence[DeadLetter]) -> pa.RecordBatch:
    """Dead letters as rows of `dead_letter`, in the order of the WARC."""
    rows = [
        (
            letter.warc_filename,
            letter.offset,
            letter.length or None,
            letter.url,
            letter.stage,
            letter.error_class,
            letter.message,
        )
        for letter in sorted(letters, key=lambda letter: letter.offset)
    ]
    return batch_of("dead_letter", zip(*rows, strict=True))


def batch_of(table: str, columns: Iterable[Sequence[Any]], optional: tuple[str, ...] = ()) -> pa.RecordBatch:
    schema = _arrow_schema(table, optional)
    return pa.RecordBatch.from_arrays(
        [_array(column, schema_field.type) for column, schema_field in zip(columns, schema, strict=True)], schema=schema
    )


@cache
def _arrow_schema(table: str, optional: tuple[str, ...]) -> pa.Schema:
    return TABLES[table].written(optional).to_arrow()


def further_extractors(configuration: Configuration) -> tuple[str, ...]:
    """The extractors beside the first one, in the order of their columns."""
    order = TABLES["pages"].names()
    return tuple(sorted(configuration.extract.extractors[1:], key=lambda name: order.index(text_column(name))))


def further_columns(configuration: Configuration) -> tuple[str, ...]:
    """The optional columns of `pages` that a run writes: one for each further extractor."""
    return tuple(text_column(name) for name in further_extractors(configuration))


def _array(values: Sequence[Any], type_: pa.DataType) -> pa.Array[Any]:
    """Values as an Arrow array; text may be bytes. What Arrow cannot take (half of a surrogate pair in a URL, a number
    too large) becomes what it can take: a question mark, U+FFFD, or null.
    """
    try:
        return pa.array(values, type_)
    except (pa.ArrowException, UnicodeError, OverflowError, ValueError):
        return pa.array([_tame(value, type_) for value in values], type_)


def _tame(value: object, type_: pa.DataType) -> object:
    if isinstance(value, str):
        value = value.encode("utf-8", "replace").decode("utf-8")
    elif isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    try:
        pa.scalar(value, type_)
    except (pa.ArrowException, OverflowError, ValueError):
        return None
    return value


def peak_memory() -> int:
    """The largest resident size of this process so far, in bytes."""
    try:
        # ru_maxrss begins with the size of the process that started this one, which VmHWM does not.
        with open("/proc/self/status", encoding="ascii") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
