# SPDX-License-Identifier: Apache-2.0
"""Scratch memory for one pass over a page: numbered slots that grow and are reused from page to page.

A pass asks for its arrays by slot at its beginning and owns them until it returns; nothing in them outlives the pass.
"""

from libc.stddef cimport size_t
from libc.stdlib cimport free, realloc


cdef enum:
    SCRATCH_SLOTS = 12


ctypedef struct Scratch:
    (void*)[SCRATCH_SLOTS] data
    size_t[SCRATCH_SLOTS] capacity      # bytes


cdef inline void* take(Scratch* scratch, int slot, size_t count, size_t size) noexcept nogil:
    """The memory of a slot, at least count * size bytes, contents undefined; NULL where there is none."""
    cdef size_t bytes, grown
    cdef void* data
    if size != 0 and count > (<size_t> -1) // 2 // size:
        return NULL
    bytes = count * size
    if bytes > scratch.capacity[slot]:
        grown = max(bytes, scratch.capacity[slot] + (scratch.capacity[slot] >> 1), <size_t> 4096)
        free(scratch.data[slot])        # the contents are not kept, so that nothing is copied
        scratch.data[slot] = NULL
        scratch.capacity[slot] = 0
        data = realloc(NULL, grown)
        if data == NULL:
            return NULL
        scratch.data[slot] = data
        scratch.capacity[slot] = grown
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
