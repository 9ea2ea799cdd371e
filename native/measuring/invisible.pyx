# SPDX-License-Identifier: Apache-2.0
"""Tells texts of which a reader sees nothing from others."""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.base.characters cimport is_space
from thresher.native.measuring.metrics cimport FLAG_BLANK, FLAG_PREFORMATTED, next_visible
from thresher.native.parsing.reading cimport *


cdef inline uint32_t invisible_at(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Length in bytes of the invisible character at p, or of the icon of an icon font; 0 if a reader sees it as text.
    """
    if p[0] < 0x80:
        return is_space(p[0])
    if end - p >= 2 and p[0] == 0xC2:
        return 2 if p[1] == 0xA0 or p[1] == 0xAD else 0     # no-break space, soft hyphen
    if end - p < 3:
        return 0
    if p[0] == 0xE2:
        if p[1] == 0x80:    # spaces, joiners and marks of direction; U+2010 to U+2027 are punctuation
            return 3 if p[2] <= 0x8F or 0xA8 <= p[2] <= 0xAF else 0
        return 3 if p[1] == 0x81 and 0x9F <= p[2] <= 0xAF else 0
    if p[0] == 0xE3:
        return 3 if p[1] == 0x80 and p[2] == 0x80 else 0    # ideographic space
    if p[0] == 0xEE or (p[0] == 0xEF and (p[1] <= 0xA3 or (p[1] == 0xBB and p[2] == 0xBF))):
        return 3            # private use, byte order mark
    return 4 if end - p >= 4 and (p[0] == 0xF4 or (p[0] == 0xF3 and p[1] >= 0xB0)) else 0  # private use


cdef bint is_invisible(const Tree* tree, const MetricsArray* metrics, uint32_t text) noexcept nogil:
    """True for a text node outside code in which a reader sees nothing."""
    cdef Slice slice
    cdef const uint8_t* p
    cdef uint32_t length
    if metrics.nodes[text].flags & FLAG_BLANK:
        return True
    if metrics.nodes[text].flags & FLAG_PREFORMATTED or tree.nodes[text].namespace != CONSTRUCT_NONE:
        return False
    slice = text_of(tree, text)
    p = slice.data
    while p < slice.data + slice.length:
        length = invisible_at(p, slice.data + slice.length)
        if length == 0:
            return False
        p += length
    return True


cdef bint shows_nothing(const Tree* tree, const MetricsArray* metrics, uint32_t first, uint32_t end) noexcept nogil:
    """True if a reader sees no text in nodes [first, end). False for more than MAX_INVISIBLE nodes, which are not
    inspected.
    """
    cdef uint32_t n
    if end - first > MAX_INVISIBLE:
        return False
    n = next_visible(tree, metrics, first, end)
    while n < end:
        if tree.nodes[n].kind == KIND_TEXT and not is_invisible(tree, metrics, n):
            return False
        n = next_visible(tree, metrics, n + 1, end)
    return True


cdef bint is_empty(const Tree* tree, const MetricsArray* metrics, uint32_t node) noexcept nogil:
    """True for an element in which a reader sees no text. For most elements their words or characters decide."""
    if metrics.nodes[node].characters == 0:
        return True
    return (
        metrics.nodes[node].words == 0 and metrics.nodes[node].characters <= MAX_INVISIBLE
        and shows_nothing(tree, metrics, node + 1, tree.nodes[node].end)
    )
