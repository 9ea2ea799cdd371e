# SPDX-License-Identifier: Apache-2.0
"""Finds segments and shadow roots, and writes the tree anew with each in its place."""

from libc.string cimport memchr, memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY, make_room
from thresher.native.base.hash_table cimport *
from thresher.native.base.scratch cimport held
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport *


cdef enum:
    MAX_NESTED = 32         # segments within each other
    MAX_ID = 128            # bytes of a segment's or placeholder's id
    SAME_KEY = 8            # names with one key that are compared


cdef enum PartRole:
    ROLE_NONE = 0
    ROLE_MOVED = 1          # a segment: written elsewhere
    ROLE_GONE = 2           # of a fallback: not shown
    ROLE_PLACEHOLDER = 3    # its target is the segment
    ROLE_HOST = 4           # its target is the template of its shadow root
    ROLE_SLOT = 5           # its target is the first child of the host that it shows


# --- segments ---


cdef bint is_part_id(Slice id) noexcept nogil:
    """True for an id that ends like B:0, P:1f or S:2: those of boundaries, placeholders and segments."""
    cdef uint32_t i = id.length
    if not 3 <= id.length <= MAX_ID:
        return False
    while i > 0 and (c"0" <= id.data[i - 1] <= c"9" or c"a" <= id.data[i - 1] <= c"f"):
        i -= 1
    return 2 <= i < id.length and id.data[i - 1] == c":" and id.data[i - 2] in (c"B", c"P", c"S")


cdef uint32_t node_named(
    Placing* placing, const Tree* tree, uint32_t attribute, Slice name, uint32_t around, const uint32_t* scope,
    uint32_t enter, bint* failed
) noexcept nogil:
    """The node with a name in an attribute, of those that `scope` says are around a node; 0 if there is none. `enter`
    enters a node, unless it is 0. The first of several with one name counts, as in a browser.
    """
    cdef uint64_t key = key_of_bytes(name.data, name.length, hash_secret()) ^ (<uint64_t> around << 32)
    cdef uint32_t found, tried
    cdef int outcome
    cdef Slice other
    for tried in range(SAME_KEY):
        if enter:
            outcome = enter_key(&placing.names, key + tried, enter, &found)
            if outcome != KNOWN_KEY:
                failed[0] = failed[0] or outcome < 0
                return enter
        else:
            found = find_key(&placing.names, key + tried)
            if found == <uint32_t> NOT_FOUND:
                return 0
        other = value_in(tree, found, attribute)
        if (scope == NULL or scope[found] == around) and other.length == name.length and (
            name.length == 0 or same_bytes(other, name)
        ):
            return found
    return 0


cdef const uint8_t* read_argument(const uint8_t* p, const uint8_t* end, Slice* found) noexcept nogil:
    """Read a string of a call that begins at p or after white space, and return the end of it. NULL if there is none."""
    cdef const uint8_t* close
    while p < end and is_space(p[0]):
        p += 1
    if p == end or (p[0] != c'"' and p[0] != c"'"):
        return NULL
    close = <const uint8_t*> memchr(p + 1, p[0], min(<size_t> (end - p - 1), <size_t> MAX_ID + 1))
    if close == NULL:
        return NULL
    found.data = p + 1
    found.length = <uint32_t> (close - p - 1)
    return close + 1


