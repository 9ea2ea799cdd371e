# SPDX-License-Identifier: Apache-2.0
"""Retries what failed in a run and repairs the tables in place, so that they equal those of an undisturbed run.

A dead letter about a record or page is read again by its range of the archive. Rows, counts and dead letters of its
partition are corrected by the outcome. What fails again for the same reason is unchanged. Some failures need more than
their range. For these, the run continues at the first partition of the WARC that has one:
- a partition that was lost, or an archive that could not be opened;
- an archive that was cut off at the damage, and has grown since;
- pages that are not written as Parquet, are not in a WARC, or were filtered after they had failed.

With templates, repetition on a host is counted over all pages. The first pass then continues at the first partition of
the WARC that has a dead letter. After that everything is counted and decided again, from the notes of the first pass.

Every step can be killed: a partition's files are replaced as in any run, and a dead letter is removed last.
"""

from __future__ import annotations

import fnmatch
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from thresher.errors import InputError, TransferError
from thresher.reading.captures import DeadLetter, LeftOut
from thresher.reading.kinds import RANGES, WARC, kind_of
from thresher.reading.ranges import read_ranges
from thresher.reading.sources import input_size, reading_of
from thresher.rows.batches import ReadingBatches
from thresher.rows.selection import Selection
from thresher.rows.tables import StageTotals, batch_of, dead_letter_batch, skipped_batch
from thresher.running.partitions import RunInput, cut
from thresher.running.pipeline import Worker
from thresher.schemas import TABLES
from thresher.schemas.dead_letter import PAGE_GIVEN_UP, WORKER
from thresher.schemas.metrics import TOTAL
from thresher.schemas.pages import HTML, PAGE_STAGES
from thresher.writing.run_folder import RunFolder
from thresher.writing.staging import COUNTED_MARK, StagingFolder
from thresher.writing.tables import SCHEMA_FILE

if TYPE_CHECKING:
    from thresher.config import Configuration
    from thresher.reading.progress import Progress
    from thresher.running.run import Run
    from thresher.writing.ledger import Ledger

__all__ = ["Choice", "Plan", "RangeRetry", "plan_of"]

