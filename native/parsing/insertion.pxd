# SPDX-License-Identifier: Apache-2.0
"""Nodes and text: creating them, and the appropriate place for inserting a node (HTML standard, 13.2.6.1)."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.parsing.arena cimport Arena, Link, UnknownName, bytes_at
from thresher.native.parsing.construction cimport NODES_PER_TOKEN, InsertionPlace, OpenElement, TreeBuilder
from thresher.native.parsing.open_elements cimport flags_of, push_element
from thresher.native.base.scan cimport skip_space
from thresher.native.parsing.tags cimport FLAG_TABLE_PART, TAG_COUNT, TAG_TEMPLATE
from thresher.native.parsing.tokenizer cimport Token
from thresher.native.parsing.tree cimport KIND_ELEMENT, NS_HTML, Attribute, Node


cdef int grow_arrays(TreeBuilder* b) noexcept nogil
cdef void link_last(Arena* arena, uint32_t n, uint32_t parent) noexcept nogil
cdef void unlink_node(Arena* arena, uint32_t n) noexcept nogil
cdef int leave_order(TreeBuilder* b, uint32_t n_attached) noexcept nogil
cdef void attach_linked(Arena* arena, uint32_t n, InsertionPlace place) noexcept nogil
cdef InsertionPlace foster_place(TreeBuilder* b) noexcept nogil
cdef InsertionPlace shallow_place(TreeBuilder* b, InsertionPlace place) noexcept nogil
cdef int new_piece(Arena* arena, uint32_t start, uint32_t length, uint32_t node) noexcept nogil
cdef void insert_text(TreeBuilder* b, uint32_t start, uint32_t length) noexcept nogil
cdef void insert_replacements(TreeBuilder* b, uint32_t count) noexcept nogil
cdef void insert_comment(TreeBuilder* b, InsertionPlace place) noexcept nogil
cdef bint insert_leading_space(TreeBuilder* b) noexcept nogil
cdef bint drop_leading_space(TreeBuilder* b) noexcept nogil
cdef uint32_t insert_named(TreeBuilder* b, uint32_t tag) noexcept nogil
cdef void insert_text_element(TreeBuilder* b, uint32_t state) noexcept nogil
cdef bint has_attribute(TreeBuilder* b, uint32_t name) noexcept nogil
cdef bint attribute_is(TreeBuilder* b, uint32_t name, const char* lower, uint32_t n) noexcept nogil
cdef bint same_attribute_name(Arena* arena, Attribute* one, Attribute* other) noexcept nogil
cdef void merge_attributes(TreeBuilder* b, uint32_t n) noexcept nogil
cdef uint32_t clone_element(TreeBuilder* b, uint32_t node) noexcept nogil
cdef void insert_foreign(TreeBuilder* b, uint8_t namespace) noexcept nogil


cdef inline size_t nodes_per_token(TreeBuilder* b) noexcept nogil:
    """The most nodes that the next token can create.

    It can reconstruct the formatting elements twice: `<nobr>` before and after closing another one, or any token after
    foster-parented text in a table. Three times are reserved.
    """
    return NODES_PER_TOKEN + 3 * <size_t>b.n_formatting


cdef inline int reserve_for_token(TreeBuilder* b) noexcept nogil:
    """Make room for the nodes that one token can create and push."""
    cdef Arena* arena = b.arena
    cdef size_t more = nodes_per_token(b)
    if (
        arena.n_nodes + more <= arena.nodes_capacity
        and b.depth + more <= b.stack_capacity
        and (b.in_order or arena.links_capacity >= arena.nodes_capacity)
    ):
        return 0
    return grow_arrays(b)


cdef inline uint32_t new_node(TreeBuilder* b, uint8_t kind) noexcept nogil:
    """Return a new node without a parent."""
    cdef Arena* arena = b.arena
    cdef uint32_t n = arena.n_nodes
    cdef Node* node = arena.nodes + n
    THRESHER_CHECK(n < arena.nodes_capacity and (b.in_order or n < arena.links_capacity))
    arena.n_nodes = n + 1
    node.parent = 0
    node.end = 0
    node.start = 0
    node.length = 0
    node.attributes = 0
    node.tag = 0
    node.n_attributes = 0
    node.kind = kind
    node.namespace = NS_HTML
    if not b.in_order:
        arena.links[n] = Link(first=0, last=0, next=0, previous=0)
    return n


cdef inline void attach_node(TreeBuilder* b, uint32_t n, InsertionPlace place) noexcept nogil:
    """Insert a new node in its place. While nodes are created in document order, this closes the subtrees that end
    here.
    """
    cdef Arena* arena = b.arena
    cdef Node* nodes = arena.nodes
    cdef uint32_t w
    THRESHER_CHECK(n < arena.n_nodes and place.parent < n and place.before < n)
    nodes[n].parent = place.parent
    if b.in_order:
        w = n - 1
        while w > place.parent:
            nodes[w].end = n
            w = nodes[w].parent
        if w == place.parent and place.before == 0:
            return
        if leave_order(b, n) < 0:
            nodes[n].parent = w     # no memory for links: use a place that keeps the order
            return
    attach_linked(arena, n, place)


cdef inline InsertionPlace insertion_place_in(TreeBuilder* b, OpenElement* target) noexcept nogil:
    """The appropriate place for inserting a node, with an override target."""
    cdef InsertionPlace place
    if b.foster_parenting and target.flags & FLAG_TABLE_PART:
        return foster_place(b)
    place.parent = target.node
    place.before = 0
    if target.tag == TAG_TEMPLATE:
        place.parent = target.node + 1      # its content
    return place


cdef inline InsertionPlace insertion_place(TreeBuilder* b) noexcept nogil:
    """The appropriate place for inserting a node."""
    return insertion_place_in(b, &b.stack[b.depth - 1])


cdef inline InsertionPlace element_place(TreeBuilder* b) noexcept nogil:
    """The appropriate place for inserting an element."""
    if b.depth > b.max_depth:
        return shallow_place(b, insertion_place(b))
    return insertion_place(b)


cdef inline InsertionPlace last_in(uint32_t parent) noexcept nogil:
    cdef InsertionPlace place
    place.parent = parent
    place.before = 0
    return place


cdef inline uint32_t leading_space(TreeBuilder* b) noexcept nogil:
    """Return how many bytes of white space the current text token begins with."""
    cdef const uint8_t* p = bytes_at(b.arena, b.tokenizer.token.start, b.tokenizer.token.length)
    return <uint32_t>(skip_space(p, p + b.tokenizer.token.length) - p)


cdef inline uint32_t create_element(TreeBuilder* b, uint8_t namespace) noexcept nogil:
    """Return a new element for the current token, without a parent."""
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t n = new_node(b, KIND_ELEMENT)
    cdef Node* node = b.arena.nodes + n
    cdef UnknownName* name
    THRESHER_CHECK(token.n_attributes == 0 or <size_t>token.attributes + token.n_attributes <= b.arena.n_attributes)
    node.tag = token.tag
    node.namespace = namespace
    node.attributes = token.attributes
    node.n_attributes = <uint16_t>token.n_attributes
    if token.tag >= TAG_COUNT:
        THRESHER_CHECK(token.tag - <uint32_t>TAG_COUNT < b.arena.n_unknown)
        name = b.arena.unknown + (token.tag - <uint32_t>TAG_COUNT)
        node.start = name.start
        node.length = name.length
    return n


cdef inline uint32_t insert_html(TreeBuilder* b) noexcept nogil:
    """Insert an HTML element for the current token, push it, and return its node."""
    cdef InsertionPlace place = element_place(b)
    cdef uint32_t n = create_element(b, NS_HTML)
    attach_node(b, n, place)
    push_element(b, n, b.tokenizer.token.tag, flags_of(b, b.tokenizer.token.tag))
    return n


cdef inline void insert_void(TreeBuilder* b) noexcept nogil:
    """Insert an HTML element for the current token and pop it at once."""
    cdef InsertionPlace place = element_place(b)
    cdef uint32_t n = create_element(b, NS_HTML)
    attach_node(b, n, place)