cdef int read_calls(Placing* placing, const Tree* tree, Slice script) noexcept nogil:
    """Note what the calls of $RC, $RR and $RS in a script move."""
    cdef const uint8_t* p = script.data
    cdef const uint8_t* end = p + script.length
    cdef const uint8_t* after
    cdef Slice[2] ids
    cdef Move* move
    cdef uint32_t first, second
    cdef uint8_t kind
    cdef bint failed = False
    while end - p > 4:
        p = <const uint8_t*> memchr(p, c"$", end - p - 4)
        if p == NULL:
            return 0
        kind = p[2]
        p += 1
        if p[0] != c"R" or p[2] != c"(" or (kind != c"C" and kind != c"R" and kind != c"S"):
            continue
        after = read_argument(p + 3, end, &ids[0])
        while after != NULL and after < end and is_space(after[0]):
            after += 1
        if after == NULL or after == end or after[0] != c",":
            continue
        after = read_argument(after + 1, end, &ids[1])
        if after == NULL:
            continue
        p = after
        first = node_named(placing, tree, ATTR_ID, ids[0], 0, NULL, 0, &failed)
        second = node_named(placing, tree, ATTR_ID, ids[1], 0, NULL, 0, &failed)
        if first == 0 or second == 0:
            continue
        if make_room(&placing.moves, &placing.moves_capacity, <size_t> placing.n_moves + 1) < 0:
            return OUT_OF_MEMORY
        move = placing.moves + placing.n_moves
        move.boundary = kind != c"S"
        move.placeholder = first if move.boundary else second
        move.segment = second if move.boundary else first
        if (
            is_html(tree.nodes + move.placeholder, TAG_TEMPLATE) and not is_html(tree.nodes + move.segment, TAG_TEMPLATE)
            and placing.roles[move.segment] == ROLE_NONE and placing.roles[move.placeholder] == ROLE_NONE
        ):
            placing.roles[move.segment] = ROLE_MOVED
            placing.roles[move.placeholder] = ROLE_PLACEHOLDER
            placing.n_moves += 1
    return 0


cdef void forget_move(Placing* placing, uint32_t i) noexcept nogil:
    """Leave a segment where it is."""
    placing.roles[placing.moves[i].segment] = ROLE_NONE
    placing.roles[placing.moves[i].placeholder] = ROLE_NONE
    placing.moves[i].segment = 0


cdef void forget_circles(Placing* placing, const Tree* tree, uint32_t* inner, uint32_t* place) noexcept nogil:
    """Leave segments where they are that would be inside themselves or too deep. `inner` becomes the moved segment
    around each node, `place` the placeholder of each segment.
    """
    cdef uint32_t n, i, step, segment
    inner[0] = 0
    for n in range(1, tree.n_nodes):
        inner[n] = n if placing.roles[n] == ROLE_MOVED else inner[tree.nodes[n].parent]
    for i in range(placing.n_moves):
        place[placing.moves[i].segment] = placing.moves[i].placeholder
    for i in range(placing.n_moves):
        segment = placing.moves[i].segment
        for step in range(MAX_NESTED):
            segment = inner[place[segment]]
            if segment == 0:
                break
        if segment != 0:
            forget_move(placing, i)


cdef bint says(const Tree* tree, uint32_t n, const char* text) noexcept nogil:
    """True for a comment of these words."""
    cdef const Node* node = tree.nodes + n
    return node.kind == KIND_COMMENT and node.length == strlen(text) and begins(text_of(tree, n), text)


cdef void drop_fallback(Placing* placing, const Tree* tree, uint32_t placeholder, uint64_t* budget) noexcept nogil:
    """Drop what a boundary shows until its segment comes: the siblings up to the comment that ends the boundary. Without
    such a comment nothing is dropped.
    """
    cdef const Node* nodes = tree.nodes
    cdef uint32_t n = nodes[placeholder].end, end = nodes[nodes[placeholder].parent].end, close = 0
    cdef uint32_t depth = 0
    while n < end and budget[0] > 0:
        budget[0] -= 1
        if says(tree, n, b"/$"):
            if depth == 0:
                close = n
                break
            depth -= 1
        elif says(tree, n, b"$") or says(tree, n, b"$?") or says(tree, n, b"$!") or says(tree, n, b"$~"):
            depth += 1
        n = nodes[n].end
    if close == 0:
        return
    n = nodes[placeholder].end
    while n < close:
        if placing.roles[n] != ROLE_MOVED:
            placing.roles[n] = ROLE_GONE
        n = nodes[n].end


