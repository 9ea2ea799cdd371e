# SPDX-License-Identifier: Apache-2.0
"""Boosted trees of up to sixteen leaves, evaluated without a branch for sixteen rows at a time.

After QuickScorer (Lucchese et al., SIGIR 2015): every split of a tree is asked, in any order, and where the answer is "right", the leaves on
its left side are out. The lowest leaf that is left is the row's leaf. Values are 16-bit integers and leaves fixed-point
integers, so that a score is the same on every machine.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int16_t, int32_t, uint16_t, uint32_t


cdef extern from "lanes.h":
    ctypedef struct Split "struct thresher_split":
        uint16_t feature
        int16_t threshold
        uint16_t left
    void thresher_exclude(const Split* split, const Split* end, const int16_t* values, size_t stride, uint16_t* excluded) noexcept nogil
    int thresher_first_leaf(uint16_t excluded) noexcept nogil


cdef enum:
    MAX_LEAVES = 16
    LEAF_SCALE = 1 << 16        # a leaf of 1.0


ctypedef struct Forest:
    uint32_t n_trees
    uint32_t n_features         # every split's feature is below it
    uint32_t* first             # first split of each tree, n_trees + 1 of them
    Split* splits
    int32_t* leaves             # MAX_LEAVES for each tree, times LEAF_SCALE


cdef class Trees:
    """Owns a forest."""
    cdef Forest forest
    cdef void free_all(self) noexcept


cdef inline void score_rows(const Forest* forest, const int16_t* values, size_t stride, int32_t* scores) noexcept nogil:
    """Scores, times LEAF_SCALE, of the sixteen rows that begin at `values`: value of feature f of row r is values[f * stride + r]."""
    cdef uint16_t[16] excluded
    cdef uint32_t tree
    cdef int row
    cdef const int32_t* leaves = forest.leaves
    for row in range(16):
        scores[row] = 0
    for tree in range(forest.n_trees):
        thresher_exclude(forest.splits + forest.first[tree], forest.splits + forest.first[tree + 1], values, stride, excluded)
        for row in range(16):
            scores[row] += leaves[thresher_first_leaf(excluded[row])]
        leaves += MAX_LEAVES
