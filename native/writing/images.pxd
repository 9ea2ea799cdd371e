# SPDX-License-Identifier: Apache-2.0
"""Images of the main text: which ones belong to it, and where each of them is."""

from libc.stdint cimport uint32_t

from thresher.native.parsing.document cimport Tree
from thresher.native.writing.output cimport Output


cdef bint belongs(const Output* output, uint32_t image, const uint32_t* sums) noexcept nogil
cdef bint stands_in_text(const Output* output, uint32_t image, const uint32_t* sums) noexcept nogil
cdef bint is_one(const Tree* tree, uint32_t node, uint32_t name) noexcept nogil
cdef bint is_copy(const Output* output, uint32_t node) noexcept nogil
cdef bint put_image_address(Output* output, uint32_t node) noexcept nogil
