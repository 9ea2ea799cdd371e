# SPDX-License-Identifier: Apache-2.0
"""Bits of a machine word, each by one instruction."""

from libc.stdint cimport uint64_t


cdef extern from *:
    int count_trailing_zeros "__builtin_ctzll" (uint64_t bits) nogil       # 0 is not allowed
    int count_bits "__builtin_popcountll" (uint64_t bits) nogil
