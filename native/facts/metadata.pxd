# SPDX-License-Identifier: Apache-2.0
"""Values of attributes as Python strings, for the modules that read what a page says about itself."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t

from thresher.native.parsing.document cimport Tree


ctypedef struct Interests:      # elements that may hold a value
    uint32_t* nodes
    size_t capacity
    size_t n
    uint32_t paragraphs         # elements of the page
    uint32_t links


cdef int find_interests(Interests* found, const Tree* tree) noexcept nogil
cdef tuple values_of_page(const Tree* tree, dict names, const Interests* elements)
cdef bint contains(const Tree* tree, uint32_t node, uint32_t name, const char* part, uint32_t length) noexcept nogil
cdef str clean(const uint8_t* data, uint32_t length)
cdef str value_of(const Tree* tree, uint32_t node, uint32_t name)
cdef str text_between(const Tree* tree, uint32_t start, uint32_t behind)
cdef str text_at_edge(const Tree* tree, uint32_t start, uint32_t behind, bint is_first, bint is_prose, bint begins_by)
