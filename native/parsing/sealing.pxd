# SPDX-License-Identifier: Apache-2.0
"""Sealing: the nodes of a page come into document order, and each learns where its subtree ends."""

from thresher.native.parsing.construction cimport TreeBuilder


cdef void seal(TreeBuilder* b) noexcept nogil
