# SPDX-License-Identifier: Apache-2.0
"""The standard's tree construction stage (13.2.6), with scripting off and no fragments.

Each insertion mode is a function of its standard name that looks at the current token and returns True where the token is to be
processed again, in what is then the insertion mode. The order of the file: nodes and text, the stack of open elements,
the list of active formatting elements, the insertion modes in the standard's order, foreign content, the loop, sealing.

What hostile pages could make slow is bounded: a search of the stack looks at MAX_WALK elements, the list of active formatting elements
holds MAX_FORMATTING, text that arrives in many places is joined once, at the end. No function recurses on the input.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memmove, memset

from thresher.native.arrays cimport OUT_OF_MEMORY, make_room
from thresher.native.characters cimport begins_ascii, equals_ascii
from thresher.native.check cimport THRESHER_CHECK
from thresher.native.parsing.arena cimport (
    STATUS_ERROR, STATUS_OK, STATUS_TOO_DEEP, STATUS_TOO_MANY_ATTRIBUTES, STATUS_TOO_MANY_NODES, Arena, Link, Piece, UnknownName,
    append_side, bytes_at, reserve_attributes, reserve_side,
)
from thresher.native.parsing.scan cimport skip_space
from thresher.native.parsing.tags cimport *
from thresher.native.parsing.tokenizer cimport (
    CDATA_SECTION_STATE, DATA_STATE, PLAINTEXT_STATE, RAWTEXT_STATE, RCDATA_STATE, SCRIPT_DATA_STATE, TOKEN_COMMENT,
    TOKEN_DOCTYPE, TOKEN_END_TAG, TOKEN_EOF, TOKEN_NULL, TOKEN_START_TAG, TOKEN_TEXT, Token, Tokenizer, next_token,
)
from thresher.native.parsing.tree cimport (
    KIND_COMMENT, KIND_CONTENT, KIND_DOCTYPE, KIND_DOCUMENT, KIND_ELEMENT, KIND_TEXT, NS_HTML, NS_MATHML, NS_SVG, SIDE,
    Attribute, Node,
)

cdef enum:
    FOREIGN_TAG = 0xFFFFFFFF    # OpenElement.tag of SVG and MathML elements
    SHORT_PIECE = 64            # pieces of text up to this length are copied together at once
    MAX_MERGED_ATTRIBUTES = 1024    # on <html> or <body>, from all the start tags that name them

ctypedef struct Place:      # "appropriate place for inserting a node"
    uint32_t parent
    uint32_t before         # the sibling to come after it, 0 for none


# --- nodes and text --------------------------------------------------------------------------------------------------


cdef inline size_t _nodes_per_token(TreeBuilder* b) noexcept nogil:
    """How many nodes the next token can create at most.

    It can reconstruct the formatting elements twice: `<nobr>` before and after it closes another one, any token after text in a
    table that was foster-parented. A third time is to spare.
    """
    return NODES_PER_TOKEN + 3 * <size_t>b.n_formatting


cdef inline int _reserve(TreeBuilder* b) noexcept nogil:
    """Make room for the nodes that one token can create and push."""
    cdef Arena* arena = b.arena
    cdef size_t more = _nodes_per_token(b)
    if (
        arena.n_nodes + more <= arena.nodes_capacity
        and b.depth + more <= b.stack_capacity
        and (b.in_order or arena.links_capacity >= arena.nodes_capacity)
    ):
        return 0
    return _grow_arrays(b)


cdef int _grow_arrays(TreeBuilder* b) noexcept nogil:
    """Make room where it is short."""
    cdef Arena* arena = b.arena
    cdef size_t more = _nodes_per_token(b)
    if (
        make_room(&arena.nodes, &arena.nodes_capacity, arena.n_nodes + more) < 0
        or (not b.in_order and _reserve_links(arena) < 0)
        or make_room(&b.stack, &b.stack_capacity, b.depth + more) < 0
    ):
        arena.status = STATUS_ERROR
        return OUT_OF_MEMORY
    return 0


cdef int _reserve_links(Arena* arena) noexcept nogil:
    """Make room for a link for every node there is room for."""
    if make_room(&arena.links, &arena.links_capacity, arena.nodes_capacity) < 0:
        arena.status = STATUS_ERROR
        return OUT_OF_MEMORY
    return 0


cdef inline uint32_t _new_node(TreeBuilder* b, uint8_t kind) noexcept nogil:
    """Return a new node that hangs nowhere yet."""
    cdef Arena* arena = b.arena
    cdef uint32_t n = arena.n_nodes
    cdef Node* node = arena.nodes + n
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


cdef void _link_last(Arena* arena, uint32_t n, uint32_t parent) noexcept nogil:
    """Make n the last child of parent."""
    cdef Link* links = arena.links
    cdef uint32_t last = links[parent].last
    arena.nodes[n].parent = parent
    links[n].previous = last
    links[n].next = 0
    if last != 0:
        links[last].next = n
    else:
        links[parent].first = n
    links[parent].last = n


cdef void _unlink(Arena* arena, uint32_t n) noexcept nogil:
    """Take n, with what is below it, out of its parent."""
    cdef Link* links = arena.links
    cdef uint32_t parent = arena.nodes[n].parent
    cdef uint32_t previous = links[n].previous
    cdef uint32_t next = links[n].next
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


cdef int _leave_order(TreeBuilder* b, uint32_t n_attached) noexcept nogil:
    """From here on nodes may be put anywhere: link the first n_attached nodes."""
    cdef Arena* arena = b.arena
    cdef uint32_t i
    if not b.in_order:
        return 0
    if _reserve_links(arena) < 0:
        return OUT_OF_MEMORY
    b.in_order = False
    memset(arena.links, 0, arena.n_nodes * sizeof(Link))
    for i in range(1, n_attached):
        _link_last(arena, i, arena.nodes[i].parent)
    return 0


cdef inline void _attach(TreeBuilder* b, uint32_t n, Place place) noexcept nogil:
    """Put a new node in its place. While nodes are created in document order, this closes the subtrees that end here."""
    cdef Arena* arena = b.arena
    cdef Node* nodes = arena.nodes
    cdef uint32_t w
    nodes[n].parent = place.parent
    if b.in_order:
        w = n - 1
        while w > place.parent:
            nodes[w].end = n
            w = nodes[w].parent
        if w == place.parent and place.before == 0:
            return
        if _leave_order(b, n) < 0:
            nodes[n].parent = w     # no memory for links: a place that keeps the order
            return
    _attach_linked(arena, n, place)


cdef void _attach_linked(Arena* arena, uint32_t n, Place place) noexcept nogil:
    """The same for nodes that are not in document order."""
    cdef Link* links = arena.links
    cdef uint32_t previous
    if place.before == 0:
        _link_last(arena, n, place.parent)
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


cdef inline uint32_t _search_end(TreeBuilder* b) noexcept nogil:
    """Where a search down the stack of open elements ends: it looks at MAX_WALK of them."""
    return b.depth - MAX_WALK if b.depth > MAX_WALK else 0


cdef Place _foster_place(TreeBuilder* b) noexcept nogil:
    """The foster parent: before the last table, or in the last template if that is further in."""
    cdef Place place
    cdef uint32_t i = b.depth
    cdef uint32_t lowest = _search_end(b)
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


cdef inline Place _place_in(TreeBuilder* b, OpenElement* target) noexcept nogil:
    """The appropriate place for inserting a node, with an override target."""
    cdef Place place
    if b.foster_parenting and target.flags & FLAG_TABLE_PART:
        return _foster_place(b)
    place.parent = target.node
    place.before = 0
    if target.tag == TAG_TEMPLATE:
        place.parent = target.node + 1      # its content
    return place


cdef inline Place _place(TreeBuilder* b) noexcept nogil:
    """The appropriate place for inserting a node."""
    return _place_in(b, &b.stack[b.depth - 1])


cdef Place _shallow(TreeBuilder* b, Place place) noexcept nogil:
    """Beyond the greatest depth an element becomes a sibling of the current node instead of its child, as in Blink."""
    cdef uint32_t above = b.arena.nodes[place.parent].parent
    if b.arena.status == STATUS_OK:
        b.arena.status = STATUS_TOO_DEEP
    if above != 0 and place.before == 0:
        place.parent = above
    return place


cdef inline Place _element_place(TreeBuilder* b) noexcept nogil:
    """The appropriate place for inserting an element."""
    if b.depth > b.max_depth:
        return _shallow(b, _place(b))
    return _place(b)


cdef uint32_t _text_before(TreeBuilder* b, Place place) noexcept nogil:
    """Return the text node that text inserted at this place has to be added to, 0 for none."""
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
                return 0        # its last child is an element that holds the last node
        if _leave_order(b, arena.n_nodes) < 0:
            return 0
    last = arena.links[place.before].previous if place.before else arena.links[place.parent].last
    return last if last != 0 and nodes[last].kind == KIND_TEXT else 0


cdef void _extend_text(TreeBuilder* b, uint32_t n, uint32_t start, uint32_t length) noexcept nogil:
    """Add text to a text node: by making its last slice longer where the bytes follow, by a further piece where not."""
    cdef Arena* arena = b.arena
    cdef Node* node = arena.nodes + n
    cdef Piece* piece
    cdef uint32_t* last_start = &node.start
    cdef uint32_t* last_length = &node.length
    cdef uint32_t end
    if node.n_attributes:       # of a text node: its further pieces begin at `attributes` and end at `tag`
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
    if _new_piece(arena, start, length, n) < 0:
        return
    if node.n_attributes:
        arena.pieces[node.tag].next = arena.n_pieces - 1
    else:
        node.n_attributes = 1
        node.attributes = arena.n_pieces - 1
    node.tag = arena.n_pieces - 1


cdef int _new_piece(Arena* arena, uint32_t start, uint32_t length, uint32_t node) noexcept nogil:
    """Append a piece."""
    if make_room(&arena.pieces, &arena.pieces_capacity, <size_t>arena.n_pieces + 1) < 0:
        arena.status = STATUS_ERROR
        return OUT_OF_MEMORY
    arena.pieces[arena.n_pieces] = Piece(start=start, length=length, next=0, node=node)
    arena.n_pieces += 1
    return 0


cdef inline void _insert_text(TreeBuilder* b, uint32_t start, uint32_t length) noexcept nogil:
    """"Insert a character", for a run of them."""
    cdef Arena* arena = b.arena
    cdef Place place = _place(b)
    cdef uint32_t n = _text_before(b, place)
    if n != 0:
        _extend_text(b, n, start, length)
        return
    n = _new_node(b, KIND_TEXT)
    arena.nodes[n].start = start
    arena.nodes[n].length = length
    _attach(b, n, place)


cdef void _insert_replacements(TreeBuilder* b, uint32_t count) noexcept nogil:
    """Insert as many U+FFFD as NULs were read."""
    cdef Arena* arena = b.arena
    cdef uint32_t start = arena.side_length
    cdef uint32_t i
    if reserve_side(arena, <uint64_t>count * 3) < 0:
        return
    for i in range(count):
        append_side(arena, b"\xEF\xBF\xBD", 3)
    _insert_text(b, <uint32_t>SIDE | start, 3 * count)


cdef void _insert_comment(TreeBuilder* b, Place place) noexcept nogil:
    """Insert the current token, a comment."""
    cdef uint32_t n = _new_node(b, KIND_COMMENT)
    b.arena.nodes[n].start = b.tokenizer.token.start
    b.arena.nodes[n].length = b.tokenizer.token.length
    _attach(b, n, place)


cdef inline Place _last_in(uint32_t parent) noexcept nogil:
    cdef Place place
    place.parent = parent
    place.before = 0
    return place


cdef inline uint32_t _leading_space(TreeBuilder* b) noexcept nogil:
    """Return how many bytes of white space the current token, a text, begins with."""
    cdef const uint8_t* p = bytes_at(b.arena, b.tokenizer.token.start, b.tokenizer.token.length)
    return <uint32_t>(skip_space(p, p + b.tokenizer.token.length) - p)


cdef bint _insert_leading_space(TreeBuilder* b) noexcept nogil:
    """Insert the white space that the text token begins with; return whether there is more in it, then without that."""
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t n = _leading_space(b)
    if n != 0:
        _insert_text(b, token.start, n)
        token.start += n
        token.length -= n
    return token.length != 0


cdef bint _drop_leading_space(TreeBuilder* b) noexcept nogil:
    """The same, but the white space is ignored."""
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t n = _leading_space(b)
    token.start += n
    token.length -= n
    return token.length != 0


# --- the stack of open elements --------------------------------------------------------------------------------------


cdef inline OpenElement* _current(TreeBuilder* b) noexcept nogil:
    """The current node; the stack is never empty where this is asked."""
    return &b.stack[b.depth - 1]


cdef inline void _push(TreeBuilder* b, uint32_t node, uint32_t tag, uint32_t flags) noexcept nogil:
    cdef OpenElement* element = &b.stack[b.depth]
    element.node = node
    element.tag = tag
    element.flags = flags
    b.depth += 1
    if tag < TAG_COUNT:
        b.open_count[tag] += 1


cdef inline void _pop(TreeBuilder* b) noexcept nogil:
    cdef uint32_t tag
    b.depth -= 1
    tag = b.stack[b.depth].tag
    if tag < TAG_COUNT:
        b.open_count[tag] -= 1


cdef inline void _pop_to(TreeBuilder* b, uint32_t depth) noexcept nogil:
    """Pop until `depth` elements are left."""
    while b.depth > depth:
        _pop(b)


cdef inline void _pop_until(TreeBuilder* b, uint32_t tag) noexcept nogil:
    """Pop elements until one of this tag has been popped; html is left in any case."""
    cdef uint32_t popped
    while b.depth > 1:
        popped = b.stack[b.depth - 1].tag
        _pop(b)
        if popped == tag:
            return


cdef void _pop_until_flag(TreeBuilder* b, uint32_t flag) noexcept nogil:
    """Pop elements until one with this flag has been popped."""
    cdef uint32_t popped
    while b.depth > 1:
        popped = b.stack[b.depth - 1].flags
        _pop(b)
        if popped & flag:
            return


cdef void _remove_from_stack(TreeBuilder* b, uint32_t at) noexcept nogil:
    """Remove an element from anywhere in the stack."""
    cdef uint32_t tag = b.stack[at].tag
    cdef uint32_t i
    if tag < TAG_COUNT:
        b.open_count[tag] -= 1
    b.depth -= 1
    memmove(&b.stack[at], &b.stack[at + 1], (b.depth - at) * sizeof(OpenElement))
    for i in range(b.n_formatting):
        if b.formatting[i].depth > at:
            b.formatting[i].depth -= 1


cdef void _insert_in_stack(TreeBuilder* b, uint32_t at, OpenElement element) noexcept nogil:
    """Insert an element anywhere in the stack."""
    cdef uint32_t i
    if element.tag < TAG_COUNT:
        b.open_count[element.tag] += 1
    memmove(&b.stack[at + 1], &b.stack[at], (b.depth - at) * sizeof(OpenElement))
    b.stack[at] = element
    b.depth += 1
    for i in range(b.n_formatting):
        if b.formatting[i].depth >= at:
            b.formatting[i].depth += 1


cdef inline bint _in_scope_until(TreeBuilder* b, uint32_t tag, uint32_t ends) noexcept nogil:
    """Whether an HTML element of this tag is open above the nearest element with one of the flags in `ends`."""
    cdef uint32_t i = b.depth
    cdef uint32_t lowest = _search_end(b)
    if b.open_count[tag] == 0:
        return False
    while i > lowest:
        i -= 1
        if b.stack[i].tag == tag:
            return True
        if b.stack[i].flags & ends:
            return False
    return False


cdef inline bint _in_scope(TreeBuilder* b, uint32_t tag) noexcept nogil:
    return _in_scope_until(b, tag, FLAG_SCOPE)


cdef inline bint _in_button_scope(TreeBuilder* b, uint32_t tag) noexcept nogil:
    return _in_scope_until(b, tag, FLAG_SCOPE | FLAG_BUTTON_SCOPE)


cdef inline bint _in_list_item_scope(TreeBuilder* b, uint32_t tag) noexcept nogil:
    return _in_scope_until(b, tag, FLAG_SCOPE | FLAG_LIST_SCOPE)


cdef inline bint _in_table_scope(TreeBuilder* b, uint32_t tag) noexcept nogil:
    return _in_scope_until(b, tag, FLAG_TABLE_SCOPE)


cdef bint _flag_in_scope(TreeBuilder* b, uint32_t flag, uint32_t ends) noexcept nogil:
    """Whether an element with this flag is in scope."""
    cdef uint32_t i = b.depth
    cdef uint32_t lowest = _search_end(b)
    while i > lowest:
        i -= 1
        if b.stack[i].flags & flag:
            return True
        if b.stack[i].flags & ends:
            return False
    return False


cdef uint32_t _depth_in_scope(TreeBuilder* b, uint32_t node) noexcept nogil:
    """Return where an element is in the stack if it is in scope, else 0 (which is where html is)."""
    cdef uint32_t i = b.depth
    cdef uint32_t lowest = _search_end(b)
    while i > lowest:
        i -= 1
        if b.stack[i].node == node:
            return i
        if b.stack[i].flags & FLAG_SCOPE:
            return 0
    return 0


cdef inline void _generate_implied_end_tags(TreeBuilder* b, uint32_t but) noexcept nogil:
    """Generate implied end tags, except for one tag (TAG_UNKNOWN: none)."""
    while b.stack[b.depth - 1].flags & FLAG_IMPLIED_END and b.stack[b.depth - 1].tag != but:
        _pop(b)


cdef inline void _close_p(TreeBuilder* b) noexcept nogil:
    """Close a p element if there is one in button scope."""
    if b.open_count[<uint32_t>TAG_P] != 0 and _in_button_scope(b, TAG_P):
        _generate_implied_end_tags(b, TAG_P)
        _pop_until(b, TAG_P)


cdef inline uint32_t _flags_of(TreeBuilder* b, uint32_t tag) noexcept nogil:
    return b.tokenizer.names.flags[tag] if tag < TAG_COUNT else 0


cdef inline uint32_t _create_element(TreeBuilder* b, uint8_t namespace) noexcept nogil:
    """Return a new element for the current token, which hangs nowhere yet."""
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t n = _new_node(b, KIND_ELEMENT)
    cdef Node* node = b.arena.nodes + n
    cdef UnknownName* name
    node.tag = token.tag
    node.namespace = namespace
    node.attributes = token.attributes
    node.n_attributes = <uint16_t>token.n_attributes
    if token.tag >= TAG_COUNT:
        name = b.arena.unknown + (token.tag - <uint32_t>TAG_COUNT)
        node.start = name.start
        node.length = name.length
    return n


cdef inline uint32_t _insert_html(TreeBuilder* b) noexcept nogil:
    """Insert an HTML element for the current token and push it; return its node."""
    cdef Place place = _element_place(b)
    cdef uint32_t n = _create_element(b, NS_HTML)
    _attach(b, n, place)
    _push(b, n, b.tokenizer.token.tag, _flags_of(b, b.tokenizer.token.tag))
    return n


cdef inline void _insert_void(TreeBuilder* b) noexcept nogil:
    """Insert an HTML element for the current token and pop it at once."""
    cdef Place place = _element_place(b)
    cdef uint32_t n = _create_element(b, NS_HTML)
    _attach(b, n, place)


cdef uint32_t _insert_named(TreeBuilder* b, uint32_t tag) noexcept nogil:
    """Insert an HTML element for a start tag that was not there: no attributes."""
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t kept_tag = token.tag
    cdef uint32_t kept_n = token.n_attributes
    cdef uint32_t n
    token.tag = tag
    token.n_attributes = 0
    n = _insert_html(b)
    token.tag = kept_tag
    token.n_attributes = kept_n
    return n


cdef void _insert_text_element(TreeBuilder* b, uint32_t state) noexcept nogil:
    """The generic RCDATA and raw text element parsing algorithms, and the same for script."""
    _insert_html(b)
    b.tokenizer.state = state
    b.tokenizer.last_start_tag = b.tokenizer.token.tag
    b.original_mode = b.mode
    b.mode = TEXT


cdef bint _has_attribute(TreeBuilder* b, uint32_t name) noexcept nogil:
    """Whether the current token has an attribute."""
    cdef Attribute* attribute = b.arena.attributes + b.tokenizer.token.attributes
    cdef uint32_t i
    for i in range(b.tokenizer.token.n_attributes):
        if attribute[i].name == name:
            return True
    return False


cdef bint _attribute_is(TreeBuilder* b, uint32_t name, const char* lower, uint32_t n) noexcept nogil:
    """Whether the current token has an attribute with this value, up to ASCII case."""
    cdef Attribute* attribute = b.arena.attributes + b.tokenizer.token.attributes
    cdef uint32_t i
    for i in range(b.tokenizer.token.n_attributes):
        if attribute[i].name == name:
            return equals_ascii(bytes_at(b.arena, attribute[i].value_start, attribute[i].value_length), attribute[i].value_length, lower, n)
    return False


cdef bint _same_attribute_name(Arena* arena, Attribute* one, Attribute* other) noexcept nogil:
    if one.name != other.name or one.name_length != other.name_length:
        return False
    if one.name != ATTR_UNKNOWN:
        return True
    return memcmp(bytes_at(arena, one.name_start, one.name_length), bytes_at(arena, other.name_start, one.name_length), one.name_length) == 0


cdef void _merge_attributes(TreeBuilder* b, uint32_t n) noexcept nogil:
    """A second <html> or <body>: give the element the attributes of the token that it does not have."""
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
    if node.attributes + n_old != first:        # not next to each other: copy the old ones to the end
        if reserve_attributes(arena, <uint64_t>n_old + n_new) < 0:
            return
        memcpy(arena.attributes + arena.n_attributes, arena.attributes + node.attributes, n_old * sizeof(Attribute))
        node.attributes = arena.n_attributes
        arena.n_attributes += n_old + n_new
    count = n_old
    for i in range(n_new):
        for j in range(n_old):
            if _same_attribute_name(arena, arena.attributes + first + i, arena.attributes + node.attributes + j):
                break
        else:
            arena.attributes[node.attributes + count] = arena.attributes[first + i]
            count += 1
    node.n_attributes = <uint16_t>count
    arena.n_attributes = node.attributes + count


# --- the list of active formatting elements --------------------------------------------------------------------------


cdef inline bint _is_open(TreeBuilder* b, FormattingElement* entry) noexcept nogil:
    """Whether an entry's element is in the stack of open elements."""
    return entry.depth < b.depth and b.stack[entry.depth].node == entry.node


