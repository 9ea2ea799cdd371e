# SPDX-License-Identifier: Apache-2.0
"""Memory that grows and is reused from page to page: arrays by `grow`, and slots of scratch memory for one pass.

A pass takes its arrays from the slots of its Scratch when it begins, and they are undefined after it returns. Anything
that outlives a pass must be in memory of the object that owns the result.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from thresher.native.base.arrays cimport grown_array, make_room
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.hash_table cimport HashEntry, HashTable, free_table


# For the pass that chooses blocks. Arrays that are in use at the same time have different slots.
cdef enum ScratchSlot:
    SLOT_EXTRACTOR_1            # five arrays of the current extractor
    SLOT_EXTRACTOR_2
    SLOT_EXTRACTOR_3
    SLOT_EXTRACTOR_4
    SLOT_EXTRACTOR_5
    SLOT_BALLOT                 # ensembles: the blocks kept by the voting member,
    SLOT_VOTES                  # and the votes for each block
    SLOT_ROWS                   # features: the measures of each block,
    SLOT_GROUPS                 # and groups of similar blocks and containers
    SLOT_SUMS_BEFORE            # context: sums over the blocks before each block,
    SLOT_PATTERN_SUMS           # and over the blocks of each pattern
    SLOT_PROBABILITIES          # decoding: the probability of each block,
    SLOT_KEPT_SUMS              # and sums over the blocks before each that may be kept
    SCRATCH_SLOTS


cdef inline void* grow(void* memory, size_t* capacity, size_t needed, size_t size) noexcept nogil:
    """grown_array() of arrays.h."""
    return grown_array(memory, capacity, needed, size)


ctypedef struct Scratch:
    (void*)[SCRATCH_SLOTS] data
    size_t[SCRATCH_SLOTS] capacity      # bytes
    HashTable numbers                   # for a pass that groups things by key


cdef inline void* reserve(void* memory, size_t* capacity, size_t needed, size_t size) except NULL nogil:
    """Memory with room for `needed` items, with its contents kept. Grows only if necessary.

    Raises MemoryError if there is none.
    """
    cdef void* grown
    if needed <= capacity[0] and memory != NULL:
        return memory
    grown = grow(memory, capacity, needed, size)
    if grown == NULL:
        with gil:
            raise MemoryError(f"no memory for {needed} items of {size} bytes")
    return grown


cdef inline void* take(Scratch* scratch, int slot, size_t count, size_t size) noexcept nogil:
    """The memory of a slot, at least count * size bytes with undefined contents; NULL if there is no memory."""
    cdef size_t bytes
    THRESHER_CHECK(0 <= slot < SCRATCH_SLOTS)
    if size != 0 and count > (<size_t> -1) // 2 // size:
        return NULL
    bytes = count * size
    if bytes > scratch.capacity[slot]:
        free(scratch.data[slot])        # contents need not be kept: avoids a copy
        scratch.data[slot] = grow(NULL, &scratch.capacity[slot], bytes, 1)
        if scratch.data[slot] == NULL:
            scratch.capacity[slot] = 0
    return scratch.data[slot]


ctypedef struct Marks:          # a byte for each block or node
    uint8_t* bytes
    size_t capacity


cdef inline int clear_marks(Marks* marks, size_t count) noexcept nogil:
    """Make room for `count` bytes, all 0; 0, or -1 if there is no memory."""
    if make_room(&marks.bytes, &marks.capacity, count) != 0:
        return -1
    memset(marks.bytes, 0, count)
    return 0


cdef inline void free_marks(Marks* marks) noexcept nogil:
    """Free the memory."""
    free(marks.bytes)
    memset(marks, 0, sizeof(Marks))


cdef inline void release(Scratch* scratch) noexcept nogil:
    """Free all memory."""
    cdef int slot
    for slot in range(SCRATCH_SLOTS):
        free(scratch.data[slot])
        scratch.data[slot] = NULL
        scratch.capacity[slot] = 0
    free_table(&scratch.numbers)


cdef inline size_t scratch_bytes(const Scratch* scratch) noexcept nogil:
    """Bytes of memory held."""
    cdef int slot
    cdef size_t total = scratch.numbers.capacity * sizeof(HashEntry)
    for slot in range(SCRATCH_SLOTS):
        total += scratch.capacity[slot]
    return total
