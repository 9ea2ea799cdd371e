# SPDX-License-Identifier: Apache-2.0
"""Formulas as TeX between dollars: `$…$` in a line, `$$…$$` on lines of their own.

The TeX comes from the first of these that the page has: an annotation with TeX, `alttext`, a script of type math/tex, a
data attribute, the alternative text or address of an image, and last the MathML itself (mathml.pxd). For TeX between
delimiters in the text see delimiters.pxd.

By strict rules only what a reader sees counts: MathML, scripts, and the alternative text of images. An annotation,
alttext or data attribute could say anything. Hidden elements are no formulas, and no part of one.

Generators write a formula two or three times: as MathML for screen readers, as spans for the eye, as an image for old
browsers. Rewriting the outermost element around all of them makes it appear once.
"""

from thresher.native.constructs.construct cimport *


cdef enum FormulaClass:     # what an element's class says about formulas
    CLASS_OTHER = 0
    CLASS_CONTAINER = 1     # the element is one formula, whatever it contains
    CLASS_TWIN = 2          # MathJax 2: the rendered formula beside the script that it was made from
    CLASS_MATH = 3          # it may hold TeX, with or without delimiters
    CLASS_PART = 4          # only a part of one: formula_class() does not return it


cdef enum:
    MIN_TEX_ATTRIBUTE = 8   # bytes of the names of attributes that hold TeX
    MAX_TEX_ATTRIBUTE = 13


cdef bint is_concealed(const Rewriting* page, uint32_t n) noexcept nogil
cdef bint is_empty(const Rewriting* page, uint32_t n) noexcept nogil
cdef bint replace(Rewriting* page, uint32_t n, Slice tex, bint display) noexcept nogil
cdef bint is_like_tex(Slice text) noexcept nogil
cdef bint rewrite_math(Rewriting* page, uint32_t n) noexcept nogil
cdef bint rewrite_script(Rewriting* page, uint32_t n) noexcept nogil
cdef bint rewrite_custom(Rewriting* page, uint32_t n) noexcept nogil
cdef bint rewrite_attribute(Rewriting* page, uint32_t n, Slice tex) noexcept nogil
cdef Slice tex_in_attributes(const Rewriting* page, uint32_t n) noexcept nogil
cdef bint is_tex_attribute(const Tree* tree, const Attribute* attribute) noexcept nogil
cdef bint rewrite_class(Rewriting* page, uint32_t n, Slice value, FormulaClass kind) noexcept nogil
cdef FormulaClass formula_class(Slice value) noexcept nogil
