# SPDX-License-Identifier: Apache-2.0
"""Reads the kind of a callout from its classes or its title."""

from thresher.native.base.word_table cimport WordRow, WordTable, fill_words, find_row
from thresher.native.constructs.class_words cimport SAYS_CALLOUT, SAYS_CALLOUT_TITLE, class_says, words_say

from thresher.native.constructs import construct_words


cdef enum:
    MAX_CLASS = 256         # bytes of a class that are read
    MAX_TO_CALLOUT = 4           # elements between the text of a title and its callout
    MAX_BEFORE = 6          # nodes of a callout up to the text of its title


cdef const char* NOTE = b"note"
cdef WordTable KINDS
fill_words(&KINDS, {1: construct_words.CALLOUT_KINDS})


cdef inline Slice words_of(const Tree* tree, uint32_t node) noexcept nogil:
    """An element's class, as far as it is read."""
    return first_bytes(class_of(tree, node), MAX_CLASS)


cdef Slice kind_of_word(Slice word) noexcept nogil:
    """The kind that a class word names, on its own or after its last hyphen; empty if it names none."""
    cdef uint32_t start = word.length
    cdef const WordRow* kind
    while start and word.data[start - 1] != c"-":
        start -= 1
    kind = find_row(&KINDS, word.data + start, word.length - start)
    return no_text() if kind == NULL else Slice(data=kind.text, length=kind.length)


cdef uint32_t first_text(const Tree* tree, uint32_t node) noexcept nogil:
    """The first text in an element that is more than white space, among its first nodes; 0 if there is none."""
    cdef uint32_t n
    for n in range(node + 1, min(node + MAX_BEFORE, tree.nodes[node].end)):
        if tree.nodes[n].kind == KIND_TEXT and not is_blank(text_of(tree, n)):
            return n
    return 0


cdef bint is_headed(const Tree* tree, uint32_t text, Slice kind) noexcept nogil:
    """True for a text that is all of its paragraph or heading, and only names a kind of callout: Note, WARNING:"""
    cdef Slice word = without_space(text_of(tree, text))
    cdef uint32_t around = tree.nodes[text].parent
    if word.length and word.data[word.length - 1] == c":":
        word.length -= 1
    if not equals_ascii(word.data, word.length, <const char*> kind.data, kind.length):
        return False
    if tree.nodes[around].tag == TAG_STRONG or tree.nodes[around].tag == TAG_B:
        around = tree.nodes[around].parent
    return (tree.nodes[around].tag == TAG_P or is_heading_tag(tree.nodes[around].tag)) and (
        tree.nodes[around].end - around <= 3
    )


cdef Slice kind_by_title(const Tree* tree, uint32_t node) noexcept nogil:
    """The kind of an element that a class word names and its first paragraph repeats, as on Microsoft Learn:
    `<div class="TIP"><p>Tip</p>`; empty if there is none.
    """
    cdef Slice words = words_of(tree, node), word, kind
    cdef uint32_t text
    while next_word(&words, &word):
        if word.length < 3 or (word.data[0] | 0x20) not in (c"n", c"t", c"w", c"i", c"c", c"d", c"h"):
            continue
        kind = kind_of_word(word)
        if kind.length == word.length:
            text = first_text(tree, node)
            return kind if text and is_headed(tree, text, kind) else no_text()
    return no_text()


cdef Slice callout_kind(const Tree* tree, uint32_t node) noexcept nogil:
    """The kind of callout that an element is, in lower case; empty if it is not a callout."""
    cdef Slice kind = no_text(), words, found, word
    cdef bint is_quote = tree.nodes[node].tag == TAG_BLOCKQUOTE, is_callout = False, is_admonition = False
    if tree.nodes[node].n_attributes == 0:
        return kind
    words = words_of(tree, node)
    while next_word(&words, &word):         # most elements are excluded by their class words
        if words_say(word, SAYS_CALLOUT):
            is_callout = True
            is_admonition = is_admonition or is_word(word, b"admonition")
    if not is_callout and not is_quote:
        return kind_by_title(tree, node) if tree.nodes[node].tag == TAG_DIV else kind
    words = words_of(tree, node)
    while kind.length == 0 and next_word(&words, &word):
        found = kind_of_word(word)
        if not is_quote or found.length == word.length:
            kind = found
    if kind.length == 0 and is_admonition:      # Sphinx names no kind if the callout has its own title
        return Slice(data=<const uint8_t*> NOTE, length=4)
    return kind


cdef bint is_all_strong(const Tree* tree, uint32_t node) noexcept nogil:
    """True for a paragraph whose only child, apart from white space, is a strong element."""
    cdef uint32_t n = node + 1, strong = 0
    while n < tree.nodes[node].end:
        if tree.nodes[n].kind == KIND_ELEMENT and tree.nodes[n].tag in (TAG_STRONG, TAG_B):
            strong += 1
        elif tree.nodes[n].kind != KIND_TEXT or not is_blank(text_of(tree, n)):
            return False
        n = tree.nodes[n].end
    return strong == 1


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
    for step in range(MAX_TO_CALLOUT):
        if n <= callout:
            return False
        if (
            tree.nodes[n].kind == KIND_ELEMENT and tree.nodes[n].namespace == NS_HTML
            and class_says(tree, n, SAYS_CALLOUT_TITLE)
        ):
            return True
        n = tree.nodes[n].parent
    return False
