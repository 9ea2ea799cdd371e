# SPDX-License-Identifier: Apache-2.0
"""Authors' names in what a page names and in the lines that it shows."""

from thresher.native.facts.shown_dates cimport ShownLine, ShownLines


cdef enum Saying:           # how a line says that it names its author
    SAYS_BY = 1             # with "by" and the like, in front of the name
    SAYS_BY_INSIDE = 2      # behind other things
    SAYS_ROLE = 4           # with a role behind the name,
    SAYS_SIGNED = 8         # as the datelines and signatures of Chinese, Japanese and Korean papers do,
    SAYS_BRACKETS = 16      # in brackets at the end of the text,
    SAYS_STROKE = 32        # or behind a stroke there
    SAYS_SOURCE = 64        # it is where the text was taken from
    SAYS_PLAIN = 128        # nothing says so


cdef list names_in(list texts, set sites=*, bint are_declared=*)
cdef Py_ssize_t start_of_company(str name) except -1
cdef bint is_company(str name) except -1
cdef bint is_organisation(str name) except -1
cdef bint may_be_names(list names, str text) except -1
cdef tuple signature_in(str text, bint is_first)
cdef tuple names_of_line(ShownLines lines, ShownLine line)
cdef bint names_role(str text) except -1
