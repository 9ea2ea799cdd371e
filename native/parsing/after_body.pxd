# SPDX-License-Identifier: Apache-2.0
"""The insertion modes after the body, and in and after framesets."""

from thresher.native.parsing.construction cimport TreeBuilder


cdef bint after_body(TreeBuilder* b) noexcept nogil
cdef bint in_frameset(TreeBuilder* b) noexcept nogil
cdef bint after_frameset(TreeBuilder* b) noexcept nogil
cdef bint after_after_body(TreeBuilder* b) noexcept nogil
cdef bint after_after_frameset(TreeBuilder* b) noexcept nogil
