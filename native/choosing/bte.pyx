# SPDX-License-Identifier: Apache-2.0
"""`bte`: body text extraction.

Finn, Kushmerick and Smyth, Fact or Fiction: Content Classification for Digital Libraries, DELOS Workshop 2001. The page
is a sequence of tags (1) and words (0). The main text is the one region i…j that maximises tags before i + words from i
to j + tags after j.

The tags before and after are all tags minus those inside. So this is the region with the largest sum of (words - tags),
found in one loop (Kadane) instead of the paper's search over all pairs. Ties go to the first region, then to the
shortest.

Parameters: none. Words are counted as in metrics.pxd: a Chinese character is a word.
"""

from libc.stdint cimport int64_t, uint32_t

from thresher.native.choosing.interface cimport MARKED_NODES, Page
from thresher.native.choosing.tags_between cimport Cursor, cursor_of, next_text


cdef int bte(const Page* page) noexcept nogil:
    """Marks the region with the largest surplus of words over tags."""
    cdef:
        Cursor cursor = cursor_of(page.tree, page.metrics, False)
        int64_t surplus = 0, best = 0
        uint32_t first = 0, best_first = 0, best_last = 0, n
    n = next_text(&cursor, page.tree, page.metrics)
    while n:
        surplus -= cursor.tags
        if first == 0 or surplus < 0:       # a region never begins with a prefix that lowers its sum
            surplus = 0
            first = n
        surplus += page.metrics.nodes[n].words
        if surplus > best:
            best = surplus
            best_first = first
            best_last = n
        n = next_text(&cursor, page.tree, page.metrics)
    if best > 0:
        for n in range(best_first, best_last + 1):
            page.marks[n] = 1
    return MARKED_NODES
