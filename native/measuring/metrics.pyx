# SPDX-License-Identifier: Apache-2.0
"""Measures every text of a page, and adds each node to its parent."""

cimport cython
from libc.math cimport M_E, log
from libc.stdlib cimport free
from libc.string cimport memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY, make_room
from thresher.native.base.characters cimport TextMeasure, is_space, measure_text
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tag_table cimport fill_tags
from thresher.native.parsing.tags cimport *
from thresher.native.shown.decision cimport *


cdef extern from "base/characters.h" nogil:
    const uint8_t* skip_blanks(const uint8_t* p, const uint8_t* end, const uint8_t* readable) noexcept


cdef enum TagRole:
    ROLE_LINK = 1
    ROLE_PREFORMATTED = 2
    ROLE_BODY = 4


cdef enum:
    REVEAL = 2      # a hidden element is shown if it holds more than this many times the visible text (metrics.pxd)


ctypedef struct Hidden:     # result of measure_text_nodes
    uint32_t element        # the hidden element with the most text: by attribute, or a noscript; 0 if there is none
    size_t most             # its characters
    size_t visible          # characters of all visible text
    size_t words            # its words


cdef uint8_t[TAG_COUNT] ROLES
fill_tags(ROLES, {
    ROLE_LINK: "a button select", ROLE_PREFORMATTED: "pre listing xmp plaintext", ROLE_BODY: "body frameset",
})


cdef int measure_nodes(MetricsArray* metrics, const Tree* tree) noexcept nogil:
    """Fill in the metrics of all nodes of a sealed tree."""
    if metrics.shown.serial != tree.serial and decide(&metrics.shown, tree) < 0:
        return OUT_OF_MEMORY
    metrics.n_nodes = 0
    metrics.body = 0
    metrics.serial = 0
    if make_room(&metrics.nodes, &metrics.capacity, tree.n_nodes) < 0:
        return OUT_OF_MEMORY
    metrics.n_nodes = tree.n_nodes
    measure_visible(metrics, tree)
    add_to_parents(metrics, tree)
    metrics.serial = tree.serial
    return 0


cdef void free_metrics(MetricsArray* metrics) noexcept nogil:
    """Free the memory."""
    free(metrics.nodes)
    shown_memory(&metrics.shown, True)
    memset(metrics, 0, sizeof(MetricsArray))


cdef void measure_visible(MetricsArray* metrics, const Tree* tree) noexcept nogil:
    """Set flags and text measures of all nodes, with the one exception to the rules for hidden text (metrics.pxd)."""
    cdef Hidden first = measure_text_nodes(metrics, tree, 0)
    cdef Hidden second
    if first.most > REVEAL * first.visible and (not metrics.strict or first.words == 0):
        second = measure_text_nodes(metrics, tree, first.element)
        # the hidden parts inside it were part of the first count
        if second.visible <= (1 + REVEAL) * first.visible:
            measure_text_nodes(metrics, tree, 0)


