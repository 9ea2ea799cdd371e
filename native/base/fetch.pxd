# SPDX-License-Identifier: Apache-2.0
"""Declaration of fetch.h, which explains it."""

from libc.stddef cimport size_t


cdef extern from "base/fetch.h" nogil:
    void fetch(const void* data, size_t bytes) noexcept
