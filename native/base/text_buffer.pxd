# SPDX-License-Identifier: Apache-2.0
"""A growing buffer of text.

After running out of memory, the buffer has `failed`: it keeps its contents and ignores further text. So writers append
without checking, and whoever began the text checks once at the end.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcpy, strlen

from thresher.native.base.arrays cimport OUT_OF_MEMORY, make_room
from thresher.native.base.check cimport THRESHER_CHECK


ctypedef struct TextBuffer:
    uint8_t* data
    size_t length
    size_t capacity
    bint failed


cdef inline void start_text(TextBuffer* text) noexcept nogil:
    """Empty the buffer but keep its memory."""
    text.length = 0
    text.failed = False


cdef inline int text_room(TextBuffer* text, size_t more) noexcept nogil:
    """Make room for `more` bytes, which the caller then fills in."""
    if text.failed or make_room(&text.data, &text.capacity, text.length + more) < 0:
        text.failed = True
        return OUT_OF_MEMORY
    return 0


cdef inline void put(TextBuffer* text, const uint8_t* bytes, size_t length) noexcept nogil:
    """Append some bytes. `bytes` may be NULL if there are none."""
    if length == 0 or text_room(text, length) < 0:
        return
    memcpy(text.data + text.length, bytes, length)
    text.length += length


cdef inline void put_string(TextBuffer* text, const char* string) noexcept nogil:
    """Append a literal."""
    put(text, <const uint8_t*> string, strlen(string))


cdef inline void put_byte(TextBuffer* text, uint8_t byte) noexcept nogil:
    if text_room(text, 1) < 0:
        return
    text.data[text.length] = byte
    text.length += 1


cdef inline void put_times(TextBuffer* text, uint8_t byte, uint32_t count) noexcept nogil:
    """Append a byte `count` times."""
    cdef uint32_t i
    for i in range(count):
        put_byte(text, byte)


cdef inline void put_number(TextBuffer* text, uint32_t number) noexcept nogil:
    """Append a number in decimal."""
    cdef uint8_t[10] digits
    cdef uint32_t first = 10
    while True:
        first -= 1
        digits[first] = <uint8_t> (c"0" + number % 10)
        number //= 10
        if number == 0:
            break
    put(text, digits + first, 10 - first)


cdef inline void cut_text(TextBuffer* text, size_t length) noexcept nogil:
    """Remove everything after the first `length` bytes."""
    THRESHER_CHECK(length <= text.length)
    text.length = length


cdef inline uint8_t last_byte(const TextBuffer* text) noexcept nogil:
    """The last byte; a line feed if the buffer is empty."""
    return text.data[text.length - 1] if text.length else c"\n"
