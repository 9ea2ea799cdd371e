# SPDX-License-Identifier: Apache-2.0
"""Notes in the middle of a text; see inline_notes.pxd."""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.base.characters cimport is_space
from thresher.native.constructs.class_words cimport (
    SAYS_FOOTNOTE, SAYS_NOTE, SAYS_NOTE_MARK, SAYS_NOTE_NUMBER, SAYS_NOTE_OUTER, SAYS_NOTE_TOGGLE, class_says,
)
from thresher.native.constructs.construct cimport (
    CONSTRUCT_NONE, KIND_ELEMENT, KIND_TEXT, NS_HTML, Node, Rewriting, Slice, become_text, charge, remove, slice_at,
)
from thresher.native.constructs.prefixes cimport is_blank_text, is_unread
from thresher.native.parsing.tags cimport *
from thresher.native.base.text_buffer cimport put, put_string, start_text


cdef enum:
    MAX_NOTE = 400          # nodes of a note
    MAX_NUMBER = 3          # digits of a note's number


cdef bint follows_toggle(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element directly behind the checkbox that shows and hides it, as in Tufte CSS."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t before = n - 1
    if nodes[before].kind == KIND_TEXT and is_blank_text(page, before):
        before -= 1
    return (
        nodes[before].kind == KIND_ELEMENT and nodes[before].tag == TAG_INPUT
        and nodes[before].parent == nodes[n].parent and class_says(page.tree, before, SAYS_NOTE_TOGGLE)
    )


cdef bint follows_number(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element that fills a span with a number before it: the number of the note."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t span = nodes[n].parent, i
    cdef Slice text
    if nodes[span].tag != TAG_SPAN or span + 2 != n or nodes[span].end != nodes[n].end:
        return False
    if nodes[n - 1].kind != KIND_TEXT or nodes[n - 1].length > MAX_NUMBER:
        return False
    text = slice_at(page.tree, nodes[n - 1].start, nodes[n - 1].length)
    for i in range(text.length):
        if not c"0" <= text.data[i] <= c"9":
            return False
    return True


cdef void remove_all(Rewriting* page, uint32_t n, bint numbers) noexcept nogil:
    """Remove the numbers from a note, or from the part displayed beside the page."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t i = n + 1
    while i < nodes[n].end:
        if nodes[i].kind == KIND_ELEMENT and nodes[i].namespace == NS_HTML and nodes[i].n_attributes and (
            class_says(page.tree, i, SAYS_NOTE_NUMBER if numbers else SAYS_NOTE_OUTER)
        ):
            remove(page, i)
        i = i + 1 if nodes[i].kind == KIND_ELEMENT else nodes[i].end


cdef bint find_ends(const Rewriting* page, uint32_t n, uint32_t* first, uint32_t* last) noexcept nogil:
    """Find the first and last text of a note; False if the note is not plain text."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t i = n + 1, foreign = 0
    first[0] = last[0] = 0
    while i < nodes[n].end:
        if nodes[i].kind == KIND_TEXT:
            if not is_blank_text(page, i):
                if nodes[i].namespace != CONSTRUCT_NONE:
                    return False
                if first[0] == 0:
                    first[0] = i
                last[0] = i
            i = nodes[i].end
        elif nodes[i].kind == KIND_ELEMENT and nodes[i].namespace != NS_HTML:
            foreign = i             # a formula, which is rewritten later
            i = nodes[i].end
        elif nodes[i].kind != KIND_ELEMENT or is_unread(page, i):
            i = nodes[i].end
        else:
            i += 1
    return first[0] != 0 and foreign < last[0] and (foreign == 0 or first[0] < foreign)


cdef void rewrite_inline_note(Rewriting* page, uint32_t n, uint32_t said) noexcept nogil:
    """Write a note as `^[…]` if its class, or its class and what precedes it, marks it as one."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t first, last, start = 0
    cdef bint numbered = False
    cdef Slice text
    cdef uint32_t size = nodes[n].end - n
    # The note is walked twice, and classes are read.
    if size > MAX_NOTE or nodes[n].tag != TAG_SPAN or not charge(page, 4 * size):
        return
    if said & SAYS_NOTE_MARK:
        remove_all(page, n, False)
        return
    if not said & SAYS_NOTE:
        if not said & SAYS_FOOTNOTE:
            return
        numbered = follows_number(page, n)
        if not numbered and not follows_toggle(page, n):
            return
    remove_all(page, n, True)
    if not find_ends(page, n, &first, &last):
        return
    if numbered:
        remove(page, n - 1)
    text = slice_at(page.tree, nodes[last].start, nodes[last].length)
    while text.length and is_space(text.data[text.length - 1]):
        text.length -= 1
    start_text(page.text)
    put(page.text, text.data, text.length)
    put_string(page.text, b"]")
    become_text(page, last, CONSTRUCT_NONE)
    text = slice_at(page.tree, nodes[first].start, nodes[first].length)
    while start < text.length and is_space(text.data[start]):
        start += 1
    start_text(page.text)
    put_string(page.text, b"^[")
    put(page.text, text.data + start, text.length - start)
    become_text(page, first, CONSTRUCT_NONE)
