# SPDX-License-Identifier: Apache-2.0
"""Labelled sets of the pages that the project labelled itself: a hundred recipes, fifty pages of small archives.

    python benchmarks/own_labels.py OUT

writes OUT/recipes100.parquet and OUT/archives50.parquet, for `thresher evaluate --data OUT`. The labels are block by
block, given in the workbench by a language model (results/earlier-models.md). fixtures/own_labels.tsv has one line for each
page: the file that holds it, its id, and hashes of the blocks that are main text. So the labels hold while other blocks
of a page change. The pages themselves come from the test data (`THRESHER_DATA`): partial/recipes.parquet, and
warc-real, where the id is a hash of the page.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from annotation import block_hashes
from measure import DATA, HERE

from thresher.lab.evaluate.block_classes import page_id, read_page_blocks
from thresher.lab.evaluate.pages import read_pages
from thresher.options import CaptureOptions
from thresher.page.charset import decode
from thresher.page.hosts import host_and_domain
from thresher.reading.inputs import Input

LABELS = HERE / "fixtures" / "own_labels.tsv"
RECIPES = "recipes.parquet"
MAX_BYTES = 16 << 20
MOST_MISSING = 0.05  # of a page's labelled blocks


@dataclass(frozen=True, slots=True)
class OwnLabels:
    """The labels of one page."""

    file: str
    page: str
    main: frozenset[str]
    """Hashes of the blocks that are main text, as block_hashes() gives them."""

    def gold(self, texts: Sequence[str]) -> str:
        """The gold text of a page whose blocks have these texts; ends the program if too many of the labelled blocks
        are not among them.
        """
        hashes = block_hashes(texts)
        missing = len(self.main.difference(hashes))
        if missing > max(1, MOST_MISSING * len(self.main)):
            sys.exit(
                f"{self.file}, {self.page}: {missing} of {len(self.main)} labelled blocks have changed; label it again"
            )
        return "\n".join(text for text, each in zip(texts, hashes, strict=True) if each in self.main)


@dataclass(frozen=True, slots=True)
class Found:
    """A page of the test data."""

    html: bytes
    url: str | None
    site: str | None
    language: str | None


def read_labels() -> list[OwnLabels]:
    """The labels in the order in which they were given."""
    rows = [line.split("\t") for line in LABELS.read_text("utf-8").splitlines()]
    return [OwnLabels(file, page, frozenset(hashes.split(" "))) for file, page, hashes in rows]


def recipes(data: Path) -> Iterator[tuple[str, Found]]:
    """The pages of the partial set by id."""
    for page in read_pages(data / "partial" / RECIPES):
        yield page.id, Found(page.html, page.url, page.site, page.language)


def archived(archive: Path) -> Iterator[tuple[str, Found]]:
    """The pages of an archive by the id that the labelling gives them."""
    for capture in Input.of(str(archive)).read(CaptureOptions(max_payload_bytes=MAX_BYTES)):
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
