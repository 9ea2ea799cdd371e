# SPDX-License-Identifier: Apache-2.0
"""Tokens of formulas as TeX: an identifier, number or operator of MathML, or the characters that MathJax and KaTeX show
for one. What is known of a character is a row of tex_tables.py.
"""

from thresher.native.constructs.construct cimport *
from thresher.native.constructs.tex cimport MAX_FORMULA


cdef enum:
    MAX_TOKEN = 256         # characters of a token


cdef enum TokenKind:        # what a token stands for
    TOKEN_IDENTIFIER, TOKEN_NUMBER, TOKEN_OPERATOR


cdef enum Variant:          # in the order of VARIANTS in tex_tables.py
    PLAIN, UPRIGHT, BOLD, ITALIC, BOLD_ITALIC, DOUBLE_STRUCK, SCRIPT, CALLIGRAPHIC, FRAKTUR, SANS, MONOSPACE
    N_VARIANTS


ctypedef struct Token:
    uint32_t[MAX_TOKEN] codes
    uint32_t length
    bint cut                # it has more characters
    Variant variant


cdef struct TexWriter:      # of one formula that is converted
    const Tree* tree
    TextBuffer* out
    int depth               # of the element that is written
    void (*put)(TexWriter* tex, uint32_t n) noexcept nogil      # appends an element


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


cdef inline TexWriter start_tex(Rewriting* page, void (*put)(TexWriter* tex, uint32_t n) noexcept nogil) noexcept nogil:
    """Begin a formula in the spare text."""
    start_text(page.spare)
    return TexWriter(tree=page.tree, out=page.spare, depth=0, put=put)


cdef inline bint is_whole(const TexWriter* tex) noexcept nogil:
    """True if a formula displays something, and not too much to be written whole."""
    return 0 < tex.out.length < MAX_FORMULA and not tex.out.failed


cdef const Character* known(uint32_t code) noexcept nogil
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
cdef void put_form(TexWriter* tex, const char* form, uint32_t first, uint32_t second) noexcept nogil
cdef void put_short(TexWriter* tex, uint8_t mark, uint32_t n) noexcept nogil
cdef void begin_environment(TextBuffer* out, const char* name) noexcept nogil
cdef void end_environment(TextBuffer* out, const char* name) noexcept nogil
