# SPDX-License-Identifier: Apache-2.0
"""Memory that grows and is reused from page to page: arrays by `grow`, and scratch memory for one pass in slots.

A pass takes its arrays from the slots of its Scratch at its beginning. They are undefined after it returns: what outlives a pass
lies in the memory of the object that owns the result.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from thresher.native.check cimport THRESHER_CHECK


cdef enum ScratchSlot:          # of the pass that chooses blocks; arrays that are in use at the same time have different slots
    SLOT_EXTRACTOR_1            # five arrays of the extractor that runs
    SLOT_EXTRACTOR_2
    SLOT_EXTRACTOR_3
    SLOT_EXTRACTOR_4
    SLOT_EXTRACTOR_5
    SLOT_BALLOT                 # ensembles: what the member that votes keeps,
    SLOT_VOTES                  # and the votes for each block
    SLOT_ROWS                   # features: what is measured of each block,
    SLOT_GROUPS                 # groups of blocks and containers that are alike,
    SLOT_GROUP_TABLE            # and the hash table that finds them
    SLOT_SUMS_BEFORE            # context: sums over the blocks before each block,
    SLOT_PATTERN_SUMS           # and over the blocks of each pattern
    SLOT_PROBABILITIES          # decoding: the probability of each block,
    SLOT_KEPT_SUMS              # and sums over the blocks before each that may be kept
    SCRATCH_SLOTS


cdef enum:
    SMALLEST_BYTES = 2048       # of an array: few pages need less, and a page of a kilobyte should not cost thirty
    TIGHT_ITEMS = 8192          # under THRESHER_TIGHT larger arrays grow as usual: one item at a time would be quadratic


cdef extern from *:
    """
    /* Builds for the sanitizers set it: arrays then hold what was asked for and no more, so that an item beyond that is seen. */
    #ifndef THRESHER_TIGHT
    #define THRESHER_TIGHT 0
    #endif
    """
    const bint THRESHER_TIGHT


cdef inline void* grow(void* memory, size_t* capacity, size_t needed, size_t size) noexcept nogil:
    """The memory of an array, with room for `needed` items of `size` bytes and its contents kept; larger by at least a half.

    NULL where there is none: the old memory and the capacity, in items, are then as they were. `realloc` moves large arrays by
    their page tables, so a half costs no more time than doubling does.
    """
    cdef size_t wanted = max(needed, capacity[0] + (capacity[0] >> 1), <size_t> SMALLEST_BYTES // size)
    cdef void* grown
    if THRESHER_TIGHT and needed < TIGHT_ITEMS:
        wanted = max(needed, <size_t> 1)
    if wanted > (<size_t> -1) // 2 // size:
        return NULL
    grown = realloc(memory, wanted * size)
    if grown != NULL:
        capacity[0] = wanted
    return grown


ctypedef struct Scratch:
    (void*)[SCRATCH_SLOTS] data
    size_t[SCRATCH_SLOTS] capacity      # bytes


cdef inline void* reserve(void* memory, size_t* capacity, size_t needed, size_t size) except NULL nogil:
    """Memory with room for `needed` items, contents kept: grown only where it is short of them. MemoryError where there is none."""
    cdef void* grown
    if needed <= capacity[0] and memory != NULL:
        return memory
    grown = grow(memory, capacity, needed, size)
    if grown == NULL:
        with gil:
            raise MemoryError(f"no memory for {needed} items of {size} bytes")
    return grown


cdef inline void* take(Scratch* scratch, int slot, size_t count, size_t size) noexcept nogil:
    """The memory of a slot, at least count * size bytes, contents undefined; NULL where there is no memory."""
    cdef size_t bytes
    THRESHER_CHECK(0 <= slot < SCRATCH_SLOTS)
    if size != 0 and count > (<size_t> -1) // 2 // size:
        return NULL
    bytes = count * size
    if bytes > scratch.capacity[slot]:
        free(scratch.data[slot])        # the contents are not kept, so that nothing is copied
        scratch.data[slot] = grow(NULL, &scratch.capacity[slot], bytes, 1)
        if scratch.data[slot] == NULL:
            scratch.capacity[slot] = 0
    return scratch.data[slot]


cdef inline int ensure(void** memory, size_t* capacity, size_t needed, size_t size) noexcept nogil:
    """Makes room for `needed` items in an array, contents kept. 0, or -1 where there is no memory; the array is then as it was."""
    cdef void* grown
    if needed <= capacity[0] and memory[0] != NULL:
        return 0
    grown = grow(memory[0], capacity, needed, size)
    if grown == NULL:
        return -1
    memory[0] = grown
    return 0


ctypedef struct Marks:          # a byte for each block or node
    uint8_t* bytes
    size_t capacity


cdef inline int clear_marks(Marks* marks, size_t count) noexcept nogil:
    """Makes room for `count` bytes, all 0; 0, or -1 where there is no memory."""
    if ensure(<void**> &marks.bytes, &marks.capacity, count, 1) != 0:
        return -1
    memset(marks.bytes, 0, count)
    return 0


cdef inline void free_marks(Marks* marks) noexcept nogil:
    """Gives the memory back."""
    free(marks.bytes)
    memset(marks, 0, sizeof(Marks))


cdef inline void release(Scratch* scratch) noexcept nogil:
    """Frees every slot."""
    cdef int slot
    for slot in range(SCRATCH_SLOTS):
        free(scratch.data[slot])
        scratch.data[slot] = NULL
        scratch.capacity[slot] = 0


cdef inline size_t scratch_bytes(const Scratch* scratch) noexcept nogil:
    """Bytes that all slots hold."""
    cdef int slot
    cdef size_t total = 0
    for slot in range(SCRATCH_SLOTS):
        total += scratch.capacity[slot]
    return total
