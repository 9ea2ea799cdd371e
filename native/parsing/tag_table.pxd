# SPDX-License-Identifier: Apache-2.0
"""Tables of a byte for each tag, filled from names when a module is imported; and the names as C strings."""

from libc.stdint cimport uint8_t, uint32_t


cdef int fill_tags(uint8_t* table, object rows, uint8_t others=*) except -1
cdef const char* spelling_of(uint32_t tag) noexcept nogil
