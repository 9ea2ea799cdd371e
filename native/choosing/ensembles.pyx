# SPDX-License-Identifier: Apache-2.0
"""`majority`, `majority-best`, `majority-weighted`, `threshold`: what several extractors agree on.

Bevendorff, Gupta, Kiesel and Stein, An Empirical Comparison of Web Content Extraction Algorithms, SIGIR 2023, section
4.5: main text is what two thirds of the systems output, counting all systems, the best only, or the best with double
weight for the two most robust and the most precise. They locate a system's text on the page by windows of five tokens.
Here all members choose blocks of the same page, so each vote on every token is known and no windows are needed.
(thresher.lab.evaluate.ensembles has the windows, for systems that only give text.)

Gupta, MSc thesis 2022, section 5.1: em_x_y keeps the leaves that at least x of y systems keep.

Parameters: `share` of the votes that keeps a block (2/3); `x` and `y` of the threshold (3 of the first 5 members).
registry.pyx lists the members with their order and weights.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.arrays cimport OUT_OF_MEMORY
from thresher.native.choosing.interface cimport KEPT_BLOCKS, MARKED_NODES, Page, forget_scores, keep_marked_blocks
from thresher.native.base.scratch cimport SLOT_BALLOT, SLOT_VOTES, take


cdef enum Weighing:
    WEIGH_ALIKE = 0
    WEIGH_BEST = 1
    WEIGH_TWICE = 2


cdef Member[MAX_MEMBERS] MEMBERS
cdef uint32_t N_MEMBERS = 0


cdef int add_member(const Member* member) except -1:
    """Adds a member after the existing ones."""
    global N_MEMBERS
    if N_MEMBERS == MAX_MEMBERS:
        raise RuntimeError(f"more than {MAX_MEMBERS} members")
    MEMBERS[N_MEMBERS] = member[0]
    N_MEMBERS += 1
    return 0


cdef uint32_t votes_of(const Member* member, Weighing weighing) noexcept nogil:
    """The number of votes of a member."""
    if weighing == WEIGH_ALIKE:
        return 1
    return member.best if weighing == WEIGH_BEST else member.weighted


cdef int vote(const Page* page, uint32_t n_members, Weighing weighing, double needed) noexcept nogil:
    """Keeps the blocks that get at least this many votes of the first members or, if the number is below 1, this share
    of them.
    """
    cdef:
        Page ballot = page[0]
        uint32_t n_blocks = page.blocks.n_blocks, total = 0, weight, i, m
        uint8_t* keep = <uint8_t*> take(page.scratch, SLOT_BALLOT, n_blocks + 1, sizeof(uint8_t))
        uint8_t* votes = <uint8_t*> take(page.scratch, SLOT_VOTES, n_blocks + 1, sizeof(uint8_t))
        double confidence
        int outcome
    if keep == NULL or votes == NULL:
        return OUT_OF_MEMORY
    memset(votes, 0, n_blocks)
    ballot.keep = keep
    ballot.confidence = &confidence
    THRESHER_CHECK(n_members <= N_MEMBERS <= MAX_MEMBERS)
    for m in range(n_members):
        weight = votes_of(MEMBERS + m, weighing)
        if weight == 0:
            continue
        total += weight
        memset(keep, 0, n_blocks)
        memset(page.marks, 0, page.tree.n_nodes)
        ballot.options = MEMBERS[m].options
        outcome = MEMBERS[m].function(&ballot)
        if outcome == OUT_OF_MEMORY:
            return OUT_OF_MEMORY
        if outcome == MARKED_NODES:
            keep_marked_blocks(&ballot)
        for i in range(n_blocks):
            votes[i] += weight * keep[i]
    forget_scores(page.scored)      # a member's scores are not those of the ensemble's choice
    if needed < 1:
        needed = needed * total - 1e-9
    for i in range(n_blocks):
        page.keep[i] = votes[i] and votes[i] >= needed
    return KEPT_BLOCKS


cdef double share_of(const Page* page) noexcept nogil:
    """The option `share` below 1: a share of 1 or more is every vote."""
    return min((<const MajorityOptions*> page.options).share, 1.0 - 1e-9)


cdef int majority(const Page* page) noexcept nogil:
    """Keeps what two thirds of all members keep."""
    return vote(page, N_MEMBERS, WEIGH_ALIKE, share_of(page))


cdef int majority_best(const Page* page) noexcept nogil:
    """Keeps what two thirds of the best members keep."""
    return vote(page, N_MEMBERS, WEIGH_BEST, share_of(page))


cdef int majority_weighted(const Page* page) noexcept nogil:
    """Keeps what two thirds of the best members' weighted votes keep."""
    return vote(page, N_MEMBERS, WEIGH_TWICE, share_of(page))


cdef int threshold(const Page* page) noexcept nogil:
    """em_x_y: keeps the blocks that at least x of the first y members keep; y at most all members, x at most y."""
    cdef const ThresholdOptions* options = <const ThresholdOptions*> page.options
    cdef double y = min(max(options.y, 1.0), <double> N_MEMBERS)
    return vote(page, <uint32_t> y, WEIGH_ALIKE, min(max(options.x, 1.0), y))
