# SPDX-License-Identifier: Apache-2.0
"""The days of publication and of the last change of a page, among all that its elements, address and text say."""

from thresher.native.facts.candidates cimport Candidates, Evidence
from thresher.native.facts.dates cimport Day
from thresher.native.facts.page_url cimport PageUrl
from thresher.native.facts.shown_dates cimport ShownDay, ShownLines
from thresher.native.parsing.document cimport Document


cdef enum:
    FEW_WORDS = 50          # of the main text of a page that is hardly one


cdef enum Source:           # of the day of publication, the best first
    BY_ARTICLE              # data of an article
    BY_META
    BY_DATA                 # of something else
    BY_TIME                 # a time element that is marked as the day of publication
    BY_ADDRESS
    BY_LINE_NEAR            # a line near the headline
    BY_ONE_TIME             # the one day of all time elements
    BY_WEAK_META
    BY_LINE
    BY_SCRIPT
    BY_HINT
    BY_WEAK_LINE


cdef class PageDates:
    """The days of a page. After find(), `day` is that of publication, 0 for none."""
    cdef Document document      # None where only the address is known
    cdef dict values
    cdef list linked
    cdef ShownLines lines       # None if none are looked at
    cdef PageUrl where
    cdef str language           # that the page declares; None for none
    cdef str host
    cdef Day latest             # what is later is a mistake
    cdef int articles           # of the page
    cdef int words              # of its main text; -1 if none was chosen
    cdef Day day
    cdef Source source          # of the day
    cdef ShownDay shown         # the best day of the lines

    cdef int find(self, Py_ssize_t headline, bint is_home) except -1
    cdef list marked(self)
    cdef Day neighbour(self, Day first, list marked, Day address, Day seen) except -1
    cdef int find_weaker(self) except -1
    cdef Day take(self, Day day, Source source) noexcept
    cdef Day read(self, str text) except -1
    cdef Day first_read(self, list texts) except -1
    cdef Day one_time(self) except -1
    cdef list hints(self)
    cdef Day in_scripts(self) except -1
    cdef Day changed(self) except -1
    cdef Candidates candidates(self, Day change)
    cdef int put_line(self, Evidence* evidence) except -1


cdef bint needs_lines(dict values, list linked, bint has_address) except -1