_OF_RECORDS: Final = frozenset({"read", "record", "http", "index"})  # stages at which a record is not a page yet
_ORDERS: Final = {
    "blocks": "block_order",
    "images": "position",
    "tables": "number",
    "code": "number",
    "posts": "number",
}
"""Tables with several rows for a page, and the column that puts these in order."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Selects the dead letters to retry; all of them if nothing is named."""

    classes: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    files: tuple[str, ...] = ()  # patterns of warc_filename

    def takes(self, row: Mapping[str, Any]) -> bool:
        """Whether a row of `dead_letter` is one of them."""
        return (
            (not self.classes or row["error_class"] in self.classes)
            and (not self.stages or row["stage"] in self.stages)
            and (not self.files or any(fnmatch.fnmatchcase(row["warc_filename"], each) for each in self.files))
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """The work of a retry."""

    ranges: dict[str, list[dict[str, Any]]]  # partition → dead letters to read again by range
    reopened: dict[int, int]  # number of a WARC → the first partition to redo
    n: int  # dead letters


def plan_of(run: Run, choice: Choice) -> Plan:
    """The plan for retrying the chosen dead letters of a run."""
    folder = run.extraction.folder
    pending = {run_input.number for run_input in run.extraction.pending}
    run_inputs = {run_input.number: run_input for run_input in run.inputs}
    plan = Plan({}, {}, 0)
    n = 0
    for partition, rows in _letters(folder):
        chosen = [row for row in rows if choice.takes(row)]
        n += len(chosen)
        number, place = (int(part) for part in partition.split("-"))
        if not chosen or number not in run_inputs:
            continue
        if number in pending and len(folder.ledger.read(number)) <= place:
            plan.reopened.setdefault(number, place)  # the run continues there by itself
        elif run.first_pass is not None or _needs_partition(run, run_inputs[number], place, chosen):
            plan.reopened[number] = min(place, plan.reopened.get(number, place))
        else:
            plan.ranges[partition] = chosen
    kept = {
        name: rows
        for name, rows in plan.ranges.items()
        if int(name.split("-")[0]) not in plan.reopened
        or int(name.split("-")[1]) < plan.reopened[int(name.split("-")[0])]
    }
    return Plan(kept, plan.reopened, n)


def reopen(run: Run, reopened: Mapping[int, int]) -> Run:
    """The run with these WARCs pending again, each from one of its partitions on."""
    first_pass = run.first_pass
    if first_pass is not None:
        if not reopened:
            return run
        # In this order, so that after a kill any command can continue the run.
        first_pass.folder.storage.remove(COUNTED_MARK)
        first_pass = replace(first_pass, pending=_reopen(first_pass.folder.ledger, run.inputs, reopened))
        reopened = dict.fromkeys(run.folder.ledger.finished(), 0)
    return replace(run, pending=_reopen(run.folder.ledger, run.inputs, reopened), first_pass=first_pass)


def _reopen(ledger: Ledger, run_inputs: Sequence[RunInput], reopened: Mapping[int, int]) -> tuple[RunInput, ...]:
    """Strikes these WARCs from a ledger, each from one of its partitions on. Returns the inputs that are left."""
    sources = {run_input.number: run_input.source for run_input in run_inputs}
    for number, place in reopened.items():
        ledger.reopen(number, sources[number], ledger.read(number)[:place])
    finished = ledger.finished()
    return tuple(run_input for run_input in run_inputs if run_input.number not in finished)


def _letters(folder: RunFolder) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The rows of `dead_letter` by partition."""
    for name in sorted(folder.storage.names("dead_letter") - {SCHEMA_FILE}):
        partition = name.partition(".")[0]
        if isinstance(folder, StagingFolder):  # whose files are Arrow
            yield partition, [row for rows in folder.read_groups("dead_letter", partition) for row in rows.to_pylist()]
        else:
            yield partition, _rows(folder, "dead_letter", partition)


def _rows(folder: RunFolder, table: str, partition: str) -> list[dict[str, Any]]:
    found = _read(folder, table, partition)
    return found.to_pylist() if found is not None else []


def _read(folder: RunFolder, table: str, partition: str) -> pa.Table | None:
    """The rows of a partition; None if it has none."""
    name = folder.layout.file_name(table, partition)
    if name not in folder.storage.names(table):
        return None
    return folder.tables.read(table, name)


def _needs_partition(run: Run, run_input: RunInput, place: int, rows: Sequence[Mapping[str, Any]]) -> bool:
    """True if some of a partition's dead letters cannot be read again by their ranges."""
    kind = kind_of(run_input.source)
    if kind not in (WARC, RANGES) or run.configuration.write.to != "parquet":
        return True
    if any(row["stage"] == WORKER and row["error_class"] != PAGE_GIVEN_UP for row in rows):
        return True
    if any(is_of_page(row) for row in rows) and Selection(run.configuration).changes_rows:
        return True  # the row of a page that failed may have been filtered out
    if kind == RANGES:
        return False
    entries = run.folder.ledger.read(run_input.number)
    if place + 1 < len(entries) or all(row["stage"] != "read" for row in rows):
        return False
    try:
        size = input_size(run_input.source)
    except (InputError, TransferError):
        return False
    behind = max(row["warc_record_offset"] + (row["warc_record_length"] or 0) for row in rows)
    return size is not None and (size > behind or len(cut(run_input, size, run.configuration)) != len(entries))


def is_of_page(row: Mapping[str, Any]) -> bool:
    """True if a dead letter is about a page with a row, not about a record that became no page."""
    stage = row["stage"]
    if stage in _OF_RECORDS or (stage == "decode" and row["error_class"] == "PayloadError"):
        return False
    return stage != WORKER or (row["message"] or "").endswith("this page")


# ---------------------------------------------------------------------------------------------------------------------
# By range
# ---------------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Outcome:
    """The outcome of reading a dead letter's range again."""

    batches: list[pa.RecordBatch]
    beside: dict[str, list[pa.RecordBatch]]
    """Rows of `blocks` and of parts of the main text, by table."""
    letters: list[DeadLetter]
    skipped: list[LeftOut]
    records: int
    statuses: Counter[str]
    totals: dict[str, StageTotals]
    reasons: Counter[str]
    rules: Counter[str]


@dataclass(slots=True)
class RangeRetry:
    """Reads the ranges of dead letters again, partition by partition: a step for Engine.each()."""

    configuration: Configuration
    output: str
    inputs: dict[int, RunInput]
    letters: dict[str, list[dict[str, Any]]]  # by partition
    _worker: Worker | None = field(default=None, repr=False)

    def __getstate__(self) -> tuple[Any, ...]:
        return self.configuration, self.output, self.inputs, self.letters

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.configuration, self.output, self.inputs, self.letters = state
        self._worker = None

    def __call__(self, partition: str, progress: Progress) -> int:
        """Retry the dead letters of a partition; returns how many are settled."""
        if self._worker is None:
            self._worker = Worker(self.configuration, self.output)
        folder = self._worker.folder
        run_input = self.inputs[int(partition.partition("-")[0])]
        old = _rows(folder, "dead_letter", partition)
        places = _Places(run_input)
        settled: list[tuple[dict[str, Any], _Outcome]] = []
        for row in self.letters[partition]:
            if row not in old:
                continue  # settled before this command was killed
            outcome = self._again(run_input, row, places, progress)
            if outcome is not None:
                settled.append((row, outcome))
        if settled:
            _settle(self._worker, partition, old, settled)
        return len(settled)

    def _again(self, run_input: RunInput, row: dict[str, Any], places: _Places, progress: Progress) -> _Outcome | None:
        """The outcome of a dead letter; None if it failed again in the same way."""
        assert self._worker is not None
        stretch = places.of(row)
        if stretch is None or stretch[0] in progress.skipped:
            return None  # workers died over it again
        reading = reading_of(run_input.source, self._worker.capture_options, *stretch, run_input.filename)
        reading.progress = progress
        skipped: list[LeftOut] = []
        reading.on_skipped = skipped.append
        batches = ReadingBatches(self._worker, reading, progress=progress)
        try:
            found: dict[str, list[pa.RecordBatch]] = defaultdict(list)
            for table, batch in batches:
                found[table].append(batch)
        except (InputError, TransferError):
            return None
        letters = [*reading.dead_letters, *batches.dead_letters]
        same = any((each.stage, each.error_class) == (row["stage"], row["error_class"]) for each in letters)
        if same or not reading.n_records or reading.first_offset != stretch[0]:
            return None
        return _Outcome(
            found.pop("pages", []),
            found,
            letters,
            skipped,
            reading.n_records,
            batches.statuses,
            batches.totals,
            reading.skipped,
            reading.rules,
        )


class _Places:
    """The ranges of an input that hold the records of dead letters."""

    def __init__(self, run_input: RunInput) -> None:
        self._ranges: dict[tuple[str, int], list[int]] | None = None
        if kind_of(run_input.source) == RANGES:
            self._ranges = defaultdict(list)
            for each in read_ranges(run_input.source):
                self._ranges[each.warc_filename, each.offset or 0].append(each.place)

    def of(self, row: Mapping[str, Any]) -> tuple[int, int] | None:
        """The bytes [start, end) of the input; None if they do not exist."""
        offset = row["warc_record_offset"] or 0
        if self._ranges is None:
            return offset, offset + max(row["warc_record_length"] or 0, 1)
        found = self._ranges.get((row["warc_filename"], offset))
        return (found[0], found[0] + 1) if found else None


def _settle(
    worker: Worker, partition: str, old: list[dict[str, Any]], settled: Sequence[tuple[dict[str, Any], _Outcome]]
) -> None:
    """Replace the files of a partition by corrected ones."""
    folder, selection = worker.folder, worker.selection
    left = list(old)
    for row, _ in settled:
        left.remove(row)
    letters = [_letter(row) for row in left] + [each for _, outcome in settled for each in outcome.letters]
    pages, rows_before = _pages(folder, partition, settled, selection.schema)
    metrics = _rows(folder, "metrics", partition)
    with folder.start_partition(partition) as writer:
        n_bytes = 0
        for batch in _groups(pages, worker.configuration):
            n_bytes += batch.nbytes
            writer.write("pages", batch)
        counted = sum(n for row in metrics for _, n in row["errors"] or ())
        for table in (name for name in _ORDERS if name in folder.layout.formats):
            for batch in _beside(folder, partition, table, settled):
                writer.write(table, batch)
        if counted == len(old):  # otherwise they were corrected before this command was killed
            sums = _Sums(metrics)
            for row, outcome in settled:
                sums.correct(row, outcome, rows_before)
            if not selection.changes_rows:
                sums.set("write", "bytes", n_bytes)
            metrics = sums.rows
        writer.write("metrics", _metrics_batch(metrics))
        if letters:
            writer.write("dead_letter", dead_letter_batch(letters))
        skipped = _read(folder, "skipped", partition)
        new = [record for _, outcome in settled for record in outcome.skipped]
        if worker.configuration.write.skipped == "list" and (new or skipped is not None):
            for batch in skipped.to_batches() if skipped is not None else ():
                writer.write("skipped", batch)
            if new:
                writer.write("skipped", skipped_batch(new))
        files = writer.close()
    folder.commit(partition, files)


def _beside(
    folder: RunFolder, partition: str, table: str, settled: Sequence[tuple[dict[str, Any], _Outcome]]
) -> list[pa.RecordBatch]:
    """The rows of a table beside `pages` in archive order, including those of the pages that were read again."""
    before = _read(folder, table, partition)
    new = [batch for _, outcome in settled for batch in outcome.beside.get(table, ())]
    if not new:
        return before.to_batches() if before is not None else []
    rows = pa.Table.from_batches(new)
    if before is not None:
        gone = set(_keys(rows))  # a page that only failed in language identification already had its rows
        left = [number for number, key in enumerate(_keys(before)) if key not in gone]
        rows = pa.concat_tables([before.take(pa.array(left, pa.int64())), rows])
    keys = list(zip(_keys(rows), rows[_ORDERS[table]].to_pylist(), strict=True))
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return rows.take(pa.array(order, pa.int64())).combine_chunks().to_batches()


def _letter(row: Mapping[str, Any]) -> DeadLetter:
    return DeadLetter(
        row["warc_filename"],
        row["warc_record_offset"] or 0,
        row["warc_record_length"] or 0,
        row["url"],
        row["stage"],
        row["error_class"],
        row["message"] or "",
    )


Key = tuple[str, int]  # warc_filename, warc_record_offset


def _pages(
    folder: RunFolder, partition: str, settled: Sequence[tuple[dict[str, Any], _Outcome]], schema: pa.Schema
) -> tuple[pa.Table, dict[Key, str]]:
    """The rows of `pages` in archive order, with the new ones replacing failed ones, and the old statuses."""
    before = _read(folder, "pages", partition)
    if before is None:
        before = schema.empty_table()
    new = [batch for _, outcome in settled for batch in outcome.batches]
    if {"warc_filename", "warc_record_offset"} - set(schema.names):
        # Without these columns the place of a row is unknown: new rows come last.
        return pa.concat_tables([before, pa.Table.from_batches(new, schema)]), {}
    keys = _keys(before)
    statuses: list[Any] = before["status"].to_pylist() if "status" in before.column_names else [None] * len(keys)
    gone = {(row["warc_filename"], row["warc_record_offset"] or 0) for row, _ in settled}
    gone |= {key for batch in new for key in _keys(pa.Table.from_batches([batch]))}
    kept = [number for number, key in enumerate(keys) if key not in gone]
    both = pa.concat_tables([before.take(pa.array(kept, pa.int64())), pa.Table.from_batches(new, schema)])
    order = _keys(both)
    places = sorted(range(len(order)), key=order.__getitem__)
    return both.take(pa.array(places, pa.int64())), dict(zip(keys, statuses, strict=True))


def _keys(rows: pa.Table) -> list[Key]:
    names: list[Any] = rows["warc_filename"].to_pylist()
    offsets: list[Any] = rows["warc_record_offset"].to_pylist()
    return list(zip(names, offsets, strict=True))


def _groups(pages: pa.Table, configuration: Configuration) -> Iterator[pa.RecordBatch]:
    """The rows in row groups as a run writes them."""
    write = configuration.write
    texts = [name for name in pages.column_names if name in ("text", HTML) or name.startswith("text_")]
    texts = [name for name in texts if pa.types.is_string(pages.schema.field(name).type) and name != "text_source"]
    sizes = [0] * pages.num_rows
    for name in texts:
        for number, text in enumerate(pages[name].to_pylist()):
            sizes[number] += len(text.encode()) if text else 0
    start = n_bytes = 0
    for number, size in enumerate(sizes):
        n_bytes += size
        if number + 1 - start >= write.batch_rows or n_bytes >= write.batch_bytes or number + 1 == len(sizes):
            rows = pages.slice(start, number + 1 - start).to_pylist()
            yield pa.RecordBatch.from_pylist(rows, schema=pages.schema)
            start, n_bytes = number + 1, 0


class _Sums:
    """The rows of `metrics` of a partition, to be corrected."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows
        self._by_stage = {row["stage"]: row for row in rows}

    def set(self, stage: str, column: str, value: int) -> None:
        """Sets a number."""
        self._by_stage[stage][column] = value

    def correct(self, letter: Mapping[str, Any], outcome: _Outcome, rows_before: Mapping[Key, str]) -> None:
        """Remove what a dead letter had counted, and count its outcome."""
        self._add("read", "records", outcome.records - 1)
        self._count("read", "skipped", outcome.reasons, 1)
        self._count("read", "rules", outcome.rules, 1)
        self._count(TOTAL, "statuses", outcome.statuses, 1)
        for stage, sums in outcome.totals.items():
            errors = Counter(sums.errors)
            if stage == "read":
                errors.update(each.error_class for each in outcome.letters if not _is_counted(each, outcome))
            self._count(stage, "errors", errors, 1)
            self._add(stage, "pages", sums.pages)
            self._add(stage, "nodes", sums.nodes if stage != "write" else 0)
            self._add(stage, "seconds", sums.nanoseconds / 1e9)
            if stage not in ("read", "write"):  # of reading, the bytes of the whole partition are counted
                self._add(stage, "bytes", sums.bytes)
        self._take_out(letter, outcome, rows_before)
        for name in ("pages", "nodes"):
            source = "write" if name == "pages" else "parse"
            for stage in {"write", TOTAL} - {source}:
                self.set(stage, name, self._by_stage[source][name])

    def _take_out(self, letter: Mapping[str, Any], outcome: _Outcome, rows_before: Mapping[Key, str]) -> None:
        name, stage = letter["error_class"], letter["stage"]
        if not is_of_page(letter):
            self._count("read", "errors", {name: 1}, -1)
            return
        # Its row may already be the new one, if this command was killed before.
        key = letter["warc_filename"], letter["warc_record_offset"] or 0
        status = rows_before.get(key, "error") if stage == "language" else "error"
        running = "decode" if stage == WORKER else stage  # a page that is given up has only been read
        self._count(running, "errors", {name: 1}, -1)
        self._add("write", "pages", -1)
        if status != "error":  # only its language failed: everything else had been counted
            self._count(TOTAL, "statuses", {status: 1}, -1)
            for each in PAGE_STAGES:
                sums = outcome.totals[each]
                self._add(each, "pages", -sums.pages)
                self._add(each, "nodes", -sums.nodes)
                self._add(each, "bytes", -sums.bytes if each != "read" else 0)
            return
        self._count(TOTAL, "statuses", {"error": 1}, -1)
        for each in PAGE_STAGES[: PAGE_STAGES.index(running)]:
            self._add(each, "pages", -1)
            if each == "decode":
                self._add(each, "bytes", -outcome.totals["decode"].bytes)

    def _add(self, stage: str, column: str, n: float) -> None:
        row = self._by_stage[stage]
        row[column] = (row[column] or 0) + n

    def _count(self, stage: str, column: str, counts: Mapping[str, int], sign: int) -> None:
        row = self._by_stage[stage]
        sums = Counter(dict(row[column] or ()))
        for name, n in counts.items():
            sums[name] += sign * n
        found = sorted((name, n) for name, n in sums.items() if n > 0)
        row[column] = found or (None if column in ("errors", "rules") else [])


def _is_counted(letter: DeadLetter, outcome: _Outcome) -> bool:
    """Whether a dead letter is among the errors of a page's stages; those of reading are not."""
    return any(letter.error_class in sums.errors for sums in outcome.totals.values())


def _metrics_batch(rows: Sequence[Mapping[str, Any]]) -> pa.RecordBatch:
    for row in rows:
        if row["seconds"]:
            row["nodes_per_second"] = row["nodes"] / row["seconds"]  # type: ignore[index]
    names = TABLES["metrics"].written().names()
    return batch_of("metrics", {name: [row[name] for row in rows] for name in names})
