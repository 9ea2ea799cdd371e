# SPDX-License-Identifier: Apache-2.0
"""What may be the headline of a page whose main text is known, and what speaks for each."""

from libc.stdint cimport uint32_t

from thresher.native.facts.candidates cimport Candidates
from thresher.native.facts.page_url cimport PageUrl
from thresher.native.parsing.document cimport Tree
from thresher.native.parsing.known_values cimport KnownValue


ctypedef struct Around:     # what the elements around a block are called, each a bit
    uint32_t near           # by class, id and itemprop: the nearest
    uint32_t classes        # one of the nearest three
    uint32_t tags           # by name: one of the nearest five


cdef enum:
    HEADING_LEVELS = 6
    FIRST_OF_LEVEL = 2      # blocks that may be the headline: headings of each level,
    FIRST_HEADINGS = 3      # headings that are kept,
    FIRST_KEPT = 3          # kept blocks,
    BEFORE_KEPT = 3         # those right before the first of these,
    BEFORE_TEXT = 4         # and before the first paragraph that is kept
    MAX_HEADS = HEADING_LEVELS * FIRST_OF_LEVEL + FIRST_HEADINGS + FIRST_KEPT + BEFORE_KEPT + BEFORE_TEXT


cdef enum:                  # Head.flags; headlines.pyx has their names, in this order
    HEAD_KEPT = 1 << 0
    HEAD_LEFT = 1 << 1
    HEAD_HIGHEST = 1 << 2       # no heading of the page has a higher level
    HEAD_HIGHEST_YET = 1 << 3   # none before it has
    HEAD_LINKED = 1 << 4
    HEAD_REPEATED = 1 << 5      # another block has the same text
    HEAD_AFTER_HEADING = 1 << 6
    HEAD_BEFORE_HEADING = 1 << 7
    HEAD_AFTER_KEPT = 1 << 8
    HEAD_BEFORE_KEPT = 1 << 9
    HEAD_AFTER_LINK = 1 << 10
    HEAD_NO_TEXT = 1 << 11      # no paragraph of the page is kept


ctypedef struct Head:       # a block that may be the headline
    uint32_t start          # its nodes
    uint32_t end
    int kind
    int flags               # HEAD_KEPT and the like
    int nth                 # number of headings of its level before it,
    int alike               # and in all; 0 for a block that is no heading
    int place               # among the kept blocks; -1 for one that is left out
    int from_first          # blocks behind the first kept one,
    int from_text           # and behind the first paragraph that is kept
    int order               # its place on the page
    int words               # of the next block
    Around around


cdef Around read_around(const Tree* tree, uint32_t node, KnownValue* known) noexcept nogil
cdef Candidates title_candidates(
    dict values, list linked, const Tree* tree, const Head* heads, uint32_t n_heads, str site_name, set sites, tuple labels,
    PageUrl where, bint many_articles
)
