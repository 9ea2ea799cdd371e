# SPDX-License-Identifier: Apache-2.0
"""Pages that show the beginning of their text to those who have not paid or logged in.

A wall is seen where its notice (furniture_words.py) ends the page's own prose: no prose of its own follows, in the same
element or as much as before. All that is behind it is furniture. A notice amid an article is only left out itself.

Many pages that say that they are not free hold the whole text. They are walled if they show little prose of their own.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint32_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Tree
from thresher.native.shown.decision cimport ShownArray


cdef enum:
    LITTLE_PROSE = 200      # words that a page has whose declared wall hides the rest
    MAX_NOTICES = 8         # of walls that are looked at


cdef bint is_declared_not_free(const Tree* tree, const ShownArray* shown) noexcept nogil
cdef bint is_named_wall(const Tree* tree, uint32_t n) noexcept nogil
cdef bint ends_text(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t b, size_t before
) noexcept nogil
cdef size_t own_prose(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t* last
) noexcept nogil
