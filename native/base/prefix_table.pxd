# SPDX-License-Identifier: Apache-2.0
"""Tables of the beginnings of words, for code that goes through a text and asks at each place what begins there.

Each stands for a number, its bits. ASCII case is ignored, letters outside ASCII are compared as written. A module fills
its tables when it is imported. They are fixed, so they need no secret (hash_table.pxd).
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

from thresher.native.base.characters cimport begins_ascii


cdef enum:
    PAIRS = 1024            # hashes of two bytes


ctypedef struct Prefix:
    const char* text        # in lower case; kept for the life of the process
    uint32_t length         # 0 for a row that ends those of a pair
    uint32_t value


ctypedef struct PrefixTable:
    Prefix* rows            # by the hash of their first two bytes; a longer one comes before its beginning
    uint16_t[PAIRS] first   # for each hash: its first row


cdef int fill_prefixes(PrefixTable* table, object rows) except -1


cdef inline uint32_t pair_of(const uint8_t* text) noexcept nogil:
    """The hash of the first two bytes of a text: another one for every two letters, and the same in both cases."""
    return <uint32_t> (text[0] & 31) << 5 | text[1] & 31


cdef inline const Prefix* next_prefix(const Prefix* row, const uint8_t* text, uint32_t length) noexcept nogil:
    """The first of the rows from one on that a text begins with; NULL if there is none."""
    cdef uint32_t last
    while row.length:
        last = row.length - 1       # where most texts differ that have the first two bytes in common
        if last < length and (text[last] ^ row.text[last]) & 0xDF == 0 and begins_ascii(text, length, row.text, row.length):
            return row
        row += 1
    return NULL


cdef inline const Prefix* first_prefix(const PrefixTable* table, const uint8_t* text, uint32_t length) noexcept nogil:
    """The longest row that a text begins with; NULL if there is none."""
    cdef uint16_t first = table.first[pair_of(text)] if length > 1 else 0
    return next_prefix(table.rows + first, text, length) if first else NULL
