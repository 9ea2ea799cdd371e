# SPDX-License-Identifier: Apache-2.0
"""A run as one self-contained page of HTML.

Everything that comes from archives is escaped, names are put on one line, and nothing becomes an address. The page
links only to its own sections and loads nothing, and its policy forbids scripts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from importlib.resources import files
from string import Template
from typing import Any, Final

from thresher._version import __version__
from thresher.address import page_id_of
from thresher.after.report import Table, command_of, count_table, tables
from thresher.after.survey import Survey
from thresher.page.language import language_names
from thresher.page.result import UNDETERMINED
from thresher.running.outcome import Report
from thresher.schemas.metrics import TOTAL
from thresher.terminal import for_terminal, one_line
from thresher.writing.run_folder import has_templates

_TOP: Final = 25  # rows of a table of names

_SECTIONS: Final = (
    *("Languages", "Types of pages", "Years", "Years of capture", "What is known of pages", "Hosts"),
    *("Pages drawn at random", "Length of texts", "Confidence", "Cost and expected F1", "Least confident pages"),
    *("Statuses", "Skipped records", "Documents passed on", "Rules of filters", "Files left out", "Dead letters"),
    *("Throughput", "Stages", "Slowest pages"),
)
"""The sections of the page in their order."""

Cell = str | int | float | None


class _Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def to_page(report: Report, survey: Survey) -> str:
    """The page, for a report and a survey of the same run."""
    drawn = {each.title: _draw(each) for each in tables(report, _TOP, _by_name(report.languages))}
    own = {
        "Years": _years("year of the page's date", survey.years, report.pages),
        "Years of capture": _years("year of capture", survey.captured, report.pages),
        "What is known of pages": _draw(count_table("Fields", "field", Counter(survey.fields), report.pages, _TOP)),
        "Pages drawn at random": _pages(survey.drawn, survey),
        "Length of texts": _lengths(survey),
        "Confidence": _confidence(survey),
        "Cost and expected F1": _thresholds(report, survey),
        "Least confident pages": _pages(survey.least_confident, survey),
        "Dead letters": "\n".join([*filter(None, [drawn.get("Dead letters")]), *_letters(survey)]),
        "Throughput": _throughput(survey),
        "Slowest pages": _slowest(survey),
    }
    sections = drawn | own
    shown = {title: body for title in _SECTIONS if (body := sections.get(title))}
    template = files("thresher.commands").joinpath("report_page.html").read_text("utf-8")
    return Template(template).substitute(
        title=_name(report.location),
        version=escape(__version__),
        state=_state(report),
        command=_command(report),
        facts="\n".join(
            f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in _facts(report, survey)
        ),
        contents="\n".join(f'<li><a href="#{_anchor(title)}">{escape(title)}</a></li>' for title in shown),
        sections="\n".join(_section(title, body) for title, body in shown.items()),
    )


def _section(title: str, body: str) -> str:
    anchor = _anchor(title)
    return f'<section aria-labelledby="{anchor}"><h2 id="{anchor}">{escape(title)}</h2>\n{body}\n</section>'


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")


def _name(text: object) -> str:
    """A name, URL or message, escaped and on one line."""
    return escape(one_line(str(text)))


def _text(text: str | None) -> str:
    return escape(for_terminal(text or ""))


def _state(report: Report) -> str:
    lines = []
    if report.missing:
        lines.append(f"This run is damaged: {', '.join(report.missing)} missing or unreadable.")
    elif report.state != "finished":
        lines.append(
            f"This run is {report.state}: {report.finished_inputs:,} of {report.inputs:,} inputs are finished."
        )
    if not report.is_readable:
        lines.append("The pages are not in Parquet, so what is on them is not counted.")
    if report.unaccounted:
        lines.append(f"{report.unaccounted:,} records are unaccounted for.")
    return "\n".join(f'<p class="warn">{escape(line)}</p>' for line in lines)


def _command(report: Report) -> str:
    """The command of the run, where it is known."""
    words = " ".join(command_of(report).split())
    return f'<p class="command"><code><bdi>{_text(words)}</bdi></code></p>' if words else ""


def _by_name(languages: Counter[str]) -> Counter[str]:
    """Languages by their English names, each with its code."""
    names = {code: name.title() for name, code in language_names().items()}
    own = {UNDETERMINED: "not identified", "(none)": "no text"}
    return Counter(
        {f"{names[code]} ({code})" if code in names else own.get(code, code): n for code, n in languages.items()}
    )


def _facts(report: Report, survey: Survey) -> list[tuple[str, str]]:
    seconds = report.stages[TOTAL].seconds
    rows = report.rows
    copies, read = sum(host.copies for host in report.hosts.values()), report.is_readable
    facts = [
        ("pages", f"{report.pages:,}"),
        ("run of", "" if survey.made is None else f"{datetime.fromtimestamp(survey.made, UTC):%Y-%m-%d}"),
        ("captured", _from_to(survey.captured)),
        ("languages", f"{sum(code not in (UNDETERMINED, '(none)') for code in report.languages):,}" if read else ""),
        ("hosts", f"{len(report.hosts):,}" if read else ""),
        (
            "duplicates",
            f"{copies:,} ({copies / max(report.pages, 1):.1%})" if has_templates(report.rows) else "not counted",
        ),
        ("inputs", f"{report.inputs:,}"),
        ("records", f"{report.records:,}"),
        ("skipped", f"{report.skipped.total():,}"),
        ("dead letters", f"{report.errors.total():,}"),
        ("extractor", ", ".join(map(str, rows.get("extract.extractors", ())))),
        ("version", str(rows.get("version"))),
    ]
    if seconds:
        facts += [
            ("worker time", f"{seconds:,.1f} s"),
            ("pages a worker second", f"{report.pages / seconds:,.0f}"),
            ("largest worker", f"{report.peak_memory / 1e6:,.0f} MB"),
        ]
    return [(name, value) for name, value in facts if value]


def _from_to(years: Mapping[int, int]) -> str:
    first, last = min(years, default=0), max(years, default=0)
    return "" if not years else f"{first}" if first == last else f"{first} to {last}"


def _table(caption: str, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A table. Markup in cells is kept, all other text is escaped. Empty if there are no rows."""
    body = [
        "<tr>" + "".join(_cell(value, is_head=number == 0) for number, value in enumerate(row)) + "</tr>"
        for row in rows
    ]
    if not body:
        return ""
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f"<caption>{escape(caption)}</caption><thead><tr>{names}</tr></thead><tbody>\n"
        + "\n".join(body)
        + "\n</tbody></table></div>"
    )


