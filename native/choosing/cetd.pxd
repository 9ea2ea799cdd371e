# SPDX-License-Identifier: Apache-2.0
from thresher.native.choosing.interface cimport Page


ctypedef struct CetdOptions:
    double composite   # 1: composite text density, 0: plain text density
    double descend     # 0: no step 2, the target alone is content


cdef int cetd(const Page* page) noexcept nogil
