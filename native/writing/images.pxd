# SPDX-License-Identifier: Apache-2.0
"""Images of the main text: which ones belong to it, where each of them is, and the list of them that is a page's
pictures.
"""

from thresher.native.writing.output cimport *


cdef const Writer* pictures_writer() noexcept nogil
cdef bint stands_in_text(const Output* output, uint32_t image, bint past_figures) noexcept nogil
cdef bint is_image(Output* output, uint32_t n) noexcept nogil
cdef bint may_hold_image(const Output* output, uint32_t n) noexcept nogil
cdef bint put_image_address(Output* output, uint32_t node) noexcept nogil
