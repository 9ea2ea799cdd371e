# SPDX-License-Identifier: Apache-2.0
"""Values of attributes as Python strings, for the modules that read what a page says about itself."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t

from thresher.native.parsing.reading cimport Slice, Tree


cdef enum AttributeWord:    # what an attribute says; bits, in the order of ATTRIBUTES in labels.py
    REL_AUTHOR = 1 << 0
    REL_CANONICAL = 1 << 1
    ITEM_PUBLISHED = 1 << 2     # an itemprop: of a time,
    ITEM_DATED = 1 << 3         # and of any element, maybe within a longer one
    ITEM_MODIFIED = 1 << 4
    ITEM_ANSWER = 1 << 5
    CLASS_PUBLISHED = 1 << 6
    CLASS_DATED = 1 << 7        # of a time
    CLASS_MODIFIED = 1 << 8
    CLASS_KICKER = 1 << 9
    STYLE_BLOCK = 1 << 10
    NAMES_LOGO = 1 << 11        # any attribute
    TYPE_FEED = 1 << 12
    REL_SEARCH = 1 << 13


ctypedef struct Interests:      # elements that may hold a value
    uint32_t* nodes
    size_t capacity
    size_t n
    uint32_t* headings          # those of the first level among them
    size_t headings_capacity
    size_t n_headings
    uint32_t paragraphs         # elements of the page
    uint32_t links


cdef int find_interests(Interests* found, const Tree* tree) noexcept nogil
cdef void free_interests(Interests* found) noexcept nogil
cdef tuple values_of_page(const Tree* tree, dict names, const Interests* elements)
cdef bint attribute_says(const Tree* tree, uint32_t node, uint32_t name, uint32_t wanted) noexcept nogil
cdef str clean(const uint8_t* data, uint32_t length)
cdef str text_in(const Tree* tree, uint32_t node, uint32_t name)
cdef str text_below(const Tree* tree, uint32_t node)
cdef str text_between(const Tree* tree, uint32_t start, uint32_t behind)
cdef str collapsed(const uint8_t* data, uint32_t length)
cdef uint32_t next_read(const Tree* tree, uint32_t n) noexcept nogil
