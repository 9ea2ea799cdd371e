# SPDX-License-Identifier: Apache-2.0
"""Labelled pages as arrays: the features of the core, the labels, and what is needed to score a choice of blocks."""

import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq

from thresher.lab.evaluate.block_classes import MAIN, OPTIONAL, OTHER, page_id
from thresher.lab.evaluate.metrics import MOST_UNWANTED
from thresher.lab.evaluate.pages import EvaluationError, Page, read_pages
from thresher.lab.evaluate.tokens import words_cjk
from thresher.lab.train.inserts import FURNITURE, HONEST
from thresher.lab.train.labels import block_labels, block_tokens
from thresher.native.parsing.document import Document
from thresher.native.scoring.feature_table import FEATURES
from thresher.native.scoring.features import Features
from thresher.native.workspace import Workspace

Ints = npt.NDArray[np.int16]
Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]


SHARES: Final = {
    MAIN: 1.0,
    "title": 0.45,
    "dateline": 0.12,
    "caption": 0.2,
    "comment": 0.05,
    "optional": 0.15,
    OTHER: 0.0,
    FURNITURE: 0.0,
    HONEST: 1.0,
}
"""The label of a block by its class. For a class that may be kept or left out it is about the share of its words that
gold texts keep, so that labels by classes and by gold texts ask for the same. Counted on 505 pages that have both:
title .43, caption .21, dateline .16, optional .16, comment .08.
"""


@dataclass(slots=True)
class Example:
    """One labelled page."""

    dataset: str
    id: str
    site: str
    language: str | None
    page_type: str | None
    values: Ints
    """Features of the core without weights of tokens and terms, [feature, block]."""
    labels: Floats
    """Share of each block that is gold, [block]."""
    words: npt.NDArray[np.int32]
    """Words of each block as the core counts them, [block]."""
    containers: npt.NDArray[np.int32]
    """Container of each block."""
    parents: npt.NDArray[np.int32]
    """Container around each container."""
    tokens: list[list[int]]
    """Tokens of each container, not of what is around it."""
    terms: list[list[int]]
    """Terms of each block's text."""
    token_ids: npt.NDArray[np.int32]
    """Of each token of the page its number in the gold text's vocabulary, len(gold_counts) where it is not in it."""
    token_blocks: npt.NDArray[np.int32]
    """Of each token of the page its block."""
    gold_counts: npt.NDArray[np.int64]
    """How often each token of the vocabulary is in the gold text."""
    partial: bool
    """True if the gold text is a part of the main text, so that the page has no precision."""
    known: Mask
    """Blocks that are known to be main text or not: all where the gold text is whole, or where blocks have classes."""
    free: Mask
    """Blocks that may be kept or dropped. They count for nothing."""
    added: Mask
    """Blocks that were put into the page."""

    def word_scores(self, keep: Mask) -> tuple[float, float, float]:
        """Word precision, recall and F1 of the page when these blocks are kept, Chinese and Japanese by character.

        A page without main text is right if at most MOST_UNWANTED words are kept.
        """
        keep = keep & ~self.free
        kept = self.token_ids[keep[self.token_blocks]] if len(keep) else self.token_ids[:0]
        n_gold = len(self.gold_counts)
        if not n_gold:
            right = float(len(kept) <= MOST_UNWANTED)
            return right, right, right
        if not len(kept):
            return 0.0, 0.0, 0.0
        counts = np.bincount(kept, minlength=n_gold + 1)[:n_gold]
        correct = int(np.minimum(counts, self.gold_counts).sum())
        all_gold = int(self.gold_counts.sum())
        return correct / len(kept), correct / max(all_gold, 1), 2.0 * correct / (len(kept) + all_gold)

    def word_f1(self, keep: Mask) -> float:
        """Word F1 of the page when these blocks are kept."""
        return self.word_scores(keep)[2]


IN_FRAME = FEATURES.index("in_frame")
NAVIGATION = 1 | 4
"""Bits of the feature in_frame: inside nav, inside footer."""


def fold_of(key: str, n_folds: int, salt: str = "") -> int:
    """The fold of a site, or of anything else with a name, by its hash."""
    return zlib.crc32(f"{salt}{key}".encode()) % n_folds


def trainable(file: Path) -> bool:
    """False for a set with any page that is marked as for research only."""
    if "license" not in pq.read_schema(file).names:
        return True
    found = pq.read_table(file, columns=["license"])["license"].unique().to_pylist()
    return not any("research" in licence.lower() or "-nc" in licence.lower() for licence in found if licence)


