# SPDX-License-Identifier: Apache-2.0
"""Constructs: what a page shows that is not simply the text of its nodes.

A formula is a dozen elements and a hidden copy of itself. A listing is a table of line numbers beside a table of lines.
A footnote is a link on a raised number. Before anything is measured, each of these is replaced by what a reader of the
text wants: one text node that says `$E=mc^2$`, holds the lines of the listing, or says `[^1]`. Every later pass
(metrics, blocks, extractors, fingerprints, all output formats) then sees one piece of text and needs no knowledge of
how the page shows it.

A module of this folder receives a candidate element, decides, and uses the three changes below. It leaves alone what it
does not understand.
- `become_text` makes an element a text node. The nodes below stay where they are, and are hidden.
- `remove` hides a node and its subtree for good.
- `become_element` gives an element another name.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, strlen

from thresher.native.base.characters cimport begins_ascii, equals_ascii, is_space
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.parsing.arena cimport Arena, append_side, reserve_side
from thresher.native.parsing.tags cimport ATTR_CLASS
from thresher.native.parsing.tree cimport (
    CONSTRUCT_CODE, CONSTRUCT_DISPLAY, CONSTRUCT_FORMULA, CONSTRUCT_PREFIX, CONSTRUCT_NONE, CONSTRUCT_PARTS, KIND_COMMENT,
    KIND_ELEMENT, KIND_TEXT, NS_HTML, SIDE, Attribute, Construct, Node, Part, Slice, Tree, address_of, find_attribute,
    slice_at, without_space,
)
from thresher.native.shown.decision cimport HOW_NOT_TEXT, Decision
from thresher.native.base.scratch cimport Scratch
from thresher.native.base.text_buffer cimport TextBuffer, start_text


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
    page.tree.side = page.arena.side
    page.tree.side_length = page.arena.side_length


cdef inline void remove(Rewriting* page, uint32_t n) noexcept nogil:
    """Hide a node and its subtree for good."""
    THRESHER_CHECK(0 < n < page.tree.n_nodes)
    page.tree.nodes[n].kind = KIND_COMMENT
    page.tree.nodes[n].length = 0


cdef inline void become_element(Rewriting* page, uint32_t n, uint32_t tag) noexcept nogil:
    """Give an element the name of another HTML element."""
    THRESHER_CHECK(0 < n < page.tree.n_nodes and page.tree.nodes[n].kind == KIND_ELEMENT)
    page.tree.nodes[n].tag = tag
    page.tree.nodes[n].namespace = NS_HTML
    page.shown[n].how &= ~<uint8_t> HOW_NOT_TEXT


# --- names and attributes ---
# The lengths of literals are constants to the compiler: no caller counts letters.


cdef inline bint begins(Slice text, const char* prefix) noexcept nogil:
    """True if a text begins with a prefix, case-sensitive."""
    cdef size_t length = strlen(prefix)
    return text.length >= length and memcmp(text.data, prefix, length) == 0


cdef inline bint is_word(Slice text, const char* lower) noexcept nogil:
    """True if a text is a lower-case word, ignoring ASCII case."""
    return equals_ascii(text.data, text.length, lower, strlen(lower))


cdef inline Slice slice_from(Slice text, uint32_t start) noexcept nogil:
    """A text without its first bytes."""
    return Slice(data=text.data + start, length=text.length - start)


cdef inline Slice first_word(Slice text) noexcept nogil:
    """The bytes of a text before its first white space."""
    cdef uint32_t i = 0
    while i < text.length and not is_space(text.data[i]):
        i += 1
    text.length = i
    return text


cdef inline Slice no_text() noexcept nogil:
    return Slice(data=NULL, length=0)


cdef inline bint contains(Slice text, const char* lower) noexcept nogil:
    """True if a text contains a lower-case word, ignoring ASCII case."""
    cdef size_t length = strlen(lower)
    cdef uint32_t i
    if text.length < length:
        return False
    for i in range(text.length - <uint32_t> length + 1):
        if begins_ascii(text.data + i, length, lower, length):
            return True
    return False


cdef inline uint8_t hexadecimal_digit(uint8_t c) noexcept nogil:
    """The value of a hexadecimal digit, 16 for anything else."""
    if c"0" <= c <= c"9":
        return c - c"0"
    c |= 0x20
    return c - c"a" + 10 if c"a" <= c <= c"f" else 16


cdef inline Slice value_of(const Tree* tree, const Attribute* attribute) noexcept nogil:
    """The value of an attribute; empty if it is NULL."""
    return slice_at(tree, attribute.value_start, attribute.value_length) if attribute != NULL else no_text()


cdef inline Slice class_of(const Tree* tree, uint32_t n) noexcept nogil:
    """The class of a node; empty if it has none."""
    return value_of(tree, find_attribute(tree, n, ATTR_CLASS))


cdef inline const Attribute* find_named(const Tree* tree, uint32_t n, const char* name) noexcept nogil:
    """A node's attribute, found by its lower-case name, which need not have a number (tags.pxd); NULL if there is none.
    """
    cdef const Attribute* attribute = tree.attributes + tree.nodes[n].attributes
    cdef size_t length = strlen(name)
    cdef uint32_t i
    for i in range(tree.nodes[n].n_attributes if tree.nodes[n].kind == KIND_ELEMENT else 0):
        if attribute[i].name_length == length and begins_ascii(
            slice_at(tree, attribute[i].name_start, <uint32_t> length).data, length, name, length
        ):
            return attribute + i
    return NULL


cdef inline Slice attribute_of(const Tree* tree, uint32_t n, const char* name) noexcept nogil:
    """The value of a node's attribute, found by its lower-case name; empty if there is none."""
    return value_of(tree, find_named(tree, n, name))
