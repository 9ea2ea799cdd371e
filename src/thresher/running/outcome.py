# SPDX-License-Identifier: Apache-2.0
"""The outcome of a run: counts, timings and errors read back from its tables, batch by batch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from thresher.errors import OutputError
from thresher.schemas import ASKED
from thresher.schemas.dead_letter import PAGE_GIVEN_UP, WORKER
from thresher.schemas.metrics import STAGES, TOTAL
from thresher.schemas.skipped import FILTERS, PASSED_ON
from thresher.terminal import number_of
from thresher.writing.layout import COMPACTING, STAGING
from thresher.writing.ledger import LEDGER, Ledger, PartitionEntry
from thresher.writing.run_folder import RunFolder, has_templates, is_parquet
from thresher.writing.tables import COMPACTED

if TYPE_CHECKING:
    from pyarrow import RecordBatch

HOST_COLUMNS: Final = ("url_host_name", "n_words", "confidence", "template_share", "duplicate_of", "duplicate_reason")
FACTS: Final = ("title", "author", "date", "site_name", "type")
"""Facts of pages whose coverage is counted."""
_MAX_DEAD_LETTERS: Final = 100  # kept as examples
_OF_PARTITIONS: Final = ("metrics", "dead_letter")  # tables whose rows are those of the ledger in every mode


@dataclass(slots=True)
class StageReport:
    """Sums of one stage over the run; seconds are those of all workers together."""

    pages: int = 0
    nodes: int = 0
    bytes: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class HostReport:
    """Sums over the pages of one host."""

    pages: int = 0
    words: int = 0  # of whole pages
    judged: int = 0  # pages with a confidence
    confidence: float = 0.0  # sum
    counted: int = 0  # pages with a template share, as of runs with templates
    template_share: float = 0.0  # sum
    copies: int = 0  # pages that repeat the text of another

    def add(self, other: HostReport) -> None:
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


@dataclass(slots=True)
class Report:
    location: str
    run: dict[str, Any]
    pages: int = 0
    nodes: int = 0
    records: int = 0
    partitions: int = 0
    peak_memory: int = 0  # bytes, of the largest worker
    cpu_seconds: float = 0.0
    statuses: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)  # "filter: rule" → pages that filters left out
    unreadable: int = 0  # dead letters of reading: records that are not pages
    errors: Counter[str] = field(default_factory=Counter)  # "stage: error class" → dead letters
    files: int = 0  # that the inputs name, one by one
    left_out: Counter[str] = field(default_factory=Counter)  # reason → files that are not read
    parts: dict[str, int] = field(default_factory=dict)  # table that the run asked for (schemas.ASKED) → its rows
    missing: dict[str, int] = field(default_factory=dict)  # file that is gone or cannot be read → its rows
    state: str = "finished"
    """`finished`; `running`: a process on this machine is at work on it; `incomplete`: partitions are missing;
    `interrupted`: the run was stopped or killed; `damaged`: finished files are not there any more."""
    inputs: int = 0  # of the run
    finished_inputs: int = 0
    read_inputs: int | None = None  # finished by the first pass of a run with templates, not by the second
    languages: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    known: dict[str, int] = field(default_factory=dict)  # fact that the run writes, of FACTS → pages that have it
    hosts: dict[str, HostReport] = field(default_factory=dict)
    stages: dict[str, StageReport] = field(default_factory=dict)
    examples: list[dict[str, Any]] = field(default_factory=list)
    """A few dead letters, one of each error at least. No message repeats the name of its input."""

    @property
    def losses(self) -> Counter[str]:
        """Those of the errors that cost a partition each."""
        of_worker = (name for name in self.errors if name.startswith(f"{WORKER}: "))
        return Counter({name: self.errors[name] for name in of_worker if not name.endswith(f": {PAGE_GIVEN_UP}")})

    @property
    def lost(self) -> int:
        """Partitions that are missing because they failed."""
        return self.losses.total()

    @property
    def rows(self) -> dict[str, Any]:
        """Everything that its rows depend on."""
        found: dict[str, Any] = self.run.get("rows", {})
        return found

    @property
    def is_readable(self) -> bool:
        """Whether the pages are in Parquet, so that they can be counted."""
        return is_parquet(self.rows)

    @property
    def passed_on(self) -> Counter[str]:
        """Documents whose records were passed on, by kind."""
        prefix = f"{PASSED_ON}: "
        return Counter({name[len(prefix) :]: n for name, n in self.rules.items() if name.startswith(prefix)})

    @property
    def rules_of_filters(self) -> Counter[str]:
        """The rules without what was passed on."""
        return Counter({name: n for name, n in self.rules.items() if not name.startswith(f"{PASSED_ON}: ")})

    @property
    def input_noun(self) -> str:
        """The word for an input of the run: over an index, inputs are groups of the records that it names."""
        return "record group" if "index" in self.rows else "input"

    @property
    def error_ratio(self) -> float:
        """Dead letters per page or record that should have been a page, whether filters left it out or not."""
        filtered = sum(n for reason, n in self.skipped.items() if reason in FILTERS)
        return self.errors.total() / max(self.pages + filtered + self.unreadable + self.lost, 1)

    @property
    def unaccounted(self) -> int:
        """Records that are neither pages, dead letters nor skipped. Anything but 0 is a bug."""
        return self.records - self.pages - self.unreadable - self.skipped.total()

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data, with the rates that `to_text` shows."""
        stages = {
            name: asdict(stage)
            | {
                "nodes_per_second": stage.nodes / stage.seconds if stage.seconds else None,
                "bytes_per_second": stage.bytes / stage.seconds if stage.seconds else None,
            }
            for name, stage in self.stages.items()
        }
        # Field by field, because asdict() of Python 3.11 breaks a Counter.
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        hosts = {name: asdict(host) for name, host in self.hosts.items()}
        return plain | {"stages": stages, "hosts": hosts, "unaccounted": self.unaccounted, "lost": self.lost}


