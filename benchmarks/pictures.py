# SPDX-License-Identifier: Apache-2.0
"""The pictures of README.md and docs/, each in light and dark, made by the program itself.

    python benchmarks/pictures.py [NAME...]      # `make pictures` makes all

    systems       accuracy against speed of all systems, from benchmarks/results (SVG)
    whole-way     pages a core second from WARC to rows, measured and as published (SVG)
    reported      F1 that others report of models, set by set, apart from what is measured here (SVG)
    architecture  the way from an archive to rows (SVG)
    terminal      `thresher inspect` in a terminal
    languages     the chart of docs/quick-start.md, by the script that stands there
    blocks        `thresher text --blocks`
    report        `thresher inspect --html`
    workbench     `thresher serve`, a page of the demo archive
    templates     the same, with what the host repeats hatched

Writes docs/images/NAME-light and NAME-dark. What comes from a browser needs Chromium, the chart needs matplotlib. With
all of them it writes docs/images/parts.json, the parts of what they show: a test says when the program has others.
"""

import argparse
import json
import math
import os
import pty
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import Any, Final

from figures import CHECKOUT, intervals, number, rows, short, systems
from labelling_pictures import reduce

IMAGES: Final = CHECKOUT / "docs" / "images"
PARTS: Final = IMAGES / "parts.json"
WORKBENCH: Final = CHECKOUT / "src" / "thresher" / "serving" / "workbench" / "index.html"
PAGE: Final = "https://www.watermill.example/history/wheel"
WIDTH: Final = 960  # pixels, of pictures from a browser
COLOURS: Final = {
    "light": {"ink": "#1f2328", "dim": "#656d76", "line": "#d0d7de", "box": "#f6f8fa", "paper": "#ffffff",
              "ours": "#1a7f37", "peer": "#0969da", "core": "#dafbe1", "edge": "#2e8b3d"},
    "dark": {"ink": "#e6edf3", "dim": "#9198a1", "line": "#3d444d", "box": "#151b23", "paper": "#0d1117",
             "ours": "#3fb950", "peer": "#58a6ff", "core": "#12261e", "edge": "#56b366"},
}  # fmt: skip
FONT: Final = "font-family='system-ui, -apple-system, Segoe UI, DejaVu Sans, sans-serif'"


# --- drawings ---


def svg(width: int, height: int, title: str, body: list[str]) -> str:
    """An SVG of this size."""
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' "
        f"role='img' {FONT}>\n<title>{escape(title)}</title>\n" + "\n".join(body) + "\n</svg>\n"
    )


def text(x: float, y: float, words: str, colour: str, size: int = 13, anchor: str = "start", more: str = "") -> str:
    """A line of text."""
    place = f"x='{x:g}' y='{y:g}' font-size='{size}' text-anchor='{anchor}'"
    return f"<text {place} fill='{colour}' {more}>{escape(words)}</text>"


# The systems with names beside their points, and where the name stands: right, left, above, below.
NAMED: Final = {
    "thresher": "above", "threshold": "above", "majority": "below", "density": "left", "cetd": "left", "all": "right",
    "trafilatura": "above", "readability": "below", "resiliparse": "right", "turbohtml": "right",
    "justext": "below", "goose3": "left", "boilerpy3": "right",
}  # fmt: skip
SIDES: Final = {
    "right": (9, 4, "start"),
    "left": (-9, 4, "end"),
    "above": (0, -11, "middle"),
    "below": (0, 20, "middle"),
}
OURS: Final = {
    *["thresher", "threshold", "majority", "majority-best", "majority-weighted", "density"],
    *["cetd", "cetd-ds", "cetd-dsum", "cetd-s", "bte", "ccb", "wlr", "cetr", "conex", "linkratio", "all"],
}


