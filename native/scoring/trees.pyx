# SPDX-License-Identifier: Apache-2.0
"""Make forests from nested lists, and check them; see trees.pxd."""

cimport cython
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy


WIDE = thresher_width()


@cython.final
cdef class Trees:
    """Boosted trees. Each tree is (splits, leaves): splits as (feature, limit, left leaves as bits), leaves as integers
    in 1/4096.

    A row goes left at a split if its value of the feature is below the limit.
    """

    def __cinit__(self, trees, int n_features):
        """Raise ValueError for a tree that would read a feature, or exclude a leaf, that does not exist."""
        cdef uint32_t n_splits = 0, tree = 0, split = 0, leaf, place
        cdef uint16_t value
        for splits, leaves in trees:
            if not 1 <= len(leaves) <= MAX_LEAVES or len(splits) != len(leaves) - 1:
                raise ValueError(f"a tree of {len(splits)} splits and {len(leaves)} leaves")
            n_splits += len(splits)
            for feature, limit, left in splits:
                if (
                    not 0 <= feature < n_features or not -32768 <= limit <= 32767
                    or not 0 < left < 1 << (len(leaves) - 1)
                ):
                    raise ValueError(f"a split of feature {feature} at {limit} with {left:#x}")
            if not all(-32768 <= number <= 32767 for number in leaves):
                raise ValueError(f"a tree of leaves {min(leaves)} to {max(leaves)}")
        self.forest.first = <uint32_t*> calloc(len(trees) + 1, sizeof(uint32_t))
        self.forest.splits = <Split*> calloc(n_splits + 1, sizeof(Split))
        self.forest.leaves = <uint8_t*> calloc(len(trees) * 2 * MAX_LEAVES + 1, 1)
        if self.forest.first == NULL or self.forest.splits == NULL or self.forest.leaves == NULL:
            raise MemoryError(f"no memory for {len(trees)} trees")
        self.forest.n_features = n_features
        for splits, leaves in trees:
            for feature, limit, left in splits:
                self.forest.splits[split].feature = feature
                self.forest.splits[split].limit = limit
                self.forest.splits[split].left = left
                split += 1
            for leaf in range(len(leaves)):
                value = <uint16_t> <int16_t> leaves[leaf]
                place = tree * 2 * MAX_LEAVES + thresher_leaf_place(leaf)
                self.forest.leaves[place] = value & 0xFF
                self.forest.leaves[place + MAX_LEAVES] = value >> 8
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

    def score(self, bytes values not None, Py_ssize_t n_rows, *, int vectors=2) -> list[float]:
        """The scores of rows, given as the bytes of 16-bit integers, one row of n_rows values per feature.

        `vectors` limits the vector instructions: AVX-512 (2), AVX2 (1) or neither (0), whatever the processor has. The
        scores are equal in all cases.
        """
        cdef bytes found = self.score_bytes(values, n_rows, vectors=vectors)
        cdef const int16_t* scores = <const int16_t*> <const char*> found
        return [scores[row] / <double> LEAF_SCALE for row in range(n_rows)]

    def score_bytes(self, bytes values not None, Py_ssize_t n_rows, *, int vectors=2) -> bytes:
        """The scores of rows, times LEAF_SCALE, as the bytes of 16-bit integers. The arguments are those of score()."""
        cdef:
            const int16_t* source = <const int16_t*> <const char*> values
            Forest* forest = &self.forest
            int16_t* padded
            int16_t* scores
            Py_ssize_t feature, width = (n_rows + 15) // 16 * 16
        if n_rows < 0 or len(values) != n_rows * forest.n_features * 2:
            raise ValueError(f"{len(values)} bytes are not {n_rows} rows of {forest.n_features} features")
        padded = <int16_t*> calloc(<size_t> (forest.n_features + 1) * width + 1, sizeof(int16_t))
        if padded == NULL:
            raise MemoryError(f"no memory for {n_rows} rows")
        try:
            for feature in range(forest.n_features):
                memcpy(padded + feature * width, source + feature * n_rows, n_rows * sizeof(int16_t))
            scores = padded + forest.n_features * width
            if forest.n_trees:
                thresher_score(
                    forest.splits, forest.first, forest.leaves, forest.n_trees, padded, width, <uint32_t> width,
                    scores, min(vectors, WIDE)
                )
            return (<const char*> scores)[:n_rows * sizeof(int16_t)]
        finally:
            free(padded)
