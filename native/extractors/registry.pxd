# SPDX-License-Identifier: Apache-2.0
"""The table of extractors."""

from thresher.native.extractors.interface cimport Extractor


cdef Extractor extractor_function(int index) noexcept nogil
