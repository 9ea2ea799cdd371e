# SPDX-License-Identifier: Apache-2.0
"""Character references: &amp; &#228; &#xE4; and the 2,231 names of the standard."""

from libc.stdint cimport uint8_t, uint32_t


cdef enum:
    REFERENCE_BYTES = 8     # most UTF-8 bytes that a reference stands for


cdef uint32_t decode_reference(
    const uint8_t* p, const uint8_t* end, bint in_attribute, uint8_t* out, uint32_t* written
) noexcept nogil
