# SPDX-License-Identifier: Apache-2.0
"""Structures: parts of a page that are kept or dropped as a whole after an extractor has chosen blocks: data tables,
listings, the title and footnotes.
- A table is kept whole, header cells included, if a good part of its words is kept. Otherwise it is dropped. A table of
  links is mostly a menu, so its cells are judged one by one.
- A table or listing between two kept blocks of its section is kept.
- Display formulas, which stand in the middle or at the end of a sentence, are decided like a table.
- A listing is also kept beside one kept block of its section. A row of listings, as in tabs, therefore stays together.
- The only h1 of a page is kept if the first kept block follows closely and a heading below it is kept, or if the page
  has little else and all of that is kept. Labelled pages disagree: without a kept heading, which news articles mostly
  lack, half of them do not count the title as main text.
- A footnote with a link back is kept if the block that refers to it is.
- A term without a link is kept if its description is, except in readers' comments.
- The heading or label of a table of contents is dropped if all entries are.
- Of consecutive headings with the same text, the first is kept if any is, unless all blocks of the page are. Pages
  write a heading twice for wide and narrow screens.

Short blocks beside a table or listing, such as tab names, count as its neighbours only if they are kept.
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
    STRUCTURE_HEADING = 3       # one below the title; the question is only whether it is kept
    STRUCTURE_NOTE = 4
    STRUCTURE_TERM = 5          # a term and its description, the last block; the question is only whether that is kept
    STRUCTURE_CONTENTS = 6      # the heading of a table of contents; the section ends with the last entry
    STRUCTURE_REPEATED = 7      # headings that repeat the one before them, which begins the section


ctypedef struct Structure:
    uint32_t first              # its blocks are [first, end)
    uint32_t end
    uint32_t section            # its section: [section, section_end); of a note: the block that refers to it
    uint32_t section_end
    uint32_t kind               # StructureKind


ctypedef struct StructureArray:
    Structure* structures       # of one page: tables and listings in document order, then the others
    uint32_t n_structures
    size_t capacity
    uint32_t* words             # of each block
    size_t words_capacity


cdef inline bint is_structure(const Structure* one, uint32_t n_blocks) noexcept nogil:
    """True if the numbers of a structure are possible on a page with that many blocks."""
    return (
        one.first < one.end <= n_blocks and one.section <= one.first and one.end <= one.section_end <= n_blocks
        and one.kind <= STRUCTURE_REPEATED
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
cdef void decide_structures(
    const Structure* structures, uint32_t n_structures, const uint32_t* words, uint32_t n_blocks, uint8_t* keep
) noexcept nogil
cdef size_t structures_bytes(const StructureArray* array) noexcept nogil
cdef void free_structures(StructureArray* array) noexcept nogil
