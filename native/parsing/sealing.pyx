# SPDX-License-Identifier: Apache-2.0
"""Sealing: put a page's nodes into document order, and set the end of each subtree."""

from libc.stddef cimport size_t
from libc.stdint cimport uint32_t, uint64_t

from thresher.native.base.arrays cimport make_room
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.parsing.arena cimport *
from thresher.native.parsing.insertion cimport leave_order, link_last, new_node, reserve_for_token
from thresher.native.parsing.tags cimport *
from thresher.native.parsing.tree cimport KIND_ELEMENT, NS_HTML, SIDE, Node


cdef void join_pieces(TreeBuilder* b) noexcept nogil:
    """Join the pieces of each text that came from several places."""
    cdef Arena* arena = b.arena
    cdef Node* node
    cdef uint64_t length
    cdef uint32_t i, piece, start
    for i in range(1, arena.n_pieces):
        if arena.pieces[i].node == 0:
            continue
        node = arena.nodes + arena.pieces[i].node
        if node.n_attributes == 0 or node.attributes != i:
            continue
        length = node.length
        piece = i
        while piece != 0:
            length += arena.pieces[piece].length
            piece = arena.pieces[piece].next
        node.n_attributes = 0
        node.attributes = 0
        node.tag = 0
        if reserve_side(arena, length) < 0:
            continue
        start = arena.side_length
        append_side(arena, bytes_at(arena, node.start, node.length), node.length)
        piece = i
        while piece != 0:
            append_side(arena, bytes_at(arena, arena.pieces[piece].start, arena.pieces[piece].length),
            arena.pieces[piece].length)
            piece = arena.pieces[piece].next
        node.start = <uint32_t>SIDE | start
        node.length = <uint32_t>length


cdef bint node_has(Arena* arena, uint32_t n, uint32_t name) noexcept nogil:
    """True if an element has an attribute."""
    cdef uint32_t i
    for i in range(arena.nodes[n].attributes, arena.nodes[n].attributes + arena.nodes[n].n_attributes):
        if arena.attributes[i].name == name:
            return True
    return False


cdef inline bint is_html(const Node* node, uint32_t tag) noexcept nogil:
    return node.tag == tag and node.kind == KIND_ELEMENT and node.namespace == NS_HTML


cdef uint32_t select_of(Arena* arena, uint32_t n) noexcept nogil:
    """Return the select that a selectedcontent belongs to; 0 if there is none. One inside an option or another
    selectedcontent does not count.
    """
    cdef const Node* node
    while True:
        n = arena.nodes[n].parent
        node = arena.nodes + n
        if n == 0 or is_html(node, TAG_OPTION) or is_html(node, TAG_SELECTEDCONTENT):
            return 0
        if is_html(node, TAG_SELECT):
            return n


cdef uint32_t selected_option(Arena* arena, uint32_t select) noexcept nogil:
    """Return the option that a select shows initially: the last one marked as selected, otherwise the first that is not
    disabled.
    """
    cdef Link* links = arena.links
    cdef uint32_t n = links[select].first
    cdef uint32_t first = 0
    cdef uint32_t marked = 0
    while n != 0:
        if is_html(arena.nodes + n, TAG_OPTION):
            if node_has(arena, n, ATTR_SELECTED):
                marked = n
            elif first == 0 and not node_has(arena, n, ATTR_DISABLED):
                first = n
        if links[n].first != 0 and not is_html(arena.nodes + n, TAG_SELECT):
            n = links[n].first
            continue
        while n != select and links[n].next == 0:
            n = arena.nodes[n].parent
        n = links[n].next if n != select else 0
    return marked if marked != 0 else first


cdef void copy_below(TreeBuilder* b, uint32_t source, uint32_t target) noexcept nogil:
    """Replace the content of `target` by copies of what is below `source`. `target` is not inside `source`."""
    cdef Arena* arena = b.arena
    cdef uint32_t n = arena.links[source].first
    cdef uint32_t copy
    arena.links[target].first = 0
    arena.links[target].last = 0
    while n != 0:
        if arena.n_nodes >= b.max_nodes:
            arena.status = STATUS_TOO_MANY_NODES
            return
        if reserve_for_token(b) < 0:
            return
        THRESHER_CHECK(target < arena.n_nodes)
        copy = new_node(b, arena.nodes[n].kind)
        arena.nodes[copy] = arena.nodes[n]
        link_last(arena, copy, target)
        if arena.links[n].first != 0:
            n = arena.links[n].first
            target = copy
            continue
        while n != source and arena.links[n].next == 0:
            n = arena.nodes[n].parent
            target = arena.nodes[target].parent
        n = arena.links[n].next if n != source else 0


cdef void fill_selectedcontent(TreeBuilder* b) noexcept nogil:
    """"Maybe clone an option into selectedcontent", for each select, once the page is read.

    The standard copies whenever an option is closed, but only the last copy remains visible. Outer selects come first,
    so the copied content of an inner one has no copies in it yet.
    """
    cdef Arena* arena = b.arena
    cdef uint32_t n_built = arena.n_nodes
    cdef uint32_t n, select, option
    if not b.has_selectedcontent or arena.status >= STATUS_TOO_MANY_NODES or leave_order(b, n_built) < 0:
        return
    for n in range(n_built):
        arena.nodes[n].end = 0      # until sealing, this marks whether a select is done
    for n in range(1, n_built):
        if not is_html(arena.nodes + n, TAG_SELECTEDCONTENT):
            continue
        select = select_of(arena, n)
        if select == 0 or arena.nodes[select].end != 0:
            continue
        arena.nodes[select].end = 1
        if not node_has(arena, select, ATTR_MULTIPLE):
            option = selected_option(arena, select)
            if option != 0:
                copy_below(b, option, n)


cdef void seal(TreeBuilder* b) noexcept nogil:
    """Put the nodes into document order and set where each subtree ends.

    If they were created in that order, only the subtrees that are still open need to be closed. Otherwise the tree is
    walked along its links, and nodes that are no longer in it (a body that a frameset replaced) are dropped.
    """
    cdef Arena* arena = b.arena
    cdef Link* links
    cdef Node* nodes
    cdef Node* sealed
    cdef uint32_t n, count
    cdef size_t capacity
    if arena.n_nodes == 0:
        return
    join_pieces(b)
    fill_selectedcontent(b)
    nodes = arena.nodes
    links = arena.links
    if b.in_order:
        n = arena.n_nodes - 1
        while n != 0:
            nodes[n].end = arena.n_nodes
            n = nodes[n].parent
        nodes[0].end = arena.n_nodes
        return
    if make_room(&arena.sealed, &arena.sealed_capacity, arena.n_nodes) < 0:
        arena.status = STATUS_ERROR
        arena.n_nodes = 1
        nodes[0].end = 1
        return
    sealed = arena.sealed
    sealed[0] = nodes[0]
    links[0].previous = 0       # from here on, the number in document order
    count = 1
    n = links[0].first
    while n != 0:
        THRESHER_CHECK(count < arena.n_nodes and n < arena.n_nodes)
        sealed[count] = nodes[n]
        sealed[count].parent = links[nodes[n].parent].previous
        links[n].previous = count
        count += 1
        if links[n].first != 0:
            n = links[n].first
            continue
        while n != 0:
            sealed[links[n].previous].end = count
            if links[n].next != 0:
                n = links[n].next
                break
            n = nodes[n].parent
    sealed[0].end = count
    arena.nodes = sealed
    arena.sealed = nodes
    arena.n_nodes = count
    capacity = arena.nodes_capacity
    arena.nodes_capacity = arena.sealed_capacity
    arena.sealed_capacity = capacity
