# SPDX-License-Identifier: Apache-2.0
"""The insertion modes before the body: initial, before html, before head, in head, in head noscript, after head."""

from thresher.native.parsing.construction cimport TreeBuilder


cdef bint initial(TreeBuilder* b) noexcept nogil
cdef bint before_html(TreeBuilder* b) noexcept nogil
cdef bint before_head(TreeBuilder* b) noexcept nogil
cdef bint in_head(TreeBuilder* b) noexcept nogil
cdef bint in_head_noscript(TreeBuilder* b) noexcept nogil
cdef bint after_head(TreeBuilder* b) noexcept nogil
