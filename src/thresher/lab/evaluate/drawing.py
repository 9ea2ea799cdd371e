# SPDX-License-Identifier: Apache-2.0
"""The report's figures, drawn by matplotlib as SVG that stands in the page.

Why matplotlib: its SVG needs no script, stays legible at any width and takes 20 to 100 KB a figure. Plotly's report
carries 4.6 MB of JavaScript; Altair needs a network or a bundled browser engine to draw at all.
"""

import io
import math
import re
from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
from adjustText import adjust_text
from markupsafe import Markup, escape
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from thresher.lab.evaluate.summary import Floats, Summary

COLOURS = {
    "extractor": "#1f5fa8",
    "peer": "#c2571a",
    "module": "#c2571a",
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


def box_plot(rows: Sequence[tuple[str, str, Floats]], label: str) -> Markup:
    """One box per system (name, kind, values), in order from the top; systems without values keep an empty row.

    Boxes span the interquartile range with a line at the median and a dot at the mean; whiskers reach to the last value
    within 1.5 ranges (Bevendorff et al. 2023, figure 2).
    """
    with mpl.rc_context(STYLE):
        figure, axes = rows_figure([(name, kind) for name, kind, _ in rows])
        drawn = axes.boxplot(
            [values for _, _, values in rows],
            positions=range(len(rows)),
            orientation="horizontal",
            widths=0.7,
            manage_ticks=False,
            patch_artist=True,
            showmeans=True,
            showfliers=False,
            meanprops={"marker": "o", "markersize": 3, "markerfacecolor": "white"},
            medianprops={"linewidth": 2},
        )
        for number, (_, kind, _) in enumerate(rows):
            colour = COLOURS[kind]
            drawn["boxes"][number].set(facecolor=(colour, 0.3), edgecolor=colour)
            drawn["medians"][number].set_color(colour)
            drawn["means"][number].set_markeredgecolor(colour)
            for ends in ("whiskers", "caps"):
                for line in drawn[ends][2 * number : 2 * number + 2]:
                    line.set_color(colour)
        return svg_of(figure, label)


def scatter(points: Sequence[Summary], label: str) -> Markup:
    """Accuracy against speed, on a logarithmic axis: the farther to the right, the slower.

    The F1 axis covers the upper nine tenths of the systems. Those below stand at its foot, with their F1 beside the
    name.
    """
    values = sorted(point.mean_f1 for point in points)
    floor = max(0.0, math.floor((values[len(values) // 10] - 0.02) * 20) / 20)
    ceiling = min(1.0, math.ceil((values[-1] + 0.01) * 20) / 20)
    x = [max(point.milliseconds, 0.01) for point in points]
    y = [max(point.mean_f1, floor) for point in points]
    with mpl.rc_context(STYLE):
        figure, axes = figure_of(9.0, 6.5)
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set(xlim=(min(x) / 2, max(x) * 3), ylim=(floor - (ceiling - floor) / 20, ceiling))
        axes.set(xlabel="CPU milliseconds per page", ylabel="mean F1")
        axes.scatter(x, y, s=26, c=[COLOURS[point.kind] for point in points])
        texts = [
            axes.text(
                at_x,
                at_y,
                point.system if point.mean_f1 >= floor else f"{point.system} ({point.mean_f1:.2f})",
                color=COLOURS[point.kind],
            )
            for point, at_x, at_y in zip(points, x, y, strict=True)
        ]
        figure.draw_without_rendering()  # lays the axes out, so that texts have their final places
        adjust_text(
            texts,
            x=x,
            y=y,
            ax=axes,
            expand=(1.1, 1.4),
            force_static=(0.3, 0.5),
            iter_lim=200,  # and no time limit: the same points give the same figure
            arrowprops={"arrowstyle": "-", "color": "#bbbbbb"},
        )
        return svg_of(figure, label)


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
    return Markup(opening + text[root.end() :])  # noqa: S704 - matplotlib escapes what it writes
