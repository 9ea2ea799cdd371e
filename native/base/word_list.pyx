# SPDX-License-Identifier: Apache-2.0
"""Fill lists of words, and look words up; see word_list.pxd."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t
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


cdef inline uint32_t bucket_of(uint8_t first, uint32_t length) noexcept nogil:
    """Where words with this first byte, in upper or lower case, and this length are."""
    return ((first & 31) + 7 * length) & (BUCKETS - 1)


cdef int list_words(WordList* list, const char* words) except -1:
    """Fill a word list with words that are separated by vertical bars."""
    cdef const char* word = words + 1
    cdef uint32_t count = 1, length, bucket
    memset(list, 0, sizeof(WordList))
    list.words = words
    while word[0]:
        length = 0
        while word[length] != c"|":
            length += 1
        if count == MAX_WORDS:
            raise RuntimeError(f"more than {MAX_WORDS - 1} words in a list")
        bucket = bucket_of(<uint8_t> word[0], length)
        list.starts[count] = <uint16_t> (word - words)
        list.lengths[count] = <uint8_t> length
        list.others[count] = list.firsts[bucket]
        list.firsts[bucket] = <uint8_t> count
        count += 1
        word += length + 1
    return 0


cdef const char* word_of(const uint8_t* text, uint32_t length, const WordList* list) noexcept nogil:
    """A word as it stands in the list, which ignores ASCII case; NULL if it does not."""
    cdef uint32_t n = list.firsts[bucket_of(text[0], length)] if length else 0
    while n:
        if equals_ascii(text, length, list.words + list.starts[n], list.lengths[n]):
            return list.words + list.starts[n]
        n = list.others[n]
    return NULL
