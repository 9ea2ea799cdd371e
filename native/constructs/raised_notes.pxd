# SPDX-License-Identifier: Apache-2.0
"""Footnotes that raised numbers refer to without a link.

A raised number is a reference if a later paragraph begins with the same raised or bold number, or if an item with that
number stands in a list named for footnotes or in an aside. Such paragraphs must stand in a row, numbered from 1, or be
named for footnotes themselves. References and notes are written like those of notes.pxd, and numbered after them.
"""

from thresher.native.constructs.construct cimport *


cdef uint32_t number_of(const Rewriting* page, uint32_t n) noexcept nogil
cdef void rewrite_raised_notes(Rewriting* page, uint32_t n_notes) noexcept nogil
