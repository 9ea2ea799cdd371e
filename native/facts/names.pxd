# SPDX-License-Identifier: Apache-2.0
"""How much a text looks like a name of people."""

cimport cython

from libc.stddef cimport size_t
from libc.stdint cimport int8_t, uint32_t


@cython.final
cdef class NameWeights:
    """Weights of the words of texts, of their endings, capitals and lengths."""
    cdef bytes weights          # owns `values`
    cdef const int8_t* values
    cdef uint32_t mask          # the number of weights, a power of two, less one

    cdef int score(self, str text) except? -1
