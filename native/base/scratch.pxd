# SPDX-License-Identifier: Apache-2.0
"""Memory that is reused from page to page: slots of scratch memory for one pass, and a byte for each block or node.

A pass takes its arrays from the slots of its Scratch when it begins, and they are undefined after it returns. Anything
that outlives a pass must be in memory of the object that owns the result.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY, grown_array, make_room
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.hash_table cimport HashTable, free_table, table_bytes


# Each array that a pass takes has a slot of its own.
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
    SLOT_LINKS                  # notes: the links of the page,
    SLOT_RAISED                 # and its raised numbers
    SLOT_WORD_SUMS              # markup: sums of words over the blocks,
    SLOT_URL                    # and the addresses that are being written
    SLOT_OPEN                   # main HTML: the elements that are open
    SCRATCH_SLOTS


cdef inline size_t held(void* memory, size_t bytes, bint freed) noexcept nogil:
    """The bytes of an array; frees it if asked. So an owner names its arrays once, for both."""
    if freed:
        free(memory)
    return bytes


ctypedef struct Scratch:
    (void*)[SCRATCH_SLOTS] data
    size_t[SCRATCH_SLOTS] capacity      # bytes
    HashTable numbers                   # for a pass that groups things by key


cdef inline void* take(Scratch* scratch, int slot, size_t count, size_t size) noexcept nogil:
    """The memory of a slot, at least count * size bytes with undefined contents; NULL if there is no memory."""
    cdef size_t bytes
    THRESHER_CHECK(0 <= slot < SCRATCH_SLOTS)
    if size != 0 and count > (<size_t> -1) // 2 // size:
        return NULL
    bytes = count * size
    if bytes > scratch.capacity[slot]:
        free(scratch.data[slot])        # contents need not be kept: avoids a copy
        scratch.data[slot] = grown_array(NULL, &scratch.capacity[slot], bytes, 1)
        if scratch.data[slot] == NULL:
            scratch.capacity[slot] = 0
    return scratch.data[slot]


ctypedef struct ByteArray:          # a byte for each block or node
    uint8_t* bytes
    size_t capacity


cdef inline int clear_bytes(ByteArray* marks, size_t count) noexcept nogil:
    """Make room for `count` bytes, all 0; 0, or OUT_OF_MEMORY."""
    if make_room(&marks.bytes, &marks.capacity, count) != 0:
        return OUT_OF_MEMORY
    memset(marks.bytes, 0, count)
    return 0


cdef inline void free_bytes(ByteArray* marks) noexcept nogil:
    """Free the memory."""
    free(marks.bytes)
    memset(marks, 0, sizeof(ByteArray))


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
    cdef size_t total = table_bytes(&scratch.numbers)
    for slot in range(SCRATCH_SLOTS):
        total += scratch.capacity[slot]
    return total
