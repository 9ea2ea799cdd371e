# SPDX-License-Identifier: Apache-2.0
"""Text of the kept blocks; see render.pxd for its form."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcpy, memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.measuring.blocks cimport (
    BLOCK_PREFORMATTED, BLOCK_TABLE_CELL, SEPARATOR_LINE, SEPARATOR_SPACE, Block, BlockArray,
)
from thresher.native.base.characters cimport is_space, past_indent, scan_words
from thresher.native.parsing.document cimport (
    CONSTRUCT_DISPLAY, CONSTRUCT_FORMULA, CONSTRUCT_NONE, CONSTRUCT_PARTS, KIND_ELEMENT, KIND_TEXT, NS_HTML, Node, Part,
    Slice, Tree, part_of, slice_at,
)
from thresher.native.measuring.invisible cimport is_empty
from thresher.native.measuring.metrics cimport FLAG_HIDDEN, FLAG_PREFORMATTED, MetricsArray, NodeMetrics, next_visible
from thresher.native.writing.omissions cimport ends_invisibly, first_written, is_heading, is_left_out, is_omitted
from thresher.native.writing.raised cimport RAISED_ROOM, raise_text
from thresher.native.base.text_buffer cimport TextBuffer, start_text, text_room
from thresher.native.parsing.tags cimport (
    TAG_BR, TAG_LISTING, TAG_PLAINTEXT, TAG_PRE, TAG_SUB, TAG_SUP, TAG_TABLE, TAG_TD, TAG_TH, TAG_TR, TAG_XMP,
)


cdef enum Gap:      # white space pending before the next character
    GAP_NONE = 0
    GAP_SPACE = 1
    GAP_TAB = 2
    GAP_LINE = 3
    GAP_PARAGRAPH = 4


cdef enum:
    MAX_PRE = 16    # ancestors of a line of code that are searched for the pre element
    MAX_EMPTY = 64  # empty cells at the beginning of a row that become tabs; keeps counting them linear


cdef inline bint is_raised(const Node* node) noexcept nogil:
    """True for sub and sup."""
    return (node.tag == TAG_SUB or node.tag == TAG_SUP) and node.kind == KIND_ELEMENT and node.namespace == NS_HTML


cdef inline size_t text_bound_of(const Tree* tree, const Node* node) noexcept nogil:
    """An upper bound of the bytes that a text needs, with the white space before it and around its formulas."""
    cdef Part part
    if node.namespace == CONSTRUCT_PARTS:
        return node.length + 1 + 2 * <size_t> part_of(tree, node, 0, &part)
    return node.length + 1


cdef size_t text_bound(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const uint8_t* keep
) noexcept nogil:
    """An upper bound of the bytes of the kept blocks' text: text nodes, a line for each element, a blank line for each
    block, a tab for each cell, and the characters that superscripts and subscripts become.
    """
    cdef size_t bound = tree.n_nodes    # a tab for each empty cell
    cdef const Block* block
    cdef uint32_t i, n
    for i in range(blocks.n_blocks):
        if not keep[i]:
            continue
        block = blocks.blocks + i
        bound += 2
        n = next_visible(tree, metrics, block.start, block.end)
        while n < block.end:
            bound += text_bound_of(tree, tree.nodes + n) if tree.nodes[n].kind == KIND_TEXT else 1
            if is_raised(tree.nodes + n):
                bound += RAISED_ROOM
            n = next_visible(tree, metrics, n + 1, block.end)
    return bound


cdef uint32_t table_of(const Tree* tree, uint32_t cell) noexcept nogil:
    """The table around a cell, at most three levels up; 0 if there is none."""
    cdef uint32_t n = cell
    cdef int step
    for step in range(3):
        n = tree.nodes[n].parent
        if n == 0:
            return 0
        if tree.nodes[n].tag == TAG_TABLE and tree.nodes[n].namespace == NS_HTML:
            return n
    return 0


cdef bint is_cell(const Node* node) noexcept nogil:
    """True for td and th."""
    return node.kind == KIND_ELEMENT and (node.tag == TAG_TD or node.tag == TAG_TH) and node.namespace == NS_HTML


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
    """The number of empty cells before a block's cell in its row; 0 if one of them has text or there are more than
    MAX_EMPTY.
    """
    cdef uint32_t n, count = 0
    if not block.alone or not block.is_cell:
        return 0
    if tree == NULL:
        return block.empty_cells
    if tree.nodes[block.list].tag != TAG_TR:
        return 0
    n = block.list + 1
    while n < block.item:
        if count > MAX_EMPTY or (metrics.nodes[n].characters and not is_empty(tree, metrics, n)):
            return 0
        count += is_cell(tree.nodes + n) and not metrics.nodes[n].flags & FLAG_HIDDEN
        n = tree.nodes[n].end
    return count


cdef uint32_t end_of_code(const Tree* tree, uint32_t element) noexcept nogil:
    """One past the last node of the pre element that an element is or is inside of; 0 if there is none."""
    cdef uint32_t n = element
    cdef int step
    for step in range(MAX_PRE):
        if tree.nodes[n].kind == KIND_ELEMENT and tree.nodes[n].tag in (TAG_PRE, TAG_LISTING, TAG_XMP, TAG_PLAINTEXT):
            return tree.nodes[n].end
        if n == 0:
            break
        n = tree.nodes[n].parent
    return 0


cdef bint begins_display(const Tree* tree, const MetricsArray* metrics, const Block* block) noexcept nogil:
    """True if the first thing in a block is a display formula, which has lines of its own."""
    cdef const Node* node
    cdef Slice text
    cdef Part part
    cdef bint has_parts
    cdef uint32_t n = block.start, i
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
        text = slice_at(tree, node.start, node.length)
        has_parts = node.namespace == CONSTRUCT_PARTS and part_of(tree, node, 0, &part) != 0
        if has_parts:
            text.length = part.start
        for i in range(text.length):
            if not is_space(text.data[i]):
                return False
        if has_parts:
            return part.construct == CONSTRUCT_DISPLAY
    return False


cdef void lay_out(
    BlockLayout* layout, const Tree* tree, const MetricsArray* metrics, const Block* block
) noexcept nogil:
    """Fill in the layout of a block, except cells_before and empty_cells, which render_text() counts in the tree when
    needed.
    """
    cdef const Node* item = tree.nodes + block.item
    # some highlighters make a table of the lines inside pre: these are lines, not cells
    cdef bint is_line = block.kind == BLOCK_TABLE_CELL and metrics.nodes[block.start].flags & FLAG_PREFORMATTED
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
    layout.code_end = end_of_code(tree, block.element) if block.kind == BLOCK_PREFORMATTED or is_line else 0
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
            if layouts[b].cells_before <= MAX_EMPTY + 1:
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


cdef uint8_t* begin_block(
    uint8_t* out, const uint8_t* start, const Tree* tree, const MetricsArray* metrics,
    const BlockLayout* before, const BlockLayout* block, const BlockLayout* after, bint adjacent, Gap* gap,
    uint32_t* tabs_left
) noexcept nogil:
    """Remove the white space at the end of the previous block, and set the gap before the first character of this one.
    Tabs for empty cells are written at once.

    `before` is the previous kept block, or NULL. `after` is the next block if it is kept, otherwise NULL. `tree` is
    NULL if the layouts are complete. `tabs_left` is how many tabs there is still room for.
    """
    cdef uint32_t tabs = 0, n
    if before != NULL:
        gap[0] = gap_between(before, block, adjacent)
        while out > start and is_space((out - 1)[0]):    # the end of preformatted text
            out -= 1
        if gap[0] == GAP_TAB:      # empty cells between the two keep their columns
            tabs = cells_between(tree, metrics, before, block)
        elif gap[0] == GAP_LINE:
            tabs = leading_empty_cells(tree, metrics, block)
    if gap[0] != GAP_LINE and gap[0] != GAP_TAB and after != NULL:
        # the first row of a table, if it has a next cell
        if gap_between(block, after, True) == GAP_TAB:
            tabs = leading_empty_cells(tree, metrics, block)
    tabs = min(tabs, tabs_left[0])
    tabs_left[0] -= tabs
    if tabs:
        out = write_gap(out, gap[0], out == start)
        gap[0] = GAP_NONE
        for n in range(tabs):
            out[0] = c"\t"
            out += 1
    return out


cdef inline uint8_t* write_words(
    uint8_t* out, const uint8_t* start, const uint8_t* p, const uint8_t* end, Gap* gap
) noexcept nogil:
    """Write text with white space collapsed and return the new end. `start` is where the page's text begins."""
    cdef const uint8_t* run
    while p < end:
        if is_space(p[0]):
            p += 1
            if gap[0] == GAP_NONE:
                gap[0] = GAP_SPACE
            continue
        run = p
        p = scan_words(p, end)
        if gap[0] != GAP_NONE:
            out = write_gap(out, gap[0], out == start)
            gap[0] = GAP_NONE
        memcpy(out, run, p - run)
        out += p - run
    return out


