# SPDX-License-Identifier: Apache-2.0
"""`thresher`: a learned scorer of blocks.

Boosted trees give every block a first score from its features (features.pxd), further ones a second from those and from the first scores around
it (context.pxd). What counts is the mean of the two: the second is better on sets of pages that training knew, the first on others. decoding.pxd turns the probabilities of a page into a choice of blocks and a confidence. The model is data: docs/model-card.md says what it was fitted on and how, thresher.train rebuilds it.
It sees concealed text (metrics.pxd), as it has learned to tell a folded answer from a folded menu.

Parameters: `lean` (0: the largest expected F1; up to 1: rather more text, recall; down to -1: rather less, precision).
"""

import base64
import json
from importlib.resources import files

from libc.stdint cimport int8_t, int16_t, uint16_t, uint32_t

from thresher.native.measuring.blocks cimport Block
from thresher.native.scoring.context cimport FIRST_SCORE, N_ALL_FEATURES, compute_context
from thresher.native.scoring.decoding cimport CHOICE_F1, N_CHOICES, Choices, lay_out
from thresher.native.extractors.interface cimport KEPT_BLOCKS, OUT_OF_MEMORY, Page
from thresher.native.scoring.features cimport N_FEATURES, N_WEIGHTS, compute_features
from thresher.native.scoring.probabilities cimport probability
from thresher.native.scratch cimport take
from thresher.native.scoring.trees cimport LEAF_SCALE, Forest, Trees, score_rows

from thresher.native.scoring.context import CONTEXT_FEATURES
from thresher.native.scoring.decoding import CHOICE_FEATURES
from thresher.native.scoring.features import FEATURES


cdef enum:
    SLOT_SCORES = 7             # features.pyx and decoding.pyx have the slots below
    SLOT_PROBABILITIES = 8
    CONFIDENCE_POINTS = 21
    MODEL_FORMAT = 3            # raised when the layout of the file changes

MODEL_FILE = "models/thresher-3.json"

cdef bytes TOKEN_WEIGHTS = b"\0" * N_WEIGHTS
cdef Trees FIRST_TREES = Trees([], N_FEATURES)
cdef Trees BLOCK_TREES = Trees([], N_ALL_FEATURES)
cdef Trees CHOICE_TREES = Trees([], len(CHOICE_FEATURES))
# What the nogil code reads; the objects above keep the memory.
cdef const int8_t* WEIGHTS = <const int8_t*> <const char*> TOKEN_WEIGHTS
cdef const Forest* FIRST_FOREST = &FIRST_TREES.forest
cdef const Forest* BLOCK_FOREST = &BLOCK_TREES.forest
cdef const Forest* CHOICE_FOREST = &CHOICE_TREES.forest
cdef double EXPECTED_WEIGHT = 0.0
cdef double[CONFIDENCE_POINTS] CONFIDENCE     # the F1 to be expected where 0, .05, …, 1 is predicted


def load(path: str | None = None) -> str:
    """The version of the model that is loaded: the one that the package holds, or another file.

    Not while another thread extracts. Raises ValueError for a file that is not a model of this version's features.
    """
    global TOKEN_WEIGHTS, FIRST_TREES, BLOCK_TREES, CHOICE_TREES, WEIGHTS, FIRST_FOREST, BLOCK_FOREST, CHOICE_FOREST, EXPECTED_WEIGHT
    if path is None:
        text = files("thresher").joinpath(MODEL_FILE).read_text("utf-8")
    else:
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
    model = json.loads(text)
    if model["format"] != MODEL_FORMAT or model["features"] != [*FEATURES, *CONTEXT_FEATURES] or model["choice_features"] != list(CHOICE_FEATURES):
        raise ValueError("the model is of another version of the features; python -m thresher.train makes one for this version")
    weights = base64.b64decode(model["token_weights"])
    if len(weights) != N_WEIGHTS:
        raise ValueError(f"{len(weights)} token weights, not {N_WEIGHTS}")
    cdef Trees first = Trees(model["first_trees"], N_FEATURES)
    cdef Trees blocks = Trees(model["block_trees"], N_ALL_FEATURES)
    cdef Trees choices = Trees(model["choice_trees"], len(CHOICE_FEATURES))
    points = [float(point) for point in model["confidence"]]
    if len(points) != CONFIDENCE_POINTS or not all(0.0 <= point <= 1.0 for point in points):
        raise ValueError(f"{points} are not {CONFIDENCE_POINTS} points of confidence")
    for i in range(CONFIDENCE_POINTS):
        CONFIDENCE[i] = points[i]
    TOKEN_WEIGHTS = weights
    FIRST_TREES = first
    BLOCK_TREES = blocks
    CHOICE_TREES = choices
    WEIGHTS = <const int8_t*> <const char*> TOKEN_WEIGHTS
    FIRST_FOREST = &FIRST_TREES.forest
    BLOCK_FOREST = &BLOCK_TREES.forest
    CHOICE_FOREST = &CHOICE_TREES.forest
    EXPECTED_WEIGHT = model["expected_weight"]
    return str(model["version"])


