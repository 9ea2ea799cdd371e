# SPDX-License-Identifier: Apache-2.0
"""Lists of words as C arrays, for code without the GIL. A module fills its lists once, when it is imported, from Python
lists of bytes that it keeps.
"""

from libc.stdint cimport uint32_t


ctypedef struct Word:
    const char* text    # belongs to the Python object that it was made of
    uint32_t length


cdef int fill_words(Word* words, list spellings, int n) except -1
