# SPDX-License-Identifier: Apache-2.0
from thresher.native.choosing.interface cimport Page


ctypedef struct LinkratioOptions:
    double ratio   # characters per link below which a div is navigation
    double links   # a div with fewer links is not navigation


cdef int linkratio(const Page* page) noexcept nogil