cdef int score_blocks(const Page* page, Scored* scored) noexcept nogil:
    """The features of a page's blocks and the score of each. OUT_OF_MEMORY, else 0; scores is NULL where there is no block."""
    cdef const int16_t* first
    cdef uint32_t b
    scored.scores = NULL
    if compute_features(&scored.table, page.tree, page.metrics, page.blocks, WEIGHTS, page.scratch) != 0:
        return OUT_OF_MEMORY
    if scored.table.n_blocks == 0:
        return 0
    scored.scores = <int16_t*> take(page.scratch, SLOT_SCORES, scored.table.stride, sizeof(int16_t))
    if scored.scores == NULL:
        return OUT_OF_MEMORY
    score_rows(FIRST_FOREST, scored.table.values, scored.table.stride, scored.table.stride, scored.scores)
    if compute_context(
        &scored.table, scored.scores, &page.blocks.blocks.words, sizeof(Block) // sizeof(uint32_t), page.scratch
    ) != 0:
        return OUT_OF_MEMORY
    score_rows(BLOCK_FOREST, scored.table.values, scored.table.stride, scored.table.stride, scored.scores)
    first = scored.table.values + <size_t> FIRST_SCORE * scored.table.stride
    for b in range(scored.table.n_blocks):
        scored.scores[b] = <int16_t> ((<int> scored.scores[b] + first[b]) >> 1)
    return 0


cdef double calibrated(double predicted) noexcept nogil:
    """The F1 to be expected where the trees predict this one."""
    cdef double at = min(max(predicted, 0.0), 1.0) * (CONFIDENCE_POINTS - 1)
    cdef int point = min(<int> at, CONFIDENCE_POINTS - 2)
    return CONFIDENCE[point] + (at - point) * (CONFIDENCE[point + 1] - CONFIDENCE[point])


cdef int choose_blocks(const Page* page, const Scored* scored) noexcept nogil:
    """Keeps the blocks of the choice with the largest sum of predicted and weighted expected F1; what its predicted F1 is worth is the confidence."""
    cdef:
        Choices choices
        int16_t[N_CHOICES] predicted
        uint16_t* probabilities
        uint32_t b, best = 0
        double lean = page.options[0], value, best_value = 0.0
    probabilities = <uint16_t*> take(page.scratch, SLOT_PROBABILITIES, scored.table.n_blocks, sizeof(uint16_t))
    if probabilities == NULL:
        return OUT_OF_MEMORY
    for b in range(scored.table.n_blocks):
        probabilities[b] = probability(scored.scores[b])
    if lay_out(&choices, &scored.table, probabilities, &page.blocks.blocks.words, sizeof(Block) // sizeof(uint32_t), page.scratch) != 0:
        return OUT_OF_MEMORY
    score_rows(CHOICE_FOREST, choices.values, N_CHOICES, N_CHOICES, predicted)
    for b in range(N_CHOICES):
        value = predicted[b] / <double> LEAF_SCALE + EXPECTED_WEIGHT * choices.values[CHOICE_F1 * N_CHOICES + b] / 1000.0
        value += 0.5 * lean * (choices.recall[b] - choices.precision[b])
        if b == 0 or value > best_value:
            best_value = value
            best = b
    page.confidence[0] = calibrated(predicted[best] / <double> LEAF_SCALE)
    for b in range(choices.first_block[best], choices.end_block[best]):
        page.keep[b] = probabilities[b] >= choices.threshold[best]
    return 0


cdef int learned(const Page* page) noexcept nogil:
    """Scores the blocks, adds what else is known of them (Page.evidence) and keeps the best choice."""
    cdef Scored scored
    cdef uint32_t b
    if score_blocks(page, &scored) != 0:
        return OUT_OF_MEMORY
    if scored.scores == NULL:
        return KEPT_BLOCKS
    page.scores[0] = scored.scores
    page.table[0] = scored.table
    if page.evidence != NULL:
        for b in range(scored.table.n_blocks):
            scored.scores[b] = <int16_t> min(max(<int> scored.scores[b] + page.evidence[b], -32768), 32767)
    return OUT_OF_MEMORY if choose_blocks(page, &scored) != 0 else KEPT_BLOCKS
