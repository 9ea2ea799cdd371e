# SPDX-License-Identifier: Apache-2.0
"""Whether bytes are UTF-8."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t


cdef bint is_utf8(const uint8_t* text, size_t n) noexcept nogil
