# SPDX-License-Identifier: Apache-2.0
"""`conex`: page-level ConEx, main content from one page.

Alarte, Information Retrieval Based on DOM Trees, PhD thesis 2023, chapter 6. Every element that is rated (not a leaf,
not one of the excluded tags) gets four ratios: words outside links weighted by their distance, one over its hyperlinks,
more than two children, and its depth from the nearer end of the page; each is standardised over the page. The
`candidates` elements farthest from the mean are taken; of two with the same text, the outer one; of these the one with
the most words per tag, with its siblings among them, is the main content; short links that stand alone in one of
several like siblings are cut out of it. On a page that is wider than deep, all children of the body are main content.

Parameters: `candidates` (the thesis' c = 3), `link_words` (a link with fewer words is short, the thesis' mw = 3).

Where the thesis is open or contradicts itself: link text is text with any hyperlink above it; standard deviations are
of the population; a ratio that does not vary counts 0; of equal distances the first in document order; hidden elements
and comments are not there (metrics.pxd); words are those of metrics.pxd.
"""

from libc.math cimport fabs, sqrt
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from thresher.native.parsing.document cimport KIND_ELEMENT, KIND_TEXT, NS_HTML, Node
from thresher.native.base.arrays cimport OUT_OF_MEMORY
from thresher.native.choosing.interface cimport MARKED_NODES, Page, mark_subtree
from thresher.native.measuring.metrics cimport *
from thresher.native.base.scratch cimport (
    SLOT_EXTRACTOR_1, SLOT_EXTRACTOR_2, SLOT_EXTRACTOR_3, SLOT_EXTRACTOR_4, SLOT_EXTRACTOR_5, take
)
from thresher.native.parsing.tags cimport *


cdef enum:
    MAX_CANDIDATES = 64
    NEAR = 64               # ancestors that every text counts for
    FAR = 16                # further ancestors, for each node of the page: on a page of texts that are deeper, only the
                            # first ones count for all of theirs, with less than 1/NEAR of their words each
    SHORT = 0x40000000      # larger than any count of children


cdef struct Rated:
    uint32_t node
    double[4] ratios    # words, hyperlinks, children, position; standardised later
    double distance     # from the mean


cdef bint is_allowed(const Node* node, const NodeMetrics* row) noexcept nogil:
    """True for elements whose tag can be main content by itself (section 6.2)."""
    cdef uint32_t tag = node.tag
    if node.kind != KIND_ELEMENT or row.flags & FLAG_HIDDEN:
        return False
    return node.namespace != NS_HTML or not (
        tag == TAG_A or tag == TAG_BODY or tag == TAG_BR or tag == TAG_EM
        or tag == TAG_H1 or tag == TAG_H2 or tag == TAG_H3
        or tag == TAG_H4 or tag == TAG_H5 or tag == TAG_HEADER or tag == TAG_HR or tag == TAG_IFRAME or tag == TAG_NAV
        or tag == TAG_SPAN or tag == TAG_SCRIPT
    )


cdef void standardise(Rated* rated, Py_ssize_t count) noexcept nogil:
    """Brings each ratio to mean 0 and standard deviation 1, then computes each node's distance from the mean."""
    cdef Py_ssize_t i
    cdef int axis
    cdef double mean, deviation, total
    for axis in range(4):
        total = 0.0
        for i in range(count):
            total += rated[i].ratios[axis]
        mean = total / count
        total = 0.0
        for i in range(count):
            total += (rated[i].ratios[axis] - mean) * (rated[i].ratios[axis] - mean)
        deviation = sqrt(total / count)
        for i in range(count):
            rated[i].ratios[axis] = (rated[i].ratios[axis] - mean) / deviation if deviation > 0 else 0.0
    for i in range(count):
        total = 0.0
        for axis in range(4):
            total += rated[i].ratios[axis] * rated[i].ratios[axis]
        rated[i].distance = sqrt(total)


