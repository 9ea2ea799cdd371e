# SPDX-License-Identifier: Apache-2.0
"""Markup: the kept blocks of a page as Markdown (CommonMark with GitHub's tables) or as minimal HTML.

One walk over the nodes keeps two short stacks: *containers* (quote, list, item, data table, row, cell, …) and *spans*
(strong, emphasis, code, link, sub, sup). A container or span is written only when text in it is written, so elements
without kept text leave no trace. A *leaf* holds the text of one block: a paragraph, a heading, code, or the bare text
of a list item or cell.

The text is that of render_text(), with white space collapsed in the same places. Special characters of the format are
escaped, so that a parser returns the text. HTML output uses only the elements p, h1 to h6, ul, ol, li, dl, dt, dd,
blockquote, pre, code, table, caption, tr, td, th, strong, em, sub, sup, br, and on request a and img. Its only
attributes are href, src, alt, start, reversed, value, colspan, rowspan and class (language-… of code). Depth is
bounded: containers beyond 24 levels and spans beyond 8 are omitted, but their text is kept.
"""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Slice, Tree
from thresher.native.base.scratch cimport Scratch
from thresher.native.writing.output cimport (
    FORMAT_HTML, FORMAT_MARKDOWN, FORMAT_SOURCE, FORMAT_TEXT, Format, MarkupOptions, Output,
)
from thresher.native.base.text_buffer cimport TextBuffer


ctypedef struct Passage:        # one element's content, written by itself; one struct for all passages of a page
    uint32_t first              # its first node
    uint32_t end                # one past its last node
    # What the passages before it used up of the page's bounds, and the base of its addresses.
    bint begun
    Slice base
    size_t addresses
    size_t repeated
    uint32_t covered


# `passage` is NULL for the whole page. Passages are written without images.
cdef int render_markup(
    TextBuffer* text, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const uint8_t* keep,
    Scratch* scratch,
    const MarkupOptions* options,
    Passage* passage
) noexcept nogil


# What source.pyx needs as well.
cdef void find_base(Output* output) noexcept nogil
cdef void begin_passage(Output* output, const Passage* passage) noexcept nogil
cdef void end_passage(const Output* output, Passage* passage) noexcept nogil
cdef void add_up(uint32_t* sums, const BlockArray* blocks, const uint8_t* keep) noexcept nogil
