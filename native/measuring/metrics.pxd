# SPDX-License-Identifier: Apache-2.0
"""Metrics: measures of every node of a page, as one array of plain structs parallel to the tree.

One forward loop decides what is visible and measures each text node. One backward loop adds every node to its parent.
All counts are over the *proper descendants* of a node (for a text node: its own text), and only over visible ones.
Blank text nodes, comments, and everything inside hidden elements are never counted.

What is shown is decided elsewhere (native/shown/decision.pxd). Hidden is here what is not counted: what is not text,
and what is concealed, unless the caller asks for it:

- *Hidden from the extractor*: all concealed text. There is one exception: a concealed element is shown if it holds more
  than twice as much text as everything visible. Then it is the page itself, and a script would show it, or show the same
  text.
- *Concealed text too* (`with_concealed`): tabs, folded answers and whole forums are main text on many pages. A perfect
  choice of blocks reaches word F1 .958 on WCXB without it and .987 with it. An extractor that can tell them from menus
  may want to see them. Runs within a line of shown text stay hidden.
- *Concealed text as if it were shown* (`concealed_as_shown`): runs, too, as blocks of their own.

Text for a mild reason is concealed only by *strict* rules, or as a run. With strict rules the exception needs a page that
shows no word at all.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.parsing.document cimport Document, Tree
from thresher.native.shown.decision cimport ShownArray


cdef enum NodeFlag:
    # the node is hidden or inside a hidden element (the hidden element itself has the flag too)
    FLAG_HIDDEN = 1
    FLAG_IN_LINK = 2        # the node is an a, button or select, or inside one
    FLAG_PREFORMATTED = 4   # white space counts: the node is inside pre, listing, xmp or plaintext
    FLAG_BLANK = 8          # a text node that holds only white space
    # concealed, but visible here because the caller asked for concealed text
    FLAG_CONCEALED = 16
    FLAG_SHOWN_BLOCK = 32   # an element that its style attribute displays on lines of its own
    # an element that its style attribute displays inline; with both flags it is an inline box
    FLAG_SHOWN_INLINE = 64
    FLAG_NO_SIZE = 128      # text here has font-size 0; only by strict rules
    INHERITED = 0x9F        # flags that descendants inherit


ctypedef struct NodeMetrics:    # 48 bytes
    uint32_t characters         # code points of visible text, white space collapsed and trimmed for each text node
    # runs of letters and digits; one per character in scripts without spaces (characters.pxd)
    uint32_t words
    # those of the characters inside link elements: all, if the node itself is in one
    uint32_t link_characters
    uint32_t link_words         # those of the words inside link elements
    uint32_t tags               # elements
    uint32_t link_tags          # those of the elements that are link elements (a, button, select) or inside one
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
    uint8_t concealed_as_shown  # set by the caller: concealed text, runs too, is text like any other
    uint8_t strict              # set by the caller: the mild reasons conceal, too
    uint32_t body               # index of the body (or frameset) element; 0 if there is none
    uint64_t serial             # serial number of the tree that was measured; 0 if there is none
    ShownArray shown            # what the page shows; decided here unless the caller did it for this tree


cdef int measure_nodes(MetricsArray* metrics, const Tree* tree) noexcept nogil
cdef void free_metrics(MetricsArray* metrics) noexcept nogil


cdef inline uint32_t next_visible(
    const Tree* tree, const MetricsArray* metrics, uint32_t node, uint32_t end
) noexcept nogil:
    """The first node from `node` on that is not hidden. If there is none before `end`: `end` or a later node."""
    THRESHER_CHECK(end <= metrics.n_nodes and metrics.n_nodes == tree.n_nodes)
    while node < end and metrics.nodes[node].flags & FLAG_HIDDEN:
        node = tree.nodes[node].end
    return node


cdef inline uint8_t concealed_setting(const MetricsArray* metrics) noexcept nogil:
    """What the caller asked for, as one number."""
    return metrics.with_concealed | metrics.concealed_as_shown << 1


cdef inline int require_metrics_of(Document document, const MetricsArray* metrics) except -1:
    """Raise RuntimeError if another thread is at work on the document's page, or unless the metrics belong to it, not to
    another page or an earlier page of the same document.
    """
    document.require_idle()
    if metrics.serial != document.tree.serial:
        raise RuntimeError("the metrics are of another page than the document; measure it first")
    return 0


cdef inline int require_free(Document owner) except -1:
    """Raise RuntimeError if metrics or blocks belong to a workspace, whose memory only its own methods may change: another
    thread may be at work on it.
    """
    if owner is not None:
        raise RuntimeError("these belong to a workspace; call its measure()")
    return 0


cdef inline double text_density(const NodeMetrics* node) noexcept nogil:
    """Characters per tag, tags at least 1 (Sun, Song and Liao 2011, definition 1)."""
    return <double> node.characters / (node.tags if node.tags else 1)




cdef inline double words_per_leaf(const NodeMetrics* node) noexcept nogil:
    """Words per leaf (Insa, Silva and Tamarit 2013), leaves at least 1."""
    return <double> node.words / (node.leaves if node.leaves else 1)


cdef inline double link_density(const NodeMetrics* node) noexcept nogil:
    """The share of a node's characters that are inside links; 0 if it has no text."""
    return <double> node.link_characters / node.characters if node.characters else 0.0


cdef inline double hyperlink_ratio(const NodeMetrics* node) noexcept nogil:
    """One over the node's hyperlinks; 1 if it has none (Alarte 2023, definition 6.2.1)."""
    return 1.0 / node.hyperlinks if node.hyperlinks else 1.0


cdef double density_of(const NodeMetrics* node, bint is_text, double body_link_ratio) noexcept nogil


cdef class Metrics:
    """The metrics of one page's nodes; the memory is reused from page to page."""
    cdef MetricsArray array
    cdef Document owner         # the document of the workspace whose these are, which guards them; None if they are free
