# SPDX-License-Identifier: Apache-2.0
"""The table of extractors."""

from thresher.native.choosing.interface cimport MAX_OPTIONS, ExtractorFunction


cdef class Extractor:
    cdef readonly str name
    cdef readonly object options            # read-only mapping of names to values
    cdef readonly bint reads_concealed      # whether it sees concealed text (metrics.pxd)
    cdef readonly bint takes_as_shown       # and takes it for text that is shown
    cdef readonly bint uses_model
    cdef ExtractorFunction function
    cdef double[MAX_OPTIONS] values         # of the options, in the order of the extractor's struct
