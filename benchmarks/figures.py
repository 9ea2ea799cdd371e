# SPDX-License-Identifier: Apache-2.0
"""The figures that README.md and docs/ quote, each read from benchmarks/results.

    python benchmarks/figures.py            # writes them into the pages; `make golden` does it too

In a page a figure stands between two comments: `<!-- =f1 -->.915<!-- = -->`. What is between them is written by this
script, so a figure that changes in the results changes on every page, and no two pages can differ. A figure that takes
lines of its own, such as a table, stands between comments on lines of their own.
"""

import json
import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from thresher.schemas.files import LEFT_OUT
from thresher.schemas.skipped import NO_PAGE

CHECKOUT: Final = Path(__file__).parents[1]
RESULTS: Final = CHECKOUT / "benchmarks" / "results"
FACT_WEIGHTS: Final = CHECKOUT / "src" / "thresher" / "models" / "facts-1.json"
LEAST: Final = {"site_name": "site", "author": "author", "date": "date"}  # of which the weights have a least sum
FIGURE: Final = re.compile(r"<!-- =([a-z0-9_.-]+) -->.*?<!-- = -->", re.DOTALL)


@cache
def section(file: str, heading: str) -> str:
    """A section of the results, up to the next heading."""
    parts = re.split(r"^#+ (.*)$", (RESULTS / file).read_text("utf-8"), flags=re.MULTILINE)
    found = [text for title, text in zip(parts[1::2], parts[2::2], strict=True) if title.startswith(heading)]
    assert len(found) == 1, f"{file} has {len(found)} sections {heading!r}"
    return found[0]


@cache
def rows(file: str, heading: str) -> list[list[str]]:
    """The rows of a section's tables, each a list of cells without emphasis."""
    lines = [line.strip().strip("|") for line in section(file, heading).splitlines() if line.startswith("|")]
    return [[re.sub(r"[*`]", "", cell).strip() for cell in line.split("|")] for line in lines]


def cell(file: str, heading: str, row: str, column: int) -> str:
    """A cell of the first row whose first cell begins so; the first cell is column 0."""
    return next(cells for cells in rows(file, heading) if cells[0].startswith(row))[column]


def number(text: str) -> float:
    """The first number of a cell."""
    found = re.search(r"[-+]?\d[\d,]*\.?\d*|[-+]?\.\d+", text)
    assert found, text
    return float(found[0].replace(",", ""))


def words(file: str, pattern: str) -> str:
    """The group of a pattern that the results have once."""
    found = set(re.findall(pattern, (RESULTS / file).read_text("utf-8")))
    assert len(found) == 1, f"{file}: {pattern!r} is there {len(found)} times"
    return str(found.pop())


def short(value: float, digits: int) -> str:
    """A number with so many digits behind the point, and none in front of it if that is 0."""
    return re.sub(r"^(-?)0\.", r"\1.", f"{value:,.{digits}f}")


def table(head: str, lines: list[str]) -> str:
    """A table of Markdown on lines of its own."""
    return "\n".join(["\n", head, "|" + "---|" * len(head.strip("|").split("|")), *lines, "\n"])


# --- what is read ---

WEB: Final = ("class-labels.md", "Systems by the tolerant measure")
HELD_OUT: Final = ("model.md", "Sites held out")
BOXES: Final = ("model.md", "Furniture between paragraphs")
ALL_SYSTEMS: Final = ("evaluation.md", "All systems")
NEW, OLD = ("extract.md", "Pages of today"), ("extract.md", "Older pages")
CRAWL_PAGES: Final = 2.5e9  # of Common Crawl, in 90,000 WARCs
WORKERS: Final = 400
CORE_HOUR: Final = 0.04  # US dollars: an example


def web(system: str, column: int) -> str:
    """A cell of the labelled sample of the web."""
    return cell(*WEB, system, column)


def ratios(system: str) -> str:
    """How many times as long a system takes on the two kinds of pages."""
    both = sorted(number(cell(*each, system, 5)) for each in (NEW, OLD))
    digits = 0 if both[0] > 10 else 1
    return f"{both[0]:.{digits}f} to {both[1]:.{digits}f}"


def milliseconds(digits: int = 1) -> str:
    """CPU time of a page, of both kinds."""
    both = sorted(number(cell(*each, "thresher", 1)) for each in (NEW, OLD))
    return f"{short(both[0], digits)} to {short(both[1], digits)}"


