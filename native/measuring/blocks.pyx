# SPDX-License-Identifier: Apache-2.0
"""Walks over the boundaries of a page, and makes its blocks and boxes."""

cimport cython
from libc.stdlib cimport free
from libc.string cimport memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY, make_room
from thresher.native.parsing.reading cimport *
from thresher.native.measuring.metrics cimport *
from thresher.native.parsing.tag_table cimport fill_tags
from thresher.native.parsing.tags cimport *
from thresher.native.shown.decision cimport HOW_RUN


KINDS = (
    "text", "paragraph", "heading-1", "heading-2", "heading-3", "heading-4", "heading-5", "heading-6", "list-item",
    "term", "description",
    "table-cell", "caption", "preformatted", "quote", "address", "button", "label",
)


cdef enum Boundary:         # what the start and end of an element do to the run of text
    BOUNDARY_NONE = 0       # inline
    BOUNDARY_INLINE = 1     # a new block on the same line
    BOUNDARY_LINE = 2       # a new block, on a new line
    BOUNDARY_BLOCK = 3      # a new block, a paragraph of its own
    BOUNDARY_BREAK = 4      # br


cdef uint8_t[TAG_COUNT] BOUNDARIES
fill_tags(BOUNDARIES, {BOUNDARY_INLINE: "button label", BOUNDARY_BREAK: "br"})
for _tag in range(TAG_COUNT):
    if TAG_LAYOUT[<int> _tag] & LAYOUT_BLOCK:
        BOUNDARIES[<int> _tag] = BOUNDARY_BLOCK
cdef uint8_t[TAG_COUNT] KIND_OF_TAG     # BlockKind + 1; 0 if the tag does not tell
fill_tags(KIND_OF_TAG, {
    BLOCK_PARAGRAPH + 1: "p", BLOCK_HEADING_1 + 1: "h1", BLOCK_HEADING_2 + 1: "h2", BLOCK_HEADING_3 + 1: "h3",
    BLOCK_HEADING_4 + 1: "h4", BLOCK_HEADING_5 + 1: "h5", BLOCK_HEADING_6 + 1: "h6", BLOCK_LIST_ITEM + 1: "li",
    BLOCK_TERM + 1: "dt", BLOCK_DESCRIPTION + 1: "dd", BLOCK_TABLE_CELL + 1: "td th",
    BLOCK_CAPTION + 1: "caption figcaption legend summary", BLOCK_PREFORMATTED + 1: "pre listing xmp plaintext",
    BLOCK_QUOTE + 1: "blockquote", BLOCK_ADDRESS + 1: "address", BLOCK_BUTTON + 1: "button", BLOCK_LABEL + 1: "label",
})
cdef uint8_t[TAG_COUNT] IS_ITEM
fill_tags(IS_ITEM, {1: "li dt dd td th"})


cdef bint is_custom_element(const Tree* tree, const Node* node) noexcept nogil:
    """True for an HTML element whose name has a hyphen, as the names of custom elements do."""
    cdef Slice name = slice_at(tree, node.start, node.length)
    cdef uint32_t i
    for i in range(name.length):
        if name.data[i] == c"-":
            return True
    return False


cdef bint is_text(const Tree* tree, const MetricsArray* metrics, uint32_t n, uint32_t parent) noexcept nogil:
    """True if node n is a child of `parent` and a text node that is not blank."""
    if n >= tree.n_nodes or tree.nodes[n].parent != parent or tree.nodes[n].kind != KIND_TEXT:
        return False
    return not metrics.nodes[n].flags & (FLAG_BLANK | FLAG_HIDDEN)


cdef uint32_t next_block_level(
    const Tree* tree, const MetricsArray* metrics, uint32_t n, uint32_t found
) noexcept nogil:
    """The first visible block-level element after node n; n_nodes if there is none. `found` is the previous answer, or
    0. The caller asks for nodes in order, so all searches of a page together are one pass.
    """
    if found > n:
        return found
    n = next_visible(tree, metrics, n + 1, tree.n_nodes)
    while n < tree.n_nodes:
        if tree.nodes[n].kind == KIND_ELEMENT and tree.nodes[n].namespace == NS_HTML and tree.nodes[n].tag < TAG_COUNT:
            if BOUNDARIES[tree.nodes[n].tag] == BOUNDARY_BLOCK:
                return n
        n = next_visible(tree, metrics, n + 1, tree.n_nodes)
    return tree.n_nodes


