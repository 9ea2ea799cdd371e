# SPDX-License-Identifier: Apache-2.0
"""Lays out the choices of a page; see decoding.pxd."""

from array import array

cimport cython
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from thresher.native.measuring.blocks cimport Block, Blocks
from thresher.native.scoring.features cimport (
    BLOCK_LINK_DENSITY, CANDIDATE_INSIDE, CANDIDATE_SHARE, DENSEST_SHARE, PAGE_CONCEALED, PAGE_SIZE, Container, Features, FeatureTable
)
from thresher.native.scoring.probabilities cimport PROBABILITY_SCALE, probability, rounded_score
from thresher.native.scratch cimport Scratch, release, take


cdef enum:
    SLOT_SUMS = 6           # features.pyx has the slots below
    BIN = 64                # probabilities of one bin of the histogram
    BINS = 65
    N_FIXED = 13
    CHOICE_BY_F1 = 13
    CHOICE_FREE = 14
    CHOICE_SUBTREE = 15


# Bins from which the fixed choices keep: thresholds .08 to .77.
cdef uint16_t[N_FIXED] FIXED = [5, 9, 13, 16, 19, 22, 26, 29, 32, 35, 38, 44, 49]
# The bounds .25 to .6 around the threshold of largest expected F1 are worth .002 of F1 over none.
cdef int BOUNDED_LOW = 16, BOUNDED_HIGH = 38, FREE_LOW = 3, FREE_HIGH = 58, SUBTREE_LOW = 13


cdef inline int16_t thousandths(double part, double whole) noexcept nogil:
    return <int16_t> min(1000.0 * part / whole + 0.5, 32767.0) if whole > 0 else <int16_t> 0


cdef inline int16_t bounded(uint64_t value) noexcept nogil:
    return <int16_t> min(value, <uint64_t> 32767)


cdef struct Kept:               # what blocks of some probabilities hold together
    uint64_t words
    uint64_t expected           # sum of p * words
    uint64_t links              # sum of link density * words
    uint64_t inside             # words inside the best candidate
    uint32_t blocks
    uint32_t first              # the first of them
    uint32_t last
    uint16_t lowest             # smallest p
    uint16_t highest            # largest p


cdef inline void clear(Kept* kept) noexcept nogil:
    memset(kept, 0, sizeof(Kept))
    kept.first = 0xFFFFFFFF
    kept.lowest = PROBABILITY_SCALE


cdef inline void add_block(Kept* kept, uint32_t block, uint16_t p, uint32_t n, int16_t links, bint inside) noexcept nogil:
    kept.words += n
    kept.expected += <uint64_t> n * p
    kept.links += <uint64_t> n * links
    kept.inside += n if inside else 0
    kept.blocks += 1
    kept.first = min(kept.first, block)
    kept.last = max(kept.last, block)
    kept.lowest = min(kept.lowest, p)
    kept.highest = max(kept.highest, p)


cdef inline void add_kept(Kept* kept, const Kept* more) noexcept nogil:
    kept.words += more.words
    kept.expected += more.expected
    kept.links += more.links
    kept.inside += more.inside
    kept.blocks += more.blocks
    kept.first = min(kept.first, more.first)
    kept.last = max(kept.last, more.last)
    kept.lowest = min(kept.lowest, more.lowest)
    kept.highest = max(kept.highest, more.highest)


