# SPDX-License-Identifier: Apache-2.0
"""The kind of callout that an element is; see callouts.pxd."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport strlen

from thresher.native.base.characters cimport equals_ascii, is_space
from thresher.native.base.word_table cimport WordRow, WordTable, fill_words, find_row
from thresher.native.constructs import construct_words
from thresher.native.constructs.class_words cimport SAYS_CALLOUT, SAYS_CALLOUT_TITLE, class_says, words_say
from thresher.native.measuring.blocks cimport BLOCK_CAPTION
from thresher.native.parsing.document cimport KIND_ELEMENT, KIND_TEXT, NS_HTML, Attribute, find_attribute, slice_at
from thresher.native.parsing.tags cimport (
    ATTR_CLASS, TAG_B, TAG_BLOCKQUOTE, TAG_DIV, TAG_H1, TAG_H6, TAG_P, TAG_STRONG,
)


cdef enum:
    MAX_CLASS = 256         # bytes of a class that are read
    MAX_ABOVE = 4           # elements between the text of a title and its callout
    MAX_BEFORE = 6          # nodes of a callout up to the text of its title


cdef const char* NOTE = b"note"
cdef const char* ADMONITION = b"admonition"
cdef WordTable KINDS
fill_words(&KINDS, {1: construct_words.CALLOUT_KINDS})


cdef Slice next_word(Slice* words) noexcept nogil:
    """Remove and return the first word of a list separated by white space; empty if none is left."""
    cdef const uint8_t* p = words.data
    cdef const uint8_t* end = p + words.length
    cdef Slice word
    while p < end and is_space(p[0]):
        p += 1
    word.data = p
    while p < end and not is_space(p[0]):
        p += 1
    word.length = <uint32_t> (p - word.data)
    words.data = p
    words.length = <uint32_t> (end - p)
    return word


cdef Slice class_of(const Tree* tree, uint32_t node) noexcept nogil:
    """The first MAX_CLASS bytes of an element's class."""
    cdef const Attribute* attribute = find_attribute(tree, node, ATTR_CLASS)
    if attribute == NULL:
        return Slice(data=NULL, length=0)
    return slice_at(tree, attribute.value_start, min(attribute.value_length, <uint32_t> MAX_CLASS))


cdef Slice kind_of_word(Slice word) noexcept nogil:
    """The kind that a class word names, on its own or after its last hyphen; empty if it names none."""
    cdef uint32_t start = word.length
    cdef const WordRow* kind
    while start and word.data[start - 1] != c"-":
        start -= 1
    kind = find_row(&KINDS, word.data + start, word.length - start)
    return Slice(data=NULL, length=0) if kind == NULL else Slice(data=kind.text, length=kind.length)


cdef uint32_t first_text(const Tree* tree, uint32_t node) noexcept nogil:
    """The first text in an element that is more than white space, among its first nodes; 0 if there is none."""
    cdef uint32_t n
    cdef Slice text
    for n in range(node + 1, min(node + MAX_BEFORE, tree.nodes[node].end)):
        if tree.nodes[n].kind == KIND_TEXT:
            text = slice_at(tree, tree.nodes[n].start, tree.nodes[n].length)
            if next_word(&text).length:
                return n
    return 0


cdef bint is_headed(const Tree* tree, uint32_t text, Slice kind) noexcept nogil:
    """True for a text that is all of its paragraph or heading, and only names a kind of callout: Note, WARNING:"""
    cdef Slice words = slice_at(tree, tree.nodes[text].start, tree.nodes[text].length), word = next_word(&words)
    cdef uint32_t around = tree.nodes[text].parent
    if word.length and word.data[word.length - 1] == c":":
        word.length -= 1
    if not equals_ascii(word.data, word.length, <const char*> kind.data, kind.length) or next_word(&words).length:
        return False
    if tree.nodes[around].tag == TAG_STRONG or tree.nodes[around].tag == TAG_B:
        around = tree.nodes[around].parent
    return (tree.nodes[around].tag == TAG_P or TAG_H1 <= tree.nodes[around].tag <= TAG_H6) and (
        tree.nodes[around].end - around <= 3
    )


