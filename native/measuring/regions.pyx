# SPDX-License-Identifier: Apache-2.0
"""Decides which tables hold data and which elements hold comments."""

from thresher.native.base.word_table cimport all_values, fill_words, is_word_of
from thresher.native.measuring.invisible cimport is_empty
from thresher.native.parsing.reading cimport *
from thresher.native.measuring.metrics cimport MetricsArray, next_visible
from thresher.native.parsing.tags cimport *


cdef extern from "measuring/comment_words.h" nogil:
    int may_name_comments(const uint8_t* p, size_t length) noexcept


cdef enum:
    MAX_VALUE = 1024        # bytes of a class or id that are read,
    MAX_WORD = 64           # and of each of its words
    MAX_PAGER = 400         # nodes of a table that turns pages


cdef enum Says:             # a word of a class or id, as bits
    SAYS_COMMENTS = 1
    SAYS_COMMENT = 2        # unless it says something else, too
    SAYS_SUBJECT = 4        # commentary: the subject of a sports page
    SAYS_STATE = 8          # comments-closed, has-comments-off: a state of the page,
    SAYS_SECTION = 16       # unless it ends so


cdef WordTable WORDS
fill_words(&WORDS, {
    SAYS_COMMENTS: "disqus* fb-comment* livefyre*", SAYS_COMMENT: "comment* *comments *commentlist *comment-list",
    SAYS_SUBJECT: "commentar*", SAYS_STATE: "*open *closed *enabled *disabled *off *on", SAYS_SECTION: "*section",
})


cdef bint is_pager(const Tree* tree, const MetricsArray* metrics, uint32_t table) noexcept nogil:
    """True for a small table of nothing but links, numbers and dots: the row of pages that ASP.NET and others write as a
    table in a cell of the table that it turns.
    """
    cdef const Node* nodes = tree.nodes
    cdef const Node* node
    cdef Slice text
    cdef uint32_t n, i, end = nodes[table].end, link_end = 0
    if end - table > MAX_PAGER:
        return False
    n = next_visible(tree, metrics, table + 1, end)
    while n < end:
        node = nodes + n
        if node.kind == KIND_TEXT and n >= link_end:
            text = text_of(tree, n)
            for i in range(text.length):
                if not (is_space(text.data[i]) or c"0" <= text.data[i] <= c"9" or c"." == text.data[i]):
                    return False
        elif node.kind == KIND_ELEMENT and node.namespace == NS_HTML:
            if node.tag == TAG_TABLE or node.tag == TAG_TH:
                return False
            if node.tag == TAG_A:
                link_end = max(link_end, node.end)
        n = next_visible(tree, metrics, n + 1, end)
    return link_end > 0


cdef bint is_data_table(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t table, uint32_t next_block,
    uint32_t* columns
) noexcept nogil:
    """True for a data table; sets `columns` to its number of columns. `next_block` is the first block that could be in
    it. A table inside it is none of its content but for a pager.

    Visits the table's nodes up to the first table inside it that is no pager, so all tables of a page together cost two
    passes.
    """
    cdef const Node* nodes = tree.nodes
    cdef const Node* node
    cdef Slice role = value_in(tree, table, ATTR_ROLE)
    cdef uint32_t n = table + 1, end = nodes[table].end, rows = 0, cells = 0, in_row = 0, headers = 0, count
    columns[0] = 0
    if role.length and (role.data[0] == c"p" or role.data[0] == c"n"):      # presentation, none
        return False
    n = next_visible(tree, metrics, n, end)
    while n < end:
        node = nodes + n
        if node.kind == KIND_ELEMENT and node.namespace == NS_HTML:
            if node.tag == TAG_TABLE:
                if not is_pager(tree, metrics, n):
                    return False
                n = next_visible(tree, metrics, node.end, end)
                continue
            if node.tag == TAG_TR:
                rows += 1
                in_row = 0
            elif node.tag == TAG_TD or node.tag == TAG_TH:
                cells += 1
                in_row += 1
                headers += node.tag == TAG_TH
                columns[0] = max(columns[0], in_row)
        n = next_visible(tree, metrics, n + 1, end)
    if rows < 2 or columns[0] < 2 and not headers:
        return False
    count = 0
    while next_block + count < blocks.n_blocks and blocks.blocks[next_block + count].start < end:
        count += 1
    return count <= 2 * cells


cdef bint holds_rows(const Tree* tree, const MetricsArray* metrics, uint32_t table) noexcept nogil:
    """True for a table with header cells or with text in two cells of a row. Any other one is a column of texts."""
    cdef const Node* nodes = tree.nodes
    cdef uint32_t n, end = nodes[table].end, filled = 0
    n = next_visible(tree, metrics, table + 1, end)
    while n < end:
        if nodes[n].kind == KIND_ELEMENT and nodes[n].namespace == NS_HTML:
            if nodes[n].tag == TAG_TH:
                return True
            if nodes[n].tag == TAG_TR:
                filled = 0
            elif nodes[n].tag == TAG_TD and not is_empty(tree, metrics, n):
                filled += 1
                if filled == 2:
                    return True
        n = next_visible(tree, metrics, n + 1, end)
    return False


cdef bint has_word(const Tree* tree, uint32_t n, uint16_t name, const WordTable* table, uint32_t wanted) noexcept nogil:
    """True if a word of an attribute matches a row of a table whose value has one of the wanted bits."""
    cdef Slice rest = first_bytes(value_in(tree, n, name), MAX_VALUE), word
    while next_word(&rest, &word):
        if is_word_of(table, wanted, word.data, min(word.length, <uint32_t> MAX_WORD)):
            return True
    return False


cdef bint has_word_for_comments(Slice value) noexcept nogil:
    """True if a word of a class or id names a list of comments or one comment."""
    cdef Slice rest = first_bytes(value, MAX_VALUE), word
    cdef uint32_t said
    while next_word(&rest, &word):
        said = all_values(&WORDS, ~<uint32_t> 0, word.data, min(word.length, <uint32_t> MAX_WORD))
        if said & SAYS_COMMENTS or said & SAYS_COMMENT and not said & SAYS_SUBJECT and (
            said & SAYS_SECTION or not said & SAYS_STATE
        ):
            return True
    return False


cdef bint names_comments(Slice value) noexcept nogil:
    return (
        may_name_comments(value.data, min(value.length, <uint32_t> MAX_VALUE)) != 0 and has_word_for_comments(value)
    )


cdef bint is_type_of_comments(Slice value) noexcept nogil:
    return ends(value, b"schema.org/Comment") or ends(value, b"schema.org/UserComments")


cdef bint has_item_type(const Tree* tree, const char* name) noexcept nogil:
    cdef uint32_t i
    for i in range(tree.n_attributes):
        if tree.attributes[i].name == ATTR_ITEMTYPE and ends(value_of(tree, tree.attributes + i), name):
            return True
    return False


cdef bint is_comment_region(const Tree* tree, uint32_t n) noexcept nogil:
    """True if an element's class, id or itemtype marks it as comments."""
    return tree.nodes[n].n_attributes and (
        has_word_for_comments(class_of(tree, n)) or has_word_for_comments(value_in(tree, n, ATTR_ID))
        or is_type_of_comments(value_in(tree, n, ATTR_ITEMTYPE))
    )
