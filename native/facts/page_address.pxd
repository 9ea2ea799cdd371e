# SPDX-License-Identifier: Apache-2.0
"""What a page's address says, and the keys by which names are compared."""

from thresher.native.facts.dates cimport Day


cdef str without_the(str letters)
cdef str name_key(str text)
cdef str plain_letters(str text)
cdef bint holds_year(str path) noexcept
cdef inline bint is_of_word(Py_UCS4 character) noexcept:
    """True for letters, digits and underscores."""
    if character < 0x80:
        return u"a" <= character <= u"z" or u"A" <= character <= u"Z" or u"0" <= character <= u"9" or character == u"_"
    return character.isalnum()


cdef bint holds_word(str text, frozenset words) except -1
cdef set words_of(str text)
cdef str month_in_address(str url)


cdef class Address:
    """What a page's address says. Each answer is looked for once."""
    cdef str url                # "" if it is not known
    cdef str host               # as it is written; "" if there is none
    cdef bint is_front_page     # nothing follows the host
    cdef Day day                # -1 if it was not looked for yet
    cdef str own_name

    cdef Day named_day(self) except -1
    cdef str name(self)
    cdef frozenset site_names(self)
