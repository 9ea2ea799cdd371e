# SPDX-License-Identifier: Apache-2.0
"""Metrics: measures of every node of a page, as one array of plain structs parallel to the tree.

One forward loop decides what is visible and measures each text node. One backward loop adds every node to its parent.
All counts are over the *proper descendants* of a node (for a text node: its own text), and only over visible ones.
Blank text nodes, comments, and everything inside hidden elements are never counted.

Visible is what a reader sees with scripting on. Hidden are: the head; script, style, template, noscript, iframe, svg,
select, textarea, audio, video, canvas, object and similar; elements with the attribute `hidden`, `aria-hidden="true"`
or an inline style `display: none`, `visibility: hidden` or `visibility: collapse` (styles.pxd); a dialog that is not
open. html and body are never hidden. There is one exception: a noscript, or an element hidden by an attribute, is shown
if it holds more than twice as much text as everything visible. Then it is the page itself, and a script would show it,
or show the same text.

On request the rules are *strict*: `hidden="until-found"`, `content-visibility: hidden`, `opacity: 0` and `font-size: 0`
hide text as well, and the exception needs a page that shows no word at all. By default they do not hide: the first is
folded text, and many pages fade in, or close the gaps between boxes, with the others.

Text hidden by noscript or an attribute is *concealed*. On request it is visible too. Tabs, folded answers and whole
forums are main text on many pages: a perfect choice of blocks reaches word F1 .958 on WCXB without it and .987 with it.
An extractor that can tell them from menus may want to see them.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.parsing.document cimport Document, Node, Slice, Tree


cdef enum NodeFlag:
    # the node is hidden or inside a hidden element (the hidden element itself has the flag too)
    FLAG_HIDDEN = 1
    FLAG_IN_LINK = 2        # the node is an a, button or select, or inside one
    FLAG_PREFORMATTED = 4   # white space counts: the node is inside pre, listing, xmp or plaintext
    FLAG_BLANK = 8          # a text node that holds only white space
    FLAG_CONCEALED = 16     # concealed, but visible here because the caller asked for concealed text
    FLAG_SHOWN_BLOCK = 32   # an element that its style attribute displays on lines of its own
    # an element that its style attribute displays inline; with both flags it is an inline box
    FLAG_SHOWN_INLINE = 64
    FLAG_NO_SIZE = 128      # text here has font-size 0; only by strict rules
    INHERITED = 0x9F        # flags that descendants inherit


cdef enum Shown:            # how an element's own attributes display it
    SHOWN_UNSAID = 0
    SHOWN_BLOCK = 1         # on lines of its own
    SHOWN_INLINE = 2        # within the line of the text around it
    SHOWN_BOX = 3           # within the line, but its text is a separate box: inline-block, inline-flex
    SHOWN_UNSEEN = 4        # invisible or not read aloud, but takes up space in a line
    SHOWN_NOT = 5


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
    uint8_t strict              # set by the caller: the rules for hidden text are strict
    uint8_t concealed_as_shown  # set by the caller: block scoring treats concealed text as visible text
    uint32_t body               # index of the body (or frameset) element; 0 if there is none
    uint64_t serial             # serial number of the tree that was measured; 0 if there is none


cdef Shown shown_by_attributes(const Tree* tree, const Node* node, bint dialog) noexcept nogil
cdef bint hidden_by_attribute(const Tree* tree, const Node* node, bint dialog) noexcept nogil
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


cdef double composite_text_density(
    double characters, double tags, double link_characters, double link_tags, double body_link_ratio
) noexcept nogil


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
