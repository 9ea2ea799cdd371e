# SPDX-License-Identifier: Apache-2.0
"""Sums up what is known of a page's scored blocks, lays out sixteen choices among them, and takes the best."""

from array import array

cimport cython
from libc.stddef cimport size_t
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY, make_room
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.scoring.feature_table cimport *
from thresher.native.scoring.features cimport Features
from thresher.native.scoring.model cimport ModelParts, calibrated
from thresher.native.scoring.probabilities cimport PROBABILITY_SCALE, probability, rounded_score
from thresher.native.scoring.rounding cimport bounded, nearest_thousandth
from thresher.native.scoring.trees cimport LANES, LEAF_SCALE, Range, find_ranges, score_rows
from thresher.native.base.scratch cimport SLOT_KEPT_SUMS, SLOT_PROBABILITIES, Scratch, release, take

from thresher.native.scoring.feature_table import CHOICE_FEATURES, PAGE_FEATURE_NAMES


cdef enum:
    BIN = 64                # probabilities per bin of the histogram
    BINS = 65
    HEADLINE = 512          # least probability of a headline that heads the kept text, in 1/4096
    N_FIXED = 13            # choices with a fixed threshold, which come first
    CHOICE_BY_F1 = 13       # by the threshold with the largest expected F1, within bounds
    CHOICE_FREE = 14        # by that threshold, within wider bounds
    CHOICE_SUBTREE = 15     # the likely blocks of one container


# Bins where the fixed choices begin: thresholds .08 to .77.
cdef uint16_t[N_FIXED] FIXED = [5, 9, 13, 16, 19, 22, 26, 29, 32, 35, 38, 44, 49]
# The bounds .25 to .6 on the threshold of largest expected F1 gain .002 of F1.
cdef int BOUNDED_LOW = 16, BOUNDED_HIGH = 38, FREE_LOW = 3, FREE_HIGH = 58, SUBTREE_LOW = 13


cdef struct Kept:               # totals over the blocks of some probabilities
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
    """Start with no block."""
    memset(kept, 0, sizeof(Kept))
    kept.first = 0xFFFFFFFF
    kept.lowest = PROBABILITY_SCALE


cdef inline void add_block(
    Kept* kept, uint32_t block, uint16_t p, uint32_t n, int16_t links, bint inside
) noexcept nogil:
    """Add a block of probability p and n words."""
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
    """Add the blocks of another set."""
    kept.words += more.words
    kept.expected += more.expected
    kept.links += more.links
    kept.inside += more.inside
    kept.blocks += more.blocks
    kept.first = min(kept.first, more.first)
    kept.last = max(kept.last, more.last)
    kept.lowest = min(kept.lowest, more.lowest)
    kept.highest = max(kept.highest, more.highest)


cdef int read_choice_input(ChoiceInput* choice, FeatureTable* table) noexcept nogil:
    """Point a ChoiceInput at the features of a page with at least one block; 0, or OUT_OF_MEMORY for the
    ranges.
    """
    cdef uint32_t c, n = 0
    cdef const Container* container
    if make_room(&table.ranges, &table.ranges_capacity, table.n_containers) != 0:
        return OUT_OF_MEMORY
    for c in range(table.n_containers):
        container = table.containers + c
        # Choosing compares ranges, so one of several equal ranges suffices, and an empty one never wins.
        if container.first_block < container.end_block and (
            n == 0 or table.ranges[n - 1].first != container.first_block
            or table.ranges[n - 1].end != container.end_block
        ):
            table.ranges[n].first = container.first_block
            table.ranges[n].end = container.end_block
            n += 1
    choice.n_blocks = table.n_blocks
    choice.words = table.words
    choice.link_density = table.link_density
    choice.probabilities = NULL
    choice.n_ranges = n
    choice.ranges = table.ranges
    choice.candidate.first = table.containers[table.candidate].first_block
    choice.candidate.end = table.containers[table.candidate].end_block
    choice.headline = table.headline
    read_page_values(table, choice.page)
    return 0


cdef inline bint is_in(uint32_t block, const BlockRange* blocks) noexcept nogil:
    """True if a block is in a range."""
    return blocks.first <= block < blocks.end


