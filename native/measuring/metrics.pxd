# SPDX-License-Identifier: Apache-2.0
"""Metrics: what every node of a page holds, as one array of plain structs beside the tree.

One forward loop decides what is visible and measures each text node; one backward loop adds every node to its parent.
All counts are over the *proper descendants* of a node (for a text node: of its own text), and only over what is
visible: text nodes of nothing but white space, comments, and everything inside hidden elements count nowhere.

Visible is what a reader of the page sees with scripting on: not the head; not script, style, template, noscript,
iframe, svg, select, textarea, audio, video, canvas, object and the like; not what has the attribute `hidden`,
`aria-hidden="true"` or an inline style `display: none` or `visibility: hidden`; a dialog only when open. html and body
themselves are never hidden. One exception: the element hidden by an attribute, or noscript, that holds more than twice
as much text as all that is visible is shown, for then it is the page, and a script shows it (or shows the same text
where no script ran).

What noscript or an attribute hides is *concealed*. On request it is visible too: tabs, folded answers and whole forums
are main text of many pages (choosing blocks perfectly gave word F1 .958 on WCXB without and .987 with it), and an
extractor that can tell them from menus may want to see them.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from thresher.native.check cimport THRESHER_CHECK
from thresher.native.parsing.document cimport Node, Slice, Tree


cdef enum NodeFlag:
    # the node is hidden or stands inside a hidden element (the hidden element itself has it too)
    FLAG_HIDDEN = 1
    FLAG_IN_LINK = 2        # the node is an a, button or select, or stands inside one
    FLAG_PREFORMATTED = 4   # white space counts: inside pre, listing, xmp or plaintext
    FLAG_BLANK = 8          # a text node of nothing but white space
    FLAG_CONCEALED = 16     # concealed, but visible here because the caller asked for concealed text
    # of an element whose style attribute shows it on lines of its own, or does not show it where concealed text is visible
    FLAG_SHOWN_BLOCK = 32
    FLAG_SHOWN_INLINE = 64  # of one whose style attribute shows it in the line of the text around it; both flags: as a box there
    INHERITED = 0x1F        # the flags that hold for what is inside, too


cdef enum Shown:            # what an element's own attributes say of how it is shown
    SHOWN_UNSAID = 0
    SHOWN_BLOCK = 1         # on lines of its own
    SHOWN_INLINE = 2        # in the line of the text around it
    SHOWN_BOX = 3           # in the line, but its text is a box by itself: inline-block, inline-flex
    SHOWN_UNSEEN = 4        # not seen or not read aloud, but it takes up its place in a line
    SHOWN_NOT = 5


ctypedef struct NodeMetrics:    # 48 bytes
    uint32_t characters         # code points of visible text, white space collapsed, none at the ends of a text node
    # runs of letters and digits; one per character where a script has no spaces (characters.pxd)
    uint32_t words
    # of these characters, those inside link elements: all of them where the node itself is in one
    uint32_t link_characters
    uint32_t link_words         # of these words, those inside link elements
    uint32_t tags               # elements
    uint32_t link_tags          # of these elements, link elements (a, button, select) and elements inside one
    uint32_t hyperlinks         # a elements
    uint32_t leaves             # nodes without visible children: text nodes and empty elements
    uint32_t nodes              # visible nodes: elements and text nodes
    uint32_t children           # visible children
    uint16_t depth              # edges to the document, at most 65535
    uint8_t flags               # NodeFlag
    uint8_t reserved


ctypedef struct MetricsArray:
    NodeMetrics* nodes          # one per node of the tree
    uint32_t n_nodes
    size_t capacity
    uint8_t with_concealed      # set by the caller: concealed text is visible too
    uint8_t concealed_as_shown  # set by the caller: whoever judges blocks makes no difference
    uint32_t body               # index of the body (or frameset) element; 0 where there is none
    uint64_t serial             # serial number of the tree that was measured; 0 where none was


cdef Shown shown_by_attributes(const Tree* tree, const Node* node, bint dialog) noexcept nogil
cdef bint hidden_by_attribute(const Tree* tree, const Node* node, bint dialog) noexcept nogil
cdef int measure_nodes(MetricsArray* metrics, const Tree* tree) noexcept nogil
cdef void free_metrics(MetricsArray* metrics) noexcept nogil
cdef bint next_declaration(Slice* style, Slice* name, Slice* value) noexcept nogil


cdef inline uint32_t next_visible(
    const Tree* tree, const MetricsArray* metrics, uint32_t node, uint32_t end
) noexcept nogil:
    """The first node from `node` on that is not hidden; `end`, or a node after it, where there is none before `end`."""
    THRESHER_CHECK(end <= metrics.n_nodes and metrics.n_nodes == tree.n_nodes)
    while node < end and metrics.nodes[node].flags & FLAG_HIDDEN:
        node = tree.nodes[node].end
    return node


cdef inline int require_metrics_of(const Tree* tree, const MetricsArray* metrics) except -1:
    """Raises RuntimeError where the metrics are not those of the tree: of another page, or of an earlier one of the same document."""
    if metrics.serial != tree.serial:
        raise RuntimeError("the metrics are of another page than the document; measure it first")
    return 0


cdef inline double text_density(const NodeMetrics* node) noexcept nogil:
    """Characters per tag, tags at least 1 (Sun, Song and Liao 2011, definition 1)."""
    return <double> node.characters / (node.tags if node.tags else 1)


cdef double composite_text_density(
    double characters, double tags, double link_characters, double link_tags, double body_link_ratio
) noexcept nogil


cdef inline double words_per_leaf(const NodeMetrics* node) noexcept nogil:
    """Words per leaf (Insa, Silva and Tamarit 2013), leaves at least 1."""
    return <double> node.words / (node.leaves if node.leaves else 1)


cdef inline double link_density(const NodeMetrics* node) noexcept nogil:
    """The share of a node's characters that stand inside links; 0 where there is no text."""
    return <double> node.link_characters / node.characters if node.characters else 0.0


cdef inline double hyperlink_ratio(const NodeMetrics* node) noexcept nogil:
    """One over the node's hyperlinks, 1 where it has none (Alarte 2023, definition 6.2.1)."""
    return 1.0 / node.hyperlinks if node.hyperlinks else 1.0


cdef double density_of(const NodeMetrics* node, bint is_text, double body_link_ratio) noexcept nogil


cdef class Metrics:
    """The metrics of one page's nodes; the memory is reused from page to page."""
    cdef MetricsArray array
