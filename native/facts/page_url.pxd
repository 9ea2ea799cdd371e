# SPDX-License-Identifier: Apache-2.0
"""What a page's URL says, and the keys by which names are compared."""

cimport cython

from libc.stdint cimport uint32_t, uint64_t

from thresher.native.facts.dates cimport Day


@cython.final
cdef class Words:
    """Words in lower case that texts are searched for."""
    cdef frozenset words
    cdef uint64_t[32] bits      # by the hash of each word, full stops left out
    cdef uint64_t[32] begins    # by that of the first two letters of each, or of one alone
    cdef Py_ssize_t longest

    cdef bint may_be(self, str text, Py_ssize_t start, Py_ssize_t end) except -1
    cdef bint are_in(self, str text) except -1
    cdef Py_ssize_t end_at(self, str text, Py_ssize_t start) except -2
    cdef bint has(self, str text, Py_ssize_t start, Py_ssize_t end) except -1


cdef str without_the(str letters)
cdef str name_key(str text)
cdef str plain_letters(str text, str key)
cdef str original_of(str url)
cdef bint holds_year(str path) noexcept
cdef inline bint is_of_word(Py_UCS4 character) noexcept:
    """True for letters, digits and underscores."""
    if character < 0x80:
        return u"a" <= character <= u"z" or u"A" <= character <= u"Z" or u"0" <= character <= u"9" or character == u"_"
    return character.isalnum()


cdef inline Py_ssize_t count_words(str text) noexcept:
    """The number of words of a text, as str.split() has them."""
    cdef Py_ssize_t found = 0
    cdef bint within = False
    cdef Py_UCS4 character
    for character in text:
        if character == u" " or character.isspace():
            within = False
        elif not within:
            within = True
            found += 1
    return found


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
