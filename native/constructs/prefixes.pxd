# SPDX-License-Identifier: Apache-2.0
"""Marks: text at the beginning of an item or note that is written unescaped, such as the box of a task (`[x] `).

A mark is the beginning of a text node of CONSTRUCT_PREFIX: `[`…`]`, then perhaps `:`. The rest of the node is ordinary
text.
"""

from libc.stdint cimport uint32_t

from thresher.native.constructs.construct cimport Rewriting


cdef bint is_inline_tag(uint32_t tag) noexcept nogil
cdef bint is_unread(const Rewriting* page, uint32_t n) noexcept nogil
cdef bint is_blank_text(const Rewriting* page, uint32_t n) noexcept nogil
cdef uint32_t first_text(const Rewriting* page, uint32_t n, uint32_t end, bint* same_line) noexcept nogil
cdef void put_prefix(Rewriting* page, uint32_t text, uint32_t around, const char* mark) noexcept nogil
cdef bint rewrite_box(Rewriting* page, uint32_t n) noexcept nogil