def draw_systems(c: dict[str, str]) -> str:
    """Word F1 over the eleven sets with its 95 % interval, against the time of a page on a logarithmic scale."""
    known = {name: each for name, each in systems().items() if name != "menex" and each[0] > 0.4}
    width, height, left, right, top, bottom = 860, 470, 62, 30, 46, 56
    low, high = 0.2, max(times for _, times in known.values()) * 1.6
    f_low, f_high = 0.5, 0.94

    def x(times: float) -> float:
        return left + (width - left - right) * math.log(times / low) / math.log(high / low)

    def y(f1: float) -> float:
        return top + (height - top - bottom) * (f_high - f1) / (f_high - f_low)

    body = [text(left, 24, "Word F1 over eleven labelled sets, against CPU time a page", c["ink"], 16)]
    for f1 in (0.5, 0.6, 0.7, 0.8, 0.9):
        body += [f"<line x1='{left}' x2='{width - right}' y1='{y(f1):.1f}' y2='{y(f1):.1f}' stroke='{c['line']}'/>"]
        body += [text(left - 10, y(f1) + 4, f"{f1:.1f}".removeprefix("0"), c["dim"], anchor="end")]
    for mark in (1, 10, 100):
        if mark <= high:
            line = f"x1='{x(mark):.1f}' x2='{x(mark):.1f}' y1='{top}' y2='{height - bottom}'"
            body += [f"<line {line} stroke='{c['line']}'/>"]
            body += [text(x(mark), height - bottom + 20, f"{mark:g} ×", c["dim"], anchor="middle")]
    beside = "times as long as thresher, slower →"
    body += [text((left + width - right) / 2, height - 12, beside, c["dim"], anchor="middle")]
    reach = intervals()
    for name, (f1, times) in sorted(known.items()):
        colour = c["ours"] if name in OURS else c["peer"]
        below, above = reach.get(name, (0.0, 0.0))
        ends = f"x1='{x(times):.1f}' x2='{x(times):.1f}' y1='{y(f1 + above):.1f}' y2='{y(f1 - below):.1f}'"
        body += [f"<line {ends} stroke='{colour}' stroke-width='2' stroke-opacity='.55'/>"] if name in reach else []
        radius = 7 if name == "thresher" else 4.5
        body += [f"<circle cx='{x(times):.1f}' cy='{y(f1):.1f}' r='{radius}' fill='{colour}'/>"]
        if name in NAMED:
            dx, dy, anchor = SIDES[NAMED[name]]
            bold = "font-weight='700'" if name == "thresher" else ""
            body += [text(x(times) + dx, y(f1) + dy, name, colour, 15 if bold else 12, anchor, bold)]
    key = width - right - 265
    body += [
        f"<circle cx='{key}' cy='19' r='4.5' fill='{c['ours']}'/>",
        text(key + 10, 24, "Thresher's extractors", c["ink"]),
    ]
    body += [
        f"<circle cx='{key + 160}' cy='19' r='4.5' fill='{c['peer']}'/>",
        text(key + 170, 24, "other systems", c["ink"]),
    ]
    return svg(width, height, "Word F1 against the time of a page for all systems", body)


def draw_whole_way(c: dict[str, str]) -> str:
    """Pages a core second from WARC to rows on a logarithmic scale; what others published is hollow."""
    measured = [(each[0], number(each[1])) for each in rows("peers_whole_way.md", "From WARC to rows")[2:]]
    published = [(each[0], number(each[1])) for each in rows("published.md", "The whole way, as published")[2:]]
    width, left, right, top, step = 860, 300, 70, 60, 34
    height = top + step * (len(measured) + len(published) + 1) + 16
    high = max(rate for _, rate in measured) * 1.2

    def x(rate: float) -> float:
        return left + (width - left - right) * math.log(rate) / math.log(high)

    body = [text(20, 26, "From WARC to rows: pages a core second", c["ink"], 16)]
    for mark in (1, 10, 100):
        place = f"x1='{x(mark):.1f}' x2='{x(mark):.1f}' y1='{top - 14}' y2='{height - 8}'"
        body += [f"<line {place} stroke='{c['line']}'/>", text(x(mark), top - 20, f"{mark}", c["dim"], 12, "middle")]
    y = float(top)
    for name, rate in [*sorted(measured, key=lambda each: -each[1]), ("", 0.0), *published]:
        if name:
            ours, told = name.startswith("thresher"), (name, rate) in published
            colour = c["ours"] if ours else c["peer"]
            look = f"fill='none' stroke='{colour}' stroke-dasharray='4 3'" if told else f"fill='{colour}'"
            body.append(f"<rect x='{left}' y='{y}' width='{x(rate) - left:.1f}' height='18' rx='3' {look}/>")
            shown = f"{rate:,.0f}" if rate >= 10 else f"{rate:g}"
            weight = "font-weight='700'" if ours else ""
            body += [text(left - 10, y + 14, name, c["ink"], 12, "end", weight)]
            body += [text(x(rate) + 8, y + 14, shown, c["ink"], 12, more=weight)]
        else:
            body.append(text(left, y + 20, "reported by others, on other pages and machines", c["dim"], 12))
        y += step
    return svg(width, height, "Pages a core second from WARC to rows", body)


