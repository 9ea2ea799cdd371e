# SPDX-License-Identifier: Apache-2.0
"""64-bit hashes of bytes and of white-space-normalised text, used to compare nodes of different pages.

Two different values collide with probability 2^-64. A page written to make its own nodes collide only blurs its own
template.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy


cdef inline uint64_t mix(uint64_t state, uint64_t value) noexcept nogil:
    """The state after one more value; the order of values matters."""
    state = (state ^ value) * <uint64_t> 0xD6E8FEB86659FD93
    return state ^ (state >> 32)


cdef inline uint64_t hash64(const uint8_t* data, size_t length, uint64_t seed) noexcept nogil:
    """The hash of some bytes; the same on every machine of the same byte order."""
    cdef uint64_t state = mix(seed, length), word
    while length >= 8:
        memcpy(&word, data, 8)
        state = mix(state, word)
        data += 8
        length -= 8
    if length:
        word = 0
        memcpy(&word, data, length)
        state = mix(state, word)
    return mix(state, seed)


cdef inline uint32_t space_at(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """The length in bytes of the white space character at p; 0 if there is none. All Unicode white space counts,
    no-break spaces included.
    """
    cdef uint8_t byte = p[0]
    if byte < 0x80:
        return byte == 0x20 or 0x09 <= byte <= 0x0D or 0x1C <= byte <= 0x1F
    if byte == 0xC2:
        return 2 if end - p >= 2 and (p[1] == 0xA0 or p[1] == 0x85) else 0
    if end - p < 3 or not 0xE1 <= byte <= 0xE3:
        return 0
    if byte == 0xE2 and p[1] == 0x80:
        return 3 if 0x80 <= p[2] <= 0x8A or p[2] == 0xA8 or p[2] == 0xA9 or p[2] == 0xAF else 0
    if (byte == 0xE1 and p[1] == 0x9A and p[2] == 0x80) or (byte == 0xE2 and p[1] == 0x81 and p[2] == 0x9F) or (
        byte == 0xE3 and p[1] == 0x80 and p[2] == 0x80
    ):
        return 3
    return 0


cdef inline const uint8_t* next_token(const uint8_t* p, const uint8_t* end, uint32_t* length) noexcept nogil:
    """The next token between white space and its length; length 0 if none is left."""
    cdef const uint8_t* start
    cdef uint32_t space
    while p < end:
        space = space_at(p, end)
        if space == 0:
            break
        p += space
    start = p
    while p < end and space_at(p, end) == 0:
        p += 1
    length[0] = <uint32_t> (p - start)
    return start
