# SPDX-License-Identifier: Apache-2.0
"""Tables of words, for code without the GIL: what a class, a role or a label says is a row of data, not a comparison.

A row is a word (`lineno`) or a pattern: `line-*` begins with, `*-line` ends with, `*line*` contains. It stands for a
number, often a bit, so that one table can tell apart everything that a room asks of a word. ASCII case is ignored,
unless the table is told to respect it.

A module fills its tables when it is imported, from Python data. They are fixed, so they need no secret (hash_table.pxd).
"""

from libc.stdint cimport uint8_t, uint32_t


cdef enum:
    MAX_TABLE_WORD = 40     # words of this length and longer ones share an entry of `groups`


cdef enum Match:
    MATCH_WHOLE = 0
    MATCH_START = 1
    MATCH_END = 2
    MATCH_INSIDE = 3


ctypedef struct WordRow:
    const uint8_t* text     # kept for the life of the process
    uint32_t length
    uint32_t value
    Match match
    uint8_t edge            # five bits of its first byte, the same in both cases; of its last one for MATCH_END


ctypedef struct WordGroup:  # the whole words of one length
    uint32_t first          # its rows
    uint32_t end
    uint32_t firsts         # a bit for each first byte: rejects most words without a comparison


ctypedef struct WordTable:
    WordRow* rows           # whole words by length, then patterns in the order given
    uint32_t n_whole
    uint32_t n_rows
    uint32_t patterns       # the values of all patterns, as bits
    bint exact              # case counts
    WordGroup[MAX_TABLE_WORD + 1] groups


cdef int fill_words(WordTable* table, object rows, bint exact=*) except -1
cdef const char* kept(object spelling) except? NULL
cdef const WordRow* find_row(const WordTable* table, const uint8_t* word, uint32_t length) noexcept nogil
cdef uint32_t value_of_word(const WordTable* table, const uint8_t* word, uint32_t length) noexcept nogil
cdef bint is_word_of(const WordTable* table, uint32_t wanted, const uint8_t* word, uint32_t length) noexcept nogil
cdef uint32_t first_value(const WordTable* table, const uint8_t* text, uint32_t length) noexcept nogil
cdef bint has_word_of(const WordTable* table, uint32_t wanted, const uint8_t* text, uint32_t length) noexcept nogil
cdef uint32_t all_values(const WordTable* table, uint32_t wanted, const uint8_t* text, uint32_t length) noexcept nogil
