# SPDX-License-Identifier: Apache-2.0
"""The kind of a page: the weights of what speaks for it."""

cimport cython

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, int8_t, uint8_t, uint32_t


cdef enum:
    KINDS = 19
    LANES = 24              # of a row of weights: those of the kinds, and zeros


ctypedef struct KindRow:    # a known piece of evidence
    uint32_t start          # of its name in KindTable.text
    uint32_t length
    uint32_t round          # of the last page that it was counted for: evidence counts once
    int32_t[KINDS] weights


ctypedef struct KindTable:
    KindRow* rows
    uint32_t* slots         # the number of a row plus one; 0 is free
    uint32_t mask           # the number of slots less one, a power of two less one; at most half are taken
    uint32_t longest        # bytes of a name
    uint32_t round          # of this page
    const uint8_t* text     # all names
    int64_t[KINDS] sums     # of the weights found so far


@cython.final
cdef class KindWeights:
    """The weights of known pieces of evidence, and of tokens and terms."""
    cdef KindTable table
    cdef bytes text
    cdef bytes hashed           # LANES bytes for each token, and for each term (scoring/tokens.pxd)
    cdef int32_t[KINDS] basis   # the weights of every page
    cdef tuple judge(
        self, dict values, tuple counts, list linked, str url, tuple shape, const uint32_t* found
    )