cdef int conex(const Page* page) noexcept nogil:
    """Marks the main content of one page."""
    cdef:
        const ConexOptions* options = <const ConexOptions*> page.options
        const Node* nodes = page.tree.nodes
        const NodeMetrics* rows = page.metrics.nodes
        uint32_t body = page.metrics.body, n, ancestor, end, n_nodes = page.tree.n_nodes, deepest = 0, width = 0, depth
        uint32_t deepest_allowed = 0, body_depth, reach
        uint64_t far = FAR * <uint64_t> n_nodes
        Py_ssize_t count = 0, i, j, chosen = 0, n_candidates, kept
        Py_ssize_t[MAX_CANDIDATES] candidates
        uint8_t[MAX_CANDIDATES] is_main
        double* words = <double*> take(page.scratch, SLOT_EXTRACTOR_1, n_nodes + 1, sizeof(double))
        Rated* rated
        double best, score
        bint dropped
    if words == NULL:
        return OUT_OF_MEMORY
    if n_nodes == 0:
        return MARKED_NODES
    end = nodes[body].end
    body_depth = rows[body].depth
    memset(words, 0, n_nodes * sizeof(double))
    n = next_visible(page.tree, page.metrics, body, end)
    while n < end:
        if not rows[n].flags & FLAG_BLANK:
            depth = rows[n].depth - body_depth
            deepest = max(deepest, depth)
            if nodes[n].kind == KIND_ELEMENT and is_allowed(nodes + n, rows + n):
                deepest_allowed = max(deepest_allowed, depth)
                width += nodes[n].parent == body
                count += rows[n].children != 0
            elif nodes[n].kind == KIND_TEXT and not rows[n].flags & FLAG_IN_LINK and rows[n].words:
                reach = NEAR
                if depth > NEAR:
                    reach += <uint32_t> min(<uint64_t> (depth - NEAR), far)
                    far -= reach - NEAR
                ancestor = nodes[n].parent
                while ancestor >= body and ancestor != 0 and reach:
                    words[ancestor] += <double> rows[n].words / (rows[n].depth - rows[ancestor].depth)
                    ancestor = nodes[ancestor].parent
                    reach -= 1
        n = next_visible(page.tree, page.metrics, n + 1, end)
    if width >= deepest_allowed:
        for n in range(body + 1, end):
            page.marks[n] = 1
        return cut_short_links(page)
    rated = <Rated*> take(page.scratch, SLOT_EXTRACTOR_2, count + 1, sizeof(Rated))
    if rated == NULL:
        return OUT_OF_MEMORY
    i = 0
    n = next_visible(page.tree, page.metrics, body, end)
    while n < end:
        if nodes[n].kind == KIND_ELEMENT and rows[n].children and is_allowed(nodes + n, rows + n):
            depth = rows[n].depth - body_depth
            rated[i].node = n
            rated[i].ratios[0] = words[n]
            rated[i].ratios[1] = hyperlink_ratio(rows + n)
            rated[i].ratios[2] = 1.0 if rows[n].children > 2 else 0.0
            rated[i].ratios[3] = depth if 2 * depth <= deepest else deepest - depth
            i += 1
        n = next_visible(page.tree, page.metrics, n + 1, end)
    if count == 0:
        return MARKED_NODES
    standardise(rated, count)
    # The farthest from the mean; ties go to the first.
    n_candidates = <Py_ssize_t> min(max(options.candidates, 1.0), <double> MAX_CANDIDATES)
    n_candidates = min(n_candidates, count)
    for j in range(n_candidates):
        chosen = -1
        for i in range(count):
            if rated[i].distance >= 0 and (chosen < 0 or rated[i].distance > rated[chosen].distance):
                chosen = i
        candidates[j] = chosen
        rated[chosen].distance = -1.0       # taken
    # Of two nested elements with the same text, keep the outer one.
    kept = 0
    for j in range(n_candidates):
        n = rated[candidates[j]].node
        dropped = False
        for i in range(n_candidates):
            ancestor = rated[candidates[i]].node
            if ancestor < n < nodes[ancestor].end and rows[ancestor].characters == rows[n].characters:
                dropped = True
        is_main[j] = not dropped
    for j in range(n_candidates):
        if is_main[j]:
            candidates[kept] = candidates[j]
            kept += 1
    # The most words per tag, and its siblings.
    best = -1.0
    for j in range(kept):
        best = max(best, words_per_tag(rows + rated[candidates[j]].node))
    for j in range(kept):
        score = words_per_tag(rows + rated[candidates[j]].node)
        is_main[j] = fabs(score - best) < 1e-12
    for j in range(kept):
        if is_main[j] == 1:
            for i in range(kept):
                n = rated[candidates[i]].node
                if not is_main[i] and nodes[n].parent == nodes[rated[candidates[j]].node].parent:
                    is_main[i] = 2      # a sibling of the main content
    for j in range(kept):
        if is_main[j]:
            mark_subtree(page, rated[candidates[j]].node)
    return cut_short_links(page)


