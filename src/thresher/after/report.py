# SPDX-License-Identifier: Apache-2.0
"""The report on a run: its tables, as the text and the page (commands/report_page.py) draw them; the text; and a digest
of the rows.
"""

from __future__ import annotations

import hashlib
import os
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from thresher.running.outcome import HostReport, Report, StageReport, ranked
from thresher.schemas import TABLES
from thresher.schemas.metrics import TOTAL
from thresher.terminal import display_width, fitting, for_terminal, number_of, one_line
from thresher.writing.run_folder import RunFolder

KNOWN: Final = "What is known of pages"
_DIGEST_BITS: Final = 128
_LEAST_NAME: Final = 16  # columns of a terminal that a name gets
_MAX_MISSING: Final = 5  # files shown
_OWN_NAMES: Final = ("thresher", "main.py", "__main__.py")  # under which Python knows the command
_NO_STAGE: Final = "(in no stage)"  # start-up, bookkeeping, and what waits for the folder
_MAX_NAME: Final = 80  # characters of a host, reason or URL; to_dict() has all of them


def rows_digest(location: str, table: str = "pages") -> str:
    """A digest of the rows of a table in any order, without measured columns. Equal rows give equal digests."""
    columns = [column.name for column in TABLES[table].columns if not column.measured]
    total = 0
    for batch in RunFolder(location).tables.batches(table, columns, batch_size=1024):
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            digest = hashlib.blake2b(repr(row).encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BITS // 8)
            total += int.from_bytes(digest.digest(), "big")
    return f"{total % (1 << _DIGEST_BITS):0{_DIGEST_BITS // 4}x}"


@dataclass(frozen=True, slots=True)
class Table:
    """A section of a report."""

    title: str  # of the section
    caption: str  # says what is counted, by what
    head: tuple[str, ...]
    rows: list[tuple[str, ...]]  # each begins with a name as it stands in the tables
    bars: list[float]  # what a bar of each row shows, from 0 to 1


def count_table(
    title: str, named: str, counts: Counter[str], total: int, top: int, *, by: str = "", in_order: bool = False
) -> Table | None:
    """How often each name comes, the `top` largest first, or with `in_order` by name; None if there is none. The column
    of names is called `named`.
    """
    if not counts:
        return None
    largest = ranked(counts)
    shown = sorted(largest[:top]) if in_order else largest[:top]
    if rest := largest[top:]:
        shown.append((f"({number_of(len(rest), 'other')})", sum(n for _, n in rest)))
    return Table(
        title,
        f"Number by {by or named}",
        (named, "number", "share"),
        [(name, f"{n:,}", f"{n / max(total, 1):.1%}") for name, n in shown],
        [n / max(largest[0][1], 1) for _, n in shown],
    )


def tables(report: Report, top: int, languages: Counter[str] | None = None) -> list[Table]:
    """The tables of a report that have rows, with at most `top` names each. `languages` are those of the report, under
    other names.
    """
    found = [
        count_table("Statuses", "status", report.statuses, report.pages, top),
        count_table("Languages", "language", languages or report.languages, report.pages, top),
        count_table("Types of pages", "type", report.types, report.pages, top),
        count_table(KNOWN, "fact", Counter(report.known), report.pages, len(report.known), by="fact that they have"),
        _host_table(report, top),
        _stage_table(report),
        count_table("Files left out", "files left out because of", report.left_out, report.files, top, by="reason"),
        count_table("Skipped records", "skipped because of", report.skipped, report.records, top, by="reason"),
        count_table("Documents passed on", "passed on", report.passed_on, report.records, top, by="kind"),
        count_table(
            "Rules of filters", "left out by the rule", report.rules_of_filters, report.records, top, by="rule"
        ),
        count_table("Dead letters", "dead letters", report.errors, report.errors.total(), top, by="stage and class"),
    ]
    return [each for each in found if each is not None]


def to_text(report: Report, *, top: int = 10, width: int | None = None) -> str:
    """The report as text, with `top` languages, types and hosts, its tables at most `width` columns wide.

    Hosts, URLs and file names are shortened, and contain no terminal control characters.
    """
    drawn = [
        _columns([each.head, *((one_line(row[0], _MAX_NAME), *row[1:]) for row in each.rows)], width)
        for each in tables(report, top)
    ]
    if report.errors:
        drawn[-1] += f"\n{_examples(report, top)}"
    else:
        drawn.append("no dead letters")
    return "\n\n".join(part for part in (_head(report), _progress(report), *drawn) if part)


def _host_table(report: Report, top: int) -> Table | None:
    """Pages, words and confidence of the largest hosts and of all others as one; with templates, also their template
    share and copies.
    """
    hosts = sorted(report.hosts.items(), key=lambda pair: (-pair[1].pages, pair[0]))
    if not hosts:
        return None
    shown = hosts[:top]
    if rest := hosts[top:]:
        others = HostReport()
        for _, host in rest:
            others.add(host)
        shown.append((f"({number_of(len(rest), 'other')})", others))
    head: tuple[str, ...] = ("host", "number", "share", "words a page", "confidence", "template share", "copies")
    rows: list[tuple[str, ...]] = [
        (
            name,
            f"{host.pages:,}",
            f"{host.pages / max(report.pages, 1):.1%}",
            f"{host.words / host.pages:,.0f}",
            f"{host.confidence / host.judged:.2f}" if host.judged else "",
            f"{host.template_share / host.counted:.0%}" if host.counted else "",
            f"{host.copies:,} ({host.copies / max(host.pages, 1):.0%})",
        )
        for name, host in shown
    ]
    if not any(host.counted for _, host in shown):
        head, rows = head[:-2], [row[:-2] for row in rows]
    return Table("Hosts", "Largest hosts", head, rows, [host.pages / hosts[0][1].pages for _, host in shown])


def _head(report: Report) -> str:
    rows = report.rows
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
    if report.left_out:
        n = report.left_out.total()
        lines.append(f"{number_of(report.files, 'file')} = {report.files - n:,} read + {n:,} left out")
    if report.parts:
        lines.append("beside the pages: " + ", ".join(f"{n:,} rows of {name}" for name, n in report.parts.items()))
    if "index" in rows:
        lines.append(
            f"{number_of(rows.get('index.records') or 0, 'record')} named by the index "
            + ", ".join(map(one_line, rows["index"]))
            + (f" where {one_line(rows['index.where'], 2 * _MAX_NAME)}" if rows.get("index.where") else "")
        )
    if not report.is_readable:
        lines.append(f"languages, types and hosts are not counted, as the pages are {rows['write.to']} and not parquet")
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
    if report.missing:
        missing = [f"{name} ({number_of(n, 'row')})" if n else name for name, n in report.missing.items()]
        shown, more = ", ".join(missing[:_MAX_MISSING]), len(missing) - _MAX_MISSING
        what = "file of the run is" if len(missing) == 1 else "files of the run are"
        return f"DAMAGED: {len(missing):,} {what} missing or cannot be read: {shown}" + (
            f" and {more:,} more" if more > 0 else ""
        )
    left = number_of(report.inputs - report.finished_inputs, report.input_noun)
    if report.read_inputs is not None:
        left += f" (the first of two passes has read {report.read_inputs:,} of {report.inputs:,})"
    if report.state == "running":
        return f"RUNNING: {left} left. The figures below are those of finished partitions."
    what = f"INTERRUPTED: {left} left"
    if report.state == "incomplete":
        what = f"INCOMPLETE: {number_of(report.lost, 'partition')} of {left} missing, see the dead letters"
    return f"{what}. To resume, run the same command again{_command(report)}"


def command_of(report: Report) -> str:
    """The command of a run: `thresher` with its arguments, or the name of another program with those that follow it. ""
    where it is not known.
    """
    name, *arguments = map(str, report.run.get("command") or [""])
    name = os.path.basename(name)
    return shlex.join(["thresher" if name in _OWN_NAMES else name, *arguments]) if name else ""


def _command(report: Report) -> str:
    """The command of a run that `thresher` started. For Spark, the beginning of the command is unknown."""
    command = command_of(report)
    return ":\n  " + for_terminal(command) if command.startswith("thresher ") else "."


def _stage_table(report: Report) -> Table | None:
    stages = dict(report.stages)
    whole = stages.pop(TOTAL)
    total = whole.seconds
    if not total:
        return None
    rest = max(total - sum(stage.seconds for stage in stages.values()), 0.0)
    shown = {
        name: stage
        for name, stage in (stages | {_NO_STAGE: StageReport(seconds=rest), TOTAL: whole}).items()
        if stage.seconds
    }
    rows: list[tuple[str, ...]] = [
        (
            name,
            f"{stage.seconds:.2f}",
            f"{stage.seconds / total:.1%}",
            f"{1000 * stage.seconds / max(report.pages, 1):.3f}",
            f"{stage.nodes / stage.seconds / 1e6:,.2f}",
            f"{stage.bytes / stage.seconds / 1e6:,.1f}",
        )
        for name, stage in shown.items()
    ]
    head = ("stage", "seconds", "share", "ms a page", "M nodes/s", "MB/s")
    bars = [stage.seconds / total for stage in shown.values()]
    return Table("Stages", "Time of all workers by stage", head, rows, bars)


def _examples(report: Report, top: int) -> str:
    """Some dead letters, a line each."""
    lines = []
    for letter in report.examples[:top]:
        offset, number = letter["warc_record_offset"], letter.get("warc_record_number")
        place = one_line(letter["warc_filename"])
        if offset is not None and (offset or letter["warc_record_length"]):
            place += f" at {offset:,}" + (f", record {number:,} there" if number else "")
        url = f", {one_line(letter['url'], _MAX_NAME)}" if letter["url"] else ""
        lines.append(f"  {place}{url}: {one_line(letter['message'], 2 * _MAX_NAME)}")
    if more := report.errors.total() - len(lines):
        lines.append(f"  and {more:,} more, in the table dead_letter")
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
