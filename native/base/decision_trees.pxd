# SPDX-License-Identifier: Apache-2.0
"""Decision trees that judge one thing at a time: by numbers, walked from the root, or by bits, all trees at once.

The trees of the learned extractor, which judges many blocks at once, are those of scoring/trees.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t


cdef enum:
    MAX_BIT_TREES = 128
    MAX_BIT_LEAVES = 32     # of a tree: as many as a mask has bits


ctypedef struct TreeNode:
    uint32_t number             # of what is asked for
    int32_t limit
    int32_t[2] next             # what follows up to the limit and above it: a later node, or ~leaf


cdef class NumberTrees:
    """Trees whose nodes compare a number with a limit. Leaves are whole numbers."""
    cdef TreeNode* nodes
    cdef int32_t* leaves
    cdef int32_t* roots         # of each tree: a node, or ~leaf for a tree without one
    cdef Py_ssize_t n

    cdef inline int32_t leaf(self, Py_ssize_t tree, const int32_t* numbers) noexcept nogil:
        """The leaf of a tree to which numbers lead."""
        cdef int32_t at = self.roots[tree]
        while at >= 0:
            at = self.nodes[at].next[numbers[self.nodes[at].number] > self.nodes[at].limit]
        return self.leaves[~at]


ctypedef struct LeafMask:
    uint32_t tree
    uint32_t possible           # leaves that a bit leaves possible there


cdef class BitTrees:
    """Trees whose nodes each ask for one bit. Leaves are whole numbers.

    No tree is walked. The leaves of a tree stand in order, those without a bit before those with it. Each bit that is set
    rules out the leaves without it, and the first leaf that is left is the one to which a walk would come (QuickScorer:
    Lucchese and others, SIGIR 2015, section 3).
    """
    cdef int32_t* leaves        # MAX_BIT_LEAVES for each tree
    cdef LeafMask* masks        # by bit
    cdef uint32_t* ends         # of the masks of each bit; those of the first begin at 0
    cdef uint64_t* asked        # bits that some node asks for
    cdef Py_ssize_t n
    cdef Py_ssize_t n_words     # of 64 bits

    cdef int add_tree(self, Py_ssize_t tree, list nodes, list leaves) except -1
    cdef int sum_of(self, const uint64_t* bits) noexcept nogil
