# SPDX-License-Identifier: Apache-2.0
from thresher.native.choosing.interface cimport Page


ctypedef struct ConexOptions:
    double candidates   # the thesis' c
    double link_words   # a link with fewer words is short, the thesis' mw


cdef int conex(const Page* page) noexcept nogil
