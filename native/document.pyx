# SPDX-License-Identifier: Apache-2.0
from cython cimport final


@final
cdef class Document:
    pass