cdef double words_per_tag(const NodeMetrics* row) noexcept nogil:
    """Words per element, the element itself included (Algorithm 6)."""
    return <double> row.words / (row.tags + 1)


cdef int cut_short_links(const Page* page) noexcept nogil:
    """Unmarks children of one element that have the same tag and hold nothing but one link each, if any of these links
    is short (Algorithm 7).

    The thesis goes from each short link to the siblings of its parent; counting per parent and tag gives the same in
    linear time.
    """
    cdef:
        const ConexOptions* options = <const ConexOptions*> page.options
        const Node* nodes = page.tree.nodes
        const NodeMetrics* rows = page.metrics.nodes
        uint32_t body = page.metrics.body, n, child, link, n_nodes = page.tree.n_nodes, n_tags = 0
        uint32_t* last_parent
        uint32_t* alike
        uint8_t* cut
    for n in range(body, nodes[body].end):
        if nodes[n].kind == KIND_ELEMENT:
            n_tags = max(n_tags, nodes[n].tag)
    n_tags += 1
    # alike[tag]: number of children of last_parent[tag] that hold one link, plus SHORT if one of the links is short
    last_parent = <uint32_t*> take(page.scratch, SLOT_EXTRACTOR_3, n_tags, sizeof(uint32_t))
    alike = <uint32_t*> take(page.scratch, SLOT_EXTRACTOR_4, n_tags, sizeof(uint32_t))
    cut = <uint8_t*> take(page.scratch, SLOT_EXTRACTOR_5, n_nodes, sizeof(uint8_t))
    if last_parent == NULL or alike == NULL or cut == NULL:
        return OUT_OF_MEMORY
    memset(last_parent, 0xFF, n_tags * sizeof(uint32_t))
    memset(cut, 0, n_nodes)
    for n in range(body, nodes[body].end):
        if not page.marks[n] or nodes[n].kind != KIND_ELEMENT or rows[n].flags & FLAG_HIDDEN or rows[n].children < 2:
            continue
        child = n + 1
        while child < nodes[n].end:
            link = only_link(page, child)
            if link:
                if last_parent[nodes[child].tag] != n:
                    last_parent[nodes[child].tag] = n
                    alike[nodes[child].tag] = 0
                alike[nodes[child].tag] += 1
                if rows[link].words < options.link_words:
                    alike[nodes[child].tag] |= SHORT
            child = nodes[child].end
        child = n + 1
        while child < nodes[n].end:
            if only_link(page, child) and alike[nodes[child].tag] > SHORT + 1:
                cut[child] = 1
            child = nodes[child].end
    n = body
    while n < nodes[body].end:
        if cut[n]:
            memset(page.marks + n, 0, nodes[n].end - n)
            n = nodes[n].end
        else:
            n += 1
    return MARKED_NODES


cdef uint32_t only_link(const Page* page, uint32_t n) noexcept nogil:
    """The a element that is the only element child of n; 0 if n is no element or has other element children."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t child, link = 0
    if nodes[n].kind != KIND_ELEMENT or page.metrics.nodes[n].flags & FLAG_HIDDEN:
        return 0
    # at most one element child and text: stop at the second element
    child = n + 1
    while child < nodes[n].end:
        if nodes[child].kind == KIND_ELEMENT and not page.metrics.nodes[child].flags & FLAG_HIDDEN:
            if link or nodes[child].tag != TAG_A or nodes[child].namespace != NS_HTML:
                return 0
            link = child
        child = nodes[child].end
    return link
