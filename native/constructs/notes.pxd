# SPDX-License-Identifier: Apache-2.0
"""Footnotes: a reference becomes `[^1]`, its note begins with `[^1]: `, and the links that lead back go.

A link is a reference where three things hold: its text is a number, a letter or a symbol; it leads to an element of
this page; and in that element, or in the item or paragraph around it, a link leads back to the reference. Notes are
numbered in the order of their first references. A list of notes is no list any more, its items are paragraphs.
"""

from libc.stdint cimport uint32_t

from thresher.native.constructs.construct cimport Rewriting


cdef bint may_be_reference(const Rewriting* page, uint32_t n) noexcept nogil
cdef void rewrite_notes(Rewriting* page) noexcept nogil
