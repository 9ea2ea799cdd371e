# SPDX-License-Identifier: Apache-2.0
"""Words of texts: where they begin and end, and whether they are some that are known."""

cimport cython

from libc.stdint cimport uint32_t, uint64_t


cdef inline bint is_of_word(Py_UCS4 character) noexcept:
    """True for letters, digits and underscores."""
    if character < 0x80:
        return u"a" <= character <= u"z" or u"A" <= character <= u"Z" or u"0" <= character <= u"9" or character == u"_"
    return character.isalnum()


cdef inline Py_ssize_t start_of_word(str text, Py_ssize_t end) noexcept:
    """Where the letters, digits and underscores begin that end at a place."""
    while end and is_of_word(text[end - 1]):
        end -= 1
    return end


cdef inline Py_ssize_t end_of_word(str text, Py_ssize_t start) noexcept:
    """Where the letters, digits and underscores end that begin at a place."""
    while start < len(text) and is_of_word(text[start]):
        start += 1
    return start


cdef inline Py_ssize_t start_of_last(str text, Py_ssize_t end) noexcept:
    """Where what is no white space begins that ends at a place."""
    while end and not text[end - 1].isspace():
        end -= 1
    return end


cdef inline Py_ssize_t end_of_blank(str text, Py_ssize_t start) noexcept:
    """Where the white space ends that begins at a place."""
    while start < len(text) and text[start].isspace():
        start += 1
    return start


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


@cython.final
cdef class Words:
    """Words in lower case that texts are searched for."""
    cdef frozenset words
    cdef uint64_t[32] bits      # by the hash of each word
    cdef uint64_t[32] begins    # by that of the first two letters of each, or of one alone
    cdef Py_ssize_t longest

    cdef bint is_known(self, str text, Py_ssize_t start, Py_ssize_t end, uint32_t hash) except -1
    cdef bint are_in(self, str text) except -1
    cdef Py_ssize_t end_at(self, str text, Py_ssize_t start) except -2
    cdef bint has(self, str text, Py_ssize_t start, Py_ssize_t end) except -1
