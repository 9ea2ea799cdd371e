# SPDX-License-Identifier: Apache-2.0
"""The tokenizer: takes the page's bytes and returns one token at a time.

It works on runs, not on characters: a text token is everything up to the next tag, with character references already
decoded. Newlines have already been normalised (document.pyx), so the page has no CR.
"""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.base.hash_table cimport HashTable
from thresher.native.parsing.arena cimport Arena
from thresher.native.parsing.tags cimport ATTR_COUNT, NameTables


cdef enum TokenKind:
    TOKEN_EOF = 0
    TOKEN_TEXT = 1          # a run of characters without NUL, at least one byte
    TOKEN_NULL = 2          # a run of NUL, which most insertion modes drop
    TOKEN_START_TAG = 3
    TOKEN_END_TAG = 4
    TOKEN_COMMENT = 5
    TOKEN_DOCTYPE = 6


cdef enum TokenizerState:
    """The states that a token can begin in. States within a token are places in the code of tokenizer.pyx."""
    DATA_STATE = 0
    RCDATA_STATE = 1
    RAWTEXT_STATE = 2
    SCRIPT_DATA_STATE = 3
    PLAINTEXT_STATE = 4
    CDATA_SECTION_STATE = 5


cdef enum:
    # unknown attribute names of a tag that are compared one by one; further ones go through a hash table
    LINEAR_NAMES = 32
    SHARED_VALUES = 512     # class attributes that are remembered


ctypedef struct Token:
    uint32_t kind           # TokenKind
    uint32_t tag            # of tags: Tag, or the page's number for a name outside the table
    uint32_t start          # address of: text, comment, doctype name, tag name where tag is not in the table
    uint32_t length
    uint32_t attributes     # index of the first in Arena.attributes; a doctype's are its public and system identifier
    uint32_t n_attributes
    bint self_closing
    bint force_quirks       # of doctypes; also set if there was no name
    bint has_public         # "missing" and "empty" identifiers differ
    bint has_system


ctypedef struct SharedValue:    # a class attribute in the page
    uint32_t start
    uint32_t length         # 0 for a free entry


ctypedef struct Tokenizer:
    Arena* arena
    const NameTables* names
    const uint8_t* at       # the next byte
    const uint8_t* end      # one past the page
    Token token             # the last token
    uint32_t state          # TokenizerState
    uint32_t last_start_tag # "appropriate end tag": the tag whose content RCDATA, RAWTEXT and script data are
    uint32_t last_start     # address and length of its name, if it is not in the table (tests only)
    uint32_t last_length
    bint cdata_allowed      # "adjusted current node is not in the HTML namespace"; kept by the tree builder
    # duplicate attributes
    uint32_t tag_serial                     # counts tags; a name was seen on this tag if its entry below equals it
    uint32_t seen[<int>ATTR_COUNT]
    uint32_t n_unknown                      # unknown attribute names on this tag
    uint32_t unknown_hash[LINEAR_NAMES]     # of the first ones: hash_bytes() of the name
    uint32_t unknown_index[LINEAR_NAMES]    # and the index in Arena.attributes
    HashTable unknown_names                 # with more than LINEAR_NAMES of them: name key to index
    SharedValue classes[SHARED_VALUES]      # by place_of_class()


cdef void start_tokenizer(Tokenizer* tokenizer, Arena* arena, const uint8_t* page, uint32_t length) noexcept nogil
cdef uint32_t next_token(Tokenizer* tokenizer) noexcept nogil
cdef void free_tokenizer(Tokenizer* tokenizer) noexcept nogil
