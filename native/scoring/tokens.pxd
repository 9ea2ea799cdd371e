# SPDX-License-Identifier: Apache-2.0
"""Tokens of the markup and terms of the text, hashed to the indices of learned weights.

A *token* is a word of a class, id, role or itemprop attribute, or the name of a tag that is telling by itself. A *term*
is a word (or ideograph, number, sign) of a block's text. Only the first MAX_TERMS of a block are read (texts.pxd),
because they say most about the kind of block.

The hashes are part of the model: weights are learned for their values, so they must not depend on a secret. Two tokens
that share a weight only cost accuracy.
"""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t

from thresher.native.parsing.document cimport Slice


cdef enum:
    TOKEN_BITS = 14
    N_TOKENS = 1 << 14      # tokens are hashed to this many weights
    N_WEIGHTS = 3 << 14     # weights of tokens, of terms, and of terms of the heading before a block
    FOUND_WORDS = 1 << 10   # of 32 bits, one for each token and one for each term
    HASH_START = 2166136261 # FNV-1a, 32 bits
    HASH_STEP = 16777619


ctypedef struct Vocabulary:     # what a page's tokens and terms are looked up in
    const int8_t* weights       # N_WEIGHTS of them, or NULL: then none is read
    uint32_t[FOUND_WORDS] found         # a bit for each token, and after them for each term, that the page has


ctypedef struct Terms:          # a text whose terms are read one by one
    const uint8_t* p
    const uint8_t* end
    uint32_t previous           # hash of the ideograph before p; 0 if there is none
    uint32_t pair               # a pair of ideographs that is the next term; N_TOKENS if there is none


ctypedef struct TermSums:       # of a block
    uint32_t n_terms            # terms read, at most MAX_TERMS
    int32_t as_text             # sum of their weights as terms of a block,
    int32_t as_heading          # and as terms of a heading


cdef inline void mark_found(Vocabulary* words, uint32_t number) noexcept nogil:
    """Record that the page has a token, or with N_TOKENS added a term."""
    words.found[number >> 5] |= <uint32_t> 1 << (number & 31)


cdef inline void start_terms(Terms* terms, const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Begin with a text."""
    terms.p = p
    terms.end = end
    terms.previous = 0
    terms.pair = N_TOKENS


cdef bint next_term(Terms* terms, uint32_t* term) noexcept nogil
cdef uint32_t read_tokens(
    Slice* rest, const uint8_t* readable, uint32_t start, uint32_t* tokens, uint32_t most
) noexcept nogil
cdef uint32_t start_of_token(uint32_t attribute, uint32_t tag) noexcept nogil
cdef uint32_t token_of_tag(uint32_t tag) noexcept nogil