cdef bint is_phrasing(const Place* place) noexcept nogil:
    """True inside an element that holds one line or paragraph of text, or code."""
    return BLOCK_PARAGRAPH <= place.kind <= BLOCK_HEADING_6 or place.kind == BLOCK_PREFORMATTED


cdef bint is_custom_boundary(
    const Tree* tree, const MetricsArray* metrics, uint32_t n, const Place* place, uint32_t block_level, bint on_line
) noexcept nogil:
    """True if a custom element is a boundary: it contains a block-level element or stands apart from text.

    Browsers display a custom element inline unless its style says otherwise, and that style is mostly out of reach. So
    it is inline in a paragraph, heading or code, and beside text; among other elements it is a boundary. `place` is
    that of its parent, `block_level` the first block-level element after n.
    """
    cdef uint32_t parent = tree.nodes[n].parent
    if block_level < tree.nodes[n].end:
        return True
    if metrics.nodes[n].flags & (FLAG_SHOWN_BLOCK | FLAG_SHOWN_INLINE):
        return not metrics.nodes[n].flags & FLAG_SHOWN_INLINE
    return not (
        on_line or is_phrasing(place) or is_text(tree, metrics, n - 1, parent)
        or is_text(tree, metrics, tree.nodes[n].end, parent)
    )


cdef inline uint8_t styled_boundary(uint32_t tag, uint8_t flags, uint8_t boundary) noexcept nogil:
    """The boundary of an element whose style attribute sets its display. An inline element displayed as a block is a
    line. A div or section displayed inline is not a boundary. Others, such as items and boxes, keep theirs.
    """
    if flags & FLAG_SHOWN_BLOCK and flags & FLAG_SHOWN_INLINE:
        return boundary
    if flags & FLAG_SHOWN_BLOCK:
        return BOUNDARY_LINE if boundary == BOUNDARY_NONE or boundary == BOUNDARY_INLINE else boundary
    return BOUNDARY_NONE if tag == TAG_DIV or tag == TAG_SECTION else boundary


cdef Block* append_block(BlockArray* array) noexcept nogil:
    """A new, zeroed block at the end of the array; NULL if there is no memory."""
    cdef Block* block
    if make_room(&array.blocks, &array.capacity, <size_t> array.n_blocks + 1) < 0:
        return NULL
    block = array.blocks + array.n_blocks
    memset(block, 0, sizeof(Block))
    array.n_blocks += 1
    return block


cdef inline Box* add_box(
    BlockArray* array, const NodeMetrics* row, uint32_t node, uint32_t end, uint32_t parent, uint32_t images,
    uint32_t inputs
) noexcept nogil:
    """A new box at the end of the array, which has room for it, with how much is before it."""
    cdef Box* box = array.boxes + array.n_boxes
    THRESHER_CHECK(array.n_boxes < array.boxes_capacity)
    array.n_boxes += 1
    box.node = node
    box.end = end
    box.parent = parent
    box.first_block = array.n_blocks
    box.tags = row.tags
    box.images = images
    box.inputs = inputs
    return box


cdef inline void close_box(Box* box, uint32_t images, uint32_t inputs, uint32_t n_blocks) noexcept nogil:
    """Turn the numbers from the beginning of a box into those of its content."""
    box.images = images - box.images
    box.inputs = inputs - box.inputs
    box.end_block = n_blocks


