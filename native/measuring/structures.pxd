# SPDX-License-Identifier: Apache-2.0
"""Structures: what is decided as a whole after an extractor has chosen blocks: data tables, listings, the title of a
page and its footnotes.

- A table of which a good part of the words is kept is kept whole, header cells included. Otherwise it is dropped. A table
  of links is judged cell by cell, as it is mostly a menu.
- A table or listing between two kept blocks of its section is kept.
- Formulas on display, which stand in the middle of a sentence or behind it, are decided like a table.
- A listing is also kept beside one kept block of its section, and so a row of listings, as in tabs, is kept together.

- The only h1 of a page is kept where the first kept block follows close behind it and a heading below it is kept, or
  where the page holds little else and all of that is kept. Labelled pages differ: without a kept heading, which news
  mostly lack, a title is no main text to half of them.
- A footnote from which a link leads back is kept where the block that refers to it is.
- A term without a link is kept where its description is, except in readers' comments.
- The heading or label of a table of contents is dropped where all entries of the table are.

Short blocks beside a table or listing, such as the names of tabs, do not count as its neighbours unless they are kept.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Tree


cdef enum StructureKind:
    STRUCTURE_TABLE = 0
    STRUCTURE_LISTING = 1
    STRUCTURE_TITLE = 2
    STRUCTURE_HEADING = 3       # one below the title, of which only is asked whether it is kept
    STRUCTURE_NOTE = 4
    STRUCTURE_TERM = 5          # and its description, of which only is asked whether it is kept: the last block
    STRUCTURE_CONTENTS = 6      # the heading of a table of contents; the section ends with its last entry


ctypedef struct Structure:
    uint32_t first              # its blocks are [first, end)
    uint32_t end
    uint32_t section            # those of its section [section, section_end); of a note: the block that refers to it
    uint32_t section_end
    uint32_t kind               # StructureKind


ctypedef struct StructureArray:
    Structure* structures       # of one page: tables and listings in document order, then the others
    uint32_t n_structures
    size_t capacity
    uint32_t* words             # of each block
    size_t words_capacity


cdef inline bint is_structure(const Structure* one, uint32_t n_blocks) noexcept nogil:
    """True where the numbers of a structure can be those of a page with so many blocks."""
    return (
        one.first < one.end <= n_blocks and one.section <= one.first and one.end <= one.section_end <= n_blocks
        and one.kind <= STRUCTURE_CONTENTS
    )


cdef int find_structures(
    StructureArray* array, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks
) noexcept nogil
cdef void decide_structures(
    const Structure* structures, uint32_t n_structures, const uint32_t* words, uint32_t n_blocks, uint8_t* keep
) noexcept nogil
cdef size_t structures_bytes(const StructureArray* array) noexcept nogil
cdef void free_structures(StructureArray* array) noexcept nogil
