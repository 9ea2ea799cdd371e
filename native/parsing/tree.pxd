# SPDX-License-Identifier: Apache-2.0
"""The tree: one page as plain arrays.

A `Tree` only holds data. The class `Document` owns the memory and reuses it from page to page. After parsing, the tree
is sealed: nodes are in document order, node 0 is the document, parent < child, and the subtree of node n is exactly the
range [n, nodes[n].end). So a subtree total is one backward loop, and a walk is one forward loop.

A slice of text is a 32-bit address and a length in bytes. Addresses below SIDE point into the page, as given or with
its newlines normalised. Addresses with the SIDE bit point into the side buffer, which holds text that differs from the
page (character references, NUL, upper-case names, text joined from several places).

A text node has no nodes below it, with one exception: native/constructs turns elements such as formulas into text
nodes. The element's content stays below such a node, and the metrics hide it.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from thresher.native.base.characters cimport is_space
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.parsing.tags cimport AttributeName, Tag


cdef enum NodeKind:
    KIND_DOCUMENT = 0
    KIND_ELEMENT = 1
    KIND_TEXT = 2
    KIND_COMMENT = 3
    KIND_DOCTYPE = 4
    KIND_CONTENT = 5    # the content fragment of a template element


cdef enum Namespace:
    NS_HTML = 0
    NS_SVG = 1
    NS_MATHML = 2


cdef enum Construct:    # what a text node stands for if it replaces elements of the page (native/constructs)
    CONSTRUCT_NONE = 0      # text of the page
    # A mark that is written unescaped: the reference of a footnote, the box of a task. At the beginning of a note,
    # `attributes` is its element, and `n_attributes` is 1 if it has no link back.
    CONSTRUCT_PREFIX = 1
    CONSTRUCT_FORMULA = 2   # TeX in a line, with its delimiters
    CONSTRUCT_DISPLAY = 3   # TeX on lines of its own, with its delimiters
    # The lines of a listing, the only text of a pre element. If an element inside the listing names its language,
    # `attributes` is the name's address and `n_attributes` its length.
    CONSTRUCT_CODE = 4
    CONSTRUCT_PARTS = 5     # text of the page with formulas in it, followed by their number and as many Part


cdef enum:
    SIDE = 0x80000000   # address bit: the slice is in the side buffer


ctypedef struct Node:   # 28 bytes
    uint32_t parent         # index of the parent; 0 for the document itself
    uint32_t end            # one past the last node of the subtree (sealed trees only)
    # address of: text, comment, doctype name; for elements the name as dump() prints it when tag is TAG_UNKNOWN
    uint32_t start
    uint32_t length         # its length in bytes
    uint32_t attributes     # index of the first attribute in Tree.attributes; for texts, see Construct
    # Tag of an element. Names outside the table get numbers from TAG_COUNT up, per page, in order of first use.
    uint32_t tag
    uint16_t n_attributes   # number of attributes, without duplicates; for texts, see Construct
    uint8_t kind            # NodeKind
    uint8_t namespace       # Namespace of an element; Construct of a text node


ctypedef struct Attribute:  # 16 bytes
    uint32_t name_start     # address of the name, lower-cased
    uint32_t value_start    # address of the value
    uint32_t value_length   # its length in bytes, 0 if there is none
    uint16_t name_length    # bytes of the name
    uint16_t name           # AttributeName; ATTR_UNKNOWN if it is not in the table


ctypedef struct Part:   # 12 bytes; a formula in a text of CONSTRUCT_PARTS
    uint32_t start          # its first byte, in the text
    uint32_t length
    uint32_t construct      # CONSTRUCT_FORMULA or CONSTRUCT_DISPLAY


ctypedef struct Slice:
    const uint8_t* data
    uint32_t length


ctypedef struct Tree:
    Node* nodes
    uint32_t n_nodes
    Attribute* attributes
    uint32_t n_attributes
    const uint8_t* page     # the page's bytes, UTF-8; kept alive by the Document
    uint32_t page_length
    const uint8_t* side     # the side buffer
    uint32_t side_length
    uint64_t serial         # unique number for each page parsed in this process, so that results know their page


cdef inline Slice slice_at(const Tree* tree, uint32_t start, uint32_t length) noexcept nogil:
    """The bytes at an address."""
    cdef Slice found
    cdef uint32_t offset = start & ~<uint32_t>SIDE
    if start & <uint32_t>SIDE:
        THRESHER_CHECK(offset <= tree.side_length and length <= tree.side_length - offset)
        found.data = tree.side + offset
    else:
        THRESHER_CHECK(offset <= tree.page_length and length <= tree.page_length - offset)
        found.data = tree.page + offset
    found.length = length
    return found


cdef inline Slice without_space(Slice text) noexcept nogil:
    """A text without leading and trailing white space."""
    while text.length and is_space(text.data[0]):
        text.data += 1
        text.length -= 1
    while text.length and is_space(text.data[text.length - 1]):
        text.length -= 1
    return text


cdef inline const uint8_t* readable_end(const Tree* tree, uint32_t start) noexcept nogil:
    """The end of the memory that may be read from an address on: the end of the page or of the side buffer. Reading
    that far spares loops over few bytes a check for their end.
    """
    return tree.side + tree.side_length if start & <uint32_t> SIDE else tree.page + tree.page_length


cdef inline uint32_t address_of(const Tree* tree, Slice text) noexcept nogil:
    """The address of bytes returned by slice_at(); 0 for none."""
    if text.length == 0:
        return 0
    if tree.page <= text.data < tree.page + tree.page_length:
        return <uint32_t> (text.data - tree.page)
    THRESHER_CHECK(tree.side <= text.data < tree.side + tree.side_length)
    return <uint32_t> (text.data - tree.side) | <uint32_t> SIDE


cdef inline uint32_t part_of(const Tree* tree, const Node* node, uint32_t i, Part* part) noexcept nogil:
    """The number of formulas in a text of CONSTRUCT_PARTS, and the i-th of them if there are that many."""
    cdef uint32_t start = node.start + node.length, count
    THRESHER_CHECK(node.kind == KIND_TEXT and node.namespace == CONSTRUCT_PARTS)
    memcpy(&count, slice_at(tree, start, sizeof(uint32_t)).data, sizeof(uint32_t))
    if i < count:
        memcpy(part, slice_at(tree, start + sizeof(uint32_t) + i * sizeof(Part), sizeof(Part)).data, sizeof(Part))
        THRESHER_CHECK(part.start <= node.length and part.length <= node.length - part.start)
    return count


cdef inline const Attribute* find_attribute(const Tree* tree, uint32_t node, uint32_t name) noexcept nogil:
    """A node's attribute with that AttributeName; NULL if it has none."""
    cdef const Attribute* attribute
    cdef uint32_t i
    THRESHER_CHECK(node < tree.n_nodes)
    if tree.nodes[node].kind != KIND_ELEMENT:
        return NULL
    attribute = tree.attributes + tree.nodes[node].attributes
    THRESHER_CHECK(
        <size_t> tree.nodes[node].attributes + tree.nodes[node].n_attributes <= tree.n_attributes
        or tree.nodes[node].n_attributes == 0
    )
    for i in range(tree.nodes[node].n_attributes):
        if attribute[i].name == name:
            return attribute + i
    return NULL
