# SPDX-License-Identifier: Apache-2.0
from thresher.native.extractors.interface cimport Page

cdef int learned(const Page* page) noexcept nogil
