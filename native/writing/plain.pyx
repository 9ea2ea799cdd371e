# SPDX-License-Identifier: Apache-2.0
"""Writes the kept text of a page as lines, with the white space that a browser shows."""

from libc.string cimport memcpy, memset

from thresher.native.base.characters cimport past_indent, scan_words
from thresher.native.measuring.invisible cimport is_empty
from thresher.native.writing.omissions cimport first_written, is_nothing
from thresher.native.writing.raised cimport RAISED_ROOM, raise_text


cdef enum:
    MAX_BEFORE = 128    # nodes of a row before a cell that are searched for empty cells, which become tabs


cdef Writer PLAIN
PLAIN.begin_block = begin_block
PLAIN.text = put_text_node
PLAIN.enter = enter
PLAIN.mark = put_mark
PLAIN.end = end_text
PLAIN.words = put_words
PLAIN.formula = put_formula


cdef const Writer* plain_writer() noexcept nogil:
    return &PLAIN


# --- the white space between blocks ---


cdef uint32_t table_of(const Tree* tree, uint32_t cell) noexcept nogil:
    """The table around a cell, at most three levels up; 0 if there is none."""
    cdef uint32_t n = cell
    cdef int step
    for step in range(3):
        n = tree.nodes[n].parent
        if n == 0:
            return 0
        if is_html(tree.nodes + n, TAG_TABLE):
            return n
    return 0


cdef uint32_t cells_between(
    const Tree* tree, const MetricsArray* metrics, const BlockLayout* before, const BlockLayout* block
) noexcept nogil:
    """The number of displayed cells between the cells of two blocks in one row."""
    cdef uint32_t n = before.item_end, count = 0
    if tree == NULL:
        return block.cells_before - before.cells_before - 1 if block.cells_before > before.cells_before else 0
    while n < block.item:
        count += is_cell(tree.nodes + n) and not metrics.nodes[n].flags & FLAG_HIDDEN
        n = tree.nodes[n].end
    return count


cdef uint32_t leading_empty_cells(
    const Tree* tree, const MetricsArray* metrics, const BlockLayout* block
) noexcept nogil:
    """The number of empty cells before a block's cell in its row; 0 if one of them has text or the row begins far before.
    """
    cdef uint32_t n, count = 0, looked = 0
    if not block.alone or not block.is_cell:
        return 0
    if tree == NULL:
        return block.empty_cells
    if tree.nodes[block.list].tag != TAG_TR:
        return 0
    n = block.list + 1
    while n < block.item:
        looked += 1
        if looked > MAX_BEFORE or (metrics.nodes[n].characters and not is_empty(tree, metrics, n)):
            return 0
        count += is_cell(tree.nodes + n) and not metrics.nodes[n].flags & FLAG_HIDDEN
        n = tree.nodes[n].end
    return count


cdef bint begins_display(const Tree* tree, const MetricsArray* metrics, const Block* block) noexcept nogil:
    """True if the first thing in a block is a display formula, which has lines of its own."""
    cdef const Node* node
    cdef Slice text
    cdef Part part
    cdef bint has_parts
    cdef uint32_t n = block.start
    while n < block.end:
        node = tree.nodes + n
        if metrics.nodes[n].flags & FLAG_HIDDEN:
            n = node.end
            continue
        n += 1
        if node.kind != KIND_TEXT:
            continue
        if node.namespace == CONSTRUCT_DISPLAY or node.namespace == CONSTRUCT_FORMULA:
            return node.namespace == CONSTRUCT_DISPLAY
        text = text_of(tree, n - 1)
        has_parts = node.namespace == CONSTRUCT_PARTS and part_of(tree, node, 0, &part) != 0
        if not is_blank(first_bytes(text, part.start) if has_parts else text):
            return False
        if has_parts:
            return part.construct == CONSTRUCT_DISPLAY
    return False


