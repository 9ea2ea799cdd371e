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

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.constructs.construct cimport Attribute, Rewriting, begins
from thresher.native.parsing.tree cimport Slice


cdef enum FormulaClass:     # what an element's class says about formulas
    CLASS_OTHER = 0
    CLASS_CONTAINER = 1     # the element is one formula, whatever it contains
    CLASS_TWIN = 2          # MathJax 2: the rendered formula beside the script that it was made from
    CLASS_MATH = 3          # it may hold TeX, with or without delimiters


cdef enum:
    MAX_TEX_ATTRIBUTE = 13  # bytes of the longest attribute name that holds TeX


cdef Slice value_of(const Rewriting* page, const Attribute* attribute) noexcept nogil
cdef bint contains(Slice text, const char* word, uint32_t length) noexcept nogil
cdef bint is_concealed(const Rewriting* page, uint32_t n) noexcept nogil
cdef bint is_empty(const Rewriting* page, uint32_t n) noexcept nogil
cdef bint replace(Rewriting* page, uint32_t n, Slice tex, bint display) noexcept nogil
cdef bint is_like_tex(Slice text) noexcept nogil
cdef bint rewrite_math(Rewriting* page, uint32_t n) noexcept nogil
cdef bint rewrite_script(Rewriting* page, uint32_t n) noexcept nogil
cdef bint rewrite_custom(Rewriting* page, uint32_t n) noexcept nogil
cdef bint rewrite_attribute(Rewriting* page, uint32_t n, Slice tex) noexcept nogil
cdef bint is_tex_attribute(Slice name) noexcept nogil
cdef bint is_switch(Slice value) noexcept nogil
cdef bint rewrite_class(Rewriting* page, uint32_t n, Slice value, FormulaClass kind) noexcept nogil
cdef bint is_block_level(uint32_t tag) noexcept nogil


cdef inline bint is_word_end(Slice text, uint32_t i) noexcept nogil:
    """True if a word of a class ends at i."""
    return i >= text.length or text.data[i] <= c" "


cdef inline FormulaClass formula_class(Slice value) noexcept nogil:
    """What the first word of a class says about formulas. rewrite.pyx has already excluded most classes by two letters.
    """
    cdef uint8_t first
    if value.length < 3:
        return CLASS_OTHER
    first = value.data[0]
    if first == c"k":
        if begins(value, b"katex", 5) and not begins(value, b"katex-html", 10):
            return CLASS_CONTAINER
    elif first == c"M":
        if begins(value, b"MathJax", 7):
            return CLASS_TWIN
        if begins(value, b"MJX", 3):
            return CLASS_CONTAINER
    elif first == c"m":
        if begins(value, b"mwe-math", 8) or begins(value, b"mjx-", 4) or begins(value, b"mjpage", 6):
            return CLASS_CONTAINER
        if begins(value, b"math", 4) and (is_word_end(value, 4) or value.data[4] == c"-" or value.data[4] == c"_"):
            return CLASS_MATH
    elif first == c"a":
        if begins(value, b"arithmatex", 10):
            return CLASS_MATH
    elif first == c"l":
        if begins(value, b"latex", 5):
            return CLASS_MATH
    elif first == c"t":
        if begins(value, b"tex", 3) and (is_word_end(value, 3) or value.data[3] == c"2"):
            return CLASS_MATH
        if begins(value, b"temml", 5):
            return CLASS_CONTAINER
    return CLASS_OTHER
