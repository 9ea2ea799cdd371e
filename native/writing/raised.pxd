# SPDX-License-Identifier: Apache-2.0
"""Superscripts and subscripts for formats without sub and sup elements.

Numbers become Unicode superscripts and subscripts: H₂O, m², 10⁻³. Other exponents and indices are written as
mathematicians type them: x^(n+1), x_i, 10^(10²). Text that is raised only for looks is unchanged: 1st, Mme, footnote marks.
"""

from thresher.native.writing.output cimport *


cdef enum:
    MAX_RAISED = 24                     # bytes of raised text that can be rewritten
    RAISED_ROOM = 3 * MAX_RAISED + 4    # bytes that it can become


cdef uint32_t raise_text(
    uint8_t* out, const Tree* tree, const MetricsArray* metrics, const Block* block, uint32_t node, bint links
) noexcept nogil
