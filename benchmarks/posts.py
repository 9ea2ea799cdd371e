# SPDX-License-Identifier: Apache-2.0
"""Posts of labelled threads, and pages of other kinds that get some.

    PYTHONPATH=src python benchmarks/posts.py FOLDER

FOLDER has `labelled` and `labelled_new` with Parquet files, as for `thresher evaluate`. Prints Markdown: in how many
threads posts are found, what share of the gold words stands in posts, who has an author and a date, and the time.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from thresher.page.charset import decode
from thresher.page.page_extractor import PageExtractor
from thresher.page.parts import PartsReader

THREADS = {
    "forum": ("labelled_new/forum.parquet", None),
    "magic_html_forum": ("labelled/magic_html_forum.parquet", None),
    "wcxb": ("labelled/wcxb.parquet", "forum"),
}
OTHERS = {
    "wcxb": "labelled/wcxb.parquet",
    "dragnet": "labelled/dragnet.parquet",
    "fundus": "labelled_new/fundus.parquet",
    "shopify": "labelled_new/shopify.parquet",
    "ssg_pairs": "labelled_new/ssg_pairs.parquet",
    "wp_rest": "labelled_new/wp_rest.parquet",
}
HEAD = "| set | pages | with posts | posts | with author | with date | gold words in posts | in the text | ms a page |"


def read_pages(path: Path, kind: str | None, *, other: bool = False) -> list[dict[str, Any]]:
    """The pages of a file: those of a kind, or with `other` all but those."""
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return [row for row in rows if kind is None or (row.get("page_type") == kind) is not other]


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text))


def measure(name: str, pages: list[dict[str, Any]]) -> str:
    """A row of the table."""
    extractor = PageExtractor()
    read_posts = PartsReader(("posts",), extractor.options.limits)
    found = posts = authors = dates = gold_words = in_posts = in_text = 0
    seconds = 0.0
    for page in pages:
        html = page["html"].encode("utf-8", "replace") if isinstance(page["html"], str) else page["html"]
        url = page["url"] if page["url"] and "://" in page["url"] else None
        text = extractor.extract(decode(html).utf8, url).decode("utf-8", "replace")
        started = time.perf_counter()
        rows = read_posts(extractor).rows["posts"]
        seconds += time.perf_counter() - started
        if not rows:
            continue
        found += 1
        posts += len(rows)
        authors += sum(row["author"] is not None for row in rows)
        dates += sum(row["date"] is not None for row in rows)
        gold = words(page["gold"] or "")
        gold_words += gold.total()
        in_posts += (gold & words("\n".join(row["text"] for row in rows))).total()
        in_text += (gold & words(text)).total()
    shares = [
        authors / max(posts, 1),
        dates / max(posts, 1),
        in_posts / max(gold_words, 1),
        in_text / max(gold_words, 1),
    ]
    return f"| {name} | {len(pages):,} | {found} | {posts:,} | " + " | ".join(
        [*(f"{share:.3f}" for share in shares), f"{1000 * seconds / len(pages):.1f}"]
    ) + " |"  # fmt: skip


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    for title, rows in (
        ("Threads", {name: read_pages(folder / path, kind) for name, (path, kind) in THREADS.items()}),
        ("Other pages", {name: read_pages(folder / path, "forum", other=True) for name, path in OTHERS.items()}),
    ):
        print(f"## {title}\n\n{HEAD}\n{'|---' * HEAD.count('| ')}|")
        for name, pages in rows.items():
            print(measure(name, pages), flush=True)
        print()


if __name__ == "__main__":
    main()