cdef void _remove_formatting(TreeBuilder* b, uint32_t at) noexcept nogil:
    b.n_formatting -= 1
    memmove(&b.formatting[at], &b.formatting[at + 1], (b.n_formatting - at) * sizeof(FormattingElement))


cdef bint _same_attributes(TreeBuilder* b, uint32_t one, uint32_t other) noexcept nogil:
    """Whether two elements have the same attributes, in any order."""
    cdef Arena* arena = b.arena
    cdef Node* first = arena.nodes + one
    cdef Node* second = arena.nodes + other
    cdef Attribute* a
    cdef Attribute* c
    cdef uint32_t i, j
    if first.n_attributes != second.n_attributes:
        return False
    if first.n_attributes > 32:
        return False        # such elements are never so alike as to be dropped; keeps this from being quadratic
    for i in range(first.n_attributes):
        a = arena.attributes + first.attributes + i
        for j in range(second.n_attributes):
            c = arena.attributes + second.attributes + j
            if _same_attribute_name(arena, a, c):
                if a.value_length != c.value_length:
                    return False
                if memcmp(bytes_at(arena, a.value_start, a.value_length), bytes_at(arena, c.value_start, a.value_length), a.value_length) != 0:
                    return False
                break
        else:
            return False
    return True


cdef void _push_formatting(TreeBuilder* b) noexcept nogil:
    """Push onto the list of active formatting elements: the current node, or no more than three that are alike."""
    cdef OpenElement* element = _current(b)
    cdef uint32_t i = b.n_formatting
    cdef uint32_t alike = 0
    cdef uint32_t earliest = 0
    while i > 0 and b.formatting[i - 1].node != 0:
        i -= 1
        if b.formatting[i].tag == element.tag and _same_attributes(b, b.formatting[i].node, element.node):
            alike += 1
            earliest = i
            if alike == 3:
                _remove_formatting(b, earliest)
                break
    _append_formatting(b, element.node, element.tag, b.depth - 1)


