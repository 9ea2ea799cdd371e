# SPDX-License-Identifier: Apache-2.0
"""Tells whether bytes are ASCII, UTF-8, UTF-8 encoded twice, or neither, without decoding them.

Python's own check, `bytes.decode`, makes a copy with four bytes per character as soon as one character is beyond the
BMP. On pages of 163 KB that takes three to seven times as long as this check.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from thresher.native.base.check cimport THRESHER_CHECK

cdef enum:
    STATE_ASCII = 0
    STATE_UTF8 = 1
    STATE_UTF8_WITH_C1 = 2
    STATE_OTHER = 3
    LARGE = 1 << 18         # bytes of a page beyond which it is looked at without the GIL

ASCII = STATE_ASCII
UTF8 = STATE_UTF8
UTF8_WITH_C1 = STATE_UTF8_WITH_C1
OTHER = STATE_OTHER

cdef uint64_t HIGH_BITS = 0x8080808080808080


cdef inline uint64_t load(const uint8_t* at) noexcept nogil:
    """Eight bytes from any address."""
    cdef uint64_t word
    memcpy(&word, at, 8)
    return word


cdef inline size_t past_ascii(const uint8_t* page, size_t i, size_t n) noexcept nogil:
    """The position of the next byte from `i` on that is not ASCII; n if none is. Reads eight bytes at a time."""
    while i + 8 <= n and not load(page + i) & HIGH_BITS:
        i += 8
    while i < n and page[i] < 0x80:
        i += 1
    return i


cdef inline bint is_continuation(uint8_t byte) noexcept nogil:
    return (byte & 0xC0) == 0x80


cdef int state_of(const uint8_t* page, size_t n) noexcept nogil:
    """STATE_ASCII, STATE_UTF8 (valid, with at least one non-ASCII character; _WITH_C1: a control character U+0080 to
    U+009F follows one of them) or STATE_OTHER.

    Well-formed byte sequences: The Unicode Standard, table 3-7.
    """
    cdef size_t i = 0
    cdef uint8_t lead, second
    cdef int state = STATE_ASCII
    while True:
        # ASCII: markup has long runs of it. Read thirty-two bytes at a time, then eight, then one.
        while i + 32 <= n and not (
            (load(page + i) | load(page + i + 8) | load(page + i + 16) | load(page + i + 24)) & HIGH_BITS
        ):
            i += 32
        i = past_ascii(page, i, n)
        if i == n:
            return state
        if state == STATE_ASCII:
            state = STATE_UTF8
        # Sequences of two to four bytes, as many as there are in a row.
        while i < n and page[i] >= 0x80:
            lead = page[i]
            if lead < 0xE0:
                if lead < 0xC2 or n - i < 2 or not is_continuation(page[i + 1]):
                    return STATE_OTHER
                if lead == 0xC2 and page[i + 1] < 0xA0 and i > 0 and page[i - 1] >= 0x80:
                    state = STATE_UTF8_WITH_C1
                i += 2
            elif lead < 0xF0:
                if n - i < 3 or not is_continuation(page[i + 1]) or not is_continuation(page[i + 2]):
                    return STATE_OTHER
                second = page[i + 1]
                if (lead == 0xE0 and second < 0xA0) or (lead == 0xED and second > 0x9F):  # overlong; surrogates
                    return STATE_OTHER
                i += 3
            else:
                if lead > 0xF4 or n - i < 4 or not is_continuation(page[i + 1]):
                    return STATE_OTHER
                if not is_continuation(page[i + 2]) or not is_continuation(page[i + 3]):
                    return STATE_OTHER
                second = page[i + 1]
                if (lead == 0xF0 and second < 0x90) or (lead == 0xF4 and second > 0x8F):  # overlong; above U+10FFFF
                    return STATE_OTHER
                i += 4


cdef bint is_utf8(const uint8_t* text, size_t n) noexcept nogil:
    return state_of(text, n) != STATE_OTHER


def utf8_state(const unsigned char[::1] page not None):
    """The encoding class of a page's bytes: ASCII, UTF8, UTF8_WITH_C1 or OTHER.

    UTF8_WITH_C1 is valid UTF-8 with control characters U+0080 to U+009F after other non-ASCII characters, which no
    proper text has.
    """
    cdef size_t n = <size_t> page.shape[0]
    cdef int state
    if n == 0:
        return STATE_ASCII
    if n < LARGE:
        return state_of(&page[0], n)        # done sooner than another thread would give the GIL back
    with nogil:
        state = state_of(&page[0], n)
    return state


cdef uint32_t next_character(const uint8_t* page, size_t n, size_t* position) noexcept nogil:
    """The character at a position before n; moves the position past it.

    Returns 0x10000 for four-byte characters and for a sequence cut off by the end of the page. No character of a
    one-byte encoding has that value.
    """
    cdef size_t i = position[0]
    cdef uint8_t lead = page[i]
    if lead < 0x80:
        position[0] = i + 1
        return lead
    if lead < 0xE0 and n - i >= 2:
        position[0] = i + 2
        return ((lead & 0x1F) << 6) | (page[i + 1] & 0x3F)
    if 0xE0 <= lead < 0xF0 and n - i >= 3:
        position[0] = i + 3
        return ((lead & 0x0F) << 12) | ((page[i + 1] & 0x3F) << 6) | (page[i + 2] & 0x3F)
    position[0] = min(n, i + 4)
    return 0x10000


cdef uint16_t[32] WINDOWS_1252      # characters of bytes 80 to 9F; the byte itself if it has none
for _byte in range(32):
    WINDOWS_1252[_byte] = ord(bytes((0x80 + _byte,)).decode("windows-1252", "replace"))
    if WINDOWS_1252[_byte] == 0xFFFD:
        WINDOWS_1252[_byte] = 0x80 + _byte


cdef inline int byte_of(uint32_t character) noexcept nogil:
    """The byte that windows-1252, or ISO-8859-1 for C1 control characters, decodes to this character; -1 if there is
    none.
    """
    cdef int i
    if character < 0x100:
        return <int> character
    if character == 0x20AC or 0x0152 <= character <= 0x2122:
        for i in range(32):
            if WINDOWS_1252[i] == character:
                return 0x80 + i
    return -1


cdef inline bint was_continuation(uint32_t character) noexcept nogil:
    """True for a character that a continuation byte (80 to BF) decodes to in windows-1252 or ISO-8859-1."""
    if character < 0xC0:
        return character >= 0x80
    return (
        character == 0x20AC or character == 0x201A or character == 0x0192 or character == 0x201E or character == 0x2026
        or character == 0x2020 or character == 0x2021 or character == 0x02C6 or character == 0x2030
        or character == 0x0160 or character == 0x2039 or character == 0x0152 or character == 0x017D
        or character == 0x2018 or character == 0x2019 or character == 0x201C or character == 0x201D
        or character == 0x2022 or character == 0x2013 or character == 0x2014 or character == 0x02DC
        or character == 0x2122 or character == 0x0161 or character == 0x203A or character == 0x0153
        or character == 0x017E or character == 0x0178
    )


cdef int double_encoding(const uint8_t* page, size_t n) noexcept nogil:
    """0 unless every non-ASCII character is part of a UTF-8 sequence that was decoded byte by byte and encoded again.

    Otherwise the weight of that evidence, at most 1,000,000. A sequence that could also be text ("Â°", or the end of a
    French quotation, "é…»") counts 1. A sequence that contains a C1 control character, or that begins general
    punctuation, the euro sign or emoji ("â€", "â‚", "ðŸ"), never occurs in text and counts 3.
    """
    cdef size_t i = 0
    cdef uint32_t character, lead
    cdef int rest, weight = 0
    cdef bint sure
    while True:
        i = past_ascii(page, i, n)
        if i == n:
            return weight
        character = next_character(page, n, &i)
        if character < 0xC2 or character > 0xF4:
            return 0
        lead = character
        rest = 1 if character < 0xE0 else 2 if character < 0xF0 else 3
        sure = False
        while rest > 0:
            if i == n or page[i] < 0x80:
                return 0
            character = next_character(page, n, &i)
            if not was_continuation(character):
                return 0
            if character < 0xA0 or (lead == 0xE2 and (character == 0x20AC or character == 0x201A)):
                sure = True
            elif lead == 0xF0 and character == 0x0178:
                sure = True
            rest -= 1
        if weight < 1000000:
            weight += 3 if sure else 1


def double_utf8(const unsigned char[::1] page not None):
    """How certain it is that a page of valid UTF-8 is encoded twice: 0 for not at all, 3 and more for certain."""
    cdef size_t n = <size_t> page.shape[0]
    cdef int weight
    if n == 0:
        return 0
    with nogil:
        weight = double_encoding(&page[0], n)
    return weight


cdef ssize_t take_back(const uint8_t* page, size_t n, uint8_t* out) noexcept nogil:
    """Write the bytes that give the page when decoded as windows-1252 or ISO-8859-1. Returns how many, or -1 if a
    character is in neither encoding.
    """
    cdef size_t i = 0, length = 0, run
    cdef int byte
    while i < n:
        run = i
        i = past_ascii(page, i, n)
        memcpy(out + length, page + run, i - run)
        length += i - run
        while i < n and page[i] >= 0x80:
            byte = byte_of(next_character(page, n, &i))
            if byte < 0:
                return -1
            THRESHER_CHECK(length < n)
            out[length] = <uint8_t> byte
            length += 1
    return <ssize_t> length


def encoded_once(bytes page not None) -> bytes | None:
    """The bytes that give a page of valid UTF-8 when decoded as windows-1252, or as ISO-8859-1 for C1 control
    characters.

    None if a character is in neither encoding.
    """
    cdef const uint8_t* data = <const uint8_t*> <const char*> page
    cdef size_t n = <size_t> len(page)
    cdef bytes taken = PyBytes_FromStringAndSize(NULL, <Py_ssize_t> n)
    cdef uint8_t* out = <uint8_t*> PyBytes_AS_STRING(taken)
    cdef ssize_t length
    with nogil:
        length = take_back(data, n, out)
    return taken[:length] if length >= 0 else None


cdef size_t repair(const uint8_t* page, size_t n, uint8_t* out) noexcept nogil:
    """Write the page as repaired by repaired_sequences(); returns the number of bytes."""
    cdef size_t i = 0, length = 0, run = 0, start, after
    cdef uint8_t[4] sequence
    cdef uint32_t character
    cdef int rest, size
    cdef bint has_control
    while True:
        i = past_ascii(page, i, n)
        if i == n:
            break
        start = i
        character = next_character(page, n, &i)
        if character < 0xE0 or character > 0xF4:
            continue
        sequence[0] = <uint8_t> character
        size = 3 if character < 0xF0 else 4
        has_control = False
        after = i
        rest = 1
        while rest < size and after < n and page[after] >= 0x80:
            character = next_character(page, n, &after)
            if not was_continuation(character):
                break
            has_control = has_control or character < 0xA0
            sequence[rest] = <uint8_t> byte_of(character)
            rest += 1
        if rest < size:
            continue
        i = after
        if has_control and state_of(sequence, size) != STATE_OTHER:
            memcpy(out + length, page + run, start - run)
            length += start - run
            memcpy(out + length, sequence, size)
            length += size
            run = i
    THRESHER_CHECK(run <= n and length <= run)
    memcpy(out + length, page + run, n - run)
    return length + n - run


def repaired_sequences(bytes page not None) -> bytes:
    """A page of valid UTF-8, with sequences of three and four bytes decoded once if they were encoded twice and contain
    a C1 control character.
    """
    cdef const uint8_t* data = <const uint8_t*> <const char*> page
    cdef size_t n = <size_t> len(page)
    cdef bytes repaired = PyBytes_FromStringAndSize(NULL, <Py_ssize_t> n)
    cdef uint8_t* out = <uint8_t*> PyBytes_AS_STRING(repaired)
    with nogil:
        n = repair(data, n, out)
    return repaired[:n]
