# SPDX-License-Identifier: Apache-2.0
"""Elements that a role makes something else; see roles.pxd."""

from libc.stdint cimport uint32_t

from thresher.native.base.word_table cimport WordTable, fill_words, value_of_word
from thresher.native.constructs.construct cimport (
    KIND_ELEMENT, NS_HTML, Node, Rewriting, Slice, attribute_of, become_element, charge, find_attribute, remove, value_of,
)
from thresher.native.constructs import construct_words
from thresher.native.parsing.tags cimport *


cdef enum:
    MAX_TABS = 256          # nodes of a list of tabs
    MAX_HEADING = 32        # nodes of a heading


cdef enum Role:             # the keys of ROLES in construct_words.py
    ROLE_OTHER = 0
    ROLE_TABLE = 1
    ROLE_ROW = 2
    ROLE_CELL = 3
    ROLE_HEADER = 4
    ROLE_GROUP = 5
    ROLE_TABS = 6
    ROLE_TAB = 7
    ROLE_PANEL = 8
    ROLE_HEADING = 9


KEYS = {
    "table": ROLE_TABLE, "row": ROLE_ROW, "cell": ROLE_CELL, "header": ROLE_HEADER, "group": ROLE_GROUP,
    "tabs": ROLE_TABS, "tab": ROLE_TAB, "panel": ROLE_PANEL, "heading": ROLE_HEADING,
}

cdef WordTable ROLES
fill_words(&ROLES, {KEYS[key]: words for key, words in construct_words.ROLES.items()})

# The element that a role within a table stands for.
cdef uint32_t[6] TAGS = [TAG_UNKNOWN, TAG_TABLE, TAG_TR, TAG_TD, TAG_TH, TAG_TBODY]


cdef Role role_of(const Rewriting* page, uint32_t n) noexcept nogil:
    """The role of a node."""
    cdef Slice value = value_of(page.tree, find_attribute(page.tree, n, ATTR_ROLE))
    return <Role> value_of_word(&ROLES, value.data, value.length)


cdef void rewrite_table(Rewriting* page, uint32_t n) noexcept nogil:
    """Turn a div with the role of a table, and the div and span elements in it that have roles, into the corresponding
    table elements.
    """
    cdef const Node* node
    cdef uint32_t i
    cdef Role role
    for i in range(n, page.tree.nodes[n].end):
        node = page.tree.nodes + i
        if node.kind == KIND_ELEMENT and node.namespace == NS_HTML and (node.tag == TAG_DIV or node.tag == TAG_SPAN):
            role = role_of(page, i)
            if ROLE_TABLE <= role <= ROLE_GROUP:
                become_element(page, i, TAGS[<int> role])


cdef bint rewrite_tab_list(Rewriting* page, uint32_t n) noexcept nogil:
    """Remove a list of tabs, unless it holds panels or headings."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t i, end = nodes[n].end, tabs = 0
    cdef Role role
    if end - n > MAX_TABS or not charge(page, end - n):
        return False
    for i in range(n + 1, end):
        if nodes[i].kind != KIND_ELEMENT or nodes[i].namespace != NS_HTML:
            continue
        if TAG_H1 <= nodes[i].tag <= TAG_H6 or nodes[i].tag == TAG_P or nodes[i].tag == TAG_PRE:
            return False
        role = role_of(page, i)
        if role == ROLE_PANEL:
            return False
        tabs += role == ROLE_TAB
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


cdef void rewrite_heading(Rewriting* page, uint32_t n) noexcept nogil:
    """Make a div or paragraph a heading of the level that it states."""
    cdef Slice level = attribute_of(page.tree, n, b"aria-level")
    if page.tree.nodes[n].end - n <= MAX_HEADING and not holds_blocks(page, n) and (
        level.length == 1 and c"1" <= level.data[0] <= c"6"
    ):
        become_element(page, n, TAG_H1 + level.data[0] - c"1")


cdef bint rewrite_role(Rewriting* page, uint32_t n, Slice value) noexcept nogil:
    """Rewrite an element if its role marks it as a construct. True if it is gone."""
    cdef uint32_t tag = page.tree.nodes[n].tag
    cdef Role role = <Role> value_of_word(&ROLES, value.data, value.length)
    if page.tree.nodes[n].namespace != NS_HTML:
        return False
    if role == ROLE_TABLE and tag == TAG_DIV:
        rewrite_table(page, n)
    elif role == ROLE_TABS:
        return rewrite_tab_list(page, n)
    elif role == ROLE_HEADING and (tag == TAG_DIV or tag == TAG_P):
        rewrite_heading(page, n)
    return False
