# SPDX-License-Identifier: Apache-2.0
"""Counts the columns of tables, and finds what Markdown cannot hold of them."""

from libc.string cimport memset

from thresher.native.parsing.tag_table cimport fill_tags


cdef enum:
    MAX_DIGITS = 8          # of a number in an attribute

cdef uint8_t[TAG_COUNT] IS_BLOCK        # elements that a Markdown table cell cannot hold
fill_tags(IS_BLOCK, {1: "h1 h2 h3 h4 h5 h6 ul ol dl pre blockquote"})


cdef bint read_number(
    const Tree* tree, uint32_t node, uint32_t name, bint whole, uint32_t* number
) noexcept nogil:
    """Set `number` to that of an attribute. False, and unchanged, if the attribute has none of at most eight digits, or
    if it must be the `whole` value and something follows it.
    """
    cdef Slice value = value_in(tree, node, name)
    cdef uint32_t digits = leading_digits(value)
    if digits == 0 or value.length > MAX_DIGITS or whole and digits < value.length:
        return False
    number[0] = number_in(first_bytes(value, digits), MAX_DIGITS)
    return True


cdef uint32_t span_of(const Tree* tree, uint32_t cell, uint32_t name, uint32_t most) noexcept nogil:
    """The number of columns or rows that a cell spans, at most `most`."""
    cdef uint32_t number = 1
    read_number(tree, cell, name, False, &number)
    return min(max(number, <uint32_t> 1), most)


cdef uint32_t take_columns(
    const Tree* tree, uint16_t* hanging, uint32_t* covered, uint32_t* seen, uint32_t cell, uint32_t* rows
) noexcept nogil:
    """The column of a row's next cell, after those that cells above cover. Advances `seen` past the columns of the cell
    and sets `rows` to the rows it spans.
    """
    cdef uint32_t width = 1, height = 1, column, i
    while seen[0] < MAX_SPANNED and hanging[seen[0]]:
        seen[0] += 1
        covered[0] += 1
    column = seen[0]
    if covered[0] < MAX_COVERED:
        width = span_of(tree, cell, ATTR_COLSPAN, MAX_SPANNED)
        height = span_of(tree, cell, ATTR_ROWSPAN, MAX_COLUMNS)
        covered[0] += width - 1
    for i in range(column, min(column + width, <uint32_t> MAX_SPANNED)):
        THRESHER_CHECK(i < MAX_SPANNED)
        hanging[i] = max(hanging[i], <uint16_t> height)
    seen[0] += width
    rows[0] = height
    return column


cdef void take_cell(Output* output, OutputContainer* row, uint32_t node, OutputContainer* cell) noexcept nogil:
    """Let a cell of a row occupy its columns; the cell has not begun."""
    cell.seen = take_columns(output.tree, output.hanging, &output.covered, &row.seen, node, &cell.spans_rows)
    cell.spans_columns = row.seen - cell.seen
    cover_columns(output, cell, 0, 0)


cdef void end_row(uint16_t* hanging) noexcept nogil:
    """Count a row for the cells that span it."""
    cdef uint32_t i
    for i in range(MAX_SPANNED):
        hanging[i] -= hanging[i] > 0


cdef uint32_t count_columns(const Output* output, uint32_t table, uint32_t least) noexcept nogil:
    """The number of columns of a data table, spans included, at least `least`."""
    cdef uint16_t[MAX_SPANNED] hanging
    cdef uint32_t n = table + 1, end = output.tree.nodes[table].end, seen = 0, covered = output.covered, rows = 0
    cdef const Node* node
    memset(hanging, 0, sizeof(hanging))
    n = next_visible(output.tree, output.metrics, n, end)
    while n < end:
        node = output.tree.nodes + n
        if node.kind == KIND_ELEMENT and node.namespace == NS_HTML:
            if node.tag == TAG_TR:
                end_row(hanging)
                seen = 0
            elif node.tag == TAG_TD or node.tag == TAG_TH:
                take_columns(output.tree, hanging, &covered, &seen, n, &rows)
                least = max(least, seen)
            elif node.tag == TAG_TABLE:         # a pager in a cell
                n = next_visible(output.tree, output.metrics, node.end, end)
                continue
        n = next_visible(output.tree, output.metrics, n + 1, end)
    return least


cdef bint exceeds_markdown(const Output* output, uint32_t table) noexcept nogil:
    """True for a table with a cell that spans others or holds lists, code, quotes, headings or two paragraphs."""
    cdef const Node* node
    cdef uint32_t end = output.tree.nodes[table].end, n, paragraphs = 0
    n = next_visible(output.tree, output.metrics, table + 1, end)
    while n < end:
        node = output.tree.nodes + n
        if node.kind == KIND_ELEMENT and node.namespace == NS_HTML:
            if node.tag == TAG_TD or node.tag == TAG_TH:
                paragraphs = 0
                if span_of(output.tree, n, ATTR_COLSPAN, 2) > 1 or span_of(output.tree, n, ATTR_ROWSPAN, 2) > 1:
                    return True
            elif node.tag == TAG_P:
                paragraphs += output.metrics.nodes[n].characters > 0
                if paragraphs > 1:
                    return True
            elif node.tag < TAG_COUNT and IS_BLOCK[node.tag]:
                return True
        n = next_visible(output.tree, output.metrics, n + 1, end)
    return False


cdef bint is_title_row(Output* output, uint32_t row, uint32_t next_block) noexcept nogil:
    """True for the first written row of a table if it is a single block in one cell across all columns: a caption."""
    cdef const OutputContainer* table = innermost(output)
    cdef const Node* nodes = output.tree.nodes
    cdef uint32_t end = nodes[row].end, cell = row + 1, after
    if table.written or table.columns < 2 or next_block >= output.blocks.n_blocks:
        return False
    while cell < end and nodes[cell].kind != KIND_ELEMENT:
        cell = nodes[cell].end
    if (
        cell >= end or not is_cell(nodes + cell)
        or span_of(output.tree, cell, ATTR_COLSPAN, MAX_SPANNED) < table.columns
        or span_of(output.tree, cell, ATTR_ROWSPAN, 2) > 1
    ):
        return False
    after = nodes[cell].end
    while after < end:
        if nodes[after].kind == KIND_ELEMENT:
            return False
        after = nodes[after].end
    after = next_kept(output, next_block + 1)
    return after == output.blocks.n_blocks or output.blocks.blocks[after].start >= end