cdef int lay_out(
    Choices* choices, const FeatureTable* table, const uint16_t* probabilities, const uint32_t* words, uint32_t words_stride, Scratch* scratch
) noexcept nogil:
    """Fills the choices of a page of at least one block; words: those of each block, words_stride numbers apart. -1 without memory.

    Thresholds lie between bins of probabilities, so that one pass over the blocks fills the bins and a choice is a sum of bins.
    """
    cdef:
        uint32_t n_blocks = table.n_blocks, b, c, f, n, switches
        uint16_t p, dropped
        Kept[BINS + 1] above            # first a bin's own, then what is in it and all above it; the last stays empty
        uint16_t[BINS + 1] below        # largest p below a bin
        int32_t[BINS + 2] changes       # of a threshold at a bin: changes from kept to dropped and back
        Kept subtree
        const Kept* kept
        uint64_t expected, uncertain = 0, common
        uint64_t* sum_words = <uint64_t*> take(scratch, SLOT_SUMS, 2 * (<size_t> n_blocks + 1), sizeof(uint64_t))
        uint64_t* sum_expected = sum_words + n_blocks + 1
        double best, here, total, all_words
        int k, previous = -1, best_bin, reference
        bint keep, was
        const Container* container
        const int16_t* link_density = table.values + <size_t> BLOCK_LINK_DENSITY * table.stride
        const int16_t* in_candidate = table.values + <size_t> CANDIDATE_INSIDE * table.stride
        int16_t[N_CHOICE_FEATURES] row
    if sum_words == NULL:
        return -1
    for k in range(BINS + 1):
        clear(above + k)
    memset(changes, 0, sizeof(changes))
    sum_words[0] = 0
    sum_expected[0] = 0
    for b in range(n_blocks):
        p = probabilities[b]
        n = words[b * words_stride]
        k = p // BIN
        add_block(above + k, b, p, n, link_density[b], in_candidate[b])
        uncertain += <uint64_t> n * p * (PROBABILITY_SCALE - p) // PROBABILITY_SCALE
        changes[min(k, previous) + 1] += 1
        changes[max(k, previous) + 1] -= 1
        previous = k
        keep = k >= SUBTREE_LOW
        sum_words[b + 1] = sum_words[b] + (n if keep else 0)
        sum_expected[b + 1] = sum_expected[b] + (<uint64_t> n * p if keep else 0)
    below[0] = 0
    for k in range(BINS):
        below[k + 1] = max(below[k], above[k].highest)
        changes[k + 1] += changes[k]
    k = BINS
    while k > 0:
        k -= 1
        add_kept(above + k, above + k + 1)
    all_words = above[0].words
    expected = above[0].expected
    total = expected / <double> PROBABILITY_SCALE
    # The bin from which keeping everything gives the largest expected F1.
    best = -1.0
    best_bin = BINS - 1
    k = BINS
    while k > 0:
        k -= 1
        here = 2.0 * above[k].expected / PROBABILITY_SCALE / (above[k].words + total) if above[k].words else 0.0
        if here > best:
            best = here
            best_bin = k
    for c in range(N_CHOICES):
        choices.first_block[c] = 0
        choices.end_block[c] = n_blocks
    for c in range(N_FIXED):
        choices.threshold[c] = FIXED[c] * BIN
    reference = min(max(best_bin, BOUNDED_LOW), BOUNDED_HIGH)
    choices.threshold[CHOICE_BY_F1] = reference * BIN
    choices.threshold[CHOICE_FREE] = min(max(best_bin, FREE_LOW), FREE_HIGH) * BIN
    choices.threshold[CHOICE_SUBTREE] = SUBTREE_LOW * BIN
    best = -1.0
    for c in range(table.n_containers):
        container = table.containers + c
        n = <uint32_t> (sum_words[container.end_block] - sum_words[container.first_block])
        here = (sum_expected[container.end_block] - sum_expected[container.first_block]) / <double> PROBABILITY_SCALE
        here = 2.0 * here / (n + total) if n else 0.0
        if here > best:
            best = here
            choices.first_block[CHOICE_SUBTREE] = container.first_block
            choices.end_block[CHOICE_SUBTREE] = container.end_block

    for f in range(PAGE_CONCEALED - PAGE_SIZE + 1):
        row[<int> CHOICE_PAGE_SIZE + f] = table.values[<size_t> (PAGE_SIZE + f) * table.stride]
    row[<int> CHOICE_CANDIDATE_SHARE] = table.values[<size_t> CANDIDATE_SHARE * table.stride]
    row[<int> CHOICE_DENSEST_SHARE] = table.values[<size_t> DENSEST_SHARE * table.stride]
    row[<int> CHOICE_EXPECTED_SHARE] = thousandths(total, all_words)
    row[<int> CHOICE_UNCERTAINTY] = thousandths(uncertain / <double> PROBABILITY_SCALE, all_words)
    row[<int> CHOICE_UNCERTAINTY_KEPT] = thousandths(uncertain, expected)
    row[<int> CHOICE_HIGHEST] = <int16_t> above[0].highest
    for f in range(5):      # bins 6, 19, 32, 45 and 58: .1, .3, .5, .7 and .9
        row[<int> CHOICE_ABOVE_10 + f] = thousandths(above[6 + 13 * f].words, all_words)
    for c in range(N_CHOICES):
        k = choices.threshold[c] // BIN
        if c == CHOICE_SUBTREE:
            clear(&subtree)
            switches = 0
            dropped = 0
            common = 0
            was = False
            for b in range(n_blocks):
                p = probabilities[b]
                keep = p >= choices.threshold[c] and choices.first_block[c] <= b < choices.end_block[c]
                switches += keep != was
                was = keep
                if not keep:
                    dropped = max(dropped, p)
                    continue
                n = words[b * words_stride]
                add_block(&subtree, b, p, n, link_density[b], in_candidate[b])
                if p >= choices.threshold[CHOICE_BY_F1]:
                    common += n
            kept = &subtree
        else:
            kept = above + k
            switches = <uint32_t> changes[k]
            dropped = below[k]
            common = above[max(k, reference)].words
        here = kept.expected / <double> PROBABILITY_SCALE
        choices.precision[c] = here / kept.words if kept.words else 0.0
        choices.recall[c] = here / total if total > 0 else 0.0
        row[<int> CHOICE_NUMBER] = <int16_t> c
        row[<int> CHOICE_F1] = thousandths(2.0 * here, kept.words + total)
        row[<int> CHOICE_PRECISION] = thousandths(here, kept.words)
        row[<int> CHOICE_RECALL] = thousandths(here, total)
        row[<int> CHOICE_KEPT_SHARE] = thousandths(kept.words, all_words)
        row[<int> CHOICE_KEPT_WORDS] = bounded(kept.words)
        row[<int> CHOICE_KEPT_BLOCKS] = bounded(kept.blocks)
        row[<int> CHOICE_KEPT_SPAN] = thousandths(kept.last + 1 - kept.first, n_blocks) if kept.blocks else <int16_t> 0
        row[<int> CHOICE_KEPT_LINKS] = <int16_t> (kept.links // kept.words) if kept.words else <int16_t> 0
        row[<int> CHOICE_KEPT_INSIDE] = thousandths(kept.inside, kept.words)
        row[<int> CHOICE_LOWEST_KEPT] = <int16_t> kept.lowest
        row[<int> CHOICE_HIGHEST_DROPPED] = <int16_t> dropped
        row[<int> CHOICE_SWITCHES] = bounded(switches)
        row[<int> CHOICE_SWITCH_RATE] = thousandths(switches, n_blocks)
        row[<int> CHOICE_AGREEMENT] = thousandths(2.0 * common, kept.words + above[reference].words)
        for f in range(N_CHOICE_FEATURES):
            choices.values[f * N_CHOICES + c] = row[f]
    return 0


CHOICE_FEATURES = tuple(name.lower() for name in globals()["ChoiceFeature"].__members__ if name != "N_CHOICE_FEATURES")
"""Names of the features of a choice in the order of their numbers."""

cdef Choices PROTOTYPE
if sizeof(PROTOTYPE.values) != N_CHOICE_FEATURES * N_CHOICES * sizeof(int16_t):
    raise RuntimeError(f"Choices.values must have {N_CHOICE_FEATURES * N_CHOICES} numbers")


@cython.final
cdef class Decoder:
    """The choices of a page, for training and for a look."""
    cdef Choices choices
    cdef Scratch scratch

    def __dealloc__(self):
        release(&self.scratch)

    def lay_out(self, Features features not None, Blocks blocks not None, list scores not None) -> tuple[bytes, list[tuple[int, int, int]]]:
        """The choices for a page whose blocks have these scores (logits).

        Returns the features, 16-bit integers, one row of sixteen per feature, and for each choice the least probability that it
        keeps, in 1/4096, and its first and one past its last block. ValueError where there is no block, or not one score for each.
        """
        cdef:
            uint32_t n_blocks = features.table.n_blocks, b
            uint16_t[::1] probabilities
            int outcome
        if n_blocks == 0 or len(scores) != n_blocks or blocks.array.n_blocks != n_blocks:
            raise ValueError(f"{len(scores)} scores for {n_blocks} blocks")
        rounded = array("H", [probability(rounded_score(score)) for score in scores])
        probabilities = rounded
        with nogil:
            outcome = lay_out(
                &self.choices, &features.table, &probabilities[0], &blocks.array.blocks.words, sizeof(Block) // sizeof(uint32_t), &self.scratch
            )
        if outcome:
            raise MemoryError(f"no memory for the choices of {n_blocks} blocks")
        return (
            (<const char*> self.choices.values)[:sizeof(self.choices.values)],
            [(self.choices.threshold[c], self.choices.first_block[c], self.choices.end_block[c]) for c in range(N_CHOICES)],
        )
