# SPDX-License-Identifier: Apache-2.0
"""Turns elements with roles into tables and headings, and removes tabs and controls."""

from thresher.native.base.word_table cimport WordTable, fill_words, value_of_word
from thresher.native.constructs.class_words cimport SAYS_EDIT, SAYS_PROMPT, SAYS_TAB_GROUP, SAYS_TABS
from thresher.native.constructs.prefixes cimport gather
from thresher.native.parsing.tag_table cimport fill_tags

from thresher.native.constructs import construct_words


cdef enum:
    MAX_TABS = 256          # nodes of a list of tabs
    MAX_LABEL = 32          # nodes of a heading, a tab's name, an edit link or a prompt
    MAX_PROMPT = 12         # bytes of a prompt


cdef enum DeclaredRole:             # in the order of ROLES in construct_words.py
    ROLE_OTHER
    ROLE_TABLE, ROLE_ROW, ROLE_CELL, ROLE_HEADER, ROLE_GROUP, ROLE_TABS, ROLE_TAB, ROLE_PANEL, ROLE_HEADING


cdef WordTable ROLES
fill_words(&ROLES, {role: words for role, words in enumerate(construct_words.ROLES.values(), 1)})

# The element that a role within a table stands for.
cdef uint32_t[6] TAGS = [TAG_UNKNOWN, TAG_TABLE, TAG_TR, TAG_TD, TAG_TH, TAG_TBODY]

cdef uint8_t[TAG_COUNT] IS_BLOCK
fill_tags(IS_BLOCK, {1: "h1 h2 h3 h4 h5 h6 p ul ol table dl pre"})


cdef DeclaredRole role_of(const Rewriting* page, uint32_t n) noexcept nogil:
    """The role of a node."""
    cdef Slice value = value_in(page.tree, n, ATTR_ROLE)
    return <DeclaredRole> value_of_word(&ROLES, value.data, value.length)


cdef void rewrite_table(Rewriting* page, uint32_t n) noexcept nogil:
    """Turn a div with the role of a table, and the div and span elements in it that have roles, into the corresponding
    table elements.
    """
    cdef uint32_t i
    cdef DeclaredRole role
    for i in range(n, page.tree.nodes[n].end):
        if is_html(page.tree.nodes + i, TAG_DIV) or is_html(page.tree.nodes + i, TAG_SPAN):
            role = role_of(page, i)
            if ROLE_TABLE <= role <= ROLE_GROUP:
                become_element(page, i, TAGS[<int> role])


cdef bint rewrite_tab_list(Rewriting* page, uint32_t n) noexcept nogil:
    """Remove a list of tabs, unless it holds panels or headings."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t i, end = nodes[n].end, tabs = 0
    cdef DeclaredRole role
    if end - n > MAX_TABS or not charge(page, end - n):
        return False
    for i in range(n + 1, end):
        if nodes[i].kind != KIND_ELEMENT or nodes[i].namespace != NS_HTML:
            continue
        if is_heading_tag(nodes[i].tag) or nodes[i].tag == TAG_P or nodes[i].tag == TAG_PRE:
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
        if nodes[i].kind == KIND_ELEMENT and nodes[i].tag < TAG_COUNT and IS_BLOCK[nodes[i].tag]:
            return True
    return False


cdef void rewrite_heading(Rewriting* page, uint32_t n) noexcept nogil:
    """Make a div or paragraph a heading of the level that it states."""
    cdef Slice level = attribute_of(page.tree, n, b"aria-level")
    if page.tree.nodes[n].end - n <= MAX_LABEL and not holds_blocks(page, n) and (
        level.length == 1 and c"1" <= level.data[0] <= c"6"
    ):
        become_element(page, n, TAG_H1 + level.data[0] - c"1")


cdef bint rewrite_role(Rewriting* page, uint32_t n, Slice value) noexcept nogil:
    """Rewrite an element if its role marks it as a construct. True if it is gone."""
    cdef uint32_t tag = page.tree.nodes[n].tag
    cdef DeclaredRole role = <DeclaredRole> value_of_word(&ROLES, value.data, value.length)
    if page.tree.nodes[n].namespace != NS_HTML:
        return False
    if role == ROLE_TABLE and tag == TAG_DIV:
        rewrite_table(page, n)
    elif role == ROLE_TABS:
        return rewrite_tab_list(page, n)
    elif role == ROLE_HEADING and (tag == TAG_DIV or tag == TAG_P):
        rewrite_heading(page, n)
    return False


# --- controls ---


cdef bint is_prompt(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element whose text is the number of a notebook's cell: In [3]:, Out[3]:, [3]:"""
    cdef uint8_t[MAX_PROMPT] room
    cdef Slice text
    if page.tree.nodes[n].end - n > MAX_LABEL:
        return False
    text = gather(page, n, b"\xc2\xa0", room, MAX_PROMPT)     # no no-break spaces
    if not take_prefix(&text, b"in"):
        take_prefix(&text, b"out")
    if not take_prefix(&text, b"["):
        return False
    text = without_leading(text, b"0123456789*")
    return is_word(text, b"]") or is_word(text, b"]:")


cdef bint rewrite_control(Rewriting* page, uint32_t n, uint32_t said) noexcept nogil:
    """Remove an element if its class marks it as an edit link, a holder of tab names or the number of a notebook's
    cell. In a group of tabs, remove the first child only. True if the element itself is gone.

    An edit link within a heading stays until the heading is written (omissions.pxd), because the scorer was trained
    with it.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t size = nodes[n].end - n, child = n + 1
    cdef bint gone = said & SAYS_PROMPT and is_prompt(page, n)
    if said & (SAYS_EDIT | SAYS_TABS):
        if is_heading_tag(nodes[nodes[n].parent].tag):
            return False
        gone = size <= (MAX_TABS if nodes[n].tag == TAG_DIV else MAX_LABEL)
    if gone:
        remove(page, n)
    elif size > 1 and nodes[n].tag == TAG_DIV and said & SAYS_TAB_GROUP and (
        is_word(class_of(page.tree, child), b"tabs") and nodes[child].end - child <= MAX_TABS
    ):
        remove(page, child)
    return gone


cdef bint is_own_link(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for the link of a caption or term to itself (Sphinx: "¶"), or beside a heading (Starlight: "Section titled
    A"). A link in a heading stays, like an edit link.
    """
    cdef Slice value = class_of(page.tree, n)
    return (is_word(value, b"headerlink") or begins_word(value, b"sl-anchor-link")) and (
        page.tree.nodes[n].end - n <= MAX_LABEL and not is_heading_tag(page.tree.nodes[page.tree.nodes[n].parent].tag)
    )
