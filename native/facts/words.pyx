# SPDX-License-Identifier: Apache-2.0
"""Words of texts: where they begin and end, and whether they are some that are known."""

cimport cython
from libc.stdint cimport uint32_t, uint64_t

from thresher.native.facts.letters cimport letter_of


cdef inline uint32_t folded(Py_UCS4 character) except? 0:
    """A character, the same in upper and lower case."""
    return <uint32_t> character | 0x20 if character < 0x80 else <uint32_t> letter_of(character, False)


cdef uint32_t hash_of(str text, Py_ssize_t start, Py_ssize_t end) except? 0:
    """The hash of a part of a text, the same in upper and lower case."""
    cdef uint32_t hash = 0
    cdef Py_ssize_t i
    for i in range(start, end):
        hash = hash * 31 + folded(text[i])
    return hash


cdef inline void enter_hash(uint64_t* bits, uint32_t hash) noexcept:
    """Enter a hash in a set of 2,048 bits."""
    hash *= <uint32_t> 0x9E3779B1
    bits[hash >> 27] |= <uint64_t> 1 << (hash >> 21 & 63)


cdef inline bint has_hash(const uint64_t* bits, uint32_t hash) noexcept:
    """True if a hash was entered in a set, or one that has the same place."""
    hash *= <uint32_t> 0x9E3779B1
    return bits[hash >> 27] >> (hash >> 21 & 63) & 1


@cython.final
cdef class Words:
    """Words in lower case that texts are searched for."""

    def __init__(self, frozenset words not None) -> None:
        """Takes the words, none of them empty."""
        self.words = words
        for word in words:
            self.longest = max(self.longest, <Py_ssize_t> len(word))
            enter_hash(self.bits, hash_of(word, 0, len(word)))
            enter_hash(self.begins, hash_of(word, 0, min(<Py_ssize_t> len(word), 2)))

    cdef bint is_known(self, str text, Py_ssize_t start, Py_ssize_t end, uint32_t hash) except -1:
        """True if a part of a text, whose hash_of() this is, is one of the words, in any case."""
        return has_hash(self.bits, hash) and text[start:end].lower() in self.words

    cdef bint are_in(self, str text) except -1:
        """True if one of the runs of letters, digits and underscores of a text is one of the words, in any case."""
        cdef Py_ssize_t i = 0, start = 0
        cdef uint32_t hash = 0
        cdef Py_UCS4 character
        for character in text:
            i += 1
            if is_of_word(character):
                hash = hash * 31 + folded(character)
                continue
            if i - 1 > start and self.is_known(text, start, i - 1, hash):
                return True
            start, hash = i, 0
        return i > start and self.is_known(text, start, i, hash)

    cdef Py_ssize_t end_at(self, str text, Py_ssize_t start) except -2:
        """Where the longest of the words ends that a text has at a place, with white space or a colon behind it; -1 if it
        has none there.
        """
        cdef Py_ssize_t end, found = -1
        cdef uint32_t hash = 0
        cdef Py_UCS4 character
        for end in range(start, min(<Py_ssize_t> len(text), start + self.longest + 1)):
            character = text[end]
            if (character.isspace() or character in u":：／") and self.is_known(text, start, end, hash):
                found = end
            if end - start == 2 and not has_hash(self.begins, hash) and found < 0:
                break
            hash = hash * 31 + folded(character)
        return found

    cdef bint has(self, str text, Py_ssize_t start, Py_ssize_t end) except -1:
        """True if a part of a text, not an empty one, is one of the words, in any case."""
        return end - start <= self.longest and self.is_known(text, start, end, hash_of(text, start, end))
