# SPDX-License-Identifier: Apache-2.0
"""Text in which a reader sees nothing: no-break spaces, invisible characters, the glyphs of icon fonts.

Editors write such text as vertical space and as empty cells. For the metrics and the scorer it is text like any other.
"""

from libc.stdint cimport uint32_t

from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Tree


cdef enum:
    MAX_INVISIBLE = 64      # characters, and nodes, of what may be invisible; more is not inspected


cdef bint is_invisible(const Tree* tree, const MetricsArray* metrics, uint32_t text) noexcept nogil
cdef bint shows_nothing(const Tree* tree, const MetricsArray* metrics, uint32_t first, uint32_t end) noexcept nogil
cdef bint is_empty(const Tree* tree, const MetricsArray* metrics, uint32_t node) noexcept nogil
