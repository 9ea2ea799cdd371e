# SPDX-License-Identifier: Apache-2.0
"""Authors' names in what a page names and in the lines that it shows."""

from thresher.native.facts.dates cimport ShownLines


cdef list names_in(list texts)
cdef str without_site(str name, set sites)
cdef list shown_authors(ShownLines lines, Py_ssize_t headline, bint is_thread)
cdef bint is_account(str name) noexcept
cdef bint is_account_of_site(str name, set sites) except -1
cdef bint is_organisation(str name) except -1
cdef bint is_company(str name) except -1
cdef bint looks_like_name(str name) except -1
cdef tuple names_of_line(ShownLines lines, Py_ssize_t i)
