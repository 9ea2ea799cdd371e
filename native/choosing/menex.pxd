# SPDX-License-Identifier: Apache-2.0
from thresher.native.choosing.interface cimport Page


ctypedef struct MenexOptions:
    double candidate   # share of the largest weight above which an element is a candidate
    double root        # share of the candidate's weight above which its siblings count as heavy
    double menu        # weight above which a child counts for its root


cdef int menex(const Page* page) noexcept nogil
