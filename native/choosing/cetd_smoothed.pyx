# SPDX-License-Identifier: Apache-2.0
"""`cetd-s`: content extraction via smoothed text density, without the density sum.

The variant with which Sun, Song and Liao 2011 (see cetd.pyx) compare their density sum: the densities of the page's
texts, in document order, are smoothed, so that a short paragraph among long ones is not lost, and a text is content
where the smoothed density reaches the density of the body.

Parameters: `composite` (1: composite text density, CECTD-S; 0: plain, CETD-S), `threshold` (times the density of the
body).

The density of a text is that of the element around it. The paper's text is not at hand: the kernel (a Gaussian of one
text's width, as in CETR) is our choice.
"""

from libc.stdint cimport uint32_t

from thresher.native.parsing.document cimport KIND_TEXT, Node
from thresher.native.base.arrays cimport OUT_OF_MEMORY
from thresher.native.choosing.interface cimport MARKED_NODES, Page
from thresher.native.choosing.smoothing cimport smooth
from thresher.native.measuring.metrics cimport *
from thresher.native.base.scratch cimport SLOT_EXTRACTOR_1, SLOT_EXTRACTOR_2, SLOT_EXTRACTOR_3, take


cdef int cetd_smoothed(const Page* page) noexcept nogil:
    """Marks the texts whose smoothed density reaches the body's."""
    cdef:
        const SmoothedOptions* options = <const SmoothedOptions*> page.options
        const Node* nodes = page.tree.nodes
        const NodeMetrics* rows = page.metrics.nodes
        uint32_t n, parent, last_parent = 0, body = page.metrics.body, end
        Py_ssize_t count = 0, i
        bint composite = options.composite != 0
        double ratio, limit, last_density = 0.0
        double* density = <double*> take(page.scratch, SLOT_EXTRACTOR_1, page.tree.n_nodes + 1, sizeof(double))
        double* smoothed = <double*> take(page.scratch, SLOT_EXTRACTOR_2, page.tree.n_nodes + 1, sizeof(double))
        uint32_t* texts = <uint32_t*> take(page.scratch, SLOT_EXTRACTOR_3, page.tree.n_nodes + 1, sizeof(uint32_t))
    if density == NULL or smoothed == NULL or texts == NULL:
        return OUT_OF_MEMORY
    if page.tree.n_nodes == 0 or rows[body].characters == 0:
        return MARKED_NODES
    ratio = link_density(rows + body)
    limit = options.threshold * (density_of(rows + body, False, ratio) if composite else text_density(rows + body))
    end = nodes[body].end
    n = next_visible(page.tree, page.metrics, body, end)
    while n < end:
        if nodes[n].kind == KIND_TEXT and not rows[n].flags & FLAG_BLANK:
            parent = nodes[n].parent
            if parent != last_parent:       # texts around inline elements share a parent: one logarithm less
                last_parent = parent
                last_density = density_of(rows + parent, False, ratio) if composite else text_density(rows + parent)
            density[count] = last_density
            texts[count] = n
            count += 1
        n = next_visible(page.tree, page.metrics, n + 1, end)
    smooth(density, smoothed, count)
    for i in range(count):
        if smoothed[i] >= limit:
            page.marks[texts[i]] = 1
    return MARKED_NODES
