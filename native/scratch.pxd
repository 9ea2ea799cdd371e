# SPDX-License-Identifier: Apache-2.0
"""Memory that grows and is reused from page to page: arrays by `grow`, and scratch memory for one pass in numbered slots.

A pass asks for its arrays by slot at its beginning and owns them until it returns; nothing in them outlives the pass.
"""

from libc.stddef cimport size_t
from libc.stdlib cimport free

from thresher.native.arrays cimport grown_array


cdef enum:
    SCRATCH_SLOTS = 12


cdef inline void* grow(void* memory, size_t* capacity, size_t needed, size_t size) noexcept nogil:
    """grown_array() of arrays.h."""
    return grown_array(memory, capacity, needed, size)


ctypedef struct Scratch:
    (void*)[SCRATCH_SLOTS] data
    size_t[SCRATCH_SLOTS] capacity      # bytes


cdef inline void* reserve(void* memory, size_t* capacity, size_t needed, size_t size) except NULL nogil:
    """The same, only where it is short of `needed`, and with a MemoryError where there is none."""
    cdef void* grown
    if needed <= capacity[0] and memory != NULL:
        return memory
    grown = grow(memory, capacity, needed, size)
    if grown == NULL:
        with gil:
            raise MemoryError(f"no memory for {needed} items of {size} bytes")
    return grown


cdef inline void* take(Scratch* scratch, int slot, size_t count, size_t size) noexcept nogil:
    """The memory of a slot, at least count * size bytes, contents undefined; NULL where there is none."""
    cdef size_t bytes
    if size != 0 and count > (<size_t> -1) // 2 // size:
        return NULL
    bytes = count * size
    if bytes > scratch.capacity[slot]:
        free(scratch.data[slot])        # the contents are not kept, so that nothing is copied
        scratch.data[slot] = grow(NULL, &scratch.capacity[slot], bytes, 1)
        if scratch.data[slot] == NULL:
            scratch.capacity[slot] = 0
    return scratch.data[slot]


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
