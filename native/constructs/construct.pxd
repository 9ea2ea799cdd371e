# SPDX-License-Identifier: Apache-2.0
"""Constructs: what a page shows that is not simply the text of its nodes.

A formula is a dozen elements and a hidden copy of itself; a listing is a table of line numbers beside a table of lines;
a footnote is a link on a raised number. Before anything is measured, each of these is replaced by what a reader of the
text wants: one text node that says `$E=mc^2$`, or holds the lines of the listing, or says `[^1]`. So every pass that
follows (metrics, blocks, extractors, fingerprints and all formats of output) sees one piece of text and needs to know
nothing of how the page shows it.

A module of this room takes an element that it may be about, decides, and uses the three changes below. It never
changes what it does not understand.

- `become_text` makes an element a text node. The nodes below stay where they are, and are hidden.
- `remove` makes a node, with all below it, one that is never shown.
- `become_element` gives an element another name.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from thresher.native.check cimport THRESHER_CHECK
from thresher.native.parsing.arena cimport Arena, append_side, reserve_side
from thresher.native.parsing.tree cimport (
    CONSTRUCT_CODE, CONSTRUCT_DISPLAY, CONSTRUCT_FORMULA, CONSTRUCT_MARK, CONSTRUCT_NONE, CONSTRUCT_PARTS, KIND_COMMENT,
    KIND_ELEMENT, KIND_TEXT, NS_HTML, SIDE, Attribute, Construct, Node, Part, Slice, Tree, address_of, find_attribute,
    slice_at,
)
from thresher.native.scratch cimport Scratch
from thresher.native.writing.text_buffer cimport TextBuffer, start_text


cdef enum FormulaRule:      # what becomes of formulas
    FORMULAS_TEX = 0        # TeX in dollars
    FORMULAS_TEXT = 1       # the text that the page's elements hold
    FORMULAS_DROP = 2       # nothing


cdef enum MathsLoaded:      # whether the page loads MathJax or KaTeX, which look for formulas in its text
    MATHS_UNKNOWN = 0
    MATHS_NOT = 1
    MATHS_TEX = 2
    MATHS_ASCII = 3         # TeX, and AsciiMath between backticks


ctypedef struct Rewriting:  # the pass over one page
    Tree* tree
    Arena* arena            # whose side buffer takes the new text
    TextBuffer* text        # where a module puts its text together
    Scratch* scratch        # memory for what a module counts
    TextBuffer* spare       # and what it needs in between
    TextBuffer* parts       # Part after Part, of a text with formulas in it
    FormulaRule formulas
    uint64_t budget         # nodes and bytes that searches may still look at, so that the pass is linear in the page
    bint any_reference      # a link was met that may lead to a footnote
    bint any_raised         # a raised number was met
    uint8_t maths           # MathsLoaded
    bint failed             # out of memory: nothing more is changed


cdef inline void become_text(Rewriting* page, uint32_t n, Construct construct) noexcept nogil:
    """Make an element, or a text node, a text node with what stands in `page.text`; without any text, remove it."""
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
    page.tree.side = page.arena.side
    page.tree.side_length = page.arena.side_length


cdef inline void remove(Rewriting* page, uint32_t n) noexcept nogil:
    """Make a node, with all below it, one that is never shown."""
    THRESHER_CHECK(0 < n < page.tree.n_nodes)
    page.tree.nodes[n].kind = KIND_COMMENT
    page.tree.nodes[n].length = 0


cdef inline void become_element(Rewriting* page, uint32_t n, uint32_t tag) noexcept nogil:
    """Give an element the name of another HTML element."""
    THRESHER_CHECK(0 < n < page.tree.n_nodes and page.tree.nodes[n].kind == KIND_ELEMENT)
    page.tree.nodes[n].tag = tag
    page.tree.nodes[n].namespace = NS_HTML