cdef void lay_out(
    BlockLayout* layout, const Tree* tree, const MetricsArray* metrics, const Block* block
) noexcept nogil:
    """Fill in the layout of a block, except cells_before and empty_cells, which are counted in the tree when needed.
    """
    cdef const Node* item = tree.nodes + block.item
    cdef uint32_t pre
    cdef bint is_line = is_line_of_code(metrics, block)
    layout.item = block.item
    layout.item_end = item.end
    layout.list = item.parent
    layout.list_end = tree.nodes[item.parent].end
    layout.element = block.element
    layout.kind = block.kind
    layout.separator = block.separator
    layout.alone = block.alone
    layout.is_cell = is_cell(item) and not is_line
    if block.separator == SEPARATOR_SPACE and not layout.is_cell and begins_display(tree, metrics, block):
        layout.separator = SEPARATOR_LINE
    layout.table = table_of(tree, block.item) if layout.is_cell else 0
    # pages that number or colour lines put each line into its own element
    pre = pre_of(tree, block.element) if block.kind == BLOCK_PREFORMATTED or is_line else 0
    layout.code_end = tree.nodes[pre].end if pre else 0
    layout.cells_before = 0
    layout.empty_cells = 0


cdef void lay_out_blocks(
    BlockLayout* layouts, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t* cells
) noexcept nogil:
    """Fill in the layout of every block completely, so that the tree is no longer needed. `cells` has room for two
    numbers per node.
    """
    cdef uint32_t* of_row = cells + tree.n_nodes
    cdef uint32_t b, n
    cdef bint any_cell = False
    for b in range(blocks.n_blocks):
        lay_out(layouts + b, tree, metrics, blocks.blocks + b)
        any_cell = any_cell or layouts[b].is_cell
    if not any_cell:
        return
    memset(of_row, 0, tree.n_nodes * sizeof(uint32_t))
    for n in range(1, tree.n_nodes):
        if is_cell(tree.nodes + n) and not metrics.nodes[n].flags & FLAG_HIDDEN:
            cells[n] = of_row[tree.nodes[n].parent]
            of_row[tree.nodes[n].parent] += 1
    for b in range(blocks.n_blocks):
        if layouts[b].is_cell:
            layouts[b].cells_before = cells[layouts[b].item]
            layouts[b].empty_cells = leading_empty_cells(tree, metrics, layouts + b)


cdef Gap gap_between(const BlockLayout* before, const BlockLayout* after, bint adjacent) noexcept nogil:
    """The white space between two kept blocks. `adjacent`: no other block lies between them."""
    cdef uint32_t a = before.item, b = after.item
    if adjacent and after.separator == SEPARATOR_SPACE:
        return GAP_SPACE
    if a != 0 and b != 0 and a != b and before.alone and after.alone:
        if before.is_cell and after.is_cell:
            if before.list == after.list:
                return GAP_TAB
            if before.table != 0 and before.table == after.table:
                return GAP_LINE
        elif not before.is_cell and not after.is_cell:
            # the same list, or one list inside the other's item
            if before.list == after.list or b < before.item_end or a < after.list_end and a > after.list:
                return GAP_LINE
            if b < before.list_end and b > before.list:
                return GAP_LINE
    if adjacent and after.separator == SEPARATOR_LINE:
        return GAP_LINE
    # lines of code on pages that number or colour them
    if adjacent and (after.kind == BLOCK_PREFORMATTED or after.code_end) and after.element < before.code_end:
        return GAP_LINE
    return GAP_PARAGRAPH


cdef void put_gap(TextBuffer* text, Gap gap) noexcept nogil:
    """Write the pending white space, but none at the beginning of the text."""
    if text.length == 0 or gap == GAP_NONE or text_room(text, 2) < 0:
        return
    if gap == GAP_SPACE:
        if is_space(last_byte(text)):       # the end of a preformatted line
            return
        text.data[text.length] = c" "
    else:
        text.data[text.length] = c"\t" if gap == GAP_TAB else c"\n"
        if gap == GAP_PARAGRAPH:
            text.length += 1
            text.data[text.length] = c"\n"
    text.length += 1


cdef void trim(TextBuffer* text) noexcept nogil:
    """Remove the white space at the end of a text, which preformatted text may have."""
    while text.length and is_space(last_byte(text)):
        text.length -= 1