def _cell(value: Cell, *, is_head: bool) -> str:
    if isinstance(value, _Markup):
        return value
    text = "" if value is None else f"{value:,}" if isinstance(value, int) else _name(value)
    return f'<th scope="row"><bdi>{text}</bdi></th>' if is_head else f"<td>{text}</td>"


def _bar(share: float) -> _Markup:
    """A bar for a share from 0 to 1. The row also gives it as a number."""
    return _Markup(
        f'<td class="bar" aria-hidden="true"><span style="width:{100 * min(max(share, 0.0), 1.0):.1f}%"></span></td>'
    )


def _wide(text: str) -> _Markup:
    return _Markup(f'<td class="name"><bdi>{_name(text)}</bdi></td>')


def _draw(table: Table | None) -> str:
    if table is None:
        return ""
    rows = [(*row, _bar(bar)) for row, bar in zip(table.rows, table.bars, strict=True)]
    return _table(table.caption, (*table.head, ""), rows)


def _years(named: str, years: Mapping[int, int], pages: int) -> str:
    counts = Counter({str(year): n for year, n in years.items()})
    return _draw(count_table("Years", named, counts, pages, _TOP, in_order=True))


def _throughput(survey: Survey) -> str:
    rates = [each.pages / each.seconds if each.seconds else 0.0 for each in survey.groups]
    most = max(rates, default=0.0)
    rows = []
    for each, rate in zip(survey.groups, rates, strict=True):
        name = each.first if each.first == each.last else f"{each.first} to {each.last}"
        slowest = max(each.stages.items(), key=lambda pair: pair[1], default=("", 0.0))
        share = f"{slowest[0]} ({slowest[1] / each.seconds:.0%})" if each.seconds else ""
        rows.append((name, each.pages, f"{each.seconds:,.1f}", f"{rate:,.0f}", share, _bar(rate / most if most else 0)))
    return _table(
        "Throughput of a worker, in the order of the inputs",
        ("partitions", "pages", "seconds", "pages a second", "most time in", ""),
        rows,
    )


def _letters(survey: Survey) -> Iterator[str]:
    """Examples of dead letters, by stage and class."""
    for name, letters in sorted(survey.letters.items()):
        rows = [
            (
                letter["url"] or letter["warc_filename"],
                _wide(letter["message"] or ""),
                _wide(letter["warc_filename"]),
                letter["warc_record_offset"],
            )
            for letter in letters
        ]
        body = _table(f"Examples of {one_line(name)}", ("page or file", "message", "file", "offset"), rows)
        yield f"<details><summary><bdi>{_name(name)}</bdi></summary>{body}</details>"


def _confidence(survey: Survey) -> str:
    total, most, n = sum(survey.confidence), max(survey.confidence), len(survey.confidence)
    if not total:
        return ""
    rows = [
        (f"{k / n:.2f} to {(k + 1) / n:.2f}", count, f"{count / total:.1%}", _bar(count / most))
        for k, count in enumerate(survey.confidence)
        if any(survey.confidence[: k + 1]) and any(survey.confidence[k:])
    ]
    return _table("Pages by the expected F1 of their text", ("confidence", "pages", "share", ""), rows)


