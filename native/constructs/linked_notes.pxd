# SPDX-License-Identifier: Apache-2.0
"""Footnotes to which links lead.

A link is a reference if three things hold: its text is a number, a letter or a symbol; it leads to an element of this
page; and that element, or the item or paragraph around it, contains a link back to the reference. Without a link back,
two of these three must hold: the link is raised, its fragment is named like a note, and the note is an item or begins
with the same number. A paragraph can hold several notes, each with its number behind two line breaks. The links back
are removed.
"""

from thresher.native.constructs.construct cimport *


cdef bint may_be_reference(const Rewriting* page, uint32_t n) noexcept nogil
cdef uint32_t rewrite_linked_notes(Rewriting* page) noexcept nogil
