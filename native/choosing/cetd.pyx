# SPDX-License-Identifier: Apache-2.0
"""`cetd`: content extraction via text density.

Sun, Song and Liao, DOM Based Content Extraction via Text Density, SIGIR 2011. Every element gets a density: characters
per tag, or the composite density that also weighs links (metrics.pxd). The density sum of an element adds up the
densities of its children; a text that stands directly in the element counts as a child with one tag. Then

1. the element with the largest density sum is the target; the threshold is the lowest density on the path from the body
   to the target;
2. from the body down, through elements whose density reaches the threshold, the element with the largest density sum
   in each one's subtree is content, with everything below it.

Parameters: `composite` (1: composite text density; 0: plain text density), `descend` (0: no step 2, the target alone is
content). The paper's names: CECTD-DS is `cetd`, CETD-DS is `cetd-ds` (DS and DSum both stand for density sum);
`cetd-dsum` is the target alone, as many implementations have it; CECTD-S is `cetd-s` (cetd_smoothed.pyx).

Where the paper is silent: of equal density sums the first in document order wins; the densities of direct text are
computed by the same formula (one tag, one link tag where it stands in a link); hidden elements are not there
(metrics.pxd).
"""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.parsing.document cimport KIND_ELEMENT, KIND_TEXT, Node
from thresher.native.base.arrays cimport OUT_OF_MEMORY
from thresher.native.choosing.interface cimport MARKED_NODES, Page, mark_subtree
from thresher.native.measuring.metrics cimport *
from thresher.native.base.scratch cimport SLOT_EXTRACTOR_1, SLOT_EXTRACTOR_2, SLOT_EXTRACTOR_3, SLOT_EXTRACTOR_4, take


cdef int cetd(const Page* page) noexcept nogil:
    """Marks the content by density and density sum."""
    cdef:
        const CetdOptions* options = <const CetdOptions*> page.options
        const Node* nodes = page.tree.nodes
        const NodeMetrics* rows = page.metrics.nodes
        const NodeMetrics* row
        uint32_t n, parent, body = page.metrics.body, n_nodes = page.tree.n_nodes, end, target
        bint composite = options.composite != 0
        double ratio, density_here, threshold
        double* density = <double*> take(page.scratch, SLOT_EXTRACTOR_1, n_nodes, sizeof(double))
        double* total = <double*> take(page.scratch, SLOT_EXTRACTOR_2, n_nodes, sizeof(double))
        uint32_t* best = <uint32_t*> take(page.scratch, SLOT_EXTRACTOR_3, n_nodes, sizeof(uint32_t))
        uint8_t* opened = <uint8_t*> take(page.scratch, SLOT_EXTRACTOR_4, n_nodes, sizeof(uint8_t))
    if density == NULL or total == NULL or best == NULL or opened == NULL:
        return OUT_OF_MEMORY
    if n_nodes == 0 or rows[body].characters == 0:
        return MARKED_NODES
    end = nodes[body].end
    ratio = link_density(rows + body)
    # Densities, their sums over children, and in each subtree the element with the largest sum: one backward loop.
    for n in range(body, end):
        total[n] = 0.0
        best[n] = n
    n = end
    while n > body:
        n -= 1
        row = rows + n
        if row.flags & (FLAG_HIDDEN | FLAG_BLANK):
            continue
        density_here = density_of(row, nodes[n].kind == KIND_TEXT, ratio) if composite else text_density(row)
        if nodes[n].kind == KIND_ELEMENT:
            density[n] = density_here
            # children come first in this loop; on equal sums the element itself, being earlier in the document, wins
            if best[n] == n or total[n] >= total[best[n]]:
                best[n] = n
        if n == body:
            break
        parent = nodes[n].parent
        total[parent] += density_here
        if nodes[n].kind == KIND_ELEMENT and (best[parent] == parent or total[best[n]] >= total[best[parent]]):
            best[parent] = best[n]
    target = best[body]
    if options.descend == 0:
        mark_subtree(page, target)
        return MARKED_NODES
    # The threshold: the lowest density from the target up to the body.
    threshold = density[target]
    n = target
    while n > body:
        n = nodes[n].parent
        if density[n] < threshold:
            threshold = density[n]
    # From the body down through elements that reach it.
    n = body
    while n < end:
        row = rows + n
        opened[n] = 0
        if row.flags & FLAG_HIDDEN:
            n = nodes[n].end
            continue
        if nodes[n].kind == KIND_ELEMENT and (n == body or opened[nodes[n].parent]) and density[n] >= threshold:
            if page.marks[n]:       # inside content already
                n = nodes[n].end
                continue
            opened[n] = 1
            if not page.marks[best[n]]:
                mark_subtree(page, best[n])
        n += 1
    return MARKED_NODES
