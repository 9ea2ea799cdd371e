# SPDX-License-Identifier: Apache-2.0
"""Furniture that says what it is (furniture_words.py), and boxes that ask for an address.

What the trees learned of it depends on what a page says elsewhere: an article that names no address keeps labels of
advertisements that are dropped from the same article with one. What is named here annotators call no part of the text:
benchmarks/results/model.md has the figures of each kind.

Below the headline of a list of other pages its items belong to it: links, and elements of few words with a link.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint32_t

from thresher.native.measuring.blocks cimport Block, BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Tree


cdef enum Says:              # of itself
    SAYS_ADVERTISEMENT = 1
    SAYS_RELATED = 2
    SAYS_ALSO = 4
    SAYS_NOTICE = 8
    SAYS_CALL = 16
    SAYS_MORE = 32
    SAYS_WALL = 64
    SAYS_CONTINUE = 128
    SAYS_LOGIN = 256        # a wall where something else says so, too


cdef bint is_prose(const Block* block) noexcept nogil
cdef uint32_t end_of_furniture(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t b, size_t article, uint32_t* says
) noexcept nogil
cdef uint32_t end_of_item(
    const MetricsArray* metrics, const BlockArray* blocks, uint32_t b, uint32_t before
) noexcept nogil
cdef uint32_t next_sign_up(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t number
) noexcept nogil
