# SPDX-License-Identifier: Apache-2.0
"""Counts the parts, words and digits of a URL."""

from libc.stdint cimport int16_t, uint8_t, uint32_t

from thresher.native.base.characters cimport is_ascii_letter, is_ascii_letter_or_digit
from thresher.native.parsing.reading cimport *


cdef enum:
    # What more of each would say is no news.
    MOST_PARTS = 4
    MOST_WORDS = 9
    MOST_CHARACTERS = 99
    MOST_DIGITS = 9
    MAX_URL = 2048          # bytes that are read
    MAX_SUFFIX = 5              # letters and digits of .html


cdef inline uint32_t host_at(Slice url) noexcept nogil:
    """Where the host of a URL begins; 0 if it has none."""
    cdef uint32_t i = 0
    if begins_word(url, b"http:"):
        i = 5
    elif begins_word(url, b"https:"):
        i = 6
    return i + 2 if begins(slice_from(url, i), b"//") else 0


cdef inline bint is_language(Slice part) noexcept nogil:
    """True for en, pt-BR, zh_cn."""
    return (
        (part.length == 2 or part.length == 5 and (part.data[2] == c"-" or part.data[2] == c"_"))
        and is_ascii_letter(part.data[0]) and is_ascii_letter(part.data[1])
        and is_ascii_letter(part.data[part.length - 2]) and is_ascii_letter(part.data[part.length - 1])
    )


cdef inline Slice without_suffix(Slice part) noexcept nogil:
    """A part of a path without .html."""
    cdef uint32_t i = part.length
    while i > 0 and part.length - i < MAX_SUFFIX and is_ascii_letter_or_digit(part.data[i - 1]):
        i -= 1
    if 1 < i < part.length and part.data[i - 1] == c"." and is_ascii_letter(part.data[i]):
        part.length = i - 1
    return part


cdef inline bint is_index(Slice stem) noexcept nogil:
    return (
        is_word(stem, b"index") or is_word(stem, b"default") or is_word(stem, b"home") or is_word(stem, b"main")
        or is_word(stem, b"welcome")
    )


cdef void read_name(Slice stem, UrlForm* form) noexcept nogil:
    """Count the words and characters of the last part of a path. An escaped byte counts as the byte."""
    cdef uint32_t i = 0, words = 0, characters = 0
    cdef uint8_t byte
    cdef bint within = False, separates
    while i < stem.length:
        byte = stem.data[i]
        if byte == c"%" and stem.length - i > 2:
            # Escaped are spaces, and the bytes of letters beyond ASCII, of which those that continue begin with 8 to B.
            separates = stem.data[i + 1] == c"2" and stem.data[i + 2] == c"0"
            byte = stem.data[i + 1] | 0x20
            characters += not (c"8" <= byte <= c"9" or c"a" <= byte <= c"b")
            i += 3
        else:
            separates = byte == c"-" or byte == c"_" or byte == c"+" or byte == c"." or byte == c" "
            characters += (byte & 0xC0) != 0x80
            i += 1
        words += not separates and not within
        within = not separates
    form.words = <int16_t> min(words, <uint32_t> MOST_WORDS)
    form.length = <int16_t> min(characters, <uint32_t> MOST_CHARACTERS)


cdef bint read_url(Slice url, UrlForm* form) noexcept nogil:
    """Read the form of a URL; False, and -1 everywhere, unless it has a host or begins with a slash."""
    cdef Slice part, last, before
    cdef uint32_t i, start, end, parts = 0, digits = 0, most = 0
    cdef bint is_first = True
    forget_url(form)
    url = without_space(url)
    url.length = min(url.length, <uint32_t> MAX_URL)
    i = host_at(url)
    if i == 0 and not (url.length and url.data[0] == c"/"):
        return False
    while i < url.length and url.data[i] != c"/" and url.data[i] != c"?" and url.data[i] != c"#":
        i += 1
    end = i
    while end < url.length and url.data[end] != c"#":
        digits = digits + 1 if is_ascii_digit(url.data[end]) else 0
        most = max(most, digits)
        end += 1
    start = i
    end = i
    while end < url.length and url.data[end] != c"?" and url.data[end] != c"#":
        end += 1
    last.data = url.data
    last.length = 0
    before = last
    while start < end:
        i = start
        while i < end and url.data[i] != c"/":
            i += 1
        part.data = url.data + start
        part.length = i - start
        start = i + 1
        if part.length:
            if not (is_first and is_language(part)):
                parts += 1
                before = last
                last = part
            is_first = False
    if is_index(without_suffix(last)):
        parts -= 1
        last = before
    form.depth = <int16_t> min(parts, <uint32_t> MOST_PARTS)
    form.digits = <int16_t> min(most, <uint32_t> MOST_DIGITS)
    read_name(without_suffix(last), form)
    return True


cdef OgType og_type_of(Slice said) noexcept nogil:
    """What og:type says that the page is."""
    said = without_space(said)
    if said.length == 0:
        return OG_UNSAID
    if begins_word(said, b"article"):
        return OG_ARTICLE
    return OG_WEBSITE if is_word(said, b"website") else OG_ELSE
