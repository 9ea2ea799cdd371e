# SPDX-License-Identifier: Apache-2.0
"""Structures: parts of a page that are kept or dropped as a whole (choosing/structure_rules.pxd): data tables, listings,
display formulas, the title and the headings below it, footnotes, terms with their descriptions, tables of contents,
headings with what they head, and headings that are repeated.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint32_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Tree


cdef enum:
    MAX_PASSED = 4              # short blocks beside a structure that are passed over
    SHORT = 4                   # most words of such a block


cdef enum StructureKind:
    STRUCTURE_TABLE = 0
    STRUCTURE_LISTING = 1
    STRUCTURE_TITLE = 2
    STRUCTURE_HEADING = 3       # one below the title; the question is only whether it is kept
    STRUCTURE_NOTE = 4
    STRUCTURE_TERM = 5          # a term and its description, the last block; the question is only whether that is kept
    STRUCTURE_CONTENTS = 6      # the heading of a table of contents; the section ends with the last entry
    STRUCTURE_REPEATED = 7      # headings that repeat the one before them, which begins the section
    STRUCTURE_SECTION = 8       # a heading and, last in its section, the block that begins what it heads
    STRUCTURE_PAGER = 9         # a table of links to pages of the table that it stands in
    STRUCTURE_FURNITURE = 10    # what says that it is no part of the text (furniture.pxd)


cdef enum Wall:                 # that hides a part of the page's text (walls.pxd)
    WALL_NONE = 0
    WALL_SEEN = 1
    WALL_DECLARED = 2           # and little is shown


ctypedef struct Structure:
    uint32_t first              # its blocks are [first, end)
    uint32_t end
    uint32_t section            # its section: [section, section_end); of a note: the block that refers to it
    uint32_t section_end
    uint32_t kind               # StructureKind


ctypedef struct StructureArray:
    Structure* structures       # of one page: tables with their pagers and listings in document order, then the others
    uint32_t n_structures
    size_t capacity
    uint32_t* words             # of each block
    uint32_t wall               # Wall
    bint failed                 # out of memory: no further structures
    size_t words_capacity


cdef inline bint is_structure(const Structure* one, uint32_t n_blocks) noexcept nogil:
    """True if the numbers of a structure are possible on a page with that many blocks."""
    return (
        one.first < one.end <= n_blocks and one.section <= one.first and one.end <= one.section_end <= n_blocks
        and one.kind <= STRUCTURE_FURNITURE
    )


cdef inline uint32_t first_block_from(const BlockArray* blocks, uint32_t node) noexcept nogil:
    """The first block that begins at `node` or later."""
    cdef uint32_t low = 0, high = blocks.n_blocks, middle
    while low < high:
        middle = low + (high - low) // 2
        if blocks.blocks[middle].start < node:
            low = middle + 1
        else:
            high = middle
    return low


cdef int find_structures(
    StructureArray* array, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks
) noexcept nogil
cdef size_t structures_bytes(const StructureArray* array) noexcept nogil
cdef void free_structures(StructureArray* array) noexcept nogil
