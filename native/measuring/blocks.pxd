# SPDX-License-Identifier: Apache-2.0
"""Blocks: a page's visible text, cut at every boundary of a block-level element, as one array of plain structs in
document order.

A block is a maximal run of text between two boundaries. A boundary is the start or end of a block-level element, a
button or label, or a table cell; a rule; or two <br> in a row (outside code). A custom element is a boundary if it
contains a block-level element or stands apart from text. Inline elements are not boundaries. Every visible text node
that is not blank is in exactly one block. Hidden elements (metrics.pxd) are in none.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from thresher.native.parsing.document cimport *
from thresher.native.measuring.metrics cimport FLAG_HIDDEN, MetricsArray, concealed_setting, require_metrics_of


cdef enum BlockKind:        # the innermost element that tells what kind of text it is
    BLOCK_TEXT = 0          # no such element: div, section, body, …
    BLOCK_PARAGRAPH = 1
    BLOCK_HEADING_1 = 2
    BLOCK_HEADING_2 = 3
    BLOCK_HEADING_3 = 4
    BLOCK_HEADING_4 = 5
    BLOCK_HEADING_5 = 6
    BLOCK_HEADING_6 = 7
    BLOCK_LIST_ITEM = 8
    BLOCK_TERM = 9          # dt
    BLOCK_DESCRIPTION = 10  # dd
    BLOCK_TABLE_CELL = 11
    BLOCK_CAPTION = 12      # caption, figcaption, legend, summary
    BLOCK_PREFORMATTED = 13
    BLOCK_QUOTE = 14
    BLOCK_ADDRESS = 15
    BLOCK_BUTTON = 16
    BLOCK_LABEL = 17


cdef enum BlockSeparator:   # what separates a block from the previous one, from weak to strong
    SEPARATOR_SPACE = 0     # only a button or label begins or ends: the line continues on screen
    SEPARATOR_LINE = 1      # a custom element, or one <br> beside a button or label: a new line
    SEPARATOR_PARAGRAPH = 2 # a block-level element begins or ends


ctypedef struct Block:          # 44 bytes
    uint32_t start              # its first node, a text node that is not blank
    uint32_t end                # one past its last node; hidden subtrees may be in between
    # the innermost boundary element around it (0, the document, if there is none)
    uint32_t element
    uint32_t item               # the innermost li, dt, dd, td or th around it; 0 if there is none
    uint32_t box                # number of the element's box
    # Sums over its text nodes, as in NodeMetrics: white space between text nodes is not counted.
    uint32_t characters
    uint32_t words
    uint32_t link_characters
    uint32_t link_words
    uint8_t kind                # BlockKind
    uint8_t separator           # BlockSeparator
    uint8_t alone               # 1 if no other block has the same item
    uint8_t reserved
    uint32_t tags               # elements that start inside it


ctypedef struct Place:          # what an element passes on to the blocks inside it
    uint32_t element
    uint32_t item
    uint32_t blocks             # of an item: the number of its own blocks, without those of nested items
    uint8_t kind


ctypedef struct Box:            # a boundary element, with what is visible inside it; number 0 is the document
    uint32_t node
    uint32_t end                # one past its last node
    uint32_t parent             # number of the box around it
    uint32_t first_block        # its blocks: [first_block, end_block)
    uint32_t end_block
    uint32_t tags               # elements inside it
    uint32_t images
    uint32_t inputs             # form controls inside it; those that show their own text are no blocks


ctypedef struct BlockArray:
    Block* blocks
    uint32_t n_blocks
    size_t capacity
    Box* boxes                  # in document order
    uint32_t n_boxes            # at least one for a tree with a node
    size_t boxes_capacity
    Place* places               # one per node; set for elements only
    size_t places_capacity
    uint32_t head               # the head element; 0 if there is none
    uint64_t serial             # serial number of the tree that was cut; 0 if there is none
    uint8_t concealed           # the concealed_setting() of the metrics that it was cut with


cdef inline bint is_heading(const Block* block) noexcept nogil:
    return BLOCK_HEADING_1 <= block.kind <= BLOCK_HEADING_6


cdef inline bint next_with_block(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t* n, uint32_t* block
) noexcept nogil:
    """Move n to the first visible HTML element from there on that has a block in it, and `block` to the first of its
    blocks; False if there is none.
    """
    cdef const Node* node
    while n[0] < tree.n_nodes:
        node = tree.nodes + n[0]
        while block[0] < blocks.n_blocks and blocks.blocks[block[0]].start < n[0]:
            block[0] += 1
        if block[0] == blocks.n_blocks:
            return False
        if metrics.nodes[n[0]].flags & FLAG_HIDDEN:
            n[0] = node.end
            continue
        if node.kind == KIND_ELEMENT and node.namespace == NS_HTML and blocks.blocks[block[0]].start < node.end:
            return True
        n[0] += 1
    return False


cdef int find_blocks(BlockArray* array, const Tree* tree, const MetricsArray* metrics) noexcept nogil


cdef inline int require_blocks_of(Document document, const MetricsArray* metrics, const BlockArray* blocks) except -1:
    """Raise RuntimeError if another thread is at work on the document's page, or unless metrics and blocks belong to it
    and the blocks were cut with these metrics.
    """
    require_metrics_of(document, metrics)
    if blocks.serial != document.tree.serial or blocks.concealed != concealed_setting(metrics):
        raise RuntimeError(
            "the blocks are of another page than the document, or were found before it was measured again; "
            "find them first"
        )
    return 0


cdef void free_blocks(BlockArray* array) noexcept nogil


cdef class Blocks:
    """The blocks of one page; the memory is reused from page to page."""
    cdef BlockArray array
    cdef Document owner         # as that of Metrics
