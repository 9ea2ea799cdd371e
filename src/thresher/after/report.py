# SPDX-License-Identifier: Apache-2.0
"""The report on a run as text, and a digest of its rows."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections import Counter
from collections.abc import Sequence
from typing import Final

from thresher.running.outcome import HostReport, Report, ranked
from thresher.schemas import TABLES
from thresher.schemas.metrics import TOTAL
from thresher.terminal import display_width, fitting, for_terminal, number_of, one_line
from thresher.writing.run_folder import RunFolder

_DIGEST_BITS: Final = 128
_LEAST_NAME: Final = 16  # columns of a terminal that a name gets
_MAX_MISSING: Final = 5  # files shown
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


def to_text(report: Report, *, top: int = 10, width: int | None = None) -> str:
    """The report as text, with `top` languages, types and hosts, its tables at most `width` columns wide.

    Hosts, URLs and file names are shortened, and contain no terminal control characters.
    """
    return "\n\n".join(
        part
        for part in (
            _head(report),
            _progress(report),
            _section("status", report.statuses, report.pages, top, width),
            _section("language", report.languages, report.pages, top, width),
            _section("type", report.types, report.pages, top, width),
            _host_lines(report, top, width),
            _stages(report, width),
            _section("files left out because of", report.left_out, report.files, top, width),
            _section("skipped because of", report.skipped, report.records, top, width),
            _section("passed on", report.passed_on, report.records, top, width),
            _section("left out by the rule", report.rules_of_filters, report.records, top, width),
            _dead_letters(report, top, width),
        )
        if part
    )


def top_hosts(report: Report, top: int) -> list[tuple[str, HostReport]]:
    """The hosts with the most pages, by name, and all others as one."""
    ranked = sorted(report.hosts.items(), key=lambda pair: (-pair[1].pages, pair[0]))
    if len(ranked) <= top:
        return ranked
    rest = HostReport()
    for _, host in ranked[top:]:
        rest.add(host)
    return [*ranked[:top], (f"({number_of(len(ranked) - top, 'other')})", rest)]


def _host_lines(report: Report, top: int, width: int | None) -> str:
    """Pages, words and confidence of the largest hosts, and with templates their template share and copies."""
    if not report.hosts:
        return ""
    lines = top_hosts(report, top)
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


def _command(report: Report) -> str:
    """The command of a run that `thresher` started. For Spark, the beginning of the command is unknown."""
    name, *arguments = map(str, report.run.get("command") or [""])
    if os.path.basename(name) not in ("thresher", "main.py"):
        return "."
    return ":\n  " + for_terminal(shlex.join(["thresher", *arguments]))


def _section(title: str, counts: Counter[str], total: int, top: int, width: int | None) -> str:
    if not counts:
        return ""
    rows = [(one_line(name, _MAX_NAME), f"{n:,}", f"{n / max(total, 1):.1%}") for name, n in ranked(counts)[:top]]
    if len(counts) > top:
        rest = sum(n for _, n in ranked(counts)[top:])
        rows.append((f"({number_of(len(counts) - top, 'other')})", f"{rest:,}", f"{rest / max(total, 1):.1%}"))
    return _columns([(title, "number", "share"), *rows], width)


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
    for letter in report.examples[:top]:
        place = one_line(letter["warc_filename"] or "") + (
            f" at {letter['warc_record_offset']:,}" if letter["warc_record_offset"] else ""
        )
        url = f", {one_line(letter['url'], _MAX_NAME)}" if letter["url"] else ""
        lines.append(f"  {place}{url}: {one_line(letter['message'] or '', 2 * _MAX_NAME)}")
    if more := report.errors.total() - len(report.examples[:top]):
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
