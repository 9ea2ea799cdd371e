# SPDX-License-Identifier: Apache-2.0
"""The list of active formatting elements, their reconstruction, and the adoption agency algorithm (HTML standard,
13.2.4.3, 13.2.6.4.7).
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcmp, memmove

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.hash_table cimport HashSecret, hash_secret, key_of_bytes
from thresher.native.parsing.arena cimport Arena, bytes_at
from thresher.native.parsing.construction cimport *
from thresher.native.parsing.insertion cimport *
from thresher.native.parsing.open_elements cimport *
from thresher.native.parsing.tags cimport ATTR_UNKNOWN, FLAG_SPECIAL, TAG_UNKNOWN
from thresher.native.parsing.tree cimport Attribute, Node


cdef void remove_formatting(TreeBuilder* b, uint32_t at) noexcept nogil:
    """Remove an entry from the list."""
    THRESHER_CHECK(at < b.n_formatting)
    b.n_formatting -= 1
    memmove(&b.formatting[at], &b.formatting[at + 1], (b.n_formatting - at) * sizeof(FormattingElement))


cdef uint64_t hash_of_attributes(Arena* arena, const Node* node) noexcept nogil:
    """A hash of an element's attributes that does not depend on their order; never 0. It depends on the secret of the
    process, so no page can give different attributes the same hash.
    """
    cdef const HashSecret* secret = hash_secret()
    cdef const Attribute* attribute = arena.attributes + node.attributes
    cdef const Attribute* end = attribute + node.n_attributes
    cdef uint64_t total = 1, name
    while attribute < end:
        name = attribute.name
        if attribute.name == ATTR_UNKNOWN:
            name = key_of_bytes(
                bytes_at(arena, attribute.name_start, attribute.name_length), attribute.name_length, secret
            )
        total += mixed(name, key_of_bytes(
            bytes_at(arena, attribute.value_start, attribute.value_length), attribute.value_length, secret
        ))
        attribute += 1
    return total if total else 1


cdef inline uint64_t mixed(uint64_t name, uint64_t value) noexcept nogil:
    """A name and a value as one number. Sums of such numbers tell which value belongs to which name."""
    cdef uint64_t both = (value ^ (name << 32 | name >> 32)) * <uint64_t> 0x9E3779B97F4A7C15
    return (both ^ both >> 29) * (2 * name + 1)


cdef bint same_attributes(TreeBuilder* b, FormattingElement* one, FormattingElement* other) noexcept nogil:
    """True if two elements have the same attributes, in any order.

    The hashes are compared first. So a start tag costs one comparison for each open element, however many attributes
    these have, and attributes are compared one by one only where they are the same.
    """
    cdef Arena* arena = b.arena
    cdef Node* first = arena.nodes + one.node
    cdef Node* second = arena.nodes + other.node
    cdef Attribute* a
    cdef Attribute* c
    cdef uint32_t i, j
    if first.n_attributes != second.n_attributes:
        return False
    if first.n_attributes == 0:
        return True
    if first.n_attributes > 32:
        return False        # never treated as duplicates, which keeps this from being quadratic
    if one.attributes == 0:
        one.attributes = hash_of_attributes(arena, first)
    if other.attributes == 0:
        other.attributes = hash_of_attributes(arena, second)
    if one.attributes != other.attributes:
        return False
    for i in range(first.n_attributes):
        a = arena.attributes + first.attributes + i
        for j in range(second.n_attributes):
            c = arena.attributes + second.attributes + j
            if same_attribute_name(arena, a, c):
                if a.value_length != c.value_length:
                    return False
                if memcmp(
                    bytes_at(arena, a.value_start, a.value_length), bytes_at(arena, c.value_start, a.value_length),
                    a.value_length
                ) != 0:
                    return False
                break
        else:
            return False
    return True


cdef void push_formatting(TreeBuilder* b) noexcept nogil:
    """Push the current node onto the list of active formatting elements. The list keeps at most three identical
    elements.
    """
    cdef OpenElement* element = current_node(b)
    cdef FormattingElement added
    cdef uint32_t i = b.n_formatting
    cdef uint32_t alike = 0
    added.node = element.node
    added.tag = element.tag
    added.depth = b.depth - 1
    added.attributes = 0
    while i > 0 and b.formatting[i - 1].node != 0:
        i -= 1
        if b.formatting[i].tag == added.tag and same_attributes(b, &b.formatting[i], &added):
            alike += 1
            if alike == 3:
                remove_formatting(b, i)
                break
    append_formatting(b, added)


cdef void append_formatting(TreeBuilder* b, FormattingElement entry) noexcept nogil:
    """Append an entry. A full list drops its oldest entry."""
    if b.n_formatting == MAX_FORMATTING:
        remove_formatting(b, 0)
    THRESHER_CHECK(b.n_formatting < MAX_FORMATTING)
    b.formatting[b.n_formatting] = entry
    b.n_formatting += 1


cdef void insert_marker(TreeBuilder* b) noexcept nogil:
    """Insert a marker at the end of the list."""
    cdef FormattingElement marker
    marker.node = 0
    marker.tag = TAG_UNKNOWN
    marker.depth = 0
    marker.attributes = 0
    append_formatting(b, marker)


cdef void clear_to_marker(TreeBuilder* b) noexcept nogil:
    """Clear the list of active formatting elements up to the last marker."""
    while b.n_formatting > 0:
        b.n_formatting -= 1
        if b.formatting[b.n_formatting].node == 0:
            return


cdef void reopen_formatting(TreeBuilder* b) noexcept nogil:
    """Reconstruct the active formatting elements, if the last one is not open."""
    cdef uint32_t i = b.n_formatting - 1
    cdef uint32_t n
    cdef FormattingElement* entry
    cdef InsertionPlace place
    while i > 0:
        entry = &b.formatting[i - 1]
        if entry.node == 0 or is_open(b, entry):
            break
        i -= 1
    while i < b.n_formatting:
        entry = &b.formatting[i]
        place = element_place(b)
        n = clone_element(b, entry.node)
        attach_node(b, n, place)
        entry.node = n
        entry.depth = b.depth
        push_element(b, n, entry.tag, flags_of(b, entry.tag))
        i += 1


cdef uint32_t find_formatting(TreeBuilder* b, uint32_t node) noexcept nogil:
    """Return the index of an element in the list; MAX_FORMATTING if it is not there."""
    cdef uint32_t i = b.n_formatting
    while i > 0:
        i -= 1
        if b.formatting[i].node == node:
            return i
    return MAX_FORMATTING


cdef bint adoption_agency(TreeBuilder* b, uint32_t subject) noexcept nogil:
    """The adoption agency algorithm. True if the token is to be treated as any other end tag."""
    cdef Arena* arena = b.arena
    cdef uint32_t outer, inner, i, entry, depth, block_depth, at, bookmark, last, block, clone, child, next
    cdef OpenElement element
    cdef InsertionPlace place
    if current_node(b).tag == subject and find_formatting(b, current_node(b).node) == MAX_FORMATTING:
        pop_element(b)
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
        if not is_open(b, &b.formatting[entry]):
            remove_formatting(b, entry)
            return False
        depth = b.formatting[entry].depth
        if depth != b.depth - 1 and depth_in_scope(b, b.formatting[entry].node) != depth:
            return False
        # the furthest block
        block_depth = depth + 1
        while block_depth < b.depth and not b.stack[block_depth].flags & FLAG_SPECIAL:
            block_depth += 1
        if block_depth == b.depth:
            pop_to_depth(b, depth)
            remove_formatting(b, entry)
            return False
        if leave_order(b, arena.n_nodes) < 0:
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
            i = find_formatting(b, b.stack[at].node)
            if inner > 3 and i != MAX_FORMATTING:
                remove_formatting(b, i)
                if i < entry:
                    entry -= 1
                if i < bookmark:
                    bookmark -= 1
                i = MAX_FORMATTING
            if i == MAX_FORMATTING:
                remove_from_stack(b, at)
                block_depth -= 1
                continue
            clone = clone_element(b, b.stack[at].node)
            b.formatting[i].node = clone
            b.formatting[i].depth = at
            b.stack[at].node = clone
            if last == block:
                bookmark = i + 1
            unlink_node(arena, last)
            link_last(arena, last, clone)
            last = clone
        THRESHER_CHECK(depth > 0 and depth < b.depth)
        place = insertion_place_in(b, &b.stack[depth - 1])
        if last == block:
            unlink_node(arena, last)
        attach_linked(arena, last, place)
        clone = clone_element(b, b.formatting[entry].node)
        child = arena.links[block].first
        arena.links[clone].first = child
        arena.links[clone].last = arena.links[block].last
        while child != 0:
            arena.nodes[child].parent = clone
            child = arena.links[child].next
        arena.links[block].first = 0
        arena.links[block].last = 0
        link_last(arena, clone, block)
        remove_formatting(b, entry)
        if entry < bookmark:
            bookmark -= 1
        remove_from_stack(b, depth)
        block_depth -= 1
        element.node = clone
        element.tag = subject
        element.flags = flags_of(b, subject)
        insert_in_stack(b, block_depth + 1, element)
        THRESHER_CHECK(bookmark <= b.n_formatting and b.n_formatting < MAX_FORMATTING)
        memmove(
            &b.formatting[bookmark + 1], &b.formatting[bookmark],
            (b.n_formatting - bookmark) * sizeof(FormattingElement),
        )
        b.formatting[bookmark].node = clone
        b.formatting[bookmark].tag = subject
        b.formatting[bookmark].depth = block_depth + 1
        b.formatting[bookmark].attributes = 0
        b.n_formatting += 1
    return False
