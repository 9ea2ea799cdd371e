# SPDX-License-Identifier: Apache-2.0
"""The pass over a page that finds its constructs; see rewrite.pxd."""

from libc.stdint cimport uint32_t

from thresher.native.arrays cimport OUT_OF_MEMORY
from thresher.native.constructs.construct cimport FORMULAS_TEXT, Rewriting
from thresher.native.constructs.formulas cimport rewrite_math
from thresher.native.constructs.inlines cimport drop_invisible, rewrite_quotation, rewrite_reading
from thresher.native.constructs.marks cimport rewrite_box
from thresher.native.constructs.notes cimport may_be_reference, rewrite_notes
from thresher.native.parsing.tags cimport TAG_A, TAG_CODE, TAG_INPUT, TAG_LISTING, TAG_MATH, TAG_PRE, TAG_Q, TAG_RT, TAG_XMP
from thresher.native.parsing.tree cimport KIND_ELEMENT, NS_HTML, Node


cdef uint32_t rewrite_element(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite an element if it is a construct. The node that the pass goes on with: the next one, or the one after the
    element where it was rewritten as a whole.
    """
    cdef const Node* node = page.tree.nodes + n
    if node.tag == TAG_MATH and page.formulas != FORMULAS_TEXT and rewrite_math(page, n):
        return node.end
    return n + 1


cdef void rewrite_inlines(Rewriting* page) noexcept nogil:
    """Rewrite what stands in lines of text outside code, then the footnotes, if there is a link that may lead to one."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n = 1, tag
    cdef bint any_reference = False
    while n < page.tree.n_nodes and not page.failed:
        if nodes[n].kind != KIND_ELEMENT or nodes[n].namespace != NS_HTML:
            n = nodes[n].end
            continue
        tag = nodes[n].tag
        if tag == TAG_PRE or tag == TAG_CODE or tag == TAG_LISTING or tag == TAG_XMP:
            n = nodes[n].end
            continue
        if tag == TAG_A:
            any_reference = any_reference or may_be_reference(page, n)
        elif tag == TAG_INPUT:
            rewrite_box(page, n)
        elif tag == TAG_RT:
            rewrite_reading(page, n)
        elif tag == TAG_Q:
            rewrite_quotation(page, n)
        n += 1
    if any_reference and not page.failed:
        rewrite_notes(page)
    drop_invisible(page)


cdef int rewrite_constructs(Rewriting* page) noexcept nogil:
    """Rewrite the constructs of a sealed tree, in one forward walk."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n = 1
    while n < page.tree.n_nodes and not page.failed:
        if nodes[n].kind == KIND_ELEMENT:
            n = rewrite_element(page, n)
        else:
            n = nodes[n].end
    rewrite_inlines(page)
    return OUT_OF_MEMORY if page.failed else 0