cdef Slice kind_by_title(const Tree* tree, uint32_t node) noexcept nogil:
    """The kind of an element that a class word names and its first paragraph repeats, as on Microsoft Learn:
    `<div class="TIP"><p>Tip</p>`; empty if there is none.
    """
    cdef Slice words = class_of(tree, node), word, kind
    cdef uint32_t text
    while words.length:
        word = next_word(&words)
        if word.length < 3 or (word.data[0] | 0x20) not in (c"n", c"t", c"w", c"i", c"c", c"d", c"h"):
            continue
        kind = kind_of_word(word)
        if kind.length == word.length:
            text = first_text(tree, node)
            if text and is_headed(tree, text, kind):
                return kind
            break
    return Slice(data=NULL, length=0)


cdef Slice callout_kind(const Tree* tree, uint32_t node) noexcept nogil:
    """The kind of callout that an element is, in lower case; empty if it is not a callout."""
    cdef Slice kind = Slice(data=NULL, length=0), words, found, word
    cdef bint is_quote = tree.nodes[node].tag == TAG_BLOCKQUOTE, is_callout = False, is_admonition = False
    if tree.nodes[node].n_attributes == 0:
        return kind
    words = class_of(tree, node)
    while words.length:         # most elements are excluded by their class words
        word = next_word(&words)
        if words_say(word, SAYS_CALLOUT):
            is_callout = True
            is_admonition = is_admonition or equals_ascii(word.data, word.length, ADMONITION, strlen(ADMONITION))
    if not is_callout and not is_quote:
        return kind_by_title(tree, node) if tree.nodes[node].tag == TAG_DIV else kind
    words = class_of(tree, node)
    while words.length and kind.length == 0:
        word = next_word(&words)
        found = kind_of_word(word)
        if not is_quote or found.length == word.length:
            kind = found
    if kind.length == 0 and is_admonition:      # Sphinx names no kind if the callout has its own title
        return Slice(data=<const uint8_t*> NOTE, length=<uint32_t> strlen(NOTE))
    return kind


cdef bint is_all_strong(const Tree* tree, uint32_t node) noexcept nogil:
    """True for a paragraph whose only child, apart from white space, is a strong element."""
    cdef uint32_t n = node + 1, strong = 0
    cdef Slice text
    while n < tree.nodes[node].end:
        if tree.nodes[n].kind == KIND_TEXT:
            text = slice_at(tree, tree.nodes[n].start, tree.nodes[n].length)
            if next_word(&text).length:
                return False
        elif (
            strong or tree.nodes[n].kind != KIND_ELEMENT
            or (tree.nodes[n].tag != TAG_STRONG and tree.nodes[n].tag != TAG_B)
        ):
            return False
        else:
            strong = n
        n = tree.nodes[n].end
    return strong != 0


cdef bint is_callout_title(const Tree* tree, uint32_t callout, const Block* block) noexcept nogil:
    """True if a block is the title of the callout around it."""
    cdef uint32_t n = tree.nodes[block.start].parent
    cdef int step
    if block.kind == BLOCK_CAPTION:
        return True
    if kind_by_title(tree, callout).length and block.start == first_text(tree, callout):
        return True
    if tree.nodes[callout].tag == TAG_BLOCKQUOTE:
        n = block.element
        return tree.nodes[n].tag == TAG_P and tree.nodes[n].parent == callout and is_all_strong(tree, n)
    for step in range(MAX_ABOVE):
        if n <= callout:
            return False
        if (
            tree.nodes[n].kind == KIND_ELEMENT and tree.nodes[n].namespace == NS_HTML
            and class_says(tree, n, SAYS_CALLOUT_TITLE)
        ):
            return True
        n = tree.nodes[n].parent
    return False
