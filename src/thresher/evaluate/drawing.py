# SPDX-License-Identifier: Apache-2.0
"""Figures as inline SVG, without any library: the report opens in a browser without a network."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

COLOURS = {"extractor": "#1f5fa8", "ensemble": "#117a4b", "peer": "#c2571a", "module": "#c2571a", "baseline": "#7a7a7a"}
_ROW = 22  # pixels per system
_LEFT = 190  # pixels for the names
_FONT = 'font-family="system-ui, sans-serif" font-size="12"'


@dataclass(frozen=True, slots=True)
class Series:
    """One system's values on some pages."""

    name: str
    kind: str
    values: NDArray[np.float64]


def _svg(width: float, height: float, body: Sequence[str], label: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img"'
        f' aria-label="{escape(label, quote=True)}" {_FONT}>' + "".join(body) + "</svg>"
    )


def _text(x: float, y: float, text: str, *, anchor: str = "start", colour: str = "#222", size: int = 12) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" font-size="{size}">{escape(text)}</text>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str = "#222", width: float = 1.0) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width:g}"/>'


def _rect(
    x: float, y: float, width: float, height: float, fill: str, stroke: str = "none", opacity: float = 1.0
) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height:.1f}" fill="{fill}" stroke="{stroke}"'
        f' fill-opacity="{opacity:g}"/>'
    )


def _unit_axis(left: float, width: float, top: float, bottom: float) -> list[str]:
    """Grid and labels of an axis from 0 to 1."""
    parts = []
    for step in range(6):
        x = left + width * step / 5
        parts += [
            _line(x, top, x, bottom, "#ddd"),
            _text(x, bottom + 16, f"{step / 5:.1f}", anchor="middle", colour="#555"),
        ]
    return parts


def box_plots(panels: Sequence[tuple[str, Sequence[Series]]], label: str) -> str:
    """Box plots side by side, one panel for each group of pages, one row for each system, the same order in each.

    Boxes are the interquartile range with the median as a line and the mean as a dot, whiskers reach to the last value within 1.5 ranges
    (Bevendorff et al. 2023, figure 2).
    """
    n_rows = max(len(series) for _, series in panels)
    panel_width = 270
    width, height = _LEFT + len(panels) * (panel_width + 30), 70 + n_rows * _ROW
    parts = []
    for number, (title, rows) in enumerate(panels):
        left = _LEFT + number * (panel_width + 30)
        parts.append(_text(left, 18, title, size=13))
        parts += _unit_axis(left, panel_width, 28, height - 34)
        for row, series in enumerate(rows):
            middle = 28 + (row + 0.5) * _ROW
            if number == 0:
                parts.append(_text(_LEFT - 8, middle + 4, series.name, anchor="end", colour=COLOURS[series.kind]))
            if len(series.values):
                parts += _box(series, left, panel_width, middle)
    return _svg(width, height, parts, label)


def _box(series: Series, left: float, width: float, middle: float) -> list[str]:
    values, colour = series.values, COLOURS[series.kind]
    first, median, third = np.quantile(values, (0.25, 0.5, 0.75))
    reach = 1.5 * (third - first)
    low = values[values >= first - reach].min()
    high = values[values <= third + reach].max()

    def x(value: float) -> float:
        return left + width * float(value)

    return [
        _line(x(low), middle, x(high), middle, colour),
        _line(x(low), middle - 4, x(low), middle + 4, colour),
        _line(x(high), middle - 4, x(high), middle + 4, colour),
        _rect(x(first), middle - 7, x(third) - x(first), 14, "#fff"),
        _rect(x(first), middle - 7, x(third) - x(first), 14, colour, colour, 0.3),
        _line(x(median), middle - 7, x(median), middle + 7, colour, 2.5),
        f'<circle cx="{x(float(values.mean())):.1f}" cy="{middle:.1f}" r="2.6" fill="#fff" stroke="{colour}" stroke-width="1.4"/>',
    ]


def bars(rows: Sequence[tuple[str, str, float, float, float]], label: str) -> str:
    """Means as bars with their interquartile range as error bar: rows of name, kind, mean, first and third quartile (figure 3)."""
    panel_width = 560
    width, height = _LEFT + panel_width + 70, 50 + len(rows) * _ROW
    parts = _unit_axis(_LEFT, panel_width, 10, height - 34)
    for row, (name, kind, mean, first, third) in enumerate(rows):
        middle, colour = 10 + (row + 0.5) * _ROW, COLOURS[kind]
        x = [_LEFT + panel_width * value for value in (mean, first, third)]
        parts += [
            _text(_LEFT - 8, middle + 4, name, anchor="end", colour=colour),
            _rect(_LEFT, middle - 7, x[0] - _LEFT, 14, colour, opacity=0.55),
            _line(x[1], middle, x[2], middle, "#222", 1.4),
            _line(x[1], middle - 4, x[1], middle + 4, "#222", 1.4),
            _line(x[2], middle - 4, x[2], middle + 4, "#222", 1.4),
            _text(_LEFT + panel_width + 12, middle + 4, f"{mean:.3f}"),
        ]
    return _svg(width, height, parts, label)


