# SPDX-License-Identifier: Apache-2.0
"""Marks before a text: the box of a task (`[x] `) and what else begins a text and is written as it is.

A mark is a text node of CONSTRUCT_MARK: `[`…`]`, then perhaps `:`. What follows in the node is text as any other.
"""

from libc.stdint cimport uint32_t

from thresher.native.constructs.construct cimport Rewriting


cdef bint is_inline_tag(uint32_t tag) noexcept nogil
cdef bint is_unread(uint32_t tag) noexcept nogil
cdef bint is_blank_text(const Rewriting* page, uint32_t n) noexcept nogil
cdef uint32_t first_text(const Rewriting* page, uint32_t n, uint32_t end, bint* same_line) noexcept nogil
cdef void mark_text(Rewriting* page, uint32_t text, uint32_t around, const char* mark) noexcept nogil
cdef bint rewrite_box(Rewriting* page, uint32_t n) noexcept nogil
