# SPDX-License-Identifier: Apache-2.0
"""Character references: &amp; &#228; &#xE4; and the 2,231 names of the standard."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp

from thresher.native.base.text_buffer cimport TextBuffer, text_room


cdef enum:
    REFERENCE_BYTES = 8     # most UTF-8 bytes that a reference stands for


cdef uint32_t decode_reference(
    const uint8_t* p, const uint8_t* end, bint in_attribute, uint8_t* out, uint32_t* written
) noexcept nogil


cdef uint32_t encode_utf8(uint32_t code, uint8_t* out) noexcept nogil


cdef inline void put_code(TextBuffer* text, uint32_t code) noexcept nogil:
    """Append a character as UTF-8."""
    if text_room(text, REFERENCE_BYTES) == 0:
        text.length += encode_utf8(code, text.data + text.length)


cdef inline uint8_t hexadecimal_digit(uint8_t c) noexcept nogil:
    """The value of a hexadecimal digit, 16 for anything else."""
    if c"0" <= c <= c"9":
        return c - c"0"
    c |= 0x20
    return c - c"a" + 10 if c"a" <= c <= c"f" else 16


cdef inline uint32_t decode_common(
    const uint8_t* p, const uint8_t* end, uint8_t* out, uint32_t* written
) noexcept nogil:
    """decode_reference() for the two that most references are, in addresses and in JSON in attributes: &amp; and
    &quot;. 0 for all others.
    """
    if end - p >= 6:
        if memcmp(p, b"&quot;", 6) == 0:
            out[0] = c'"'
            written[0] = 1
            return 6
        if memcmp(p, b"&amp;", 5) == 0:
            out[0] = c"&"
            written[0] = 1
            return 5
    return 0
