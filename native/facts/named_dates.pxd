# SPDX-License-Identifier: Apache-2.0
"""Dates with the name of a month, and which dates the numbers of a text allow."""

from cpython.unicode cimport Py_UNICODE_ISDECIMAL


cdef enum:
    MAX_NAMED = 43          # dates that are found in one text


cdef enum Shape:            # what the numbers of a text may be, by how many digits they have
    MAY_BE_NAMED = 1        # one of four and another one: 5 March 2014
    YEAR_FIRST = 2          # 4, 2 and 2 at most, or 8: 2014-03-05, 20140305
    YEAR_LAST = 4           # 2, 2 at most and 2 or 4: 5.3.14
    ERA_YEAR = 8            # two or more, in a text outside ASCII: 平成26年3月5日


ctypedef struct NamedDate:
    int year
    int month
    int day
    Py_ssize_t start        # where it stands in the text
    Py_ssize_t end


cdef inline bint is_digit(Py_UCS4 character) noexcept:
    """True for a decimal digit of any script."""
    return u"0" <= character <= u"9" if character < 0x80 else Py_UNICODE_ISDECIMAL(character)


cdef int find_shapes(str text)
cdef int find_named_dates(str text, dict months, frozenset first_words, NamedDate* found) except -1
