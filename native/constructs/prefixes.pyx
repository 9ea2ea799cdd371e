# SPDX-License-Identifier: Apache-2.0
"""Marks before a text; see prefixes.pxd."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport strlen

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.characters cimport is_space
from thresher.native.constructs.construct cimport (
    CONSTRUCT_PREFIX, CONSTRUCT_NONE, KIND_ELEMENT, KIND_TEXT, NS_HTML, Node, Rewriting, Slice, become_element, become_text,
    find_attribute, find_named, is_word, remove, slice_at, value_of,
)
from thresher.native.parsing.tags cimport *
from thresher.native.shown.decision cimport HOW_NOT_TEXT, WHY_NOSCRIPT
from thresher.native.base.text_buffer cimport put, put_string, start_text


cdef enum:
    MAX_STEPS = 64          # nodes that one search visits
    MAX_ABOVE = 4           # ancestors between the box of a task and its item


cdef bint is_inline_tag(uint32_t tag) noexcept nogil:
    """True for elements that stand in a line of text."""
    return tag >= TAG_COUNT or TAG_LAYOUT[tag] & LAYOUT_IN_LINE != 0


cdef bint is_unread(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for elements whose text is never read."""
    return page.shown[n].how & HOW_NOT_TEXT != 0 or page.shown[n].why == WHY_NOSCRIPT


cdef bint is_blank_text(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for a text node that holds only white space."""
    cdef Slice text = slice_at(page.tree, page.tree.nodes[n].start, page.tree.nodes[n].length)
    cdef uint32_t i
    for i in range(text.length):
        if not is_space(text.data[i]):
            return False
    return True


cdef uint32_t first_text(const Rewriting* page, uint32_t n, uint32_t end, bint* same_line) noexcept nogil:
    """The first text node in nodes [n, end) that is not blank; 0 if there is none nearby.

    `same_line` is set if only inline elements begin before it.
    """
    cdef const Node* node
    cdef uint32_t looked = 0
    same_line[0] = True
    while n < end and looked < MAX_STEPS:
        node = page.tree.nodes + n
        looked += 1
        if node.kind == KIND_TEXT:
            if not is_blank_text(page, n):
                return n
            n = node.end
        elif node.kind != KIND_ELEMENT or is_unread(page, n):
            n = node.end
        else:
            if node.namespace != NS_HTML or not is_inline_tag(node.tag):
                same_line[0] = False
            n += 1
    return 0


cdef void put_prefix(Rewriting* page, uint32_t text, uint32_t around, const char* mark) noexcept nogil:
    """Put a mark before a text node in the element `around`. Inline elements that would enclose the mark lose their
    names.
    """
    cdef const Node* node = page.tree.nodes + text
    cdef Slice slice = slice_at(page.tree, node.start, node.length)
    cdef uint32_t n = node.parent
    cdef int step
    THRESHER_CHECK(node.kind == KIND_TEXT and node.namespace == CONSTRUCT_NONE)
    for step in range(MAX_STEPS):
        if n <= around:
            break
        if page.tree.nodes[n].namespace == NS_HTML and is_inline_tag(page.tree.nodes[n].tag):
            become_element(page, n, TAG_SPAN)
        n = page.tree.nodes[n].parent
    while slice.length and is_space(slice.data[0]):
        slice.data += 1
        slice.length -= 1
    start_text(page.text)
    put_string(page.text, mark)
    put(page.text, slice.data, slice.length)
    become_text(page, text, CONSTRUCT_PREFIX)


cdef bint is_box(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for a checkbox that readers cannot change: it was written as text."""
    return find_attribute(page.tree, n, ATTR_DISABLED) != NULL and is_word(
        value_of(page.tree, find_attribute(page.tree, n, ATTR_TYPE)), b"checkbox"
    )


cdef uint32_t item_of(const Rewriting* page, uint32_t n) noexcept nogil:
    """The item that begins with an element; 0 if the element is not the first thing in one."""
    cdef uint32_t item = page.tree.nodes[n].parent, k
    cdef int step
    for step in range(MAX_ABOVE):
        if item == 0 or page.tree.nodes[item].tag == TAG_LI:
            break
        item = page.tree.nodes[item].parent
    if item == 0 or page.tree.nodes[item].tag != TAG_LI or n - item > MAX_STEPS:
        return 0
    k = item + 1
    while k < n:
        if page.tree.nodes[k].kind == KIND_TEXT and not is_blank_text(page, k):
            return 0
        k += 1
    return item


cdef bint rewrite_box(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite an input element if it is the box of a task."""
    cdef uint32_t item, text, box = n, label = page.tree.nodes[n].parent
    cdef const char* mark
    cdef bint same_line
    if not is_box(page, n):
        return False
    item = item_of(page, n)
    if item == 0:
        return False
    if (
        page.tree.nodes[label].tag == TAG_LABEL
        and first_text(page, label + 1, page.tree.nodes[label].end, &same_line) == 0
    ):
        box = label
    mark = b"[x] " if find_named(page.tree, n, b"checked") != NULL else b"[ ] "
    text = first_text(page, page.tree.nodes[box].end, page.tree.nodes[item].end, &same_line)
    if text == 0:
        return False
    if same_line:
        start_text(page.text)
        put_string(page.text, mark)
        become_text(page, box, CONSTRUCT_PREFIX)
    elif page.tree.nodes[text].namespace == CONSTRUCT_NONE:
        put_prefix(page, text, item, mark)
        remove(page, box)
    else:
        return False
    return True
