# SPDX-License-Identifier: Apache-2.0
"""Labels of a listing: text that only names its language, and buttons that copy or run it. Neither is part of the code.
"""

from thresher.native.constructs.construct cimport *


cdef bint is_label(const Rewriting* page, uint32_t n) noexcept nogil
cdef Slice language_in_label(const Rewriting* page, uint32_t n) noexcept nogil
cdef void remove_labels(Rewriting* page, uint32_t listing) noexcept nogil
