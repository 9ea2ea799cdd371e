# SPDX-License-Identifier: Apache-2.0
"""Rows of the tables as Arrow record batches, filled column by column by name."""

from __future__ import annotations

import resource
import sys
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

import pyarrow as pa

from thresher.config import Configuration
from thresher.options import EXTRACTORS
from thresher.page.columns import (
    PAGES,
    PageRow,
    Source,
    further_sources,
    not_known_yet,
    of_part,
    stage_times,
    text_column,
    values,
)
from thresher.reading.captures import DeadLetter, LeftOut, Reading, Rejection, Revisited
from thresher.schemas import TABLES
from thresher.schemas.dead_letter import PARTS
from thresher.schemas.metrics import FILTER, MORE_STAGES, TOTAL
from thresher.schemas.pages import GROUPS, HTML, OUTLINKS, PAGE_STAGES, RENDERED, RIGHTS, STRUCTURE


@dataclass(slots=True)
class StageTotals:
    """Sums of one stage over a partition."""

    pages: int = 0
    nodes: int = 0
    bytes: int = 0
    nanoseconds: int = 0
    errors: Counter[str] = field(default_factory=Counter)


@cache
def page_sources(further: tuple[str, ...] = (), *, timings: bool = True) -> dict[str, Source]:
    """The sources of the columns of `pages` that a run with these optional columns writes, in table order."""
    times = stage_times(PAGE_STAGES) if timings else dict.fromkeys((f"{s}_us" for s in PAGE_STAGES), not_known_yet)
    sources = PAGES | times | further_sources(EXTRACTORS)
    sources |= {name: of_part("rights", name) for name in RIGHTS}
    sources |= {name: of_part("structured_data", name) for name in STRUCTURE}
    return {name: sources[name] for name in TABLES["pages"].written(further).names()}


def page_batch(rows: Sequence[PageRow], sources: Mapping[str, Source]) -> pa.RecordBatch:
    """Pages as rows of `pages`; `sources` as page_sources() gives them."""
    return batch_of("pages", {name: values(source, rows) for name, source in sources.items()})


def metrics_batch(
    partition: str,
    reading: Reading,
    totals: dict[str, StageTotals],
    statuses: Counter[str],
    elapsed: int,
    cpu_seconds: float,
) -> pa.RecordBatch:
    """The `metrics` rows of a partition; `elapsed` in nanoseconds."""
    requests, received = reading.asked
    nodes = totals["parse"].nodes
    totals["write"].nodes = totals[FILTER].nodes = totals[PARTS].nodes = nodes
    everything = StageTotals(totals["write"].pages, nodes, totals["read"].bytes, elapsed)
    rows = []
    for stage, sums in [*totals.items(), (TOTAL, everything)]:
        if stage in MORE_STAGES and not sums.pages:
            continue
        seconds = sums.nanoseconds / 1e9
        is_read, is_total = stage == "read", stage == TOTAL
        row: dict[str, Any] = {
            "partition": partition,
            "warc_filename": reading.filename,
            "split_offset": reading.first_offset,
            "stage": stage,
            "pages": sums.pages,
            "nodes": sums.nodes,
            "bytes": sums.bytes,
            "seconds": seconds,
            "nodes_per_second": sums.nodes / seconds if seconds else None,
            "peak_memory": peak_memory() if is_total else None,
            "records": reading.n_records if is_read else None,
            "statuses": sorted(statuses.items()) if is_total else None,
            "skipped": sorted(reading.skipped.items()) if is_read else None,
            "rules": sorted(reading.rules.items()) if is_read and reading.rules else None,
            "errors": sorted(sums.errors.items()) if sums.errors else None,
            "cpu_seconds": cpu_seconds if is_total else None,
            "requests": requests if is_read and requests else None,
            "bytes_received": received if is_read and requests else None,
        }
        rows.append(row)
    return _batch_of_rows("metrics", rows)


def dead_letter_batch(letters: Iterable[DeadLetter]) -> pa.RecordBatch:
    rows = [
        {
            "warc_filename": letter.warc_filename,
            "warc_record_offset": letter.offset,
            "warc_record_number": letter.number,
            "warc_record_length": letter.length or None,
            "url": letter.url,
            "stage": letter.stage,
            "error_class": letter.error_class,
            "message": letter.message,
        }
        for letter in sorted(letters, key=lambda letter: (letter.offset, letter.number))
    ]
    return _batch_of_rows("dead_letter", rows)


def write_tables(folder: str, name: str, tables: Mapping[str, pa.RecordBatch]) -> None:
    """Writes batches as files FOLDER/TABLE/NAME, local or in a store; each appears whole or not at all."""
    import pyarrow.parquet as pq

    from thresher.writing.storage import Storage

    storage = Storage(folder)
    for table, batch in tables.items():
        storage.make(table)
        temporary = storage.path(table, f"_{uuid.uuid4().hex}-{name}")  # which readers of the folder pass over
        with storage.fs.open_output_stream(temporary) as stream:
            pq.write_table(pa.Table.from_batches([batch]), stream, compression="zstd")
        storage.fs.move(temporary, storage.path(table, name))


