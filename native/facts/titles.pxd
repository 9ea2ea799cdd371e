# SPDX-License-Identifier: Apache-2.0
"""The headline of a page."""

from thresher.native.facts.page_url cimport PageUrl


cdef bint may_divide(Py_UCS4 character) noexcept
cdef bint has_separators(str title, int least) except -1
cdef int add_site_at_end(dict values, bint is_declared, set sites) except -1
cdef list titles_behind(str text, int most)
cdef str unescaped(str text)
cdef bint is_home_name(str text) except -1
cdef bint is_untitled(str text) except -1
cdef bint is_domain(str text) except -1
cdef str without_labels(str title)
cdef str without_beside(str title, set sites)
cdef str title_without_site(str text, set sites)
cdef str shown_part(str title, list texts)
cdef str title_of(dict values, str site_name, set sites, PageUrl where)
cdef str headline_of(dict values, list linked, str title, set sites, PageUrl where)


cdef class Pieces:
    """A title cut at its separators."""
    cdef str title
    cdef list texts         # the pieces
    cdef list letters       # their letters, without "the" where compared with names
    cdef list starts        # where each begins in the title
    cdef list ends

    cdef str between(self, Py_ssize_t first, Py_ssize_t last)
    cdef int read_letters(self) except -1
