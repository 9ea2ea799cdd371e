# SPDX-License-Identifier: Apache-2.0
"""What the texts of a block say, read in one pass: marks of punctuation, the first characters, terms and words.

The *opening* of a block is its first characters: digits, capitals, dates. Quantities of ingredients, prices, bylines,
dates and picture credits have typical shapes in any language, while their words belong to one. Terms are explained in
tokens.pxd, words in declared.pxd.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from thresher.native.measuring.blocks cimport Block
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Tree


cdef extern from "scoring/texts.h" nogil:
    enum:
        MAX_OPENING
        MAX_TERMS
        MAX_COVER
        WORDS_ROOM

    ctypedef struct Opening:
        uint32_t characters
        uint32_t digits
        uint32_t capitals
        uint32_t number
        uint32_t length
        uint8_t previous
        uint8_t before_pair
        uint8_t date

    ctypedef struct TextPass:
        uint32_t most_characters
        uint32_t most_terms
        uint32_t most_words
        uint32_t marks
        uint32_t commas
        uint32_t n_terms
        uint32_t n_words
        Opening opening
        uint32_t* terms
        uint64_t* words

    void start_pass(TextPass* read, uint32_t most_characters, uint32_t most_terms, uint32_t most_words) noexcept
    void add_start(TextPass* read, const uint8_t* p, const uint8_t* end, const uint8_t* readable) noexcept
    uint64_t hash_of_starts(TextPass* read) noexcept
    void end_number(Opening* opening) noexcept


cdef const uint8_t* read_on(
    TextPass* read, const uint8_t* p, const uint8_t* end, const uint8_t* readable
) noexcept nogil
cdef void open_block(
    Opening* opening, const Tree* tree, const MetricsArray* metrics, const Block* block
) noexcept nogil
