# SPDX-License-Identifier: Apache-2.0
"""Elements that a role or a class makes something else than text of the page.

- Tables built without table, tr and td (role="table", role="row", role="cell" and similar) become table elements.
- A list of tabs is removed if it holds nothing else: one with the role `tablist` that has no panels or headings in it,
  or with a class for it. Accordion headings, which can have the role `tab`, stay.
- A div or paragraph with the role of a heading becomes a heading of the level that it states.
- Links that edit a section or lead to their own place, and the numbers of a notebook's cells, are removed.
"""

from thresher.native.constructs.construct cimport *


cdef bint rewrite_role(Rewriting* page, uint32_t n, Slice role) noexcept nogil
cdef bint is_own_link(const Rewriting* page, uint32_t n) noexcept nogil
cdef bint rewrite_control(Rewriting* page, uint32_t n, uint32_t said) noexcept nogil
