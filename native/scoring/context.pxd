# SPDX-License-Identifier: Apache-2.0
"""Context: what a first scoring of the blocks says of the surroundings of each, as further features for a second one.

A page's conventions show in the first scores: where the likely blocks lie, how alike blocks were judged, what a heading stands over. After
stacked sequential learning (Cohen and Carvalho 2005) and auto-context (Tu 2008): the second trees are fitted on first scores predicted out of fold.

p is the first probability of a block, its weight its words + 1; means and sums of p are weighted.
"""

from libc.stdint cimport int16_t, uint32_t

from thresher.native.scoring.features cimport N_FEATURES, FeatureTable
from thresher.native.scratch cimport Scratch


cpdef enum ContextFeature:      # numbered on from features.pxd
    FIRST_SCORE = 100           # the first score, in 1/4096
    FIRST_ABOVE                 # p less the page's threshold, FIRST_THRESHOLD
    FIRST_BEFORE                # first score of the block before, the smallest value for the first block
    FIRST_AFTER
    FIRST_NEAR                  # mean p of the five blocks around it
    FIRST_WIDE                  # mean p of the 21 blocks around it
    FIRST_HEADING               # first score of the last heading, the smallest value where there is none
    FIRST_NEXT_GOOD             # first score of the next good block
    FIRST_PLACE                 # share of the page's sum of p before it
    FIRST_PATTERN               # mean p of the blocks of its pattern (features.pxd)
    FIRST_PATTERN_OTHERS        # mean p of those except itself
    FIRST_PATTERN_HIGHEST       # highest first score of them
    FIRST_LEVEL1                # mean p of the blocks in the container of level 1
    FIRST_LEVEL1_OTHERS         # mean p of those except itself
    FIRST_LEVEL2
    FIRST_LEVEL3
    FIRST_BEST_INSIDE           # 1 if it stands in the best container: the one of the largest expected F1 (decoding.pxd) if kept whole
    FIRST_BEST_F1               # that F1
    FIRST_BEST_MEAN             # mean p in it
    FIRST_THRESHOLD             # p from which keeping all blocks has the largest expected F1
    FIRST_F1                    # that F1
    FIRST_MEAN                  # mean p of the page
    FIRST_HIGHEST               # largest p of the page
    FIRST_UNCERTAINTY           # sum of p * (1 - p) over the sum of p
    N_ALL_FEATURES


cdef int compute_context(FeatureTable* table, const int16_t* scores, const uint32_t* words, uint32_t words_stride, Scratch* scratch) noexcept nogil