def trained_on(files: Sequence[Path]) -> Iterator[tuple[Path, Page]]:
    """The pages of these sets, those for research only left out, each with its file, in the order of the files.

    A page of which one of the sets knows the classes of its blocks is of that set alone: its gold text elsewhere may
    say something else.
    """
    known = set()
    for file in files:
        if "classes" in pq.read_schema(file).names:
            known.update(pq.read_table(file, columns=["id"])["id"].to_pylist())
    for file in files:
        if not trainable(file):
            sys.stderr.write(f"{file.stem}: for research only, left out\n")
            continue
        for page in read_pages(file):
            if page.classes is not None or page_id(page.html) not in known:
                yield file, page


def pages_in(files: Sequence[Path]) -> Iterator[bytes]:
    """The HTML of the examples of these sets, in their order."""
    return (page.html for _, page in trained_on(files))


class Reader:
    """Turns labelled pages into examples, with one workspace for all of them."""

    def __init__(self) -> None:
        self.workspace = Workspace(Document())
        self.features = Features()

    def read(self, files: Sequence[Path]) -> Iterator[Example]:
        """The examples of these sets (trained_on()). The workspace holds an example's page until the next one is asked
        for.
        """
        for file, page in trained_on(files):
            # Gold texts in a folder of this name are right but not whole.
            yield self.example(page, partial=file.parent.name == "partial")

    def compute(self, html: bytes, token_weights: bytes | None = None) -> Ints:
        """The features of a page, [feature, block]."""
        workspace, features = self.workspace, self.features
        workspace.parse(html)
        workspace.measure(with_concealed=True)
        features.compute(workspace.document, workspace.metrics, workspace.blocks, token_weights)
        return np.frombuffer(features.values(), dtype=np.int16).reshape(len(FEATURES), -1)

    def example(self, page: Page, *, partial: bool = False) -> Example:
        """One page as an example; `partial` where its gold text is not the whole main text.

        Where the classes of its blocks are known, labels need no alignment with the gold text. EvaluationError if there
        is not one for each block.
        """
        values = self.compute(page.html)
        workspace = self.workspace
        n_blocks = len(workspace.blocks)
        texts = [workspace.render_block(b).decode("utf-8", "replace") for b in range(n_blocks)]
        as_written = [words_cjk(text) for text in texts]
        vocabulary: dict[str, int] = {}
        counts = Counter(vocabulary.setdefault(token, len(vocabulary)) for token in words_cjk(page.gold))
        known, free, added = (np.full(n_blocks, fill, dtype=np.bool_) for fill in (True, False, False))
        if page.classes is None:
            labels = block_labels(block_tokens(texts), words_cjk(page.gold.lower()))
            if partial:
                # Those in the gold text are main text, and those of its navigation and its footer are not.
                known = np.asarray((labels > 0.5) | (values[IN_FRAME] & NAVIGATION != 0))
        else:
            if len(page.classes) != n_blocks:
                raise EvaluationError(f"{page.dataset}, {page.id}: {len(page.classes)} classes for {n_blocks} blocks")
            labels = np.array([SHARES[name] for name in page.classes], dtype=np.float32)
            free = np.array([name in OPTIONAL for name in page.classes], dtype=np.bool_)
            added = np.array([name in (FURNITURE, HONEST) for name in page.classes], dtype=np.bool_)
        return Example(
            dataset=page.dataset,
            id=page.id,
            site=page.site,
            language=page.language,
            page_type=page.page_type,
            values=values,
            labels=labels,
            words=np.array([workspace.blocks[b]["words"] for b in range(n_blocks)], dtype=np.int32),
            containers=np.array(self.features.containers(), dtype=np.int32),
            parents=np.array(self.features.parents(), dtype=np.int32),
            tokens=self.features.tokens(workspace.document),
            terms=self.features.terms(workspace.document, workspace.metrics, workspace.blocks),
            token_ids=np.array(
                [vocabulary.get(token, len(vocabulary)) for block in as_written for token in block], dtype=np.int32
            ),
            token_blocks=np.repeat(np.arange(n_blocks, dtype=np.int32), [len(block) for block in as_written]),
            gold_counts=np.array([counts[number] for number in range(len(vocabulary))], dtype=np.int64),
            partial=partial,
            known=known,
            free=free,
            added=added,
        )
