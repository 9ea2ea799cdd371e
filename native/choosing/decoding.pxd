# SPDX-License-Identifier: Apache-2.0
"""Decoding: from a probability for each block to the kept blocks.

Sixteen choices are considered for each page: all blocks above one of thirteen fixed thresholds; those above the
threshold that maximises the expected F1, once with and once without bounds; and the likely blocks of the one container
with the largest expected F1. A second, small forest predicts the F1 of each choice from what it keeps and from the
page's features. The choice with the best prediction is taken, and the prediction is the confidence. The headline is
kept as well if it stands before the kept blocks and is main text with a probability of at least an eighth: of 294
headlines that this adds on 1,128 labelled pages, 249 are labelled as the page's title, and 23 as no part of the text.

The expected F1 of a choice is 2 * sum of kept p * words / (sum of kept words + sum of all p * words).
"""

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t

from thresher.native.scoring.feature_table cimport N_CHOICE_FEATURES, N_PAGE_FEATURES, BlockRange, FeatureTable
from thresher.native.scoring.model cimport ModelParts
from thresher.native.scoring.trees cimport LANES
from thresher.native.base.scratch cimport Scratch


cdef enum:
    N_CHOICES = 16


ctypedef struct ChoiceInput:        # everything that choosing the blocks of a page needs; does not own its arrays
    uint32_t n_blocks               # 0 if there is nothing to choose from
    const uint32_t* words           # of each block
    const int16_t* link_density     # of each block, in thousandths
    const uint16_t* probabilities   # of each block; set by choose_blocks() from scores and evidence
    uint32_t n_ranges
    const BlockRange* ranges        # for each container its blocks; empty and repeated ranges may be left out
    BlockRange candidate            # the blocks of the best candidate
    uint32_t headline               # the block with the headline (headline.pxd); NO_BLOCK if there is none
    int16_t[N_PAGE_FEATURES] page   # features of the page, as from read_page_values()


ctypedef struct Choices:
    int16_t[N_CHOICE_FEATURES][LANES] values    # for each feature its value for each choice, twice: one tile
    uint16_t[N_CHOICES] threshold   # a choice keeps the blocks of at least this probability
    BlockRange[N_CHOICES] blocks    # but only among these
    double[N_CHOICES] precision     # expected
    double[N_CHOICES] recall


cdef int read_choice_input(ChoiceInput* choice, FeatureTable* table) noexcept nogil
cdef int lay_out(Choices* choices, const ChoiceInput* page, Scratch* scratch) noexcept nogil
cdef int choose_blocks(
    const ChoiceInput* page, const int16_t* scores, const int16_t* evidence, double lean, const ModelParts* model,
    uint8_t* keep,
    double* confidence, Scratch* scratch,
) noexcept nogil