def _thresholds(report: Report, survey: Survey) -> str:
    """What each threshold of confidence would trust and ask about: a curve, and its points as a table."""
    if not survey.thresholds:
        return ""
    chosen = report.rows.get("route.trust")
    rows = [
        (
            f"{each.trust:.2f}",
            each.trusted,
            f"{each.share:.1%}",
            f"{each.expected_f1:.3f}",
            each.asked,
            f"{each.asked_bytes / 1e6:,.2f}",
            "route.trust of this run" if each.trust == chosen else "",
            _bar(each.share),
        )
        for each in survey.thresholds
    ]
    head = ("trust from", "trusted", "share", "expected F1", "asked about", "MB of text", "", "")
    caption = "Pages to trust, and to ask a larger model about, by the confidence that route.trust demands"
    return f"{_curve(survey)}\n{_table(caption, head, rows)}"


def _curve(survey: Survey) -> str:
    """The curve as a drawing: to the right the share of pages asked about, upwards the expected F1 of trusted pages."""
    least = min(each.expected_f1 for each in survey.thresholds)
    bottom = max(0.0, min(int(least * 10) / 10, 0.9))
    points = [
        (40 + 440 * (1 - each.share), 10 + 150 * (1 - (each.expected_f1 - bottom) / (1 - bottom)))
        for each in survey.thresholds
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5"></circle>' for x, y in points)
    return (
        '<svg class="curve" viewBox="0 0 500 195" role="img" aria-label="Expected F1 of trusted pages by the share of '
        'pages asked about; the table has the figures"><path d="M40 10V160H480"></path>'
        f'<polyline points="{line}"></polyline>{dots}'
        f'<text x="4" y="14">1.00</text><text x="4" y="164">{bottom:.2f}</text><text x="40" y="176">0 %</text>'
        '<text x="450" y="176">100 %</text><text x="180" y="190">share of pages asked about</text>'
        '<text x="46" y="22">expected F1 of trusted pages</text></svg>'
    )


def _lengths(survey: Survey) -> str:
    total, most = sum(survey.lengths.values()), max(survey.lengths.values(), default=0)
    rows = [
        (
            f"{1 << (bits - 1):,} to {(1 << bits) - 1:,}" if bits else "none",
            count,
            f"{count / total:.1%}",
            _bar(count / most),
        )
        for bits, count in survey.lengths.items()
    ]
    return _table("Pages by the bytes of their text", ("bytes", "pages", "share", ""), rows)


def _slowest(survey: Survey) -> str:
    most = max((row["milliseconds"] for row in survey.slowest), default=1.0)
    rows = [
        (row["url"] or page_id_of(row), f"{row['milliseconds']:,.1f}", row["n_words"], _bar(row["milliseconds"] / most))
        for row in survey.slowest
    ]
    return _table("Pages that took longest, write aside", ("page", "ms", "words", ""), rows)


def _pages(rows: Sequence[Mapping[str, Any]], survey: Survey) -> str:
    return "\n".join(_page(row, survey.blocks.get(page_id_of(row))) for row in rows)


def _page(row: Mapping[str, Any], blocks: Sequence[Mapping[str, Any]] | None) -> str:
    """A page that can be unfolded: its blocks with the decision about each, or the beginning of its text."""
    confidence = "" if row["confidence"] is None else f"confidence {row['confidence']:.2f}, "
    facts = escape(f"{confidence}{row['language'] or 'no language'}, {row['status'] or 'no status'}")
    title, url = _name(row["title"] or "(no title)"), _name(row["url"] or page_id_of(row))
    summary = f"<summary><bdi>{title}</bdi> <small><bdi>{url}</bdi>, {facts}</small></summary>"
    if blocks is None:
        return f'<details>{summary}<p dir="auto">{_text(row["text"])}</p></details>'
    shown: list[str] = []
    for block in sorted(blocks, key=lambda each: int(each["block_order"])):
        state = "kept" if block["kept"] else "dropped"
        figures: list[tuple[str, Callable[[float], str]]] = [
            ("probability", lambda value: f"probability {value:.2f}"),
            ("template_frequency", lambda value: f"on {value:.0%} of the host's other pages"),
        ]
        said = [state, str(block["kind"]), *(show(block[name]) for name, show in figures if block[name] is not None)]
        shown.append(
            f'<div class="block {state}"><small>{_name(", ".join(said))}, <bdi>{_name(block["path"])}</bdi></small>'
            f'<p dir="auto">{_text(block["text"])}</p></div>'
        )
    return f"<details>{summary}\n" + "\n".join(shown) + "\n</details>"
