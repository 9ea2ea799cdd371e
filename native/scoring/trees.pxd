# SPDX-License-Identifier: Apache-2.0
"""Boosted trees of up to sixteen leaves, evaluated without branches for thirty-two rows or more at a time (lanes.h).

After QuickScorer (Lucchese et al., SIGIR 2015): every split of a tree is evaluated, in any order. A split that sends
the row right excludes the leaves on its left side. The lowest remaining leaf is the row's. Splits at which all rows of a
page go the same way are decided once. Values are 16-bit integers,
and leaves are 16-bit fixed-point numbers added with saturation, so a score is the same on every machine.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.fetch cimport fetch


cdef extern from "scoring/lanes.h":
    enum:
        LANES "THRESHER_LANES"          # rows of a tile
        MAX_LEAVES "THRESHER_LEAVES"
    ctypedef struct Tree "struct thresher_tree":
        uint16_t feature[16]
        int16_t limit[16]
        uint16_t left[16]
        uint16_t right[16]
        uint8_t leaves[32]
    ctypedef struct Range "struct thresher_range":
        pass
    void find_ranges "thresher_find_ranges"(
        const int16_t* values, size_t tile, uint32_t first, uint32_t end, uint32_t n_tiles, Range* ranges
    ) noexcept nogil
    void thresher_score(
        const Tree* trees, uint32_t n_trees, const Range* ranges, const int16_t* values, size_t tile, uint32_t n_tiles,
        int16_t* scores, int wide
    ) noexcept nogil
    unsigned thresher_leaf_place(unsigned leaf) noexcept nogil
    int thresher_width() noexcept nogil


cdef enum:
    LEAF_SCALE = 1 << 12        # a leaf of 1.0; scores are cut off at -8 and 8


ctypedef struct Forest:
    uint32_t n_trees
    uint32_t n_features         # the feature of every split is below it
    Tree* trees


cdef class Trees:
    """Owns a forest."""
    cdef Forest forest
    cdef void free_all(self) noexcept


cdef int WIDE                   # 2 if the processor has AVX-512, 1 if it has AVX2, else 0


cdef inline void score_rows(
    const Forest* forest, const Range* ranges, const int16_t* values, size_t tile, uint32_t n_tiles, int16_t* scores
) noexcept nogil:
    """Compute the scores, times LEAF_SCALE, of the rows of at least one tile. The value of feature f of row r is
    values[r // LANES * tile + f * LANES + r % LANES]; `ranges` has the range of each feature over these tiles.
    """
    THRESHER_CHECK(n_tiles > 0 and forest.n_features * <size_t> LANES <= tile)
    fetch(forest.trees, forest.n_trees * sizeof(Tree))
    thresher_score(forest.trees, forest.n_trees, ranges, values, tile, n_tiles, scores, WIDE)
