# SPDX-License-Identifier: Apache-2.0
"""Text that a browser displays differently from its characters: readings, quotation marks, invisible characters.
- The reading of a ruby annotation is put in parentheses: 漢字(かんじ).
- A q element gets quotation marks.
- Outside code, soft hyphens, word joiners, byte order marks and zero-width spaces are dropped. Those that separate
  words of Thai, Lao, Khmer or Burmese stay.
"""

from libc.stdint cimport uint32_t

from thresher.native.constructs.construct cimport Rewriting


cdef bint rewrite_reading(Rewriting* page, uint32_t n) noexcept nogil
cdef void rewrite_quotation(Rewriting* page, uint32_t n) noexcept nogil
cdef void drop_invisible(Rewriting* page, uint32_t n) noexcept nogil
