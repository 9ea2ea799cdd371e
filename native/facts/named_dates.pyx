# SPDX-License-Identifier: Apache-2.0
"""Dates in a short text: which kinds its numbers allow, and those with the name of a month in any language."""

from cpython.unicode cimport Py_UNICODE_TODECIMAL

from thresher.native.base.check cimport THRESHER_CHECK


cdef enum:
    MAX_PARTS = 3 * MAX_NAMED - 1   # words and numbers that are looked at
    REACH = 40          # characters before the first year and after the last one in which day and month stand
    GAP = 12            # characters between the parts of a date
    MAX_FILLER = 4      # letters of a word between day, month and year: de, of, del, год
    MAX_NAME = 24       # characters of the name of a month


cdef enum Kind:         # of a part of a date
    DAY = 1
    MONTH = 2
    YEAR = 4
    NO_PART = 8


ctypedef struct Part:
    int kind            # Kind
    int value
    Py_ssize_t start    # where it stands in the text
    Py_ssize_t end


cdef inline bint divides(Py_UCS4 character) noexcept:
    """True for white space and marks between the parts of a date."""
    if u"a" <= character <= u"z" or u"A" <= character <= u"Z" or u"0" <= character <= u"9":
        return False
    if character < 0x80:
        return character in u",;:|()<>/[]\"-" or character == u" " or 9 <= character <= 13 or 0x1C <= character <= 0x1F
    return character in u"“”«»…·•–—" or character.isspace()


cdef inline bint is_apostrophe(Py_UCS4 character) noexcept:
    return character == u"." or character == u"'" or character == u"’"


cdef Py_ssize_t end_of_word(str text, Py_ssize_t i, Py_ssize_t end):
    """Where the word ends that begins at i."""
    cdef Py_UCS4 character
    while i < end:
        character = text[i]
        if divides(character) or is_digit(character):
            break
        i += 1
    return i


cdef Py_ssize_t end_of_number(str text, Py_ssize_t i, Py_ssize_t end):
    """Where the number ends that begins at i."""
    while i < end and is_digit(text[i]):
        i += 1
    return i


cdef int find_reach(str text, Py_ssize_t* begin, Py_ssize_t* stop) except -1:
    """Set the part of a text in which a date can stand: around its numbers of four digits; nothing if it has none."""
    cdef Py_ssize_t i = 0, end, length = len(text)
    begin[0] = stop[0] = 0
    while i < length:
        if not is_digit(text[i]):
            i += 1
            continue
        end = end_of_number(text, i, length)
        if end - i == 4:
            if stop[0] == 0:
                begin[0] = max(0, i - REACH)
            stop[0] = min(length, end + REACH)
        i = end
    return 0


cdef int find_shapes(str text):
    """What dates a text may hold, as a sum of Shape; 0 if none."""
    cdef Py_ssize_t i = 0, end, length = len(text)
    cdef Py_ssize_t before = 9, last = 9, digits      # of the last two numbers
    cdef int numbers = 0, shapes = 0
    cdef bint has_year = False, is_ascii = True
    while i < length:
        if not is_digit(text[i]):
            is_ascii = is_ascii and text[i] < 0x80
            i += 1
            continue
        is_ascii = is_ascii and text[i] < 0x80
        end = end_of_number(text, i, length)
        digits = end - i
        numbers += 1
        has_year = has_year or digits == 4
        if digits == 8 or (before == 4 and last <= 2 and digits <= 2):
            shapes |= YEAR_FIRST
        if before <= 2 and last <= 2 and (digits == 2 or digits == 4):
            shapes |= YEAR_LAST
        before, last = last, digits
        i = end
    if numbers >= 2:
        shapes |= (MAY_BE_NAMED if has_year else 0) | (0 if is_ascii else ERA_YEAR)
    return shapes


