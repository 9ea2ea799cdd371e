# SPDX-License-Identifier: Apache-2.0
"""The result of a run: counts, timings and errors read back from its tables, batch by batch."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

from thresher.schemas import TABLES
from thresher.schemas.dead_letter import PAGE_GIVEN_UP, WORKER
from thresher.schemas.metrics import STAGES, TOTAL
from thresher.schemas.skipped import FILTERS
from thresher.terminal import display_width, fitting, for_terminal, one_line
from thresher.writing.run_folder import STAGING, RunFolder

if TYPE_CHECKING:
    from pyarrow import RecordBatch

_HOST_COLUMNS: Final = ("url_host_name", "n_words", "confidence", "template_share", "duplicate_of")
_DIGEST_BITS: Final = 128
_MAX_DEAD_LETTERS: Final = 5  # shown as examples
_LEAST_NAME: Final = 16  # columns of a terminal that a name gets
_MAX_NAME: Final = 80  # characters of a host, reason or URL; to_dict() has all of them


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
    copies: int = 0  # pages marked as a duplicate of another

    def add(self, other: HostReport) -> None:
        """Take in the sums over other pages of the host."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


@dataclass(slots=True)
class Report:
    """The result of a run."""

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
    unreadable: int = 0  # dead letters of reading: records that are not pages
    errors: Counter[str] = field(default_factory=Counter)  # "stage: error class" → dead letters
    state: str = "finished"
    """`finished`; `running`: a process on this machine is at work on it; `incomplete`: partitions are missing;
    `interrupted`: the run was stopped or killed."""
    inputs: int = 0  # of the run
    finished_inputs: int = 0
    read_inputs: int | None = None  # finished by the first pass of a run with templates, not by the second
    languages: Counter[str] = field(default_factory=Counter)
    hosts: dict[str, HostReport] = field(default_factory=dict)
    stages: dict[str, StageReport] = field(default_factory=dict)
    examples: list[dict[str, Any]] = field(default_factory=list)  # a few dead letters

    @property
    def lost(self) -> int:
        """Partitions that are missing because they failed."""
        return sum(
            n
            for name, n in self.errors.items()
            if name.startswith(f"{WORKER}: ") and not name.endswith(f": {PAGE_GIVEN_UP}")
        )

    @property
    def input_noun(self) -> str:
        """The word for an input of the run: over an index, inputs are groups of the records that it names."""
        return "record group" if "index" in self.run.get("rows", {}) else "input"

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
    """The report on an output folder. Without `contents`, languages and hosts are not counted and no page is read.

    Raises OutputError if the folder holds no run.
    """
    folder = RunFolder(location)
    report = Report(location, folder.read_run())
    report.inputs = report.run.get("rows", {}).get("inputs", 0)
    report.finished_inputs = len(folder.ledger.finished())
    if folder.storage.has(STAGING):
        report.read_inputs = len(RunFolder(folder.staging).ledger.finished())
    report.stages = {stage: StageReport() for stage in (*STAGES, TOTAL)}
    for row in folder.tables.rows("metrics"):
        _add_metrics(report, row)
    pages_are = report.run.get("rows", {}).get("write.to", "parquet")
    if contents and pages_are == "parquet":
        for batch in folder.tables.dataset("pages").to_batches(columns=["language", *_HOST_COLUMNS]):
            report.languages.update(_counts(batch["language"]))
            for name, host in _hosts(batch):
                report.hosts.setdefault(name, HostReport()).add(host)
    for row in folder.tables.rows("dead_letter"):
        report.errors[f"{row['stage']}: {row['error_class']}"] += 1
        if len(report.examples) < _MAX_DEAD_LETTERS:
            report.examples.append(row)
    if report.finished_inputs < report.inputs:
        report.state = "running" if folder.is_locked() else "incomplete" if report.lost else "interrupted"
    return report