def draw_reported(c: dict[str, str]) -> str:
    """F1 by set: what others report is hollow, what we measured is filled."""
    found: dict[str, list[tuple[str, float, bool]]] = {}
    for each in rows("published.md", "Other pages, other measures")[2:]:
        found.setdefault(each[0], []).append((each[1], number(each[2]), each[3] == "ours"))
    width, left, right, step = 860, 300, 70, 24
    height = 70 + sum(36 + step * len(each) for each in found.values())
    low, high = 0.7, 1.0

    def x(f1: float) -> float:
        return left + (width - left - right) * (f1 - low) / (high - low)

    body = [text(20, 26, "F1 as others report it, by their own measures", c["ink"], 16)]
    for f1 in (0.7, 0.8, 0.9, 1.0):
        place = f"x1='{x(f1):.1f}' x2='{x(f1):.1f}' y1='66' y2='{height - 12}'"
        label = f"{f1:.1f}".removeprefix("0")
        body += [f"<line {place} stroke='{c['line']}'/>", text(x(f1), 58, label, c["dim"], 12, "middle")]
    y = 84.0
    for name, systems_ in found.items():
        body.append(text(20, y, name, c["ink"], 13, more="font-weight='600'"))
        y += step
        for system, f1, ours in systems_:
            colour = c["ours"] if ours else c["peer"]
            fill = colour if ours else c["paper"]
            body.append(f"<line x1='{x(low)}' x2='{x(f1):.1f}' y1='{y - 4}' y2='{y - 4}' stroke='{c['line']}'/>")
            body.append(
                f"<circle cx='{x(f1):.1f}' cy='{y - 4}' r='5.5' fill='{fill}' stroke='{colour}' stroke-width='2'/>"
            )
            body.append(text(left - 10, y, system, c["ink"], 12, "end"))
            body.append(text(x(f1) + 12, y, short(f1, 3), c["dim"], 12))
            y += step
        y += 36 - step
    key = width - right - 330
    body += [
        f"<circle cx='{key}' cy='21' r='5.5' fill='{c['ours']}'/>",
        text(key + 11, 26, "measured by us", c["ink"]),
        f"<circle cx='{key + 130}' cy='21' r='5.5' fill='{c['paper']}' stroke='{c['peer']}' stroke-width='2'/>",
        text(key + 141, 26, "reported, other measures", c["ink"]),
    ]
    return svg(width, height, "F1 that others report, set by set", body)


