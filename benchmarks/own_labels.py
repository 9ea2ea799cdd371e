# SPDX-License-Identifier: Apache-2.0
"""Labelled sets of the pages that the project labelled itself: a hundred recipes, fifty pages of small archives.

    python benchmarks/own_labels.py OUT

writes OUT/recipes100.parquet and OUT/archives50.parquet, for `thresher evaluate --data OUT`. The labels are block by
block, given in the workbench by a language model (results/model-4.md). fixtures/own_labels.tsv has one line for each
page: the file that holds it, its id, a digest of the texts of its blocks, and the blocks that are main text. The pages
themselves come from the test data (`THRESHER_DATA`): partial/recipes.parquet, and warc-real, where the id is a hash of
the page.
"""

import argparse
import hashlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from measure import DATA, HERE

from thresher.evaluate.pages import read_pages
from thresher.options import CaptureOptions
from thresher.page.charset import decode
from thresher.page.hosts import host_and_domain
from thresher.reading.sources import reading_of
from thresher.serving.labelling import page_id, read_page_blocks

LABELS = HERE / "fixtures" / "own_labels.tsv"
RECIPES = "recipes.parquet"
MAX_BYTES = 16 << 20


@dataclass(frozen=True, slots=True)
class OwnLabels:
    """The labels of one page."""

    file: str
    page: str
    digest: str
    ranges: tuple[range, ...]
    """The blocks that are main text."""

    def gold(self, texts: Sequence[str]) -> str:
        """The gold text of a page whose blocks have these texts; ends the program if others were labelled."""
        if digest(texts) != self.digest:
            sys.exit(f"{self.file}, {self.page}: the blocks are not those that were labelled; label the page again")
        return "\n".join(text for block, text in enumerate(texts) if any(block in each for each in self.ranges))


@dataclass(frozen=True, slots=True)
class Found:
    """A page of the test data."""

    html: bytes
    url: str | None
    site: str | None
    language: str | None


def digest(texts: Sequence[str]) -> str:
    """A hash by which the texts of a page's blocks are recognised."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def read_labels() -> list[OwnLabels]:
    """The labels in the order in which they were given."""
    rows = [line.split("\t") for line in LABELS.read_text("utf-8").splitlines()]
    return [
        OwnLabels(file, page, texts, tuple(map(block_range, ranges.split(",")))) for file, page, texts, ranges in rows
    ]


def block_range(text: str) -> range:
    """The blocks of one range, such as 3-17 or 20."""
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def recipes(data: Path) -> Iterator[tuple[str, Found]]:
    """The pages of the partial set by id."""
    for page in read_pages(data / "partial" / RECIPES):
        yield page.id, Found(page.html, page.url, page.site, page.language)


def archived(archive: Path) -> Iterator[tuple[str, Found]]:
    """The pages of an archive by the id that the labelling gives them."""
    for capture in reading_of(str(archive), CaptureOptions(max_payload_bytes=MAX_BYTES)):
        html = bytes(decode(capture.payload, http_charset=capture.http_charset, max_bytes=MAX_BYTES).utf8)
        host, domain = host_and_domain(capture.url)
        yield page_id(html), Found(html, capture.url, domain or host, None)


def labelled_set(labels: Sequence[OwnLabels], data: Path) -> pa.Table:
    """The rows of a labelled set; ends the program if a page is missing."""
    pages: dict[tuple[str, str], Found] = {}
    for file in dict.fromkeys(each.file for each in labels):
        for page, found in recipes(data) if file == RECIPES else archived(data / "warc-real" / file):
            pages.setdefault((file, page), found)
    rows = []
    for each in labels:
        if (each.file, each.page) not in pages:
            sys.exit(f"{each.file} in {data} lacks the labelled page {each.page}")
        found = pages[each.file, each.page]
        _, blocks = read_page_blocks(found.html)
        gold = each.gold([block.text for block in blocks])
        rows.append(
            {
                "id": each.page,
                "url": found.url,
                "site": found.site,
                "lang": found.language,
                "html": found.html,
                "gold": gold,
            }
        )
    return pa.Table.from_pylist(rows)


def main() -> None:
    """Writes both sets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="folder for the two sets")
    arguments = parser.parse_args()
    labels = read_labels()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, chosen in (
        ("recipes100", [each for each in labels if each.file == RECIPES]),
        ("archives50", [each for each in labels if each.file != RECIPES]),
    ):
        pq.write_table(labelled_set(chosen, DATA), arguments.out / f"{name}.parquet", compression="zstd")


if __name__ == "__main__":
    main()
