# SPDX-License-Identifier: Apache-2.0
"""Plain text: the text of the kept blocks as UTF-8.

A blank line separates paragraphs, headings and other blocks. List items and table rows stand on consecutive lines, and
a tab separates the cells of a row. <br> is a line break. Preformatted text keeps its lines and spaces, even if each
line is an element of its own. Other white space is collapsed across inline elements, as in a browser. Only white space
is added: without it, the output is a subsequence of the page's visible text. The exceptions are superscripts,
subscripts and formulas (raised.pxd).
"""

from thresher.native.writing.output cimport *


cdef const Writer* plain_writer() noexcept nogil
cdef void lay_out_blocks(
    BlockLayout* layouts, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t* cells
) noexcept nogil
cdef int join_texts(
    TextBuffer* text, const BlockLayout* layouts, const uint32_t* numbers, uint32_t n_blocks, const uint8_t* texts,
    const uint32_t* ends, const uint8_t* keep, uint32_t n_nodes
) noexcept nogil
