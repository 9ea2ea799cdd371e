# SPDX-License-Identifier: Apache-2.0
"""The lines of a listing, assembled from the elements that show them."""

from thresher.native.constructs.construct cimport *


cdef enum:
    MAX_CELLS = 32          # cells of a row that are inspected


cdef inline bint is_cell(const Node* node) noexcept nogil:
    """True for td and th."""
    return is_html(node, TAG_TD) or is_html(node, TAG_TH)


cdef inline uint32_t next_cell(const Node* nodes, uint32_t n, uint32_t end) noexcept nogil:
    """The first cell among the siblings from node n on; `end` if there is none before it."""
    while n < end and not is_cell(nodes + n):
        n = nodes[n].end
    return n


cdef bint is_gutter(Rewriting* page, uint32_t n) noexcept nogil
cdef bint is_number_cell(Rewriting* page, uint32_t cell) noexcept nogil
cdef uint32_t counting_cell(Rewriting* page, uint32_t row) noexcept nogil
cdef bint counts_lines(Rewriting* page, uint32_t n, uint32_t listing) noexcept nogil
cdef bint counts_next(Rewriting* page, uint32_t n) noexcept nogil
cdef uint32_t numbers_beside(Rewriting* page, uint32_t n) noexcept nogil
cdef Slice put_lines(Rewriting* page, uint32_t n) noexcept nogil
