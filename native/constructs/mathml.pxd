# SPDX-License-Identifier: Apache-2.0
"""Presentation MathML as TeX, for formulas whose TeX the page does not keep.

MathJax displays a formula with its own elements (mjx-mfrac) or with SVG (<g data-mml-node="mfrac">). Their names and
structure follow MathML, so one converter reads all three. Unknown elements are passed on as text. Nothing is dropped
except what MathML itself hides.
"""

from thresher.native.constructs.construct cimport *


cdef bint is_prefixed_math(Slice name) noexcept nogil
cdef Slice name_in_math(const Tree* tree, uint32_t n) noexcept nogil
cdef bint convert_math(Rewriting* page, uint32_t n) noexcept nogil
