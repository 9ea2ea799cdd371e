# SPDX-License-Identifier: Apache-2.0
from thresher.native.choosing.interface cimport Page


ctypedef struct CcbOptions:
    double range       # tokens to each side that have weight: three standard deviations
    double threshold   # blurred value above which a text is content
    double anchors     # 1: the tags of links are code, 0: they are ignored


cdef int ccb(const Page* page) noexcept nogil