cdef int find_blocks(BlockArray* array, const Tree* tree, const MetricsArray* metrics) noexcept nogil:
    """Cut a measured tree into blocks, in one forward loop.

    The ends of elements need no stack. There is a boundary between two text nodes if a boundary element starts between
    them, or if their innermost boundary elements differ: then the first one's has ended.
    """
    cdef:
        const Node* nodes = tree.nodes
        const NodeMetrics* rows = metrics.nodes
        const Node* node
        const NodeMetrics* row
        Place* places
        Place* place
        Block* block = NULL
        uint32_t n = 1, n_nodes = tree.n_nodes, block_tags = 0, element, item
        uint32_t breaks = 0         # <br> since the last text
        uint8_t pending = BOUNDARY_BLOCK    # the strongest boundary since the last text
        uint32_t block_level = 0    # the last answer of next_block_level()
        uint32_t images = 0, inputs = 0
        Box* open               # the innermost box around node n
        uint8_t boundary, kind
        bint on_line                # text of the block precedes the element on the same line
    array.n_blocks = 0
    array.n_boxes = 0
    array.head = 0
    array.serial = 0
    array.concealed = concealed_setting(metrics)
    if n_nodes == 0:
        array.serial = tree.serial
        return 0
    THRESHER_CHECK(metrics.n_nodes == n_nodes)
    if (
        make_room(&array.places, &array.places_capacity, n_nodes) < 0
        or make_room(&array.boxes, &array.boxes_capacity, <size_t> rows[0].tags + 1) < 0    # visible elements
    ):
        return OUT_OF_MEMORY
    places = array.places
    memset(places, 0, sizeof(Place))
    open = add_box(array, rows, 0, n_nodes, 0, 0, 0)
    while n < n_nodes:
        while n >= open.end:
            close_box(open, images, inputs, array.n_blocks)
            open = array.boxes + open.parent
        node = nodes + n
        row = rows + n
        if row.flags & FLAG_HIDDEN:
            if node.tag == TAG_SELECT or node.tag == TAG_TEXTAREA:
                inputs += 1
            elif node.tag == TAG_HEAD and array.head == 0:
                array.head = n
            n = node.end
            continue
        place = places + node.parent
        if node.kind == KIND_ELEMENT:
            # In variables, as a place that is written in parts cannot be read as a whole at once.
            element = place.element
            item = place.item
            kind = place.kind
            if node.namespace == NS_HTML and node.tag < TAG_COUNT and node.tag != TAG_UNKNOWN:
                boundary = BOUNDARIES[node.tag]
                if row.flags & (FLAG_SHOWN_BLOCK | FLAG_SHOWN_INLINE):
                    boundary = styled_boundary(node.tag, row.flags, boundary)
                if boundary == BOUNDARY_BREAK:
                    breaks += 1
                    if breaks >= 2 and not row.flags & FLAG_PREFORMATTED:
                        pending = BOUNDARY_BLOCK
                elif boundary != BOUNDARY_NONE or is_run(metrics, n):
                    boundary = max(boundary, <uint8_t> BOUNDARY_INLINE)
                    element = n
                    if boundary > pending:
                        pending = boundary
                if KIND_OF_TAG[node.tag]:
                    kind = KIND_OF_TAG[node.tag] - 1
                if IS_ITEM[node.tag]:
                    item = n
            elif node.namespace == NS_HTML and is_custom_element(tree, node):
                block_level = next_block_level(tree, metrics, n, block_level)
                on_line = block != NULL and pending == BOUNDARY_NONE and block.element == place.element
                if is_custom_boundary(tree, metrics, n, place, block_level, on_line):
                    element = n
                    if pending < BOUNDARY_LINE:
                        pending = BOUNDARY_LINE
            if node.tag == TAG_IMG:
                images += 1
            elif node.tag == TAG_INPUT:
                inputs += 1
            if element == n:
                open = add_box(array, row, n, node.end, <uint32_t> (open - array.boxes), images, inputs)
            places[n].element = element
            places[n].item = item
            places[n].blocks = 0
            places[n].kind = kind
            block_tags += 1
        elif node.kind == KIND_TEXT and row.flags & FLAG_BLANK:
            # trailing white space belongs to a block while the line continues, as between two labels
            if block != NULL and pending <= BOUNDARY_INLINE:
                block.end = n + 1
        elif node.kind == KIND_TEXT:
            if block != NULL and block.element != place.element:
                boundary = boundary_between(metrics, nodes, places, block.element, place.element)
                if boundary > pending:
                    pending = boundary
            if pending != BOUNDARY_NONE or block == NULL:
                block = append_block(array)
                if block == NULL:
                    return OUT_OF_MEMORY
                block.start = n
                block.element = place.element
                block.item = place.item
                block.box = <uint32_t> (open - array.boxes)
                block.kind = place.kind
                places[place.item].blocks += 1
                if pending == BOUNDARY_INLINE and array.n_blocks > 1:
                    block.separator = SEPARATOR_LINE if breaks else SEPARATOR_SPACE
                elif pending == BOUNDARY_LINE:
                    block.separator = SEPARATOR_LINE
                else:
                    block.separator = SEPARATOR_PARAGRAPH
            else:
                block.tags += block_tags
            block.end = n + 1
            block.characters += row.characters
            block.words += row.words
            if row.flags & FLAG_IN_LINK:
                block.link_characters += row.characters
                block.link_words += row.words
            pending = BOUNDARY_NONE
            breaks = 0
            block_tags = 0
        n += 1
    while open != array.boxes:
        close_box(open, images, inputs, array.n_blocks)
        open = array.boxes + open.parent
    close_box(open, images, inputs, array.n_blocks)
    mark_alone(array)
    array.serial = tree.serial
    return 0


