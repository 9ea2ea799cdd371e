# SPDX-License-Identifier: Apache-2.0
"""Tabs, edit links and prompts; see controls.pxd."""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.base.characters cimport begins_ascii, is_ascii_digit, is_space
from thresher.native.constructs.class_words cimport SAYS_EDIT, SAYS_PROMPT, SAYS_TAB_GROUP, SAYS_TABS
from thresher.native.constructs.construct cimport (
    KIND_ELEMENT, KIND_TEXT, Node, Rewriting, Slice, class_of, is_word, remove, slice_at,
)
from thresher.native.parsing.tags cimport TAG_DIV, TAG_H1, TAG_H6


cdef enum:
    MAX_TABS = 256          # nodes of a list of tabs
    MAX_LABEL = 32          # nodes of a tab's name, an edit link or a prompt
    MAX_PROMPT = 12         # bytes of a prompt


cdef bint is_prompt(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element whose text is the number of a notebook's cell: In [3]:, Out[3]:, [3]:"""
    cdef const Node* nodes = page.tree.nodes
    cdef uint8_t[MAX_PROMPT] prompt
    cdef uint32_t length = 0, k = n + 1, i
    cdef Slice text
    if nodes[n].end - n > MAX_LABEL:
        return False
    while k < nodes[n].end:
        if nodes[k].kind == KIND_TEXT:
            text = slice_at(page.tree, nodes[k].start, nodes[k].length)
            for i in range(text.length):
                if is_space(text.data[i]) or text.data[i] in (0xC2, 0xA0):      # no-break space
                    continue
                if length == MAX_PROMPT:
                    return False
                prompt[length] = text.data[i]
                length += 1
        k = k + 1 if nodes[k].kind == KIND_ELEMENT else nodes[k].end
    i = 2 if begins_ascii(prompt, length, b"in", 2) else 3 if begins_ascii(prompt, length, b"out", 3) else 0
    if i == length or prompt[i] != c"[":
        return False
    i += 1
    while i < length and (is_ascii_digit(prompt[i]) or prompt[i] == c"*"):
        i += 1
    if i == length or prompt[i] != c"]":
        return False
    return i + 1 == length or (i + 2 == length and prompt[i + 1] == c":")


cdef bint rewrite_control(Rewriting* page, uint32_t n, uint32_t said) noexcept nogil:
    """Remove an element if its class marks it as an edit link, a holder of tab names or the number of a notebook's
    cell. In a group of tabs, remove the first child only. True if the element itself is gone.

    An edit link within a heading stays until the heading is written (omissions.pxd), because the scorer was trained
    with it.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t size = nodes[n].end - n, child = n + 1
    if said & (SAYS_EDIT | SAYS_TABS):
        if TAG_H1 <= nodes[nodes[n].parent].tag <= TAG_H6:
            return False
        if size > (MAX_TABS if nodes[n].tag == TAG_DIV else MAX_LABEL):
            return False
        remove(page, n)
        return True
    if said & SAYS_PROMPT and is_prompt(page, n):
        remove(page, n)
        return True
    if (
        size > 1 and nodes[n].tag == TAG_DIV and said & SAYS_TAB_GROUP
        and is_word(class_of(page.tree, child), b"tabs") and nodes[child].end - child <= MAX_TABS
    ):
        remove(page, child)
    return False


cdef bint is_own_link(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for the link of a caption or term to itself (Sphinx: "¶"), or beside a heading (Starlight: "Section titled
    A"). A link in a heading stays, like an edit link.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef Slice value = class_of(page.tree, n)
    if value.length < 10 or nodes[n].end - n > MAX_LABEL or TAG_H1 <= nodes[nodes[n].parent].tag <= TAG_H6:
        return False
    return is_word(value, b"headerlink") or begins_ascii(value.data, value.length, b"sl-anchor-link", 14)