def whole_way(row: str, column: int) -> float:
    """A number of the table of whole runs, from WARC to Parquet."""
    heading = "Two workers" if row in ("two workers", "one worker") else "3480 pages"
    return number(cell("whole_way.md", heading, row, column))


def hours(row: str, workers: int = 1) -> float:
    """Hours of all workers together for a crawl."""
    return whole_way(row, 1) * workers * CRAWL_PAGES / 3.6e6


def per_billion(row: str) -> float:
    """Hours of one core for a billion pages."""
    return whole_way(row, 1) * 1e9 / 3.6e6


def template_times() -> list[float]:
    """How many times as long runs with templates take, in all measurements."""
    cells = [cell for line in rows("templates.md", "Time") for cell in line]
    ratios = [each for each in cells if re.fullmatch(r"1\.\d\d(, 1\.\d\d)*( times| \(of the sums\))?", each)]
    found = [float(each) for text in ratios for each in re.findall(r"1\.\d\d", text)]
    return [min(found), max(found)]


def template_gains(extractor: str) -> list[float]:
    """What templates add to the word F1 of an extractor, on all sets, in order."""
    found = [cells for cells in rows("templates.md", "Gain by extractor") if cells[1] == extractor]
    return sorted(round(number(cells[-1]) - number(cells[2]), 3) for cells in found)


def trusted(least: float) -> tuple[float, float]:
    """The share of the pages that have at least this confidence, and their mean word F1."""
    found = [(number(c[0]), number(c[1]), number(c[3])) for c in rows("model.md", "Confidence")[2:]]
    chosen = [(pages, f1) for begin, pages, f1 in found if begin >= least - 1e-9]
    n = sum(pages for pages, _ in chosen)
    return n / sum(pages for _, pages, _ in found), sum(pages * f1 for pages, f1 in chosen) / n


def posts_elsewhere() -> str:
    """On how many pages that are no threads posts are found."""
    found = rows("posts.md", "Other pages")[2:]
    pages, wrong = (sum(number(cells[column]) for cells in found) for column in (1, 2))
    return f"{wrong:.0f} of {pages:,.0f}"


def compacted_times() -> str:
    """How many times as fast a look-up of one host is after `thresher compact`, by reader."""
    times = [number(before) / number(after) for _, before, after in rows("costs.md", "Compacted files")[2:]]
    return f"{min(times):.0f} to {max(times):.0f}"


def per_cent(value: float) -> str:
    """A share in per cent."""
    return f"{100 * value:.0f} %"


def systems() -> dict[str, tuple[float, float]]:
    """Word F1 over the eleven sets, and how many times as long as `thresher` a page takes, of each system. The F1 of
    `thresher` is the shipped model's. Pages quote the milliseconds of benchmarks/extract.py instead of these.
    """
    own = number(_systems()["thresher"][9])
    found = {name: (number(cells[8]), number(cells[9]) / own) for name, cells in _systems().items()}
    return {**found, "thresher": (number(cell(*HELD_OUT, "mean of these eleven", 3)), 1.0)}


def intervals() -> dict[str, tuple[float, float]]:
    """The distances from word F1 to the ends of its 95 % interval, of the systems that have one."""
    found = {}
    for name, cells in _systems().items():
        if interval := re.search(r"\((\.\d+)–(\.\d+)\)", cells[8]):
            middle = number(cells[8])
            found[name] = middle - float(interval[1]), float(interval[2]) - middle
    return found


def _systems() -> dict[str, list[str]]:
    """The rows of the systems, those without a time left out."""
    rest = [cells for cells in rows(*ALL_SYSTEMS)[2:] if cells[9]]
    return {re.sub(r", sites held out$", "", cells[0]): cells for cells in rest}


CHOSEN: Final = (
    *("thresher", "threshold", "trafilatura", "readability", "majority", "density"),
    *("resiliparse", "cetd", "turbohtml", "justext", "all"),
)


def systems_table() -> str:
    """The table of the systems worth choosing among."""
    known = systems()
    ours = {"thresher", "threshold", "majority", "density", "cetd", "all"}
    lines = []
    for name in CHOSEN:
        f1, times = known[name]
        shown = f"`{name}`" if name in ours else name
        lines.append((f1, f"| {shown} | {short(f1, 3)} | {as_ratio(times)} |"))
    return table("| system | word F1 | time, `thresher` = 1 |", [line for _, line in sorted(lines, reverse=True)])