def draw_architecture(c: dict[str, str]) -> str:
    """From archives to rows: what a run does, what a worker does with a page, and the loop of templates."""
    width, height = 900, 430
    head = f"<path d='M0 0L8 4L0 8z' fill='{c['dim']}'/>"
    marker = "<marker id='a' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='7' markerHeight='7' orient='auto'>"
    body = [f"<defs>{marker}{head}</marker></defs>"]

    def box(
        x: float, y: float, w: float, h: float, title: str, *lines: str, fill: str = "box", edge: str = "line"
    ) -> None:
        body.append(f"<rect x='{x}' y='{y}' width='{w}' height='{h}' rx='7' fill='{c[fill]}' stroke='{c[edge]}'/>")
        first = y + h / 2 - 8 * len(lines) + 5
        body.append(text(x + w / 2, first, title, c["ink"], 14, "middle", "font-weight='600'"))
        body.extend(text(x + w / 2, first + 17 * (n + 1), line, c["dim"], 12, "middle") for n, line in enumerate(lines))

    def arrow(path: str, dash: str = "") -> None:
        dashes = f"stroke-dasharray='{dash}'" if dash else ""
        body.append(
            f"<path d='{path}' fill='none' stroke='{c['dim']}' stroke-width='1.5' {dashes} marker-end='url(#a)'/>"
        )

    box(20, 20, 170, 70, "Inputs", "WARC, ARC, WACZ, …", "disk, https, s3, hdfs")
    box(250, 20, 170, 70, "Partitions", "about 32 MiB each,", "or a WARC on Spark")
    box(480, 20, 190, 70, "Workers", "processes, supervised;", "or tasks of Spark")
    box(730, 20, 150, 70, "Output folder", "Parquet, ledger,", "dead letters")
    arrow("M190 55H246")
    arrow("M420 55H476")
    arrow("M670 55H726")
    body.append(
        f"<rect x='20' y='135' width='860' height='165' rx='9' fill='none' stroke='{c['edge']}' stroke-width='1.5'/>"
    )
    body.append(text(36, 160, "A worker, for each page", c["ink"], 14, more="font-weight='600'"))
    body.append(text(770, 160, "green: the core, in Cython", c["dim"], 12, "end"))
    arrow("M575 90V131")
    stages = [
        ("read", "records", "", False), ("decode", "to UTF-8", "", False), ("parse", "a tree in", "flat arrays", True),
        ("measure", "words, links,", "blocks", True), ("choose", "score blocks,", "cut the page", True),
        ("write", "Markdown,", "text, HTML", True), ("metadata", "title, date,", "author, …", True),
        ("language", "of the text", "", False),
    ]  # fmt: skip
    for n, (name, one, two, core) in enumerate(stages):
        x = 36 + n * 105
        box(
            x,
            180,
            92,
            78,
            name,
            *filter(None, (one, two)),
            fill="core" if core else "box",
            edge="edge" if core else "line",
        )
        if n < len(stages) - 1:
            arrow(f"M{x + 92} 219H{x + 103}")
    box(
        295,
        345,
        310,
        66,
        "Templates (--templates)",
        "count per host what blocks its pages share,",
        "then decide each page again",
    )
    arrow("M397 258V341", "5 4")
    arrow("M502 345V262", "5 4")
    body.append(text(388, 325, "fingerprints", c["dim"], 12, "end"))
    body.append(text(511, 325, "evidence", c["dim"], 12))
    arrow("M817 180V94")
    body.append(text(825, 120, "a row", c["dim"], 12))
    return svg(width, height, "From web archives to rows", body)


# --- pictures of the program ---


