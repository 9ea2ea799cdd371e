# SPDX-License-Identifier: Apache-2.0
from thresher.native.extractors.interface cimport Page

cdef int density(const Page* page) noexcept nogil
