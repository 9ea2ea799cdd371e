# SPDX-License-Identifier: Apache-2.0
"""What Markdown keeps of code, formulas, tables, headings and lists: thresher beside its peers.

Collections: `generated` are the fixtures in benchmarks/fixtures, pages of real generators over sources of our own.
`defuddle` and `mineru` lie with the test data. A Parquet file with the columns id, html and gold_markdown (or gold) is
a collection, too. The metrics are those of markdown_metrics.py.

    python benchmarks/structure.py [--systems thresher,trafilatura] [--collection generated,defuddle]
    python benchmarks/structure.py --systems thresher --show 5 --metric code
    python benchmarks/structure.py --systems thresher --collection ../shared/data/labelled_new/ssg_pairs.parquet
"""

import argparse
import difflib
import re
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow.parquet as pq
from markdown_metrics import METRICS, Fragments, Structure, compare, fragments, read_markdown
from measure import DATA, HERE, machine, versions, write

from thresher.lab.evaluate.decoding import decode_page

FIXTURES = HERE / "fixtures" / "pages"
COLLECTIONS = ("generated", "defuddle", "mineru")
ABOUT = (
    "Means over the pages whose gold has the construct; the number of pages stands beside the name. Text, code, "
    "formulas and table cells: edit similarity. TEDS: tree edit distance of tables. Language: share of the code "
    "blocks found that carry their language. The others: F1. "
    "`python benchmarks/structure.py`; metrics in `benchmarks/markdown_metrics.py`."
)
PUBLISHED = (
    "Published for MinerU-HTML (0.6 billion parameters) on WebMainBench's fine-grained subset, which are other pages "
    "than these: code .91, formulas .94, tables .68; Trafilatura there .18, .62, .12."
)
NO_MAIN_CONTENT = "whole pages; given the article or main element where a page has one"

Convert = Callable[[bytes], str]


@dataclass(frozen=True, slots=True)
class Page:
    """A page and what is known of its Markdown: all of it, or formulas and listings that must be found."""

    id: str
    html: bytes
    gold: str | None = None
    formulas: tuple[str, ...] = ()
    listings: tuple[str, ...] = ()


@dataclass(slots=True)
class Result:
    """What a system made of a page."""

    page: Page
    markdown: str
    scores: dict[str, float] = field(default_factory=dict)
    found: Fragments | None = None


def thresher() -> Convert:
    import thresher

    return lambda html: thresher.extract(html, format="markdown").text or ""


def trafilatura() -> Convert:
    import trafilatura

    def convert(html: bytes) -> str:
        text = trafilatura.extract(
            decode_page(html).decode(), output_format="markdown", include_formatting=True, include_links=True
        )
        return text or ""

    return convert


def turbohtml() -> Convert:
    import turbohtml

    def convert(html: bytes) -> str:
        content = turbohtml.parse(decode_page(html).decode()).main_content()
        return content.to_markdown() if content is not None else ""

    return convert


def resiliparse() -> Convert:
    from markdownify import markdownify
    from resiliparse.extract.html2text import extract_plain_text

    def convert(html: bytes) -> str:
        kept = extract_plain_text(
            decode_page(html).decode(), preserve_formatting="minimal_html", main_content=True, links=True
        )
        return str(markdownify(kept, heading_style="ATX", bullets="-"))

    return convert


def html2text() -> Convert:
    import html2text

    def convert(html: bytes) -> str:
        converter = html2text.HTML2Text(bodywidth=0)
        return str(converter.handle(main_element(html)))

    return convert


def markdownify() -> Convert:
    from markdownify import markdownify

    return lambda html: markdownify(main_element(html), heading_style="ATX", bullets="-", strip=["script", "style"])


def main_element(html: bytes) -> str:
    """The one article or main element of a page, else the page.

    For html2text and markdownify, which do not look for main content.
    """
    from lxml import html as lxml_html

    tree = lxml_html.document_fromstring(decode_page(html), parser=lxml_html.HTMLParser(encoding="utf-8"))
    for path in ("//article", "//main", "//*[@role='main']", "//body"):
        found = tree.xpath(path)
        if len(found) == 1:
            return str(lxml_html.tostring(found[0], encoding="unicode", with_tail=False))
    return str(lxml_html.tostring(tree, encoding="unicode"))


SYSTEMS: dict[str, tuple[Callable[[], Convert], str]] = {
    "thresher": (thresher, 'extract(format="markdown")'),
    "trafilatura": (trafilatura, "Markdown with formatting, tables and links"),
    "turbohtml": (turbohtml, "main_content() as Markdown"),
    "resiliparse": (resiliparse, "main content as minimal HTML, through markdownify"),
    "html2text": (html2text, NO_MAIN_CONTENT),
    "markdownify": (markdownify, NO_MAIN_CONTENT),
}
PACKAGES = tuple(SYSTEMS)


def read_collection(name: str) -> list[Page]:
    """The pages of a collection; exits where it is missing."""
    if name == "generated":
        pages = sorted(FIXTURES.glob("*/*.html"))
        return [
            Page(
                f"{page.parent.name}/{page.stem}",
                page.read_bytes(),
                page.with_suffix(".md").read_text(encoding="utf-8"),
            )
            for page in pages
        ]
    path = Path(name) if name.endswith(".parquet") else DATA / "structure" / f"{name}.parquet"
    if not path.exists():
        sys.exit(f"No collection {name}: {path} is missing (set THRESHER_DATA)")
    return [
        Page(
            row["id"],
            row["html"],
            row.get("gold_markdown") or row.get("gold"),
            tuple(row.get("formulas") or ()),
            tuple(row.get("code") or ()),
        )
        for row in pq.read_table(path).to_pylist()
    ]


