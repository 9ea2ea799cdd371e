# SPDX-License-Identifier: Apache-2.0
"""The core's hash table: 64-bit keys to 32-bit values, open addressing, at most half full.

It is used wherever a page can choose the keys. The place of a key depends on a secret of the process (hash_table.h), so
no page can crowd one place with its keys. Contents and results never depend on the secret. A zeroed struct is an empty
table. Strings are entered by key_of_bytes(). Two strings can share a key, so compare the string behind a found value,
and if it differs continue with the next key.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY
from thresher.native.base.check cimport THRESHER_CHECK


cdef extern from "base/hash_table.h" nogil:
    ctypedef struct HashSecret:
        uint64_t point
        uint64_t low
        uint64_t high

    uint64_t key_of_bytes(const uint8_t* p, size_t length, const HashSecret* secret) noexcept
    size_t place_of_key(uint64_t key, int bits, const HashSecret* secret) noexcept


cdef enum:
    NOT_FOUND = 0xFFFFFFFF      # the table has no value for the key


cdef enum:                      # results of enter_key() besides OUT_OF_MEMORY
    KNOWN_KEY = 0
    NEW_KEY = 1


ctypedef struct HashEntry:      # 16 bytes
    uint64_t key
    uint32_t value
    uint32_t round              # the entry is free if this is not the table's round


ctypedef struct HashTable:
    HashEntry* entries
    size_t capacity             # a power of two, at least twice n_entries; 0 before the first key
    int bits                    # its logarithm
    int all_bits                # of the memory, of which a part may be in use (use_part)
    uint32_t n_entries
    uint32_t round              # incremented to empty the table without touching its entries
    const HashSecret* secret


cdef const HashSecret* hash_secret() noexcept nogil     # the secret of this process
cdef int grow_table(HashTable* table) noexcept nogil


cdef inline void empty_table(HashTable* table) noexcept nogil:
    """Remove all keys but keep the memory."""
    table.n_entries = 0
    table.round += 1
    if table.round == 0:
        if table.capacity:
            memset(table.entries, 0, (<size_t> 1 << table.all_bits) * sizeof(HashEntry))
        table.round = 1


cdef inline void use_part(HashTable* table, int bits) noexcept nogil:
    """Let an empty table use 2^bits of its entries, or all that it has if these are fewer; 0 bits: all. After a huge
    page the whole table is larger than the processor's cache.
    """
    THRESHER_CHECK(table.n_entries == 0)
    if table.all_bits:
        table.bits = min(bits, table.all_bits) if bits else table.all_bits
        table.capacity = <size_t> 1 << table.bits


cdef inline size_t table_bytes(const HashTable* table) noexcept nogil:
    """Bytes of memory held, of which a part may be in use."""
    return (<size_t> 1 << table.all_bits) * sizeof(HashEntry) if table.all_bits else 0


cdef inline void free_table(HashTable* table) noexcept nogil:
    """Free the memory; the table is then empty."""
    free(table.entries)
    memset(table, 0, sizeof(HashTable))


cdef inline HashEntry* entry_for(const HashTable* table, uint64_t key) noexcept nogil:
    """The entry of a key, or the free one where it would go. The table must have memory."""
    cdef size_t at = place_of_key(key, table.bits, table.secret)
    THRESHER_CHECK(2 * <size_t> table.n_entries <= table.capacity)
    while table.entries[at].round == table.round and table.entries[at].key != key:
        at = (at + 1) & (table.capacity - 1)
    return table.entries + at


cdef inline uint32_t find_key(const HashTable* table, uint64_t key) noexcept nogil:
    """The value of a key; NOT_FOUND if the table does not have it."""
    cdef HashEntry* entry
    if table.n_entries == 0:
        return NOT_FOUND
    entry = entry_for(table, key)
    return entry.value if entry.round == table.round else <uint32_t> NOT_FOUND


cdef inline int enter_key(HashTable* table, uint64_t key, uint32_t value, uint32_t* found) noexcept nogil:
    """Enter a key with its value, unless the table has it. `found` is then the value in the table.

    Returns NEW_KEY, KNOWN_KEY, or OUT_OF_MEMORY with the table unchanged.
    """
    cdef HashEntry* entry
    if 2 * (<size_t> table.n_entries + 1) > table.capacity:
        if table.n_entries:     # a known key needs no memory
            found[0] = find_key(table, key)
            if found[0] != <uint32_t> NOT_FOUND:
                return KNOWN_KEY
        if grow_table(table) < 0:
            return OUT_OF_MEMORY
    entry = entry_for(table, key)
    if entry.round == table.round:
        found[0] = entry.value
        return KNOWN_KEY
    entry.key = key
    entry.value = value
    entry.round = table.round
    table.n_entries += 1
    found[0] = value
    return NEW_KEY