def scatter(points: Sequence[tuple[str, str, float, float]], label: str) -> str:
    """Speed against accuracy: points of name, kind, milliseconds per page (logarithmic, to the right is slower) and mean F1.

    The axis of F1 begins where nine tenths of the systems lie; those below stand at its foot with their figure beside the name.
    """
    left, top, width, height = 60.0, 20.0, 900.0, 640.0
    points = [(name, kind, max(milliseconds, 0.01), f1) for name, kind, milliseconds, f1 in points]
    low = math.floor(math.log10(min(point[2] for point in points)))
    high = max(math.ceil(math.log10(max(point[2] for point in points))), low + 1)
    values = sorted(point[3] for point in points)
    floor = max(0.0, math.floor((values[len(values) // 10] - 0.02) * 20) / 20)
    ceiling = min(1.0, math.ceil((values[-1] + 0.01) * 20) / 20)
    parts = []
    for power in range(low, high + 1):
        x = left + width * (power - low) / (high - low)
        parts += [
            _line(x, top, x, top + height, "#ddd"),
            _text(x, top + height + 16, f"{10.0**power:g}", anchor="middle", colour="#555"),
        ]
    parts.append(_text(left + width / 2, top + height + 34, "CPU milliseconds per page (logarithmic)", anchor="middle"))
    steps = max(round((ceiling - floor) * 20), 1)
    for step in range(steps + 1):
        y = top + height * (1 - step / steps)
        parts += [
            _line(left, y, left + width, y, "#ddd"),
            _text(left - 8, y + 4, f"{floor + step / 20:.2f}", anchor="end", colour="#555"),
        ]
    marks = []
    for name, kind, milliseconds, f1 in points:
        x = left + width * (math.log10(milliseconds) - low) / (high - low)
        y = top + height * (1 - max(f1 - floor, 0.0) / (ceiling - floor))
        marks.append((name if f1 >= floor else f"{name} ({f1:.2f})", COLOURS[kind], x, y))
    # What a label must not cover: points and other labels, as (baseline, begin, end).
    placed = [(y + 4, x - 6, x + 6) for _, _, x, y in marks]
    labels = []
    for name, colour, x, y in sorted(marks, key=lambda mark: mark[3]):
        label_x, label_y, anchor = _free_place(name, x, y, placed, right_edge=left + width + 100)
        if abs(label_y - 4 - y) > 8:
            parts.append(_line(x, y, label_x + (-2 if anchor == "start" else 2), label_y - 4, "#bbb"))
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{colour}"/>')
        labels.append(_text(label_x, label_y, name, anchor=anchor, colour=colour, size=11))
    parts += labels
    bottom = max([top + height + 44, *(y + 8 for y, _, _ in placed)])
    return _svg(left + width + 120, bottom, parts, label)


def _free_place(
    name: str, x: float, y: float, placed: list[tuple[float, float, float]], *, right_edge: float
) -> tuple[float, float, str]:
    """Where a point's label goes (x, baseline, anchor): the nearest free place to its right or left, which then is taken."""
    extent = 6.2 * len(name)
    places = []
    for distance in range(0, 400, 4):
        # A label that is not level with its point stands a little off, so that its line can be seen.
        shift = 8 + min(distance, 16)
        for label_y in {y + 4 + distance, y + 4 - distance}:
            places += [(distance, x + shift, label_y, "start"), (distance + 2, x - shift - extent, label_y, "end")]

    def is_free(begin: float, label_y: float) -> bool:
        inside = begin >= 0 and begin + extent <= right_edge and label_y > 10
        return inside and not any(
            abs(label_y - other) < 12 and begin < end and start < begin + extent for other, start, end in placed
        )

    places.sort()
    free = (place for place in places if is_free(place[1], place[2]))
    _, begin, label_y, anchor = next(free, places[0])
    placed.append((label_y, begin, begin + extent))
    return (begin if anchor == "start" else begin + extent), label_y, anchor


def heat_map(
    rows: Sequence[str], columns: Sequence[str], values: NDArray[np.float64], label: str, *, low: float = 0.0
) -> str:
    """A table of figures up to 1, coloured from `low` (white) to 1 (blue); NaN cells stay empty."""
    cell_width, cell_height, left, top = 62, 24, 190, 118
    parts = []
    for j, name in enumerate(columns):
        x, y = left + (j + 0.5) * cell_width, top - 8
        parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" transform="rotate(-40 {x:.1f} {y:.1f})" fill="#222">{escape(name)}</text>'
        )
    for i, name in enumerate(rows):
        y = top + i * cell_height
        parts.append(_text(left - 8, y + 16, name, anchor="end"))
        for j in range(len(columns)):
            value = float(values[i, j])
            if math.isnan(value):
                continue
            share = min(max((value - low) / (1 - low), 0.0), 1.0)
            parts.append(
                _rect(left + j * cell_width, y, cell_width - 2, cell_height - 2, "#1f5fa8", opacity=0.9 * share)
            )
            colour = "#fff" if share > 0.6 else "#222"
            parts.append(
                _text(left + (j + 0.5) * cell_width - 1, y + 16, f"{value:.3f}", anchor="middle", colour=colour)
            )
    return _svg(left + len(columns) * cell_width + 90, top + len(rows) * cell_height + 10, parts, label)
