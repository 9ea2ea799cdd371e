# SPDX-License-Identifier: Apache-2.0
"""What the words of a class and the declarations of a style say about constructs. They are rows of construct_words.py."""

from libc.stdint cimport uint32_t

from thresher.native.parsing.reading cimport Slice, Tree


cdef enum Say:              # bits, in the order of CLASSES in construct_words.py
    SAYS_NUMBER = 1 << 0    # a line number, or a column of them
    SAYS_ROW = 1 << 1
    SAYS_LINE = 1 << 2
    SAYS_CODE_CELL = 1 << 3
    SAYS_EDITOR = 1 << 4
    SAYS_MEASURE = 1 << 5
    SAYS_NUMBERED_CODE = 1 << 6
    SAYS_POPUP = 1 << 7
    SAYS_BLOCK = 1 << 8
    SAYS_LABEL = 1 << 9
    SAYS_TEXTAREA = 1 << 10
    SAYS_TOKEN = 1 << 11
    SAYS_EDIT = 1 << 12
    SAYS_TABS = 1 << 13
    SAYS_TAB_GROUP = 1 << 14
    SAYS_PROMPT = 1 << 15
    SAYS_NOTE = 1 << 16
    SAYS_FOOTNOTE = 1 << 17
    SAYS_NOTE_MARK = 1 << 18
    SAYS_NOTE_OUTER = 1 << 19
    SAYS_NOTE_NUMBER = 1 << 20
    SAYS_NOTE_TOGGLE = 1 << 21
    SAYS_ANCHOR = 1 << 22
    SAYS_CALLOUT = 1 << 23
    SAYS_CALLOUT_TITLE = 1 << 24
    SAYS_CONTROL = 0xF << 12        # any of the four that rewrite_control() asks for
    SAYS_INLINE_NOTE = 0x7 << 16    # any of the three by which a note begins


cdef enum StyleSay:         # bits, in the order of STYLES in construct_words.py
    STYLE_UNSELECTABLE = 1
    STYLE_APART = 2         # kept apart from what follows
    STYLE_ROW = 4
    STYLE_SPACES = 8        # white space is kept


cdef uint32_t words_said(Slice value, uint32_t wanted) noexcept nogil
cdef bint words_say(Slice value, uint32_t wanted) noexcept nogil
cdef bint class_says(const Tree* tree, uint32_t node, uint32_t wanted) noexcept nogil
cdef bint style_says(const Tree* tree, uint32_t node, uint32_t wanted) noexcept nogil
cdef bint is_language_name(Slice text) noexcept nogil
cdef bint is_button_label(Slice text) noexcept nogil
