# SPDX-License-Identifier: Apache-2.0
"""Days as numbers, and the days that a text names."""

from cpython.unicode cimport Py_UNICODE_ISDECIMAL
from libc.stdint cimport int32_t


ctypedef int32_t Day        # year * 10000 + month * 100 + day; 0 for none

cdef enum:
    MAX_DAYS = 40           # that are found in one text
    MONTHS = 12


ctypedef struct FoundDay:
    Day day
    Py_ssize_t start        # where it stands in the text
    Py_ssize_t end


ctypedef struct FoundDays:
    FoundDay[MAX_DAYS] days
    int n


ctypedef struct Numbers:        # three numbers with marks between them
    int first
    int second
    int third
    Py_ssize_t n_first          # digits of each
    Py_ssize_t n_second
    Py_ssize_t n_third
    Py_UCS4 separator           # behind the first
    Py_ssize_t end              # where they end in the text


cdef inline bint is_digit(Py_UCS4 character) noexcept:
    """True for a decimal digit of any script."""
    return u"0" <= character <= u"9" if character < 0x80 else Py_UNICODE_ISDECIMAL(character)


cdef Day make_day(int year, int month, int day) noexcept
cdef Day day_of(object found) except -1
cdef object date_of(Day day)
cdef bint are_neighbours(Day day, Day other) noexcept
cdef Day only_day(set days) except -1
cdef bint numbers_at(str text, Py_ssize_t i, str dividing, str as_well, Numbers* found) noexcept
cdef bint is_clock(str text, Py_ssize_t i) noexcept
cdef bint is_iso(str text) noexcept
cdef int find_days(str text, str language, int day_first, FoundDays* found) except -1
cdef Day first_day(str text) except -1
