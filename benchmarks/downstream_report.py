# SPDX-License-Identifier: Apache-2.0
"""Tables and figures of downstream.py, as Markdown and as one HTML file that needs no network and no scripts."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import downstream_figures
from markupsafe import Markup, escape

_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>
body {{ font: 15px/1.45 system-ui, sans-serif; color: #222; max-width: 1240px; margin: 2em auto; padding: 0 1em; }}
p {{ max-width: 60em; }} table {{ border-collapse: collapse; font-size: 13px; }} .wide {{ overflow-x: auto; }}
td, th {{ padding: 2px 9px; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap; }}
td:first-child, th:first-child {{ text-align: left; position: sticky; left: 0; background: #fff; }}
.panels {{ display: flex; flex-wrap: wrap; gap: 1em; }} figure {{ margin: 0; flex: 1 1 380px; max-width: 600px; }}
svg {{ width: 100%; height: auto; }} svg text {{ font-family: system-ui, sans-serif !important; }}
</style></head><body><h1>{title}</h1><p>{about}</p>
{body}
</body></html>
"""


@dataclass(frozen=True, slots=True)
class Table:
    """A section of the results: the same rows for Markdown and for the report."""

    title: str
    about: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def markdown(self) -> list[str]:
        """The section's lines."""
        lines = [self.head, ["---"] * len(self.head), *self.rows]
        return [f"## {self.title}", "", self.about, "", *(f"| {' | '.join(line)} |" for line in lines), ""]

    def html(self) -> Markup:
        """The table alone."""
        rows = Markup()
        for tag, row in (("th", self.head), *(("td", row) for row in self.rows)):
            cell = Markup(f"<{tag}>{{}}</{tag}>")
            rows += Markup("<tr>{}</tr>\n").format(Markup().join(map(cell.format, row)))
        return Markup("<div class=wide><table>{}</table></div>").format(rows)


def dots(
    values: Mapping[str, Sequence[float]], kind_of: Callable[[str], str], label: str, *, ascending: bool = True
) -> Markup:
    """A figure with a row for each system: the mean of its values, the best at the top, and their range."""
    rows = [
        downstream_figures.Dot(name, kind_of(name), statistics.fmean(of), min(of), max(of))
        for name, of in values.items()
    ]
    return downstream_figures.dots(sorted(rows, key=lambda row: row.value, reverse=not ascending), label)


def plain(text: str) -> str:
    """Markdown without its marks."""
    return text.replace("`", "").replace("**", "")


def html_page(title: str, about: str, sections: Sequence[tuple[Table, Sequence[Markup]]]) -> str:
    """The report: tables, each with figures."""
    body = Markup()
    for table, figures in sections:
        drawn = Markup().join(map(Markup("<figure>{}</figure>").format, figures))
        body += Markup("<h2>{}</h2><p>{}</p>\n<div class=panels>{}</div>\n{}\n").format(
            table.title, plain(table.about), drawn, table.html()
        )
    return _PAGE.format(title=escape(title), about=escape(plain(about)), body=body)
