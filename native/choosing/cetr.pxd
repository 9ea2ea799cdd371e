# SPDX-License-Identifier: Apache-2.0
from thresher.native.choosing.interface cimport Page


ctypedef struct CetrOptions:
    double clusters   # the paper's k
    double window     # the paper's alpha


cdef int cetr(const Page* page) noexcept nogil
