# SPDX-License-Identifier: Apache-2.0
"""The type of a page: the weights of what speaks for it."""

cimport cython

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

from thresher.native.base.decision_trees cimport NumberTrees
from thresher.native.facts.page_url cimport PageUrl


cdef enum:
    N_TYPES = 19
    TYPE_LANES = 24         # of a row of weights: those of the types, and zeros


cdef enum:                  # what a page is made of (Workspace.shape())
    SHAPE_WORDS             # of the page
    KEPT_WORDS
    KEPT_LINK_WORDS         # those of them in links
    KEPT_BLOCKS
    KEPT_LONG               # blocks of 40 words and more,
    KEPT_SHORT              # of 5 and less,
    KEPT_HEADINGS
    KEPT_ITEMS              # and items of lists and cells of tables
    SHAPE_BLOCKS            # of the page
    SHAPE_FIRST             # number of the first kept block; that of all if none is kept
    SHAPE_LAST              # and of the one behind the last
    KEPT_LARGEST            # words of the largest block
    KEPT_PARAGRAPH_WORDS
    KEPT_HEADING_WORDS
    SHAPE_LINK_WORDS        # of the page
    SHAPE_ITEMS             # blocks of the page that are items of lists,
    SHAPE_PLAIN             # in no element that says what they are,
    SHAPE_HEADINGS          # and headings
    # by the scores of the blocks; 0 unless the learned extractor has chosen
    SHAPE_UNSURE            # words, each by how uncertain it is whether it is main text
    SHAPE_HIGHEST           # probability of a block, in 1/4096
    # by their features (scoring/feature_table.pyx); 0 then too
    KEPT_SENTENCES          # blocks that end as a sentence does
    KEPT_DATES              # blocks with a date
    KEPT_DIGITS             # shares of digits, summed up
    KEPT_CAPITALS           # shares of capitals, summed up
    N_SHAPE


cdef enum:
    N_PAGE_NUMBERS = 25     # that trees ask for, beside the sum of each type
    N_NUMBERS = N_PAGE_NUMBERS + N_TYPES
    LEAST_WORDS = 100       # of a page that trees are asked about: of smaller ones they say nothing (sites held out)


ctypedef struct TypeRow:    # a known piece of evidence
    uint32_t start          # of its name in TypeWeights.text
    uint32_t length
    int32_t[N_TYPES] weights


@cython.final
cdef class TypeWeights:
    """The weights of known pieces of evidence, and of tokens and terms."""
    cdef TypeRow* rows
    cdef uint32_t n_rows
    cdef uint32_t* slots        # the number of a row plus one; 0 is free
    cdef uint32_t mask          # the number of slots less one, a power of two less one; at most half are taken
    cdef uint32_t longest       # bytes of a name
    cdef bytes names            # all names,
    cdef const uint8_t* text    # and where they are
    cdef bytes hashed           # TYPE_LANES bytes for each token, and for each term (scoring/tokens.pxd)
    cdef const uint8_t* hashed_rows     # where they are; NULL for none
    cdef int32_t[N_TYPES] basis  # the weights of every page
    cdef uint32_t[N_TYPES] groups    # the first type of each one's group
    cdef NumberTrees trees    # for one type after another and again
    cdef int32_t scale          # of the sums beside the trees, in hundredths
    cdef void add_trees(self, int64_t* sums, int32_t* numbers) noexcept nogil
    cdef void add_hashed(self, int32_t* sums, const uint32_t* found) noexcept nogil
    cdef tuple judge(
        self, dict values, tuple counts, list linked, PageUrl where, tuple shape, const int32_t* hashed, dict into
    )
