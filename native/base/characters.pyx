# SPDX-License-Identifier: Apache-2.0
"""The class of each character, from Unicode's tables; counts of letters, words and marks in a slice of text."""

import unicodedata

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

cdef extern from "base/characters.h" nogil:
    const uint8_t* skip_blanks(const uint8_t* p, const uint8_t* end, const uint8_t* readable) noexcept
    const uint8_t* measure_ascii(
        const uint8_t* p, const uint8_t* end, const uint8_t* readable, uint32_t* characters, uint32_t* words,
        uint8_t* previous
    ) noexcept

cdef extern from "base/wide.h" nogil:
    bint has_wide() noexcept

cdef uint64_t HIGH_BITS = 0x8080808080808080
cdef bint WIDE = has_wide()

cdef uint8_t[128] ASCII_CLASS       # CharacterClass of each ASCII character
cdef uint8_t[65536] PLANE_CLASS     # CharacterClass of each character of the basic multilingual plane
cdef uint8_t[8192] LETTERS          # a bit for each of them: 1 for a letter or mark

# First and last code point of the scripts written without spaces between words (Unicode blocks).
UNIT_BLOCKS = (
    (0x0E00, 0x0EFF),   # Thai, Lao
    (0x0F00, 0x0FFF),   # Tibetan
    (0x1000, 0x109F),   # Myanmar
    (0x1780, 0x17FF),   # Khmer
    (0x2E80, 0x31FF),   # CJK radicals, ideographic marks, Hiragana, Katakana, Bopomofo, Kanbun, CJK strokes
    (0x3400, 0x4DBF),   # CJK extension A
    (0x4E00, 0x9FFF),   # CJK unified ideographs
    (0xA000, 0xA4CF),   # Yi
    (0xA9E0, 0xA9FF),   # Myanmar extended B
    (0xAA60, 0xAA7F),   # Myanmar extended A
    (0xF900, 0xFAFF),   # CJK compatibility ideographs
    (0xFF66, 0xFF9F),   # half-width Katakana
)
HANGUL_COMPATIBILITY_JAMO = (0x3130, 0x318F)    # inside the CJK range above, but Korean

# First and last code point of ranges that have a single general category since Unicode 14: CJK extension A, CJK, Hangul
# syllables, surrogates, private use. They are two thirds of the plane and need no look-up per character.
UNIFORM = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xD800, 0xDFFF), (0xE000, 0xF8FF))


cdef void _fill(uint32_t first, uint32_t last, uint8_t kind) noexcept:
    """Give a class to a range of code points."""
    cdef uint32_t code_point
    for code_point in range(first, last + 1):
        PLANE_CLASS[code_point] = kind


cdef int _fill_tables() except -1:
    """Fill the tables once, on import, in about 2 ms, from the general category of each code point of the plane.

    Unassigned code points count as letters, like most characters that later versions of Unicode add.
    """
    cdef uint8_t[65536] is_unit
    cdef uint32_t code_point = 0, last
    cdef uint8_t kind
    cdef str category
    cdef Py_UCS4 first_letter
    memset(is_unit, 0, sizeof(is_unit))
    for first, end in UNIT_BLOCKS:
        memset(&is_unit[<uint32_t> first], 1, <uint32_t> (end + 1 - first))
    first, end = HANGUL_COMPATIBILITY_JAMO
    memset(&is_unit[<uint32_t> first], 0, <uint32_t> (end + 1 - first))
    category_of = unicodedata.category
    starts = dict(UNIFORM)
    while code_point < 65536:
        last = starts.get(code_point, code_point)
        category = category_of(chr(code_point))
        first_letter = category[0]
        if category in ("Mn", "Mc", "Me", "Cf"):
            kind = CHAR_EXTEND
        elif first_letter not in "LN" and category not in ("Cn", "Co", "Cs"):
            kind = CHAR_OTHER
        else:
            kind = CHAR_UNIT if is_unit[code_point] and category != "Nd" else CHAR_WORD
        _fill(code_point, last, kind)
        if first_letter in "LM":
            for code_point in range(code_point, last + 1):
                LETTERS[code_point >> 3] |= <uint8_t> (1 << (code_point & 7))
        code_point = last + 1
    for space in b"\t\n\f\r ":
        PLANE_CLASS[<uint32_t> space] = CHAR_SPACE
    PLANE_CLASS[0x5F] = CHAR_WORD
    memcpy(ASCII_CLASS, PLANE_CLASS, sizeof(ASCII_CLASS))
    return 0


_fill_tables()


cdef uint8_t class_beyond_plane(uint32_t code_point) noexcept nogil:
    """The class of a code point above U+FFFF: ideographs are units, emoji and notation count as nothing, all others are
    letters.
    """
    if 0x20000 <= code_point < 0x40000:
        return CHAR_UNIT
    if 0x1B000 <= code_point < 0x1B170:         # historic Kana
        return CHAR_UNIT
    if 0x1F000 <= code_point < 0x1FBF0 or 0x1D000 <= code_point < 0x1D400:
        return CHAR_EXTEND if 0x1F3FB <= code_point <= 0x1F3FF else CHAR_OTHER
    if code_point >= 0xE0000:
        return CHAR_EXTEND
    return CHAR_WORD


