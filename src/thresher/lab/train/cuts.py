# SPDX-License-Identifier: Apache-2.0
"""Pages to learn from, made of labelled ones: without their main text, and with a few words of it.

Real pages often have little or nothing of their own: a notice to log in, a shop's item that is gone, one sentence under
a video. There are few of them among labelled pages, and most of what extractors get wrong is on them. So each page of
a set whose blocks have classes is made twice more: `bare` without a word of its main text, `short` with 8 to 69 words
of it. What stands around the main text is real, and its labels are those of the page.

Deterministic: what is cut depends on the page's id alone.
"""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from rapidfuzz.distance import LCSseq

from thresher.lab.evaluate.block_classes import MAIN, OPTIONAL, read_page_blocks
from thresher.lab.page_html import html_of
from thresher.native.parsing.document import Document
from thresher.page.page_extractor import Block

BARE: Final = "bare"
SHORT: Final = "short"
CUTS: Final = (BARE, SHORT)
"""The sets that are made. They have the columns of the set that they are made of."""

LEAST_WORDS, MOST_WORDS = 8, 70
"""Words of main text that a short page keeps, in whole blocks: at least these, fewer than those."""
_LEAST_BLOCKS: Final = 3  # of a page that is worth learning from
_DROPPED: Final = 0.6  # of the classes of a page that are neither main nor other
_LEFT_EMPTY: Final = 0.5  # of the containers of main text; the others go with it
_DATA_DROPPED: Final = 0.7  # of the pages whose JSON goes with the text, which it often repeats
_CONTAINERS: Final = frozenset(("article", "div", "main", "section", "td"))
_ROOTS: Final = frozenset(("body", "head", "html"))


@dataclass(frozen=True, slots=True)
class Cut:
    """A page that was cut."""

    html: bytes
    texts: list[str]
    """Of its blocks."""
    classes: list[str]
    """Of its blocks. A block that the page did not have before may be kept or left out."""


def write_cuts(file: Path, folder: Path) -> list[Path]:
    """The files of the cut pages of a set with classes of blocks, one for each of CUTS, which this writes."""
    table = pq.read_table(file)
    files = []
    for name in CUTS:
        files.append(folder / f"{name}.parquet")
        rows = list(_rows(table.to_pylist(), name))
        pq.write_table(pa.Table.from_pylist(rows, table.schema), files[-1], compression="zstd")
    return files


def _rows(rows: Sequence[dict[str, Any]], name: str) -> Iterator[dict[str, Any]]:
    for row in rows:
        chance = np.random.default_rng([zlib.crc32(f"{name}{row['id']}".encode())])
        words = int(chance.integers(LEAST_WORDS, MOST_WORDS)) if name == SHORT else 0
        page = cut_page(row["html"], row["classes"], words, chance)
        if page is None or (name == SHORT and MAIN not in page.classes):
            continue
        pairs = list(zip(page.texts, page.classes, strict=True))
        yield {
            **row,
            "html": page.html,
            "gold": "\n".join(text for text, of in pairs if of == MAIN),
            "optional": "\n".join(text for text, of in pairs if of in OPTIONAL),
            "classes": page.classes,
        }


def cut_page(html: bytes, classes: Sequence[str], words: int, chance: np.random.Generator) -> Cut | None:
    """A page with the first blocks of its main text that make `words` words, and nothing of the rest of it; None if it
    has no main text, or hardly any block is left.
    """
    document, blocks = read_page_blocks(html)
    dropped = {name for name in OPTIONAL if chance.random() < _DROPPED}
    gone, n_kept = set(), 0
    for block, name in zip(blocks, classes, strict=True):
        if name == MAIN and n_kept < words:
            n_kept += block.words
        elif name == MAIN or name in dropped:
            gone.add(block.order)
    if not any(classes[order] == MAIN for order in gone):
        return None
    nodes = _nodes_of(document, blocks, gone, chance)
    without_data = chance.random() < _DATA_DROPPED
    nodes |= {n for n in range(document.n_nodes) if _is_left_out(document, n, without_data=without_data)}
    cut = html_of(document, without=nodes)
    texts = [block.text for block in read_page_blocks(cut)[1]]
    left = [(block.text, name) for block, name in zip(blocks, classes, strict=True) if block.order not in gone]
    return Cut(cut, texts, align_classes(texts, left)) if len(texts) >= _LEAST_BLOCKS else None


def _nodes_of(document: Document, blocks: Sequence[Block], gone: set[int], chance: np.random.Generator) -> set[int]:
    """The nodes to leave out: text, and elements all of whose text goes, of containers a part."""
    n_nodes = document.n_nodes
    starts = np.zeros((2, n_nodes + 1), dtype=np.int64)
    nodes: set[int] = set()
    for block in blocks:
        goes = block.order in gone
        starts[int(goes), block.start + 1] += 1
        if goes:
            nodes.update(n for n in range(block.start, block.end) if document.tag(n) == "#text")
    kept_before, gone_before = starts.cumsum(axis=1)
    n = 1
    while n < n_nodes:
        tag, end = document.tag(n), document.end(n)
        if (
            not tag.startswith("#")
            and tag not in _ROOTS
            and gone_before[end] > gone_before[n]
            and kept_before[end] == kept_before[n]
            and not (tag in _CONTAINERS and chance.random() < _LEFT_EMPTY)
        ):
            nodes.add(n)
            n = end
        else:
            n += 1
    return nodes


def _is_left_out(document: Document, n: int, *, without_data: bool) -> bool:
    """Whether a node is a comment, or JSON that is to go."""
    if not without_data or document.tag(n).rpartition(" ")[2] != "script":
        return document.tag(n) == "#comment"
    return "json" in document.attributes(n).get("type", "")


def align_classes(texts: Sequence[str], left: Sequence[tuple[str, str]]) -> list[str]:
    """The classes of the blocks of a page, by those that another form of it had: both are aligned by their texts. A
    block that has no counterpart may be kept or left out.
    """
    numbers: dict[str, int] = {}
    found = [numbers.setdefault(text, len(numbers)) for text in texts]
    known = [numbers.get(text, -1) for text, _ in left]
    classes = [OPTIONAL[-1]] * len(texts)
    for code in LCSseq.opcodes(found, known):
        if code.tag == "equal":
            for here, there in zip(
                range(code.src_start, code.src_end), range(code.dest_start, code.dest_end), strict=True
            ):
                classes[here] = left[there][1]
    return classes
