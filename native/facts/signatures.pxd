# SPDX-License-Identifier: Apache-2.0
"""How lines of a page, and beginnings and ends of its text, say who wrote it."""

from libc.stdint cimport uint32_t

from thresher.native.facts.shown_dates cimport ShownLine, ShownLines
from thresher.native.parsing.reading cimport Tree


cdef enum Saying:           # how a line says that it names its author
    SAYS_BY = 1             # with "by" and the like, in front of the name
    SAYS_BY_INSIDE = 2      # behind other things
    SAYS_ROLE = 4           # with a role behind the name,
    SAYS_SIGNED = 8         # as the datelines and signatures of Chinese, Japanese and Korean papers do,
    SAYS_BRACKETS = 16      # in brackets at the end of the text,
    SAYS_STROKE = 32        # or behind a stroke there
    SAYS_SOURCE = 64        # it is where the text was taken from
    SAYS_PLAIN = 128        # nothing says so


cdef tuple signature_in(str text, bint is_first)
cdef tuple names_of_line(ShownLines lines, ShownLine line)
cdef str text_at_edge(const Tree* tree, uint32_t start, uint32_t behind, bint is_first, bint is_prose, bint begins_by)
