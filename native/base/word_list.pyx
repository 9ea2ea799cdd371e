# SPDX-License-Identifier: Apache-2.0
"""Fill lists of words; see word_list.pxd."""


cdef int fill_words(Word* words, list spellings, int n) except -1:
    """Fill an array of n words. Raises RuntimeError if there are more or fewer spellings."""
    cdef int i
    if len(spellings) != n:
        raise RuntimeError(f"{len(spellings)} words, from {spellings[:1]} on, and there is room for {n}")
    for i in range(n):
        words[i].text = <const char*> <bytes> spellings[i]
        words[i].length = len(spellings[i])
    return 0
