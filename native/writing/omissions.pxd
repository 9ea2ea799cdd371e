# SPDX-License-Identifier: Apache-2.0
"""What is left out of headings and code in every format: a heading's link to itself, the numbers of lines, the buttons
of a listing.

These belong to the page's machinery and not to its text. A writer asks may_omit() once for each block; only if that
holds does it ask is_omitted() for the elements in the block. A block of which nothing is left is treated as if it had
no text.
"""

from libc.stdint cimport uint32_t

from thresher.native.measuring.blocks cimport BLOCK_HEADING_1, BLOCK_HEADING_6, Block
from thresher.native.measuring.metrics cimport FLAG_PREFORMATTED, MetricsArray
from thresher.native.parsing.document cimport Tree


cdef inline bint is_heading(const Block* block) noexcept nogil:
    return BLOCK_HEADING_1 <= block.kind <= BLOCK_HEADING_6


cdef inline bint may_omit(const MetricsArray* metrics, const Block* block) noexcept nogil:
    """True for headings and preformatted text, of which something may be left out."""
    return is_heading(block) or metrics.nodes[block.start].flags & FLAG_PREFORMATTED != 0


cdef bint is_omitted(const Tree* tree, const MetricsArray* metrics, const Block* block, uint32_t node) noexcept nogil
cdef bint is_omitted_block(const Tree* tree, const MetricsArray* metrics, const Block* block) noexcept nogil
cdef uint32_t first_written(const Tree* tree, const MetricsArray* metrics, const Block* block) noexcept nogil
