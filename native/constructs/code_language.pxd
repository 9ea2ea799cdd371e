# SPDX-License-Identifier: Apache-2.0
"""The language of a piece of code, as named by the page's markup."""

from libc.stdint cimport uint32_t

from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.reading cimport Slice, Tree


cdef Slice code_language(const Tree* tree, const MetricsArray* metrics, uint32_t pre) noexcept nogil
cdef Slice named_language(const Tree* tree, uint32_t node) noexcept nogil
