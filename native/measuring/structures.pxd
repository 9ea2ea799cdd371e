# SPDX-License-Identifier: Apache-2.0
"""Structures: data tables and listings, about which is decided as a whole after an extractor has chosen blocks.

- A table of which a good part of the words is kept is kept whole, header cells included. Otherwise it is dropped. A table
  of links is judged cell by cell, as it is mostly a menu.
- A table or listing between two kept blocks of its section is kept.
- A listing is also kept beside one kept block of its section, and so a row of listings, as in tabs, is kept together.

Short blocks beside a structure, such as the names of tabs, do not count as its neighbours unless they are kept.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Tree


ctypedef struct Structure:
    uint32_t first              # its blocks are [first, end)
    uint32_t end
    uint32_t section            # those of its section [section, section_end)
    uint32_t section_end
    uint32_t is_listing         # 1 for a listing, 0 for a table


ctypedef struct StructureArray:
    Structure* structures       # of one page, in document order; none lies in another
    uint32_t n_structures
    size_t capacity
    uint32_t* words             # of each block
    size_t words_capacity


cdef inline bint is_structure(const Structure* one, uint32_t n_blocks) noexcept nogil:
    """True where the numbers of a structure can be those of a page with so many blocks."""
    return (
        one.first < one.end <= n_blocks and one.section <= one.first and one.end <= one.section_end <= n_blocks
        and one.is_listing <= 1
    )


cdef int find_structures(
    StructureArray* array, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks
) noexcept nogil
cdef void decide_structures(
    const Structure* structures, uint32_t n_structures, const uint32_t* words, uint32_t n_blocks, uint8_t* keep
) noexcept nogil
cdef size_t structures_bytes(const StructureArray* array) noexcept nogil
cdef void free_structures(StructureArray* array) noexcept nogil
