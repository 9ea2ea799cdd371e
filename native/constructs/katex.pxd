# SPDX-License-Identifier: Apache-2.0
"""What KaTeX displays, converted back to TeX, for pages that keep no other form of a formula.

KaTeX builds a formula from spans. Their classes say what they are (mord, mfrac, msupsub, sqrt, accent, mtable), their
styles say where they stand. Fractions, scripts, roots, accents, limits and tables are rebuilt from these.
"""

from thresher.native.constructs.construct cimport *


cdef bint convert_katex(Rewriting* page, uint32_t n) noexcept nogil