cdef void _append_formatting(TreeBuilder* b, uint32_t node, uint32_t tag, uint32_t depth) noexcept nogil:
    cdef FormattingElement* entry
    if b.n_formatting == MAX_FORMATTING:
        _remove_formatting(b, 0)
    entry = &b.formatting[b.n_formatting]
    entry.node = node
    entry.tag = tag
    entry.depth = depth
    b.n_formatting += 1


cdef void _insert_marker(TreeBuilder* b) noexcept nogil:
    _append_formatting(b, 0, TAG_UNKNOWN, 0)


cdef void _clear_to_marker(TreeBuilder* b) noexcept nogil:
    """Clear the list of active formatting elements up to the last marker."""
    while b.n_formatting > 0:
        b.n_formatting -= 1
        if b.formatting[b.n_formatting].node == 0:
            return


cdef uint32_t _clone(TreeBuilder* b, uint32_t node) noexcept nogil:
    """Return a new element for the token that a formatting element was created for; it hangs nowhere yet."""
    cdef uint32_t n = _new_node(b, KIND_ELEMENT)
    cdef Node* nodes = b.arena.nodes
    nodes[n].tag = nodes[node].tag
    nodes[n].attributes = nodes[node].attributes
    nodes[n].n_attributes = nodes[node].n_attributes
    return n


cdef void _reopen(TreeBuilder* b) noexcept nogil:
    """Reconstruct the active formatting elements, where the last one is not open."""
    cdef uint32_t i = b.n_formatting - 1
    cdef uint32_t n
    cdef FormattingElement* entry
    cdef Place place
    while i > 0:
        entry = &b.formatting[i - 1]
        if entry.node == 0 or _is_open(b, entry):
            break
        i -= 1
    while i < b.n_formatting:
        entry = &b.formatting[i]
        place = _element_place(b)
        n = _clone(b, entry.node)
        _attach(b, n, place)
        entry.node = n
        entry.depth = b.depth
        _push(b, n, entry.tag, _flags_of(b, entry.tag))
        i += 1


cdef inline void _reconstruct(TreeBuilder* b) noexcept nogil:
    """Reconstruct the active formatting elements."""
    cdef FormattingElement* last
    if b.n_formatting != 0:
        last = &b.formatting[b.n_formatting - 1]
        if last.node != 0 and not _is_open(b, last):
            _reopen(b)


cdef uint32_t _find_formatting(TreeBuilder* b, uint32_t node) noexcept nogil:
    """Return the index of an element in the list, MAX_FORMATTING where it is not in it."""
    cdef uint32_t i = b.n_formatting
    while i > 0:
        i -= 1
        if b.formatting[i].node == node:
            return i
    return MAX_FORMATTING


cdef bint _adoption_agency(TreeBuilder* b, uint32_t subject) noexcept nogil:
    """The adoption agency algorithm; True where the token is to be treated as any other end tag."""
    cdef Arena* arena = b.arena
    cdef uint32_t outer, inner, i, entry, depth, block_depth, at, bookmark, last, block, clone, child, next
    cdef OpenElement element
    cdef Place place
    if _current(b).tag == subject and _find_formatting(b, _current(b).node) == MAX_FORMATTING:
        _pop(b)
        return False
    for outer in range(8):
        # the formatting element: the last of this tag after the last marker
        i = b.n_formatting
        entry = MAX_FORMATTING
        while i > 0 and b.formatting[i - 1].node != 0:
            i -= 1
            if b.formatting[i].tag == subject:
                entry = i
                break
        if entry == MAX_FORMATTING:
            return outer == 0
        if not _is_open(b, &b.formatting[entry]):
            _remove_formatting(b, entry)
            return False
        depth = b.formatting[entry].depth
        if depth != b.depth - 1 and _depth_in_scope(b, b.formatting[entry].node) != depth:
            return False
        # the furthest block
        block_depth = depth + 1
        while block_depth < b.depth and not b.stack[block_depth].flags & FLAG_SPECIAL:
            block_depth += 1
        if block_depth == b.depth:
            _pop_to(b, depth)
            _remove_formatting(b, entry)
            return False
        if _leave_order(b, arena.n_nodes) < 0:
            return False
        block = b.stack[block_depth].node
        bookmark = entry
        last = block
        at = block_depth
        inner = 0
        while True:
            inner += 1
            at -= 1
            if at == depth:
                break
            i = _find_formatting(b, b.stack[at].node)
            if inner > 3 and i != MAX_FORMATTING:
                _remove_formatting(b, i)
                if i < entry:
                    entry -= 1
                if i < bookmark:
                    bookmark -= 1
                i = MAX_FORMATTING
            if i == MAX_FORMATTING:
                _remove_from_stack(b, at)
                block_depth -= 1
                continue
            clone = _clone(b, b.stack[at].node)
            b.formatting[i].node = clone
            b.formatting[i].depth = at
            b.stack[at].node = clone
            if last == block:
                bookmark = i + 1
            _unlink(arena, last)
            _link_last(arena, last, clone)
            last = clone
        place = _place_in(b, &b.stack[depth - 1])
        if last == block:
            _unlink(arena, last)
        _attach_linked(arena, last, place)
        clone = _clone(b, b.formatting[entry].node)
        child = arena.links[block].first
        arena.links[clone].first = child
        arena.links[clone].last = arena.links[block].last
        while child != 0:
            arena.nodes[child].parent = clone
            child = arena.links[child].next
        arena.links[block].first = 0
        arena.links[block].last = 0
        _link_last(arena, clone, block)
        _remove_formatting(b, entry)
        if entry < bookmark:
            bookmark -= 1
        _remove_from_stack(b, depth)
        block_depth -= 1
        element.node = clone
        element.tag = subject
        element.flags = _flags_of(b, subject)
        _insert_in_stack(b, block_depth + 1, element)
        memmove(
            &b.formatting[bookmark + 1], &b.formatting[bookmark], (b.n_formatting - bookmark) * sizeof(FormattingElement)
        )
        b.formatting[bookmark].node = clone
        b.formatting[bookmark].tag = subject
        b.formatting[bookmark].depth = block_depth + 1
        b.n_formatting += 1
    return False


# --- insertion modes: before the body --------------------------------------------------------------------------------


# "Initial insertion mode": public identifiers that begin with one of these mean quirks. Each is followed by a NUL.
cdef const char* _QUIRKS = (
    b"+//silmaril//dtd html pro v0r11 19970101//\0"
    b"-//as//dtd html 3.0 aswedit + extensions//\0"
    b"-//advasoft ltd//dtd html 3.0 aswedit + extensions//\0"
    b"-//ietf//dtd html 2.0 level 1//\0"
    b"-//ietf//dtd html 2.0 level 2//\0"
    b"-//ietf//dtd html 2.0 strict level 1//\0"
    b"-//ietf//dtd html 2.0 strict level 2//\0"
    b"-//ietf//dtd html 2.0 strict//\0"
    b"-//ietf//dtd html 2.0//\0"
    b"-//ietf//dtd html 2.1e//\0"
    b"-//ietf//dtd html 3.0//\0"
    b"-//ietf//dtd html 3.2 final//\0"
    b"-//ietf//dtd html 3.2//\0"
    b"-//ietf//dtd html 3//\0"
    b"-//ietf//dtd html level 0//\0"
    b"-//ietf//dtd html level 1//\0"
    b"-//ietf//dtd html level 2//\0"
    b"-//ietf//dtd html level 3//\0"
    b"-//ietf//dtd html strict level 0//\0"
    b"-//ietf//dtd html strict level 1//\0"
    b"-//ietf//dtd html strict level 2//\0"
    b"-//ietf//dtd html strict level 3//\0"
    b"-//ietf//dtd html strict//\0"
    b"-//ietf//dtd html//\0"
    b"-//metrius//dtd metrius presentational//\0"
    b"-//microsoft//dtd internet explorer 2.0 html strict//\0"
    b"-//microsoft//dtd internet explorer 2.0 html//\0"
    b"-//microsoft//dtd internet explorer 2.0 tables//\0"
    b"-//microsoft//dtd internet explorer 3.0 html strict//\0"
    b"-//microsoft//dtd internet explorer 3.0 html//\0"
    b"-//microsoft//dtd internet explorer 3.0 tables//\0"
    b"-//netscape comm. corp.//dtd html//\0"
    b"-//netscape comm. corp.//dtd strict html//\0"
    b"-//o'reilly and associates//dtd html 2.0//\0"
    b"-//o'reilly and associates//dtd html extended 1.0//\0"
    b"-//o'reilly and associates//dtd html extended relaxed 1.0//\0"
    b"-//sq//dtd html 2.0 hotmetal + extensions//\0"
    b"-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//\0"
    b"-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//\0"
    b"-//spyglass//dtd html 2.0 extended//\0"
    b"-//sun microsystems corp.//dtd hotjava html//\0"
    b"-//sun microsystems corp.//dtd hotjava strict html//\0"
    b"-//w3c//dtd html 3 1995-03-24//\0"
    b"-//w3c//dtd html 3.2 draft//\0"
    b"-//w3c//dtd html 3.2 final//\0"
    b"-//w3c//dtd html 3.2//\0"
    b"-//w3c//dtd html 3.2s draft//\0"
    b"-//w3c//dtd html 4.0 frameset//\0"
    b"-//w3c//dtd html 4.0 transitional//\0"
    b"-//w3c//dtd html experimental 19960712//\0"
    b"-//w3c//dtd html experimental 970421//\0"
    b"-//w3c//dtd w3 html//\0"
    b"-//w3o//dtd w3 html 3.0//\0"
    b"-//webtechs//dtd mozilla html 2.0//\0"
    b"-//webtechs//dtd mozilla html//\0"
)


