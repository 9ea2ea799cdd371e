# SPDX-License-Identifier: Apache-2.0
"""Declarations of arrays.h, which explains them."""

from libc.stddef cimport size_t


cdef extern from "arrays.h" nogil:
    const bint THRESHER_TIGHT
    const int OUT_OF_MEMORY     # what a function of the core returns that could not get memory; 0 is success
    int make_room(...) noexcept     # (&array, &capacity, needed): a macro, so that the type of an item gives its size
    void* grown_array(void* array, size_t* capacity, size_t needed, size_t size) noexcept
    void* new_array(size_t count, size_t size) noexcept