cdef Hidden measure_text_nodes(MetricsArray* metrics, const Tree* tree, uint32_t revealed) noexcept nogil:
    """Forward pass: flags and depth from the parent, characters and words of text nodes. `revealed` is shown although
    the rules hide it.
    """
    cdef:
        const Node* nodes = tree.nodes
        NodeMetrics* rows = metrics.nodes
        const Node* node
        NodeMetrics* row
        NodeMetrics* parent
        uint32_t n = 1, n_nodes = tree.n_nodes, element
        const Decision* decisions = metrics.shown.nodes
        Decision decision
        uint8_t role
        bint hidden, by_rule, strict = metrics.strict
        Slice text
        TextMeasure measure
        size_t characters
        Hidden result
    result.element = 0
    result.most = 0
    result.visible = 0
    result.words = 0
    if n_nodes == 0:
        return result
    memset(rows, 0, sizeof(NodeMetrics))
    while n < n_nodes:
        node = nodes + n
        row = rows + n
        THRESHER_CHECK(node.parent < n and n < node.end <= n_nodes)
        parent = rows + node.parent
        memset(row, 0, sizeof(NodeMetrics))     # here, not for all at once: the row is written anyway
        row.flags = parent.flags & <uint8_t> INHERITED
        row.depth = parent.depth + (parent.depth < 65535)
        if node.kind == KIND_TEXT:
            text = slice_at(tree, node.start, node.length)
            if node.end == n + 1 and is_white_space(text, readable_end(tree, node.start)):   # every second text
                row.flags |= FLAG_BLANK | (FLAG_HIDDEN if row.flags & FLAG_NO_SIZE else 0)
                n += 1
                continue
            measure = measure_text(text.data, text.length, readable_end(tree, node.start))
            if strict:
                if row.flags & FLAG_NO_SIZE:
                    row.flags |= FLAG_HIDDEN
                    measure.characters = 0
                    measure.words = 0
                result.words += measure.words
            row.characters = measure.characters
            row.words = measure.words
            result.visible += measure.characters
            if measure.characters == 0:
                row.flags |= FLAG_BLANK
            n += 1
            while n < node.end:     # the original nodes of a construct (native/constructs)
                memset(rows + n, 0, sizeof(NodeMetrics))
                rows[n].flags = FLAG_HIDDEN
                n += 1
            continue
        hidden = node.kind != KIND_ELEMENT
        by_rule = False
        if not hidden:
            role = role_of(node)
            if role:
                if role & ROLE_LINK:
                    row.flags |= FLAG_IN_LINK
                if role & ROLE_PREFORMATTED:
                    row.flags |= FLAG_PREFORMATTED
                if role & ROLE_BODY and metrics.body == 0:
                    metrics.body = n
            decision = decisions[n]
            if decision.why | decision.how and n != revealed:
                hidden = decision.how & HOW_NOT_TEXT != 0
                if strict and decision.how & HOW_NO_SIZE:
                    row.flags |= FLAG_NO_SIZE
                elif strict and decision.how & HOW_SIZE:
                    row.flags &= ~<uint8_t> FLAG_NO_SIZE
                if decision.how & HOW_BLOCK:
                    row.flags |= FLAG_SHOWN_BLOCK
                if decision.how & HOW_INLINE:
                    row.flags |= FLAG_SHOWN_INLINE
                by_rule = not hidden and is_concealed(decision, strict)
                if by_rule and metrics.with_concealed and (
                    metrics.concealed_as_shown or not decision.how & HOW_RUN
                ):
                    row.flags |= FLAG_CONCEALED
                    by_rule = False
        if not hidden and not by_rule:
            n += 1
            continue
        # The whole subtree is hidden. It is measured only to learn how much text the rules hide.
        element = n
        characters = 0
        row.flags |= FLAG_HIDDEN
        n += 1
        while n < node.end:
            memset(rows + n, 0, sizeof(NodeMetrics))
            rows[n].flags = FLAG_HIDDEN
            if by_rule and nodes[n].kind == KIND_TEXT and not decisions[nodes[n].parent].how & HOW_NOT_TEXT:
                text = slice_at(tree, nodes[n].start, nodes[n].length)
                measure = measure_text(text.data, text.length, readable_end(tree, nodes[n].start))
                characters += measure.characters
            n += 1
        if characters > result.most:
            result.most = characters
            result.element = element
    return result


cdef inline bint is_white_space(Slice text, const uint8_t* readable) noexcept nogil:
    """True for a text of white space alone."""
    return text.length == 0 or is_space(text.data[0]) and (
        skip_blanks(text.data, text.data + text.length, readable) == text.data + text.length
    )


cdef inline uint8_t role_of(const Node* node) noexcept nogil:
    """The roles of an element's tag."""
    return ROLES[node.tag] if node.namespace == NS_HTML and node.tag < TAG_COUNT else 0


cdef void add_to_parents(MetricsArray* metrics, const Tree* tree) noexcept nogil:
    """Backward pass: every visible node is complete when it is reached, and is added to its parent."""
    cdef:
        const Node* nodes = tree.nodes
        NodeMetrics* rows = metrics.nodes
        NodeMetrics* row
        NodeMetrics* parent
        uint32_t n = metrics.n_nodes
        bint in_link
    while n > 1:
        n -= 1
        row = rows + n
        if row.flags & (FLAG_HIDDEN | FLAG_BLANK):
            continue
        in_link = row.flags & FLAG_IN_LINK != 0
        if in_link:
            row.link_characters = row.characters
            row.link_words = row.words
            row.link_tags = row.tags
        parent = rows + nodes[n].parent
        parent.characters += row.characters
        parent.words += row.words
        parent.link_characters += row.link_characters
        parent.link_words += row.link_words
        parent.nodes += row.nodes + 1
        parent.children += 1
        parent.leaves += row.leaves if row.children else 1
        parent.hyperlinks += row.hyperlinks
        parent.tags += row.tags
        parent.link_tags += row.link_tags
        if nodes[n].kind == KIND_ELEMENT:
            parent.tags += 1
            parent.link_tags += in_link
            parent.hyperlinks += nodes[n].tag == TAG_A and nodes[n].namespace == NS_HTML