cdef uint8_t* write_parts(
    uint8_t* out, const uint8_t* start, const Tree* tree, const Node* node, Slice text, bint in_line, Gap* gap
) noexcept nogil:
    """Write a text with formulas in it. In a cell, display formulas too stay `in_line`."""
    cdef Part part
    cdef uint32_t i, at = 0, count = part_of(tree, node, 0, &part)
    for i in range(count):
        part_of(tree, node, i, &part)
        THRESHER_CHECK(at <= part.start)
        out = write_words(out, start, text.data + at, text.data + part.start, gap)
        out = write_formula(
            out, out == start, Slice(data=text.data + part.start, length=part.length),
            part.construct == CONSTRUCT_DISPLAY and not in_line, gap
        )
        at = part.start + part.length
    return write_words(out, start, text.data + at, text.data + text.length, gap)


cdef uint8_t* write_formula(uint8_t* out, bint at_start, Slice tex, bint display, Gap* gap) noexcept nogil:
    """Write a formula unchanged and return the new end. A `display` formula gets its own lines."""
    cdef uint32_t i
    if display and gap[0] < GAP_LINE:
        gap[0] = GAP_LINE
    elif gap[0] == GAP_NONE and not at_start and (out - 1)[0] == c"$":
        gap[0] = GAP_SPACE      # a space keeps two formulas apart
    out = write_gap(out, gap[0], at_start)
    gap[0] = GAP_LINE if display else GAP_NONE
    memcpy(out, tex.data, tex.length)
    for i in range(tex.length):
        if out[i] == c"\n" and not display:
            out[i] = c" "
    return out + tex.length


