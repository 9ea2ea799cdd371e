# SPDX-License-Identifier: Apache-2.0
"""Lines of the visible text that may hold a page's date or its authors' names."""

from libc.stdint cimport uint8_t, uint32_t


cdef bint begins_by(const uint8_t* text, uint32_t length) noexcept nogil
