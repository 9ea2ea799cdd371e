# SPDX-License-Identifier: Apache-2.0
"""Images of formulas as TeX, from their alternative text or from the address of a service that renders TeX."""

from thresher.native.constructs.construct cimport *


cdef bint rewrite_image(Rewriting* page, uint32_t n) noexcept nogil
