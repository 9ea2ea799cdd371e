# SPDX-License-Identifier: Apache-2.0
"""Makes forests from nested lists, and checks them."""

cimport cython
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy


WIDE = thresher_width()


def with_right_sides(splits, int n_leaves):
    """The splits of a tree with the leaves on their right side. Raise ValueError unless they are a tree: each parts a
    run of leaves in two.
    """
    # By the first leaf and then the widest: the root, what is below it on the left, and what is on the right.
    waiting = sorted(splits, key=lambda split: (split[2] & -split[2], -split[2]), reverse=True)
    runs = [(0, n_leaves)]
    found = []
    while runs:
        first, end = runs.pop()
        if end - first == 1:
            continue
        feature, limit, left = waiting.pop() if waiting else (0, 0, 0)
        middle = int(left).bit_length()
        if not first < middle < end or left != (1 << middle) - (1 << first):
            raise ValueError(f"a split of feature {feature} with {left:#x} among leaves {first} to {end - 1}")
        found.append((feature, limit, left, (1 << end) - (1 << middle)))
        runs.append((middle, end))
        runs.append((first, middle))
    return found


@cython.final
cdef class Trees:
    """Boosted trees. Each tree is (splits, leaves): splits as (feature, limit, left leaves as bits) in any order, leaves
    as integers in 1/4096.

    A row goes left at a split if its value of the feature is below the limit.
    """

    def __cinit__(self, trees, int n_features):
        """Raise ValueError for a tree that would read a feature, or exclude a leaf, that does not exist, and for splits
        that are no tree.
        """
        cdef uint32_t leaf, place
        cdef uint16_t value
        cdef Tree* tree
        cdef int split
        for splits, leaves in trees:
            if not 1 <= len(leaves) <= MAX_LEAVES or len(splits) != len(leaves) - 1:
                raise ValueError(f"a tree of {len(splits)} splits and {len(leaves)} leaves")
            for feature, limit, left in splits:
                if not 0 <= feature < n_features or not -32768 <= limit <= 32767:
                    raise ValueError(f"a split of feature {feature} at {limit}")
            if not all(-32768 <= number <= 32767 for number in leaves):
                raise ValueError(f"a tree of leaves {min(leaves)} to {max(leaves)}")
        self.forest.trees = <Tree*> calloc(len(trees) + 1, sizeof(Tree))
        if self.forest.trees == NULL:
            raise MemoryError(f"no memory for {len(trees)} trees")
        self.forest.n_features = n_features
        self.forest.n_trees = <uint32_t> len(trees)
        tree = self.forest.trees
        for splits, leaves in trees:
            for split, (feature, limit, left, right) in enumerate(with_right_sides(splits, len(leaves))):
                tree.feature[split] = feature
                tree.limit[split] = limit
                tree.left[split] = left
                tree.right[split] = right
            for leaf in range(len(leaves)):
                value = <uint16_t> <int16_t> leaves[leaf]
                place = thresher_leaf_place(leaf)
                tree.leaves[place] = value & 0xFF
                tree.leaves[place + MAX_LEAVES] = value >> 8
            tree += 1

    cdef void free_all(self) noexcept:
        free(self.forest.trees)
        self.forest.trees = NULL
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
            int16_t* tiles
            int16_t* scores
            Range* ranges
            Py_ssize_t feature, tile, n_tiles = (n_rows + LANES - 1) // LANES, size = n_tiles * LANES
        if n_rows < 0 or len(values) != n_rows * forest.n_features * 2:
            raise ValueError(f"{len(values)} bytes are not {n_rows} rows of {forest.n_features} features")
        tiles = <int16_t*> calloc(<size_t> (forest.n_features + 1) * size + 1, sizeof(int16_t))
        ranges = <Range*> calloc(forest.n_features + 1, sizeof(Range))
        if tiles == NULL or ranges == NULL:
            free(tiles)
            free(ranges)
            raise MemoryError(f"no memory for {n_rows} rows")
        try:
            for feature in range(forest.n_features):
                for tile in range(n_tiles):
                    memcpy(
                        tiles + (tile * forest.n_features + feature) * LANES,
                        source + feature * n_rows + tile * LANES, min(n_rows - tile * LANES, LANES) * sizeof(int16_t)
                    )
            scores = tiles + forest.n_features * size
            if n_tiles:
                find_ranges(tiles, forest.n_features * LANES, 0, forest.n_features, <uint32_t> n_tiles, ranges)
                thresher_score(
                    forest.trees, forest.n_trees, ranges, tiles, forest.n_features * LANES, <uint32_t> n_tiles, scores,
                    min(vectors, WIDE)
                )
            return (<const char*> scores)[:n_rows * sizeof(int16_t)]
        finally:
            free(tiles)
            free(ranges)