def judge(pages: Sequence[Page], convert: Convert, golds: dict[str, Structure]) -> list[Result]:
    """What a system makes of each page, and how near that is. An exception is a page without text."""
    results = []
    for page in pages:
        try:
            markdown = convert(page.html)
        except Exception as error:  # noqa: BLE001 - a peer may raise anything
            print(f"  {page.id}: {type(error).__name__}: {error}", file=sys.stderr)
            markdown = ""
        result = Result(page, markdown)
        if page.gold is not None:
            result.scores = compare(read_markdown(markdown), golds[page.id])
        else:
            result.found = fragments(markdown, page.formulas, page.listings)
        results.append(result)
    return results


def means(results: Iterable[Result]) -> dict[str, tuple[float, int]]:
    """Mean and number of pages of each metric that any page has."""
    values: dict[str, list[float]] = defaultdict(list)
    for result in results:
        for name, value in result.scores.items():
            values[name].append(value)
    return {name: (statistics.fmean(values[name]), len(values[name])) for name in METRICS if name in values}


def table(rows: Sequence[tuple[str, Sequence[Result]]], head: str) -> Iterator[str]:
    """Markdown: a row for each group of results, a column for each metric, with the number of pages that have it."""
    found = [(name, means(results)) for name, results in rows]
    columns = [name for name in METRICS if any(name in one for _, one in found)]
    counts = {name: max(one[name][1] for _, one in found if name in one) for name in columns}
    yield f"| {head} | " + " | ".join(f"{name} ({counts[name]})" for name in columns) + " |"
    yield "|---" * (len(columns) + 1) + "|"
    for name, one in found:
        cells = (f"{one[column][0]:.3f}".lstrip("0") if column in one else "" for column in columns)
        yield f"| {name} | " + " | ".join(cells) + " |"


def fragment_table(rows: Sequence[tuple[str, Sequence[Result]]]) -> Iterator[str]:
    """Markdown: how many formulas and listings each system's Markdown holds."""
    yield "| system | formulas verbatim | as mathematics | code blocks, same letters | same white space too |"
    yield "|---|---|---|---|---|"
    for name, results in rows:
        total = Fragments(*map(sum, zip(*(result.found for result in results if result.found), strict=True)))
        shares = (
            (total.verbatim, total.formulas),
            (total.mathematics, total.formulas),
            (total.letters, total.listings),
            (total.exact, total.listings),
        )
        yield f"| {name} | " + " | ".join(f"{found} of {wanted}" for found, wanted in shares) + " |"


def show(results: Sequence[Result], metric: str, number: int) -> None:
    """Prints the pages that are worst by a metric, each with the difference between its gold and what was found."""
    judged = sorted((one for one in results if metric in one.scores), key=lambda one: one.scores[metric])
    for result in judged[:number]:
        print(f"\n=== {result.page.id}: {metric} {result.scores[metric]:.3f}")
        gold, found = (re.sub(r"\n{2,}", "\n", text or "").split("\n") for text in (result.page.gold, result.markdown))
        print("\n".join(difflib.unified_diff(gold, found, "gold", "found", lineterm="", n=1)))


def main() -> None:
    """Measures and prints the tables; all systems on all collections also go to results/."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="by comma (default: all)")
    parser.add_argument(
        "--collection", default=",".join(COLLECTIONS), help="by comma, or Parquet files (default: %(default)s)"
    )
    parser.add_argument(
        "--show",
        type=int,
        default=0,
        metavar="N",
        help="print the N worst pages of the first system; nothing is written",
    )
    parser.add_argument("--metric", choices=METRICS, default="text", help="worst by this (default: %(default)s)")
    arguments = parser.parse_args()
    systems = {name: SYSTEMS[name][0]() for name in arguments.systems.split(",")}
    text = [
        "# What Markdown keeps", "",
        ABOUT, "",
        *(f"- **{name}**: {SYSTEMS[name][1]}" for name in systems), "",
        f"{machine()}. {versions(*PACKAGES)}.", "",
    ]  # fmt: skip
    record: dict[str, object] = {"machine": machine(), "packages": versions(*PACKAGES)}
    for name in arguments.collection.split(","):
        pages = read_collection(name)
        golds = {page.id: read_markdown(page.gold) for page in pages if page.gold is not None}
        rows = []
        for system, convert in systems.items():
            started = time.perf_counter()
            rows.append((system, judge(pages, convert, golds)))
            print(f"  {name}, {system}: {time.perf_counter() - started:.1f} s", file=sys.stderr)
        if arguments.show:
            show(rows[0][1], arguments.metric, arguments.show)
            continue
        text += [f"## {name}: {len(pages)} pages", ""]
        text += [*(table(rows, "system") if golds else fragment_table(rows)), ""]
        if name == "generated":
            first = rows[0][0]
            text += [f"### {first}, by generator", "", *table(grouped(rows[0][1], 0), "generator"), ""]
            text += [f"### {first}, by source", "", *table(grouped(rows[0][1], 1), "source"), ""]
        record[name] = {
            system: {one.page.id: one.scores or (one.found and one.found._asdict()) for one in results}
            for system, results in rows
        }
    if arguments.show:
        return
    text += [
        "## For comparison", "",
        PUBLISHED, "",
    ]  # fmt: skip
    if arguments.systems == ",".join(SYSTEMS) and arguments.collection == ",".join(COLLECTIONS):
        write("structure", text, record)
    else:
        print("\n".join(text))


def grouped(results: Sequence[Result], part: int) -> list[tuple[str, list[Result]]]:
    """The generated pages' results by generator (0) or by source (1)."""
    groups: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        groups[result.page.id.split("/")[part]].append(result)
    return sorted(groups.items())


if __name__ == "__main__":
    main()