cdef bint _doctype_is_quirky(TreeBuilder* b) noexcept nogil:
    """Whether the current token, a doctype, sets the document to quirks mode."""
    cdef Token* token = &b.tokenizer.token
    cdef Attribute* attribute = b.arena.attributes + token.attributes
    cdef const uint8_t* public = NULL
    cdef const uint8_t* system = NULL
    cdef uint32_t n_public = 0, n_system = 0, n
    cdef const char* prefix = _QUIRKS
    if token.force_quirks or not equals_ascii(bytes_at(b.arena, token.start, token.length), token.length, b"html", 4):
        return True
    if token.has_public:
        public = bytes_at(b.arena, attribute.value_start, attribute.value_length)
        n_public = attribute.value_length
        attribute += 1
    if token.has_system:
        system = bytes_at(b.arena, attribute.value_start, attribute.value_length)
        n_system = attribute.value_length
        if equals_ascii(system, n_system, b"http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd", 58):
            return True
    if not token.has_public:
        return False
    if (
        equals_ascii(public, n_public, b"-//w3o//dtd w3 html strict 3.0//en//", 36)
        or equals_ascii(public, n_public, b"-/w3c/dtd html 4.0 transitional/en", 34)
        or equals_ascii(public, n_public, b"html", 4)
    ):
        return True
    if not token.has_system and (
        begins_ascii(public, n_public, b"-//w3c//dtd html 4.01 frameset//", 32)
        or begins_ascii(public, n_public, b"-//w3c//dtd html 4.01 transitional//", 36)
    ):
        return True
    while prefix[0] != 0:
        n = 0
        while prefix[n] != 0:
            n += 1
        if begins_ascii(public, n_public, prefix, n):
            return True
        prefix += n + 1
    return False


