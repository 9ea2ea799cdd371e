# SPDX-License-Identifier: Apache-2.0
"""The pass over a page that finds its constructs; see rewrite.pxd."""

from libc.stdint cimport uint32_t

from thresher.native.arrays cimport OUT_OF_MEMORY
from thresher.native.constructs.code cimport may_be_listing, rewrite_listing
from thresher.native.constructs.construct cimport FORMULAS_TEXT, Rewriting
from thresher.native.constructs.formulas cimport rewrite_math
from thresher.native.parsing.tags cimport TAG_MATH
from thresher.native.parsing.tree cimport KIND_ELEMENT, NS_HTML, Node


cdef uint32_t rewrite_element(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite an element if it is a construct. The node that the pass goes on with: the next one, or the one after the
    element where it was rewritten as a whole.
    """
    cdef const Node* node = page.tree.nodes + n
    cdef uint32_t after
    if node.tag == TAG_MATH and page.formulas != FORMULAS_TEXT and rewrite_math(page, n):
        return node.end
    if may_be_listing(node.tag) and node.namespace == NS_HTML:
        after = rewrite_listing(page, n)
        if after:
            return after
    return n + 1


cdef int rewrite_constructs(Rewriting* page) noexcept nogil:
    """Rewrite the constructs of a sealed tree, in one forward walk."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n = 1
    while n < page.tree.n_nodes and not page.failed:
        if nodes[n].kind == KIND_ELEMENT:
            n = rewrite_element(page, n)
        else:
            n = nodes[n].end
    return OUT_OF_MEMORY if page.failed else 0
