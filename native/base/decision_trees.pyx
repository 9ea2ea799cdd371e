# SPDX-License-Identifier: Apache-2.0
"""Makes decision trees from lists, and checks them."""

cimport cython
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from thresher.native.base.bits cimport count_trailing_zeros


cdef int check_tree(Py_ssize_t tree, list nodes, list leaves, int n_asked) except -1:
    """Raise ValueError for a node that asks for something unknown, or that leads backwards or out of its tree."""
    cdef Py_ssize_t i
    for i, (asked, *_, below, above) in enumerate(nodes):
        if not 0 <= asked < n_asked:
            raise ValueError(f"node {i} of tree {tree} asks for number {asked}")
        for child in (below, above):
            if not (i < child < len(nodes) if child >= 0 else ~child < len(leaves)):
                raise ValueError(f"node {i} of tree {tree} leads to {child}")
    if not leaves:
        raise ValueError(f"tree {tree} has no leaf")
    return 0


@cython.final
cdef class NumberTrees:
    """Trees whose nodes compare a number with a limit. Leaves are whole numbers."""

    def __init__(self, list trees not None, int n_numbers) -> None:
        """Takes trees as nodes and leaves. A node has the number of what it asks for, below `n_numbers`, its limit, and
        what follows up to the limit and above it: a later node, or ~leaf. A tree without a node has one leaf.
        """
        cdef Py_ssize_t n_nodes = 0, n_leaves = 0, t, i
        cdef TreeNode* node
        self.n = len(trees)
        self.nodes = <TreeNode*> calloc(sum([len(nodes) for nodes, _ in trees]) + 1, sizeof(TreeNode))
        self.leaves = <int32_t*> calloc(sum([len(leaves) for _, leaves in trees]) + 1, sizeof(int32_t))
        self.roots = <int32_t*> calloc(self.n + 1, sizeof(int32_t))
        if self.nodes == NULL or self.leaves == NULL or self.roots == NULL:
            raise MemoryError(f"no memory for {self.n} trees")
        for t, (nodes, leaves) in enumerate(trees):
            check_tree(t, nodes, leaves, n_numbers)
            self.roots[t] = n_nodes if nodes else ~n_leaves
            for i, (number, limit, below, above) in enumerate(nodes):
                node = self.nodes + n_nodes + i
                node.number, node.limit = number, limit
                node.next[0] = below + n_nodes if below >= 0 else below - n_leaves
                node.next[1] = above + n_nodes if above >= 0 else above - n_leaves
            for i in range(len(leaves)):
                self.leaves[n_leaves + i] = leaves[i]
            n_nodes += len(nodes)
            n_leaves += len(leaves)

    def __dealloc__(self) -> None:
        free(self.nodes)
        free(self.leaves)
        free(self.roots)


@cython.final
cdef class BitTrees:
    """Trees whose nodes each ask for one bit."""

    def __init__(self, list trees not None, int n_words) -> None:
        """Takes trees as nodes and leaves. A node has the number of its bit, of `n_words` words, and what follows without
        it and with it: a later node, or ~leaf. A tree without a node has one leaf.
        """
        cdef Py_ssize_t t
        cdef int bit, n_bits = 64 * n_words
        cdef uint32_t n_masks = 0
        self.n, self.n_words = len(trees), n_words
        if self.n > MAX_BIT_TREES:
            raise ValueError(f"{self.n} trees; {MAX_BIT_TREES} are the most")
        self.leaves = <int32_t*> calloc(MAX_BIT_LEAVES * self.n + 1, sizeof(int32_t))
        self.masks = <LeafMask*> calloc(MAX_BIT_LEAVES * self.n + 1, sizeof(LeafMask))
        self.ends = <uint32_t*> calloc(n_bits + 1, sizeof(uint32_t))
        self.asked = <uint64_t*> calloc(n_words + 1, sizeof(uint64_t))
        if self.leaves == NULL or self.masks == NULL or self.ends == NULL or self.asked == NULL:
            raise MemoryError(f"no memory for {self.n} trees")
        for t, (nodes, leaves) in enumerate(trees):
            check_tree(t, nodes, leaves, n_bits)
            if not len(nodes) + 1 == len(leaves) <= MAX_BIT_LEAVES:
                raise ValueError(f"tree {t} has {len(nodes)} nodes and {len(leaves)} leaves; {MAX_BIT_LEAVES} are the most")
            if len({child for _, *children in nodes for child in children}) < 2 * len(nodes):
                raise ValueError(f"two nodes of tree {t} lead to the same place")
            for bit, *_ in nodes:
                self.ends[bit] += 1
                self.asked[bit >> 6] |= <uint64_t> 1 << (bit & 63)
        for bit in range(n_bits):       # where the masks of each bit begin; add_tree() moves that to their end
            n_masks += self.ends[bit]
            self.ends[bit] = n_masks - self.ends[bit]
        for t, (nodes, leaves) in enumerate(trees):
            self.add_tree(t, nodes, leaves)

    cdef int add_tree(self, Py_ssize_t tree, list nodes, list leaves) except -1:
        """Put the leaves of a tree in order, and add the masks of its nodes."""
        cdef int32_t* in_order = self.leaves + MAX_BIT_LEAVES * tree
        cdef int[MAX_BIT_LEAVES] below      # how many leaves are below each node,
        cdef int[MAX_BIT_LEAVES] first      # and the first of them
        cdef int i, bit, without, holding, n_without, start
        cdef LeafMask* mask
        for i in range(len(nodes) - 1, -1, -1):
            _, without, holding = nodes[i]
            below[i] = (below[without] if without >= 0 else 1) + (below[holding] if holding >= 0 else 1)
        first[0], in_order[0] = 0, leaves[0]
        for i in range(len(nodes)):
            bit, without, holding = nodes[i]
            start, n_without = first[i], below[without] if without >= 0 else 1
            mask = self.masks + self.ends[bit]
            mask.tree, mask.possible = tree, ~<uint32_t> (((<uint64_t> 1 << n_without) - 1) << start)
            self.ends[bit] += 1
            if without >= 0:
                first[without] = start
            else:
                in_order[start] = leaves[~without]
            if holding >= 0:
                first[holding] = start + n_without
            else:
                in_order[start + n_without] = leaves[~holding]
        return 0

    def __dealloc__(self) -> None:
        free(self.leaves)
        free(self.masks)
        free(self.ends)
        free(self.asked)

    cdef int sum_of(self, const uint64_t* bits) noexcept nogil:
        """The sum of the leaves to which bits lead."""
        cdef uint32_t[MAX_BIT_TREES] possible
        cdef const LeafMask* mask
        cdef const LeafMask* end
        cdef uint64_t word
        cdef Py_ssize_t w, t, bit
        cdef int total = 0
        memset(possible, 0xFF, sizeof(possible))
        for w in range(self.n_words):
            word = bits[w] & self.asked[w]
            while word:
                bit = 64 * w + count_trailing_zeros(word)
                word &= word - 1
                mask = self.masks + (self.ends[bit - 1] if bit else 0)
                end = self.masks + self.ends[bit]
                while mask < end:
                    possible[mask.tree] &= mask.possible
                    mask += 1
        for t in range(self.n):
            total += self.leaves[MAX_BIT_LEAVES * t + count_trailing_zeros(possible[t])]
        return total
