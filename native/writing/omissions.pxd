# SPDX-License-Identifier: Apache-2.0
"""What every format leaves out.

- Of a heading: its link to itself, and MediaWiki's edit links. These are controls, not text. A writer calls
  is_omitted() only for elements in the block of a heading.
- A block in which a reader sees nothing: no-break spaces, invisible characters, the glyphs of icon fonts. Editors write
  such paragraphs as vertical space.

A block of which nothing remains is treated as if it had no text.
"""

from thresher.native.measuring.blocks cimport Block, is_heading
from thresher.native.measuring.metrics cimport FLAG_BLANK, MetricsArray, next_visible
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport *


cdef bint is_omitted(const Tree* tree, const MetricsArray* metrics, const Block* block, uint32_t node) noexcept nogil
cdef bint nothing_remains(const Tree* tree, const MetricsArray* metrics, const Block* block) noexcept nogil
cdef bint ends_invisibly(
    const Tree* tree, const MetricsArray* metrics, const Block* block, uint32_t text
) noexcept nogil


cdef inline bint is_left_out(const Tree* tree, const MetricsArray* metrics, const Block* block) noexcept nogil:
    """True for a block of which nothing remains."""
    return (block.words == 0 or is_heading(block)) and nothing_remains(tree, metrics, block)


cdef inline bint is_nothing(
    const Tree* tree, const MetricsArray* metrics, const Block* block, uint32_t text, uint8_t first
) noexcept nogil:
    """True for an invisible text at the end of its block. `first`, its first byte, decides for most texts."""
    return (first >= 0xC2 or is_space(first)) and ends_invisibly(tree, metrics, block, text)


cdef uint32_t first_written(const Tree* tree, const MetricsArray* metrics, const Block* block) noexcept nogil