cdef Gap separate(
    TextBuffer* text, const Tree* tree, const MetricsArray* metrics, const BlockLayout* before,
    const BlockLayout* block, const BlockLayout* after, bint adjacent, uint32_t* tabs_left
) noexcept nogil:
    """The gap before the first character of a block. Tabs for empty cells are written at once, the gap before them too.

    `before` is the previous written block, or NULL. `after` is the next block if it is written, otherwise NULL. `tree`
    is NULL if the layouts are complete. `tabs_left` is how many tabs there is still room for.
    """
    cdef Gap gap = GAP_NONE
    cdef uint32_t tabs = 0
    if before != NULL:
        gap = gap_between(before, block, adjacent)
        trim(text)
        if gap == GAP_TAB:      # empty cells between the two keep their columns
            tabs = cells_between(tree, metrics, before, block)
        elif gap == GAP_LINE:
            tabs = leading_empty_cells(tree, metrics, block)
    if block.is_cell and gap != GAP_LINE and gap != GAP_TAB and after != NULL:
        if gap_between(block, after, True) == GAP_TAB:      # the first row of a table, if it has a next cell
            tabs = leading_empty_cells(tree, metrics, block)
    tabs = min(tabs, tabs_left[0])
    if tabs == 0:
        return gap
    tabs_left[0] -= tabs
    put_gap(text, gap)
    put_times(text, c"\t", tabs)
    return GAP_NONE


# --- the text of a block ---


cdef uint32_t begin_block(Output* output, uint32_t index) noexcept nogil:
    """Set the gap before a block; returns the node where its text begins."""
    cdef const Block* block = output.blocks.blocks + index
    cdef PlainState* state = &output.plain
    cdef BlockLayout* spare = state.before
    cdef bint first = output.block == output.blocks.n_blocks, adjacent = True
    cdef uint32_t i
    if first:
        state.here, spare, state.after = state.layouts, state.layouts + 1, state.layouts + 2
        state.tabs_left = output.tree.n_nodes
        lay_out(state.after, output.tree, output.metrics, block)
    state.before, state.here, state.after = state.here, state.after, spare
    if output.following < output.blocks.n_blocks:
        lay_out(state.after, output.tree, output.metrics, output.blocks.blocks + output.following)
    for i in range(output.block + 1, index):    # left out, and so as if it were absent, or not kept
        adjacent = adjacent and output.keep[i]
    output.gap = separate(
        output.text, output.tree, output.metrics, NULL if first else state.before, state.here,
        state.after if output.following == index + 1 else NULL, adjacent, &state.tabs_left
    )
    output.block = index
    output.fresh = True
    return first_written(output.tree, output.metrics, block) if is_heading(block) else block.start


