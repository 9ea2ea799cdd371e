# SPDX-License-Identifier: Apache-2.0
"""Makes forests out of nested lists, and checks them; see trees.pxd."""

cimport cython
from libc.stdint cimport int16_t, int32_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy


@cython.final
cdef class Trees:
    """Boosted trees. Each tree is (splits, leaves): splits (feature, threshold, left leaves as bits), leaves as whole numbers of 1/65536."""

    def __init__(self, trees, int n_features):
        """Raises ValueError for a tree that could read or exclude what is not there."""
        cdef uint32_t n_splits = 0, tree = 0, split = 0, leaf
        for splits, leaves in trees:
            if not 1 <= len(leaves) <= MAX_LEAVES or len(splits) != len(leaves) - 1:
                raise ValueError(f"a tree of {len(splits)} splits and {len(leaves)} leaves")
            n_splits += len(splits)
            for feature, threshold, left in splits:
                if not 0 <= feature < n_features or not -32768 <= threshold <= 32767 or not 0 < left < 1 << (len(leaves) - 1):
                    raise ValueError(f"a split of feature {feature} at {threshold} with {left:#x}")
        self.free_all()
        self.forest.first = <uint32_t*> calloc(len(trees) + 1, sizeof(uint32_t))
        self.forest.splits = <Split*> calloc(n_splits + 1, sizeof(Split))
        self.forest.leaves = <int32_t*> calloc(len(trees) * MAX_LEAVES + 1, sizeof(int32_t))
        if self.forest.first == NULL or self.forest.splits == NULL or self.forest.leaves == NULL:
            raise MemoryError(f"no memory for {len(trees)} trees")
        self.forest.n_features = n_features
        for splits, leaves in trees:
            for feature, threshold, left in splits:
                self.forest.splits[split].feature = feature
                self.forest.splits[split].threshold = threshold
                self.forest.splits[split].left = left
                split += 1
            for leaf in range(len(leaves)):
                self.forest.leaves[tree * MAX_LEAVES + leaf] = leaves[leaf]
            tree += 1
            self.forest.first[tree] = split
        self.forest.n_trees = tree

    cdef void free_all(self) noexcept:
        free(self.forest.first)
        free(self.forest.splits)
        free(self.forest.leaves)
        self.forest.first = NULL
        self.forest.splits = NULL
        self.forest.leaves = NULL
        self.forest.n_trees = 0

    def __dealloc__(self):
        self.free_all()

    def __len__(self) -> int:
        return self.forest.n_trees

    def score(self, bytes values not None, Py_ssize_t n_rows) -> list[float]:
        """The scores of rows given as the bytes of 16-bit integers, one row of n_rows values per feature."""
        cdef:
            const int16_t* source = <const int16_t*> <const char*> values
            int16_t* padded
            int32_t[16] scores
            Py_ssize_t start, count, feature
            list found = []
        if n_rows < 0 or len(values) != n_rows * self.forest.n_features * 2:
            raise ValueError(f"{len(values)} bytes are not {n_rows} rows of {self.forest.n_features} features")
        padded = <int16_t*> calloc(<size_t> self.forest.n_features * 16 + 1, sizeof(int16_t))
        if padded == NULL:
            raise MemoryError("no memory for sixteen rows")
        try:
            for start in range(0, n_rows, 16):
                count = min(16, n_rows - start)
                for feature in range(self.forest.n_features):
                    memcpy(padded + feature * 16, source + feature * n_rows + start, count * sizeof(int16_t))
                score_rows(&self.forest, padded, 16, scores)
                found.extend([scores[row] / <double> LEAF_SCALE for row in range(count)])
        finally:
            free(padded)
        return found
