# SPDX-License-Identifier: Apache-2.0
"""Nodes and text: creating them, and the appropriate place for inserting a node (HTML standard, 13.2.6.1)."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY, make_room
from thresher.native.base.characters cimport equals_ascii
from thresher.native.parsing.arena cimport *
from thresher.native.parsing.construction cimport *
from thresher.native.parsing.open_elements cimport push_element, search_end
from thresher.native.parsing.tags cimport *
from thresher.native.parsing.tree cimport *


cdef enum:
    SHORT_PIECE = 64            # longest piece of text that is copied to its predecessor at once
    MAX_MERGED_ATTRIBUTES = 1024    # on <html> or <body>, from all their start tags


cdef int grow_arrays(TreeBuilder* b) noexcept nogil:
    """Make room for the next token's nodes in every array that lacks it."""
    cdef Arena* arena = b.arena
    cdef size_t more = nodes_per_token(b)
    if (
        make_room(&arena.nodes, &arena.nodes_capacity, arena.n_nodes + more) < 0
        or (not b.in_order and reserve_links(arena) < 0)
        or make_room(&b.stack, &b.stack_capacity, b.depth + more) < 0
    ):
        arena.status = STATUS_ERROR
        return OUT_OF_MEMORY
    return 0


cdef int reserve_links(Arena* arena) noexcept nogil:
    """Make room for a link for every node that there is room for."""
    if make_room(&arena.links, &arena.links_capacity, arena.nodes_capacity) < 0:
        arena.status = STATUS_ERROR
        return OUT_OF_MEMORY
    return 0


cdef void link_last(Arena* arena, uint32_t n, uint32_t parent) noexcept nogil:
    """Make n the last child of parent."""
    cdef Link* links = arena.links
    cdef uint32_t last = links[parent].last
    THRESHER_CHECK(n < arena.n_nodes and parent < arena.n_nodes and n != parent)
    arena.nodes[n].parent = parent
    links[n].previous = last
    links[n].next = 0
    if last != 0:
        links[last].next = n
    else:
        links[parent].first = n
    links[parent].last = n


cdef void unlink_node(Arena* arena, uint32_t n) noexcept nogil:
    """Remove n and its subtree from its parent."""
    cdef Link* links = arena.links
    cdef uint32_t parent = arena.nodes[n].parent
    cdef uint32_t previous = links[n].previous
    cdef uint32_t next = links[n].next
    THRESHER_CHECK(n < arena.n_nodes and n != 0)
    if previous != 0:
        links[previous].next = next
    elif links[parent].first == n:
        links[parent].first = next
    if next != 0:
        links[next].previous = previous
    elif links[parent].last == n:
        links[parent].last = previous
    links[n].previous = 0
    links[n].next = 0


cdef int leave_order(TreeBuilder* b, uint32_t n_attached) noexcept nogil:
    """Build links for the first n_attached nodes: from here on, nodes may be inserted anywhere."""
    cdef Arena* arena = b.arena
    cdef uint32_t i
    if not b.in_order:
        return 0
    if reserve_links(arena) < 0:
        return OUT_OF_MEMORY
    THRESHER_CHECK(n_attached <= arena.n_nodes and arena.n_nodes <= arena.links_capacity)
    b.in_order = False
    memset(arena.links, 0, arena.n_nodes * sizeof(Link))
    for i in range(1, n_attached):
        link_last(arena, i, arena.nodes[i].parent)
    return 0


cdef void attach_linked(Arena* arena, uint32_t n, InsertionPlace place) noexcept nogil:
    """Insert a node in its place in a tree that is not in document order."""
    cdef Link* links = arena.links
    cdef uint32_t previous
    THRESHER_CHECK(n < arena.n_nodes and place.parent < arena.n_nodes and place.before < arena.n_nodes)
    if place.before == 0:
        link_last(arena, n, place.parent)
        return
    arena.nodes[n].parent = place.parent
    previous = links[place.before].previous
    links[n].next = place.before
    links[n].previous = previous
    links[place.before].previous = n
    if previous != 0:
        links[previous].next = n
    else:
        links[place.parent].first = n


