# SPDX-License-Identifier: Apache-2.0
"""Computes the features of a block's surroundings from the first scores around it."""

cimport cython
from libc.stdint cimport int16_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.scoring.feature_table cimport *
from thresher.native.scoring.features cimport Features, feature_bytes
from thresher.native.scoring.page_model cimport Container
from thresher.native.scoring.probabilities cimport PROBABILITY_SCALE, probability, rounded_score
from thresher.native.scoring.rounding cimport thousandths
from thresher.native.scoring.trees cimport LANES
from thresher.native.base.scratch cimport SLOT_PATTERN_SUMS, SLOT_SUMS_BEFORE, Scratch, release, take

from array import array


cdef enum:
    BIN = 64                # probabilities per bin of the histogram
    BINS = 65


ctypedef struct Before:         # sums over all blocks before a block
    uint64_t weight
    uint64_t expected           # sum of p * weight


ctypedef struct Sum:            # sums over the blocks of a container or a pattern
    uint64_t weight
    uint64_t expected
    int16_t highest


cdef inline int16_t share(uint64_t part, uint64_t whole) noexcept nogil:
    """A quotient as a feature; 0 if the divisor is 0. A mean probability if the dividend is a sum of weight times p."""
    return <int16_t> (part // whole) if whole else <int16_t> 0


cdef inline int16_t mean_between(const Before* before, uint32_t first, uint32_t end) noexcept nogil:
    """The mean probability of blocks [first, end)."""
    return share(before[end].expected - before[first].expected, before[end].weight - before[first].weight)


cdef inline int16_t mean_of(const Before* before, const Container* c) noexcept nogil:
    """The mean probability of a container's blocks."""
    return mean_between(before, c.first_block, c.end_block)


cdef int compute_context(FeatureTable* table, const int16_t* scores, Scratch* scratch) noexcept nogil:
    """Write the context of every block of a page with at least one block, from their first scores; 0, or -1 if there is
    no memory.
    """
    cdef:
        uint32_t n_blocks = table.n_blocks, b, i, low, high, best_container = 0
        uint32_t n_containers = table.n_containers
        Before* before = <Before*> take(scratch, SLOT_SUMS_BEFORE, <size_t> n_blocks + 1, sizeof(Before))
        Sum* patterns = <Sum*> take(scratch, SLOT_PATTERN_SUMS, n_containers, sizeof(Sum))
        Sum* pattern
        const Container* containers = table.containers
        const Container* c
        const Container* level1
        const Container* level2
        uint64_t[BINS] bin_weight
        uint64_t[BINS] bin_expected
        uint64_t weight, own, expected, uncertain = 0, all_expected, all_weight
        uint16_t p, highest = 0
        int k, threshold = BINS - 1
        int64_t other
        double total, here, best = -1.0, best_f1 = -1.0
        int16_t* out
    if before == NULL or patterns == NULL:
        return OUT_OF_MEMORY
    memset(bin_weight, 0, sizeof(bin_weight))
    memset(bin_expected, 0, sizeof(bin_expected))
    for i in range(min(n_blocks, n_containers)):    # patterns are numbered in the order of their first blocks
        patterns[i].weight = 0
        patterns[i].expected = 0
        patterns[i].highest = -32768
    before[0].weight = 0
    before[0].expected = 0
    for b in range(n_blocks):
        p = probability(scores[b])
        weight = <uint64_t> table.words[b] + 1
        own = weight * p
        before[b + 1].weight = before[b].weight + weight
        before[b + 1].expected = before[b].expected + own
        bin_weight[p // BIN] += weight
        bin_expected[p // BIN] += own
        uncertain += own * (PROBABILITY_SCALE - p) // PROBABILITY_SCALE
        highest = max(highest, p)
        THRESHER_CHECK(containers[table.container_of[b]].pattern < min(n_blocks, n_containers))
        pattern = patterns + containers[table.container_of[b]].pattern
        pattern.weight += weight
        pattern.expected += own
        pattern.highest = max(pattern.highest, scores[b])
    all_weight = before[n_blocks].weight
    all_expected = before[n_blocks].expected
    total = all_expected / <double> PROBABILITY_SCALE
    weight = 0
    expected = 0
    k = BINS
    while k > 0:
        k -= 1
        weight += bin_weight[k]
        expected += bin_expected[k]
        here = 2.0 * expected / PROBABILITY_SCALE / (weight + total) if weight else 0.0
        if here > best:
            best = here
            threshold = k
    for i in range(n_containers):
        c = containers + i
        # Skip a container without blocks, and one with the same blocks as the container around it.
        if i and (
            c.first_block == c.end_block
            or c.first_block == (c - 1).first_block and c.end_block == (c - 1).end_block
        ):
            continue
        weight = before[c.end_block].weight - before[c.first_block].weight
        expected = before[c.end_block].expected - before[c.first_block].expected
        here = 2.0 * expected / PROBABILITY_SCALE / (weight + total) if weight else 0.0
        if here > best_f1:
            best_f1 = here
            best_container = i
    fill_row(table, FIRST_BEST_F1, thousandths(best_f1, 1.0))
    fill_row(table, FIRST_BEST_MEAN, mean_of(before, containers + best_container))
    fill_row(table, FIRST_THRESHOLD, <int16_t> (threshold * BIN))
    fill_row(table, FIRST_F1, thousandths(best, 1.0))
    fill_row(table, FIRST_MEAN, share(all_expected, all_weight))
    fill_row(table, FIRST_HIGHEST, <int16_t> highest)
    fill_row(table, FIRST_UNCERTAINTY, thousandths(uncertain, all_expected))
    for b in range(n_blocks):
        out = values_of(table, b)
        c = containers + table.container_of[b]
        p = probability(scores[b])
        weight = <uint64_t> table.words[b] + 1
        own = weight * p
        out[FIRST_SCORE * LANES] = scores[b]
        out[FIRST_ABOVE * LANES] = <int16_t> (<int> p - threshold * BIN)
        out[FIRST_BEFORE * LANES] = scores[b - 1] if b > 0 else -32768
        out[FIRST_AFTER * LANES] = scores[b + 1] if b + 1 < n_blocks else -32768
        low = b - 2 if b > 2 else 0
        high = min(b + 3, n_blocks)
        out[FIRST_NEAR * LANES] = mean_between(before, low, high)
        low = b - 10 if b > 10 else 0
        high = min(b + 11, n_blocks)
        out[FIRST_WIDE * LANES] = mean_between(before, low, high)
        other = <int64_t> b - out[PREVIOUS_HEADING * LANES]
        out[FIRST_HEADING * LANES] = (
            scores[other] if other >= 0 and out[PREVIOUS_HEADING * LANES] < FAR else -32768)
        other = <int64_t> b + out[NEXT_GOOD * LANES]
        out[FIRST_NEXT_GOOD * LANES] = (
            scores[other] if other < n_blocks and out[NEXT_GOOD * LANES] < FAR else -32768)
        out[FIRST_PLACE * LANES] = thousandths(before[b].expected, all_expected)
        pattern = patterns + c.pattern
        out[FIRST_PATTERN * LANES] = share(pattern.expected, pattern.weight)
        out[FIRST_PATTERN_OTHERS * LANES] = share(pattern.expected - own, pattern.weight - weight)
        out[FIRST_PATTERN_HIGHEST * LANES] = pattern.highest
        level1 = c if c.end_block - c.first_block > 1 else containers + c.wider
        level2 = containers + level1.wider
        out[FIRST_LEVEL1 * LANES] = mean_of(before, level1)
        out[FIRST_LEVEL1_OTHERS * LANES] = share(
            before[level1.end_block].expected - before[level1.first_block].expected - own,
            before[level1.end_block].weight - before[level1.first_block].weight - weight)
        out[FIRST_LEVEL2 * LANES] = mean_of(before, level2)
        out[FIRST_LEVEL3 * LANES] = mean_of(before, containers + level2.wider)
        c = containers + best_container
        out[FIRST_BEST_INSIDE * LANES] = c.first_block <= b < c.end_block
    return 0


@cython.final
cdef class Context:
    """The context of one page's blocks, for training and inspection."""
    cdef Scratch scratch

    def __dealloc__(self):
        release(&self.scratch)

    def compute(self, Features features not None, list scores not None) -> bytes:
        """The context of the blocks that have these features and first scores (logits): 16-bit integers, one row of
        n_blocks values per feature.

        Raises ValueError if there is no block, or not one score per block.
        """
        cdef:
            FeatureTable* table = &features.table
            int16_t[::1] first
        rounded = array("h", [rounded_score(score) for score in scores])
        if table.n_blocks == 0 or <size_t> len(rounded) != table.n_blocks:
            raise ValueError(f"{len(scores)} scores for {table.n_blocks} blocks")
        first = rounded
        if compute_context(table, &first[0], &self.scratch) != 0:
            raise MemoryError(f"no memory for the context of {table.n_blocks} blocks")
        return b"".join([feature_bytes(table, f) for f in range(N_FEATURES, N_ALL_FEATURES)])
