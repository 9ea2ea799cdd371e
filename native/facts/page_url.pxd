# SPDX-License-Identifier: Apache-2.0
"""What a page's URL says."""

from thresher.native.facts.dates cimport Day


cdef tuple split_url(str url)
cdef str original_of(str url)
cdef bint holds_year(str path) noexcept


cdef class PageUrl:
    """What a page's URL says. Each answer is looked for once."""
    cdef str host               # as it is written, of a page that an archive replays its own; "" if there is none
    cdef str rest               # what follows it
    cdef bint is_front_page     # nothing follows the host
    cdef Day day                # -1 if it was not looked for yet
    cdef str own_name

    cdef str path(self)
    cdef Day named_day(self) except -1
    cdef int named_month(self) except -1
    cdef str name(self)
