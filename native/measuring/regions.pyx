# SPDX-License-Identifier: Apache-2.0
"""Tables of data and comments of readers; see regions.pxd."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp

from thresher.native.measuring.blocks cimport BLOCK_BUTTON, BLOCK_LABEL, Block, BlockArray
from thresher.native.characters cimport begins_ascii, is_space
from thresher.native.parsing.document cimport (
    KIND_ELEMENT, NS_HTML, Attribute, Node, Slice, Tree, find_attribute, slice_at,
)
from thresher.native.measuring.metrics cimport FLAG_HIDDEN, MetricsArray, next_visible
from thresher.native.parsing.tags cimport *


cdef enum:
    MAX_TOKEN = 64
    MAX_VALUE = 1024        # bytes of a class or id that are looked at


cdef bint is_data_table(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t table, uint32_t next_block,
    uint32_t* columns
) noexcept nogil:
    """True for a table of data, with its number of columns in `columns`. `next_block` is the first block that could lie
    in it.

    It looks at the table's nodes up to the first table inside it, so all tables of a page together cost one pass.
    """
    cdef const Node* nodes = tree.nodes
    cdef const Node* node
    cdef const Attribute* role = find_attribute(tree, table, ATTR_ROLE)
    cdef Slice value
    cdef uint32_t n = table + 1, end = nodes[table].end, rows = 0, cells = 0, in_row = 0, headers = 0, count
    columns[0] = 0
    if role != NULL and role.value_length:
        value = slice_at(tree, role.value_start, role.value_length)
        if value.data[0] == c"p" or value.data[0] == c"n":      # presentation, none
            return False
    n = next_visible(tree, metrics, n, end)
    while n < end:
        node = nodes + n
        if node.kind == KIND_ELEMENT and node.namespace == NS_HTML:
            if node.tag == TAG_TABLE:
                return False
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


cdef bint ends(const uint8_t* token, uint32_t length, const char* word, uint32_t word_length) noexcept nogil:
    """True where a token ends with a word, in this case."""
    return length >= word_length and memcmp(token + length - word_length, word, word_length) == 0


cdef bint is_comment_token(const uint8_t* token, uint32_t length) noexcept nogil:
    """True for a word of a class or id, in lower case, that names a list of comments or one of them."""
    if begins_ascii(token, length, b"disqus", 6) or begins_ascii(token, length, b"fb-comment", 10) or begins_ascii(token, length, b"livefyre", 8):
        return True
    if begins_ascii(token, length, b"commentar", 9):      # commentary: what a sports page is about
        return False
    # comments-closed, has-comments-off: a state of the page, not the comments
    if (
        ends(token, length, b"open", 4) or ends(token, length, b"closed", 6) or ends(token, length, b"enabled", 7) or ends(token, length, b"disabled", 8)
        or ends(token, length, b"off", 3) or ends(token, length, b"on", 2)
    ) and not ends(token, length, b"section", 7):
        return False
    return begins_ascii(token, length, b"comment", 7) or ends(token, length, b"comments", 8) or ends(token, length, b"commentlist", 11) or ends(
        token, length, b"comment-list", 12
    )


cdef bint is_comment_region(const Tree* tree, uint32_t n) noexcept nogil:
    """True where an element's class, id or itemtype says that it holds comments."""
    cdef uint16_t[2] names = [ATTR_CLASS, ATTR_ID]
    cdef uint8_t[MAX_TOKEN] token
    cdef const Attribute* attribute
    cdef Slice value
    cdef uint32_t i, k, length
    if tree.nodes[n].n_attributes == 0:
        return False
    for i in range(2):
        attribute = find_attribute(tree, n, names[i])
        if attribute == NULL:
            continue
        value = slice_at(tree, attribute.value_start, min(attribute.value_length, <uint32_t> MAX_VALUE))
        k = 0
        while k < value.length:
            length = 0
            while k < value.length and not is_space(value.data[k]):
                if length < MAX_TOKEN:
                    token[length] = value.data[k] | (0x20 if c"A" <= value.data[k] <= c"Z" else 0)
                    length += 1
                k += 1
            if length and is_comment_token(token, length):
                return True
            k += 1
    attribute = find_attribute(tree, n, ATTR_ITEMTYPE)
    if attribute != NULL:
        value = slice_at(tree, attribute.value_start, attribute.value_length)
        return ends(value.data, value.length, b"schema.org/Comment", 18) or ends(value.data, value.length, b"schema.org/UserComments", 23)
    return False


cdef void apply_rule(
    const BlockArray* blocks, uint8_t* keep, uint32_t first, uint32_t end, RegionRule rule
) noexcept nogil:
    """Drop the blocks from `first` on that begin before node `end`, or keep those that are not mostly links, buttons or
    labels.
    """
    cdef const Block* block
    while first < blocks.n_blocks and blocks.blocks[first].start < end:
        block = blocks.blocks + first
        if rule == REGION_OUT:
            keep[first] = 0
        elif 2 * <size_t> block.link_characters < block.characters and block.kind != BLOCK_BUTTON and block.kind != BLOCK_LABEL:
            keep[first] = 1
        first += 1


cdef void apply_region_rules(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint8_t* keep, RegionRule comments, RegionRule tables
) noexcept nogil:
    """Change which blocks are kept, by what is wanted of comments and of tables of data. One pass over the nodes."""
    cdef const Node* node
    cdef uint32_t n = 1, block = 0, columns = 0, comments_end = 0, tables_end = 0
    while n < tree.n_nodes and block < blocks.n_blocks:
        node = tree.nodes + n
        while block < blocks.n_blocks and blocks.blocks[block].start < n:
            block += 1
        if metrics.nodes[n].flags & FLAG_HIDDEN:
            n = node.end
            continue
        if node.kind == KIND_ELEMENT and node.namespace == NS_HTML and block < blocks.n_blocks and blocks.blocks[block].start < node.end:
            if tables != REGION_AS_CHOSEN and node.tag == TAG_TABLE and n >= tables_end and is_data_table(tree, metrics, blocks, n, block, &columns):
                apply_rule(blocks, keep, block, node.end, tables)
                tables_end = node.end
            elif (
                comments != REGION_AS_CHOSEN and n >= comments_end and node.tag != TAG_HTML and node.tag != TAG_BODY and node.tag != TAG_MAIN
                and node.tag != TAG_ARTICLE and node.tag != TAG_FORM and is_comment_region(tree, n)
            ):
                apply_rule(blocks, keep, block, node.end, comments)
                comments_end = node.end
        n += 1
