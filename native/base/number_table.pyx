# SPDX-License-Identifier: Apache-2.0
"""The hash table of the core as Python sees it, for tests only."""

from cython cimport final

from thresher.native.base.hash_table cimport *


@final
cdef class NumberTable:
    """A hash table of 64-bit numbers, and a measure of how evenly it is filled."""

    cdef HashTable table

    def __dealloc__(self):
        free_table(&self.table)

    def __len__(self) -> int:
        return self.table.n_entries

    def enter(self, uint64_t key, uint32_t value) -> int:
        """Enter a key unless it is there; returns its value in the table."""
        cdef uint32_t found
        if enter_key(&self.table, key, value, &found) < 0:
            raise MemoryError("no memory for a key")
        return found

    def get(self, uint64_t key) -> int | None:
        """The value of a key; None if the table does not have it."""
        cdef uint32_t value = find_key(&self.table, key)
        return None if value == <uint32_t> NOT_FOUND else value

    def clear(self) -> None:
        empty_table(&self.table)

    def longest_search(self) -> int:
        """The number of entries that the longest search for a key visits."""
        cdef size_t i, place, longest = 0
        for i in range(self.table.capacity):
            if self.table.entries[i].round == self.table.round:
                place = place_of_key(self.table.entries[i].key, self.table.bits, hash_secret())
                longest = max(longest, ((i - place) & (self.table.capacity - 1)) + 1)
        return longest


def bytes_key(bytes text not None) -> int:
    """The key of a string in this process."""
    return key_of_bytes(text, len(text), hash_secret())
