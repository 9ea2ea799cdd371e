# SPDX-License-Identifier: Apache-2.0
"""Boosted trees of up to sixteen leaves, evaluated without branches for sixteen rows or more at a time (lanes.h).

After QuickScorer (Lucchese et al., SIGIR 2015): every split of a tree is evaluated, in any order. A split that sends
the row right excludes the leaves on its left side. The lowest remaining leaf is the row's. Values are 16-bit integers,
and leaves are 16-bit fixed-point numbers added with saturation, so a score is the same on every machine.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t

from thresher.native.base.fetch cimport fetch


cdef extern from "scoring/lanes.h":
    ctypedef struct Split "struct thresher_split":
        uint16_t feature
        int16_t limit
        uint16_t left
    void thresher_score(
        const Split* splits, const uint32_t* first, const uint8_t* leaves, uint32_t n_trees,
        const int16_t* values, size_t stride, uint32_t n_rows, int16_t* scores, int wide
    ) noexcept nogil
    unsigned thresher_leaf_place(unsigned leaf) noexcept nogil
    int thresher_width() noexcept nogil


cdef enum:
    MAX_LEAVES = 16
    LEAF_SCALE = 1 << 12        # a leaf of 1.0; scores are cut off at -8 and 8


ctypedef struct Forest:
    uint32_t n_trees
    uint32_t n_features         # the feature of every split is below it
    uint32_t* first             # first split of each tree, n_trees + 1 of them
    Split* splits
    uint8_t* leaves             # 2 * MAX_LEAVES bytes for each tree, in the order that lanes.h reads


cdef class Trees:
    """Owns a forest."""
    cdef Forest forest
    cdef void free_all(self) noexcept


cdef int WIDE                   # 2 if the processor has AVX-512, 1 if it has AVX2, else 0


cdef inline void score_rows(
    const Forest* forest, const int16_t* values, size_t stride, uint32_t n_rows, int16_t* scores
) noexcept nogil:
    """Compute the scores, times LEAF_SCALE, of a multiple of sixteen rows. The value of feature f of row r is values[f
    * stride + r].
    """
    fetch(forest.splits, forest.first[forest.n_trees] * sizeof(Split))
    fetch(forest.leaves, forest.n_trees * <size_t> (2 * MAX_LEAVES))
    thresher_score(forest.splits, forest.first, forest.leaves, forest.n_trees, values, stride, n_rows, scores, WIDE)
