# SPDX-License-Identifier: Apache-2.0
"""Text of the kept blocks; see render.pxd for its form."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcpy

from thresher.native.measuring.blocks cimport (
    BLOCK_PREFORMATTED, SEPARATOR_LINE, SEPARATOR_SPACE, Block, BlockArray,
)
from thresher.native.characters cimport is_space
from thresher.native.parsing.document cimport KIND_ELEMENT, KIND_TEXT, NS_HTML, Node, Slice, Tree, slice_at
from thresher.native.measuring.metrics cimport FLAG_HIDDEN, FLAG_PREFORMATTED, MetricsArray, NodeMetrics
from thresher.native.scratch cimport reserve
from thresher.native.parsing.tags cimport TAG_BR, TAG_LISTING, TAG_PLAINTEXT, TAG_PRE, TAG_TABLE, TAG_TD, TAG_TH, TAG_TR, TAG_XMP


cdef enum Gap:      # white space owed before the next character
    GAP_NONE = 0
    GAP_SPACE = 1
    GAP_TAB = 2
    GAP_LINE = 3
    GAP_PARAGRAPH = 4


cdef enum:
    MAX_PRE = 16    # elements between a line of code and the pre around it
    MAX_EMPTY = 64  # empty cells at the beginning of a row that become tabs; keeps the search for them linear


cdef size_t text_bound(const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const uint8_t* keep) noexcept nogil:
    """An upper bound of the bytes of the kept blocks' text: their text nodes, a line for each element, a blank line
    for each block, a tab for each cell."""
    cdef size_t bound = tree.n_nodes    # a tab for each empty cell
    cdef const Block* block
    cdef uint32_t i, n
    for i in range(blocks.n_blocks):
        if not keep[i]:
            continue
        block = blocks.blocks + i
        bound += 2
        n = block.start
        while n < block.end:
            if metrics.nodes[n].flags & FLAG_HIDDEN:
                n = tree.nodes[n].end
                continue
            bound += tree.nodes[n].length + 1 if tree.nodes[n].kind == KIND_TEXT else 1
            n += 1
    return bound


cdef uint32_t table_of(const Tree* tree, uint32_t cell) noexcept nogil:
    """The table that a cell stands in: at most three steps up; 0 where there is none."""
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


cdef uint32_t cells_between(const Tree* tree, const MetricsArray* metrics, uint32_t first, uint32_t cell) noexcept nogil:
    """How many shown cells begin from node `first` on, a child of the row of `cell`, up to and without `cell`."""
    cdef uint32_t n = first, count = 0
    while n < cell:
        count += is_cell(tree.nodes + n) and not metrics.nodes[n].flags & FLAG_HIDDEN
        n = tree.nodes[n].end
    return count


cdef uint32_t leading_empty_cells(const Tree* tree, const MetricsArray* metrics, const Block* block) noexcept nogil:
    """How many empty cells stand in the row before a block's cell; 0 where one of them has text, or there are more than MAX_EMPTY."""
    cdef uint32_t row, n, count = 0
    if not block.alone or not is_cell(tree.nodes + block.item):
        return 0
    row = tree.nodes[block.item].parent
    if tree.nodes[row].tag != TAG_TR:
        return 0
    n = row + 1
    while n < block.item:
        if metrics.nodes[n].characters or count > MAX_EMPTY:
            return 0
        count += is_cell(tree.nodes + n) and not metrics.nodes[n].flags & FLAG_HIDDEN
        n = tree.nodes[n].end
    return count


cdef Gap gap_between(const Tree* tree, const Block* before, const Block* after, bint adjacent) noexcept nogil:
    """The white space between two kept blocks; `adjacent` where no other block lies between them."""
    cdef const Node* nodes = tree.nodes
    cdef const Node* list_before
    cdef const Node* list_after
    cdef uint32_t a = before.item, b = after.item, table
    if adjacent and after.separator == SEPARATOR_SPACE:
        return GAP_SPACE
    if a != 0 and b != 0 and a != b and before.alone and after.alone:
        if is_cell(nodes + a) and is_cell(nodes + b):
            if nodes[a].parent == nodes[b].parent:
                return GAP_TAB
            table = table_of(tree, a)
            if table != 0 and table == table_of(tree, b):
                return GAP_LINE
        elif not is_cell(nodes + a) and not is_cell(nodes + b):
            # the same list, or one of the two lists stands inside the other's item
            list_before = nodes + nodes[a].parent
            list_after = nodes + nodes[b].parent
            if nodes[a].parent == nodes[b].parent or b < nodes[a].end or a < list_after.end and a > nodes[b].parent:
                return GAP_LINE
            if b < list_before.end and b > nodes[a].parent:
                return GAP_LINE
    if adjacent and after.separator == SEPARATOR_LINE:
        return GAP_LINE
    if adjacent and before.kind == BLOCK_PREFORMATTED and after.kind == BLOCK_PREFORMATTED and same_code(tree, before, after):
        return GAP_LINE
    return GAP_PARAGRAPH


