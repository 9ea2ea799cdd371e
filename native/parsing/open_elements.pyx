# SPDX-License-Identifier: Apache-2.0
"""The stack of open elements: pushing, popping, and what is in scope (HTML standard, 13.2.4.2)."""

from libc.string cimport memmove



cdef void pop_until_flag(TreeBuilder* b, uint32_t flag) noexcept nogil:
    """Pop elements until one with this flag has been popped."""
    cdef uint32_t popped
    while b.depth > 1:
        popped = b.stack[b.depth - 1].flags
        pop_element(b)
        if popped & flag:
            return


cdef void remove_from_stack(TreeBuilder* b, uint32_t at) noexcept nogil:
    """Remove an element from anywhere in the stack."""
    cdef uint32_t tag = b.stack[at].tag
    cdef uint32_t i
    THRESHER_CHECK(at < b.depth)
    if tag < TAG_COUNT:
        b.open_count[tag] -= 1
    b.depth -= 1
    memmove(&b.stack[at], &b.stack[at + 1], (b.depth - at) * sizeof(OpenElement))
    for i in range(b.n_formatting):
        if b.formatting[i].depth > at:
            b.formatting[i].depth -= 1


cdef void insert_in_stack(TreeBuilder* b, uint32_t at, OpenElement element) noexcept nogil:
    """Insert an element anywhere in the stack."""
    cdef uint32_t i
    THRESHER_CHECK(at <= b.depth and b.depth < b.stack_capacity)
    if element.tag < TAG_COUNT:
        b.open_count[element.tag] += 1
    memmove(&b.stack[at + 1], &b.stack[at], (b.depth - at) * sizeof(OpenElement))
    b.stack[at] = element
    b.depth += 1
    for i in range(b.n_formatting):
        if b.formatting[i].depth >= at:
            b.formatting[i].depth += 1


cdef bint flag_in_scope(TreeBuilder* b, uint32_t flag, uint32_t ends) noexcept nogil:
    """True if an element with this flag is in scope."""
    cdef uint32_t i = b.depth
    cdef uint32_t lowest = search_end(b)
    while i > lowest:
        i -= 1
        if b.stack[i].flags & flag:
            return True
        if b.stack[i].flags & ends:
            return False
    return False


cdef uint32_t depth_in_scope(TreeBuilder* b, uint32_t node) noexcept nogil:
    """Return an element's position in the stack if it is in scope, otherwise 0, the position of html."""
    cdef uint32_t i = b.depth
    cdef uint32_t lowest = search_end(b)
    while i > lowest:
        i -= 1
        if b.stack[i].node == node:
            return i
        if b.stack[i].flags & FLAG_SCOPE:
            return 0
    return 0
