# SPDX-License-Identifier: Apache-2.0
"""Footnotes: a reference becomes `[^1]`, its note begins with `[^1]: `, and the links that lead back go.

A link is a reference where three things hold: its text is a number, a letter or a symbol; it leads to an element of
this page; and in that element, or in the item or paragraph around it, a link leads back to the reference. Where none
leads back, two of three things must tell the note: the link is raised, its fragment is named for a note, and the note
is an item or begins with the same number.

A raised number without a link is a reference if a later paragraph begins with the same raised number, or it is the
number of an item in a list that is named for footnotes. Such paragraphs come in a row, numbered from 1, or are named
for footnotes themselves.

Notes are numbered in the order of their first references. A list of notes is no list any more, its items are
paragraphs.
"""

from libc.stdint cimport uint32_t

from thresher.native.constructs.construct cimport Rewriting


cdef bint may_be_reference(const Rewriting* page, uint32_t n) noexcept nogil
cdef bint may_be_raised(const Rewriting* page, uint32_t n) noexcept nogil
cdef void rewrite_notes(Rewriting* page) noexcept nogil
