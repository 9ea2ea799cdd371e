# SPDX-License-Identifier: Apache-2.0
"""Growing and freeing; what is done once per page or when an array is full."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy, memset

from thresher.native.scan cimport hash_bytes
from thresher.native.tags cimport TAG_COUNT, NameTables
from thresher.native.tree cimport Attribute, Node

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


cdef void* grow(void* memory, uint32_t* capacity, uint64_t needed, size_t item) noexcept nogil:
    """Return memory with room for `needed` items, at least doubled; NULL leaves the old memory and capacity valid."""
    cdef uint64_t wanted = <uint64_t>capacity[0] * 2
    cdef void* grown
    if wanted < needed:
        wanted = needed
    if wanted < 256:
        wanted = 256
    if wanted > 0xFFFFFFF0u:
        if needed > 0xFFFFFFF0u:
            return NULL
        wanted = needed
    grown = realloc(memory, wanted * item)
    if grown != NULL:
        capacity[0] = <uint32_t>wanted
    return grown


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


cdef bint _grow_unknown(Arena* arena) noexcept nogil:
    """Make room for one more unknown name, and keep the hash table at most half full."""
    cdef void* grown
    cdef uint32_t i, at, mask
    if arena.n_unknown == arena.unknown_capacity:
        grown = grow(arena.unknown, &arena.unknown_capacity, <uint64_t>arena.n_unknown + 1, sizeof(UnknownName))
        if grown == NULL:
            return False
        arena.unknown = <UnknownName*>grown
    if 2 * (<uint64_t>arena.n_unknown + 1) > arena.unknown_slots_capacity:
        i = 256
        while i < 4 * (<uint64_t>arena.n_unknown + 1):
            i *= 2
        grown = realloc(arena.unknown_slots, i * sizeof(Slot))
        if grown == NULL:
            return False
        arena.unknown_slots = <Slot*>grown
        arena.unknown_slots_capacity = i
        memset(arena.unknown_slots, 0, i * sizeof(Slot))
        arena.serial = 1
        mask = i - 1
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
    mask = arena.unknown_slots_capacity - 1
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
        <uint64_t>arena.nodes_capacity * sizeof(Node)
        + <uint64_t>arena.sealed_capacity * sizeof(Node)
        + <uint64_t>arena.links_capacity * sizeof(Link)
        + <uint64_t>arena.attributes_capacity * sizeof(Attribute)
        + arena.side_capacity
        + <uint64_t>arena.pieces_capacity * sizeof(Piece)
        + <uint64_t>arena.unknown_capacity * sizeof(UnknownName)
        + <uint64_t>arena.unknown_slots_capacity * sizeof(Slot)
    )
