# SPDX-License-Identifier: Apache-2.0
"""One name of an author: what is glued to it, and whether it is rather that of an organisation, an account or a button."""


cdef enum:
    MAX_WORDS = 6           # of one name


cdef str clean_name(str name, bint is_declared)
cdef str without_site(str name, set sites)
cdef bint is_by(str label) except -1
cdef Py_ssize_t end_of_by(str text) except -1
cdef str without_by(str text, bint is_name)
cdef str without_weekday(str text)
cdef bint names_role(str text) except -1
cdef bint is_role(str text) except -1
cdef bint names_institute(str text) except -1
cdef bint is_organisation(str name) except -1
cdef bint is_no_person(str text) except -1
cdef Py_ssize_t start_of_company(str name) except -1
cdef bint is_company(str name) except -1
cdef bint is_account_of_site(str name, set sites) except -1