def as_ratio(times: float) -> str:
    """How many times as long something takes."""
    return short(times, 0 if times > 10 or times == 1 else 1)


def web_table() -> str:
    """The table of systems on the labelled sample."""
    names = {"thresher": "`thresher`", "trafilatura": "Trafilatura", "resiliparse": "Resiliparse"}
    lines = []
    for name, shown in names.items():
        best, worst = (web(name, column).split(" ")[0] for column in (3, 4))
        lines.append(f"| {shown} | {web(name, 2)} | {best} | {worst} | {web(name, 5)} | {web(name, 6)} |")
    return table("| system | F1 (95 %) | pages ≥ .9 | pages < .5 | P | R |", lines)


def speed_table() -> str:
    """The table of HTML to text."""
    names = {
        "thresher": "Thresher",
        "turbohtml": "turbohtml",
        "resiliparse": "Resiliparse",
        "trafilatura": "Trafilatura",
    }
    lines = []
    for name, shown in names.items():
        both = []
        for each in (NEW, OLD):
            ms, times = (number(cell(*each, name, column)) for column in (1, 5))
            times_as_long = "" if name == "thresher" else f" ({times:.{0 if times > 10 else 1}f} times)"
            both.append(f"{short(ms, 0 if ms > 10 else 2)} ms{times_as_long}")
        lines.append(f"| {shown} | {' | '.join(both)} |")
    return table("| HTML in, text out | large pages of today | older pages |", lines)


TYPES: Final = "Types of pages"
OTHER_SETS: Final = "Sets that were not looked at before the constants were chosen"


def spread_table() -> str:
    """Word F1 by pages, with so many answers for a host."""
    lines = []
    for column, answers in ((3, "none"), (4, "one"), (6, "three")):
        both = (cell("spread.md", "Four sets", "all", column), cell("spread.md", OTHER_SETS, "forum", column))
        lines.append(f"| {answers} | {' | '.join(short(number(each), 3) for each in both)} |")
    return table("| right answers for a host | word F1 of its other pages | on forums |", lines)


def trust_table() -> str:
    """What each threshold of the confidence trusts."""
    lines = []
    for least in (0.9, 0.8, 0.7):
        share, f1 = trusted(least)
        default = " (default)" if least == 0.9 else ""
        lines.append(f"| {short(least, 1)}{default} | {per_cent(share)} | {per_cent(1 - share)} | {short(f1, 3)} |")
    return table("| `route.trust` | pages trusted | pages to ask about | word F1 of the trusted |", lines)


def billion_table() -> str:
    """Hours and money for a billion pages. The published figures are those of Minhas and Nigam 2026."""
    lines = []
    for row, shown in (
        ("thresher extract", "Thresher, one core, WARC to Parquet"),
        ("pipeline of today", "FastWARC, Resiliparse, fastText and pyarrow, one core"),
    ):
        each = per_billion(row)
        lines.append(f"| {shown} | {whole_way(row, 2):.0f} | {each:.0f} | ${CORE_HOUR} | ${each * CORE_HOUR:.0f} |")
    lines += [
        "| Pulpie, 210 million parameters, NVIDIA L4 | 13.7 | 20,300 | $0.39 | $7,900 |",
        "| Dripper, 0.6 billion parameters, NVIDIA L4 | 0.68 | 408,000 | $0.39 | $159,000 |",
    ]
    return table("| | pages a second | hours for a billion pages | price an hour | a billion pages |", lines)


def crawl_table() -> str:
    """What one crawl of Common Crawl takes."""
    one, two = hours("thresher extract"), hours("two workers", 2)
    ms, ms_of_two = whole_way("thresher extract", 1), 2 * whole_way("two workers", 1)
    least, most = template_times()
    slower = f"{round(two * least, -1):,.0f} to {round(two * most, -1):,.0f}"
    elapsed, longest = two / WORKERS, two * most / WORKERS
    lines = [
        f"| CPU | {round(one, -1):.0f} hours of one core | {short(ms, 2)} ms a page |",
        f"| worker time | {round(two, -1):.0f} hours | {short(ms_of_two, 2)} ms a page, a worker on each processor |",
        f"| with `--templates fused` | {slower} hours | {least} to {most} times |",
        f"| elapsed, {WORKERS} workers | {elapsed:.1f} hours; up to {longest:.1f} with templates | the hours above |",
        f"| network | 90 TB; {90e9 / CRAWL_PAGES / ms_of_two:.0f} MB a second for each worker | 90,000 WARCs of 1 GB |",
        "| read requests | 22 million | one for each 4 MiB of an object |",
        "| write requests | 1.5 million | 17 for each WARC |",
        "| bytes written | 7.6 TB | 3.0 KB a page |",
        f"| notes of a first pass | 38 TB until it ends | {PACKED_ELSEWHERE} a page |",
        f"| money | ${round(two, -1) * CORE_HOUR:.0f} for workers, $17 for requests | ${CORE_HOUR} a core hour |",
    ]
    return table("| what | all of it | from |", lines)