cdef InsertionPlace foster_place(TreeBuilder* b) noexcept nogil:
    """The foster parent: the place before the last table, or the end of the last template if that is more deeply
    nested.
    """
    cdef InsertionPlace place
    cdef uint32_t i = b.depth
    cdef uint32_t lowest = search_end(b)
    place.before = 0
    while i > lowest:
        i -= 1
        if b.stack[i].tag == TAG_TEMPLATE:
            place.parent = b.stack[i].node + 1
            return place
        if b.stack[i].tag == TAG_TABLE:
            place.before = b.stack[i].node
            place.parent = b.arena.nodes[place.before].parent
            return place
    place.parent = b.stack[0].node
    return place


cdef InsertionPlace shallow_place(TreeBuilder* b, InsertionPlace place) noexcept nogil:
    """Beyond the greatest depth, an element becomes a sibling of the current node instead of its child, as in Blink."""
    cdef uint32_t above = b.arena.nodes[place.parent].parent
    if b.arena.status == STATUS_OK:
        b.arena.status = STATUS_TOO_DEEP
    if above != 0 and place.before == 0:
        place.parent = above
    return place


cdef uint32_t text_before(TreeBuilder* b, InsertionPlace place) noexcept nogil:
    """Return the text node that text inserted at this place is appended to; 0 if there is none."""
    cdef Arena* arena = b.arena
    cdef Node* nodes = arena.nodes
    cdef uint32_t last = arena.n_nodes - 1
    cdef uint32_t w
    if b.in_order:
        if place.before == 0:
            if nodes[last].parent == place.parent:
                return last if nodes[last].kind == KIND_TEXT else 0
            w = last
            while w > place.parent:
                w = nodes[w].parent
            if w == place.parent:
                return 0        # its last child is an element, which contains the last node
        if leave_order(b, arena.n_nodes) < 0:
            return 0
    last = arena.links[place.before].previous if place.before else arena.links[place.parent].last
    return last if last != 0 and nodes[last].kind == KIND_TEXT else 0


cdef void extend_text(TreeBuilder* b, uint32_t n, uint32_t start, uint32_t length) noexcept nogil:
    """Add text to a text node: extend its last slice if the bytes follow directly, otherwise append a piece."""
    cdef Arena* arena = b.arena
    cdef Node* node = arena.nodes + n
    cdef Piece* piece
    cdef uint32_t* last_start = &node.start
    cdef uint32_t* last_length = &node.length
    cdef uint32_t end
    if node.n_attributes:       # a text node's further pieces begin at `attributes` and end at `tag`
        THRESHER_CHECK(node.tag < arena.n_pieces)
        piece = arena.pieces + node.tag
        last_start = &piece.start
        last_length = &piece.length
    end = last_start[0] + last_length[0]
    if end == start:
        last_length[0] += length
        return
    if end == (<uint32_t>SIDE | arena.side_length):
        if reserve_side(arena, length) == 0:
            append_side(arena, bytes_at(arena, start, length), length)
            last_length[0] += length
        return
    if length <= SHORT_PIECE and not start & <uint32_t>SIDE:
        if reserve_side(arena, length) < 0:
            return
        append_side(arena, bytes_at(arena, start, length), length)
        start = <uint32_t>SIDE | (arena.side_length - length)
    if new_piece(arena, start, length, n) < 0:
        return
    if node.n_attributes:
        arena.pieces[node.tag].next = arena.n_pieces - 1
    else:
        node.n_attributes = 1
        node.attributes = arena.n_pieces - 1
    node.tag = arena.n_pieces - 1


cdef int new_piece(Arena* arena, uint32_t start, uint32_t length, uint32_t node) noexcept nogil:
    """Append a piece."""
    if make_room(&arena.pieces, &arena.pieces_capacity, <size_t>arena.n_pieces + 1) < 0:
        arena.status = STATUS_ERROR
        return OUT_OF_MEMORY
    THRESHER_CHECK(node < arena.n_nodes)
    arena.pieces[arena.n_pieces] = Piece(start=start, length=length, next=0, node=node)
    arena.n_pieces += 1
    return 0


