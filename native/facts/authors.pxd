# SPDX-License-Identifier: Apache-2.0
"""Authors: the names in texts that hold one or several, told apart."""


cdef list names_in(list texts, set sites=*, bint are_declared=*)
cdef bint may_be_names(list names, str text) except -1
cdef bint is_all_han(str text) except -1
cdef bint is_no_plain_name(str text) noexcept
