# SPDX-License-Identifier: Apache-2.0
"""What the words of a class say; see class_words.pxd."""

from libc.stdint cimport uint32_t

from thresher.native.base.word_table cimport WordTable, all_values, fill_words, has_word_of, value_of_word
from thresher.native.constructs import construct_words
from thresher.native.parsing.tags cimport ATTR_CLASS
from thresher.native.parsing.tree cimport Attribute, Slice, Tree, find_attribute, slice_at


cdef enum:
    MAX_CLASS = 256         # bytes of a class that are read
    IS_LANGUAGE = 1
    IS_BUTTON = 2


SAYS = {
    "number": SAYS_NUMBER, "row": SAYS_ROW, "line": SAYS_LINE, "code_cell": SAYS_CODE_CELL, "editor": SAYS_EDITOR,
    "measure": SAYS_MEASURE, "numbered_code": SAYS_NUMBERED_CODE, "popup": SAYS_POPUP, "block": SAYS_BLOCK,
    "label": SAYS_LABEL, "textarea": SAYS_TEXTAREA, "token": SAYS_TOKEN, "edit": SAYS_EDIT, "tabs": SAYS_TABS,
    "tab_group": SAYS_TAB_GROUP, "prompt": SAYS_PROMPT, "note": SAYS_NOTE, "footnote": SAYS_FOOTNOTE,
    "note_mark": SAYS_NOTE_MARK, "note_outer": SAYS_NOTE_OUTER, "note_number": SAYS_NOTE_NUMBER,
    "note_toggle": SAYS_NOTE_TOGGLE, "anchor": SAYS_ANCHOR, "callout": SAYS_CALLOUT,
    "callout_title": SAYS_CALLOUT_TITLE,
}

cdef WordTable CLASS_WORDS
cdef WordTable LABELS
fill_words(&CLASS_WORDS, {SAYS[key]: words for key, words in construct_words.CLASSES.items()})
fill_words(&LABELS, {IS_LANGUAGE: construct_words.LANGUAGES, IS_BUTTON: construct_words.BUTTONS})


cdef uint32_t words_said(Slice value, uint32_t wanted) noexcept nogil:
    """Those of the wanted things that the words of a class say."""
    return all_values(&CLASS_WORDS, wanted, value.data, min(value.length, <uint32_t> MAX_CLASS))


cdef bint words_say(Slice value, uint32_t wanted) noexcept nogil:
    """True if a word of a class says one of the wanted things."""
    return has_word_of(&CLASS_WORDS, wanted, value.data, min(value.length, <uint32_t> MAX_CLASS))


cdef bint class_says(const Tree* tree, uint32_t node, uint32_t wanted) noexcept nogil:
    """True if a word of an element's class says one of the wanted things."""
    cdef const Attribute* attribute = find_attribute(tree, node, ATTR_CLASS) if tree.nodes[node].n_attributes else NULL
    return attribute != NULL and words_say(slice_at(tree, attribute.value_start, attribute.value_length), wanted)


cdef bint is_language_name(Slice text) noexcept nogil:
    """True for a label that names the language of a listing."""
    return value_of_word(&LABELS, text.data, text.length) & IS_LANGUAGE != 0


cdef bint is_button_label(Slice text) noexcept nogil:
    """True for the text on a button of a listing."""
    return value_of_word(&LABELS, text.data, text.length) & IS_BUTTON != 0
