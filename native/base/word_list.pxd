# SPDX-License-Identifier: Apache-2.0
"""Lists of words, for code without the GIL. A module fills its lists once, when it is imported: an array from a Python
list of bytes that it keeps, or a WordList, to look words up in, from a literal.
"""

from libc.stdint cimport uint8_t, uint32_t


cdef enum:
    MAX_WORD = 40       # longest word that `firsts` distinguishes; longer ones share its entry


ctypedef struct WordList:
    const char* words               # lower case, before, between and behind them vertical bars
    uint32_t[MAX_WORD + 1] firsts   # for each length, bits of the first bytes: rejects most words without a search


ctypedef struct Word:
    const char* text    # belongs to the Python object that it was made of
    uint32_t length


cdef int fill_words(Word* words, list spellings, int n) except -1
cdef void list_words(WordList* list, const char* words) noexcept nogil
cdef const char* word_of(const uint8_t* text, uint32_t length, const WordList* list) noexcept nogil


cdef inline bint is_one_of(const uint8_t* text, uint32_t length, const WordList* list) noexcept nogil:
    """True for a word of the list, ignoring ASCII case."""
    return word_of(text, length, list) != NULL
