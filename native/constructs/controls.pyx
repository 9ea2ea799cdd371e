# SPDX-License-Identifier: Apache-2.0
"""Tabs, edit links and prompts; see controls.pxd."""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.base.characters cimport begins_ascii, equals_ascii, is_space
from thresher.native.constructs.code_names cimport words_have
from thresher.native.constructs.construct cimport (
    KIND_ELEMENT, KIND_TEXT, NS_HTML, Attribute, Node, Rewriting, Slice, become_element, charge, find_attribute, remove,
    slice_at,
)
from thresher.native.parsing.tags cimport *


cdef enum:
    MAX_TABS = 256          # nodes of a list of tabs
    MAX_LABEL = 32          # nodes of a tab's name, an edit link or a prompt
    MAX_PROMPT = 12         # bytes of a prompt


cdef bint is_edit_class(const uint8_t* word, uint32_t length) noexcept nogil:
    """True for the class of MediaWiki's edit links."""
    return equals_ascii(word, length, b"mw-editsection", 14) or equals_ascii(word, length, b"editsection", 11)


cdef bint is_control_class(const uint8_t* word, uint32_t length) noexcept nogil:
    """True for the class of an edit link or of tab names."""
    return (
        is_edit_class(word, length)
        or equals_ascii(word, length, b"tabbed-labels", 13)     # MkDocs Material
        or equals_ascii(word, length, b"sd-tab-label", 12)      # Sphinx-design
    )


cdef bint is_group_class(const uint8_t* word, uint32_t length) noexcept nogil:
    """True for the class of the element around tab names and panels."""
    return equals_ascii(word, length, b"vp-code-group", 13)


cdef bint is_prompt_class(const uint8_t* word, uint32_t length) noexcept nogil:
    """True for the class of the number of a notebook's cell."""
    return (
        equals_ascii(word, length, b"prompt", 6) or equals_ascii(word, length, b"input_prompt", 12)     # nbsphinx
        or equals_ascii(word, length, b"jp-inputprompt", 14) or equals_ascii(word, length, b"jp-outputprompt", 15)
    )


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
    while i < length and (c"0" <= prompt[i] <= c"9" or prompt[i] == c"*"):
        i += 1
    if i == length or prompt[i] != c"]":
        return False
    return i + 1 == length or (i + 2 == length and prompt[i + 1] == c":")


cdef bint rewrite_control(Rewriting* page, uint32_t n, Slice value) noexcept nogil:
    """Remove an element if its class marks it as an edit link, a holder of tab names or the number of a notebook's
    cell. In a group of tabs, remove the first child only. True if the element itself is gone.

    An edit link within a heading stays until the heading is written (omissions.pxd), because the scorer was trained
    with it.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef const Attribute* attribute
    cdef Slice first
    cdef uint32_t size = nodes[n].end - n, child = n + 1
    if words_have(value, is_control_class):
        if TAG_H1 <= nodes[nodes[n].parent].tag <= TAG_H6:
            return False
        if size > (MAX_TABS if nodes[n].tag == TAG_DIV else MAX_LABEL):
            return False
        remove(page, n)
        return True
    if words_have(value, is_prompt_class) and is_prompt(page, n):
        remove(page, n)
        return True
    if size > 1 and nodes[n].tag == TAG_DIV and words_have(value, is_group_class) and nodes[child].kind == KIND_ELEMENT:
        attribute = find_attribute(page.tree, child, ATTR_CLASS)
        if attribute != NULL and nodes[child].end - child <= MAX_TABS:
            first = slice_at(page.tree, attribute.value_start, attribute.value_length)
            if equals_ascii(first.data, first.length, b"tabs", 4):
                remove(page, child)
    return False


cdef bint is_own_link(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for the link of a caption or term to itself (Sphinx: "¶"), or beside a heading (Starlight: "Section titled
    A"). A link in a heading stays, like an edit link.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef const Attribute* attribute = find_attribute(page.tree, n, ATTR_CLASS)
    cdef Slice value
    if attribute == NULL or attribute.value_length < 10 or nodes[n].end - n > MAX_LABEL:
        return False
    if TAG_H1 <= nodes[nodes[n].parent].tag <= TAG_H6:
        return False
    value = slice_at(page.tree, attribute.value_start, attribute.value_length)
    return (
        equals_ascii(value.data, value.length, b"headerlink", 10)
        or begins_ascii(value.data, value.length, b"sl-anchor-link", 14)
    )


cdef bint is_tab_list_role(Slice role) noexcept nogil:
    """True for the role of a list of tabs."""
    return equals_ascii(role.data, role.length, b"tablist", 7)


cdef bint rewrite_tab_list(Rewriting* page, uint32_t n) noexcept nogil:
    """Remove a list of tabs, unless it holds panels or headings."""
    cdef const Node* nodes = page.tree.nodes
    cdef const Attribute* attribute
    cdef uint32_t i, end = nodes[n].end, tabs = 0
    cdef Slice role
    if end - n > MAX_TABS or not charge(page, end - n):
        return False
    for i in range(n + 1, end):
        if nodes[i].kind != KIND_ELEMENT or nodes[i].namespace != NS_HTML:
            continue
        if TAG_H1 <= nodes[i].tag <= TAG_H6 or nodes[i].tag == TAG_P or nodes[i].tag == TAG_PRE:
            return False
        attribute = find_attribute(page.tree, i, ATTR_ROLE) if nodes[i].n_attributes else NULL
        if attribute == NULL:
            continue
        role = slice_at(page.tree, attribute.value_start, attribute.value_length)
        if equals_ascii(role.data, role.length, b"tabpanel", 8):
            return False
        tabs += equals_ascii(role.data, role.length, b"tab", 3)
    if tabs == 0:
        return False
    remove(page, n)
    return True


cdef bint holds_blocks(const Rewriting* page, uint32_t n) noexcept nogil:
    """True if an element holds another heading, or paragraphs, lists or tables."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t i
    for i in range(n + 1, nodes[n].end):
        if nodes[i].kind == KIND_ELEMENT and (
            TAG_H1 <= nodes[i].tag <= TAG_H6 or nodes[i].tag in (TAG_P, TAG_UL, TAG_OL, TAG_TABLE, TAG_DL, TAG_PRE)
        ):
            return True
    return False


cdef bint rewrite_heading_role(Rewriting* page, uint32_t n) noexcept nogil:
    """Make a div or paragraph with the role of a heading a heading of the level that it states."""
    cdef const Node* node = page.tree.nodes + n
    cdef const Attribute* attribute
    cdef const Attribute* end = page.tree.attributes + node.attributes + node.n_attributes
    cdef Slice name, value
    if node.end - n > MAX_LABEL or holds_blocks(page, n):
        return False
    attribute = page.tree.attributes + node.attributes
    while attribute < end:
        if attribute.name == ATTR_UNKNOWN and attribute.name_length == 10 and attribute.value_length == 1:
            name = slice_at(page.tree, attribute.name_start, attribute.name_length)
            value = slice_at(page.tree, attribute.value_start, 1)
            if begins_ascii(name.data, 10, b"aria-level", 10) and c"1" <= value.data[0] <= c"6":
                become_element(page, n, TAG_H1 + value.data[0] - c"1")
                return True
        attribute += 1
    return False
