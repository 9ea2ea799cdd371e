# SPDX-License-Identifier: Apache-2.0
"""The stack of open elements: pushing, popping, and what is in scope (HTML standard, 13.2.4.2)."""

from libc.stdint cimport uint32_t

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.parsing.construction cimport MAX_WALK, OpenElement, TreeBuilder
from thresher.native.parsing.tags cimport *


cdef void pop_until_flag(TreeBuilder* b, uint32_t flag) noexcept nogil
cdef void remove_from_stack(TreeBuilder* b, uint32_t at) noexcept nogil
cdef void insert_in_stack(TreeBuilder* b, uint32_t at, OpenElement element) noexcept nogil
cdef bint flag_in_scope(TreeBuilder* b, uint32_t flag, uint32_t ends) noexcept nogil
cdef uint32_t depth_in_scope(TreeBuilder* b, uint32_t node) noexcept nogil


cdef inline uint32_t search_end(TreeBuilder* b) noexcept nogil:
    """The position where a search down the stack of open elements ends, after MAX_WALK of them."""
    return b.depth - MAX_WALK if b.depth > MAX_WALK else 0


cdef inline OpenElement* current_node(TreeBuilder* b) noexcept nogil:
    """The current node. The stack must not be empty."""
    THRESHER_CHECK(b.depth > 0)
    return &b.stack[b.depth - 1]


cdef inline void push_element(TreeBuilder* b, uint32_t node, uint32_t tag, uint32_t flags) noexcept nogil:
    """Push an element. Room for it was made before the token was processed."""
    cdef OpenElement* element = &b.stack[b.depth]
    THRESHER_CHECK(b.depth < b.stack_capacity and node < b.arena.n_nodes)
    element.node = node
    element.tag = tag
    element.flags = flags
    b.depth += 1
    if tag < TAG_COUNT:
        b.open_count[tag] += 1


cdef inline void pop_element(TreeBuilder* b) noexcept nogil:
    """Pop the current node."""
    cdef uint32_t tag
    THRESHER_CHECK(b.depth > 0)
    b.depth -= 1
    tag = b.stack[b.depth].tag
    if tag < TAG_COUNT:
        b.open_count[tag] -= 1


cdef inline void pop_to_depth(TreeBuilder* b, uint32_t depth) noexcept nogil:
    """Pop until `depth` elements are left."""
    THRESHER_CHECK(depth <= b.depth)
    while b.depth > depth:
        pop_element(b)


cdef inline void pop_until(TreeBuilder* b, uint32_t tag) noexcept nogil:
    """Pop elements until one of this tag has been popped. html is never popped."""
    cdef uint32_t popped
    while b.depth > 1:
        popped = b.stack[b.depth - 1].tag
        pop_element(b)
        if popped == tag:
            return


cdef inline bint in_scope_until(TreeBuilder* b, uint32_t tag, uint32_t ends) noexcept nogil:
    """True if an HTML element of this tag is open above the nearest element with one of the flags in `ends`."""
    cdef uint32_t i = b.depth
    cdef uint32_t lowest = search_end(b)
    if b.open_count[tag] == 0:
        return False
    while i > lowest:
        i -= 1
        if b.stack[i].tag == tag:
            return True
        if b.stack[i].flags & ends:
            return False
    return False


cdef inline bint in_scope(TreeBuilder* b, uint32_t tag) noexcept nogil:
    return in_scope_until(b, tag, FLAG_SCOPE)


cdef inline bint in_button_scope(TreeBuilder* b, uint32_t tag) noexcept nogil:
    return in_scope_until(b, tag, FLAG_SCOPE | FLAG_BUTTON_SCOPE)


cdef inline bint in_list_item_scope(TreeBuilder* b, uint32_t tag) noexcept nogil:
    return in_scope_until(b, tag, FLAG_SCOPE | FLAG_LIST_SCOPE)


cdef inline bint in_table_scope(TreeBuilder* b, uint32_t tag) noexcept nogil:
    return in_scope_until(b, tag, FLAG_TABLE_SCOPE)


cdef inline void generate_implied_end_tags(TreeBuilder* b, uint32_t but) noexcept nogil:
    """Generate implied end tags, except for one tag (TAG_UNKNOWN: none)."""
    while current_node(b).flags & FLAG_IMPLIED_END and current_node(b).tag != but:
        pop_element(b)


cdef inline void close_p(TreeBuilder* b) noexcept nogil:
    """Close a p element if there is one in button scope."""
    if b.open_count[<uint32_t>TAG_P] != 0 and in_button_scope(b, TAG_P):
        generate_implied_end_tags(b, TAG_P)
        pop_until(b, TAG_P)


cdef inline uint32_t flags_of(TreeBuilder* b, uint32_t tag) noexcept nogil:
    return b.tokenizer.names.flags[tag] if tag < TAG_COUNT else 0
