# SPDX-License-Identifier: Apache-2.0
"""Fill lists of words, and look words up; see word_list.pxd."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

from thresher.native.base.characters cimport equals_ascii


cdef int fill_words(Word* words, list spellings, int n) except -1:
    """Fill an array of n words. Raises RuntimeError if there are more or fewer spellings."""
    cdef int i
    if len(spellings) != n:
        raise RuntimeError(f"{len(spellings)} words, from {spellings[:1]} on, and there is room for {n}")
    for i in range(n):
        words[i].text = <const char*> <bytes> spellings[i]
        words[i].length = len(spellings[i])
    return 0


cdef inline uint32_t first_bit(uint8_t first) noexcept nogil:
    """A bit for the first byte of a word, the same for upper and lower case."""
    return <uint32_t> 1 << (first & 31)


cdef void list_words(WordList* list, const char* words) noexcept nogil:
    """Make a list of words that are separated by vertical bars."""
    cdef const char* word = words + 1
    cdef uint32_t n
    memset(list.firsts, 0, sizeof(list.firsts))
    list.words = words
    while word[0]:
        n = 0
        while word[n] != c"|":
            n += 1
        list.firsts[min(n, <uint32_t> MAX_WORD)] |= first_bit(<uint8_t> word[0])
        word += n + 1


cdef const char* word_of(const uint8_t* text, uint32_t length, const WordList* list) noexcept nogil:
    """A word as it stands in the list, which ignores ASCII case; NULL if it does not."""
    cdef const char* word = list.words + 1
    cdef uint32_t n
    if length == 0 or not list.firsts[min(length, <uint32_t> MAX_WORD)] & first_bit(text[0]):
        return NULL
    while word[0]:
        n = 0
        while word[n] != c"|":
            n += 1
        if equals_ascii(text, length, word, n):
            return word
        word += n + 1
    return NULL
