# SPDX-License-Identifier: Apache-2.0
"""The page as a sequence of tags and texts, for the extractors that were designed for token streams.

A cursor walks the visible nodes of the body in document order and counts the tags between texts: start tags, and end
tags of elements that can have one, as in a well-formed page.
"""

from libc.stdint cimport uint32_t

from thresher.native.parsing.document cimport KIND_ELEMENT, KIND_TEXT, NS_HTML, Node, Tree
from thresher.native.measuring.metrics cimport FLAG_BLANK, FLAG_HIDDEN, MetricsArray
from thresher.native.parsing.tags cimport *


ctypedef struct Cursor:
    uint32_t next       # the node to visit next
    uint32_t end        # one past the last node of the body
    uint32_t inside     # the innermost open element
    uint32_t tags       # tags since the previous text
    bint skip_anchors   # the tags of a elements are not counted


cdef inline bint is_void(const Node* node) noexcept nogil:
    """True for an element that has no end tag."""
    return node.namespace == NS_HTML and (
        node.tag == TAG_BR or node.tag == TAG_IMG or node.tag == TAG_INPUT or node.tag == TAG_HR or node.tag == TAG_WBR
        or node.tag == TAG_SOURCE or node.tag == TAG_META or node.tag == TAG_LINK or node.tag == TAG_COL
        or node.tag == TAG_AREA or node.tag == TAG_EMBED or node.tag == TAG_TRACK or node.tag == TAG_BASE
    )


cdef inline Cursor cursor_of(const Tree* tree, const MetricsArray* metrics, bint skip_anchors) noexcept nogil:
    """A cursor before the first node inside the body."""
    cdef Cursor cursor
    cursor.next = metrics.body + 1
    cursor.end = tree.nodes[metrics.body].end if tree.n_nodes else 0
    cursor.inside = metrics.body
    cursor.tags = 0
    cursor.skip_anchors = skip_anchors
    return cursor


cdef inline uint32_t next_text(Cursor* cursor, const Tree* tree, const MetricsArray* metrics) noexcept nogil:
    """The next visible text node that is not blank; 0 at the end.

    cursor.tags is the number of tags before it (at the end: after the last text).
    """
    cdef const Node* nodes = tree.nodes
    cdef const Node* node
    cdef uint32_t n
    cdef uint32_t tags = 0
    while cursor.next < cursor.end:
        n = cursor.next
        node = nodes + n
        if metrics.nodes[n].flags & FLAG_HIDDEN:
            cursor.next = node.end
            continue
        cursor.next = n + 1
        if node.kind != KIND_ELEMENT and (node.kind != KIND_TEXT or metrics.nodes[n].flags & FLAG_BLANK):
            continue
        while cursor.inside != node.parent:     # each element is closed once, so that the loops together are linear
            if not is_void(nodes + cursor.inside) and not (cursor.skip_anchors and nodes[cursor.inside].tag == TAG_A):
                tags += 1
            cursor.inside = nodes[cursor.inside].parent
        if node.kind == KIND_TEXT:
            cursor.tags = tags
            return n
        if not (cursor.skip_anchors and node.tag == TAG_A):
            tags += 1
        cursor.inside = n
    while cursor.inside > metrics.body:
        if not is_void(nodes + cursor.inside) and not (cursor.skip_anchors and nodes[cursor.inside].tag == TAG_A):
            tags += 1
        cursor.inside = nodes[cursor.inside].parent
    cursor.tags = tags
    return 0
