# SPDX-License-Identifier: Apache-2.0
"""Decision trees that are walked one page at a time: each node asks for a number, or for a bit, of what is judged.

The trees of the learned extractor, which judges many blocks at once, are those of scoring/trees.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t


ctypedef struct TreeNode:
    uint32_t number             # of what is asked for
    int32_t limit
    int32_t[2] next             # what follows up to the limit and above it: a later node, or ~leaf


cdef class DecisionTrees:
    """Trees whose leaves are whole numbers."""
    cdef TreeNode* nodes
    cdef int32_t* leaves
    cdef int32_t* roots         # of each tree: a node, or ~leaf for a tree without one
    cdef int32_t* most          # the sum of the greatest leaves from each tree on
    cdef Py_ssize_t n


cdef inline int32_t leaf_by_numbers(const TreeNode* nodes, int32_t at, const int32_t* numbers) noexcept nogil:
    """~leaf to which numbers lead from a node or ~leaf on."""
    while at >= 0:
        at = nodes[at].next[numbers[nodes[at].number] > nodes[at].limit]
    return at


cdef inline int32_t leaf_by_bits(const TreeNode* nodes, int32_t at, const uint64_t* bits) noexcept nogil:
    """~leaf to which bits lead; all limits are 0."""
    while at >= 0:
        at = nodes[at].next[bits[nodes[at].number >> 6] >> (nodes[at].number & 63) & 1]
    return at
