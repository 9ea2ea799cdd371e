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
    MAX_HEADS = 25


ctypedef struct Head:       # a block that may be the headline
    uint32_t start          # its nodes
    uint32_t end
    int kind
    int flags               # bits of FLAG_NUMBERS
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
cdef Candidates under_site(Candidates found)
