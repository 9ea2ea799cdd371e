# SPDX-License-Identifier: Apache-2.0
"""What a page's URL says."""

from thresher.native.facts.dates cimport Day


cdef str original_of(str url)
cdef bint holds_year(str path) noexcept


cdef class PageUrl:
    """What a page's URL says."""
    cdef str url                # of a page that an archive replays its own; "" if it is not known
    cdef tuple parts            # scheme, host with user and port, path, query, as they are written; None without a host
    cdef str host               # without user and port; "" if there is none, or another scheme than that of the web
    cdef str path               # without query and fragment
    cdef bint is_front_page     # nothing follows the host
    cdef Day day                # that the path names: /2014/03/05/, /2014-03-05-, /20140305/, /05-03-2014-; 0 for none
    cdef int month              # that it names, as year * 100 + month; 0 for none

    cdef str name(self)
