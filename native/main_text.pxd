# SPDX-License-Identifier: Apache-2.0
"""The main text of a page, for what describes the page: what it is made of, begins and ends with, and what it shows."""

from libc.stdint cimport uint32_t, uint8_t

from thresher.native.choosing.interface cimport ScoredPage
from thresher.native.facts.candidates cimport FactWeights
from thresher.native.facts.headlines cimport Head
from thresher.native.measuring.blocks cimport Block, BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Document, Slice, Tree


cdef class MainText:
    """What was chosen of a page. It refers to the arrays of a workspace, and is made anew for each call."""
    cdef Document document
    cdef const Tree* tree
    cdef const MetricsArray* metrics
    cdef const BlockArray* blocks
    cdef const ScoredPage* scored
    cdef bint is_chosen         # blocks were chosen; otherwise the page has none here
    cdef const uint8_t* keep    # a byte for each block
    cdef uint32_t n             # blocks
    cdef uint32_t first         # the first kept one; n if there is none
    cdef uint32_t behind        # and the one behind the last; n then too
    cdef uint32_t n_kept

    cdef void find_shape(self, uint32_t* found) noexcept nogil
    cdef uint32_t shown_at(self, bytes written) except? 0
    cdef bint block_holds(self, const Block* block, Slice name, uint32_t letters) noexcept nogil
    cdef uint32_t find_heads(self, Head* found) noexcept nogil
    cdef int flags_of(self, uint32_t b) noexcept nogil
    cdef bint is_repeated(self, uint32_t number) noexcept nogil
    cdef int place_at_edge(self, uint32_t b, uint32_t nth) noexcept nogil
    cdef tuple describe(self, str url, object latest, FactWeights weights, dict into)


cdef MainText main_text(
    Document document, const MetricsArray* metrics, const BlockArray* blocks, const ScoredPage* scored,
    const uint8_t* keep, bint is_chosen
)