class Studio:
    """A folder with the demo's archive and run, a browser, and a service."""

    def __init__(self, folder: Path, browser: Any) -> None:
        self.folder = folder
        self.browser = browser
        self.run("demo")
        shutil.copy(folder / "thresher-demo" / "sites.warc.gz", folder / "crawl.warc.gz")
        self.run("extract", "crawl.warc.gz", "-o", "out", "--blocks")
        self.run("extract", "crawl.warc.gz", "-o", "templates", "--templates", "fused")

    def run(self, *arguments: str) -> str:
        """What a command prints."""
        return subprocess.run(
            [sys.executable, "-m", "thresher", *arguments], cwd=self.folder, check=True, capture_output=True, text=True
        ).stdout

    def on_terminal(self, *arguments: str, columns: int = 100) -> str:
        """What a command prints on a terminal, with its colours."""
        main, side = pty.openpty()
        environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm-256color"}
        command = [sys.executable, "-m", "thresher", *arguments]
        with subprocess.Popen(command, cwd=self.folder, stdout=side, stderr=side, env=environment) as process:
            os.close(side)
            parts = []
            while True:
                try:
                    parts.append(os.read(main, 1 << 16))
                except OSError:  # the terminal is closed
                    break
                if not parts[-1]:
                    break
            process.wait()
        os.close(main)
        return b"".join(parts).decode().replace("\r\n", "\n")

    def shoot(self, name: str, scheme: str, height: int) -> None:
        """Takes a picture of the browser's window."""
        file = IMAGES / f"{name}-{scheme}.png"
        self.browser.screenshot(file)
        reduce(file)
        print(f"{file.name}: {WIDTH} × {height}, {file.stat().st_size:,} bytes")

    def page(self, name: str, file: Path, height: int) -> None:
        """Pictures of a file of HTML in light and dark."""
        for scheme in COLOURS:
            self.browser.dark(on=scheme == "dark")
            self.browser.size(WIDTH, height)
            self.browser.open(file.as_uri())
            self.shoot(name, scheme, height)

    @contextmanager
    def service(self, *arguments: str) -> Iterator[str]:
        """The address of a service."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        address = f"http://127.0.0.1:{port}/"
        command = [sys.executable, "-m", "thresher", "serve", "--port", str(port), *arguments]
        with subprocess.Popen(
            command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            try:
                for _ in range(100):
                    try:
                        urllib.request.urlopen(address + "health").close()
                        break
                    except OSError:
                        time.sleep(0.1)
                yield address
            finally:
                process.terminate()


ANSI: Final = re.compile(r"\x1b\[([\d;]*)m")
STYLES: Final = {
    "1": "font-weight:bold",
    "2": "opacity:.65",
    "3": "font-style:italic",
    "4": "text-decoration:underline",
}
TONES: Final = {  # of the 16 colours, light and dark
    "31": ("#cf222e", "#ff7b72"), "32": ("#1a7f37", "#3fb950"), "33": ("#9a6700", "#d29922"),
    "34": ("#0969da", "#58a6ff"), "35": ("#8250df", "#bc8cff"), "36": ("#1b7c83", "#39c5cf"),
    "90": ("#656d76", "#9198a1"),
}  # fmt: skip


def as_html(shown: str, prompt: str, c: dict[str, str], scheme: str) -> str:
    """A page that looks like a terminal with a command and what it printed."""
    parts: list[str] = []
    active: list[str] = []
    for n, piece in enumerate(ANSI.split(shown)):
        if n % 2 == 0:
            style = ";".join(STYLES.get(code) or f"color:{TONES[code][scheme == 'dark']}" for code in active)
            parts.append(f"<span style='{style}'>{escape(piece)}</span>" if style else escape(piece))
        else:
            for code in piece.split(";"):
                active = [] if code in ("", "0") else [*active, code] if code in STYLES or code in TONES else active
    return (
        f"<meta charset=utf-8><style>body{{margin:0;padding:14px 18px;background:{c['paper']};color:{c['ink']}}}"
        "pre{margin:0;font:13px/1.4 'DejaVu Sans Mono',monospace}</style>"
        f"<pre><span style='color:{c['ours']}'>$</span> <b>{escape(prompt)}</b>\n{''.join(parts)}</pre>"
    )


def take_terminal(studio: Studio) -> None:
    """`thresher inspect out`, its first tables."""
    shown = studio.on_terminal("inspect", "out")
    lines = shown[: shown.index("host ")].rstrip().splitlines()
    for scheme, colours in COLOURS.items():
        file = studio.folder / "terminal.html"
        file.write_text(as_html("\n".join(lines), "thresher inspect out", colours, scheme), "utf-8")
        height = 36 + round((len(lines) + 1) * 13 * 1.4)
        studio.browser.size(WIDTH, height)
        studio.browser.open(file.as_uri())
        studio.shoot("terminal", scheme, height)


def take_languages(studio: Studio) -> None:
    """The chart, by the script of docs/quick-start.md."""
    page = (CHECKOUT / "docs" / "quick-start.md").read_text("utf-8")
    found = re.search(r"```python\n(# chart\.py\n.*?)```", page, re.DOTALL)
    assert found, "docs/quick-start.md has no chart.py"
    for scheme in COLOURS:
        style = "import matplotlib\nmatplotlib.rcParams['figure.figsize'] = (7.2, 3.4)\n"
        style += "import matplotlib.style\nmatplotlib.style.use('dark_background')\n" if scheme == "dark" else ""
        subprocess.run([sys.executable, "-c", style + found[1]], cwd=studio.folder, check=True)
        file = IMAGES / f"languages-{scheme}.png"
        shutil.copy(studio.folder / "languages.png", file)
        reduce(file)
        print(f"{file.name}: {file.stat().st_size:,} bytes")


def take_blocks(studio: Studio) -> None:
    """A page of the archive, block by block."""
    file = studio.folder / "blocks.html"
    file.write_text(studio.run("text", "crawl.warc.gz", "--url", PAGE, "--blocks"), "utf-8")
    studio.page("blocks", file, 820)


def take_report(studio: Studio) -> None:
    """The report of a run."""
    studio.run("inspect", "out", "--html", "report.html")
    studio.page("report", studio.folder / "report.html", 1150)


def open_in_workbench(studio: Studio, address: str, source: str, url: str) -> None:
    """Opens a page of a source that the service was given."""
    browser = studio.browser
    browser.open(address)
    browser.wait("document.getElementById('extractor').options.length > 5")
    browser.run("document.getElementById('open-button').click()")
    browser.wait("document.getElementById('source').options.length > 0")
    browser.run(
        "(() => { const s = document.getElementById('source');"
        f"s.value = [...s.options].find((o) => o.textContent.includes({json.dumps(source)})).value;"
        f"document.getElementById('filter').value = {json.dumps(url)};"
        "document.querySelector('#browse button').click() })()"
    )
    browser.wait("document.querySelector('#pages button, #pages a')")
    browser.run("document.querySelector('#pages button, #pages a').click()")
    browser.wait("document.getElementById('status').textContent.includes('blocks kept')")
    browser.run("document.getElementById('open-panel').hidden || document.getElementById('open-button').click()")


def take_workbench(studio: Studio) -> None:
    """A page in the workbench, with its text beside it."""
    with studio.service("--archive", "crawl.warc.gz") as address:
        for scheme in COLOURS:
            studio.browser.dark(on=scheme == "dark")
            studio.browser.size(WIDTH + 240, 760)
            open_in_workbench(studio, address, "crawl", PAGE)
            studio.shoot("workbench", scheme, 760)


def take_templates(studio: Studio) -> None:
    """A page of a run with templates: what the host repeats is hatched."""
    with studio.service("--archive", "crawl.warc.gz", "--run", "templates") as address:
        for scheme in COLOURS:
            studio.browser.dark(on=scheme == "dark")
            studio.browser.size(WIDTH + 240, 760)
            open_in_workbench(studio, address, "crawl", PAGE)
            studio.browser.run("document.getElementById('site-tab').click()")
            studio.browser.wait("!document.getElementById('add-host').hidden")
            studio.browser.run("document.getElementById('add-host').click()")
            studio.browser.wait("document.querySelectorAll('#collected li').length > 1")
            studio.browser.run("document.getElementById('compare-site').click()")
            studio.browser.wait("document.querySelectorAll('#site tbody tr').length > 0")
            studio.shoot("templates", scheme, 760)


def parts_shown(run: Callable[..., str], folder: Path) -> dict[str, list[str]]:
    """The tables, sections and controls of what the pictures show; `run` runs a command in the folder of the demo's
    run `out`, and returns what it prints.
    """
    run("inspect", "out", "--html", "report.html")
    report, tables = (folder / "report.html").read_text("utf-8"), run("inspect", "out")
    return {
        "terminal": re.findall(r"^(\w+) +number +share$", tables, re.MULTILINE),
        "report": re.findall(r"<h2[^>]*>(.*?)</h2>", report),
        "blocks": re.findall(r"<dt>(.*?)<dd>", run("text", "crawl.warc.gz", "--url", PAGE, "--blocks")),
        "workbench": re.findall(r"<(?:button|label|select)\b[^>]*\bid=\"([\w-]+)\"", WORKBENCH.read_text("utf-8")),
    }


DRAWINGS: Final[dict[str, Callable[[dict[str, str]], str]]] = {
    "systems": draw_systems,
    "whole-way": draw_whole_way,
    "reported": draw_reported,
    "architecture": draw_architecture,
}
TAKEN: Final[dict[str, Callable[[Studio], None]]] = {
    "terminal": take_terminal,
    "languages": take_languages,
    "blocks": take_blocks,
    "report": take_report,
    "workbench": take_workbench,
    "templates": take_templates,
}


def main() -> None:
    """Makes the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[*DRAWINGS, *TAKEN, []])
    names = parser.parse_args().names or [*DRAWINGS, *TAKEN]
    for name in filter(DRAWINGS.__contains__, names):
        for scheme, colours in COLOURS.items():
            (IMAGES / f"{name}-{scheme}.svg").write_text(DRAWINGS[name](colours), "utf-8")
    if not any(name in TAKEN for name in names):
        return
    sys.path.insert(0, str(CHECKOUT / "tests"))
    from headless_chromium import Chromium

    with tempfile.TemporaryDirectory() as folder, Chromium(Path(folder) / "profile") as browser:
        studio = Studio(Path(folder), browser)
        for name in filter(TAKEN.__contains__, names):
            TAKEN[name](studio)
        if TAKEN.keys() <= set(names):
            PARTS.write_text(json.dumps(parts_shown(studio.run, studio.folder), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
