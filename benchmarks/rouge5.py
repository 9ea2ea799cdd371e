# SPDX-License-Identifier: Apache-2.0
"""F1 over 5-grams, the measure of WebMainBench, on the labelled sets whose gold is HTML or Markdown.

Gold and outputs become Markdown through html2text with the benchmark's settings; gold Markdown is rendered to HTML
first. Systems are called as WebMainBench's baselines call them. Beside 5-gram F1 stands word F1 of the same texts: the
distance between the two is what order, repetition, markup and white space cost.

    python benchmarks/rouge5.py [--limit 100] [--held-out models/]
    python benchmarks/rouge5.py --systems thresher --show 5     # pages whose words are right and whose 5-grams are not
"""

import argparse
import difflib
import hashlib
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow.parquet as pq
from markdown_it import MarkdownIt
from measure import DATA, machine, versions, write

from thresher.lab.evaluate.decoding import decode_page
from thresher.lab.evaluate.metrics import word_cjk_score
from thresher.lab.evaluate.pages import Page
from thresher.lab.evaluate.peers import CONVERTED_PEERS, html_to_markdown
from thresher.lab.evaluate.webmainbench import Judged, Row, converted_systems, judge, rouge_n

SETS = {
    "ssg_pairs": ("labelled_new/ssg_pairs.parquet", "gold_html"),
    "ota": ("labelled_new/ota.parquet", "gold_html"),
    "wp_rest": ("labelled_new/wp_rest.parquet", "gold_html"),
    "defuddle": ("structure/defuddle.parquet", "gold"),
}
"""File and column of the gold: HTML, or Markdown where it is called `gold`."""
SYSTEMS = ("thresher", "density", "trafilatura", "readability", "resiliparse", "fullpage")
ABOUT = (
    "Three figures: 5-gram F1 as WebMainBench computes it; with white space squeezed in gold and text, because it "
    "counts as tokens and these gold texts come from other converters, which trim it; word F1. Means over pages, then "
    "over sets. Html+MD: main HTML through html2text; MD: the system's own Markdown; TEXT: plain text. `fullpage` "
    "extracts nothing. `python benchmarks/rouge5.py`"
)


def read_rows(name: str, limit: int) -> list[Row]:
    """A sample of a set, the same each time."""
    file, column = SETS[name]
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")
    rows = [row for row in pq.read_table(DATA / file).to_pylist() if row[column] and row["html"]]
    rows.sort(key=lambda row: hashlib.sha256(str(row["id"]).encode()).digest())
    found = []
    for row in rows[:limit]:
        html = decode_page(row["html"].encode() if isinstance(row["html"], str) else row["html"])
        gold = markdown.render(row[column]) if column == "gold" else row[column]
        page = Page(
            dataset=name,
            id=str(row["id"]),
            site=row["site"] or str(row["id"]),
            language=row["lang"],
            page_type=row["page_type"],
            html=html,
            key=hashlib.sha256(html).digest(),
            gold=html_to_markdown(gold),
            url=row["url"],
        )
        found.append(Row(page, None, row["page_type"], gold_differs=False))
    return found


def word_f1(one: Judged) -> float:
    """Word F1 of the text that was compared by 5-grams."""
    return word_cjk_score(one.output.text, one.row.page.gold).f1


def squeezed_f1(one: Judged) -> float:
    """5-gram F1 of text and gold without blank lines, and with one space for white space in a line."""
    text, gold = (
        "\n".join(" ".join(line.split()) for line in side.splitlines() if line.strip())
        for side in (one.output.text, one.row.page.gold)
    )
    return rouge_n(text, gold).f1


def differences(one: Judged) -> Iterator[str]:
    """The lines in which a text and its gold differ."""
    sides = (one.row.page.gold.splitlines(), one.output.text.splitlines())
    yield from (line for line in difflib.unified_diff(*sides, "gold", "found", lineterm="", n=0) if line[0] in "+-")


def show(judged: Sequence[Judged], number: int) -> None:
    """Prints the pages whose words are right and whose 5-grams are not, with what differs."""
    apart = sorted(judged, key=lambda one: squeezed_f1(one) - word_f1(one))
    for one in apart[:number]:
        print(
            f"\n=== {one.row.page.dataset} {one.row.page.id}: words {word_f1(one):.3f}, 5-grams {squeezed_f1(one):.3f}"
        )
        for line in list(differences(one))[:40]:
            print(line[:200])


def main(argv: Sequence[str] | None = None) -> None:
    """Measures, prints the table and writes it to results/."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--limit", type=int, default=10_000, help="pages of each set")
    parser.add_argument("--held-out", type=Path, metavar="DIR", help="models that have not seen a page's site")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int, metavar="N", help="print the N pages with the largest distance instead")
    options = parser.parse_args(argv)
    names = options.systems.split(",")
    peers = [name for name in names if name in CONVERTED_PEERS]
    ours = [name for name in names if name not in CONVERTED_PEERS]
    sets = {name: read_rows(name, options.limit) for name in options.sets.split(",")}
    lines = []
    for system, name, mode in converted_systems(ours, peers, held_out=options.held_out):
        cells, means = [], []
        for rows in sets.values():
            judged = list(judge(rows, system, jobs=options.jobs))
            figures = ((one.rouge.f1, squeezed_f1(one), word_f1(one)) for one in judged)
            means.append(tuple(map(statistics.fmean, zip(*figures, strict=True))))
            cells.append("{:.3f} / {:.3f} / {:.3f}".format(*means[-1]))
            if options.show:
                show(judged, options.show)
        mean = tuple(map(statistics.fmean, zip(*means, strict=True)))
        of_all = "{:.3f} / {:.3f} / {:.3f}".format(*mean)
        lines.append((mean[0], f"| {name} | {mode} | {of_all} | {' | '.join(cells)} |"))
        print(lines[-1][1], flush=True)
    if options.show:
        return
    heads = [f"{name} ({len(rows)})" for name, rows in sets.items()]
    table = [f"| system | mode | mean | {' | '.join(heads)} |", "|" + "---|" * (len(heads) + 3)]
    table += [line for _, line in sorted(lines, reverse=True)]
    judged_by = (
        "By models that have not seen a page's site."
        if options.held_out
        else "By the shipped model, which has seen the sites of all sets but defuddle: read its lines for the other"
        " sets\nbeside those of `density`, which has learned nothing."
    )
    packages = versions("html2text", "jieba", "trafilatura", "readability-lxml", "resiliparse")
    text = f"{ABOUT}\n\n{judged_by}\n\n" + "\n".join(table) + f"\n\n{packages}. {machine()}.\n"
    write("rouge5", f"# 5-gram F1\n\n{text}".splitlines())


if __name__ == "__main__":
    main()
