# SPDX-License-Identifier: Apache-2.0
"""Declarations of styles: what they say about whether an element is seen, in a style attribute or in a rule of a sheet.

Declarations are read as CSS Syntax Module Level 3 says: comments, escapes, strings and nested blocks do not mislead it, a
declaration whose value is invalid is ignored, `!important` wins, and then the later one wins. Time is linear in the
style, and no memory is allocated.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

from thresher.native.base.characters cimport is_space
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
    uint32_t whole          # its integer part without the sign, at most 99999
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
    Slice value             # as it is written


cdef enum:                  # Property: what a declaration may say that matters; the values of most are Said
    PROPERTY_DISPLAY        # Display
    PROPERTY_FONT           # FontSize
    PROPERTY_VISIBILITY     # hidden or collapse
    PROPERTY_SKIPPING       # content-visibility: hidden
    PROPERTY_OPACITY        # 0
    PROPERTY_POSITION       # absolute or fixed: out of the flow
    PROPERTY_CLIP           # to a pixel or less
    PROPERTY_CLIP_PATH      # to nothing
    PROPERTY_WIDTH          # a pixel or less
    PROPERTY_HEIGHT         # a pixel or less
    PROPERTY_OVERFLOW       # hidden
    PROPERTY_LEFT           # far left of the page
    PROPERTY_TOP            # far above the page
    PROPERTY_INDENT         # text far to the left
    PROPERTIES


cdef enum Said:
    SAID_NOT = 0
    SAID_UNSEEN = 1         # what the property's comment says
    SAID_SEEN = 2           # anything else


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


cdef enum:
    ALL_PROPERTIES = (1 << PROPERTIES) - 1


ctypedef struct Look:       # what all declarations together say
    uint8_t[PROPERTIES] values    # by Property; 0 if nothing is said


cdef const uint8_t* skip_escape(const uint8_t* p, const uint8_t* end, uint32_t* code) noexcept nogil
cdef const uint8_t* skip_string(const uint8_t* p, const uint8_t* end) noexcept nogil
cdef const uint8_t* skip_comment(const uint8_t* p, const uint8_t* end) noexcept nogil
cdef const uint8_t* skip_blanks(const uint8_t* p, const uint8_t* end) noexcept nogil
cdef const uint8_t* skip_block(const uint8_t* p, const uint8_t* end, bint* variable) noexcept nogil
cdef bint next_declaration(Slice* style, Declaration* found) noexcept nogil
cdef uint16_t read_style(Slice text, bint plain, Look* look, uint16_t* important) noexcept nogil


cdef inline uint16_t may_be(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """A bit for each property that the name at p may be, by its first letters. At least five bytes must be there."""
    cdef uint8_t c = p[0] | 0x20, d = p[1] | 0x20
    if c == c"d":
        return (d == c"i" and (p[2] | 0x20) == c"s") << PROPERTY_DISPLAY
    if c == c"v":
        return (d == c"i") << PROPERTY_VISIBILITY
    if c == c"o":
        if d == c"p":
            return 1 << PROPERTY_OPACITY
        return (d == c"v" and end - p > 8 and p[8] != c"-") << PROPERTY_OVERFLOW
    if c == c"f":
        return (d == c"o" and end - p > 6 and (p[5] | 0x20) == c"s" and (p[6] | 0x20) == c"i") << PROPERTY_FONT
    if c == c"c":
        if d == c"l" and (p[2] | 0x20) == c"i":
            return 1 << PROPERTY_CLIP | 1 << PROPERTY_CLIP_PATH
        return (d == c"o" and end - p > 8 and p[7] == c"-") << PROPERTY_SKIPPING
    if c == c"p":
        return (d == c"o" and (p[2] | 0x20) == c"s") << PROPERTY_POSITION
    if c == c"l":
        return (d == c"e" and (p[2] | 0x20) == c"f") << PROPERTY_LEFT
    if c == c"t":
        if d == c"o":
            return 1 << PROPERTY_TOP
        return (d == c"e" and end - p > 5 and (p[5] | 0x20) == c"i") << PROPERTY_INDENT
    if c == c"w":
        return (d == c"i" and (p[2] | 0x20) == c"d") << PROPERTY_WIDTH
    if c == c"h":
        return (d == c"e") << PROPERTY_HEIGHT
    return ALL_PROPERTIES if p[0] == c"\\" else 0


cdef inline bint is_clipped(const Look* look) noexcept nogil:
    """True for an element that is laid out where nobody sees it, as text for screen readers is."""
    return (
        look.values[PROPERTY_CLIP_PATH] == SAID_UNSEEN or look.values[PROPERTY_INDENT] == SAID_UNSEEN
        or look.values[PROPERTY_POSITION] == SAID_UNSEEN and (
            look.values[PROPERTY_CLIP] == SAID_UNSEEN or look.values[PROPERTY_LEFT] == SAID_UNSEEN
            or look.values[PROPERTY_TOP] == SAID_UNSEEN
            or look.values[PROPERTY_OVERFLOW] == SAID_UNSEEN and look.values[PROPERTY_WIDTH] == SAID_UNSEEN
            and look.values[PROPERTY_HEIGHT] == SAID_UNSEEN
        )
    )


cdef inline bint is_faint(const Look* look) noexcept nogil:
    """True for an element that takes up space but is transparent or not painted."""
    return look.values[PROPERTY_OPACITY] == SAID_UNSEEN or look.values[PROPERTY_SKIPPING] == SAID_UNSEEN
