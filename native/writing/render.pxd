# SPDX-License-Identifier: Apache-2.0
"""Rendering: the text of the kept blocks of a page as UTF-8.

A blank line separates paragraphs, headings and other blocks. List items and table rows stand on consecutive lines, and
a tab separates the cells of a row. <br> is a line break. Preformatted text keeps its lines and spaces, even if each
line is an element of its own. Other white space is collapsed across inline elements, as in a browser. Only white space
is added: without it, the output is a subsequence of the page's visible text. The exceptions are superscripts,
subscripts and formulas (raised.pxd).
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.parsing.document cimport Tree
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.base.text_buffer cimport TextBuffer


ctypedef struct BlockLayout:    # 40 bytes: all that the white space around a block depends on; numbers of nodes
    uint32_t item           # the innermost li, dt, dd, td or th around it; 0 if there is none
    uint32_t item_end
    uint32_t list           # the item's parent; for a cell its row
    uint32_t list_end
    uint32_t table          # for a cell, the table at most three levels up; 0 if there is none
    uint32_t element        # as in Block
    uint32_t code_end       # for preformatted text, one past the pre element around it; otherwise 0
    uint32_t cells_before   # for a cell, the number of displayed cells before it in its row
    uint32_t empty_cells    # for a cell, cells_before if those are few and none has text; otherwise 0
    uint8_t kind            # as in Block
    uint8_t separator
    uint8_t alone
    uint8_t is_cell


cdef void lay_out_blocks(
    BlockLayout* layouts, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t* cells
) noexcept nogil
cdef int join_texts(
    TextBuffer* text, const BlockLayout* layouts, const uint32_t* numbers, uint32_t n_blocks, const uint8_t* texts,
    const uint32_t* ends, const uint8_t* keep, uint32_t n_nodes
) noexcept nogil
cdef int render_text(
    TextBuffer* text, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const uint8_t* keep
) noexcept nogil
