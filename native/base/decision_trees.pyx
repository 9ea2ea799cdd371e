# SPDX-License-Identifier: Apache-2.0
"""Makes decision trees from lists, and checks them."""

cimport cython
from libc.stdlib cimport calloc, free


@cython.final
cdef class DecisionTrees:
    """Trees whose leaves are whole numbers."""

    def __init__(self, list trees not None, int n_numbers) -> None:
        """Takes trees as nodes and leaves. A node has the number of what it asks for, below `n_numbers`, its limit, and
        what follows up to the limit and above it: a later node, or ~leaf. A tree without a node has one leaf.
        """
        cdef Py_ssize_t n_nodes = 0, n_leaves = 0, t, i
        cdef int side
        cdef TreeNode* node
        self.n = len(trees)
        self.nodes = <TreeNode*> calloc(sum([len(nodes) for nodes, _ in trees]) + 1, sizeof(TreeNode))
        self.leaves = <int32_t*> calloc(sum([len(leaves) for _, leaves in trees]) + 1, sizeof(int32_t))
        self.roots = <int32_t*> calloc(self.n + 1, sizeof(int32_t))
        self.most = <int32_t*> calloc(self.n + 1, sizeof(int32_t))
        if self.nodes == NULL or self.leaves == NULL or self.roots == NULL or self.most == NULL:
            raise MemoryError(f"no memory for {self.n} trees")
        for t, (nodes, leaves) in enumerate(trees):
            self.roots[t] = n_nodes if nodes else ~n_leaves
            self.most[t] = max(leaves, default=0)
            for i, (number, limit, below, above) in enumerate(nodes):
                node = self.nodes + n_nodes + i
                if not 0 <= number < n_numbers:
                    raise ValueError(f"node {i} of tree {t} asks for number {number}")
                node.number, node.limit = number, limit
                for side, child in enumerate((below, above)):
                    if not (i < child < len(nodes) if child >= 0 else ~child < len(leaves)):
                        raise ValueError(f"node {i} of tree {t} leads to {child}")
                    node.next[side] = child + n_nodes if child >= 0 else child - n_leaves
            for i in range(len(leaves)):
                self.leaves[n_leaves + i] = leaves[i]
            n_nodes += len(nodes)
            n_leaves += len(leaves)
        for t in range(self.n - 2, -1, -1):
            self.most[t] += self.most[t + 1]

    def __dealloc__(self) -> None:
        free(self.nodes)
        free(self.leaves)
        free(self.roots)
        free(self.most)
