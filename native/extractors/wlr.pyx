# SPDX-License-Identifier: Apache-2.0
"""`wlr`: words/leaves ratio.

Insa, Silva and Tamarit, Using the Words/Leafs Ratio in the DOM Tree for Content Extraction, Journal of Logic and Algebraic Programming
2013; Alarte 2023 describes it as the subtree with the best ratio of words to leaves. Of equal ratios the first in
document order is taken. How the paper goes from the best node, often a single paragraph, to the block that holds the article is not
described there; here the choice climbs to the parent as long as the parent's ratio is at least `climb` times the best one.

Parameters: `climb` (above 1: never climbs), chosen by cross-validation over sites.
"""

from libc.stdint cimport uint32_t

from thresher.native.document cimport KIND_ELEMENT, Node
from thresher.native.extractors.interface cimport MARKED_NODES, Page, mark_subtree
from thresher.native.metrics cimport FLAG_HIDDEN, NodeMetrics, words_per_leaf


cdef int wlr(const Page* page) noexcept nogil:
    """Marks the subtree around the best ratio of words to leaves."""
    cdef:
        const Node* nodes = page.tree.nodes
        const NodeMetrics* rows = page.metrics.nodes
        uint32_t body = page.metrics.body, n = body, best = 0, end
        double ratio, best_ratio = -1.0
    if page.tree.n_nodes == 0 or rows[body].words == 0:
        return MARKED_NODES
    end = nodes[body].end
    while n < end:
        if rows[n].flags & FLAG_HIDDEN:
            n = nodes[n].end
            continue
        if nodes[n].kind == KIND_ELEMENT and rows[n].children:
            ratio = words_per_leaf(rows + n)
            if ratio > best_ratio:
                best_ratio = ratio
                best = n
        n += 1
    n = best
    while n > body:
        n = nodes[n].parent
        if words_per_leaf(rows + n) < page.options[0] * best_ratio:
            break
        best = n
    mark_subtree(page, best)
    return MARKED_NODES
