# SPDX-License-Identifier: Apache-2.0
"""Writing the kept blocks of a page: the one walk over its nodes, for every format.

The walk decides what is written at all. A block is written if it is kept and something of it remains (omissions.pxd).
Of its nodes, those are written that are visible and that their heading does not leave out. How is up to the writer of
the format (output.pxd).
"""

from libc.stdint cimport uint8_t

from thresher.native.base.scratch cimport Scratch
from thresher.native.base.text_buffer cimport TextBuffer
from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Tree
from thresher.native.writing.output cimport MarkupOptions, Passage, Pictures


# `passage` is NULL for the whole page, `pictures` unless they are what is asked for. Passages are written without
# images. Plain text needs no `scratch`, and `blocks` may then be a run of the page's.
cdef int render(
    TextBuffer* text, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const uint8_t* keep,
    Scratch* scratch, const MarkupOptions* options, Passage* passage, Pictures* pictures
) noexcept nogil
cdef int render_text(
    TextBuffer* text, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const uint8_t* keep
) noexcept nogil