cdef void insert_text(TreeBuilder* b, uint32_t start, uint32_t length) noexcept nogil:
    """"Insert a character", for a run of characters."""
    cdef Arena* arena = b.arena
    cdef InsertionPlace place = insertion_place(b)
    cdef uint32_t n = text_before(b, place)
    if n != 0:
        extend_text(b, n, start, length)
        return
    n = new_node(b, KIND_TEXT)
    arena.nodes[n].start = start
    arena.nodes[n].length = length
    attach_node(b, n, place)


cdef void insert_replacements(TreeBuilder* b, uint32_t count) noexcept nogil:
    """Insert one U+FFFD for each NUL that was read."""
    cdef Arena* arena = b.arena
    cdef uint32_t start = arena.side_length
    cdef uint32_t i
    if reserve_side(arena, <uint64_t>count * 3) < 0:
        return
    for i in range(count):
        append_side(arena, b"\xEF\xBF\xBD", 3)
    insert_text(b, <uint32_t>SIDE | start, 3 * count)


cdef void insert_comment(TreeBuilder* b, InsertionPlace place) noexcept nogil:
    """Insert the current token, a comment."""
    cdef uint32_t n = new_node(b, KIND_COMMENT)
    b.arena.nodes[n].start = b.tokenizer.token.start
    b.arena.nodes[n].length = b.tokenizer.token.length
    attach_node(b, n, place)


cdef bint insert_leading_space(TreeBuilder* b) noexcept nogil:
    """Insert the leading white space of the text token and remove it from the token. True if anything is left."""
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t n = leading_space(b)
    if n != 0:
        insert_text(b, token.start, n)
        token.start += n
        token.length -= n
    return token.length != 0


cdef bint drop_leading_space(TreeBuilder* b) noexcept nogil:
    """Drop the leading white space of the text token. True if anything is left."""
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t n = leading_space(b)
    token.start += n
    token.length -= n
    return token.length != 0


cdef uint32_t insert_named(TreeBuilder* b, uint32_t tag) noexcept nogil:
    """Insert an HTML element for an implied start tag, without attributes."""
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t kept_tag = token.tag
    cdef uint32_t kept_n = token.n_attributes
    cdef uint32_t n
    token.tag = tag
    token.n_attributes = 0
    n = insert_html(b)
    token.tag = kept_tag
    token.n_attributes = kept_n
    return n


cdef void insert_text_element(TreeBuilder* b, uint32_t state) noexcept nogil:
    """The generic RCDATA and raw text element parsing algorithms, and the same for script."""
    insert_html(b)
    b.tokenizer.state = state
    b.tokenizer.last_start_tag = b.tokenizer.token.tag
    b.original_mode = b.mode
    b.mode = TEXT


cdef bint has_attribute(TreeBuilder* b, uint32_t name) noexcept nogil:
    """True if the current token has an attribute."""
    cdef Attribute* attribute = b.arena.attributes + b.tokenizer.token.attributes
    cdef uint32_t i
    for i in range(b.tokenizer.token.n_attributes):
        if attribute[i].name == name:
            return True
    return False


cdef bint attribute_is(TreeBuilder* b, uint32_t name, const char* lower, uint32_t n) noexcept nogil:
    """True if the current token has an attribute with this value, ignoring ASCII case."""
    cdef Attribute* attribute = b.arena.attributes + b.tokenizer.token.attributes
    cdef uint32_t i
    for i in range(b.tokenizer.token.n_attributes):
        if attribute[i].name == name:
            return equals_ascii(
                bytes_at(b.arena, attribute[i].value_start, attribute[i].value_length), attribute[i].value_length,
                lower, n
            )
    return False


cdef bint same_attribute_name(Arena* arena, Attribute* one, Attribute* other) noexcept nogil:
    if one.name != other.name or one.name_length != other.name_length:
        return False
    if one.name != ATTR_UNKNOWN:
        return True
    return memcmp(
        bytes_at(arena, one.name_start, one.name_length), bytes_at(arena, other.name_start, one.name_length),
        one.name_length
    ) == 0


