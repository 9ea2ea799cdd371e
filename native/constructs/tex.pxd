# SPDX-License-Identifier: Apache-2.0
"""TeX as it is written: without the delimiters and the style that it came with, between dollars, and so that it stays
text where a renderer knows no mathematics.
"""

from thresher.native.constructs.construct cimport *


cdef enum:
    MAX_FORMULA = 1 << 15   # bytes of a formula's TeX


cdef bint without_delimiters(Slice* tex, bint* display) noexcept nogil
cdef uint32_t past_group(Slice tex, uint32_t i) noexcept nogil
cdef bint only_defines(Slice tex) noexcept nogil
cdef bint append_tex(TextBuffer* text, Slice tex, bint display) noexcept nogil
