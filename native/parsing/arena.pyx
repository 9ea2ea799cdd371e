# SPDX-License-Identifier: Apache-2.0
"""Growing and freeing; what is done once per page or when an array is full."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy, memset

from thresher.native.parsing.scan cimport hash_bytes
from thresher.native.scratch cimport grow
from thresher.native.parsing.tags cimport TAG_COUNT, NameTables
from thresher.native.parsing.tree cimport Attribute, Node

cdef enum:
    SIDE_LIMIT = 0x7FFFFFFF     # addresses in the side buffer have 31 bits


cdef bint start_arena(Arena* arena, const NameTables* names) noexcept nogil:
    """Empty the arena for the next page; its memory is kept. The side buffer begins with the spelling of known attributes."""
    arena.n_nodes = 0
    arena.n_attributes = 0
    arena.n_pieces = 0
    arena.n_unknown = 0
    arena.side_length = 0
    arena.status = STATUS_OK
    arena.serial += 1
    if arena.serial == 0:
        memset(arena.unknown_slots, 0, arena.unknown_slots_capacity * sizeof(Slot))
        arena.serial = 1
    if not reserve_side(arena, names.spelling_length):
        return False
    memcpy(arena.side, names.spelling, names.spelling_length)
    arena.side_length = names.spelling_length
    return True


cdef bint grow_side(Arena* arena, uint64_t more) noexcept nogil:
    """Make room for more bytes in the side buffer."""
    cdef uint8_t* grown
    cdef uint64_t needed = arena.side_length + more
    if needed > SIDE_LIMIT:
        arena.status = STATUS_ERROR
        return False
    grown = <uint8_t*>grow(arena.side, &arena.side_capacity, needed, 1)
    if grown == NULL:
        arena.status = STATUS_ERROR
        return False
    arena.side = grown
    return True


cdef bint grow_attributes(Arena* arena, uint64_t more) noexcept nogil:
    """Make room for more attributes."""
    cdef void* grown = grow(arena.attributes, &arena.attributes_capacity, arena.n_attributes + more, sizeof(Attribute))
    if grown == NULL:
        arena.status = STATUS_ERROR
        return False
    arena.attributes = <Attribute*>grown
    return True


cdef bint _grow_unknown(Arena* arena) noexcept nogil:
    """Make room for one more unknown name, and keep the hash table at most half full."""
    cdef void* grown
    cdef uint32_t i, at, mask
    cdef size_t wanted
    if arena.n_unknown == arena.unknown_capacity:
        grown = grow(arena.unknown, &arena.unknown_capacity, <size_t>arena.n_unknown + 1, sizeof(UnknownName))
        if grown == NULL:
            return False
        arena.unknown = <UnknownName*>grown
    if 2 * (<uint64_t>arena.n_unknown + 1) > arena.unknown_slots_capacity:
        wanted = 256            # a power of two, and four times the names
        while wanted < 4 * (<uint64_t>arena.n_unknown + 1):
            wanted *= 2
        grown = realloc(arena.unknown_slots, wanted * sizeof(Slot))
        if grown == NULL:
            return False
        arena.unknown_slots = <Slot*>grown
        arena.unknown_slots_capacity = wanted
        memset(arena.unknown_slots, 0, wanted * sizeof(Slot))
        arena.serial = 1
        mask = <uint32_t>(wanted - 1)
        for i in range(arena.n_unknown):
            at = arena.unknown[i].hash & mask
            while arena.unknown_slots[at].serial == arena.serial:
                at = (at + 1) & mask
            arena.unknown_slots[at] = Slot(serial=arena.serial, index=i)
    return True


cdef uint32_t unknown_tag(Arena* arena, uint32_t start, uint32_t length, uint64_t seed) noexcept nogil:
    """Return this page's number for an element name that is not in the table, the same for each use of it."""
    cdef const uint8_t* name = bytes_at(arena, start)
    cdef uint32_t hash = hash_bytes(name, length, seed)
    cdef uint32_t at, mask, i
    if not _grow_unknown(arena):
        arena.status = STATUS_ERROR
        return <uint32_t>TAG_COUNT
    mask = <uint32_t>(arena.unknown_slots_capacity - 1)
    at = hash & mask
    while arena.unknown_slots[at].serial == arena.serial:
        i = arena.unknown_slots[at].index
        if arena.unknown[i].hash == hash and arena.unknown[i].length == length:
            if memcmp(bytes_at(arena, arena.unknown[i].start), name, length) == 0:
                return <uint32_t>TAG_COUNT + i
        at = (at + 1) & mask
    arena.unknown_slots[at] = Slot(serial=arena.serial, index=arena.n_unknown)
    arena.unknown[arena.n_unknown] = UnknownName(start=start, length=length, hash=hash)
    arena.n_unknown += 1
    return <uint32_t>TAG_COUNT + arena.n_unknown - 1


cdef void free_arena(Arena* arena) noexcept nogil:
    """Give all memory back and leave an empty arena; safe on one that is half built."""
    free(arena.nodes)
    free(arena.sealed)
    free(arena.links)
    free(arena.attributes)
    free(arena.side)
    free(arena.pieces)
    free(arena.unknown)
    free(arena.unknown_slots)
    memset(arena, 0, sizeof(Arena))


cdef uint64_t arena_bytes(const Arena* arena) noexcept nogil:
    """Return how many bytes the arena holds."""
    return (
        arena.nodes_capacity * sizeof(Node)
        + arena.sealed_capacity * sizeof(Node)
        + arena.links_capacity * sizeof(Link)
        + arena.attributes_capacity * sizeof(Attribute)
        + arena.side_capacity
        + arena.pieces_capacity * sizeof(Piece)
        + arena.unknown_capacity * sizeof(UnknownName)
        + arena.unknown_slots_capacity * sizeof(Slot)
    )