cdef void merge_attributes(TreeBuilder* b, uint32_t n) noexcept nogil:
    """A second <html> or <body>: add those attributes of the token that the element lacks."""
    cdef Arena* arena = b.arena
    cdef Token* token = &b.tokenizer.token
    cdef Node* node = arena.nodes + n
    cdef uint32_t n_old = node.n_attributes
    cdef uint32_t first = token.attributes
    cdef uint32_t n_new = token.n_attributes
    cdef uint32_t i, j, count
    if n_new == 0:
        return
    if n_old + n_new > MAX_MERGED_ATTRIBUTES or arena.n_attributes + n_old + n_new > arena.max_attributes:
        arena.status = STATUS_TOO_MANY_ATTRIBUTES
        return
    if n_old == 0:
        node.attributes = first
    elif node.attributes + n_old != first:      # not adjacent: copy the old ones to the end
        if reserve_attributes(arena, <uint64_t>n_old + n_new) < 0:
            return
        memcpy(arena.attributes + arena.n_attributes, arena.attributes + node.attributes, n_old * sizeof(Attribute))
        node.attributes = arena.n_attributes
        arena.n_attributes += n_old + n_new
    count = n_old
    for i in range(n_new):
        for j in range(n_old):
            if same_attribute_name(arena, arena.attributes + first + i, arena.attributes + node.attributes + j):
                break
        else:
            arena.attributes[node.attributes + count] = arena.attributes[first + i]
            count += 1
    THRESHER_CHECK(count <= n_old + n_new and <size_t>node.attributes + count <= arena.attributes_capacity)
    node.n_attributes = <uint16_t>count
    arena.n_attributes = node.attributes + count


cdef bint may_copy_attributes(TreeBuilder* b, const Node* node) noexcept nogil:
    """Count the attributes of an element that is to be copied; False if copies have had as many as a page may have."""
    cdef Arena* arena = b.arena
    cdef uint64_t allowed = FREE_COPIES + COPIES_FOR_BYTE * <uint64_t> arena.page_length
    cdef uint32_t i
    b.copied_bytes += node.n_attributes * sizeof(Attribute)
    for i in range(node.n_attributes):
        if b.copied_bytes > allowed:
            return False
        b.copied_bytes += arena.attributes[node.attributes + i].name_length
        b.copied_bytes += arena.attributes[node.attributes + i].value_length
    return b.copied_bytes <= allowed


cdef uint32_t clone_element(TreeBuilder* b, uint32_t node) noexcept nogil:
    """Return a new element, without a parent, for the token that a formatting element was created for. It has no
    attributes if those of all copies are too many.
    """
    cdef uint32_t n = new_node(b, KIND_ELEMENT)
    cdef Node* nodes = b.arena.nodes
    THRESHER_CHECK(node < n)
    nodes[n].tag = nodes[node].tag
    if nodes[node].n_attributes and may_copy_attributes(b, nodes + node):
        nodes[n].attributes = nodes[node].attributes
        nodes[n].n_attributes = nodes[node].n_attributes
    return n


cdef void insert_foreign(TreeBuilder* b, uint8_t namespace) noexcept nogil:
    """Insert a foreign element for the current token, with the capitals of SVG and MathML names."""
    cdef Arena* arena = b.arena
    cdef Token* token = &b.tokenizer.token
    cdef const NameTables* names = b.tokenizer.names
    cdef Attribute* attribute = arena.attributes + token.attributes
    cdef InsertionPlace place = element_place(b)
    cdef uint32_t flags = FLAG_FOREIGN
    cdef uint32_t i, n
    for i in range(token.n_attributes):
        if attribute[i].name != ATTR_UNKNOWN:
            if namespace == NS_SVG:
                attribute[i].name_start = <uint32_t>SIDE | names.svg_start[attribute[i].name]
            elif attribute[i].name == ATTR_DEFINITIONURL:
                attribute[i].name_start = <uint32_t>SIDE | names.svg_start[0]
    if token.tag < TAG_COUNT:
        flags = names.foreign_flags[namespace - 1][token.tag]
        if namespace == NS_MATHML and token.tag == TAG_ANNOTATION_XML and (
            attribute_is(b, ATTR_ENCODING, b"text/html", 9)
            or attribute_is(b, ATTR_ENCODING, b"application/xhtml+xml", 21)
        ):
            flags |= FLAG_HTML_INTEGRATION
    if token.self_closing:
        flags = 0
    n = create_element(b, namespace)
    attach_node(b, n, place)
    if not token.self_closing:
        push_element(b, n, <uint32_t>FOREIGN | token.tag, flags)