cdef bint same_code(const Tree* tree, const Block* before, const Block* after) noexcept nogil:
    """True where two blocks stand in one pre element, as the lines of code do on pages that number or colour them."""
    cdef uint32_t n = before.element
    cdef int step
    for step in range(MAX_PRE):
        if tree.nodes[n].kind == KIND_ELEMENT and tree.nodes[n].tag in (TAG_PRE, TAG_LISTING, TAG_XMP, TAG_PLAINTEXT):
            return after.element < tree.nodes[n].end
        if n == 0:
            break
        n = tree.nodes[n].parent
    return False


cdef int render_text(
    TextBuffer* text, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const uint8_t* keep
) except -1 nogil:
    """Writes the text of the blocks whose keep byte is not 0. -1 and MemoryError where there is no memory."""
    cdef:
        const Node* nodes = tree.nodes
        const NodeMetrics* rows = metrics.nodes
        const Block* block
        const Block* before = NULL
        const uint8_t* p
        const uint8_t* end
        const uint8_t* run
        uint8_t* out
        uint32_t i, n, last = 0, tabs
        Slice slice
        Gap gap = GAP_NONE
        bint at_start = True        # nothing written yet
        bint fresh                  # nothing of this block written yet
    text.length = 0
    text.data = <uint8_t*> reserve(text.data, &text.capacity, text_bound(tree, metrics, blocks, keep), 1)
    out = text.data
    for i in range(blocks.n_blocks):
        if not keep[i]:
            continue
        block = blocks.blocks + i
        tabs = 0
        if before != NULL:
            gap = gap_between(tree, before, block, last + 1 == i)
            while out > text.data and is_space((out - 1)[0]):    # what preformatted text ended with
                out -= 1
            if gap == GAP_TAB:      # empty cells between the two keep their columns
                tabs = cells_between(tree, metrics, nodes[before.item].end, block.item)
            elif gap == GAP_LINE:
                tabs = leading_empty_cells(tree, metrics, block)
        if gap != GAP_LINE and gap != GAP_TAB and i + 1 < blocks.n_blocks and keep[i + 1]:
            # the first row of a table, if it is a row at all: its next cell follows
            if gap_between(tree, block, blocks.blocks + i + 1, True) == GAP_TAB:
                tabs = leading_empty_cells(tree, metrics, block)
        if tabs:
            out = write_gap(out, gap, at_start)
            gap = GAP_NONE
            for n in range(tabs):
                out[0] = c"\t"
                out += 1
        before = block
        last = i
        fresh = True
        n = block.start
        while n < block.end:
            if rows[n].flags & FLAG_HIDDEN:
                n = nodes[n].end
                continue
            if nodes[n].kind != KIND_TEXT:
                if nodes[n].tag == TAG_BR and nodes[n].namespace == NS_HTML and gap < GAP_LINE:
                    gap = GAP_LINE
                n += 1
                continue
            slice = slice_at(tree, nodes[n].start, nodes[n].length)
            p = slice.data
            end = p + slice.length
            n += 1
            if rows[n - 1].flags & FLAG_PREFORMATTED:
                if fresh:       # lines of nothing but white space at the beginning are dropped, the indentation stays
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
            while p < end:
                if is_space(p[0]):
                    p += 1
                    if gap == GAP_NONE:
                        gap = GAP_SPACE
                    continue
                run = p
                while p < end and not is_space(p[0]):
                    p += 1
                if gap != GAP_NONE:
                    out = write_gap(out, gap, at_start)
                    gap = GAP_NONE
                memcpy(out, run, p - run)
                out += p - run
                at_start = False
                fresh = False
    while out > text.data and is_space((out - 1)[0]):
        out -= 1
    text.length = out - text.data
    return 0


cdef inline uint8_t* write_gap(uint8_t* out, Gap gap, bint at_start) noexcept nogil:
    """Writes the white space that is owed and returns the new end."""
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
