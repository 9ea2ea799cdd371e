# SPDX-License-Identifier: Apache-2.0
"""The lines of a page that may show its date."""

from thresher.native.facts.dates cimport Day, FoundDays


cdef enum:
    CERTAIN = 4             # the score of a shown day that comes before a time element without a mark


ctypedef struct ShownDay:       # a day that a page shows, with what speaks for it
    Day day                     # 0 for none
    double score
    bint near                   # its line stands near the headline
    bint labelled               # a word of publication stands beside it
    int marks                   # of its line
    int before                  # days of its line before it, those of a change left out
    Py_ssize_t length           # bytes of its line


ctypedef struct Search:         # for the best day
    Py_ssize_t headline
    Day latest
    int near
    double greatest             # score of a day, one of a change too: lines far below it say little
    ShownDay best
    bint of_row                 # the best day is the newest of a row
    bint older                  # a row has a day that is not its newest


cdef class ShownLine:       # a line of visible text that may hold a date, or a heading; see find_shown_lines()
    cdef Py_ssize_t place
    cdef Py_ssize_t length
    cdef str text
    cdef int marks
    cdef bint is_heading
    cdef FoundDays days         # ShownLines.days_of() looks for them
    cdef bint is_read           # they were looked for


cdef class ShownLines:
    """The lines of a page, and how it writes days and months."""
    cdef list lines             # of ShownLine
    cdef list body              # those that are no headings
    cdef str language           # ISO 639-1
    cdef int day_first          # 1 or 0; -1 if it is not known

    cdef int find_order(self, str declared, str host) except -1
    cdef const FoundDays* days_of(self, ShownLine line) except NULL
    cdef set first_days(self, Py_ssize_t most)
    cdef Py_ssize_t headline_end(self, str title) except -2
    cdef Day newest_of_row(self, Py_ssize_t at) except -1
    cdef Day labelled_day(self) except -1
    cdef Day lone_day(self) except -1
    cdef Day changed_day(self, Day earliest, Day latest) except -1
    cdef bint may_date(self, ShownLine line) except -1
    cdef int weigh_days(self, Py_ssize_t at, double score_of_line, Search* search) except -1
    cdef ShownDay best_day(self, Py_ssize_t headline, Day latest, int near) except *
    cdef int take_alone(self, ShownDay* best, Day latest) except -1
