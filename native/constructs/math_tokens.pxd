# SPDX-License-Identifier: Apache-2.0
"""Tokens of formulas as TeX: an identifier, number or operator of MathML, or the characters that MathJax and KaTeX show
for one.
"""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.base.characters cimport equals_ascii
from thresher.native.base.text_buffer cimport TextBuffer
from thresher.native.constructs.construct cimport Slice, Tree


cdef enum:
    MAX_TOKEN = 256         # characters of a token


cdef enum Kind:             # what an element means
    IS_NOTHING = 0          # not displayed: an annotation, a strut
    IS_ROW = 1              # its children in sequence
    IS_IDENTIFIER = 2
    IS_NUMBER = 3
    IS_OPERATOR = 4
    IS_TEXT = 5
    IS_SPACE = 6
    IS_FRACTION = 7
    IS_SQUARE_ROOT = 8
    IS_ROOT = 9
    IS_SUB = 10
    IS_SUP = 11
    IS_SUBSUP = 12
    IS_UNDER = 13
    IS_OVER = 14
    IS_UNDEROVER = 15
    IS_TABLE = 16
    IS_TABLE_ROW = 17
    IS_LABELED_ROW = 18
    IS_CELL = 19
    IS_FENCED = 20
    IS_ENCLOSED = 21
    IS_PHANTOM = 22
    IS_SCRIPTS = 23
    IS_PRESCRIPTS = 24
    IS_PART = 25            # MathJax's own: num, den, script, base, over, under, root


cdef enum Variant:
    PLAIN = 0
    UPRIGHT = 1
    BOLD = 2
    DOUBLE_STRUCK = 3
    SCRIPT = 4
    FRAKTUR = 5
    SANS = 6
    MONOSPACE = 7
    BOLD_ITALIC = 8
    ITALIC = 9
    CALLIGRAPHIC = 10


ctypedef struct Token:
    uint32_t[MAX_TOKEN] codes
    uint32_t length
    bint cut                # it has more characters
    Variant variant


cdef double leading_number(Slice text) noexcept nogil
cdef const char* symbol_of(uint32_t code) noexcept nogil
cdef Slice attribute_of(const Tree* tree, uint32_t n, const char* name, uint32_t length) noexcept nogil
cdef uint32_t next_code(const uint8_t* p, const uint8_t* end, uint32_t* code) noexcept nogil
cdef void add_code(Token* token, uint32_t code) noexcept nogil
cdef void read_token(const Tree* tree, uint32_t n, Token* token) noexcept nogil
cdef void trim_token(Token* token) noexcept nogil
cdef void put_word(TextBuffer* out, const char* word) noexcept nogil
cdef void put_character(TextBuffer* out, uint32_t code) noexcept nogil
cdef Variant variant_of(const Tree* tree, uint32_t n) noexcept nogil
cdef void put_plain(TextBuffer* out, const Token* token) noexcept nogil
cdef void put_token(TextBuffer* out, Token* token, Variant variant, Kind kind) noexcept nogil


cdef inline bint named(Slice name, const char* word, uint32_t length) noexcept nogil:
    return equals_ascii(name.data, name.length, word, length)
