# SPDX-License-Identifier: Apache-2.0
"""The figures of downstream.py and downstream_report.py, in the style of the evaluation's report."""

from collections.abc import Sequence
from dataclasses import dataclass

import matplotlib as mpl
from adjustText import adjust_text
from markupsafe import Markup
from matplotlib.ticker import LogLocator

from thresher.lab.evaluate.drawing import COLOURS, STYLE, figure_of, rows_figure, svg_of


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
