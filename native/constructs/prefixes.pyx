# SPDX-License-Identifier: Apache-2.0
"""Finds and gathers the texts of an element, and puts marks before them."""

from libc.string cimport strchr

from thresher.native.parsing.tag_table cimport fill_tags
from thresher.native.shown.decision cimport WHY_NOSCRIPT


cdef enum:
    MAX_STEPS = 64          # nodes that one search visits
    MAX_TO_ITEM = 4           # ancestors between the box of a task and its item
    MAX_CODE = 32           # ancestors of a text that may be code


cdef uint8_t[TAG_COUNT] IS_CODE
fill_tags(IS_CODE, {1: "pre code kbd samp tt xmp listing plaintext textarea option title"})


# --- texts ---


cdef bint is_inline_tag(uint32_t tag) noexcept nogil:
    """True for elements that stand in a line of text."""
    return tag >= TAG_COUNT or TAG_LAYOUT[tag] & LAYOUT_IN_LINE != 0


cdef bint is_unread(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for elements whose text is never read."""
    return page.shown[n].how & HOW_NOT_TEXT != 0 or page.shown[n].why == WHY_NOSCRIPT


cdef bint is_blank_text(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for a text node that holds only white space."""
    return page.tree.nodes[n].kind == KIND_TEXT and is_blank(text_of(page.tree, n))


cdef bint is_content(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element, and for a text that is not only white space."""
    return page.tree.nodes[n].kind == KIND_ELEMENT or page.tree.nodes[n].kind == KIND_TEXT and not is_blank_text(page, n)


cdef bint is_in_code(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for text in code, judged by the nearest ancestors."""
    cdef const Node* nodes = page.tree.nodes
    cdef int step
    for step in range(MAX_CODE):
        n = nodes[n].parent
        if n == 0:
            return False
        if nodes[n].kind == KIND_ELEMENT and nodes[n].tag < TAG_COUNT and IS_CODE[nodes[n].tag]:
            return True
    return False


cdef Slice gather(const Rewriting* page, uint32_t n, const char* but, uint8_t* room, uint32_t most) noexcept nogil:
    """The text of an element, written to `room` without white space and without the bytes of `but`; empty if it has
    more than `most` bytes.
    """
    cdef Slice text, found = Slice(data=room, length=0)
    cdef uint32_t k = n + 1, i
    while k < page.tree.nodes[n].end:
        if page.tree.nodes[k].kind == KIND_TEXT:
            text = text_of(page.tree, k)
            for i in range(text.length):
                if is_space(text.data[i]) or strchr(but, text.data[i]) != NULL:
                    continue
                if found.length == most:
                    return no_text()
                room[found.length] = text.data[i]
                found.length += 1
        k = next_within(page.tree, k)
    return found


cdef uint32_t first_text(const Rewriting* page, uint32_t n, uint32_t end, bint* same_line) noexcept nogil:
    """The first text node in nodes [n, end) that is not blank; 0 if there is none nearby.

    `same_line`, if it is not NULL, is set if only inline elements begin before it.
    """
    cdef const Node* node
    cdef bint in_line = True
    cdef uint32_t looked = 0, found = 0
    while n < end and looked < MAX_STEPS:
        node = page.tree.nodes + n
        looked += 1
        if node.kind == KIND_TEXT and not is_blank_text(page, n):
            found = n
            break
        if node.kind != KIND_ELEMENT or is_unread(page, n):
            n = node.end
        else:
            in_line = in_line and node.namespace == NS_HTML and is_inline_tag(node.tag)
            n += 1
    if same_line != NULL:
        same_line[0] = in_line
    return found


cdef bint find_ends(const Rewriting* page, uint32_t n, uint32_t* first, uint32_t* last) noexcept nogil:
    """Find the first and last text of an element; False if one of them is none of the page's own."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t i = n + 1, foreign = 0
    first[0] = last[0] = 0
    while i < nodes[n].end:
        if nodes[i].kind == KIND_TEXT and not is_blank_text(page, i):
            if nodes[i].namespace != CONSTRUCT_NONE:
                return False
            if first[0] == 0:
                first[0] = i
            last[0] = i
        if nodes[i].kind == KIND_ELEMENT and nodes[i].namespace == NS_HTML and not is_unread(page, i):
            i += 1
            continue
        if nodes[i].kind == KIND_ELEMENT and nodes[i].namespace != NS_HTML:
            foreign = i             # a formula, which is rewritten later
        i = nodes[i].end
    return first[0] != 0 and foreign < last[0] and (foreign == 0 or first[0] < foreign)


# --- marks ---


cdef void put_prefix(Rewriting* page, uint32_t text, uint32_t around) noexcept nogil:
    """Put the mark in `page.text` before a text node in the element `around`. Inline elements that would enclose the
    mark lose their names.
    """
    cdef const Node* node = page.tree.nodes + text
    cdef Slice slice = without_leading_space(text_of(page.tree, text))
    cdef uint32_t n = node.parent
    cdef int step
    THRESHER_CHECK(node.kind == KIND_TEXT and node.namespace == CONSTRUCT_NONE)
    for step in range(MAX_STEPS):
        if n <= around:
            break
        if page.tree.nodes[n].namespace == NS_HTML and is_inline_tag(page.tree.nodes[n].tag):
            become_element(page, n, TAG_SPAN)
        n = page.tree.nodes[n].parent
    put(page.text, slice.data, slice.length)
    become_text(page, text, CONSTRUCT_PREFIX)


cdef uint32_t item_of(const Rewriting* page, uint32_t n) noexcept nogil:
    """The item that begins with an element; 0 if the element is not the first thing in one."""
    cdef uint32_t item = page.tree.nodes[n].parent, k
    cdef int step
    for step in range(MAX_TO_ITEM):
        if item == 0 or page.tree.nodes[item].tag == TAG_LI:
            break
        item = page.tree.nodes[item].parent
    if item == 0 or page.tree.nodes[item].tag != TAG_LI or n - item > MAX_STEPS:
        return 0
    for k in range(item + 1, n):
        if page.tree.nodes[k].kind == KIND_TEXT and not is_blank_text(page, k):
            return 0
    return item


cdef void rewrite_box(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite an input element if it is the box of a task: a checkbox that readers cannot change was written as text.
    """
    cdef uint32_t item, text, box = n, label = page.tree.nodes[n].parent
    cdef bint same_line
    if find_attribute(page.tree, n, ATTR_DISABLED) == NULL or not is_word(
        value_in(page.tree, n, ATTR_TYPE), b"checkbox"
    ):
        return
    item = item_of(page, n)
    if item == 0:
        return
    if page.tree.nodes[label].tag == TAG_LABEL and not first_text(page, label + 1, page.tree.nodes[label].end, NULL):
        box = label
    text = first_text(page, page.tree.nodes[box].end, page.tree.nodes[item].end, &same_line)
    if text == 0 or not same_line and page.tree.nodes[text].namespace != CONSTRUCT_NONE:
        return
    start_text(page.text)
    put_string(page.text, b"[x] " if find_named(page.tree, n, b"checked") != NULL else b"[ ] ")
    if same_line:
        become_text(page, box, CONSTRUCT_PREFIX)
    else:
        put_prefix(page, text, item)
        remove(page, box)
