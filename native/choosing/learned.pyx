# SPDX-License-Identifier: Apache-2.0
"""`thresher`: a learned scorer of blocks.

Boosted trees give every block a first score from its features (feature_table.pyx). Further trees give a second score
from these and from the first scores around it (context.pxd). A block's score is the mean of the two: the second is
better on kinds of pages seen in training, the first on others. decoding.pxd turns the probabilities of a page into a
choice of blocks and a confidence. The model is data (scoring/model.pxd). docs/model-card.md says what it was trained on
and how, and thresher.lab.train rebuilds it.

It reads concealed text (metrics.pxd), because it has learned to tell a folded answer from a folded menu.

Option: `lean` (0: the largest expected F1; up to 1: more text, recall; down to -1: less text, precision).
"""

from libc.stdint cimport int16_t, uint8_t, uint32_t

from thresher.native.base.arrays cimport OUT_OF_MEMORY
from thresher.native.base.characters cimport is_space
from thresher.native.choosing.interface cimport KEPT_BLOCKS, Page, ScoredPage
from thresher.native.measuring.blocks cimport Block
from thresher.native.measuring.metrics cimport next_visible
from thresher.native.parsing.reading cimport *
from thresher.native.scoring.context cimport compute_context
from thresher.native.choosing.decoding cimport choose_blocks, read_choice_input
from thresher.native.scoring.feature_table cimport FIRST_SCORE, N_ALL_FEATURES, N_FEATURES, TILE, FeatureTable, values_of
from thresher.native.scoring.features cimport compute_features
from thresher.native.scoring.trees cimport LANES, Range, find_ranges, score_rows


cdef enum:
    MANY_ESCAPES = 16       # blocks; a table of escapes has fewer


cdef inline bint may_be_escapes(const Page* page, const Block* block) noexcept nogil:
    """True if a block begins with a backslash, which few do."""
    return (
        page.tree.nodes[block.start].kind == KIND_TEXT and page.tree.nodes[block.start].length > 0
        and slice_at(page.tree, page.tree.nodes[block.start].start, 1).data[0] == c"\\"
    )


cdef bint is_escapes(const Page* page, const Block* block) noexcept nogil:
    r"""True if a block is nothing but written line breaks and tabs: the characters \n, \r and \t."""
    cdef Slice text
    cdef uint32_t n = block.start, i
    cdef uint8_t byte
    cdef bint escaped = False
    while n < block.end:
        if page.tree.nodes[n].kind == KIND_TEXT:
            text = text_of(page.tree, n)
            for i in range(text.length):
                byte = text.data[i]
                if not is_space(byte) and byte != c"\\" and not (
                    escaped and (byte == c"n" or byte == c"r" or byte == c"t")
                ):
                    return False
                escaped = byte == c"\\"
        n = next_visible(page.tree, page.metrics, n + 1, block.end)
    return True


cdef void leave_out_escapes(const Page* page, FeatureTable* table) noexcept nogil:
    r"""Give blocks of written escapes the lowest score if there are many. Broken tools leave them between elements: a
    page that was stored as the source of a string has \n\t where it had white space. Of 28,000 such blocks on 105
    labelled pages annotators call 91 % no part of the text.
    """
    cdef uint32_t b, n = 0
    for b in range(table.n_blocks):
        n += may_be_escapes(page, page.blocks.blocks + b) and is_escapes(page, page.blocks.blocks + b)
    if n < MANY_ESCAPES:
        return
    for b in range(table.n_blocks):
        if may_be_escapes(page, page.blocks.blocks + b) and is_escapes(page, page.blocks.blocks + b):
            table.scores[b] = <int16_t> -32768


cdef int score_blocks(const Page* page, FeatureTable* table) noexcept nogil:
    """Computes features and scores of a page of at least one block; 0, or OUT_OF_MEMORY."""
    cdef Range[N_ALL_FEATURES] ranges
    cdef uint32_t b
    if compute_features(table, page.tree, page.metrics, page.blocks, page.model.token_weights, page.scratch) != 0:
        return OUT_OF_MEMORY
    find_ranges(table.values, TILE, 0, N_FEATURES, table.n_tiles, ranges)
    score_rows(page.model.first_trees, ranges, table.values, TILE, table.n_tiles, table.scores)
    if compute_context(table, table.scores, page.scratch) != 0:
        return OUT_OF_MEMORY
    find_ranges(table.values, TILE, N_FEATURES, N_ALL_FEATURES, table.n_tiles, ranges)
    score_rows(page.model.block_trees, ranges, table.values, TILE, table.n_tiles, table.scores)
    for b in range(table.n_blocks):
        table.scores[b] = <int16_t> ((<int> table.scores[b] + values_of(table, b)[FIRST_SCORE * LANES]) >> 1)
    leave_out_escapes(page, table)
    return 0


cdef int learned(const Page* page) noexcept nogil:
    """Scores the blocks, adds the evidence and keeps the best choice."""
    cdef const LearnedOptions* options = <const LearnedOptions*> page.options
    cdef ScoredPage* scored = page.scored
    if page.blocks.n_blocks == 0:
        return KEPT_BLOCKS
    if score_blocks(page, &scored.table) != 0 or read_choice_input(&scored.choice, &scored.table) != 0:
        return OUT_OF_MEMORY
    scored.scores = scored.table.scores
    if choose_blocks(
        &scored.choice, scored.scores, page.evidence, options.lean, page.model, page.keep, page.confidence, page.scratch
    ) != 0:
        return OUT_OF_MEMORY
    return KEPT_BLOCKS
