# SPDX-License-Identifier: Apache-2.0
"""Inline styles: what a style attribute says about whether its element is seen.

Declarations are read as CSS Syntax Module Level 3 says: comments, escapes, strings and nested blocks do not mislead it, a
declaration whose value is invalid is ignored, `!important` wins, and then the later one wins. Time is linear in the
style, and no memory is allocated.
"""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.parsing.tree cimport Slice


cdef enum:
    MAX_NAME = 24           # bytes of a property or keyword that is recognised
    MAX_WORDS = 3           # keywords of a value that is recognised


ctypedef struct Word:       # an identifier, in lower case and without escapes
    uint8_t[MAX_NAME] data
    uint32_t length         # more than MAX_NAME if it is longer; only MAX_NAME bytes are kept then


cdef enum Unit:
    UNIT_NONE = 0
    UNIT_PERCENT = 1
    UNIT_INHERITED = 2      # a share of the size around it, such as em
    UNIT_LENGTH = 3
    UNIT_UNKNOWN = 4


ctypedef struct Number:
    bint zero
    bint negative           # less than 0
    Unit unit


ctypedef struct Declaration:
    Word name
    Word[MAX_WORDS] words   # the keywords of its value
    uint32_t n_words        # more than MAX_WORDS if there are more
    Number number           # the first number of its value
    uint32_t n_numbers
    bint variable           # the value has a variable in it, so that anything is valid
    bint other              # the value has anything else in it, such as a string
    bint important


cdef enum Display:
    DISPLAY_UNSAID = 0
    DISPLAY_BLOCK = 1       # on lines of its own
    DISPLAY_INLINE = 2      # within the line
    DISPLAY_BOX = 3         # within the line, but as a box: inline-block
    DISPLAY_NONE = 4


cdef enum FontSize:
    FONT_UNSAID = 0         # or relative to the one around it
    FONT_ZERO = 1
    FONT_SEEN = 2


ctypedef struct Style:
    Display display
    bint invisible          # visibility: hidden or collapse
    bint skipped            # content-visibility: hidden
    bint transparent        # opacity: 0
    FontSize font


cdef bint next_declaration(Slice* style, Declaration* found) noexcept nogil
cdef void read_style(Slice text, bint strict, Style* style) noexcept nogil


cdef inline bint word_is(const Word* word, const char* name, uint32_t length) noexcept nogil:
    """True if an identifier is a lower-case name of that length."""
    cdef uint32_t i
    if word.length != length:
        return False
    for i in range(length):
        if word.data[i] != <uint8_t> name[i]:
            return False
    return True