cdef bint runs(const Tree* tree, uint32_t n) noexcept nogil:
    """True for a script with a text that a browser runs."""
    cdef Slice type = value_in(tree, n, ATTR_TYPE)
    return tree.nodes[n].end > n + 1 and tree.nodes[n + 1].kind == KIND_TEXT and (
        type.length == 0 or is_word(type, b"text/javascript") or is_word(type, b"application/javascript")
        or is_word(type, b"module")
    )


cdef int find_moves(Placing* placing, const Tree* tree, uint32_t* target, uint32_t* spare) noexcept nogil:
    """Decide which segments are moved, and where."""
    cdef uint32_t n, i, past = 0    # where noscript ends
    cdef uint64_t budget = 4 * <uint64_t> tree.n_nodes
    for n in range(1, tree.n_nodes - 1):
        if is_html(tree.nodes + n, TAG_NOSCRIPT):
            past = max(past, tree.nodes[n].end)
        elif n >= past and is_html(tree.nodes + n, TAG_SCRIPT) and runs(tree, n):
            if read_calls(placing, tree, text_of(tree, n + 1)) < 0:
                return OUT_OF_MEMORY
    if placing.n_moves == 0:
        return 0
    forget_circles(placing, tree, spare, target)
    for i in range(placing.n_moves):
        if placing.moves[i].segment != 0 and placing.moves[i].boundary:
            drop_fallback(placing, tree, placing.moves[i].placeholder, &budget)
    spare[0] = 0
    for n in range(1, tree.n_nodes):        # what is not written, with all that is in it
        spare[n] = placing.roles[n] == ROLE_GONE or (spare[tree.nodes[n].parent] and placing.roles[n] != ROLE_MOVED)
    for i in range(placing.n_moves):
        n = placing.moves[i].placeholder
        if placing.moves[i].segment == 0:
            continue
        if spare[n]:
            forget_move(placing, i)
        else:
            target[n] = placing.moves[i].segment
    return 0


# --- shadow roots ---


cdef bint may_be_host(const Node* node) noexcept nogil:
    """True for the elements that can have a shadow root (DOM standard, 4.8)."""
    cdef uint32_t tag = node.tag
    if node.kind != KIND_ELEMENT or node.namespace != NS_HTML:
        return False
    return (
        tag >= TAG_COUNT or TAG_H1 <= tag <= TAG_H6 or tag == TAG_ARTICLE or tag == TAG_ASIDE or tag == TAG_BLOCKQUOTE
        or tag == TAG_BODY or tag == TAG_DIV or tag == TAG_FOOTER or tag == TAG_HEADER or tag == TAG_MAIN
        or tag == TAG_NAV or tag == TAG_P or tag == TAG_SECTION or tag == TAG_SPAN
    )


cdef bint is_shadow_root(const Tree* tree, uint32_t n) noexcept nogil:
    """True for a template with a shadow root for its parent."""
    cdef Slice mode = value_in(tree, n, ATTR_SHADOWROOTMODE)
    return (
        (is_word(mode, b"open") or is_word(mode, b"closed"))
        and may_be_host(tree.nodes + tree.nodes[n].parent)
        and n + 1 < tree.nodes[n].end and tree.nodes[n + 1].kind == KIND_CONTENT
    )


