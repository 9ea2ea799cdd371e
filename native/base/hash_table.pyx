# SPDX-License-Identifier: Apache-2.0
"""The secret that all hash tables of the process share, and how a table grows."""

import os

from libc.stdlib cimport calloc, free


cdef enum:
    FIRST_BITS = 8          # 256 entries, 4 KiB
    MOST_BITS = 31          # values have 32 bits, and a table is at most half full

cdef HashSecret _secret
_secret.point = <uint64_t> (int.from_bytes(os.urandom(8), "little") >> 3)
_secret.low = <uint64_t> (int.from_bytes(os.urandom(8), "little") | 1)
_secret.high = <uint64_t> int.from_bytes(os.urandom(8), "little")


cdef const HashSecret* hash_secret() noexcept nogil:
    return &_secret


cdef int grow_table(HashTable* table) noexcept nogil:
    """Double the number of entries; 0, or OUT_OF_MEMORY with the table unchanged."""
    cdef HashTable grown
    cdef size_t i
    grown.bits = table.bits + 1 if table.capacity else FIRST_BITS
    if grown.bits > MOST_BITS:
        return OUT_OF_MEMORY
    grown.capacity = <size_t> 1 << grown.bits
    grown.all_bits = grown.bits
    grown.entries = <HashEntry*> calloc(grown.capacity, sizeof(HashEntry))
    if grown.entries == NULL:
        return OUT_OF_MEMORY
    grown.n_entries = table.n_entries
    grown.round = 1
    grown.secret = &_secret
    for i in range(table.capacity):
        if table.entries[i].round == table.round:
            _move(&grown, table.entries + i)
    free(table.entries)
    table[0] = grown
    return 0


cdef void _move(HashTable* table, const HashEntry* entry) noexcept nogil:
    """Enter a key that the table does not have. There must be room for it."""
    cdef HashEntry* free_entry = entry_for(table, entry.key)
    THRESHER_CHECK(free_entry.round != table.round)
    free_entry.key = entry.key
    free_entry.value = entry.value
    free_entry.round = table.round