def inspect_run(location: str, *, contents: bool = True) -> Report:
    """The report on an output folder. Without `contents`, no page is read: languages, types and hosts are not counted.

    Raises OutputError if the folder holds no run.
    """
    return report_on(RunFolder(location), contents=contents)


def whole_run(location: str) -> RunFolder:
    """The output folder of a run of which nothing that was finished is missing; OutputError otherwise."""
    folder = RunFolder(location)
    if missing := report_on(folder, contents=False).missing:
        files = number_of(len(missing), "file")
        raise OutputError(f"{location} is damaged: {files} cannot be found or read, such as {next(iter(missing))}")
    return folder


def report_on(folder: RunFolder, *, contents: bool) -> Report:
    """What inspect_run() returns of an open folder."""
    report = Report(folder.location, folder.read_run())
    report.inputs = report.rows.get("inputs", 0)
    report.finished_inputs = len(folder.ledger.finished())
    if folder.storage.has(STAGING):
        report.read_inputs = len(Ledger(folder.storage, STAGING).finished())
    report.stages = {stage: StageReport() for stage in (*STAGES, TOTAL)}
    pages: dict[str, int] = {}  # of each partition
    for row in folder.tables.rows("metrics"):
        _add_metrics(report, row)
        if row["stage"] == TOTAL:
            pages[row["partition"]] = row["pages"]
    if contents and report.is_readable:
        written = folder.tables.names_of("pages")
        report.known = dict.fromkeys((fact for fact in FACTS if fact in written), 0)
        columns = list(dict.fromkeys(("language", "type", *HOST_COLUMNS, *report.known)))
        for batch in folder.tables.dataset("pages").to_batches(columns=columns):
            for fact in report.known:
                report.known[fact] += len(batch) - batch[fact].null_count
            report.languages.update(_counts(batch["language"]))
            report.types.update(_counts(batch["type"]))
            add_hosts(report.hosts, batch)
    for row in folder.tables.rows("dead_letter"):
        error = f"{row['stage']}: {row['error_class']}"
        report.errors[error] += 1
        if len(report.examples) < _MAX_DEAD_LETTERS or report.errors[error] == 1:
            name, message = row["warc_filename"] or "", row["message"] or ""
            report.examples.append(row | {"warc_filename": name, "message": message.removeprefix(f"{name}: ")})
    if "files" in folder.storage.names():  # runs of earlier versions have none
        for row in folder.tables.rows("files"):
            report.files += 1
            if row["reason"]:
                report.left_out[row["reason"]] += 1
    report.parts = _parts(folder, report.rows)
    copied = (PASSED_ON,) if report.rows.get("write.pass_on") else ()
    report.missing = _missing(folder, pages, (*report.parts, *copied))
    if report.missing:
        report.state = "damaged"
    elif report.finished_inputs < report.inputs:
        report.state = "running" if folder.lock.is_taken() else "incomplete" if report.lost else "interrupted"
    return report


def _parts(folder: RunFolder, rows: Mapping[str, Any]) -> dict[str, int]:
    """The rows of each table that the run asked for and has in Parquet."""
    asked = (*rows.get("write.also", ()), *(("hosts",) if rows.get("read.robots") else ()))
    wanted = [table for table in ASKED if table in asked and table in folder.storage.names()]
    if rows.get("write.to") == "jsonl":
        return {}
    return {table: folder.tables.all_rows(table) for table in wanted}


