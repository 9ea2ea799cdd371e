# SPDX-License-Identifier: Apache-2.0
"""Constructs: what a page shows that is not simply the text of its nodes.

A formula is a dozen elements and a hidden copy of itself. A listing is a table of line numbers beside a table of lines.
A footnote is a link on a raised number. Before anything is measured, each of these is replaced by what a reader of the
text wants: one text node that says `$E=mc^2$`, holds the lines of the listing, or says `[^1]`. Every later pass
(metrics, blocks, extractors, fingerprints, all output formats) then sees one piece of text and needs no knowledge of
how the page shows it.

A module of this folder receives a candidate element, decides, and uses the three changes below. It leaves alone what it
does not understand.
- `become_text` makes an element a text node. The nodes below stay where they are, and are hidden. `become_only_text`
  does so within the element, which stays around the text.
- `remove` hides a node and its subtree for good.
- `become_element` gives an element another name.
"""

from thresher.native.base.characters cimport is_ascii_digit, is_ascii_letter, is_ascii_letter_or_digit, is_space
from thresher.native.base.scratch cimport Scratch
from thresher.native.base.text_buffer cimport *
from thresher.native.parsing.arena cimport Arena, append_side, reserve_side
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport *
from thresher.native.shown.decision cimport HOW_NOT_TEXT, Decision


cdef enum FormulaRule:      # how formulas are written
    FORMULAS_TEX = 0        # TeX in dollars
    FORMULAS_TEXT = 1       # the text in the page's own elements
    FORMULAS_DROP = 2       # nothing


cdef enum MathsLoaded:      # whether the page loads MathJax or KaTeX, which search its text for formulas
    MATHS_UNKNOWN = 0
    MATHS_NOT = 1
    MATHS_TEX = 2
    MATHS_ASCII = 3         # TeX, and AsciiMath between backticks


ctypedef struct Rewriting:  # one pass over one page
    Tree* tree
    Arena* arena            # the arena whose side buffer receives new text
    TextBuffer* text        # where a module assembles its text
    Scratch* scratch        # memory for a module's tables
    TextBuffer* spare       # a second buffer for intermediate text
    TextBuffer* parts       # a sequence of Part: the parts of a text that contains formulas
    FormulaRule formulas
    bint strict             # formulas come from what a reader sees (metrics.pxd)
    Decision* shown         # of each node; what becomes another element is text
    uint64_t budget         # nodes and bytes that searches may still visit (charge()); keeps the pass linear in the page
    uint32_t unbroken_end   # no br stands between two texts in the nodes from the current one to here
    bint any_reference      # the page has a link that may lead to a footnote
    bint any_raised         # the page has a raised number
    uint8_t maths           # MathsLoaded
    bint failed             # out of memory: no further changes


cdef inline bint charge(Rewriting* page, uint64_t cost) noexcept nogil:
    """Take from the budget the nodes and bytes that a search is about to visit; False if it does not cover them."""
    if page.budget < cost:
        return False
    page.budget -= cost
    return True


cdef inline bint take_exact(Slice* text, const char* prefix) noexcept nogil:
    """Remove a prefix of a text, case-sensitive; False if it begins with something else."""
    if not begins(text[0], prefix):
        return False
    text[0] = slice_from(text[0], <uint32_t> strlen(prefix))
    return True


cdef inline Slice written(const TextBuffer* text) noexcept nogil:
    """What a buffer holds."""
    return Slice(data=text.data, length=<uint32_t> text.length)


cdef inline void take_side(Rewriting* page) noexcept nogil:
    """Let the tree see the side buffer as it is now: it may have grown and moved."""
    page.tree.side = page.arena.side
    page.tree.side_length = page.arena.side_length


cdef inline void become_text(Rewriting* page, uint32_t n, Construct construct) noexcept nogil:
    """Make a node a text node that holds `page.text`. Remove the node if that is empty."""
    cdef Node* node = page.tree.nodes + n
    cdef size_t length = page.text.length
    THRESHER_CHECK(0 < n < page.tree.n_nodes)
    if page.text.failed or reserve_side(page.arena, length) < 0:
        page.failed = True
        return
    if length == 0:
        node.kind = KIND_COMMENT
        return
    node.kind = KIND_TEXT
    node.namespace = <uint8_t> construct
    node.tag = 0
    node.n_attributes = 0
    node.attributes = 0
    node.start = page.arena.side_length | <uint32_t> SIDE
    node.length = <uint32_t> length
    append_side(page.arena, page.text.data, <uint32_t> length)
    take_side(page)


cdef inline void remove(Rewriting* page, uint32_t n) noexcept nogil:
    """Hide a node and its subtree for good."""
    THRESHER_CHECK(0 < n < page.tree.n_nodes)
    page.tree.nodes[n].kind = KIND_COMMENT
    page.tree.nodes[n].length = 0


cdef inline void become_only_text(Rewriting* page, uint32_t n, Construct construct) noexcept nogil:
    """Make `page.text` all that an element holds: its first child becomes the text, the others are removed."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t child = nodes[n + 1].end
    become_text(page, n + 1, construct)
    while child < nodes[n].end and not page.failed:
        remove(page, child)
        child = nodes[child].end


cdef inline void become_element(Rewriting* page, uint32_t n, uint32_t tag) noexcept nogil:
    """Give an element the name of another HTML element."""
    THRESHER_CHECK(0 < n < page.tree.n_nodes and page.tree.nodes[n].kind == KIND_ELEMENT)
    page.tree.nodes[n].tag = tag
    page.tree.nodes[n].namespace = NS_HTML
    page.shown[n].how &= ~<uint8_t> HOW_NOT_TEXT
