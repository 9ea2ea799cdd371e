# SPDX-License-Identifier: Apache-2.0
"""Formulas as TeX; see formulas.pxd."""

from libc.stdint cimport uint32_t

from thresher.native.characters cimport equals_ascii, is_space
from thresher.native.constructs.construct cimport (
    CONSTRUCT_DISPLAY, CONSTRUCT_FORMULA, FORMULAS_DROP, KIND_ELEMENT, KIND_TEXT, Attribute, Node, Rewriting, Slice,
    become_text, remove, slice_at,
)
from thresher.native.parsing.tags cimport TAG_COUNT
from thresher.native.writing.text_buffer cimport put, put_string, start_text


cdef uint32_t find_annotation(const Rewriting* page, uint32_t math) noexcept nogil:
    """The text node of a formula's annotation in TeX, 0 where it has none."""
    cdef const Node* node
    cdef const Attribute* attribute
    cdef Slice name, value
    cdef uint32_t n, i
    for n in range(math + 1, page.tree.nodes[math].end):
        node = page.tree.nodes + n
        if node.kind != KIND_ELEMENT or node.tag < TAG_COUNT or n + 1 == node.end or (node + 1).kind != KIND_TEXT:
            continue
        name = slice_at(page.tree, node.start, node.length)
        if not equals_ascii(name.data, name.length, b"annotation", 10):
            continue
        for i in range(node.n_attributes):
            attribute = page.tree.attributes + node.attributes + i
            value = slice_at(page.tree, attribute.value_start, attribute.value_length)
            if equals_ascii(value.data, value.length, b"application/x-tex", 17):
                return n + 1
    return 0


cdef void put_formula(Rewriting* page, Slice tex, bint display) noexcept nogil:
    """Put TeX in dollars into the text, without white space at its ends; nothing where there is no other."""
    start_text(page.text)
    while tex.length and is_space(tex.data[0]):
        tex.data += 1
        tex.length -= 1
    while tex.length and is_space(tex.data[tex.length - 1]):
        tex.length -= 1
    if tex.length == 0:
        return
    put_string(page.text, b"$$" if display else b"$")
    put(page.text, tex.data, tex.length)
    put_string(page.text, b"$$" if display else b"$")


cdef bint is_display(const Rewriting* page, uint32_t n) noexcept nogil:
    """True where an element has the attribute display="block"."""
    cdef const Attribute* attribute
    cdef Slice name, value
    cdef uint32_t i
    for i in range(page.tree.nodes[n].n_attributes):
        attribute = page.tree.attributes + page.tree.nodes[n].attributes + i
        name = slice_at(page.tree, attribute.name_start, attribute.name_length)
        value = slice_at(page.tree, attribute.value_start, attribute.value_length)
        if equals_ascii(name.data, name.length, b"display", 7) and equals_ascii(value.data, value.length, b"block", 5):
            return True
    return False


cdef bint rewrite_math(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite a math element that holds its TeX as an annotation."""
    cdef uint32_t annotation
    cdef bint display
    if page.formulas == FORMULAS_DROP:
        remove(page, n)
        return True
    annotation = find_annotation(page, n)
    if annotation == 0:
        return False
    display = is_display(page, n)
    put_formula(page, slice_at(page.tree, page.tree.nodes[annotation].start, page.tree.nodes[annotation].length), display)
    become_text(page, n, CONSTRUCT_DISPLAY if display else CONSTRUCT_FORMULA)
    return True
