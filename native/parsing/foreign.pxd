# SPDX-License-Identifier: Apache-2.0
"""The rules for foreign content: SVG and MathML (HTML standard, 13.2.6.5)."""

from thresher.native.parsing.construction cimport TreeBuilder


cdef bint is_for_foreign(TreeBuilder* b) noexcept nogil
cdef bint in_foreign_content(TreeBuilder* b) noexcept nogil
