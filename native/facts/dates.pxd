# SPDX-License-Identifier: Apache-2.0
"""Days as numbers, the days that a text names, and the lines of a page that may show its date."""

from libc.stdint cimport int32_t


ctypedef int32_t Day        # year * 10000 + month * 100 + day; 0 for none

cdef enum:
    MAX_DAYS = 40           # that are found in one text
    CERTAIN = 4             # the score of a shown day that comes before a time element without a mark


ctypedef struct FoundDay:
    Day day
    Py_ssize_t start        # where it stands in the text
    Py_ssize_t end


ctypedef struct ShownLine:  # a line of visible text that may hold a date, or a heading; see find_shown_lines()
    Py_ssize_t place
    Py_ssize_t length
    int marks
    int n_days              # of `days`; -1 if they were not looked for yet
    FoundDay* days


ctypedef struct ShownDay:       # a day that a page shows, with what speaks for it
    Day day
    double score
    bint modified               # it is that of a change
    bint near                   # its line stands near the headline
    bint labelled               # a word of publication stands beside it
    int marks                   # of its line
    int before                  # days of its line before it, those of a change left out
    Py_ssize_t length           # bytes of its line


cdef class ShownLines:
    """The lines of a page, and how it writes days and months."""
    cdef list texts
    cdef ShownLine* lines
    cdef Py_ssize_t n
    cdef str language           # ISO 639-1
    cdef int day_first          # 1 or 0; -1 if it is not known
    cdef bint knows_order

    cdef int find_order(self, str declared, str host) except -1
    cdef int days_of(self, Py_ssize_t i) except -1
    cdef bint shows(self, Day day) except -1
    cdef int different_days(self, int most) except -1
    cdef Py_ssize_t headline_end(self, str title) except -2
    cdef list headings(self)
    cdef set row_of(self, const Py_ssize_t* texts, Py_ssize_t n, Py_ssize_t at)
    cdef Day labelled_day(self, const Py_ssize_t* texts, Py_ssize_t n) except -1
    cdef Day lone_day(self, const Py_ssize_t* texts, Py_ssize_t n) except -1
    cdef Day changed_day(self, Day earliest, Day latest) except -1
    cdef bint best_of(
        self, const Py_ssize_t* texts, const Py_ssize_t* order, const double* scores, Py_ssize_t n,
        Py_ssize_t headline, bint has_headline, Day latest, str near, ShownDay* best
    ) except -1
    cdef bint best_day(self, Py_ssize_t headline, bint has_headline, Day latest, str near, ShownDay* best) except -1


cdef Day make_day(int year, int month, int day) noexcept
cdef Day day_of(object found) except -1
cdef object date_of(Day day)
cdef bint are_neighbours(Day day, Day other) noexcept
cdef int find_days(str text, str language, int day_first, FoundDay* found, int room) except -1
cdef Day first_day(str text) except -1
