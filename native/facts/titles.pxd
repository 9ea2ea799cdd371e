# SPDX-License-Identifier: Apache-2.0
"""Titles: where they are divided, and what in them is no part of the headline."""


cdef enum:
    MAX_TITLE = 1000        # characters of a title in which separators are looked for
    MAX_PIECES = 8          # of a title whose pieces are looked at
    MIN_PART = 6            # letters of a part of a heading that a title names


cdef bint may_divide(Py_UCS4 character) noexcept
cdef int count_separators(str title, int most) noexcept
cdef list titles_behind(str text, int most)
cdef str unescaped(str text)
cdef bint is_home_name(str text) except -1
cdef bint is_untitled(str text) except -1
cdef bint is_domain(str text) except -1
cdef str without_labels(str title)
cdef str without_beside(str title, set sites)
cdef str joined(list letters, Py_ssize_t first, Py_ssize_t last)
cdef str title_without_site(str text, set sites)


cdef class Pieces:
    """A title cut at its separators."""
    cdef str title
    cdef list texts         # the pieces
    cdef list letters       # their letters, without "the" where compared with names
    cdef list starts        # where each begins in the title
    cdef list ends

    cdef str between(self, Py_ssize_t first, Py_ssize_t last)
    cdef int read_letters(self) except -1