cdef bint _initial(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t n
    if token.kind == TOKEN_TEXT:
        if not _drop_leading_space(b):
            return False
    elif token.kind == TOKEN_COMMENT:
        _insert_comment(b, _last_in(0))
        return False
    elif token.kind == TOKEN_DOCTYPE:
        n = _new_node(b, KIND_DOCTYPE)
        b.arena.nodes[n].start = token.start
        b.arena.nodes[n].length = token.length
        if token.n_attributes == 1:
            _complete_identifiers(b)
        b.arena.nodes[n].attributes = token.attributes
        b.arena.nodes[n].n_attributes = <uint16_t>token.n_attributes
        _attach(b, n, _last_in(0))
        b.quirks = _doctype_is_quirky(b)
        b.mode = BEFORE_HTML
        return False
    if token.kind != TOKEN_DOCTYPE:
        b.quirks = True
    b.mode = BEFORE_HTML
    return True


cdef void _complete_identifiers(TreeBuilder* b) noexcept nogil:
    """A doctype with only one identifier: its node has both, the other one empty."""
    cdef Arena* arena = b.arena
    cdef Token* token = &b.tokenizer.token
    cdef Attribute empty
    if reserve_attributes(arena, 1) < 0:
        return
    memset(&empty, 0, sizeof(Attribute))
    if token.has_system:
        arena.attributes[arena.n_attributes] = arena.attributes[token.attributes]
        arena.attributes[token.attributes] = empty
        token.has_public = True
    else:
        arena.attributes[arena.n_attributes] = empty
    arena.n_attributes += 1
    token.n_attributes = 2


cdef void _create_html(TreeBuilder* b, bint from_token) noexcept nogil:
    """Create the html element, for the current token or without attributes."""
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t n = _new_node(b, KIND_ELEMENT)
    b.arena.nodes[n].tag = TAG_HTML
    if from_token:
        b.arena.nodes[n].attributes = token.attributes
        b.arena.nodes[n].n_attributes = <uint16_t>token.n_attributes
    _attach(b, n, _last_in(0))
    _push(b, n, TAG_HTML, _flags_of(b, TAG_HTML))


cdef bint _before_html(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    if token.kind == TOKEN_DOCTYPE:
        return False
    if token.kind == TOKEN_COMMENT:
        _insert_comment(b, _last_in(0))
        return False
    if token.kind == TOKEN_TEXT:
        if not _drop_leading_space(b):
            return False
    elif token.kind == TOKEN_START_TAG:
        if token.tag == TAG_HTML:
            _create_html(b, True)
            b.mode = BEFORE_HEAD
            return False
    elif token.kind == TOKEN_END_TAG:
        if token.tag not in (TAG_HEAD, TAG_BODY, TAG_HTML, TAG_BR):
            return False
    _create_html(b, False)
    b.mode = BEFORE_HEAD
    return True


cdef bint _before_head(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    if token.kind == TOKEN_TEXT:
        if not _drop_leading_space(b):
            return False
    elif token.kind == TOKEN_COMMENT:
        _insert_comment(b, _place(b))
        return False
    elif token.kind == TOKEN_DOCTYPE:
        return False
    elif token.kind == TOKEN_START_TAG:
        if token.tag == TAG_HTML:
            return _in_body(b)
        if token.tag == TAG_HEAD:
            b.head = _insert_html(b)
            b.mode = IN_HEAD
            return False
    elif token.kind == TOKEN_END_TAG:
        if token.tag not in (TAG_HEAD, TAG_BODY, TAG_HTML, TAG_BR):
            return False
    b.head = _insert_named(b, TAG_HEAD)
    b.mode = IN_HEAD
    return True


cdef void _start_template(TreeBuilder* b) noexcept nogil:
    cdef uint32_t n = _insert_html(b)
    cdef uint32_t content = _new_node(b, KIND_CONTENT)
    _attach(b, content, _last_in(n))
    _insert_marker(b)
    b.frameset_ok = False
    b.mode = IN_TEMPLATE
    if b.n_templates < MAX_TEMPLATES:
        b.template_modes[b.n_templates] = IN_TEMPLATE
    b.n_templates += 1


cdef void _close_template(TreeBuilder* b) noexcept nogil:
    """Pop elements up to a template that is on the stack, and everything that was set aside for it."""
    _pop_until(b, TAG_TEMPLATE)
    _clear_to_marker(b)
    if b.n_templates > 0:
        b.n_templates -= 1
    _reset_insertion_mode(b)


cdef inline uint32_t _template_mode(TreeBuilder* b) noexcept nogil:
    """The current template insertion mode."""
    if b.n_templates == 0:
        return IN_BODY
    return b.template_modes[min(b.n_templates, <uint32_t>MAX_TEMPLATES) - 1]


cdef void _set_template_mode(TreeBuilder* b, uint32_t mode) noexcept nogil:
    """Pop the current template insertion mode and push this one."""
    if b.n_templates != 0:
        b.template_modes[min(b.n_templates, <uint32_t>MAX_TEMPLATES) - 1] = <uint8_t>mode
    b.mode = mode


cdef void _reset_insertion_mode(TreeBuilder* b) noexcept nogil:
    """Reset the insertion mode appropriately."""
    cdef uint32_t i = b.depth
    cdef uint32_t lowest = _search_end(b)
    cdef uint32_t tag
    while i > lowest:
        i -= 1
        tag = b.stack[i].tag
        if tag == TAG_TD or tag == TAG_TH:
            b.mode = IN_CELL
        elif tag == TAG_TR:
            b.mode = IN_ROW
        elif tag == TAG_TBODY or tag == TAG_THEAD or tag == TAG_TFOOT:
            b.mode = IN_TABLE_BODY
        elif tag == TAG_CAPTION:
            b.mode = IN_CAPTION
        elif tag == TAG_COLGROUP:
            b.mode = IN_COLUMN_GROUP
        elif tag == TAG_TABLE:
            b.mode = IN_TABLE
        elif tag == TAG_TEMPLATE:
            b.mode = _template_mode(b)
        elif tag == TAG_HEAD:
            b.mode = IN_HEAD
        elif tag == TAG_BODY:
            b.mode = IN_BODY
        elif tag == TAG_FRAMESET:
            b.mode = IN_FRAMESET
        elif tag == TAG_HTML:
            b.mode = AFTER_HEAD if b.head != 0 else BEFORE_HEAD
        else:
            continue
        return
    b.mode = IN_BODY


cdef bint _in_head(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    if token.kind == TOKEN_TEXT:
        if not _insert_leading_space(b):
            return False
    elif token.kind == TOKEN_COMMENT:
        _insert_comment(b, _place(b))
        return False
    elif token.kind == TOKEN_DOCTYPE:
        return False
    elif token.kind == TOKEN_START_TAG:
        if tag == TAG_HTML:
            return _in_body(b)
        if tag in (TAG_BASE, TAG_BASEFONT, TAG_BGSOUND, TAG_LINK, TAG_META):
            _insert_void(b)
            return False
        if tag == TAG_TITLE:
            _insert_text_element(b, RCDATA_STATE)
            return False
        if tag == TAG_NOFRAMES or tag == TAG_STYLE:
            _insert_text_element(b, RAWTEXT_STATE)
            return False
        if tag == TAG_NOSCRIPT:
            _insert_html(b)
            b.mode = IN_HEAD_NOSCRIPT
            return False
        if tag == TAG_SCRIPT:
            _insert_text_element(b, SCRIPT_DATA_STATE)
            return False
        if tag == TAG_TEMPLATE:
            _start_template(b)
            return False
        if tag == TAG_HEAD:
            return False
    elif token.kind == TOKEN_END_TAG:
        if tag == TAG_HEAD:
            _pop(b)
            b.mode = AFTER_HEAD
            return False
        if tag == TAG_TEMPLATE:
            if b.open_count[<uint32_t>TAG_TEMPLATE] != 0:
                while _current(b).flags & FLAG_THOROUGH_END:
                    _pop(b)
                _close_template(b)
            return False
        if tag not in (TAG_BODY, TAG_HTML, TAG_BR):
            return False
    _pop(b)
    b.mode = AFTER_HEAD
    return True


cdef bint _in_head_noscript(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    if token.kind == TOKEN_DOCTYPE:
        return False
    if token.kind == TOKEN_TEXT:
        if not _insert_leading_space(b):
            return False
    elif token.kind == TOKEN_COMMENT:
        return _in_head(b)
    elif token.kind == TOKEN_START_TAG:
        if tag == TAG_HTML:
            return _in_body(b)
        if tag in (TAG_BASEFONT, TAG_BGSOUND, TAG_LINK, TAG_META, TAG_NOFRAMES, TAG_STYLE):
            return _in_head(b)
        if tag == TAG_HEAD or tag == TAG_NOSCRIPT:
            return False
    elif token.kind == TOKEN_END_TAG:
        if tag == TAG_NOSCRIPT:
            _pop(b)
            b.mode = IN_HEAD
            return False
        if tag != TAG_BR:
            return False
    _pop(b)
    b.mode = IN_HEAD
    return True


cdef bint _after_head(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    cdef uint32_t i
    if token.kind == TOKEN_TEXT:
        if not _insert_leading_space(b):
            return False
    elif token.kind == TOKEN_COMMENT:
        _insert_comment(b, _place(b))
        return False
    elif token.kind == TOKEN_DOCTYPE:
        return False
    elif token.kind == TOKEN_START_TAG:
        if tag == TAG_HTML:
            return _in_body(b)
        if tag == TAG_BODY:
            _insert_html(b)
            b.frameset_ok = False
            b.mode = IN_BODY
            return False
        if tag == TAG_FRAMESET:
            _insert_html(b)
            b.mode = IN_FRAMESET
            return False
        if tag in (
            TAG_BASE, TAG_BASEFONT, TAG_BGSOUND, TAG_LINK, TAG_META, TAG_NOFRAMES, TAG_SCRIPT, TAG_STYLE, TAG_TEMPLATE,
            TAG_TITLE,
        ):
            _push(b, b.head, TAG_HEAD, _flags_of(b, TAG_HEAD))
            i = b.depth - 1
            _in_head(b)
            if i < b.depth and b.stack[i].node == b.head:
                _remove_from_stack(b, i)
            return False
        if tag == TAG_HEAD:
            return False
    elif token.kind == TOKEN_END_TAG:
        if tag == TAG_TEMPLATE:
            return _in_head(b)
        if tag not in (TAG_BODY, TAG_HTML, TAG_BR):
            return False
    _insert_named(b, TAG_BODY)
    b.mode = IN_BODY
    return True


# --- insertion mode: in body -----------------------------------------------------------------------------------------


cdef inline void _in_body_text(TreeBuilder* b, uint32_t start, uint32_t length) noexcept nogil:
    """Characters "in body"."""
    cdef const uint8_t* p
    _reconstruct(b)
    _insert_text(b, start, length)
    if b.frameset_ok:
        p = bytes_at(b.arena, start, length)
        if skip_space(p, p + length) != p + length:
            b.frameset_ok = False


cdef void _any_other_end_tag(TreeBuilder* b) noexcept nogil:
    """"Any other end tag" in body."""
    cdef uint32_t tag = b.tokenizer.token.tag
    cdef uint32_t i = b.depth
    cdef uint32_t lowest = _search_end(b)
    if tag < TAG_COUNT and b.open_count[tag] == 0:
        return
    while i > lowest:
        i -= 1
        if b.stack[i].tag == tag:
            _pop_to(b, i)       # implied end tags are generated on the way
            return
        if b.stack[i].flags & FLAG_SPECIAL:
            return


cdef void _start_list_item(TreeBuilder* b) noexcept nogil:
    """A start tag li, dd or dt: it closes the item before it."""
    cdef uint32_t tag = b.tokenizer.token.tag
    cdef uint32_t i = b.depth
    cdef uint32_t lowest = _search_end(b)
    cdef uint32_t open_tag
    b.frameset_ok = False
    while i > lowest:
        i -= 1
        open_tag = b.stack[i].tag
        if open_tag == tag or (tag != TAG_LI and (open_tag == TAG_DD or open_tag == TAG_DT)):
            _generate_implied_end_tags(b, open_tag)
            _pop_until(b, open_tag)
            break
        if b.stack[i].flags & FLAG_SPECIAL and open_tag not in (TAG_ADDRESS, TAG_DIV, TAG_P):
            break
    _close_p(b)
    _insert_html(b)


cdef bint _frameset_in_body(TreeBuilder* b) noexcept nogil:
    """A start tag frameset in body: it replaces the body if nothing is in it yet that forbids it."""
    if b.depth < 2 or b.stack[1].tag != TAG_BODY or not b.frameset_ok:
        return False
    if _leave_order(b, b.arena.n_nodes) < 0:
        return False
    _unlink(b.arena, b.stack[1].node)
    _pop_to(b, 1)
    _insert_html(b)
    b.mode = IN_FRAMESET
    return False


cdef void _insert_foreign(TreeBuilder* b, uint8_t namespace) noexcept nogil:
    """Insert a foreign element for the current token, with the names SVG and MathML have capitals in."""
    cdef Arena* arena = b.arena
    cdef Token* token = &b.tokenizer.token
    cdef const NameTables* names = b.tokenizer.names
    cdef Attribute* attribute = arena.attributes + token.attributes
    cdef Place place = _element_place(b)
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
            _attribute_is(b, ATTR_ENCODING, b"text/html", 9) or _attribute_is(b, ATTR_ENCODING, b"application/xhtml+xml", 21)
        ):
            flags |= FLAG_HTML_INTEGRATION
    if token.self_closing:
        flags = 0
    n = _create_element(b, namespace)
    _attach(b, n, place)
    if not token.self_closing:
        _push(b, n, FOREIGN_TAG, flags)


cdef bint _in_body_start_tag(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    cdef uint32_t i
    if tag in (
        TAG_ADDRESS, TAG_ARTICLE, TAG_ASIDE, TAG_BLOCKQUOTE, TAG_CENTER, TAG_DETAILS, TAG_DIALOG, TAG_DIR, TAG_DIV, TAG_DL,
        TAG_FIELDSET, TAG_FIGCAPTION, TAG_FIGURE, TAG_FOOTER, TAG_HEADER, TAG_HGROUP, TAG_MAIN, TAG_MENU, TAG_NAV, TAG_OL,
        TAG_P, TAG_SEARCH, TAG_SECTION, TAG_SUMMARY, TAG_UL,
    ):
        _close_p(b)
        _insert_html(b)
    elif tag == TAG_A:
        i = b.n_formatting
        while i > 0 and b.formatting[i - 1].node != 0:
            i -= 1
            if b.formatting[i].tag == TAG_A:
                _close_open_a(b, b.formatting[i].node)
                break
        _reconstruct(b)
        _insert_html(b)
        _push_formatting(b)
    elif tag in (
        TAG_B, TAG_BIG, TAG_CODE, TAG_EM, TAG_FONT, TAG_I, TAG_S, TAG_SMALL, TAG_STRIKE, TAG_STRONG, TAG_TT, TAG_U,
    ):
        _reconstruct(b)
        _insert_html(b)
        _push_formatting(b)
    elif tag == TAG_LI or tag == TAG_DD or tag == TAG_DT:
        _start_list_item(b)
    elif tag in (TAG_AREA, TAG_BR, TAG_EMBED, TAG_IMG, TAG_KEYGEN, TAG_WBR):
        _reconstruct(b)
        _insert_void(b)
        b.frameset_ok = False
    elif tag in (
        TAG_BASE, TAG_BASEFONT, TAG_BGSOUND, TAG_LINK, TAG_META, TAG_NOFRAMES, TAG_SCRIPT, TAG_STYLE, TAG_TEMPLATE, TAG_TITLE,
    ):
        return _in_head(b)
    elif tag in (TAG_H1, TAG_H2, TAG_H3, TAG_H4, TAG_H5, TAG_H6):
        _close_p(b)
        if _current(b).flags & FLAG_HEADING:
            _pop(b)
        _insert_html(b)
    elif tag == TAG_INPUT:
        if _in_scope(b, TAG_SELECT):
            _pop_until(b, TAG_SELECT)
        _reconstruct(b)
        _insert_void(b)
        if not _attribute_is(b, ATTR_TYPE, b"hidden", 6):
            b.frameset_ok = False
    elif tag == TAG_OPTION:
        if _in_scope(b, TAG_SELECT):
            _generate_implied_end_tags(b, TAG_OPTGROUP)
        elif _current(b).tag == TAG_OPTION:
            _pop(b)
        _reconstruct(b)
        _insert_html(b)
    elif tag == TAG_OPTGROUP:
        if _in_scope(b, TAG_SELECT):
            _generate_implied_end_tags(b, TAG_UNKNOWN)
        elif _current(b).tag == TAG_OPTION:
            _pop(b)
        _reconstruct(b)
        _insert_html(b)
    elif tag == TAG_SELECT:
        b.frameset_ok = False
        if _in_scope(b, TAG_SELECT):
            _pop_until(b, TAG_SELECT)
            return False
        _reconstruct(b)
        _insert_html(b)
    elif tag == TAG_TABLE:
        if not b.quirks:
            _close_p(b)
        _insert_html(b)
        b.frameset_ok = False
        b.mode = IN_TABLE
    elif tag == TAG_HR:
        _close_p(b)
        if _in_scope(b, TAG_SELECT):
            _generate_implied_end_tags(b, TAG_UNKNOWN)
        _insert_void(b)
        b.frameset_ok = False
    elif tag == TAG_BUTTON:
        if _in_scope(b, TAG_BUTTON):
            _generate_implied_end_tags(b, TAG_UNKNOWN)
            _pop_until(b, TAG_BUTTON)
        _reconstruct(b)
        _insert_html(b)
        b.frameset_ok = False
    elif tag == TAG_FORM:
        if b.form != 0 and b.open_count[<uint32_t>TAG_TEMPLATE] == 0:
            return False
        _close_p(b)
        i = _insert_html(b)
        if b.open_count[<uint32_t>TAG_TEMPLATE] == 0:
            b.form = i
    elif tag == TAG_PRE or tag == TAG_LISTING:
        _close_p(b)
        _insert_html(b)
        b.skip_newline = True
        b.frameset_ok = False
    elif tag == TAG_NOBR:
        _reconstruct(b)
        if _in_scope(b, TAG_NOBR):
            if _adoption_agency(b, TAG_NOBR):
                _any_other_end_tag(b)
            _reconstruct(b)
        _insert_html(b)
        _push_formatting(b)
    elif tag == TAG_APPLET or tag == TAG_MARQUEE or tag == TAG_OBJECT:
        _reconstruct(b)
        _insert_html(b)
        _insert_marker(b)
        b.frameset_ok = False
    elif tag == TAG_PARAM or tag == TAG_SOURCE or tag == TAG_TRACK:
        _insert_void(b)
    elif tag == TAG_IMAGE:
        token.tag = TAG_IMG
        return True
    elif tag == TAG_TEXTAREA:
        _insert_text_element(b, RCDATA_STATE)
        b.skip_newline = True
        b.frameset_ok = False
    elif tag == TAG_XMP:
        _close_p(b)
        _reconstruct(b)
        b.frameset_ok = False
        _insert_text_element(b, RAWTEXT_STATE)
    elif tag == TAG_IFRAME:
        b.frameset_ok = False
        _insert_text_element(b, RAWTEXT_STATE)
    elif tag == TAG_NOEMBED:
        _insert_text_element(b, RAWTEXT_STATE)
    elif tag == TAG_PLAINTEXT:
        _close_p(b)
        _insert_html(b)
        b.tokenizer.state = PLAINTEXT_STATE
    elif tag == TAG_RB or tag == TAG_RTC:
        if _in_scope(b, TAG_RUBY):
            _generate_implied_end_tags(b, TAG_UNKNOWN)
        _insert_html(b)
    elif tag == TAG_RP or tag == TAG_RT:
        if _in_scope(b, TAG_RUBY):
            _generate_implied_end_tags(b, TAG_RTC)
        _insert_html(b)
    elif tag == TAG_MATH:
        _reconstruct(b)
        _insert_foreign(b, NS_MATHML)
    elif tag == TAG_SVG:
        _reconstruct(b)
        _insert_foreign(b, NS_SVG)
    elif tag == TAG_HTML:
        if b.open_count[<uint32_t>TAG_TEMPLATE] == 0:
            _merge_attributes(b, b.stack[0].node)
    elif tag == TAG_BODY:
        if b.depth > 1 and b.stack[1].tag == TAG_BODY and b.open_count[<uint32_t>TAG_TEMPLATE] == 0:
            b.frameset_ok = False
            _merge_attributes(b, b.stack[1].node)
    elif tag == TAG_SELECTEDCONTENT:
        b.has_selectedcontent = True
        _reconstruct(b)
        _insert_html(b)
    elif tag == TAG_FRAMESET:
        return _frameset_in_body(b)
    elif tag in (
        TAG_CAPTION, TAG_COL, TAG_COLGROUP, TAG_FRAME, TAG_HEAD, TAG_TBODY, TAG_TD, TAG_TFOOT, TAG_TH, TAG_THEAD, TAG_TR,
    ):
        return False
    else:
        _reconstruct(b)
        _insert_html(b)
    return False


cdef void _close_open_a(TreeBuilder* b, uint32_t node) noexcept nogil:
    """A start tag a while an a is active: close that one, wherever it is."""
    cdef uint32_t i
    _adoption_agency(b, TAG_A)
    i = _find_formatting(b, node)
    if i != MAX_FORMATTING:
        if _is_open(b, &b.formatting[i]):
            _remove_from_stack(b, b.formatting[i].depth)
        _remove_formatting(b, i)


cdef void _end_form(TreeBuilder* b) noexcept nogil:
    """An end tag form."""
    cdef uint32_t node = b.form
    cdef uint32_t i
    if b.open_count[<uint32_t>TAG_TEMPLATE] != 0:
        if _in_scope(b, TAG_FORM):
            _generate_implied_end_tags(b, TAG_UNKNOWN)
            _pop_until(b, TAG_FORM)
        return
    b.form = 0
    if node == 0 or _depth_in_scope(b, node) == 0:
        return
    _generate_implied_end_tags(b, TAG_UNKNOWN)
    i = _depth_in_scope(b, node)
    if i != 0:
        _remove_from_stack(b, i)


cdef bint _in_body_end_tag(TreeBuilder* b) noexcept nogil:
    cdef uint32_t tag = b.tokenizer.token.tag
    if tag in (
        TAG_ADDRESS, TAG_ARTICLE, TAG_ASIDE, TAG_BLOCKQUOTE, TAG_BUTTON, TAG_CENTER, TAG_DETAILS, TAG_DIALOG, TAG_DIR, TAG_DIV,
        TAG_DL, TAG_FIELDSET, TAG_FIGCAPTION, TAG_FIGURE, TAG_FOOTER, TAG_HEADER, TAG_HGROUP, TAG_LISTING, TAG_MAIN,
        TAG_MENU, TAG_NAV, TAG_OL, TAG_PRE, TAG_SEARCH, TAG_SECTION, TAG_SELECT, TAG_SUMMARY, TAG_UL,
    ):
        if _current(b).tag == tag:
            _pop(b)
        elif _in_scope(b, tag):
            _generate_implied_end_tags(b, TAG_UNKNOWN)
            _pop_until(b, tag)
    elif tag in (
        TAG_A, TAG_B, TAG_BIG, TAG_CODE, TAG_EM, TAG_FONT, TAG_I, TAG_NOBR, TAG_S, TAG_SMALL, TAG_STRIKE, TAG_STRONG, TAG_TT,
        TAG_U,
    ):
        if _adoption_agency(b, tag):
            _any_other_end_tag(b)
    elif tag == TAG_P:
        if not _in_button_scope(b, TAG_P):
            _insert_named(b, TAG_P)
        _close_p(b)
    elif tag == TAG_LI:
        if _in_list_item_scope(b, TAG_LI):
            _generate_implied_end_tags(b, TAG_LI)
            _pop_until(b, TAG_LI)
    elif tag == TAG_DD or tag == TAG_DT:
        if _in_scope(b, tag):
            _generate_implied_end_tags(b, tag)
            _pop_until(b, tag)
    elif tag in (TAG_H1, TAG_H2, TAG_H3, TAG_H4, TAG_H5, TAG_H6):
        if _flag_in_scope(b, FLAG_HEADING, FLAG_SCOPE):
            _generate_implied_end_tags(b, TAG_UNKNOWN)
            _pop_until_flag(b, FLAG_HEADING)
    elif tag == TAG_FORM:
        _end_form(b)
    elif tag == TAG_BODY or tag == TAG_HTML:
        if _in_scope(b, TAG_BODY):
            b.mode = AFTER_BODY
            return tag == TAG_HTML
    elif tag == TAG_APPLET or tag == TAG_MARQUEE or tag == TAG_OBJECT:
        if _in_scope(b, tag):
            _generate_implied_end_tags(b, TAG_UNKNOWN)
            _pop_until(b, tag)
            _clear_to_marker(b)
    elif tag == TAG_BR:
        _reconstruct(b)
        _insert_named(b, TAG_BR)
        _pop(b)
        b.frameset_ok = False
    elif tag == TAG_TEMPLATE:
        return _in_head(b)
    else:
        _any_other_end_tag(b)
    return False


cdef bint _in_body(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    if token.kind == TOKEN_TEXT:
        _in_body_text(b, token.start, token.length)
    elif token.kind == TOKEN_START_TAG:
        return _in_body_start_tag(b)
    elif token.kind == TOKEN_END_TAG:
        return _in_body_end_tag(b)
    elif token.kind == TOKEN_COMMENT:
        _insert_comment(b, _place(b))
    elif token.kind == TOKEN_EOF and b.n_templates != 0:
        return _in_template(b)
    return False        # NUL and doctypes are ignored


cdef bint _text_mode(TreeBuilder* b) noexcept nogil:
    """The "text" insertion mode: in title, textarea, script, style and the like."""
    cdef Token* token = &b.tokenizer.token
    if token.kind == TOKEN_TEXT:
        _insert_text(b, token.start, token.length)
        return False
    _pop(b)
    b.mode = b.original_mode
    return token.kind == TOKEN_EOF


# --- insertion modes: tables -----------------------------------------------------------------------------------------


cdef inline void _clear_stack_to(TreeBuilder* b, uint32_t one, uint32_t two, uint32_t three) noexcept nogil:
    """Clear the stack back to a table, table body or table row context; template and html end it as well."""
    cdef uint32_t tag
    while True:
        tag = _current(b).tag
        if tag == one or tag == two or tag == three or tag == TAG_TEMPLATE or tag == TAG_HTML:
            return
        _pop(b)


cdef void _clear_to_table(TreeBuilder* b) noexcept nogil:
    _clear_stack_to(b, TAG_TABLE, TAG_TABLE, TAG_TABLE)


cdef void _clear_to_table_body(TreeBuilder* b) noexcept nogil:
    _clear_stack_to(b, TAG_TBODY, TAG_TFOOT, TAG_THEAD)


cdef void _clear_to_table_row(TreeBuilder* b) noexcept nogil:
    _clear_stack_to(b, TAG_TR, TAG_TR, TAG_TR)


cdef bint _foster(TreeBuilder* b) noexcept nogil:
    """"Anything else" in table: as in body, with foster parenting."""
    cdef bint again
    b.foster_parenting = True
    again = _in_body(b)
    while again:        # image, which becomes img
        again = _in_body(b)
    b.foster_parenting = False
    return False


cdef bint _in_table(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    cdef uint32_t i
    if token.kind == TOKEN_TEXT or token.kind == TOKEN_NULL:
        if _current(b).flags & FLAG_TABLE_PART or _current(b).tag == TAG_TEMPLATE:
            b.pending = 0
            b.pending_not_space = False
            b.original_mode = b.mode
            b.mode = IN_TABLE_TEXT
            return True
        return _foster(b)
    if token.kind == TOKEN_COMMENT:
        _insert_comment(b, _place(b))
        return False
    if token.kind == TOKEN_DOCTYPE:
        return False
    if token.kind == TOKEN_EOF:
        return _in_body(b)
    if token.kind == TOKEN_START_TAG:
        if tag == TAG_CAPTION:
            _clear_to_table(b)
            _insert_marker(b)
            _insert_html(b)
            b.mode = IN_CAPTION
            return False
        if tag == TAG_COLGROUP:
            _clear_to_table(b)
            _insert_html(b)
            b.mode = IN_COLUMN_GROUP
            return False
        if tag == TAG_COL:
            _clear_to_table(b)
            _insert_named(b, TAG_COLGROUP)
            b.mode = IN_COLUMN_GROUP
            return True
        if tag == TAG_TBODY or tag == TAG_TFOOT or tag == TAG_THEAD:
            _clear_to_table(b)
            _insert_html(b)
            b.mode = IN_TABLE_BODY
            return False
        if tag == TAG_TD or tag == TAG_TH or tag == TAG_TR:
            _clear_to_table(b)
            _insert_named(b, TAG_TBODY)
            b.mode = IN_TABLE_BODY
            return True
        if tag == TAG_TABLE:
            if not _in_table_scope(b, TAG_TABLE):
                return False
            _pop_until(b, TAG_TABLE)
            _reset_insertion_mode(b)
            return True
        if tag == TAG_STYLE or tag == TAG_SCRIPT or tag == TAG_TEMPLATE:
            return _in_head(b)
        if tag == TAG_INPUT and _attribute_is(b, ATTR_TYPE, b"hidden", 6):
            _insert_void(b)
            return False
        if tag == TAG_FORM:
            if b.open_count[<uint32_t>TAG_TEMPLATE] == 0 and b.form == 0:
                b.form = _insert_html(b)
                _pop(b)
            return False
    elif token.kind == TOKEN_END_TAG:
        if tag == TAG_TABLE:
            if _in_table_scope(b, TAG_TABLE):
                _pop_until(b, TAG_TABLE)
                _reset_insertion_mode(b)
            return False
        if tag in (
            TAG_BODY, TAG_CAPTION, TAG_COL, TAG_COLGROUP, TAG_HTML, TAG_TBODY, TAG_TD, TAG_TFOOT, TAG_TH, TAG_THEAD, TAG_TR,
        ):
            return False
        if tag == TAG_TEMPLATE:
            return _in_head(b)
    return _foster(b)


cdef bint _in_table_text(TreeBuilder* b) noexcept nogil:
    cdef Arena* arena = b.arena
    cdef Token* token = &b.tokenizer.token
    cdef const uint8_t* p
    cdef uint32_t i, first
    if token.kind == TOKEN_NULL:
        return False
    if token.kind == TOKEN_TEXT:
        if _new_piece(arena, token.start, token.length, 0) < 0:
            return False
        i = arena.n_pieces - 1
        if b.pending == 0:
            b.pending = i
        else:
            arena.pieces[b.last_pending].next = i
        b.last_pending = i
        if not b.pending_not_space:
            p = bytes_at(arena, token.start, token.length)
            b.pending_not_space = skip_space(p, p + token.length) != p + token.length
        return False
    i = first = b.pending
    if b.pending_not_space:
        b.foster_parenting = True
        while i != 0:
            _in_body_text(b, arena.pieces[i].start, arena.pieces[i].length)
            i = arena.pieces[i].next
        b.foster_parenting = False
    else:
        while i != 0:
            _insert_text(b, arena.pieces[i].start, arena.pieces[i].length)
            i = arena.pieces[i].next
    if first != 0 and first == b.last_pending and arena.n_pieces == first + 1:
        arena.n_pieces = first      # usually the only one: not needed any more
    b.pending = 0
    b.mode = b.original_mode
    return True


cdef bint _end_caption(TreeBuilder* b) noexcept nogil:
    """Close the caption; False where none is open."""
    if not _in_table_scope(b, TAG_CAPTION):
        return False
    _generate_implied_end_tags(b, TAG_UNKNOWN)
    _pop_until(b, TAG_CAPTION)
    _clear_to_marker(b)
    b.mode = IN_TABLE
    return True


cdef bint _in_caption(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    if token.kind == TOKEN_START_TAG:
        if tag in (TAG_CAPTION, TAG_COL, TAG_COLGROUP, TAG_TBODY, TAG_TD, TAG_TFOOT, TAG_TH, TAG_THEAD, TAG_TR):
            return _end_caption(b)
    elif token.kind == TOKEN_END_TAG:
        if tag == TAG_CAPTION:
            _end_caption(b)
            return False
        if tag == TAG_TABLE:
            return _end_caption(b)
        if tag in (
            TAG_BODY, TAG_COL, TAG_COLGROUP, TAG_HTML, TAG_TBODY, TAG_TD, TAG_TFOOT, TAG_TH, TAG_THEAD, TAG_TR,
        ):
            return False
    return _in_body(b)


cdef bint _in_column_group(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    if token.kind == TOKEN_TEXT:
        if not _insert_leading_space(b):
            return False
    elif token.kind == TOKEN_COMMENT:
        _insert_comment(b, _place(b))
        return False
    elif token.kind == TOKEN_DOCTYPE:
        return False
    elif token.kind == TOKEN_EOF:
        return _in_body(b)
    elif token.kind == TOKEN_START_TAG:
        if tag == TAG_HTML:
            return _in_body(b)
        if tag == TAG_COL:
            _insert_void(b)
            return False
        if tag == TAG_TEMPLATE:
            return _in_head(b)
    elif token.kind == TOKEN_END_TAG:
        if tag == TAG_COLGROUP:
            if _current(b).tag == TAG_COLGROUP:
                _pop(b)
                b.mode = IN_TABLE
            return False
        if tag == TAG_COL:
            return False
        if tag == TAG_TEMPLATE:
            return _in_head(b)
    if _current(b).tag != TAG_COLGROUP:
        return False
    _pop(b)
    b.mode = IN_TABLE
    return True


cdef bint _in_table_body(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    if token.kind == TOKEN_START_TAG:
        if tag == TAG_TR:
            _clear_to_table_body(b)
            _insert_html(b)
            b.mode = IN_ROW
            return False
        if tag == TAG_TH or tag == TAG_TD:
            _clear_to_table_body(b)
            _insert_named(b, TAG_TR)
            b.mode = IN_ROW
            return True
        if tag in (TAG_CAPTION, TAG_COL, TAG_COLGROUP, TAG_TBODY, TAG_TFOOT, TAG_THEAD):
            return _end_table_body(b)
    elif token.kind == TOKEN_END_TAG:
        if tag == TAG_TBODY or tag == TAG_TFOOT or tag == TAG_THEAD:
            if _in_table_scope(b, tag):
                _clear_to_table_body(b)
                _pop(b)
                b.mode = IN_TABLE
            return False
        if tag == TAG_TABLE:
            return _end_table_body(b)
        if tag in (TAG_BODY, TAG_CAPTION, TAG_COL, TAG_COLGROUP, TAG_HTML, TAG_TD, TAG_TH, TAG_TR):
            return False
    return _in_table(b)


cdef bint _end_table_body(TreeBuilder* b) noexcept nogil:
    """Close the table body for a token that ends it; False where none is open."""
    if not (_in_table_scope(b, TAG_TBODY) or _in_table_scope(b, TAG_THEAD) or _in_table_scope(b, TAG_TFOOT)):
        return False
    _clear_to_table_body(b)
    _pop(b)
    b.mode = IN_TABLE
    return True


cdef bint _end_row(TreeBuilder* b) noexcept nogil:
    """Close the row; False where none is open."""
    if not _in_table_scope(b, TAG_TR):
        return False
    _clear_to_table_row(b)
    _pop(b)
    b.mode = IN_TABLE_BODY
    return True


cdef bint _in_row(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    if token.kind == TOKEN_START_TAG:
        if tag == TAG_TH or tag == TAG_TD:
            _clear_to_table_row(b)
            _insert_html(b)
            b.mode = IN_CELL
            _insert_marker(b)
            return False
        if tag in (TAG_CAPTION, TAG_COL, TAG_COLGROUP, TAG_TBODY, TAG_TFOOT, TAG_THEAD, TAG_TR):
            return _end_row(b)
    elif token.kind == TOKEN_END_TAG:
        if tag == TAG_TR:
            _end_row(b)
            return False
        if tag == TAG_TABLE:
            return _end_row(b)
        if tag == TAG_TBODY or tag == TAG_TFOOT or tag == TAG_THEAD:
            return _in_table_scope(b, tag) and _end_row(b)
        if tag in (TAG_BODY, TAG_CAPTION, TAG_COL, TAG_COLGROUP, TAG_HTML, TAG_TD, TAG_TH):
            return False
    return _in_table(b)


cdef void _close_cell(TreeBuilder* b) noexcept nogil:
    """Close the cell."""
    cdef uint32_t tag
    _generate_implied_end_tags(b, TAG_UNKNOWN)
    while b.depth > 1:
        tag = _current(b).tag
        _pop(b)
        if tag == TAG_TD or tag == TAG_TH:
            break
    _clear_to_marker(b)
    b.mode = IN_ROW


cdef bint _in_cell(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    if token.kind == TOKEN_END_TAG:
        if tag == TAG_TD or tag == TAG_TH:
            if _in_table_scope(b, tag):
                _generate_implied_end_tags(b, TAG_UNKNOWN)
                _pop_until(b, tag)
                _clear_to_marker(b)
                b.mode = IN_ROW
            return False
        if tag in (TAG_BODY, TAG_CAPTION, TAG_COL, TAG_COLGROUP, TAG_HTML):
            return False
        if tag in (TAG_TABLE, TAG_TBODY, TAG_TFOOT, TAG_THEAD, TAG_TR):
            if not _in_table_scope(b, tag):
                return False
            _close_cell(b)
            return True
    elif token.kind == TOKEN_START_TAG:
        if tag in (TAG_CAPTION, TAG_COL, TAG_COLGROUP, TAG_TBODY, TAG_TD, TAG_TFOOT, TAG_TH, TAG_THEAD, TAG_TR):
            if not (_in_table_scope(b, TAG_TD) or _in_table_scope(b, TAG_TH)):
                return False
            _close_cell(b)
            return True
    return _in_body(b)


# --- insertion modes: templates, after the body, framesets -----------------------------------------------------------


cdef bint _in_template(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    if token.kind == TOKEN_START_TAG:
        if tag in (
            TAG_BASE, TAG_BASEFONT, TAG_BGSOUND, TAG_LINK, TAG_META, TAG_NOFRAMES, TAG_SCRIPT, TAG_STYLE, TAG_TEMPLATE,
            TAG_TITLE,
        ):
            return _in_head(b)
        if tag in (TAG_CAPTION, TAG_COLGROUP, TAG_TBODY, TAG_TFOOT, TAG_THEAD):
            _set_template_mode(b, IN_TABLE)
        elif tag == TAG_COL:
            _set_template_mode(b, IN_COLUMN_GROUP)
        elif tag == TAG_TR:
            _set_template_mode(b, IN_TABLE_BODY)
        elif tag == TAG_TD or tag == TAG_TH:
            _set_template_mode(b, IN_ROW)
        else:
            _set_template_mode(b, IN_BODY)
        return True
    if token.kind == TOKEN_END_TAG:
        return _in_head(b) if tag == TAG_TEMPLATE else False
    if token.kind == TOKEN_EOF:
        if b.open_count[<uint32_t>TAG_TEMPLATE] == 0:
            return False
        _close_template(b)
        return True
    return _in_body(b)


cdef bint _after_body(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    if token.kind == TOKEN_TEXT:
        if _leading_space(b) == token.length:
            return _in_body(b)
    elif token.kind == TOKEN_COMMENT:
        _insert_comment(b, _last_in(b.stack[0].node))
        return False
    elif token.kind == TOKEN_DOCTYPE or token.kind == TOKEN_EOF:
        return False
    elif token.kind == TOKEN_START_TAG:
        if token.tag == TAG_HTML:
            return _in_body(b)
    elif token.kind == TOKEN_END_TAG:
        if token.tag == TAG_HTML:
            b.mode = AFTER_AFTER_BODY
            return False
    b.mode = IN_BODY
    return True


cdef void _insert_only_space(TreeBuilder* b) noexcept nogil:
    """Insert the white space of a text token, ignore the rest."""
    cdef Token* token = &b.tokenizer.token
    cdef const uint8_t* p
    cdef const uint8_t* q
    cdef const uint8_t* end
    while _insert_leading_space(b):
        p = q = bytes_at(b.arena, token.start, token.length)
        end = p + token.length
        while q < end and skip_space(q, q + 1) == q:
            q += 1
        token.start += <uint32_t>(q - p)
        token.length -= <uint32_t>(q - p)
        if token.length == 0:
            return


cdef bint _in_frameset(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    if token.kind == TOKEN_TEXT:
        _insert_only_space(b)
    elif token.kind == TOKEN_COMMENT:
        _insert_comment(b, _place(b))
    elif token.kind == TOKEN_START_TAG:
        if tag == TAG_HTML:
            return _in_body(b)
        if tag == TAG_FRAMESET:
            _insert_html(b)
        elif tag == TAG_FRAME:
            _insert_void(b)
        elif tag == TAG_NOFRAMES:
            return _in_head(b)
    elif token.kind == TOKEN_END_TAG:
        if tag == TAG_FRAMESET and b.depth > 1:
            _pop(b)
            if _current(b).tag != TAG_FRAMESET:
                b.mode = AFTER_FRAMESET
    return False


cdef bint _after_frameset(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    if token.kind == TOKEN_TEXT:
        _insert_only_space(b)
    elif token.kind == TOKEN_COMMENT:
        _insert_comment(b, _place(b))
    elif token.kind == TOKEN_START_TAG:
        if token.tag == TAG_HTML:
            return _in_body(b)
        if token.tag == TAG_NOFRAMES:
            return _in_head(b)
    elif token.kind == TOKEN_END_TAG:
        if token.tag == TAG_HTML:
            b.mode = AFTER_AFTER_FRAMESET
    return False


cdef bint _after_after_body(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    if token.kind == TOKEN_COMMENT:
        _insert_comment(b, _last_in(0))
        return False
    if token.kind == TOKEN_DOCTYPE:
        return _in_body(b)
    if token.kind == TOKEN_TEXT:
        if _leading_space(b) == token.length:
            return _in_body(b)
    elif token.kind == TOKEN_EOF:
        return False
    elif token.kind == TOKEN_START_TAG and token.tag == TAG_HTML:
        return _in_body(b)
    b.mode = IN_BODY
    return True


cdef bint _after_after_frameset(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    if token.kind == TOKEN_COMMENT:
        _insert_comment(b, _last_in(0))
    elif token.kind == TOKEN_TEXT:
        _insert_only_space(b)
    elif token.kind == TOKEN_START_TAG:
        if token.tag == TAG_HTML:
            return _in_body(b)
        if token.tag == TAG_NOFRAMES:
            return _in_head(b)
    return False


# --- foreign content -------------------------------------------------------------------------------------------------


cdef bint _is_for_foreign(TreeBuilder* b) noexcept nogil:
    """Tree construction dispatcher: whether the rules for foreign content apply; the current node is foreign."""
    cdef Token* token = &b.tokenizer.token
    cdef OpenElement* element = _current(b)
    if token.kind == TOKEN_EOF:
        return False
    if token.kind == TOKEN_START_TAG:
        if element.flags & FLAG_HTML_INTEGRATION:
            return False
        if element.flags & FLAG_MATHML_TEXT:
            return token.tag == TAG_MGLYPH or token.tag == TAG_MALIGNMARK
        if token.tag == TAG_SVG and b.arena.nodes[element.node].tag == TAG_ANNOTATION_XML:
            return b.arena.nodes[element.node].namespace != NS_MATHML
        return True
    if token.kind == TOKEN_TEXT or token.kind == TOKEN_NULL:
        return not element.flags & (FLAG_HTML_INTEGRATION | FLAG_MATHML_TEXT)
    return True


cdef bint _break_out(TreeBuilder* b) noexcept nogil:
    """An HTML tag in foreign content: leave it, and process the token by the insertion mode."""
    while b.depth > 1 and _current(b).flags & FLAG_FOREIGN:
        if _current(b).flags & (FLAG_HTML_INTEGRATION | FLAG_MATHML_TEXT):
            break
        _pop(b)
    return _by_insertion_mode(b)


cdef bint _end_tag_in_foreign(TreeBuilder* b) noexcept nogil:
    """"Any other end tag" in foreign content."""
    cdef uint32_t tag = b.tokenizer.token.tag
    cdef uint32_t i = b.depth
    cdef uint32_t lowest = _search_end(b)
    while i > lowest:
        i -= 1
        if i == 0:
            return False
        if not b.stack[i].flags & FLAG_FOREIGN:
            return _by_insertion_mode(b)
        if b.arena.nodes[b.stack[i].node].tag == tag:
            _pop_to(b, i)
            return False
    return False


cdef bint _in_foreign_content(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    cdef const uint8_t* p
    if token.kind == TOKEN_TEXT:
        _insert_text(b, token.start, token.length)
        if b.frameset_ok:
            p = bytes_at(b.arena, token.start, token.length)
            if skip_space(p, p + token.length) != p + token.length:
                b.frameset_ok = False
        return False
    if token.kind == TOKEN_NULL:
        _insert_replacements(b, token.length)
        return False
    if token.kind == TOKEN_COMMENT:
        _insert_comment(b, _place(b))
        return False
    if token.kind == TOKEN_START_TAG:
        if _flags_of(b, tag) & FLAG_BREAKOUT or (
            tag == TAG_FONT
            and (_has_attribute(b, ATTR_COLOR) or _has_attribute(b, ATTR_FACE) or _has_attribute(b, ATTR_SIZE))
        ):
            return _break_out(b)
        _insert_foreign(b, b.arena.nodes[_current(b).node].namespace)
        return False
    if token.kind == TOKEN_END_TAG:
        if tag == TAG_BR or tag == TAG_P:
            return _break_out(b)
        return _end_tag_in_foreign(b)
    return False


# --- the loop --------------------------------------------------------------------------------------------------------


cdef bint _by_insertion_mode(TreeBuilder* b) noexcept nogil:
    """Process the current token by the rules of the insertion mode."""
    cdef uint32_t mode = b.mode
    if mode == IN_BODY:
        return _in_body(b)
    if mode == TEXT:
        return _text_mode(b)
    if mode == IN_CELL:
        return _in_cell(b)
    if mode == IN_ROW:
        return _in_row(b)
    if mode == IN_TABLE_TEXT:
        return _in_table_text(b)
    if mode == IN_TABLE_BODY:
        return _in_table_body(b)
    if mode == IN_TABLE:
        return _in_table(b)
    if mode == IN_CAPTION:
        return _in_caption(b)
    if mode == IN_COLUMN_GROUP:
        return _in_column_group(b)
    if mode == IN_HEAD:
        return _in_head(b)
    if mode == INITIAL:
        return _initial(b)
    if mode == BEFORE_HTML:
        return _before_html(b)
    if mode == BEFORE_HEAD:
        return _before_head(b)
    if mode == IN_HEAD_NOSCRIPT:
        return _in_head_noscript(b)
    if mode == AFTER_HEAD:
        return _after_head(b)
    if mode == IN_TEMPLATE:
        return _in_template(b)
    if mode == AFTER_BODY:
        return _after_body(b)
    if mode == IN_FRAMESET:
        return _in_frameset(b)
    if mode == AFTER_FRAMESET:
        return _after_frameset(b)
    if mode == AFTER_AFTER_BODY:
        return _after_after_body(b)
    return _after_after_frameset(b)


cdef inline void _process_token(TreeBuilder* b) noexcept nogil:
    """The tree construction dispatcher."""
    cdef Token* token = &b.tokenizer.token
    cdef bint again = True
    if b.skip_newline:
        b.skip_newline = False
        if token.kind == TOKEN_TEXT and bytes_at(b.arena, token.start, token.length)[0] == c'\n':
            token.start += 1
            token.length -= 1
            if token.length == 0:
                return
    while again:
        if b.depth != 0 and _current(b).flags & FLAG_FOREIGN and _is_for_foreign(b):
            again = _in_foreign_content(b)
        else:
            again = _by_insertion_mode(b)


cdef void build_tree(TreeBuilder* b, Tokenizer* tokenizer, Arena* arena) noexcept nogil:
    """Build the tree of the page that the tokenizer was started on; arena.status says how it ended."""
    cdef uint32_t kind
    b.arena = arena
    b.tokenizer = tokenizer
    b.mode = INITIAL
    b.original_mode = INITIAL
    b.in_order = True
    b.quirks = False
    b.frameset_ok = True
    b.foster_parenting = False
    b.skip_newline = False
    b.has_selectedcontent = False
    b.head = 0
    b.form = 0
    b.depth = 0
    b.n_formatting = 0
    b.n_templates = 0
    b.pending = 0
    b.last_pending = 0
    b.pending_not_space = False
    memset(b.open_count, 0, sizeof(b.open_count))
    arena.n_nodes = 0
    arena.n_pieces = 1      # 0 means none
    if _reserve(b) < 0:
        return
    _new_node(b, KIND_DOCUMENT)
    while _reserve(b) == 0:
        tokenizer.cdata_allowed = b.depth != 0 and _current(b).flags & FLAG_FOREIGN != 0
        kind = next_token(tokenizer)
        if arena.status >= STATUS_TOO_MANY_NODES or arena.n_nodes >= b.max_nodes:
            if arena.status < STATUS_TOO_MANY_NODES and kind != TOKEN_EOF:
                arena.status = STATUS_TOO_MANY_NODES
            kind = TOKEN_EOF
            tokenizer.token.kind = TOKEN_EOF
        _process_token(b)
        if kind == TOKEN_EOF:
            return


# --- sealing ---------------------------------------------------------------------------------------------------------


cdef void _join_pieces(TreeBuilder* b) noexcept nogil:
    """Copy the pieces of each text that came from several places together."""
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
            append_side(arena, bytes_at(arena, arena.pieces[piece].start, arena.pieces[piece].length), arena.pieces[piece].length)
            piece = arena.pieces[piece].next
        node.start = <uint32_t>SIDE | start
        node.length = <uint32_t>length


cdef bint _node_has(Arena* arena, uint32_t n, uint32_t name) noexcept nogil:
    """Whether an element has an attribute."""
    cdef uint32_t i
    for i in range(arena.nodes[n].attributes, arena.nodes[n].attributes + arena.nodes[n].n_attributes):
        if arena.attributes[i].name == name:
            return True
    return False


cdef inline bint _is_html(const Node* node, uint32_t tag) noexcept nogil:
    return node.tag == tag and node.kind == KIND_ELEMENT and node.namespace == NS_HTML


cdef uint32_t _select_of(Arena* arena, uint32_t n) noexcept nogil:
    """Return the select that a selectedcontent belongs to, 0 for none: one in an option or another one counts for nothing."""
    cdef const Node* node
    while True:
        n = arena.nodes[n].parent
        node = arena.nodes + n
        if n == 0 or _is_html(node, TAG_OPTION) or _is_html(node, TAG_SELECTEDCONTENT):
            return 0
        if _is_html(node, TAG_SELECT):
            return n


cdef uint32_t _selected_option(Arena* arena, uint32_t select) noexcept nogil:
    """Return the option of a select that is shown when nobody has chosen: the last marked one, else the first that is not disabled."""
    cdef Link* links = arena.links
    cdef uint32_t n = links[select].first
    cdef uint32_t first = 0
    cdef uint32_t marked = 0
    while n != 0:
        if _is_html(arena.nodes + n, TAG_OPTION):
            if _node_has(arena, n, ATTR_SELECTED):
                marked = n
            elif first == 0 and not _node_has(arena, n, ATTR_DISABLED):
                first = n
        if links[n].first != 0 and not _is_html(arena.nodes + n, TAG_SELECT):
            n = links[n].first
            continue
        while n != select and links[n].next == 0:
            n = arena.nodes[n].parent
        n = links[n].next if n != select else 0
    return marked if marked != 0 else first


cdef void _copy_below(TreeBuilder* b, uint32_t source, uint32_t target) noexcept nogil:
    """Put copies of what is below `source` below `target`, which is not in it, in place of what was there."""
    cdef Arena* arena = b.arena
    cdef uint32_t n = arena.links[source].first
    cdef uint32_t copy
    arena.links[target].first = 0
    arena.links[target].last = 0
    while n != 0:
        if arena.n_nodes >= b.max_nodes:
            arena.status = STATUS_TOO_MANY_NODES
            return
        if _reserve(b) < 0:
            return
        copy = _new_node(b, arena.nodes[n].kind)
        arena.nodes[copy] = arena.nodes[n]
        _link_last(arena, copy, target)
        if arena.links[n].first != 0:
            n = arena.links[n].first
            target = copy
            continue
        while n != source and arena.links[n].next == 0:
            n = arena.nodes[n].parent
            target = arena.nodes[target].parent
        n = arena.links[n].next if n != source else 0


cdef void _fill_selectedcontent(TreeBuilder* b) noexcept nogil:
    """"Maybe clone an option into selectedcontent", for each select, once the page is read.

    The standard copies whenever an option is closed; only the last copy is left to be seen. The outer of nested selects comes first, so
    that what is copied of the inner one has no copies in it yet.
    """
    cdef Arena* arena = b.arena
    cdef uint32_t n_built = arena.n_nodes
    cdef uint32_t n, select, option
    if not b.has_selectedcontent or arena.status >= STATUS_TOO_MANY_NODES or _leave_order(b, n_built) < 0:
        return
    for n in range(n_built):
        arena.nodes[n].end = 0      # until it is sealed: whether a select is done
    for n in range(1, n_built):
        if not _is_html(arena.nodes + n, TAG_SELECTEDCONTENT):
            continue
        select = _select_of(arena, n)
        if select == 0 or arena.nodes[select].end != 0:
            continue
        arena.nodes[select].end = 1
        if not _node_has(arena, select, ATTR_MULTIPLE):
            option = _selected_option(arena, select)
            if option != 0:
                _copy_below(b, option, n)


cdef void seal(TreeBuilder* b) noexcept nogil:
    """Bring the nodes into document order and set where each subtree ends.

    Nodes that were created in that order only need the subtrees closed that are still open. Else the tree is walked by its links, and
    what no longer hangs in it (a body that a frameset replaced) is left behind.
    """
    cdef Arena* arena = b.arena
    cdef Link* links
    cdef Node* nodes
    cdef Node* sealed
    cdef uint32_t n, count
    cdef size_t capacity
    if arena.n_nodes == 0:
        return
    _join_pieces(b)
    _fill_selectedcontent(b)
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
    links[0].previous = 0       # from here on: the number in document order
    count = 1
    n = links[0].first
    while n != 0:
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
