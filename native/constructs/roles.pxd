# SPDX-License-Identifier: Apache-2.0
"""Elements that a role makes something else.

- Tables built without table, tr and td (role="table", role="row", role="cell" and similar) become table elements.
- A list of tabs is removed if it holds nothing else: one with the role `tablist` that has no panels or headings in it.
  Accordion headings, which can have the role `tab`, stay.
- A div or paragraph with the role of a heading becomes a heading of the level that it states.
"""

from libc.stdint cimport uint32_t

from thresher.native.constructs.construct cimport Rewriting, Slice


cdef bint rewrite_role(Rewriting* page, uint32_t n, Slice role) noexcept nogil
