# SPDX-License-Identifier: Apache-2.0
"""Tables built without table, tr and td: role="table", role="row", role="cell" and similar."""

from libc.stdint cimport uint32_t

from thresher.native.constructs.construct cimport Rewriting, Slice


cdef bint is_table_role(Slice role) noexcept nogil
cdef void rewrite_role_table(Rewriting* page, uint32_t n) noexcept nogil
