# SPDX-License-Identifier: Apache-2.0
"""What is left out of headings in every format: a heading's link to itself, and MediaWiki's links that edit a section.

It belongs to the page's machinery and not to its text. Only for headings does a writer ask is_omitted() for the elements
in the block. A block of which nothing is left is treated as if it had no text.
"""

from libc.stdint cimport uint32_t

from thresher.native.measuring.blocks cimport BLOCK_HEADING_1, BLOCK_HEADING_6, Block
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Tree


cdef inline bint is_heading(const Block* block) noexcept nogil:
    return BLOCK_HEADING_1 <= block.kind <= BLOCK_HEADING_6


cdef bint is_omitted(const Tree* tree, const MetricsArray* metrics, const Block* block, uint32_t node) noexcept nogil
cdef bint is_omitted_block(const Tree* tree, const MetricsArray* metrics, const Block* block) noexcept nogil
cdef uint32_t first_written(const Tree* tree, const MetricsArray* metrics, const Block* block) noexcept nogil