cdef int lay_out(Choices* choices, const ChoiceInput* page, Scratch* scratch) noexcept nogil:
    """Fill in the choices of a page with at least one block; 0, or OUT_OF_MEMORY.

    Thresholds lie between bins of probabilities. So one pass over the blocks fills the bins, and a choice is a sum of
    bins.
    """
    cdef:
        uint32_t n_blocks = page.n_blocks, b, c, f, n, switches
        uint16_t p, dropped
        # first each bin's own blocks, then also those of all bins above; the last stays empty
        Kept[BINS + 1] above
        uint16_t[BINS + 1] below        # largest p below a bin
        int32_t[BINS + 2] changes       # for a threshold at a bin: changes from kept to dropped and back
        Kept subtree
        const Kept* kept
        const BlockRange* blocks
        uint64_t expected, uncertain = 0, common
        uint64_t* sum_words = <uint64_t*> take(scratch, SLOT_KEPT_SUMS, 2 * (<size_t> n_blocks + 1), sizeof(uint64_t))
        uint64_t* sum_expected = sum_words + n_blocks + 1
        double best, here, total, all_words
        int k, previous = -1, best_bin, reference
        bint keep, was
        int16_t[N_CHOICE_FEATURES] row
    if sum_words == NULL:
        return OUT_OF_MEMORY
    for k in range(BINS + 1):
        clear(above + k)
    memset(changes, 0, sizeof(changes))
    sum_words[0] = 0
    sum_expected[0] = 0
    for b in range(n_blocks):
        p = page.probabilities[b]
        n = page.words[b]
        k = p // BIN
        add_block(above + k, b, p, n, page.link_density[b], is_in(b, &page.candidate))
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
    # The bin from which keeping everything has the largest expected F1.
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
        choices.blocks[c].first = 0
        choices.blocks[c].end = n_blocks
    for c in range(N_FIXED):
        choices.threshold[c] = FIXED[c] * BIN
    reference = min(max(best_bin, BOUNDED_LOW), BOUNDED_HIGH)
    choices.threshold[CHOICE_BY_F1] = reference * BIN
    choices.threshold[CHOICE_FREE] = min(max(best_bin, FREE_LOW), FREE_HIGH) * BIN
    choices.threshold[CHOICE_SUBTREE] = SUBTREE_LOW * BIN
    best = -1.0
    for c in range(page.n_ranges):
        blocks = page.ranges + c
        THRESHER_CHECK(blocks.first <= blocks.end <= n_blocks)
        n = <uint32_t> (sum_words[blocks.end] - sum_words[blocks.first])
        here = (sum_expected[blocks.end] - sum_expected[blocks.first]) / <double> PROBABILITY_SCALE
        here = 2.0 * here / (n + total) if n else 0.0
        if here > best:
            best = here
            choices.blocks[CHOICE_SUBTREE] = blocks[0]

    for f in range(N_PAGE_FEATURES):
        row[CHOICE_OF_PAGE[f]] = page.page[f]
    row[<int> CHOICE_EXPECTED_SHARE] = nearest_thousandth(total, all_words)
    row[<int> CHOICE_UNCERTAINTY] = nearest_thousandth(uncertain / <double> PROBABILITY_SCALE, all_words)
    row[<int> CHOICE_UNCERTAINTY_KEPT] = nearest_thousandth(uncertain, expected)
    row[<int> CHOICE_HIGHEST] = <int16_t> above[0].highest
    for f in range(5):      # bins 6, 19, 32, 45 and 58: .1, .3, .5, .7 and .9
        row[<int> CHOICE_ABOVE_10 + f] = nearest_thousandth(above[6 + 13 * f].words, all_words)
    for c in range(N_CHOICES):
        k = choices.threshold[c] // BIN
        if c == CHOICE_SUBTREE:
            clear(&subtree)
            switches = 0
            dropped = 0
            common = 0
            was = False
            for b in range(n_blocks):
                p = page.probabilities[b]
                keep = p >= choices.threshold[c] and is_in(b, choices.blocks + c)
                switches += keep != was
                was = keep
                if not keep:
                    dropped = max(dropped, p)
                    continue
                n = page.words[b]
                add_block(&subtree, b, p, n, page.link_density[b], is_in(b, &page.candidate))
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
        row[<int> CHOICE_F1] = nearest_thousandth(2.0 * here, kept.words + total)
        row[<int> CHOICE_PRECISION] = nearest_thousandth(here, kept.words)
        row[<int> CHOICE_RECALL] = nearest_thousandth(here, total)
        row[<int> CHOICE_KEPT_SHARE] = nearest_thousandth(kept.words, all_words)
        row[<int> CHOICE_KEPT_WORDS] = bounded(kept.words)
        row[<int> CHOICE_KEPT_BLOCKS] = bounded(kept.blocks)
        row[<int> CHOICE_KEPT_SPAN] = <int16_t> 0
        if kept.blocks:
            row[<int> CHOICE_KEPT_SPAN] = nearest_thousandth(kept.last + 1 - kept.first, n_blocks)
        row[<int> CHOICE_KEPT_LINKS] = <int16_t> (kept.links // kept.words) if kept.words else <int16_t> 0
        row[<int> CHOICE_KEPT_INSIDE] = nearest_thousandth(kept.inside, kept.words)
        row[<int> CHOICE_LOWEST_KEPT] = <int16_t> kept.lowest
        row[<int> CHOICE_HIGHEST_DROPPED] = <int16_t> dropped
        row[<int> CHOICE_SWITCHES] = bounded(switches)
        row[<int> CHOICE_SWITCH_RATE] = nearest_thousandth(switches, n_blocks)
        row[<int> CHOICE_AGREEMENT] = nearest_thousandth(2.0 * common, kept.words + above[reference].words)
        for f in range(N_CHOICE_FEATURES):
            choices.values[f][c] = choices.values[f][N_CHOICES + c] = row[f]
    return 0


cdef int[N_PAGE_FEATURES] CHOICE_OF_PAGE        # for each page feature its number as a choice feature
for _number, _name in enumerate(PAGE_FEATURE_NAMES):
    CHOICE_OF_PAGE[<int> _number] = CHOICE_FEATURES.index(f"choice_{_name}")


cdef int choose_blocks(
    const ChoiceInput* page, const int16_t* scores, const int16_t* evidence, double lean, const ModelParts* model,
    uint8_t* keep,
    double* confidence, Scratch* scratch,
) noexcept nogil:
    """Keep the blocks of the best choice for a page with at least one block; 0, or OUT_OF_MEMORY.

    The best choice has the largest sum of predicted F1 and weighted expected F1. `confidence` is the calibrated F1 of
    its prediction. `lean` above 0 favours recall, below 0 precision. `evidence`, added to the scores of
    all blocks but the headline, may be NULL. In `keep`, only the blocks of the choice's range and the headline are
    written.
    """
    cdef:
        Choices choices
        ChoiceInput input = page[0]
        int16_t[LANES] predicted
        Range[N_CHOICE_FEATURES] ranges
        uint16_t* probabilities = <uint16_t*> take(scratch, SLOT_PROBABILITIES, page.n_blocks, sizeof(uint16_t))
        uint32_t b, c, best = 0
        double value, best_value = 0.0
    if probabilities == NULL:
        return OUT_OF_MEMORY
    if evidence == NULL:
        for b in range(page.n_blocks):
            probabilities[b] = probability(scores[b])
    else:
        for b in range(page.n_blocks):
            probabilities[b] = probability(<int16_t> min(max(<int> scores[b] + evidence[b], -32768), 32767))
        if page.headline < page.n_blocks:       # it names the page, though other pages may link to it by its name
            probabilities[page.headline] = probability(scores[page.headline])
    input.probabilities = probabilities
    if lay_out(&choices, &input, scratch) != 0:
        return OUT_OF_MEMORY
    find_ranges(&choices.values[0][0], N_CHOICE_FEATURES * LANES, 0, N_CHOICE_FEATURES, 1, ranges)
    score_rows(model.choice_trees, ranges, &choices.values[0][0], N_CHOICE_FEATURES * LANES, 1, predicted)
    for c in range(N_CHOICES):
        value = predicted[c] / <double> LEAF_SCALE + model.expected_weight * choices.values[<int> CHOICE_F1][c] / 1000.0
        value += 0.5 * lean * (choices.recall[c] - choices.precision[c])
        if c == 0 or value > best_value:
            best_value = value
            best = c
    confidence[0] = calibrated(model, predicted[best] / <double> LEAF_SCALE)
    for b in range(choices.blocks[best].first, choices.blocks[best].end):
        keep[b] = probabilities[b] >= choices.threshold[best]
    if page.headline < choices.blocks[best].end and probabilities[page.headline] >= <uint16_t> HEADLINE:
        b = choices.blocks[best].first
        while b < choices.blocks[best].end and not keep[b]:
            b += 1
        if page.headline < b < choices.blocks[best].end:
            keep[page.headline] = 1
    return 0


@cython.final
cdef class Decoder:
    """The choices of a page, for training and inspection."""
    cdef Choices choices
    cdef Scratch scratch

    def __dealloc__(self):
        release(&self.scratch)

    def lay_out(self, Features features not None, list scores not None) -> tuple[bytes, list[tuple[int, int, int]]]:
        """The choices for a page whose blocks have these features and scores (logits).

        Returns the features of the choices, 16-bit integers, one row of sixteen per feature. Then, for each choice, the
        least probability that it keeps, in 1/4096, and the first and one past the last of its blocks. Raises ValueError
        if there is no block, or not one score per block.
        """
        cdef:
            uint32_t n_blocks, c, f
            uint16_t[::1] probabilities
            ChoiceInput page
        rounded = array("H", [probability(rounded_score(score)) for score in scores])
        n_blocks = features.table.n_blocks
        if n_blocks == 0 or <size_t> len(rounded) != n_blocks:
            raise ValueError(f"{len(scores)} scores for {n_blocks} blocks")
        probabilities = rounded
        if read_choice_input(&page, &features.table) != 0:
            raise MemoryError(f"no memory for the choices of {n_blocks} blocks")
        page.probabilities = &probabilities[0]
        if lay_out(&self.choices, &page, &self.scratch) != 0:
            raise MemoryError(f"no memory for the choices of {n_blocks} blocks")
        return (
            b"".join([
                (<const char*> &self.choices.values[f][0])[:N_CHOICES * sizeof(int16_t)] for f in range(N_CHOICE_FEATURES)
            ]),
            [(self.choices.threshold[c], self.choices.blocks[c].first,
            self.choices.blocks[c].end) for c in range(N_CHOICES)],
        )