cdef void free_blocks(BlockArray* array) noexcept nogil:
    """Free the memory."""
    free(array.blocks)
    free(array.boxes)
    free(array.places)
    memset(array, 0, sizeof(BlockArray))


cdef inline bint is_run(const MetricsArray* metrics, uint32_t n) noexcept nogil:
    """True for a concealed run, which is a block of its own if it is visible here."""
    return metrics.shown.nodes[n].how & HOW_RUN != 0


cdef uint8_t boundary_between(
    const MetricsArray* metrics, const Node* nodes, const Place* places, uint32_t before, uint32_t after
) noexcept nogil:
    """The strongest boundary among the elements that end between a text in `before` and one in `after`.

    Elements that start in between have already been counted. Climbs from `before` to the first ancestor that contains
    `after`, and stops at the first block-level element. That is a few steps even on a deep page.
    """
    cdef uint8_t strongest = BOUNDARY_NONE, boundary
    cdef const Node* node
    while before != 0 and not (before <= after < nodes[before].end):
        node = nodes + before
        if places[before].element == before:    # a boundary
            boundary = BOUNDARIES[node.tag] if node.tag < TAG_COUNT and node.tag != TAG_UNKNOWN else BOUNDARY_NONE
            if boundary == BOUNDARY_NONE and is_run(metrics, before):
                boundary = BOUNDARY_INLINE
            elif boundary == BOUNDARY_NONE:
                boundary = BOUNDARY_LINE        # a custom element, or one displayed on its own line by its style
            if boundary == BOUNDARY_BLOCK:
                return boundary
            if boundary > strongest:
                strongest = boundary
        before = node.parent
    return strongest


cdef void mark_alone(BlockArray* array) noexcept nogil:
    """Set `alone` on each block that is the only one of its item."""
    cdef uint32_t i, item
    for i in range(array.n_blocks):
        item = array.blocks[i].item
        array.blocks[i].alone = item != 0 and array.places[item].blocks == 1


@cython.final
cdef class Blocks:
    """The blocks of one page; the memory is reused from page to page."""

    def __dealloc__(self):
        free_blocks(&self.array)

    def find(self, Document document not None, Metrics metrics not None) -> None:
        """Cut a parsed and measured document into blocks."""
        require_metrics_of(document, &metrics.array)
        require_free(self.owner)
        if find_blocks(&self.array, &document.tree, &metrics.array) < 0:
            raise MemoryError(f"no memory for the blocks of {document.tree.n_nodes} nodes")

    def __len__(self) -> int:
        return self.array.n_blocks

    def __getitem__(self, index: int) -> dict[str, int | str]:
        """Block `index`: start, end, element, item, characters, words, link_characters, link_words, tags, kind,
        separator.
        """
        if not 0 <= index < self.array.n_blocks:
            raise IndexError(f"block {index} of {self.array.n_blocks}")
        if self.owner is not None:
            self.owner.require_idle()
        cdef dict block = self.array.blocks[<uint32_t> index]
        del block["reserved"], block["box"]
        block["kind"] = KINDS[block["kind"]]
        return block
