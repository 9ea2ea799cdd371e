# SPDX-License-Identifier: Apache-2.0
"""The list of active formatting elements, their reconstruction, and the adoption agency algorithm (HTML standard,
13.2.4.3, 13.2.6.4.7).
"""

from libc.stdint cimport uint32_t

from thresher.native.parsing.construction cimport FormattingElement, TreeBuilder


cdef void remove_formatting(TreeBuilder* b, uint32_t at) noexcept nogil
cdef void push_formatting(TreeBuilder* b) noexcept nogil
cdef void insert_marker(TreeBuilder* b) noexcept nogil
cdef void clear_to_marker(TreeBuilder* b) noexcept nogil
cdef void reopen_formatting(TreeBuilder* b) noexcept nogil
cdef uint32_t find_formatting(TreeBuilder* b, uint32_t node) noexcept nogil
cdef bint adoption_agency(TreeBuilder* b, uint32_t subject) noexcept nogil


cdef inline bint is_open(TreeBuilder* b, FormattingElement* entry) noexcept nogil:
    """True if an entry's element is on the stack of open elements."""
    return entry.depth < b.depth and b.stack[entry.depth].node == entry.node


cdef inline void reconstruct_formatting(TreeBuilder* b) noexcept nogil:
    """Reconstruct the active formatting elements."""
    cdef FormattingElement* last
    if b.n_formatting != 0:
        last = &b.formatting[b.n_formatting - 1]
        if last.node != 0 and not is_open(b, last):
            reopen_formatting(b)
