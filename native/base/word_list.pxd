# SPDX-License-Identifier: Apache-2.0
"""Lists of words, for code without the GIL. A module fills its lists once, when it is imported: an array from a Python
list of bytes that it keeps, or a WordList, to look words up in, from a literal.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t


cdef enum:
    MAX_WORDS = 128         # of a WordList, with one that is not used
    BUCKETS = 64            # words of the same bucket are looked through


ctypedef struct WordList:   # words by first letter and length; numbers of words, 0 for none
    const char* words       # lower case, with vertical bars between them and at both ends
    uint16_t[MAX_WORDS] starts
    uint8_t[MAX_WORDS] lengths
    uint8_t[MAX_WORDS] others       # the next word of the bucket
    uint8_t[BUCKETS] firsts


ctypedef struct Word:
    const char* text    # belongs to the Python object that it was made of
    uint32_t length


cdef int fill_words(Word* words, list spellings, int n) except -1
cdef int list_words(WordList* list, const char* words) except -1
cdef const char* word_of(const uint8_t* text, uint32_t length, const WordList* list) noexcept nogil


cdef inline bint is_one_of(const uint8_t* text, uint32_t length, const WordList* list) noexcept nogil:
    """True for a word of the list, ignoring ASCII case."""
    return word_of(text, length, list) != NULL
