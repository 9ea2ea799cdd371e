# SPDX-License-Identifier: Apache-2.0
from thresher.native.choosing.interface cimport Page


ctypedef struct SmoothedOptions:
    double composite   # 1: composite text density (CECTD-S), 0: plain (CETD-S)
    double threshold   # times the density of the body


cdef int cetd_smoothed(const Page* page) noexcept nogil
