# SPDX-License-Identifier: Apache-2.0
"""Marks: text at the beginning of an item or note that is written unescaped, such as the box of a task (`[x] `).

A mark is the beginning of a text node of CONSTRUCT_PREFIX: `[`…`]`, then perhaps `:`. The rest of the node is ordinary
text. It is also here how the texts of an element are found and gathered.
"""

from thresher.native.constructs.construct cimport *


cdef bint is_inline_tag(uint32_t tag) noexcept nogil
cdef bint is_blank_text(const Rewriting* page, uint32_t n) noexcept nogil
cdef bint is_content(const Rewriting* page, uint32_t n) noexcept nogil
cdef bint is_in_code(const Rewriting* page, uint32_t n) noexcept nogil
cdef Slice gather(const Rewriting* page, uint32_t n, const char* but, uint8_t* room, uint32_t most) noexcept nogil
cdef uint32_t first_text(const Rewriting* page, uint32_t n, uint32_t end, bint* same_line) noexcept nogil
cdef bint find_ends(const Rewriting* page, uint32_t n, uint32_t* first, uint32_t* last) noexcept nogil
cdef void put_prefix(Rewriting* page, uint32_t text, uint32_t around) noexcept nogil
cdef void rewrite_box(Rewriting* page, uint32_t n) noexcept nogil