cdef int fill_slots(
    Placing* placing, const Tree* tree, uint32_t* target, uint32_t* next, uint32_t* scope, uint32_t* last
) noexcept nogil:
    """Give each child of a host to the slot that shows it, or to the template. `target` of a slot or template is the
    first child that it gets, `next` of a child the one after it.
    """
    cdef const Node* nodes = tree.nodes
    cdef uint32_t n, parent, child, to
    cdef bint failed = False
    empty_table(&placing.names)
    scope[0] = 0
    for n in range(1, tree.n_nodes):
        parent = nodes[n].parent
        scope[n] = scope[parent]
        if nodes[n].kind == KIND_CONTENT:
            scope[n] = 0        # of another template: nothing in it is shown
            if placing.roles[nodes[parent].parent] == ROLE_HOST and target[nodes[parent].parent] == parent:
                scope[n] = nodes[parent].parent
        elif scope[n] and is_html(nodes + n, TAG_STYLE):
            placing.roles[n] = ROLE_GONE    # it styles the shadow root alone
        elif scope[n] and is_html(nodes + n, TAG_SLOT):
            node_named(placing, tree, ATTR_NAME, value_in(tree, n, ATTR_NAME), scope[n], scope, n, &failed)
    if failed:
        return OUT_OF_MEMORY
    for n in range(1, tree.n_nodes):
        if placing.roles[n] != ROLE_HOST:
            continue
        child = n + 1
        while child < nodes[n].end:
            if child != target[n]:
                to = 0
                if nodes[child].kind == KIND_TEXT or nodes[child].kind == KIND_ELEMENT:
                    to = node_named(placing, tree, ATTR_NAME, value_in(tree, child, ATTR_SLOT), n, scope, 0, &failed)
                if to == 0:
                    to = target[n]
                elif placing.roles[to] == ROLE_NONE:
                    placing.roles[to] = ROLE_SLOT
                if target[to] == 0:
                    target[to] = child
                else:
                    next[last[to]] = child
                last[to] = child
            child = nodes[child].end
    return 0


# --- the new order ---


cdef Frame frame_of(uint32_t at, uint32_t end, uint32_t parent, uint32_t template, bint chain) noexcept nogil:
    return Frame(at=at, start=at, end=end, parent=parent, template=template, chain=chain)


cdef int write_tree(
    Placing* placing, Arena* arena, Tree* tree, const uint32_t* target, const uint32_t* next, uint32_t* number
) noexcept nogil:
    """Copy the nodes in the order in which they are shown. `number` becomes the new number of each node."""
    cdef const Node* nodes = tree.nodes
    cdef Node* written
    cdef Frame* frame
    cdef uint32_t n, count = 1, n_frames = 1, parent
    cdef size_t capacity
    if (
        make_room(&arena.sealed, &arena.sealed_capacity, tree.n_nodes) < 0
        or make_room(&placing.frames, &placing.frames_capacity, 2) < 0
    ):
        return OUT_OF_MEMORY
    written = arena.sealed
    written[0] = nodes[0]
    number[0] = 0
    placing.frames[0] = frame_of(1, tree.n_nodes, 0, 0, False)
    while n_frames > 0:
        frame = placing.frames + n_frames - 1
        if frame.at >= frame.end:
            if frame.chain and next[frame.start] != 0:
                n = next[frame.start]
                frame[0] = frame_of(n, nodes[n].end, frame.parent, frame.template, True)
            elif frame.template != 0 and target[frame.template] != 0:
                THRESHER_CHECK(count + 1 < tree.n_nodes)
                n = frame.template      # with the children that are not shown
                written[count] = nodes[n]
                written[count].parent = frame.parent
                written[count + 1] = nodes[n + 1]
                written[count + 1].parent = count
                n = target[n]
                frame[0] = frame_of(n, nodes[n].end, count + 1, 0, True)
                count += 2
            else:
                n_frames -= 1
            continue
        n = frame.at
        frame.at = nodes[n].end
        parent = frame.parent if nodes[n].parent < frame.start else number[nodes[n].parent]
        if placing.roles[n] == ROLE_MOVED or placing.roles[n] == ROLE_GONE:
            continue
        # The frame moves if the array grows.
        if make_room(&placing.frames, &placing.frames_capacity, <size_t> n_frames + 1) < 0:
            return OUT_OF_MEMORY
        frame = placing.frames + n_frames
        if placing.roles[n] == ROLE_PLACEHOLDER:
            frame[0] = frame_of(target[n] + 1, nodes[target[n]].end, parent, 0, False)
            n_frames += 1
            continue
        THRESHER_CHECK(count < tree.n_nodes)
        written[count] = nodes[n]
        written[count].parent = parent
        number[n] = count
        if placing.roles[n] == ROLE_HOST:
            frame[0] = frame_of(target[n] + 2, nodes[target[n]].end, count, target[n], False)
            n_frames += 1
        elif placing.roles[n] == ROLE_SLOT:
            frame[0] = frame_of(target[n], nodes[target[n]].end, count, 0, True)
            n_frames += 1
        else:
            placing.frames[n_frames - 1].at = n + 1
        count += 1
    for n in range(count):
        written[n].end = n + 1
    n = count
    while n > 1:
        n -= 1
        if written[n].end > written[written[n].parent].end:
            written[written[n].parent].end = written[n].end
    arena.sealed = arena.nodes
    arena.nodes = written
    capacity = arena.nodes_capacity
    arena.nodes_capacity = arena.sealed_capacity
    arena.sealed_capacity = capacity
    arena.n_nodes = count
    tree.nodes = arena.nodes
    tree.n_nodes = count
    return 0