cdef int render_text(
    TextBuffer* text, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const uint8_t* keep
) noexcept nogil:
    """Write the text of the blocks whose keep byte is not 0."""
    cdef:
        const Node* nodes = tree.nodes
        const NodeMetrics* rows = metrics.nodes
        const Block* block
        BlockLayout[3] layouts      # of the previous kept block, this one and the next one
        BlockLayout* before = NULL
        BlockLayout* here
        BlockLayout* after
        const uint8_t* p
        const uint8_t* end
        const uint8_t* run
        uint8_t* out
        uint8_t* written
        uint8_t[RAISED_ROOM] raised
        uint32_t i, n, length, last = 0, place = 0
        uint32_t laid_out = blocks.n_blocks     # the block whose layout is already in layouts[place]
        Slice slice
        Gap gap = GAP_NONE
        uint32_t tabs_left = tree.n_nodes
        bint at_start = True        # nothing written yet
        bint fresh                  # nothing of this block written yet
        bint omits                  # part of it may be left out
    cdef size_t bound = text_bound(tree, metrics, blocks, keep)
    start_text(text)
    if text_room(text, bound) < 0:
        return OUT_OF_MEMORY
    out = text.data
    for i in range(blocks.n_blocks):
        if not keep[i]:
            continue
        block = blocks.blocks + i
        omits = is_heading(block)
        if is_left_out(tree, metrics, block):
            if last + 1 == i:
                last = i        # treat it as absent
            continue
        here = layouts + place
        if laid_out != i:
            lay_out(here, tree, metrics, block)
        after = NULL
        if i + 1 < blocks.n_blocks and keep[i + 1] and not is_left_out(tree, metrics, block + 1):
            after = layouts + (place + 1) % 3
            lay_out(after, tree, metrics, block + 1)
            laid_out = i + 1
        out = begin_block(out, text.data, tree, metrics, before, here, after, last + 1 == i, &gap, &tabs_left)
        before = here
        place = (place + 1) % 3
        last = i
        fresh = True
        n = first_written(tree, metrics, block) if omits else block.start
        while n < block.end:
            if rows[n].flags & FLAG_HIDDEN or (omits and is_omitted(tree, metrics, block, n)):
                n = nodes[n].end
                continue
            if nodes[n].kind != KIND_TEXT:
                if nodes[n].tag == TAG_BR and nodes[n].namespace == NS_HTML and gap < GAP_LINE:
                    gap = GAP_LINE
                elif is_raised(nodes + n) and not fresh:
                    length = raise_text(raised, tree, metrics, block, n, False)
                    if length:
                        out = write_gap(out, gap, at_start)
                        gap = GAP_NONE
                        memcpy(out, raised, length)
                        out += length
                        n = nodes[n].end
                        continue
                n += 1
                continue
            slice = slice_at(tree, nodes[n].start, nodes[n].length)
            p = slice.data
            end = p + slice.length
            n += 1
            if nodes[n - 1].namespace == CONSTRUCT_FORMULA or nodes[n - 1].namespace == CONSTRUCT_DISPLAY:
                out = write_formula(
                    out, at_start, slice, nodes[n - 1].namespace == CONSTRUCT_DISPLAY and not here.is_cell, &gap
                )
                at_start = fresh = False
                continue
            if rows[n - 1].flags & FLAG_PREFORMATTED:
                if fresh:       # leading blank lines are dropped, the indentation is kept
                    run = p
                    while run < end and is_space(run[0]):
                        if run[0] == c"\n":
                            p = run + 1
                        run += 1
                if p < end:
                    fresh = False
                    out = write_gap(out, gap, at_start)
                    gap = GAP_NONE
                    memcpy(out, p, end - p)
                    out += end - p
                    at_start = False
                continue
            if (p[0] >= 0xC2 or is_space(p[0])) and ends_invisibly(tree, metrics, block, n - 1):
                continue
            written = out
            if (fresh or gap >= GAP_LINE) and nodes[n - 1].namespace == CONSTRUCT_NONE:
                p = past_indent(p, end)
            if nodes[n - 1].namespace == CONSTRUCT_PARTS:
                out = write_parts(out, text.data, tree, nodes + n - 1, slice, here.is_cell, &gap)
            else:
                out = write_words(out, text.data, p, end, &gap)
            if out > written:
                at_start = fresh = False
    while out > text.data and is_space((out - 1)[0]):
        out -= 1
    text.length = out - text.data
    THRESHER_CHECK(text.length <= bound)
    return 0


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
        Gap gap = GAP_NONE
        uint8_t* out
        size_t bound = <size_t> n_nodes + 1
    for i in range(n_blocks):
        if keep[numbers[i]]:
            bound += 2 + ends[i] - (ends[i - 1] if i else 0)    # with a blank line
    start_text(text)
    if text_room(text, bound) < 0:
        return OUT_OF_MEMORY
    out = text.data
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
        out = begin_block(out, text.data, NULL, NULL, before, layouts + i, after, adjacent, &gap, &n_nodes)
        before = layouts + i
        adjacent = next_kept
        out = write_gap(out, gap, out == text.data)
        gap = GAP_NONE
        memcpy(out, texts + start, size)
        out += size
    while out > text.data and is_space((out - 1)[0]):
        out -= 1
    text.length = out - text.data
    THRESHER_CHECK(text.length <= bound)
    return 0


cdef inline uint8_t* write_gap(uint8_t* out, Gap gap, bint at_start) noexcept nogil:
    """Write the pending white space and return the new end of the text."""
    if at_start or gap == GAP_NONE:
        return out
    if gap == GAP_SPACE:
        if not is_space((out - 1)[0]):       # none after the end of a preformatted line
            out[0] = c" "
            out += 1
    elif gap == GAP_TAB:
        out[0] = c"\t"
        out += 1
    else:
        out[0] = c"\n"
        out += 1
        if gap == GAP_PARAGRAPH:
            out[0] = c"\n"
            out += 1
    return out
