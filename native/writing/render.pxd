# SPDX-License-Identifier: Apache-2.0
"""Rendering: the text of the kept blocks of a page as UTF-8 bytes.

Paragraphs, headings and other blocks are separated by a blank line; consecutive list items and table rows stand on
consecutive lines, the cells of one row are separated by a tab; <br> is a new line; preformatted text keeps its lines
and spaces, also where each line is an element of its own. White space is otherwise collapsed across inline elements as
in a browser. Nothing is added but white space: without it, the output is a subsequence of the page's visible text,
with one exception: raised and lowered numbers and formulas are told from others (raised.pxd).
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.parsing.document cimport Tree
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.writing.text_buffer cimport TextBuffer


ctypedef struct BlockLayout:    # 40 bytes; all that the white space around a block depends on; numbers are of nodes
    uint32_t item           # the innermost li, dt, dd, td or th around it, 0 where there is none
    uint32_t item_end
    uint32_t list           # the item's parent: of a cell its row
    uint32_t list_end
    uint32_t table          # of a cell, the table three steps up at most, 0 where there is none
    uint32_t element        # as in Block
    uint32_t code_end       # of preformatted text, one past the pre element around it; 0 where there is none
    uint32_t cells_before   # of a cell, how many shown ones its row has before it
    uint32_t empty_cells    # of a cell, cells_before where none of those has text and they are few; else 0
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
