# SPDX-License-Identifier: Apache-2.0
"""Block scores in the core: the context of each block, and each page's choices with the F1 of each.

The pages are read again for it: they are too large to be kept.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from thresher.lab.train.dataset import Example, Floats, Ints, Reader, pages_in
from thresher.lab.train.export import LEAF_SCALE
from thresher.lab.train.fit import PageChoices
from thresher.native.choosing.decoding import Decoder
from thresher.native.scoring.context import Context
from thresher.native.scoring.feature_table import CHOICE_FEATURES, CONTEXT_FEATURES

PROBABILITY_SCALE = 4096
N_CHOICES = 16
_ZEROS = np.zeros(N_CHOICES, dtype=np.float32)
NOTHING = np.zeros((len(CHOICE_FEATURES), N_CHOICES), dtype=np.int16), _ZEROS, _ZEROS, _ZEROS
"""The layout of a page without blocks, of which every choice has F1 0."""


def with_context(files: Sequence[Path], values: Sequence[Ints], scores: Sequence[Floats]) -> list[Ints]:
    """The features of each page with the context of its blocks by these first scores."""
    reader = Reader()
    context = Context()
    wider: list[Ints] = []
    for html, page_values, page_scores in zip(pages_in(files), values, scores, strict=True):
        rows = b""
        if len(page_scores):
            reader.compute(html)
            rows = context.compute(reader.features, page_scores.tolist())
        added = np.frombuffer(rows, dtype=np.int16).reshape(len(CONTEXT_FEATURES), -1)
        wider.append(np.concatenate([page_values, added]))
    return wider


def lay_out(files: Sequence[Path], examples: Sequence[Example], scores: Sequence[Floats]) -> list[PageChoices]:
    """The layout of each example with these scores of its blocks."""
    reader = Reader()
    decoder = Decoder()
    layouts: list[PageChoices] = []
    for html, example, page_scores in zip(pages_in(files), examples, scores, strict=True):
        if not len(page_scores):
            layouts.append(PageChoices(*NOTHING))
            continue
        reader.compute(html)
        values, choices = decoder.lay_out(reader.features, page_scores.tolist())
        probabilities = probability(page_scores)
        order = np.arange(len(probabilities))
        reached = [
            example.word_scores((probabilities >= least) & (order >= first) & (order < end))
            for least, first, end in choices
        ]
        precision, recall, f1 = np.array(reached, dtype=np.float32).T
        features = np.frombuffer(values, dtype=np.int16).reshape(-1, len(choices))
        layouts.append(PageChoices(features, f1, precision, recall))
    return layouts


def probability(scores: Floats) -> npt.NDArray[np.int64]:
    """The logistic function of scores in 1/4096, as the core rounds it."""
    rounded = np.clip(np.floor(scores.astype(np.float64) * LEAF_SCALE + 0.5), -32768, 32767).astype(np.int64)
    middle = 16 * ((rounded + 32768) >> 4) + 7.5 - 32768
    return np.asarray(PROBABILITY_SCALE / (1.0 + np.exp(-middle / LEAF_SCALE)) + 0.5).astype(np.int64)
