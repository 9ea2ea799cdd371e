# SPDX-License-Identifier: Apache-2.0
"""Looks up the words of classes, ids and styles in the table of construct_words.py."""

from thresher.native.base.word_table cimport WordTable, all_values, fill_words, has_word_of, is_word_of, value_of_word
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport ATTR_STYLE
from thresher.native.shown.styles cimport MAX_NAME, Declaration, next_declaration

from thresher.native.constructs import construct_words


cdef enum:
    MAX_CLASS = 256         # bytes of a class that are read
    MAX_STYLE = 512         # bytes of a style; a longer one says nothing
    IS_LANGUAGE = 1
    IS_BUTTON = 2


cdef WordTable CLASS_WORDS
cdef WordTable STYLES
cdef WordTable LABELS
fill_words(&CLASS_WORDS, {1 << bit: words for bit, words in enumerate(construct_words.CLASSES.values())})
fill_words(&STYLES, {1 << bit: words for bit, words in enumerate(construct_words.STYLES.values())})
fill_words(&LABELS, {IS_LANGUAGE: construct_words.LANGUAGES, IS_BUTTON: construct_words.BUTTONS})


cdef uint32_t words_said(Slice value, uint32_t wanted) noexcept nogil:
    """Those of the wanted things that the words of a class say."""
    return all_values(&CLASS_WORDS, wanted, value.data, min(value.length, <uint32_t> MAX_CLASS))


cdef bint words_say(Slice value, uint32_t wanted) noexcept nogil:
    """True if a word of a class says one of the wanted things."""
    return has_word_of(&CLASS_WORDS, wanted, value.data, min(value.length, <uint32_t> MAX_CLASS))


cdef bint class_says(const Tree* tree, uint32_t node, uint32_t wanted) noexcept nogil:
    """True if a word of an element's class says one of the wanted things."""
    return tree.nodes[node].n_attributes and words_say(class_of(tree, node), wanted)


cdef bint style_says(const Tree* tree, uint32_t node, uint32_t wanted) noexcept nogil:
    """True if a declaration of an element's style says one of the wanted things."""
    cdef Slice style = value_in(tree, node, ATTR_STYLE)
    cdef uint8_t[2 * MAX_NAME + 1] row
    cdef Declaration found
    cdef uint32_t length
    while style.length <= MAX_STYLE and next_declaration(&style, &found):
        length = found.name.length
        if length > MAX_NAME or found.n_words and found.words[0].length > MAX_NAME:
            continue
        memcpy(row, found.name.data, length)
        row[length] = c":"
        length += 1
        if found.n_words:
            memcpy(row + length, found.words[0].data, found.words[0].length)
            length += found.words[0].length
        if is_word_of(&STYLES, wanted, row, length):
            return True
    return False


cdef bint is_language_name(Slice text) noexcept nogil:
    """True for a label that names the language of a listing."""
    return value_of_word(&LABELS, text.data, text.length) & IS_LANGUAGE != 0


cdef bint is_button_label(Slice text) noexcept nogil:
    """True for the text on a button of a listing."""
    return value_of_word(&LABELS, text.data, text.length) & IS_BUTTON != 0