def rows_digest(location: str, table: str = "pages") -> str:
    """A digest of the rows of a table in any order, without measured columns. Equal rows give equal digests."""
    columns = [column.name for column in TABLES[table].columns if not column.measured]
    total = 0
    for batch in RunFolder(location).tables.dataset(table).to_batches(columns=columns, batch_size=1024):
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            digest = hashlib.blake2b(repr(row).encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BITS // 8)
            total += int.from_bytes(digest.digest(), "big")
    return f"{total % (1 << _DIGEST_BITS):0{_DIGEST_BITS // 4}x}"


def to_text(report: Report, *, top: int = 10, width: int | None = None) -> str:
    """The report as text, with `top` languages and hosts, its tables at most `width` columns wide.

    Hosts, URLs and file names are shortened, and contain no terminal control characters.
    """
    return "\n\n".join(
        part
        for part in (
            _head(report),
            _progress(report),
            _section("status", report.statuses, report.pages, top, width),
            _section("language", report.languages, report.pages, top, width),
            _host_lines(report, top, width),
            _stages(report, width),
            _section("skipped because of", report.skipped, report.records, top, width),
            _dead_letters(report, top, width),
        )
        if part
    )


def _add_metrics(report: Report, row: dict[str, Any]) -> None:
    stage = report.stages.setdefault(row["stage"], StageReport())
    stage.pages += row["pages"]
    stage.nodes += row["nodes"]
    stage.bytes += row["bytes"]
    stage.seconds += row["seconds"]
    if row["stage"] == "read":
        report.records += row["records"]
        report.skipped.update(dict(row["skipped"] or ()))
        report.unreadable += sum(dict(row["errors"] or ()).values())
    if row["stage"] == TOTAL:
        report.partitions += 1
        report.pages += row["pages"]
        report.nodes += row["nodes"]
        report.statuses.update(dict(row["statuses"] or ()))
        report.peak_memory = max(report.peak_memory, row["peak_memory"] or 0)
        report.cpu_seconds += row["cpu_seconds"] or 0.0


def number_of(n: int, noun: str) -> str:
    """A number with its noun: "1 page", "2,000 pages"."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def _counts(column: Any) -> dict[str, int]:  # noqa: ANN401 (pyarrow's stubs know no value_counts of a column)
    return {
        str(pair["values"]) if pair["values"] is not None else "(none)": pair["counts"]
        for pair in column.value_counts().to_pylist()
    }


def _hosts(batch: RecordBatch) -> Iterator[tuple[str, HostReport]]:
    """The sums over the pages of each host in a batch."""
    from pyarrow import Table

    sums = (
        Table.from_batches([batch])
        .group_by("url_host_name")
        .aggregate(
            [
                ([], "count_all"),
                ("n_words", "sum"),
                ("confidence", "count"),
                ("confidence", "sum"),
                ("template_share", "count"),
                ("template_share", "sum"),
                ("duplicate_of", "count"),
            ]
        )
    )
    columns = [
        *("url_host_name", "count_all", "n_words_sum", "confidence_count", "confidence_sum"),
        *("template_share_count", "template_share_sum", "duplicate_of_count"),
    ]
    for name, *values in zip(*(sums[column].to_pylist() for column in columns), strict=True):
        yield name if name is not None else "(none)", HostReport(*(value or 0 for value in values))


def _host_lines(report: Report, top: int, width: int | None) -> str:
    """Pages, words and confidence of the largest hosts, and with templates their template share and copies."""
    if not report.hosts:
        return ""
    ranked = sorted(report.hosts.items(), key=lambda pair: (-pair[1].pages, pair[0]))
    lines = ranked[:top]
    if len(ranked) > top:
        rest = HostReport()
        for _, host in ranked[top:]:
            rest.add(host)
        lines.append((f"({number_of(len(ranked) - top, 'other')})", rest))
    rows: list[tuple[str, ...]] = [
        ("host", "number", "share", "words a page", "confidence", "template share", "copies")
    ]
    for name, host in lines:
        rows.append(
            (
                one_line(name, _MAX_NAME),
                f"{host.pages:,}",
                f"{host.pages / max(report.pages, 1):.1%}",
                f"{host.words / host.pages:,.0f}",
                f"{host.confidence / host.judged:.2f}" if host.judged else "",
                f"{host.template_share / host.counted:.0%}" if host.counted else "",
                f"{host.copies:,} ({host.copies / max(host.pages, 1):.0%})",
            )
        )
    if not any(host.counted for _, host in lines):
        rows = [row[:-2] for row in rows]
    return _columns(rows, width)


def _head(report: Report) -> str:
    rows = report.run.get("rows", {})
    inputs = number_of(report.inputs, report.input_noun)
    if report.state != "finished":
        inputs = f"{report.finished_inputs:,} of {inputs}"
    lines = [
        (
            f"{one_line(report.location)}: {report.pages:,} pages from {inputs} "
            f"in {number_of(report.partitions, 'partition')}, "
            f"extractors {', '.join(rows.get('extract.extractors', ()))}, thresher {rows.get('version')}"
        ),
        f"{report.records:,} records = {report.pages:,} pages + {report.skipped.total():,} skipped + "
        f"{report.unreadable:,} unreadable"
        + (f" + {report.unaccounted:,} UNACCOUNTED FOR" if report.unaccounted else ""),
    ]
    if "index" in rows:
        lines.append(
            f"{number_of(rows.get('index.records') or 0, 'record')} named by the index "
            + ", ".join(map(one_line, rows["index"]))
            + (f" where {one_line(rows['index.where'], 2 * _MAX_NAME)}" if rows.get("index.where") else "")
        )
    seconds = report.stages[TOTAL].seconds
    if seconds:
        lines.append(
            f"{seconds:,.1f} worker seconds, {report.cpu_seconds:,.1f} of them CPU. Per second: "
            f"{report.pages / seconds:,.0f} pages, {report.nodes / seconds / 1e6:,.2f} million nodes, "
            f"{report.stages['decode'].bytes / seconds / 1e6:,.1f} MB of HTML; "
            f"largest worker {report.peak_memory / 1e6:,.0f} MB"
        )
    return "\n".join(lines)


def _progress(report: Report) -> str:
    """What remains to be done for an unfinished run."""
    if report.state == "finished":
        return ""
    left = number_of(report.inputs - report.finished_inputs, report.input_noun)
    if report.read_inputs is not None:
        left += f" (the first of two passes has read {report.read_inputs:,} of {report.inputs:,})"
    if report.state == "running":
        return f"RUNNING: {left} left. The figures below are those of finished partitions."
    what = f"INTERRUPTED: {left} left"
    if report.state == "incomplete":
        what = f"INCOMPLETE: {number_of(report.lost, 'partition')} of {left} missing, see the dead letters"
    return f"{what}. To resume, run the same command again{_command(report)}"


def _command(report: Report) -> str:
    """The command of a run that `thresher` started. For Spark, the beginning of the command is unknown."""
    name, *arguments = map(str, report.run.get("command") or [""])
    if os.path.basename(name) not in ("thresher", "main.py"):
        return "."
    return ":\n  " + for_terminal(shlex.join(["thresher", *arguments]))


def _section(title: str, counts: Counter[str], total: int, top: int, width: int | None) -> str:
    if not counts:
        return ""
    rows = [(one_line(name, _MAX_NAME), f"{n:,}", f"{n / max(total, 1):.1%}") for name, n in _ranked(counts)[:top]]
    if len(counts) > top:
        rest = sum(n for _, n in _ranked(counts)[top:])
        rows.append((f"({number_of(len(counts) - top, 'other')})", f"{rest:,}", f"{rest / max(total, 1):.1%}"))
    return _columns([(title, "number", "share"), *rows], width)


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _stages(report: Report, width: int | None) -> str:
    total = report.stages[TOTAL].seconds
    if not total:
        return ""
    rows = [("stage", "seconds", "share", "ms a page", "M nodes/s", "MB/s")]
    for name, stage in report.stages.items():
        if stage.seconds:
            rows.append(
                (
                    name,
                    f"{stage.seconds:.2f}",
                    f"{stage.seconds / total:.1%}",
                    f"{1000 * stage.seconds / max(report.pages, 1):.3f}",
                    f"{stage.nodes / stage.seconds / 1e6:,.2f}",
                    f"{stage.bytes / stage.seconds / 1e6:,.1f}",
                )
            )
    return _columns(rows, width)


def _dead_letters(report: Report, top: int, width: int | None) -> str:
    if not report.errors:
        return "no dead letters"
    lines = [_section("dead letters", report.errors, report.errors.total(), top, width)]
    for letter in report.examples:
        place = one_line(letter["warc_filename"] or "") + (
            f" at {letter['warc_record_offset']:,}" if letter["warc_record_offset"] else ""
        )
        url = f", {one_line(letter['url'], _MAX_NAME)}" if letter["url"] else ""
        lines.append(f"  {place}{url}: {one_line(letter['message'] or '', 2 * _MAX_NAME)}")
    return "\n".join(lines)


def _columns(rows: Sequence[tuple[str, ...]], width: int | None) -> str:
    """Rows as aligned text: the first column to the left, numbers to the right.

    If `width` is too small, names are shortened, then columns on the right are left out; "…" in the head marks this.

    Not a table of rich, which uses a width of 80 if standard output is a pipe.
    """
    if width is not None:
        rows = _narrowed(rows, width)
    widths = [max(display_width(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = []
    for row in rows:
        blanks = [" " * (width - display_width(cell)) for cell, width in zip(row, widths, strict=True)]
        cells = [
            cell + blank if k == 0 else blank + cell for k, (cell, blank) in enumerate(zip(row, blanks, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _narrowed(rows: Sequence[tuple[str, ...]], width: int) -> list[tuple[str, ...]]:
    """The rows within `width` columns of a terminal, or with the first two columns if there is no room for more."""
    shown = list(rows)
    while True:
        widths = [max(display_width(row[k]) for row in shown) for k in range(len(shown[0]))]
        room = width - sum(widths[1:]) - 2 * len(widths[1:])
        if room >= min(widths[0], _LEAST_NAME) or len(widths) <= 2:
            return [(fitting(row[0], max(room, _LEAST_NAME)), *row[1:]) for row in shown]
        keep = len(widths) - 1 - (shown[0][-1] == "…")
        head, *others = (row[:keep] for row in shown)
        shown = [(*head, "…"), *((*row, "") for row in others)]
