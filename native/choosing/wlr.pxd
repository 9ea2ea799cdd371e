# SPDX-License-Identifier: Apache-2.0
from thresher.native.choosing.interface cimport Page


ctypedef struct WlrOptions:
    double size   # power of the words by which the ratio is multiplied; 0: the plain ratio


cdef int wlr(const Page* page) noexcept nogil
