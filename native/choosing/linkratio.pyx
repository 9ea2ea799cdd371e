# SPDX-License-Identifier: Apache-2.0
"""`linkratio`: everything but navigation, told by characters per link.

Algorithm 2 of a student's progress report on Chinese pages (2022): a div is a navigation bar when its characters
divided by its links fall on the wrong side of a value. (The report prints "higher"; a bar of links has few characters
per link, so it is "lower".) What is not in such a div is main text. The report tuned the value and does not give it.

Parameters: `ratio` (characters per link below which a div is navigation), `links` (a div with fewer links is none),
chosen by cross-validation over sites.
"""

from libc.stdint cimport uint32_t

from thresher.native.parsing.document cimport KIND_ELEMENT, KIND_TEXT, NS_HTML, Node
from thresher.native.choosing.interface cimport MARKED_NODES, Page
from thresher.native.measuring.metrics cimport FLAG_HIDDEN, NodeMetrics
from thresher.native.parsing.tags cimport TAG_DIV


cdef int linkratio(const Page* page) noexcept nogil:
    """Marks every text outside of navigation."""
    cdef:
        const LinkratioOptions* options = <const LinkratioOptions*> page.options
        const Node* nodes = page.tree.nodes
        const NodeMetrics* rows = page.metrics.nodes
        uint32_t body = page.metrics.body, n = body, end
    if page.tree.n_nodes == 0:
        return MARKED_NODES
    end = nodes[body].end
    while n < end:
        if rows[n].flags & FLAG_HIDDEN:
            n = nodes[n].end
            continue
        if (
            nodes[n].kind == KIND_ELEMENT and nodes[n].tag == TAG_DIV and nodes[n].namespace == NS_HTML
            and rows[n].hyperlinks >= options.links and rows[n].hyperlinks
            and rows[n].characters < options.ratio * rows[n].hyperlinks
        ):
            n = nodes[n].end
            continue
        if nodes[n].kind == KIND_TEXT:
            page.marks[n] = 1
        n += 1
    return MARKED_NODES