cdef TextMeasure measure_text(const uint8_t* text, uint32_t length, const uint8_t* readable) noexcept nogil:
    """Count characters and words of a slice of UTF-8. A malformed byte counts as one character.

    The memory may be read up to `readable`.
    """
    cdef:
        const uint8_t* p = text
        const uint8_t* end = text + length
        uint32_t characters = 0, words = 0, code_point, lead
        uint8_t previous = CHAR_OTHER, kind
        const uint8_t* start
        uint64_t eight = 0
    # White space at the ends does not count, and many texts are only white space.
    if p < end and is_space(p[0]):
        p = skip_blanks(p, end, readable)
    while p < end:
        lead = p[0]
        if lead < 0x80:
            # Blanks between words of other scripts are too short for a vector scan.
            if end - p >= 8:
                memcpy(&eight, p, 8)
            if WIDE and (end - p < 8 or not eight & HIGH_BITS):
                start = p
                p = measure_ascii(p, end, readable, &characters, &words, &previous)
                if p != start:
                    continue
            kind = ASCII_CLASS[lead]
            p += 1
            if kind == CHAR_SPACE:
                previous = CHAR_SPACE
                continue
        elif 0xE0 <= lead < 0xF0 and end - p >= 3:
            kind = PLANE_CLASS[((lead & 0x0F) << 12) | ((p[1] & 0x3F) << 6) | (p[2] & 0x3F)]
            p += 3
        elif 0xC2 <= lead < 0xE0 and end - p >= 2:
            kind = PLANE_CLASS[((lead & 0x1F) << 6) | (p[1] & 0x3F)]
            p += 2
        elif 0xF0 <= lead < 0xF5 and end - p >= 4:
            code_point = ((lead & 0x07) << 18) | ((p[1] & 0x3F) << 12) | ((p[2] & 0x3F) << 6) | (p[3] & 0x3F)
            kind = class_beyond_plane(code_point)
            p += 4
        else:
            kind = CHAR_OTHER
            p += 1
        characters += 1 + (previous == CHAR_SPACE)
        if kind == CHAR_WORD:
            words += previous != CHAR_WORD
        elif kind == CHAR_UNIT:
            words += 1
        elif kind == CHAR_EXTEND:
            # a mark has the class of its base character, so that a word continues after it
            kind = CHAR_OTHER if previous == CHAR_SPACE else previous
        previous = kind
    # In a register: reading two halves back from memory as one value would stall.
    return TextMeasure(characters=characters, words=words)


def measure(text: bytes) -> tuple[int, int]:
    """Characters and words of UTF-8 text, as the core counts them."""
    cdef TextMeasure result
    cdef const uint8_t* data = text
    cdef uint32_t length = <uint32_t> min(len(text), 0x7FFFFFFF)
    result = measure_text(data, length, data + length)
    return result.characters, result.words


cdef inline bint continues(uint8_t byte) noexcept nogil:
    """True for the second to fourth byte of a character."""
    return (byte & 0xC0) == 0x80


cdef inline bint is_letter(uint32_t code_point) noexcept nogil:
    """True for letters and marks; beyond the basic plane, for everything except emoji and other pictures."""
    if code_point < 65536:
        return LETTERS[code_point >> 3] >> (code_point & 7) & 1
    return not 0x1F000 <= code_point < 0x1FB00


def first_letters(bytes text not None, uint32_t n) -> str:
    """The first `n` characters of a UTF-8 text, reduced to letters and marks, with a blank between any two runs.

    In running prose, twice as many characters contain them. If those have less than half of them, as in tables and
    code, up to sixteen times as many are read.
    Digits are not letters; the vowel signs of Hindi and Thai are marks.
    """
    cdef:
        const uint8_t* p = <const uint8_t*> <const char*> text
        const uint8_t* end = p + len(text)
        const uint8_t* start
        bytearray letters
        char* out
        uint32_t lead, code_point, seen = 0, found = 0, size
        size_t length = 0
        bint blank = False
    n = min(n, <uint32_t> 1 << 20)
    letters = bytearray(4 * n + 4)
    out = letters
    with nogil:
        while p < end and found < n:
            if (seen == 2 * n and found >= n // 2) or seen >= 16 * n:
                break
            start = p
            lead = p[0]
            if lead < 0x80:
                code_point = lead
                size = 1
            elif 0xC2 <= lead < 0xE0 and end - p >= 2 and continues(p[1]):
                code_point = ((lead & 0x1F) << 6) | (p[1] & 0x3F)
                size = 2
            elif 0xE0 <= lead < 0xF0 and end - p >= 3 and continues(p[1]) and continues(p[2]):
                code_point = ((lead & 0x0F) << 12) | ((p[1] & 0x3F) << 6) | (p[2] & 0x3F)
                size = 3
            elif 0xF0 <= lead < 0xF5 and end - p >= 4 and continues(p[1]) and continues(p[2]) and continues(p[3]):
                code_point = ((lead & 0x07) << 18) | ((p[1] & 0x3F) << 12) | ((p[2] & 0x3F) << 6) | (p[3] & 0x3F)
                size = 4
            else:
                code_point = 0
                size = 1
            p += size
            seen += 1
            if not is_letter(code_point):
                blank = found > 0
                continue
            if blank:
                out[length] = c" "
                length += 1
                found += 1
                blank = False
                if found == n:
                    break
            memcpy(out + length, start, size)
            length += size
            found += 1
    return letters[:length].decode("utf-8", "ignore")
