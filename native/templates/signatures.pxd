# SPDX-License-Identifier: Apache-2.0
"""Structural signatures: a 64-bit number for a position in the pages of a site, and the share of template in the text
found there.

The signature of a position is a hash of the path from the body down to it: each element's name, classes, id and role. A
run of digits in them counts as one digit, because ids and classes are often numbered (`post-1234`). The body's own
attributes are excluded, because content management systems write the kind of page there.

Texts at the same position of several pages are of the same kind. If most of them were template, text at that position
which was never compared with another page is probably template too.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from thresher.native.base.hash_table cimport HashTable
from thresher.native.measuring.metrics cimport NodeMetrics
from thresher.native.parsing.document cimport Tree


cdef enum:
    MAX_SIGNATURES = 1 << 16    # per site; later ones are not counted


ctypedef struct Counted:    # 32 bytes
    uint64_t signature
    uint64_t template       # characters of template text there
    uint64_t other          # characters of other text there
    uint32_t pages          # pages with text there
    uint32_t last_page


ctypedef struct Paths:      # for each element of one page, its signature
    uint64_t* values
    size_t capacity


cdef int find_paths(Paths* paths, const Tree* tree) noexcept nogil


cdef class SignatureCounts:
    """How much of the text at each position of a site's pages is template."""
    cdef Counted* counts            # in order of first occurrence
    cdef uint32_t n_counts
    cdef size_t capacity
    cdef HashTable indices          # maps a signature to its index in `counts`
    cdef readonly uint32_t n_pages  # pages added
    cdef Paths paths

    cdef int count(self, const Tree* tree, const NodeMetrics* rows, const uint8_t* marks) noexcept nogil


cdef class Signatures:
    """The positions of a site's pages and the share of template in the text at each."""
    cdef uint64_t* places       # ascending
    cdef uint8_t* templates     # the share of template at each, in 1/255
    cdef uint32_t n_places
    cdef Paths paths

    cdef int share_at(self, uint64_t signature) noexcept nogil