def option_words(option: str) -> list[str]:
    """What a rule for a class of blocks does: auto keeps, drop leaves out, with main text, keep keeps, in per cent."""
    found = next(cells for cells in rows("model.md", "Options for classes") if cells[0].startswith(option))
    return [per_cent(number(each)) for each in found[2:6]]


def least_table() -> str:
    """The least sums of candidates that are taken, from the weights, as log-odds and as the probability that they stand
    for.
    """
    weights = json.loads(FACT_WEIGHTS.read_text(encoding="utf-8"))
    sums = {field: weights[fact]["least"] / 1000 for field, fact in LEAST.items()}
    lines = [f"| `{field}` | {least:.2f} | {short(1 / (1 + math.exp(-least)), 2)} |" for field, least in sums.items()]
    return table("| field | least sum | probability |", lines)


def reasons(known: dict[str, str]) -> str:
    """The table of reasons for leaving something out, from the schemas."""
    return table(
        "| reason | meaning |", [f"| `{reason}` | {doc.replace('|', '&#124;')} |" for reason, doc in known.items()]
    )


# Measured where the comment says, and written nowhere else.
PACKED: Final = "28 KB"  # a page of the first pass below out/_staging on a local disk: bytes of a run over 6,017 pages
PACKED_ELSEWHERE: Final = "15 KB"  # so, compressed with lz4
PACKED_HTML: Final = "164 KB"  # so on a local disk, with the HTML of the page
DEMO_RUN: Final = "28 pages of 36 records, 1 error, in out; this took 0.3 s. See: thresher inspect out"
"""What a run over the demo says; a test compares it."""
WORKER_MEMORY: Final = "100 to 400 MB"  # `thresher inspect` of runs over the labelled pages and the archives of tests

