# SPDX-License-Identifier: Apache-2.0
"""What the words before a day or a name say of it: one table of the labels in labels.py."""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.parsing.reading cimport Slice


cdef enum Label:            # bits
    SAYS_PUBLISHED = 1      # the day is that of publication,
    SAYS_CHANGED = 2        # of a change,
    SAYS_READ = 4           # or somebody read the page then;
    SAYS_SUBJECT = 8        # it is a birthday, the day of an event
    SAYS_ALONE = 16         # that of publication, if the word ends there,
    SAYS_DATA = 32          # and if it goes on as dates of Italian and Portuguese do: data:, data di pubblicazione
    SAYS_MAYBE = 64         # perhaps that of publication: for a first look
    SAYS_WRITER = 128       # the name is that of an author
    PUBLISHED_FIRST = 256   # a word of publication is the first of all,
    PUBLISHED_LAST = 512    # and one stands behind the first of a subject
    SAYS_CHANGE = SAYS_CHANGED | SAYS_READ
    SAYS_DAY = SAYS_PUBLISHED | SAYS_MAYBE | SAYS_CHANGED


cdef uint32_t said_in(str lower) except? 0
cdef bint holds_label(Slice text, uint32_t wanted) noexcept nogil
cdef bint begins_by(Slice text) noexcept nogil
