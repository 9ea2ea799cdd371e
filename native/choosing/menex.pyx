# SPDX-License-Identifier: Apache-2.0
"""`menex`: the page's menu, as one node.

Alarte, Information Retrieval Based on DOM Trees, PhD thesis 2023, chapter 5. Every element with children is weighed by
six properties: amplitude 1 - 1/children, link ratio (H + D) / 2D with H hyperlinks and D descendants (0 below two
hyperlinks), text ratio 1 - C / sqrt(C of the page) with C characters outside links, being a ul, being a nav or having
the class or id menu or nav, and position 1 - rank / nodes. Elements over `candidate` of the largest weight are
candidates; from each the search climbs while more than half of the parent's element children weigh more than `root`
times the candidate (Algorithm 1); among the elements so reached, the one whose children over `menu` have the largest
mean weight is the menu (Algorithm 2), or the heaviest where no child is over it.

Parameters: `candidate` .85, `root` .90, `menu` .85, and the six weights, all from the thesis, fixed.

What it marks is the menu and not the main text: a detector that other extractors and the tests use, listed with them
because it has the same interface. The climbs together visit at most 64 children per node of the page plus a million;
after that a candidate stands for itself, so that hostile pages cost linear time.
"""

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int64_t, uint32_t

from thresher.native.parsing.reading cimport *
from thresher.native.base.arrays cimport OUT_OF_MEMORY
from thresher.native.choosing.interface cimport MARKED_NODES, Page, mark_subtree
from thresher.native.measuring.metrics cimport FLAG_BLANK, FLAG_HIDDEN, NodeMetrics, next_visible
from thresher.native.base.scratch cimport SLOT_EXTRACTOR_1, take
from thresher.native.parsing.tags cimport ATTR_ID, TAG_NAV, TAG_UL


# amplitude, link ratio, text ratio, ul, representative tag, position (section 5.3, the published optimum)
cdef double[6] WEIGHTS = [0.30, 0.05, 0.10, 0.15, 0.15, 0.25]


cdef bint is_menu_word(Slice text) noexcept nogil:
    """True for exactly "menu" or "nav"."""
    return text.length == 4 and begins(text, b"menu") or text.length == 3 and begins(text, b"nav")


cdef bint names_a_menu(const Tree* tree, uint32_t n) noexcept nogil:
    """True if the element is a nav, or has the class or id menu or nav."""
    cdef Slice words, word
    if is_html(tree.nodes + n, TAG_NAV):
        return True
    if tree.nodes[n].n_attributes == 0:
        return False
    if is_menu_word(value_in(tree, n, ATTR_ID)):
        return True
    words = class_of(tree, n)
    while next_word(&words, &word):
        if is_menu_word(word):
            return True
    return False


cdef uint32_t root_of(
    const Page* page, const double* weights, uint32_t candidate, double share, int64_t* budget
) noexcept nogil:
    """Algorithm 1: from a candidate to the root of its menu."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t menu = candidate, current = candidate, parent, child, children, heavy
    cdef double limit = share * weights[candidate]
    while current > page.metrics.body:
        parent = nodes[current].parent
        children = 0
        heavy = 0
        child = parent + 1
        while child < nodes[parent].end:
            if nodes[child].kind == KIND_ELEMENT and not page.metrics.nodes[child].flags & FLAG_HIDDEN:
                children += 1
                heavy += weights[child] > limit
            budget[0] -= 1
            child = nodes[child].end
        if 2 * heavy <= children or budget[0] < 0:
            break
        current = parent
        if children > 1:
            menu = parent
    return menu


cdef int menex(const Page* page) noexcept nogil:
    """Marks the subtree of the page's menu, or nothing if no element has a positive weight."""
    cdef:
        const MenexOptions* options = <const MenexOptions*> page.options
        const Node* nodes = page.tree.nodes
        const NodeMetrics* rows = page.metrics.nodes
        const NodeMetrics* row
        uint32_t body = page.metrics.body, n, end, rank = 0, root, first_root = 0, child, heavy, best = 0
        uint32_t n_nodes = page.tree.n_nodes
        uint32_t heaviest = 0
        double page_text, largest = -INFINITY, total, best_mean = 0.0, weight
        bint several = False
        int64_t budget = 64 * <int64_t> n_nodes + 1000000
        double* weights = <double*> take(page.scratch, SLOT_EXTRACTOR_1, n_nodes + 1, sizeof(double))
    if weights == NULL:
        return OUT_OF_MEMORY
    if n_nodes == 0:
        return MARKED_NODES
    end = nodes[body].end
    page_text = sqrt(<double> (rows[body].characters - rows[body].link_characters))
    if page_text == 0:
        page_text = 1.0
    n = body
    while n < end:
        weights[n] = -INFINITY
        row = rows + n
        if row.flags & FLAG_HIDDEN:
            n = nodes[n].end
            continue
        if nodes[n].kind == KIND_ELEMENT or nodes[n].kind == KIND_TEXT and not row.flags & FLAG_BLANK:
            rank += 1
        if nodes[n].kind == KIND_ELEMENT and row.children:
            weight = WEIGHTS[0] * (1.0 - 1.0 / row.children)
            if row.hyperlinks >= 2:
                weight += WEIGHTS[1] * ((<double> row.hyperlinks + row.nodes) / (2.0 * row.nodes))
            weight += WEIGHTS[2] * (1.0 - (row.characters - row.link_characters) / page_text)
            if nodes[n].tag == TAG_UL and nodes[n].namespace == NS_HTML:
                weight += WEIGHTS[3]
            if names_a_menu(page.tree, n):
                weight += WEIGHTS[4]
            weight += WEIGHTS[5] * (1.0 - <double> rank / (rows[body].nodes + 1))
            weights[n] = weight
            largest = max(largest, weight)
        n += 1
    if not largest > 0:
        return MARKED_NODES
    n = next_visible(page.tree, page.metrics, body, end)
    while n < end:
        if weights[n] > options.candidate * largest:
            root = root_of(page, weights, n, options.root, &budget) if budget >= 0 else n
            if first_root == 0:
                first_root = root
                heaviest = root
            elif root != first_root:
                several = True
            if weights[root] > weights[heaviest]:
                heaviest = root
            # Algorithm 2: the mean of the children over the limit
            total = 0.0
            heavy = 0
            child = root + 1
            while child < nodes[root].end and budget >= 0:
                if (
                    weights[child] > options.menu and nodes[child].kind == KIND_ELEMENT
                    and not rows[child].flags & FLAG_HIDDEN
                ):
                    total += weights[child]
                    heavy += 1
                budget -= 1
                child = nodes[child].end
            if heavy and total / heavy > best_mean:
                best_mean = total / heavy
                best = root
        n = next_visible(page.tree, page.metrics, n + 1, end)
    if not several:
        best = first_root
    elif best == 0:
        best = heaviest
    if best:
        mark_subtree(page, best)
    return MARKED_NODES
