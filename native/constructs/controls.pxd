# SPDX-License-Identifier: Apache-2.0
"""Controls that are not text of the page: names of tabs, links that edit a section, the numbers of a notebook's cells.
What marks them is their class; for tabs with roles see roles.pxd.
"""

from libc.stdint cimport uint32_t

from thresher.native.constructs.construct cimport Rewriting


cdef bint is_own_link(const Rewriting* page, uint32_t n) noexcept nogil
cdef bint rewrite_control(Rewriting* page, uint32_t n, uint32_t said) noexcept nogil
