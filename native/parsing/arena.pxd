# SPDX-License-Identifier: Apache-2.0
"""The arena: the memory in which a page's tree is built, reused from page to page.

Nothing is allocated per node. Before the tree builder processes a token, it makes room for all nodes that the token can
create, so it cannot run out of memory half way. The limits of a document keep every number of items below 2^32.

Functions that need memory return 0 or OUT_OF_MEMORY. In the latter case they also set `status` to STATUS_ERROR, and the
page ends there.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.hash_table cimport HashTable
from thresher.native.parsing.tags cimport NameTables
from thresher.native.parsing.tree cimport SIDE, Attribute, Node


cdef enum Status:
    """How parsing of a page ended; document.pyx has the names."""
    STATUS_OK = 0
    STATUS_TOO_DEEP = 1             # elements were flattened, nothing is missing
    STATUS_TOO_MANY_BYTES = 2       # this and the next ones: the tree holds the page's beginning
    STATUS_TOO_MANY_NODES = 3
    STATUS_TOO_MANY_ATTRIBUTES = 4
    STATUS_ERROR = 5                # out of memory


ctypedef struct Link:       # 16 bytes; only for pages whose nodes were not created in document order
    uint32_t first          # first child; 0 for none, because node 0, the document, is nobody's child
    uint32_t last           # last child
    uint32_t next           # next sibling
    uint32_t previous       # previous sibling; when sealing, the node's number in document order


ctypedef struct Piece:      # 16 bytes; a further piece of a text node whose text came from several places
    uint32_t start
    uint32_t length
    uint32_t next           # next piece of the same text, 0 for none (piece 0 is never used)
    uint32_t node           # the text node it belongs to


ctypedef struct UnknownName:    # an element name that tags.pxd lacks; its tag is TAG_COUNT + index
    uint32_t start
    uint32_t length


ctypedef struct Arena:
    const uint8_t* page
    uint32_t page_length
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
    HashTable unknown_names         # maps the key of a name to its index in `unknown`
    Status status


cdef int start_arena(Arena* arena, const NameTables* names) noexcept nogil
cdef int grow_side(Arena* arena, uint64_t more) noexcept nogil
cdef int grow_attributes(Arena* arena, uint64_t more) noexcept nogil
cdef uint32_t unknown_tag(Arena* arena, uint32_t start, uint32_t length) noexcept nogil
cdef void free_arena(Arena* arena) noexcept nogil
cdef uint64_t arena_bytes(const Arena* arena) noexcept nogil


cdef inline const uint8_t* bytes_at(const Arena* arena, uint32_t start, uint32_t length) noexcept nogil:
    """The bytes at an address; valid until the side buffer grows."""
    cdef uint32_t offset = start & ~<uint32_t>SIDE
    if start & <uint32_t>SIDE:
        THRESHER_CHECK(offset <= arena.side_length and length <= arena.side_length - offset)
        return arena.side + offset
    THRESHER_CHECK(offset <= arena.page_length and length <= arena.page_length - offset)
    return arena.page + offset


cdef inline int reserve_side(Arena* arena, uint64_t more) noexcept nogil:
    """Make room for more bytes in the side buffer."""
    if arena.side_length + more <= arena.side_capacity:
        return 0
    return grow_side(arena, more)


cdef inline int reserve_attributes(Arena* arena, uint64_t more) noexcept nogil:
    """Make room for more attributes."""
    if arena.n_attributes + more <= arena.attributes_capacity:
        return 0
    return grow_attributes(arena, more)


cdef inline void append_side(Arena* arena, const uint8_t* bytes, uint32_t length) noexcept nogil:
    """Append bytes to the side buffer, which has room for them."""
    THRESHER_CHECK(<uint64_t> arena.side_length + length <= arena.side_capacity)
    memcpy(arena.side + arena.side_length, bytes, length)
    arena.side_length += length


cdef inline void append_side_byte(Arena* arena, uint8_t byte) noexcept nogil:
    """Append one byte to the side buffer, which has room for it."""
    THRESHER_CHECK(arena.side_length < arena.side_capacity)
    arena.side[arena.side_length] = byte
    arena.side_length += 1


cdef inline Attribute* next_attribute(Arena* arena) noexcept nogil:
    """The next free attribute. There must be room for it."""
    THRESHER_CHECK(arena.n_attributes < arena.attributes_capacity)
    return arena.attributes + arena.n_attributes
