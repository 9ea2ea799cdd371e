# SPDX-License-Identifier: Apache-2.0
"""What a character counts as: white space, part of a word, a word by itself, or none of these.

Every code point has one class. A run of WORD characters is one word. A UNIT character is a word by itself, because its
script is written without spaces (Chinese characters, Kana, Bopomofo, Yi, Thai, Lao, Burmese, Khmer, Tibetan). So a
Chinese and an English page with the same content have similar word counts. Korean is written with spaces: WORD.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t


cdef enum CharacterClass:
    CHAR_OTHER = 0      # punctuation, symbols, spaces that HTML does not collapse (no-break space, U+3000)
    CHAR_SPACE = 1      # the five characters that HTML collapses: tab, line feed, form feed, carriage return, space
    CHAR_WORD = 2       # letters, digits, underscore
    CHAR_UNIT = 3       # a word by itself
    CHAR_EXTEND = 4     # combining marks, joiners, variation selectors, soft hyphen: belong to the preceding character


ctypedef struct TextMeasure:
    uint32_t characters     # code points with white space collapsed and trimmed: a run counts 1
    uint32_t words


cdef extern from "base/characters.h" nogil:
    void count_marks(
        const uint8_t* p, const uint8_t* end, const uint8_t* readable, uint32_t* marks, uint32_t* commas
    ) noexcept
    const uint8_t* scan_words(const uint8_t* p, const uint8_t* end) noexcept


cdef TextMeasure measure_text(const uint8_t* text, uint32_t length, const uint8_t* readable) noexcept nogil


cdef inline bint is_space(uint8_t byte) noexcept nogil:
    """True for HTML's ASCII white space."""
    return byte == 0x20 or (byte <= 0x0D and byte >= 0x09 and byte != 0x0B)


cdef inline const uint8_t* past_indent(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """The position after the ideographic spaces that indent a line, with white space around them; p without any."""
    cdef const uint8_t* q = p
    cdef bint indented = False
    while q < end:
        if is_space(q[0]):
            q += 1
        elif end - q >= 3 and q[0] == 0xE3 and q[1] == 0x80 and q[2] == 0x80:
            indented = True
            q += 3
        elif end - q >= 2 and q[0] == 0xC2 and q[1] == 0xA0:
            q += 2
        else:
            break
    return q if indented else p


cdef inline bint begins_ascii(
    const uint8_t* text, size_t length, const char* lower, size_t lower_length
) noexcept nogil:
    """True if text begins with a lower-case word, ignoring ASCII case."""
    cdef size_t i
    cdef uint8_t byte
    if length < lower_length:
        return False
    for i in range(lower_length):
        byte = text[i]
        if c"A" <= byte <= c"Z":
            byte |= 0x20
        if byte != <uint8_t> lower[i]:
            return False
    return True


cdef inline bint equals_ascii(
    const uint8_t* text, size_t length, const char* lower, size_t lower_length
) noexcept nogil:
    """True if text is a lower-case word, ignoring ASCII case."""
    return length == lower_length and begins_ascii(text, length, lower, lower_length)


cdef inline bint is_ascii_letter(uint8_t c) noexcept nogil:
    return c"a" <= (c | 0x20) <= c"z"


cdef inline bint is_ascii_digit(uint8_t c) noexcept nogil:
    return c"0" <= c <= c"9"


cdef inline bint is_ascii_letter_or_digit(uint8_t c) noexcept nogil:
    return c"a" <= (c | 0x20) <= c"z" or c"0" <= c <= c"9"
