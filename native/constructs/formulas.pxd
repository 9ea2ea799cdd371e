# SPDX-License-Identifier: Apache-2.0
"""Formulas as TeX. Each function takes an element that may hold a formula and says whether it rewrote it."""

from libc.stdint cimport uint32_t

from thresher.native.constructs.construct cimport Rewriting


cdef bint rewrite_math(Rewriting* page, uint32_t n) noexcept nogil
