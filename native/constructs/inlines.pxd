# SPDX-License-Identifier: Apache-2.0
"""What a browser shows in a line of text otherwise than as its characters: readings, quotation marks, and characters
that it does not show at all.

- The reading of a ruby annotation stands in parentheses: 漢字(かんじ).
- A q element has quotation marks.
- Outside code, soft hyphens, word joiners, byte order marks and zero-width spaces go. Those that divide the words of
  Thai, Lao, Khmer or Burmese stay.
"""

from libc.stdint cimport uint32_t

from thresher.native.constructs.construct cimport Rewriting


cdef bint rewrite_reading(Rewriting* page, uint32_t n) noexcept nogil
cdef void rewrite_quotation(Rewriting* page, uint32_t n) noexcept nogil
cdef void drop_invisible(Rewriting* page, uint32_t n) noexcept nogil
