# SPDX-License-Identifier: Apache-2.0
from thresher.native.choosing.interface cimport Page

cdef int bte(const Page* page) noexcept nogil