FIGURES: Final[dict[str, Callable[[], str]]] = {
    "web.pages": lambda: words("class-labels.md", r"\n([\d,]+) pages of [\d,]+ sites\. "),
    "web.sites": lambda: words("class-labels.md", r"\n[\d,]+ pages of ([\d,]+) sites\. "),
    "web.f1": lambda: number_text(web("thresher", 2)),
    "web.f1.trafilatura": lambda: number_text(web("trafilatura", 2)),
    "web.f1.resiliparse": lambda: number_text(web("resiliparse", 2)),
    "web.table": web_table,
    "wcxb.f1": lambda: cell(*HELD_OUT, "wcxb", 3),
    "wcxb.f1.article": lambda: cell(*HELD_OUT, "article", 3),
    "wcxb.f1.product": lambda: cell(*HELD_OUT, "product", 3),
    "wcxb.f1.without": lambda: cell(*HELD_OUT, "wcxb", 5),
    "eleven.f1": lambda: cell(*HELD_OUT, "mean of these eleven", 3),
    "eleven.f1.without": lambda: cell(*HELD_OUT, "mean of these eleven", 5),
    "seven.f1": lambda: cell(*HELD_OUT, "mean of these seven", 3),
    "seven.f1.without": lambda: cell(*HELD_OUT, "mean of these seven", 5),
    "systems.table": systems_table,
    "ms": milliseconds,
    "ms.table": speed_table,
    "times.resiliparse": lambda: ratios("resiliparse"),
    "times.trafilatura": lambda: ratios("trafilatura"),
    "whole.pages": lambda: f"{whole_way('thresher extract', 2):.0f}",
    "whole.today": lambda: f"{whole_way('pipeline of today', 2):.0f}",
    "whole.times": lambda: f"{whole_way('pipeline of today', 5):.1f}",
    "whole.two": lambda: f"{whole_way('one worker', 5):.1f}",
    "billion.table": billion_table,
    "crawl.table": crawl_table,
    "templates.times": lambda: "{} to {}".format(*template_times()),
    "templates.gain.thresher": lambda: short(template_gains("thresher")[-1], 3),
    "templates.gain.cetd": lambda: " to ".join(short(template_gains("cetd")[n], 2) for n in (0, -1)),
    "templates.gain.all": lambda: " to ".join(short(template_gains("all")[n], 2) for n in (0, -1)),
    "spread.table": spread_table,
    "trust.table": trust_table,
    "trust.share": lambda: per_cent(trusted(0.8)[0]),
    "trust.f1": lambda: cell("model.md", "Confidence", ".9–1.0", 3),
    "boxes.kept": lambda: per_cent(number(cell(*BOXES, "all furniture", 3))),
    "boxes.others": lambda: per_cent(number(cell(*BOXES, "elements of other pages", 3))),
    "comments.keep": lambda: option_words("--comments")[3],
    "comments.auto": lambda: option_words("--comments")[0],
    "comments.drop": lambda: option_words("--comments")[1],
    "datelines.keep": lambda: option_words("--datelines")[3],
    "datelines.auto": lambda: option_words("--datelines")[0],
    "datelines.drop": lambda: option_words("--datelines")[1],
    "dates.right": lambda: cell("metadata.md", "Dates, titles and authors of labelled sets", "Thresher, htmldate", 1),
    "facts.pages": lambda: words("metadata.md", r"\n([\d,]+) pages, [\d,]+ of them of the unlabelled collection"),
    "types.right": lambda: per_cent(number(cell("metadata.md", TYPES, "labelled by annotators", 2))),
    "groups.right": lambda: per_cent(number(cell("metadata.md", TYPES, "labelled by annotators", 3))),
    "types.sure": lambda: per_cent(number(cell("metadata.md", TYPES, "0.9 to 1.0", 2))),
    "hidden.with": lambda: words("shown.md", r"a word F1 of (\S+) with hidden text"),
    "hidden.without": lambda: words("shown.md", r"with hidden text and of (\S+) without"),
    "hidden.sheet": lambda: words("shown.md", r"as often as a style attribute does \((\d+ %) and"),
    "copies.95": lambda: words("costs.md", r"in common are found with a probability\sof (\S+); at \.9"),
    "copies.9": lambda: words("costs.md", r"; at \.9 it is (\S+), at \.8"),
    "copies.8": lambda: words("costs.md", r", at \.8\s+it is (\S+), at \.7"),
    "copies.7": lambda: words("costs.md", r", at \.7 (\S+), and at half"),
    "copies.seconds": lambda: words("costs.md", r"Parquet\) took (\d+ seconds) of CPU"),
    "copies.memory": lambda: words("costs.md", r"seconds of CPU and (\S+ GB) of memory; with"),
    "least.table": least_table,
    "posts.found": lambda: "{} of {}".format(*(cell("posts.md", "Threads", "forum", n) for n in (2, 1))),
    "posts.others": posts_elsewhere,
    "compacted.times": compacted_times,
    "service.rate": lambda: next(c[2] for c in rows("service.md", "Load") if c[:2] == ["thresher serve", "8"]),
    "service.median": lambda: next(c[3] for c in rows("service.md", "Load") if c[:2] == ["thresher serve", "8"]),
    "reasons.skipped": lambda: reasons(NO_PAGE),
    "reasons.files": lambda: reasons(LEFT_OUT),
    "memory.worker": lambda: WORKER_MEMORY,
    "demo.run": lambda: f"\n```\n$ thresher extract crawl.warc.gz -o out\n{DEMO_RUN}\n```\n",
    "packed": lambda: PACKED,
    "packed.elsewhere": lambda: PACKED_ELSEWHERE,
    "packed.html": lambda: PACKED_HTML,
}


def number_text(text: str) -> str:
    """The first number of a cell, as it is written there."""
    return text.split(" ", maxsplit=1)[0]


def filled(text: str) -> str:
    """A page with its figures as the results have them; a figure that nobody knows is an error."""
    return FIGURE.sub(lambda found: f"<!-- ={found[1]} -->{FIGURES[found[1]]()}<!-- = -->", text)


def pages() -> Iterator[Path]:
    """The pages that may quote figures."""
    yield CHECKOUT / "README.md"
    yield from sorted((CHECKOUT / "docs").rglob("*.md"))


def main() -> None:
    """Write all figures into the pages."""
    for path in pages():
        text = path.read_text("utf-8")
        if (new := filled(text)) != text:
            path.write_text(new, "utf-8")
            print(path.relative_to(CHECKOUT))


if __name__ == "__main__":
    main()
