# SPDX-License-Identifier: Apache-2.0
"""The lines of a listing, assembled from the elements that show them."""

from libc.stdint cimport uint32_t

from thresher.native.constructs.construct cimport Rewriting, Slice


cdef bint is_gutter(const Rewriting* page, uint32_t n) noexcept nogil
cdef Slice put_lines(Rewriting* page, uint32_t n) noexcept nogil