cdef void put_words(Output* output, uint32_t block, const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Write text with white space collapsed."""
    cdef TextBuffer* text = output.text
    cdef const uint8_t* run
    cdef uint8_t* out
    if text_room(text, end - p + 2) < 0:
        return
    while p < end and is_space(p[0]):
        p += 1
        if output.gap == GAP_NONE:
            output.gap = GAP_SPACE
    if p == end:
        return
    if output.gap != GAP_NONE:
        put_gap(text, output.gap)
        output.gap = GAP_NONE
    output.fresh = False
    out = text.data + text.length
    while True:
        run = p
        p = scan_words(p, end)
        memcpy(out, run, p - run)
        out += p - run
        if p == end:
            break
        while p < end and is_space(p[0]):
            p += 1
        if p == end:
            output.gap = GAP_SPACE
            break
        out[0] = c" "
        out += 1
    text.length = out - text.data


cdef void put_verbatim(Output* output, const uint8_t* data, size_t length) noexcept nogil:
    """Write text as it is."""
    put_gap(output.text, output.gap)
    output.gap = GAP_NONE
    output.fresh = False
    put(output.text, data, length)


cdef void put_formula(Output* output, uint32_t block, Slice tex, bint display) noexcept nogil:
    """Write a formula unchanged. One on display gets its own lines, except in a cell."""
    cdef size_t i
    display = display and not output.plain.here.is_cell
    if display and output.gap < GAP_LINE:
        output.gap = GAP_LINE
    elif output.gap == GAP_NONE and last_byte(output.text) == c"$":
        output.gap = GAP_SPACE      # a space keeps two formulas apart
    put_gap(output.text, output.gap)
    i = output.text.length
    output.gap = GAP_NONE
    put_verbatim(output, tex.data, tex.length)
    if display:
        output.gap = GAP_LINE
        return
    while i < output.text.length:
        if output.text.data[i] == c"\n":
            output.text.data[i] = c" "
        i += 1


cdef void put_text_node(Output* output, uint32_t n, uint32_t block) noexcept nogil:
    cdef const Node* node = output.tree.nodes + n
    cdef uint8_t flags = output.metrics.nodes[n].flags
    cdef Slice text
    cdef const uint8_t* p
    cdef const uint8_t* end
    if flags & (FLAG_BLANK | FLAG_PREFORMATTED) == FLAG_BLANK:
        output.gap = max(output.gap, GAP_SPACE)
        return
    text = text_of(output.tree, n)
    p = text.data
    end = p + text.length
    if node.namespace == CONSTRUCT_FORMULA or node.namespace == CONSTRUCT_DISPLAY:
        put_formula(output, block, text, node.namespace == CONSTRUCT_DISPLAY)
    elif flags & FLAG_PREFORMATTED:
        if output.fresh:
            p = past_blank_lines(p, end)
        if p < end:
            put_verbatim(output, p, end - p)
    elif not is_nothing(output.tree, output.metrics, output.blocks.blocks + block, n, p[0]):
        if node.namespace == CONSTRUCT_PARTS:
            put_parts(output, n, block, text)
        elif node.namespace == CONSTRUCT_NONE and (output.fresh or output.gap >= GAP_LINE):
            put_words(output, block, past_indent(p, end), end)
        else:
            put_words(output, block, p, end)


cdef uint32_t enter(Output* output, uint32_t n, uint32_t block) noexcept nogil:
    """Write a sub or sup element in plain characters; of other elements, only their text is written."""
    cdef uint8_t[RAISED_ROOM] raised
    cdef uint32_t length = 0, tag = output.tree.nodes[n].tag
    if (tag == TAG_SUB or tag == TAG_SUP) and not output.fresh:
        length = raise_text(raised, output.tree, output.metrics, output.blocks.blocks + block, n, False)
        if length:
            put_verbatim(output, raised, length)
            return output.tree.nodes[n].end
    return n + 1


cdef void put_mark(Output* output, uint32_t n, uint32_t block) noexcept nogil:
    if output.tree.nodes[n].tag != TAG_BR:
        return
    if output.gap == GAP_LINE and not output.fresh and output.metrics.nodes[n].flags & FLAG_PREFORMATTED:
        put_byte(output.text, c"\n")        # a blank line
    output.gap = max(output.gap, GAP_LINE)


cdef void end_text(Output* output) noexcept nogil:
    trim(output.text)


# --- texts that were written block by block ---


cdef int join_texts(
    TextBuffer* text, const BlockLayout* layouts, const uint32_t* numbers, uint32_t n_blocks, const uint8_t* texts,
    const uint32_t* ends, const uint8_t* keep, uint32_t n_nodes
) noexcept nogil:
    """Write what render_text() would write for a page, given the separate text of each block.

    For each block, `numbers` has its index on the page and `ends` the end of its text in `texts`. `keep` has a byte for
    each block of the page. `n_nodes` is the page's number of nodes, which bounds the tabs for its cells.
    """
    cdef:
        uint32_t i, start, size
        const BlockLayout* before = NULL
        const BlockLayout* after
        bint adjacent = False, next_kept
    start_text(text)
    for i in range(n_blocks):
        if not keep[numbers[i]]:
            adjacent = False
            continue
        start = ends[i - 1] if i else 0
        size = ends[i] - start
        next_kept = i + 1 < n_blocks and numbers[i + 1] == numbers[i] + 1 and keep[numbers[i + 1]]
        if size == 0:       # left out: treat it as absent
            adjacent = adjacent and next_kept
            continue
        after = layouts + i + 1 if next_kept and ends[i + 1] > ends[i] else NULL
        put_gap(text, separate(text, NULL, NULL, before, layouts + i, after, adjacent, &n_nodes))
        before = layouts + i
        adjacent = next_kept
        put(text, texts + start, size)
    trim(text)
    return OUT_OF_MEMORY if text.failed else 0