def _missing(folder: RunFolder, pages: Mapping[str, int], parts: Sequence[str]) -> dict[str, int]:
    """The files of tables that the ledger says are there, and are not, with their rows, and files of the ledger that
    cannot be read. `pages` has the pages of each partition by its metrics: with templates the ledger counts those of
    the first pass. `parts` are further tables; with templates theirs are not looked for.
    """
    rows = folder.rows()
    if has_templates(rows):
        parts = ()
    if folder.storage.has(f"pages/{COMPACTED}") or folder.storage.has(COMPACTING):
        return {}
    there = {
        table: {name.partition(".")[0] for name in folder.storage.names(table)}
        for table in (*_OF_PARTITIONS, "pages", *parts)
    }
    missing: dict[str, int] = {}
    finished = sorted(folder.ledger.finished())
    for number, entries in zip(finished, folder.storage.each(partial(_entries, folder), finished), strict=True):
        if entries is None:
            missing[f"{LEDGER}/{number:05d}"] = 0
            continue
        for entry in entries:
            stated = {table: entry.rows.get(table, 0) for table in (*_OF_PARTITIONS, *parts)}
            if entry.partition in there["metrics"]:
                stated["pages"] = pages.get(entry.partition, 0)
            elif stated["metrics"]:
                stated["pages"] = entry.rows.get("pages", 0)
            if rows.get("templates.mode") == "learn":
                stated["pages"] = 0  # which writes the templates alone
            for table, n in stated.items():
                if n and entry.partition not in there[table]:
                    missing[f"{table}/{entry.partition}"] = n
    return missing


def _entries(folder: RunFolder, number: int) -> list[PartitionEntry] | None:
    """What the ledger says of an input; None if that cannot be read."""
    try:
        return folder.ledger.read(number)
    except OutputError:
        return None


def _add_metrics(report: Report, row: dict[str, Any]) -> None:
    stage = report.stages.setdefault(row["stage"], StageReport())
    stage.pages += row["pages"]
    stage.nodes += row["nodes"]
    stage.bytes += row["bytes"]
    stage.seconds += row["seconds"]
    if row["stage"] == "read":
        report.records += row["records"]
        report.skipped.update(dict(row["skipped"] or ()))
        report.rules.update(dict(row["rules"] or ()))
        report.unreadable += sum(dict(row["errors"] or ()).values())
    if row["stage"] == TOTAL:
        report.partitions += 1
        report.pages += row["pages"]
        report.nodes += row["nodes"]
        report.statuses.update(dict(row["statuses"] or ()))
        report.peak_memory = max(report.peak_memory, row["peak_memory"] or 0)
        report.cpu_seconds += row["cpu_seconds"] or 0.0


def ranked(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Counts with their names, the largest first."""
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _counts(column: Any) -> dict[str, int]:  # noqa: ANN401 (pyarrow's stubs know no value_counts of a column)
    return {
        str(pair["values"]) if pair["values"] is not None else "(none)": pair["counts"]
        for pair in column.value_counts().to_pylist()
    }


def add_hosts(found: dict[str, HostReport], batch: RecordBatch) -> None:
    """Adds the sums over the pages of each host in a batch of `pages` with HOST_COLUMNS."""
    import pyarrow.compute as pc
    from pyarrow import Table, scalar

    # A later capture of an address with another text is no copy. Runs of earlier versions have no reasons.
    of_text = pc.not_equal(pc.coalesce(batch["duplicate_reason"], scalar("text")), scalar("address"))
    copies = pc.and_(pc.is_valid(batch["duplicate_of"]), of_text)
    sums = (
        Table.from_batches([batch])
        .append_column("copies", copies)
        .group_by("url_host_name")
        .aggregate(
            [
                ([], "count_all"),
                ("n_words", "sum"),
                ("confidence", "count"),
                ("confidence", "sum"),
                ("template_share", "count"),
                ("template_share", "sum"),
                ("copies", "sum"),
            ]
        )
    )
    columns = [
        *("url_host_name", "count_all", "n_words_sum", "confidence_count", "confidence_sum"),
        *("template_share_count", "template_share_sum", "copies_sum"),
    ]
    for name, *values in zip(*(sums[column].to_pylist() for column in columns), strict=True):
        found.setdefault(name or "(none)", HostReport()).add(HostReport(*(value or 0 for value in values)))
