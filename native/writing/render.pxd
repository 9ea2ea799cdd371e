# SPDX-License-Identifier: Apache-2.0
"""Rendering: the text of the kept blocks of a page as UTF-8 bytes.

Paragraphs, headings and other blocks are separated by a blank line; consecutive list items and table rows stand on consecutive
lines, the cells of one row are separated by a tab; <br> is a new line; preformatted text keeps its lines and spaces, also where each line is an element of its own.
White space is otherwise collapsed across inline elements as in a browser. Nothing is added but white space: without it,
the output is a subsequence of the page's visible text.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.parsing.document cimport Tree
from thresher.native.measuring.metrics cimport MetricsArray


ctypedef struct TextBuffer:
    uint8_t* data
    size_t length
    size_t capacity


cdef int render_text(
    TextBuffer* text, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const uint8_t* keep
) except -1 nogil