cdef int place_parts(Placing* placing, Arena* arena, Tree* tree) noexcept nogil:
    """Put the segments and shadow roots of a sealed tree in place. Asked only for pages with a template element."""
    cdef const Node* nodes = tree.nodes
    cdef uint32_t n, past = 0, segments = 0, placeholders = 0, hosts = 0
    cdef uint32_t* target
    cdef size_t size = tree.n_nodes
    cdef bint failed = False
    cdef Slice id
    if (
        make_room(&placing.numbers, &placing.numbers_capacity, 4 * size) < 0
        or make_room(&placing.roles, &placing.roles_capacity, size) < 0
    ):
        return OUT_OF_MEMORY
    target = placing.numbers
    memset(target, 0, 2 * size * sizeof(uint32_t))
    memset(placing.roles, ROLE_NONE, size)
    placing.n_moves = 0
    empty_table(&placing.names)
    for n in range(1, tree.n_nodes):
        if nodes[n].kind != KIND_ELEMENT or nodes[n].n_attributes == 0:
            continue
        if is_html(nodes + n, TAG_TEMPLATE) and is_shadow_root(tree, n):
            if placing.roles[nodes[n].parent] == ROLE_NONE:
                placing.roles[nodes[n].parent] = ROLE_HOST
                target[nodes[n].parent] = n
                hosts += 1
        if is_html(nodes + n, TAG_TEMPLATE) and n >= past:
            past = nodes[n].end     # getElementById() does not look into templates
            if is_shadow_root(tree, n):
                continue
        elif n < past:
            continue
        id = value_in(tree, n, ATTR_ID)
        if is_part_id(id):
            segments += not is_html(nodes + n, TAG_TEMPLATE)
            placeholders += is_html(nodes + n, TAG_TEMPLATE)
            node_named(placing, tree, ATTR_ID, id, 0, NULL, n, &failed)
            if failed:
                return OUT_OF_MEMORY
    if segments and placeholders:
        if find_moves(placing, tree, target, target + 2 * size) < 0:
            return OUT_OF_MEMORY
    if hosts and fill_slots(placing, tree, target, target + size, target + 2 * size, target + 3 * size) < 0:
        return OUT_OF_MEMORY
    if hosts == 0 and placing.n_moves == 0:
        return 0
    return write_tree(placing, arena, tree, target, target + size, target + 2 * size)


cdef size_t placing_memory(Placing* placing, bint freed) noexcept nogil:
    """Bytes of memory held; frees them if asked."""
    cdef size_t total = (
        held(placing.numbers, placing.numbers_capacity * sizeof(uint32_t), freed)
        + held(placing.roles, placing.roles_capacity, freed)
        + held(placing.moves, placing.moves_capacity * sizeof(Move), freed)
        + held(placing.frames, placing.frames_capacity * sizeof(Frame), freed)
        + table_bytes(&placing.names)
    )
    if freed:
        free_table(&placing.names)
        memset(placing, 0, sizeof(Placing))
    return total
