# SPDX-License-Identifier: Apache-2.0
"""The pass over a page that finds its constructs (construct.pxd) and has their modules rewrite them."""

from thresher.native.constructs.construct cimport FORMULAS_DROP, FORMULAS_TEX, FORMULAS_TEXT, FormulaRule, Rewriting


cdef int rewrite_constructs(Rewriting* page) noexcept nogil
