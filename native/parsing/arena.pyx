# SPDX-License-Identifier: Apache-2.0
"""Growing and freeing the arena, and the element names that tags.pxd lacks."""

from libc.stdlib cimport free
from libc.string cimport memcmp, memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY, make_room
from thresher.native.base.hash_table cimport *
from thresher.native.parsing.tags cimport TAG_COUNT, NameTables

cdef enum:
    SIDE_LIMIT = 0x7FFFFFFF     # addresses in the side buffer have 31 bits


cdef int start_arena(Arena* arena, const NameTables* names) noexcept nogil:
    """Empty the arena for the next page, but keep its memory. The side buffer begins with the spelling of known
    attributes.
    """
    arena.n_nodes = 0
    arena.n_attributes = 0
    arena.n_pieces = 0
    arena.n_unknown = 0
    arena.side_length = 0
    arena.status = STATUS_OK
    empty_table(&arena.unknown_names)
    if reserve_side(arena, names.spelling_length) < 0:
        return OUT_OF_MEMORY
    append_side(arena, names.spelling, names.spelling_length)
    return 0


cdef int grow_side(Arena* arena, uint64_t more) noexcept nogil:
    """Make room for more bytes in the side buffer."""
    cdef uint64_t needed = arena.side_length + more
    if needed > SIDE_LIMIT or make_room(&arena.side, &arena.side_capacity, needed) < 0:
        arena.status = STATUS_ERROR
        return OUT_OF_MEMORY
    return 0


cdef int grow_attributes(Arena* arena, uint64_t more) noexcept nogil:
    """Make room for more attributes."""
    if make_room(&arena.attributes, &arena.attributes_capacity, arena.n_attributes + more) < 0:
        arena.status = STATUS_ERROR
        return OUT_OF_MEMORY
    return 0


cdef uint32_t unknown_tag(Arena* arena, uint32_t start, uint32_t length) noexcept nogil:
    """The number on this page of an element name that tags.pxd lacks."""
    cdef const uint8_t* name = bytes_at(arena, start, length)
    cdef const UnknownName* known
    cdef uint64_t key = key_of_bytes(name, length, hash_secret())
    cdef uint32_t i
    cdef int entered
    if make_room(&arena.unknown, &arena.unknown_capacity, <size_t>arena.n_unknown + 1) < 0:
        arena.status = STATUS_ERROR
        return <uint32_t>TAG_COUNT
    while True:
        entered = enter_key(&arena.unknown_names, key, arena.n_unknown, &i)
        if entered < 0:
            arena.status = STATUS_ERROR
            return <uint32_t>TAG_COUNT
        if entered != KNOWN_KEY:
            arena.unknown[arena.n_unknown] = UnknownName(start=start, length=length)
            arena.n_unknown += 1
            return <uint32_t>TAG_COUNT + i
        known = arena.unknown + i
        if known.length == length and memcmp(bytes_at(arena, known.start, length), name, length) == 0:
            return <uint32_t>TAG_COUNT + i
        key += 1        # a different name has this key


cdef void free_arena(Arena* arena) noexcept nogil:
    """Free all memory and leave an empty arena. Safe on a half-built arena."""
    free(arena.nodes)
    free(arena.sealed)
    free(arena.links)
    free(arena.attributes)
    free(arena.side)
    free(arena.pieces)
    free(arena.unknown)
    free_table(&arena.unknown_names)
    memset(arena, 0, sizeof(Arena))


cdef uint64_t arena_bytes(const Arena* arena) noexcept nogil:
    """Bytes of memory held."""
    return (
        arena.nodes_capacity * sizeof(Node)
        + arena.sealed_capacity * sizeof(Node)
        + arena.links_capacity * sizeof(Link)
        + arena.attributes_capacity * sizeof(Attribute)
        + arena.side_capacity
        + arena.pieces_capacity * sizeof(Piece)
        + arena.unknown_capacity * sizeof(UnknownName)
        + arena.unknown_names.capacity * sizeof(HashEntry)
    )
