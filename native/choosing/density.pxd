# SPDX-License-Identifier: Apache-2.0
from thresher.native.choosing.interface cimport Page


ctypedef struct DensityOptions:
    double words        # a block of more words is content
    double next_words   # and so is one before a block of more words


cdef int density(const Page* page) noexcept nogil
