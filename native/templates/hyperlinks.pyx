# SPDX-License-Identifier: Apache-2.0
"""Hyperlinks of a page and their distance in its tree (Alarte 2023, section 4.2 and chapter 7)."""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free

from thresher.native.base.arrays cimport new_array
from thresher.native.parsing.document cimport Document
from thresher.native.parsing.tags cimport ATTR_HREF, TAG_A, TAG_BASE
from thresher.native.parsing.tree cimport KIND_ELEMENT, NS_HTML, Attribute, Node, Tree, find_attribute


cdef enum:
    TAKEN = 0xFFFFFFFF


def hyperlinks(Document document not None, uint32_t limit=10_000) -> list[tuple[int, str]]:
    """(node, href) of the a elements that have an href, in document order, at most `limit`."""
    cdef const Tree* tree = &document.tree
    cdef const Attribute* href
    cdef uint32_t n
    cdef list found = []
    document.require_idle()
    for n in range(tree.n_nodes):
        if tree.nodes[n].tag == TAG_A and tree.nodes[n].kind == KIND_ELEMENT and tree.nodes[n].namespace == NS_HTML:
            href = find_attribute(tree, n, ATTR_HREF)
            if href != NULL:
                if <uint32_t> len(found) == limit:
                    break
                found.append((n, document.slice(href.value_start, href.value_length)))
    return found


def base_href(Document document not None) -> str | None:
    """The href of the first base element that has one; None if no base element has."""
    cdef const Tree* tree = &document.tree
    cdef const Attribute* href
    cdef uint32_t n
    document.require_idle()
    for n in range(tree.n_nodes):
        if tree.nodes[n].tag == TAG_BASE and tree.nodes[n].kind == KIND_ELEMENT and tree.nodes[n].namespace == NS_HTML:
            href = find_attribute(tree, n, ATTR_HREF)
            if href != NULL:
                return document.slice(href.value_start, href.value_length)
    return None


cdef uint32_t distance(const Node* nodes, uint32_t one, uint32_t other) noexcept nogil:
    """Edges on the path between two nodes, through their nearest common ancestor (definition 4.2.4)."""
    cdef uint32_t edges = 0
    while one != other:
        # a parent comes before its children, so the later node is never an ancestor of the other
        if one > other:
            one = nodes[one].parent
        else:
            other = nodes[other].parent
        edges += 1
    return edges


def farthest_first(Document document not None, nodes) -> list[int]:
    """The indices of `nodes`, ordered so that each node is the farthest from all before it; index 0 comes first.

    Ties go to the earlier node. This is the inner order of algorithm 8. Time grows with the square of the number of
    nodes, times the depth of the page.
    """
    cdef uint32_t count = len(nodes), i, k, chosen = 0
    cdef uint64_t serial = document.tree.serial
    cdef uint32_t* node = <uint32_t*> new_array(3 * <size_t> count, sizeof(uint32_t))
    cdef uint32_t* nearest = node + count
    cdef uint32_t* order = nearest + count
    if node == NULL:
        raise MemoryError(f"no memory for {count} links")
    try:
        for i in range(count):
            node[i] = document._check(nodes[i])
            nearest[i] = <uint32_t> TAKEN - 1
        if document.tree.serial != serial:
            raise RuntimeError("the document has parsed another page meanwhile")
        document.begin()
        with nogil:
            for k in range(count):
                order[k] = chosen
                nearest[chosen] = <uint32_t> TAKEN
                for i in range(count):
                    if nearest[i] != <uint32_t> TAKEN:
                        nearest[i] = min(nearest[i], distance(document.tree.nodes, node[i], node[chosen]))
                chosen = count
                for i in range(count):
                    if nearest[i] != <uint32_t> TAKEN and (chosen == count or nearest[i] > nearest[chosen]):
                        chosen = i
        document.done()
        return [order[k] for k in range(count)]
    finally:
        free(node)