cdef int add_number(Part* part, str text, Py_ssize_t start, Py_ssize_t end) except -1:
    """Fill a part from a number."""
    cdef Py_ssize_t i
    part.start, part.end, part.kind, part.value = start, end, NO_PART, 0
    if end - start > 4:
        return 0
    for i in range(start, end):
        part.value = 10 * part.value + Py_UNICODE_TODECIMAL(text[i])
    if end - start == 4:
        part.kind = YEAR
    elif end - start <= 2 and 1 <= part.value <= 31:
        part.kind = DAY
    return 0


def named_dates(str text not None, dict months not None, frozenset first_words not None) -> list:
    """Day, month and year in one of the orders 5 3 2014, 3 5 2014, 2014 3 5 and 2014 5 3, as (year, month, day, start,
    end). What stands between them are words of four letters at most.

    `months` has the number of each month's name, casefolded; `first_words` what names of two words begin with.
    """
    cdef NamedDate[MAX_NAMED] found
    cdef int k, n = find_named_dates(text, months, first_words, found)
    return [(found[k].year, found[k].month, found[k].day, found[k].start, found[k].end) for k in range(n)]


cdef int find_named_dates(str text, dict months, frozenset first_words, NamedDate* found) except -1:
    """Find the dates of named_dates(); returns how many, at most MAX_NAMED."""
    cdef Part[MAX_PARTS] parts
    cdef Py_ssize_t i, end, stop, word_start, word_end
    cdef int n = 0, at = 0, kinds, count = 0
    cdef object number
    cdef str key
    cdef int[8] values      # by Kind
    find_reach(text, &i, &stop)
    while i < stop and n < MAX_PARTS:
        THRESHER_CHECK(n < MAX_PARTS)
        if divides(text[i]):
            i += 1
            continue
        if is_digit(text[i]):
            end = end_of_number(text, i, stop)
            add_number(&parts[n], text, i, end)
            n += 1
            i = end
            continue
        end = end_of_word(text, i, stop)
        word_start, word_end = i, end
        while word_start < word_end and is_apostrophe(text[word_start]):
            word_start += 1
        while word_end > word_start and is_apostrophe(text[word_end - 1]):
            word_end -= 1
        number = None
        if word_end - word_start <= MAX_NAME:
            key = text[word_start:word_end].casefold()
            number = months.get(key)
            if number is None and key in first_words:
                word_start = end
                while word_start < stop and divides(text[word_start]):
                    word_start += 1
                if word_start < stop and is_digit(text[word_start]):
                    word_end = end_of_number(text, word_start, stop)
                else:
                    word_end = end_of_word(text, word_start, stop)
                number = months.get(f"{key} {text[word_start:word_end].casefold()}")
                if number is not None:
                    end = word_end
            kinds = len(key)
        else:
            kinds = MAX_NAME
        if number is not None:
            # a month may be named twice: نيسان / أبريل
            if n == 0 or parts[n - 1].kind != MONTH or parts[n - 1].value != <int> number:
                parts[n].kind, parts[n].value, parts[n].start, parts[n].end = MONTH, <int> number, i, end
                n += 1
        elif kinds > MAX_FILLER:
            parts[n].kind, parts[n].value, parts[n].start, parts[n].end = NO_PART, 0, i, end
            n += 1
        i = end
    while at + 2 < n:
        kinds = parts[at].kind | parts[at + 1].kind | parts[at + 2].kind
        if (
            kinds != (DAY | MONTH | YEAR)
            or (parts[at].kind == DAY and parts[at + 1].kind == YEAR)       # the orders 5 2014 3
            or (parts[at].kind == MONTH and parts[at + 1].kind == YEAR)     # and 3 2014 5 are none
            or parts[at + 1].start - parts[at].end > GAP or parts[at + 2].start - parts[at + 1].end > GAP
        ):
            at += 1
            continue
        for i in range(at, at + 3):
            values[parts[i].kind] = parts[i].value
        THRESHER_CHECK(count < MAX_NAMED)
        found[count].year, found[count].month, found[count].day = values[<int> YEAR], values[<int> MONTH], values[<int> DAY]
        found[count].start, found[count].end = parts[at].start, parts[at + 2].end
        count += 1
        at += 3
    return count
