# SPDX-License-Identifier: Apache-2.0
"""How much a text looks like a name of people: "Ann Lee" and not "Sign Up", in any script.

A text has features: each of its words, also by its place, with its ending, its capitals and its length; and how many words
there are. Each feature has a weight in a table, at the place that its hash says; the sum is the log-odds that the text is
a name, as a logistic regression has it that is fitted to the names and other short texts of labelled pages
(`python -m thresher.lab.train.facts`).
"""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from thresher.native.base.scan cimport hash_bytes
from thresher.native.facts.letters cimport PyUnicode_IS_ASCII

cdef enum:
    MAX_WORDS = 4           # that are looked at
    MAX_LENGTH = 9          # of a word; longer ones count as this
    ENDING = 3              # characters of a word's ending
    MAX_BYTES = 62          # of a word that is hashed
    MAX_FEATURES = 1 + 5 * MAX_WORDS


cdef uint32_t hashed(char what, char place, str text) except? 0:
    """The hash of a feature."""
    cdef uint8_t[2 + MAX_BYTES] name
    cdef Py_ssize_t length
    cdef const char* utf8 = PyUnicode_AsUTF8AndSize(text, &length)
    name[0], name[1] = what, place
    length = min(length, <Py_ssize_t> MAX_BYTES)
    memcpy(name + 2, utf8, length)
    return hash_bytes(name, 2 + length)


cdef str shape_of(str word, str small):
    """How a word is written: with a digit, as an initial, in capitals, in small letters, as a name, mixed, or in a script
    without capitals.
    """
    cdef Py_UCS4 character
    cdef Py_ssize_t n_upper = 0, n_lower = 0
    for character in word:
        if character.isdigit():
            return "digit"
        n_lower += <bint> character.islower()
        n_upper += <bint> character.istitle()   # or in upper case
    if word == small:
        return "small" if n_lower else "no case"
    if len(word) < 3 and word.endswith("."):
        return "initial"
    if n_lower == 0:
        return "capitals"
    return "name" if n_upper == 1 and word[0].isupper() else "mixed"


cdef int features_of(str text, uint32_t* found) except -1:
    """Set the hashes of a text's features; returns how many, at most MAX_FEATURES."""
    cdef list words = (text if PyUnicode_IS_ASCII(text) else text.encode("utf-8", "ignore").decode("utf-8")).split()
    cdef Py_ssize_t i, n = min(len(words), <Py_ssize_t> MAX_WORDS)
    cdef int count = 1
    cdef char place
    cdef str word, small
    found[0] = hashed(c"n", c"0" + <char> n, "")
    for i in range(n):
        word = words[i]
        small = word.lower()
        place = c"f" if i == 0 else c"l" if i == n - 1 else c"m"
        found[count] = hashed(c"p", place, small)
        found[count + 1] = hashed(c"w", c"-", small)
        found[count + 2] = hashed(c"e", place, small[-ENDING:] if len(small) > ENDING else small)
        found[count + 3] = hashed(c"s", place, shape_of(word, small))
        found[count + 4] = hashed(c"l", place + <char> min(len(word), <Py_ssize_t> MAX_LENGTH), "")
        count += 5
    return count


def name_features(str text not None) -> list[int]:
    """The hashes, 32 bits each, of the features of a text."""
    cdef uint32_t[MAX_FEATURES] found
    cdef int n = features_of(text, found)
    return [found[k] for k in range(n)]


cdef class NameWeights:
    """Weights of the words of texts, of their endings, capitals and lengths."""

    def __init__(self, bytes weights not None) -> None:
        """A weight, -128 to 127, for each place of the table; their number is a power of two."""
        cdef Py_ssize_t n = len(weights)
        if n == 0 or n & (n - 1) or n > 1 << 24:
            raise ValueError(f"{n} weights of names, which is no power of two")
        self.weights, self.mask = weights, <uint32_t> (n - 1)
        self.values = <const int8_t*> <const char*> weights

    cdef int score(self, str text) except? -1:
        """The sum of the weights of a text's features."""
        cdef uint32_t[MAX_FEATURES] found
        cdef int k, total = 0, n = features_of(text, found)
        for k in range(n):
            total += self.values[found[k] & self.mask]
        return total

    def score_of(self, str text not None) -> int:
        """The sum of the weights of a text's features, in sixteenths of log-odds."""
        return self.score(text)
