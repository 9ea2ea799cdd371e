# SPDX-License-Identifier: Apache-2.0
"""Declarations of arrays.h, which explains them."""

from libc.stddef cimport size_t


cdef extern from "base/arrays.h" nogil:
    const bint THRESHER_TIGHT
    const int OUT_OF_MEMORY     # returned by functions of the core that cannot get memory; 0 is success
    int make_room(...) noexcept     # (&array, &capacity, needed): a macro, because it needs the item type's size
    void* grown_array(void* array, size_t* capacity, size_t needed, size_t size) noexcept
    void* new_array(size_t count, size_t size) noexcept
