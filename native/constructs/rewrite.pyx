# SPDX-License-Identifier: Apache-2.0
"""The pass over a page that finds its constructs; see rewrite.pxd."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

from thresher.native.arrays cimport OUT_OF_MEMORY
from thresher.native.constructs.code cimport rewrite_listing
from thresher.native.constructs.code_names cimport is_editor_class, words_have
from thresher.native.constructs.construct cimport Rewriting
from thresher.native.constructs.delimiters cimport has_tex_mark, rewrite_text
from thresher.native.constructs.formulas cimport (
    CLASS_OTHER, MAX_TEX_ATTRIBUTE, FormulaClass, formula_class, is_tex_attribute, rewrite_attribute, rewrite_class,
    rewrite_custom, rewrite_image, rewrite_math, rewrite_script,
)
from thresher.native.constructs.inlines cimport drop_invisible, rewrite_quotation, rewrite_reading
from thresher.native.constructs.marks cimport rewrite_box
from thresher.native.constructs.notes cimport may_be_reference, rewrite_notes
from thresher.native.parsing.tags cimport *
from thresher.native.parsing.tree cimport KIND_ELEMENT, KIND_TEXT, NS_HTML, Attribute, Node, Slice, slice_at


cdef enum Look:             # what an element is looked at for, by its name
    LOOK_NOT = 0
    LOOK_CLASS = 1          # its class may say what it is
    LOOK_MATH = 2
    LOOK_SCRIPT = 3
    LOOK_IMAGE = 4
    LOOK_PAST = 5           # nothing in it is shown
    LOOK_INLINE = 6         # it stands in a line of text
    LOOK_LISTING = 7        # it may be a listing
    LOOK_CLASS_LISTING = 8  # it may be one, unless its class says that it is something else


cdef uint8_t[TAG_COUNT] LOOKS


cdef void fill_tables() noexcept nogil:
    cdef int i
    cdef int[5] classes = [TAG_SPAN, TAG_DIV, TAG_P, TAG_FIGURE, TAG_SECTION]
    cdef int[7] past = [TAG_TITLE, TAG_STYLE, TAG_TEMPLATE, TAG_IFRAME, TAG_OBJECT, TAG_SELECT, TAG_SVG]
    cdef int[6] listings = [TAG_PRE, TAG_LISTING, TAG_XMP, TAG_TABLE, TAG_OL, TAG_TEXTAREA]
    cdef int[4] inlines = [TAG_A, TAG_INPUT, TAG_RT, TAG_Q]
    memset(LOOKS, LOOK_NOT, TAG_COUNT)
    for i in range(4):
        LOOKS[inlines[i]] = LOOK_INLINE
    for i in range(5):
        LOOKS[classes[i]] = LOOK_CLASS
    for i in range(7):
        LOOKS[past[i]] = LOOK_PAST
    for i in range(6):
        LOOKS[listings[i]] = LOOK_LISTING
    LOOKS[<int> TAG_CODE] = LOOK_CLASS_LISTING
    LOOKS[<int> TAG_MATH] = LOOK_MATH
    LOOKS[<int> TAG_SCRIPT] = LOOK_SCRIPT
    LOOKS[<int> TAG_IMG] = LOOK_IMAGE


fill_tables()


cdef bint rewrite_by_attributes(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite an element if its class, or an attribute that holds TeX, says that it is a construct."""
    cdef const Node* node = page.tree.nodes + n
    cdef const Attribute* attribute = page.tree.attributes + node.attributes
    cdef FormulaClass kind = CLASS_OTHER
    cdef Slice value, name
    cdef uint32_t i
    for i in range(node.n_attributes):
        if attribute[i].name == ATTR_CLASS:
            value = slice_at(page.tree, attribute[i].value_start, attribute[i].value_length)
            kind = formula_class(value)
            if node.tag == TAG_DIV and words_have(value, is_editor_class):
                return rewrite_listing(page, n)
        elif attribute[i].name == ATTR_UNKNOWN and 8 <= attribute[i].name_length <= MAX_TEX_ATTRIBUTE:
            name = slice_at(page.tree, attribute[i].name_start, attribute[i].name_length)
            if is_tex_attribute(name) and rewrite_attribute(
                page, n, slice_at(page.tree, attribute[i].value_start, attribute[i].value_length)
            ):
                return True
    return kind != CLASS_OTHER and rewrite_class(page, n, value, kind)


cdef uint32_t rewrite_element(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite an element if it is a construct. The node that the pass goes on with: the next one, or the one after the
    element where it was rewritten as a whole.
    """
    cdef const Node* node = page.tree.nodes + n
    cdef uint8_t look
    cdef bint whole = False
    if node.tag >= TAG_COUNT:
        whole = rewrite_custom(page, n)
    else:
        look = LOOKS[node.tag]
        if look == LOOK_NOT:
            return n + 1
        if look == LOOK_CLASS or look == LOOK_CLASS_LISTING:
            whole = node.n_attributes != 0 and rewrite_by_attributes(page, n)
            if look == LOOK_CLASS_LISTING and not whole and node.namespace == NS_HTML:
                whole = rewrite_listing(page, n)
        elif look == LOOK_LISTING:
            whole = node.namespace == NS_HTML and rewrite_listing(page, n)
        elif look == LOOK_MATH:
            whole = rewrite_math(page, n)
        elif look == LOOK_IMAGE:
            whole = rewrite_image(page, n)
        elif look == LOOK_INLINE:
            if node.namespace == NS_HTML:
                rewrite_inline(page, n)
            whole = node.kind != KIND_ELEMENT
        else:
            whole = True
            if look == LOOK_SCRIPT:
                rewrite_script(page, n)
    return node.end if whole else n + 1


cdef void rewrite_inline(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite an element that stands in a line of text; of a link only note whether it may lead to a footnote."""
    cdef uint32_t tag = page.tree.nodes[n].tag
    if tag == TAG_A:
        page.any_reference = page.any_reference or may_be_reference(page, n)
    elif tag == TAG_INPUT:
        rewrite_box(page, n)
    elif tag == TAG_RT:
        rewrite_reading(page, n)
    elif tag == TAG_Q:
        rewrite_quotation(page, n)


cdef int rewrite_constructs(Rewriting* page) noexcept nogil:
    """Rewrite the constructs of a sealed tree, in one forward walk, then what needs all of the page."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n = 1
    while n < page.tree.n_nodes and not page.failed:
        if nodes[n].kind == KIND_ELEMENT:
            n = rewrite_element(page, n)
            continue
        if nodes[n].kind == KIND_TEXT and nodes[n].length > 1:
            drop_invisible(page, n)
        if nodes[n].kind == KIND_TEXT and nodes[n].length > 2 and has_tex_mark(
            slice_at(page.tree, nodes[n].start, nodes[n].length).data, nodes[n].length
        ):
            n = rewrite_text(page, n)
        else:
            n = nodes[n].end
    if page.any_reference and not page.failed:
        rewrite_notes(page)
    return OUT_OF_MEMORY if page.failed else 0
