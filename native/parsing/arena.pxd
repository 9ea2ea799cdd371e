# SPDX-License-Identifier: Apache-2.0
"""The arena: the memory one page's tree is built in, kept and reused for the next page.

Nothing is allocated per node. Room for nodes is made once per token, before the tree builder looks at it (see tree_builder.pyx), so
that what follows cannot run out of memory half way. Numbers of items have 32 bits, as the limits of a document see to; capacities are
those of `grow`.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from thresher.native.parsing.tags cimport NameTables
from thresher.native.parsing.tree cimport SIDE, Attribute, Node


cdef enum Status:
    """How parsing a page ended; document.pyx has the words."""
    STATUS_OK = 0
    STATUS_TOO_DEEP = 1             # elements were flattened, nothing is missing
    STATUS_TOO_MANY_BYTES = 2       # from here on: the tree is that of the page's beginning
    STATUS_TOO_MANY_NODES = 3
    STATUS_TOO_MANY_ATTRIBUTES = 4
    STATUS_ERROR = 5                # out of memory


ctypedef struct Link:       # 16 bytes; only for pages whose nodes were not created in document order
    uint32_t first          # first child, 0 for none: node 0, the document, is nobody's child
    uint32_t last           # last child
    uint32_t next           # next sibling
    uint32_t previous       # previous sibling; when sealing, the node's number in document order


ctypedef struct Piece:      # 16 bytes; a further piece of a text node whose text came from several places
    uint32_t start
    uint32_t length
    uint32_t next           # next piece of the same text, 0 for none (piece 0 is never used)
    uint32_t node           # the text node it belongs to


ctypedef struct UnknownName:    # an element name that tags.pxd does not have; its tag is TAG_COUNT + index
    uint32_t start
    uint32_t length
    uint32_t hash


ctypedef struct Slot:       # of a hash table that is emptied by counting `serial` up
    uint32_t serial
    uint32_t index


ctypedef struct Arena:
    const uint8_t* page
    Node* nodes
    uint32_t n_nodes
    size_t nodes_capacity
    Node* sealed                    # the nodes in document order, swapped with `nodes`; only for pages out of order
    size_t sealed_capacity
    Link* links
    size_t links_capacity
    Attribute* attributes
    uint32_t n_attributes
    size_t attributes_capacity
    uint32_t max_attributes
    uint8_t* side
    uint32_t side_length
    size_t side_capacity
    Piece* pieces
    uint32_t n_pieces
    size_t pieces_capacity
    UnknownName* unknown
    uint32_t n_unknown
    size_t unknown_capacity
    Slot* unknown_slots
    size_t unknown_slots_capacity
    uint32_t serial                 # of the page, for unknown_slots
    Status status


cdef bint start_arena(Arena* arena, const NameTables* names) noexcept nogil
cdef bint grow_side(Arena* arena, uint64_t more) noexcept nogil
cdef bint grow_attributes(Arena* arena, uint64_t more) noexcept nogil
cdef uint32_t unknown_tag(Arena* arena, uint32_t start, uint32_t length, uint64_t seed) noexcept nogil
cdef void free_arena(Arena* arena) noexcept nogil
cdef uint64_t arena_bytes(const Arena* arena) noexcept nogil


cdef inline const uint8_t* bytes_at(const Arena* arena, uint32_t start) noexcept nogil:
    """Return where an address points; valid until the side buffer grows."""
    if start & <uint32_t>SIDE:
        return arena.side + (start & ~<uint32_t>SIDE)
    return arena.page + start


cdef inline bint reserve_side(Arena* arena, uint64_t more) noexcept nogil:
    """Make room for more bytes in the side buffer; False, with the status set, where there is none."""
    if arena.side_length + more <= arena.side_capacity:
        return True
    return grow_side(arena, more)


cdef inline bint reserve_attributes(Arena* arena, uint64_t more) noexcept nogil:
    """The same for attributes."""
    if arena.n_attributes + more <= arena.attributes_capacity:
        return True
    return grow_attributes(arena, more)
