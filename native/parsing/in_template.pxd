# SPDX-License-Identifier: Apache-2.0
"""Template elements, the insertion mode "in template", and resetting the insertion mode appropriately."""

from thresher.native.parsing.construction cimport TreeBuilder


cdef void start_template(TreeBuilder* b) noexcept nogil
cdef void close_template(TreeBuilder* b) noexcept nogil
cdef void reset_insertion_mode(TreeBuilder* b) noexcept nogil
cdef bint in_template(TreeBuilder* b) noexcept nogil
