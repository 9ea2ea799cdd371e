# SPDX-License-Identifier: Apache-2.0
"""Presentation MathML as TeX, for formulas whose TeX no page has kept.

MathJax shows a formula by elements of its own (mjx-mfrac) or by SVG (<g data-mml-node="mfrac">) whose names and shape
follow MathML, so one converter reads all three. What it does not know is passed on as text; nothing is left out but
what MathML itself does not show.
"""

from libc.stdint cimport uint32_t

from thresher.native.constructs.construct cimport Rewriting


cdef bint convert_math(Rewriting* page, uint32_t n) noexcept nogil
