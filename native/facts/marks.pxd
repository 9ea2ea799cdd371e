# SPDX-License-Identifier: Apache-2.0
"""What elements say about the text inside them, by their names, classes, ids and itemprops."""

from libc.stddef cimport size_t
from libc.stdint cimport uint32_t

from thresher.native.parsing.reading cimport Attribute, Tree
from thresher.native.parsing.known_values cimport KnownValue


cdef enum Clue:             # what a line's ancestors say about it
    CLUE_HEADING_1 = 1
    CLUE_HEADING_2 = 2
    CLUE_TITLE = 4          # a line that is no heading but repeats the title
    CLUE_PUBLISHED = 8      # the date of publication
    CLUE_DATE = 16
    CLUE_DETAILS = 32       # details of an article or similar
    CLUE_MODIFIED = 64
    CLUE_AUTHOR = 128
    CLUE_ELSEWHERE = 256    # another part of the page: comments, teasers, footer
    CLUE_BIOGRAPHY = 512    # about the author, or an image
    CLUE_SUBJECT = 1024     # a day of what the page is about: a birthday, an event, a table of facts
    CLUE_NAME = 2048        # the text of an element for an author's or a user's name
    CLUE_BYLINE = 4096      # of these two words that mean an author, one that a byline has, and one that a user has;
    CLUE_USER = 8192        # no line has them
    CLUE_HEADINGS = CLUE_HEADING_1 | CLUE_HEADING_2 | CLUE_TITLE        # a heading has one of these and nothing else


cdef uint32_t said_of(const Tree* tree, const Attribute* attribute, KnownValue* classes) noexcept nogil
cdef uint32_t marks_of(const Tree* tree, uint32_t n, KnownValue* classes) noexcept nogil
cdef bint is_elsewhere(
    const Tree* tree, uint32_t n, const uint32_t* headings, size_t n_headings, KnownValue* classes
) noexcept nogil
