# SPDX-License-Identifier: Apache-2.0
"""The owner of a page's tree: a parser with its arena, reused from page to page.

The structs and helpers of tree.pxd are cimported here, so that `from thresher.native.document cimport Tree, Document` is all that a
pass over the tree needs.
"""

from thresher.native.tags cimport AttributeName, Tag
from thresher.native.tree cimport (
    KIND_COMMENT, KIND_CONTENT, KIND_DOCTYPE, KIND_DOCUMENT, KIND_ELEMENT, KIND_TEXT, NS_HTML, NS_MATHML, NS_SVG, SIDE,
    Attribute, Namespace, Node, NodeKind, Slice, Tree, find_attribute, slice_at,
)


cdef class Document:
    cdef Tree tree      # what passes over the tree take; valid until the next parse()
