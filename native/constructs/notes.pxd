# SPDX-License-Identifier: Apache-2.0
"""Footnotes: a reference becomes `[^1]`, its note begins with `[^1]: `, and the links back are removed.

A link is a reference if three things hold: its text is a number, a letter or a symbol; it leads to an element of this
page; and that element, or the item or paragraph around it, contains a link back to the reference. Without a link back,
two of these three must hold: the link is raised, its fragment is named like a note, and the note is an item or begins
with the same number.

A raised number without a link is a reference if a later paragraph begins with the same raised number, or if an item
with that number stands in a list named for footnotes. Such paragraphs must stand in a row, numbered from 1, or be named
for footnotes themselves.

Notes are numbered in the order of their first references. A list of notes stops being a list, and its items become
paragraphs.
"""

from libc.stdint cimport uint32_t

from thresher.native.constructs.construct cimport Rewriting


cdef bint may_be_reference(const Rewriting* page, uint32_t n) noexcept nogil
cdef bint may_be_raised(const Rewriting* page, uint32_t n) noexcept nogil
cdef void rewrite_notes(Rewriting* page) noexcept nogil
