# SPDX-License-Identifier: Apache-2.0
"""Tokens of formulas as TeX: an identifier, number or operator of MathML, or the characters that MathJax and KaTeX show
for one. What is known of a character is a row of tex_tables.py.
"""

from thresher.native.constructs.construct cimport *


cdef enum:
    MAX_TOKEN = 256         # characters of a token


cdef enum TokenKind:        # what a token stands for
    TOKEN_IDENTIFIER = 0
    TOKEN_NUMBER = 1
    TOKEN_OPERATOR = 2


cdef enum Variant:          # in the order of VARIANTS in tex_tables.py
    PLAIN = 0
    UPRIGHT = 1
    BOLD = 2
    ITALIC = 3
    BOLD_ITALIC = 4
    DOUBLE_STRUCK = 5
    SCRIPT = 6
    CALLIGRAPHIC = 7
    FRAKTUR = 8
    SANS = 9
    MONOSPACE = 10
    N_VARIANTS = 11


ctypedef struct Token:
    uint32_t[MAX_TOKEN] codes
    uint32_t length
    bint cut                # it has more characters
    Variant variant


ctypedef struct Character:  # what is known of a character; NULL, 0 and False where nothing is
    uint32_t code
    const char* symbol      # TeX for it in a formula
    const char* in_text     # in \text{}
    const char* accent      # the command if it stands above one letter
    const char* accent_stretched    # and stretches
    const char* accent_wide # and stretches above more than one letter
    const char* below       # the command if it stands below
    bint brace              # that command takes its label as a script
    bint limits             # TeX sets limits above and below it
    uint32_t closing        # the bracket that closes it
    const char* matrix      # the environment of a table between the two
    uint32_t bracket        # the bracket that it is a piece of
    uint32_t letter         # the plain letter that it is a variant of
    Variant variant


cdef const Character* known(uint32_t code) noexcept nogil
cdef inline uint8_t hexadecimal_digit(uint8_t c) noexcept nogil:
    """The value of a hexadecimal digit, 16 for anything else."""
    if c"0" <= c <= c"9":
        return c - c"0"
    c |= 0x20
    return c - c"a" + 10 if c"a" <= c <= c"f" else 16


cdef double leading_number(Slice text) noexcept nogil
cdef uint32_t first_code(Slice text) noexcept nogil
cdef void start_token(Token* token) noexcept nogil
cdef void add_code(Token* token, uint32_t code) noexcept nogil
cdef void add_text(Token* token, Slice text) noexcept nogil
cdef void read_token(const Tree* tree, uint32_t n, Token* token) noexcept nogil
cdef void trim_token(Token* token) noexcept nogil
cdef void put_word(TextBuffer* out, const char* word) noexcept nogil
cdef void put_character(TextBuffer* out, uint32_t code) noexcept nogil
cdef Variant variant_of(const Tree* tree, uint32_t n) noexcept nogil
cdef void put_plain(TextBuffer* out, const Token* token) noexcept nogil
cdef void put_text_command(TextBuffer* out, const Token* token) noexcept nogil
cdef void put_token(TextBuffer* out, Token* token, Variant variant, TokenKind kind) noexcept nogil
