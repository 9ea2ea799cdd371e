# SPDX-License-Identifier: Apache-2.0
"""Block labels: how much of each block the gold text holds."""

from collections.abc import Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq

from thresher.lab.evaluate.tokens import words_cjk

SHORT_BLOCK = 6
"""Blocks of fewer tokens are matched too easily by chance: of these only tokens count that stand in a run."""
MIN_RUN = 2
"""Matched tokens that make a run."""
MAX_GAP = 3
"""Tokens from one matched token of a run to the next, on either side."""
MAX_PRODUCT = 6_000_000_000
"""Page tokens times gold tokens; larger pages are cut at the end, as the alignment takes time and memory in proportion
to it.
"""


def block_tokens(texts: Sequence[str]) -> list[list[str]]:
    """The tokens of each block: words, Chinese and Japanese by character, lower-cased."""
    return [words_cjk(text.lower()) for text in texts]


def block_labels(tokens: Sequence[Sequence[str]], gold: Sequence[str]) -> npt.NDArray[np.float32]:
    """For each block the share of its tokens that are in the gold text, in [0, 1].

    Page and gold are aligned by a longest common subsequence of tokens, so that of several copies of a text only one is
    matched: labels by containment of n-grams make positives of all of them and cost three points of F1.
    """
    lengths = np.array([len(block) for block in tokens], dtype=np.int64)
    if not lengths.sum() or not gold:
        return np.zeros(len(tokens), dtype=np.float32)
    vocabulary: dict[str, int] = {}
    wanted = [vocabulary.setdefault(token, len(vocabulary)) for token in gold]
    page = [vocabulary.setdefault(token, len(vocabulary)) for token in chain.from_iterable(tokens)]
    page = page[: max(1, MAX_PRODUCT // len(wanted))]
    equal = [code for code in LCSseq.opcodes(page, wanted) if code.tag == "equal"]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    matched = np.zeros(starts[-1], dtype=bool)
    in_run = np.zeros(starts[-1], dtype=bool)
    if equal:
        on_page = np.concatenate([np.arange(code.src_start, code.src_end) for code in equal])
        in_gold = np.concatenate([np.arange(code.dest_start, code.dest_end) for code in equal])
        matched[on_page] = True
        breaks = np.flatnonzero((np.diff(on_page) > MAX_GAP) | (np.diff(in_gold) > MAX_GAP)) + 1
        for run in np.split(on_page, breaks):
            in_run[run] = len(run) >= MIN_RUN
    counted = np.where(np.repeat(lengths < SHORT_BLOCK, lengths), in_run, matched)
    before = np.concatenate([[0], np.cumsum(counted)])
    shares: npt.NDArray[np.float32] = ((before[starts[1:]] - before[starts[:-1]]) / np.maximum(lengths, 1)).astype(
        np.float32
    )
    return shares