def skipped_batch(records: Iterable[LeftOut]) -> pa.RecordBatch:
    """Records that were skipped as rows of `skipped`."""
    rows = []
    for record in records:
        revisited = record.revisited or Revisited()
        rows.append(
            {
                "warc_filename": record.warc_filename,
                "warc_record_offset": record.offset,
                "warc_record_number": record.number,
                "warc_record_length": record.length or None,
                "url": record.url,
                "reason": record.reason,
                "fetch_time": record.fetch_time,
                "content_digest": revisited.content_digest,
                "refers_to_id": revisited.record_id,
                "refers_to_url": revisited.url,
                "refers_to_time": revisited.fetch_time,
                "rule": record.rule,
                "value": record.value,
            }
        )
    return _batch_of_rows("skipped", rows)


_OF_ALL_STAGES: Final = ("partition", "warc_filename", "split_offset", "pages", "nodes")


def after_second_pass(
    metrics: pa.RecordBatch,
    left_out: Sequence[Rejection],
    statuses: Mapping[str | None, int],
    costs: Mapping[str, int],
    cpu_seconds: float,
) -> pa.RecordBatch:
    """Rows of `metrics` of one partition after the second pass, which has excluded pages for these reasons. `costs` are
    the nanoseconds of its stages.
    """
    n = len(left_out)
    reasons = Counter(why.reason for why in left_out)
    rules = Counter(why.counted for why in left_out if why.rule)
    *rows, total = metrics.to_pylist()
    for stage, nanoseconds in costs.items():
        seconds = nanoseconds / 1e9
        rate = total["nodes"] / seconds if seconds else None
        rows.append(dict.fromkeys(total) | {name: total[name] for name in _OF_ALL_STAGES})
        rows[-1] |= {"stage": stage, "bytes": 0, "seconds": seconds, "nodes_per_second": rate}
    total["seconds"] += sum(costs.values()) / 1e9
    total["cpu_seconds"] += cpu_seconds
    rows.append(total)
    for row in rows:
        if row["stage"] == "read":
            row["skipped"] = sorted((Counter(dict(row["skipped"])) + reasons).items())
            row["rules"] = sorted((Counter(dict(row["rules"] or ())) + rules).items()) or None
        if row["stage"] in ("write", TOTAL):
            row["pages"] -= n
        if row["stage"] == TOTAL:
            row["statuses"] = sorted((Counter(dict(row["statuses"])) - Counter(statuses)).items())
    return _batch_of_rows("metrics", rows)


def _batch_of_rows(table: str, rows: Sequence[Mapping[str, Any]]) -> pa.RecordBatch:
    return batch_of(table, {name: [row[name] for row in rows] for name in TABLES[table].written().names()})


def batch_of(table: str, columns: Mapping[str, Sequence[Any] | pa.Array[Any]]) -> pa.RecordBatch:
    """A batch of a table from its columns by name. Optional columns may be missing; any other missing column is a
    KeyError.
    """
    schema = arrow_schema(table, tuple(columns))
    unknown = columns.keys() - set(schema.names)
    if unknown:
        raise KeyError(f"the table {table} has no column {min(unknown)}")
    return pa.RecordBatch.from_arrays([_array(columns[each.name], each.type) for each in schema], schema=schema)


@cache
def arrow_schema(table: str, optional: tuple[str, ...] = ()) -> pa.Schema:
    """The schema of a table in a run that asked for these optional columns. Other names among them are ignored."""
    return TABLES[table].written(optional).to_arrow()


def further_extractors(configuration: Configuration) -> tuple[str, ...]:
    """The extractors beside the first one, in the order of their columns."""
    order = TABLES["pages"].names()
    return tuple(sorted(configuration.extract.extractors[1:], key=lambda name: order.index(text_column(name))))


def further_columns(configuration: Configuration) -> tuple[str, ...]:
    """The optional columns of `pages` that a run fills: one for each further extractor, the page if it is kept, its
    links, what a browser showed, and those of groups.
    """
    asked = {name.removeprefix("+") for name in configuration.write.columns}
    kept = {HTML} if configuration.write.blocks else set()
    own = (name for name in (HTML, OUTLINKS, RENDERED) if name in asked | kept)
    texts = (text_column(name) for name in further_extractors(configuration))
    return (*own, *texts, *(column for group in GROUPS for column in group_columns(configuration, group)))


def group_columns(configuration: Configuration, group: str) -> tuple[str, ...]:
    """The columns of a group (GROUPS) that a run fills; the group's name stands for all of them."""
    asked = {name.removeprefix("+") for name in configuration.write.columns}
    return tuple(name for name in GROUPS[group] if name in asked or group in asked)


def _array(values: Sequence[Any] | pa.Array[Any], type_: pa.DataType) -> pa.Array[Any]:
    """Values as an Arrow array; text may be bytes.

    Values that Arrow cannot take are replaced: an unpaired surrogate by a question mark, malformed UTF-8 by U+FFFD, a
    number that is too large by null.
    """
    if isinstance(values, pa.Array):
        return values if values.type == type_ else values.cast(type_)
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
        # Unlike VmHWM, ru_maxrss starts with the size of the parent process.
        with open("/proc/self/status", encoding="ascii") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
