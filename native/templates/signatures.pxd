# SPDX-License-Identifier: Apache-2.0
"""Structural signatures: where on the pages of a site a text stands, as one 64-bit number, and how often what stands there is template.

The signature of a place is the path of elements from the body down to it, each with its name, its classes, its id and its role; digits in them
count as one digit, since ids and classes are often numbered (`post-1234`). The body's own attributes are left out: content management systems
write there what kind of page it is. The texts of one place on several pages are alike in kind, and where most of what was seen there was
template, so will be what stands there on a page that was never compared with another.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from thresher.native.parsing.document cimport Tree


cdef enum:
    MAX_SIGNATURES = 1 << 16    # of one site; what comes after is not counted


ctypedef struct Counted:    # 32 bytes
    uint64_t signature      # 0 where the slot is free
    uint64_t template       # characters of template text there
    uint64_t other          # characters of other text there
    uint32_t pages          # pages with text there
    uint32_t last_page


ctypedef struct Paths:      # of each element of one page, its signature
    uint64_t* values
    size_t capacity


cdef int find_paths(Paths* paths, const Tree* tree) except -1 nogil


cdef class SignatureCounts:
    """Counts, for the places of a site's pages, how much of the text there is template."""
    cdef Counted* slots
    cdef uint32_t n_slots
    cdef uint32_t n_used
    cdef readonly uint32_t n_pages  # that were added
    cdef Paths paths

    cdef int grow(self) except -1 nogil


cdef class Signatures:
    """The places of a site and the share of template in the text of each."""
    cdef uint64_t* places       # ascending
    cdef uint8_t* templates     # the share of template at each, in 1/255
    cdef uint32_t n_places
    cdef Paths paths

    cdef int share_at(self, uint64_t signature) noexcept nogil
