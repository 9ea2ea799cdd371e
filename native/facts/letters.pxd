# SPDX-License-Identifier: Apache-2.0
"""Keys of texts: letters and digits in lower case, by which two spellings of a name are compared."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)

cdef enum:
    SEVERAL = 1             # what stands for several characters, or for one beyond the basic plane


ctypedef struct Letter:
    uint16_t[2] kept        # what a character becomes in a key, and in one without accents; see letter_of()


cdef uint16_t letter_of(Py_UCS4 character, bint plain) except? SEVERAL
cpdef str letters_in(str text, bint plain)
cpdef str key_of(str text)
cdef str without_the(str letters)
cdef str name_key(str text)
cdef str plain_letters(str text, str key)


cdef class Letters:
    """The key of a text that others are looked for in."""
    cdef str key
    cdef uint64_t pairs


cdef inline uint64_t bit_of_pair(Py_UCS4 before, Py_UCS4 character) noexcept nogil:
    return <uint64_t> 1 << (<uint32_t> before * 11 + <uint32_t> character & 63)


cdef Letters letters_of(str key)
cdef uint64_t pairs_of(str key) noexcept


cdef inline bint is_decimal(Py_UCS4 character) noexcept:
    """True for a decimal digit of any script."""
    return u"0" <= character <= u"9" if character < 0x80 else character.isdecimal()


cdef bint has_digit(str text) noexcept
cdef bint has_letter(str text) noexcept
cdef bint has_no_case(str text) except -1
cdef bint has_one_of(str text, tuple parts) except -1


cdef inline bint holds(str whole, uint64_t whole_pairs, str part, uint64_t pairs) except -1:
    """True if a key holds another; their pairs of letters tell most others apart."""
    return not pairs & ~whole_pairs and part in whole
