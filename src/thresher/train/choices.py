# SPDX-License-Identifier: Apache-2.0
"""The sixteen choices of each page, laid out by the core from block scores, with the F1 that each would have."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from thresher.evaluate.pages import read_pages
from thresher.native.decoding import Decoder
from thresher.train.dataset import Example, Floats, Reader, trainable
from thresher.train.fit import Layout

PROBABILITY_SCALE = 4096
LEAF_SCALE = 1 << 16


def lay_out(files: Sequence[Path], examples: Sequence[Example], scores: Sequence[Floats]) -> list[Layout | None]:
    """A layout for each example, None for a page without blocks. The pages are read again: they are too large to be kept."""
    reader = Reader()
    decoder = Decoder()
    layouts: list[Layout | None] = []
    for html, example, page_scores in zip(_pages(files), examples, scores, strict=True):
        reader.compute(html)
        if not len(page_scores):
            layouts.append(None)
            continue
        values, choices = decoder.lay_out(reader.features, reader.workspace.blocks, page_scores.tolist())
        probabilities = np.array([probability(score) for score in page_scores.tolist()])
        order = np.arange(len(probabilities))
        f1 = [
            example.word_f1((probabilities >= least) & (order >= first) & (order < end))
            for least, first, end in choices
        ]
        layouts.append(
            Layout(np.frombuffer(values, dtype=np.int16).reshape(-1, len(choices)), np.array(f1, dtype=np.float32))
        )
    return layouts


def probability(score: float) -> int:
    """The logistic function of a score in 1/4096, as the core rounds it."""
    return int(PROBABILITY_SCALE / (1.0 + np.exp(-int(score * LEAF_SCALE) / LEAF_SCALE)) + 0.5)


def _pages(files: Sequence[Path]) -> Iterator[bytes]:
    for file in files:
        if trainable(file):
            for page in read_pages(file):
                yield page.html
