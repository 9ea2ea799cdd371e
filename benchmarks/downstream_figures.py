# SPDX-License-Identifier: Apache-2.0
"""The figures of downstream.py and downstream_report.py, as SVG that stands in the page."""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
from adjustText import adjust_text
from markupsafe import Markup, escape
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

COLOURS = {
    "extractor": "#1f5fa8",
    "peer": "#c2571a",
    "baseline": "#6a6a6a",
    "gold": "#8a6d00",
    "union": "#117a4b",
}
_WIDTH = 4.4  # inches: a figure of this width is legible on a phone
_ROW = 0.19  # inches per system
STYLE: Any = {
    "svg.fonttype": "none",  # text stays text, in the reader's fonts
    "svg.hashsalt": "thresher",  # the same figure has the same bytes
    "font.size": 8.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "axes.axisbelow": True,
}
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


@dataclass(frozen=True, slots=True)
class Dot:
    """One system's value, with the least and the greatest of several runs."""

    name: str
    kind: str
    value: float
    least: float
    greatest: float


@dataclass(frozen=True, slots=True)
class Line:
    """One system's values (x, y)."""

    name: str
    kind: str
    points: Sequence[tuple[float, float]]


def dots(rows: Sequence[Dot], label: str) -> Markup:
    """A dot for each system, the first at the top, with a line from the least to the greatest value."""
    with mpl.rc_context(STYLE):
        figure, axes = rows_figure([(row.name, row.kind) for row in rows])
        spread = max(row.greatest for row in rows) - min(row.least for row in rows) or 1.0
        ends = (min(row.least for row in rows) - 0.08 * spread, max(row.greatest for row in rows) + 0.08 * spread)
        form = ".3f" if spread < 1 else ",.1f" if spread < 100 else ",.0f"
        axes.set(xlim=ends, xlabel=label)
        for place, row in enumerate(rows):
            axes.hlines(place, row.least, row.greatest, colors=COLOURS[row.kind], linewidth=1)
            axes.plot(row.value, place, "o", color=COLOURS[row.kind], markersize=4)
            axes.annotate(f"{row.value:{form}}", (1.02, place), xycoords=("axes fraction", "data"), va="center")
        return svg_of(figure, label)


def lines(rows: Sequence[Line], x_label: str, y_label: str) -> Markup:
    """A line for each system, on a logarithmic x axis, with its name at the end."""
    with mpl.rc_context(STYLE):
        figure, axes = figure_of(6.5, 4.6)
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_locator(LogLocator(subs=(0.2, 0.5)))
        axes.xaxis.set_minor_formatter("{x:g}")
        axes.set(xlabel=x_label, ylabel=y_label)
        texts = []
        for row in rows:
            x, y = zip(*row.points, strict=True)
            axes.plot(x, y, "o-", color=COLOURS[row.kind], markersize=3, linewidth=1, alpha=0.8)
            texts.append(axes.text(x[-1], y[-1], row.name, color=COLOURS[row.kind]))
        figure.draw_without_rendering()
        adjust_text(texts, ax=axes, expand=(1.1, 1.4), iter_lim=200, arrowprops={"arrowstyle": "-", "color": "#bbbbbb"})
        return svg_of(figure, f"{y_label} against {x_label}")


def figure_of(width: float, height: float) -> tuple[Figure, Axes]:
    """An empty figure of so many inches; not pyplot's, which would keep it."""
    figure = Figure((width, height), layout="constrained")
    FigureCanvasAgg(figure)  # measures text
    return figure, figure.subplots()


def rows_figure(systems: Sequence[tuple[str, str]]) -> tuple[Figure, Axes]:
    """A figure with one row per system (name, kind), the first at the top, and an axis from 0 to 1."""
    figure, axes = figure_of(_WIDTH, 0.5 + _ROW * len(systems))
    axes.set(xlim=(0, 1), ylim=(len(systems) - 0.5, -0.5))
    axes.set_yticks(range(len(systems)), [name for name, _ in systems])
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    for text, (_, kind) in zip(axes.get_yticklabels(), systems, strict=True):
        text.set_color(COLOURS[kind])
    return figure, axes


def svg_of(figure: Figure, label: str) -> Markup:
    """The figure as an SVG element that takes the width it is given."""
    written = io.StringIO()
    figure.savefig(written, format="svg", metadata=_NO_METADATA)
    text = written.getvalue()
    root = re.search(r'<svg[^>]*width="([\d.]+)pt"[^>]*(viewBox="[^"]*")[^>]*>', text)
    if root is None:
        raise ValueError("matplotlib's SVG has changed")
    width = float(root[1]) * 4 / 3  # points to pixels
    opening = f'<svg {root[2]} style="max-width:{width:.0f}px" role="img" aria-label="{escape(label)}">'
    return Markup(opening + text[root.end() :])  # matplotlib escapes what it writes
