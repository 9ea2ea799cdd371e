# SPDX-License-Identifier: Apache-2.0
"""What may be the headline of a page whose main text is known, and what speaks for each."""

from libc.stdint cimport uint32_t

from thresher.native.facts.candidates cimport Candidates
from thresher.native.facts.page_address cimport Address
from thresher.native.parsing.document cimport Tree
from thresher.native.parsing.known_values cimport KnownValue


ctypedef struct Around:     # what the elements around a block are called, each a bit
    uint32_t near           # by class, id and itemprop: the nearest
    uint32_t classes        # one of the nearest three
    uint32_t tags           # by name: one of the nearest five


cdef Around read_around(const Tree* tree, uint32_t node, KnownValue* known) noexcept nogil
cdef Candidates title_candidates(
    dict values, list linked, list heads, str site_name, set sites, str host, Address where, bint many_articles
)
