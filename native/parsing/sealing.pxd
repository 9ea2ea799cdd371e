# SPDX-License-Identifier: Apache-2.0
"""Sealing: put a page's nodes into document order, and set the end of each subtree."""

from thresher.native.parsing.construction cimport TreeBuilder


cdef void seal(TreeBuilder* b) noexcept nogil
