# SPDX-License-Identifier: Apache-2.0
from thresher.native.choosing.interface cimport Page


ctypedef struct LearnedOptions:
    double lean             # 0: the largest expected F1; up to 1: more text, recall; down to -1: less text, precision


cdef int learned(const Page* page) noexcept nogil