cdef double composite_text_density(
    double characters, double tags, double link_characters, double link_tags, double body_link_ratio
) noexcept nogil:
    """Composite text density (Sun, Song and Liao 2011, DOM Based Content Extraction via Text Density, SIGIR, equation
    3):

        C/T * log_b(C/LC * T/LT)    to the base b = ln(C/(C-LC) * LC + LCb/Cb * C + e)

    with C characters, T tags, LC link characters, LT link tags of the node and LCb/Cb the body's share of link
    characters. 0 without text. T, LC, LT and C-LC count at least 1, as in the authors' program.
    """
    cdef double plain = characters - link_characters
    if characters <= 0:
        return 0.0
    tags = max(tags, 1.0)
    link_characters = max(link_characters, 1.0)
    link_tags = max(link_tags, 1.0)
    plain = max(plain, 1.0)
    return (
        characters / tags
        * log(characters / link_characters * tags / link_tags)
        / log(log(characters / plain * link_characters + body_link_ratio * characters + M_E))
    )


cdef double density_of(const NodeMetrics* node, bint is_text, double body_link_ratio) noexcept nogil:
    """Composite text density of an element or a text node. A text node counts as one tag, or as one link tag inside a
    link.
    """
    if is_text:
        return composite_text_density(
            node.characters, 1.0, node.characters if node.flags & FLAG_IN_LINK else 0.0, 1.0, body_link_ratio
        )
    return composite_text_density(node.characters, node.tags, node.link_characters, node.link_tags, body_link_ratio)


@cython.final
cdef class Metrics:
    """The metrics of one page's nodes; the memory is reused from page to page."""

    def __dealloc__(self):
        free_metrics(&self.array)

    def measure(self, Document document not None, *, bint with_concealed=False) -> None:
        """Measure every node of a parsed document, on request with concealed text (metrics.pxd)."""
        document.require_idle()
        require_free(self.owner)
        self.array.with_concealed = with_concealed
        self.array.concealed_as_shown = False
        if measure_nodes(&self.array, &document.tree) < 0:
            raise MemoryError(f"no memory for the metrics of {document.tree.n_nodes} nodes")

    @property
    def n_nodes(self) -> int:
        """The number of measured nodes."""
        return self.array.n_nodes

    @property
    def body(self) -> int:
        """Index of the body element; 0 if there is none."""
        return self.array.body

    def __getitem__(self, index: int) -> dict[str, int]:
        """The metrics of node `index`, by name."""
        if not 0 <= index < self.array.n_nodes:
            raise IndexError(f"node {index} of {self.array.n_nodes}")
        if self.owner is not None:
            self.owner.require_idle()
        cdef dict row = self.array.nodes[<uint32_t> index]
        del row["reserved"]
        return row

    def text_density(self, index: int) -> float:
        """Characters per tag of node `index`."""
        self[index]
        return text_density(self.array.nodes + <uint32_t> index)

    def composite_text_density(self, index: int) -> float:
        """Composite text density of node `index`."""
        self[index]
        cdef const NodeMetrics* row = self.array.nodes + <uint32_t> index
        return density_of(row, False, link_density(self.array.nodes + self.array.body))

    def density_sum(self, Document document not None, index: int) -> float:
        """Density sum of element `index` of the measured document: the sum of its children's composite text densities.
        """
        self[index]
        require_metrics_of(document, &self.array)
        cdef uint32_t child = <uint32_t> index + 1, end = document.tree.nodes[<uint32_t> index].end
        cdef double ratio = link_density(self.array.nodes + self.array.body), total = 0.0
        while child < end:
            if not self.array.nodes[child].flags & (FLAG_HIDDEN | FLAG_BLANK):
                total += density_of(self.array.nodes + child, document.tree.nodes[child].kind == KIND_TEXT, ratio)
            child = document.tree.nodes[child].end
        return total

    def words_per_leaf(self, index: int) -> float:
        """Words per leaf of node `index`."""
        self[index]
        return words_per_leaf(self.array.nodes + <uint32_t> index)

    def hyperlink_ratio(self, index: int) -> float:
        """One over the hyperlinks of node `index`; 1 if it has none."""
        self[index]
        return hyperlink_ratio(self.array.nodes + <uint32_t> index)

    def link_density(self, index: int) -> float:
        """Share of the characters of node `index` that are inside links."""
        self[index]
        return link_density(self.array.nodes + <uint32_t> index)
