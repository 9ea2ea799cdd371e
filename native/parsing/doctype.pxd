# SPDX-License-Identifier: Apache-2.0
"""Which doctypes set a document to quirks mode (HTML standard, 13.2.6.4.1)."""

from thresher.native.parsing.construction cimport TreeBuilder


cdef bint doctype_is_quirky(TreeBuilder* b) noexcept nogil
