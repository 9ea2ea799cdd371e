# SPDX-License-Identifier: Apache-2.0
"""Tree construction: the state that all parts share.

Each insertion mode is a function with its standard name, in a module with related ones (before_body, in_body, in_table,
in_template, after_body). tree_builder.pyx has the loop and the table of these functions. "Process the token using the
rules for" another mode is process_by(), so the modules need not import each other.

Everything that hostile pages could make slow is bounded. A search of the stack visits at most MAX_WALK elements, the
list of active formatting elements holds at most MAX_FORMATTING, and text that arrives in many pieces is joined once, at
the end. Copies of formatting elements share the attributes of the original, and later stages read those of each copy:
so copies have attributes only until these come to FREE_COPIES bytes and COPIES_FOR_BYTE times the page. Nothing recurses
on the input.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.parsing.arena cimport Arena
from thresher.native.parsing.tags cimport TAG_COUNT
from thresher.native.parsing.tokenizer cimport Tokenizer


cdef enum InsertionMode:
    """The standard's insertion modes. It no longer has "in select" and "in select in table"."""
    INITIAL, BEFORE_HTML, BEFORE_HEAD, IN_HEAD, IN_HEAD_NOSCRIPT, AFTER_HEAD, IN_BODY, TEXT, IN_TABLE
    IN_TABLE_TEXT, IN_CAPTION, IN_COLUMN_GROUP, IN_TABLE_BODY, IN_ROW, IN_CELL, IN_TEMPLATE, AFTER_BODY
    IN_FRAMESET, AFTER_FRAMESET, AFTER_AFTER_BODY, AFTER_AFTER_FRAMESET
    INSERTION_MODES


cdef enum:
    MAX_FORMATTING = 512        # active formatting elements; the oldest is dropped for a further one
    # bytes of attributes of copied formatting elements, 16 for each and those of names and values; honest pages with many
    # unclosed elements have a few for each byte of the page
    FREE_COPIES = 1 << 20
    COPIES_FOR_BYTE = 64
    MAX_WALK = 1024             # open elements that one search of the stack visits
    # most nodes that a token can create besides formatting elements: 8 adoptions of 4, implied parents
    NODES_PER_TOKEN = 64
    MAX_TEMPLATES = 512         # template insertion modes; deeper templates share the last one
    FOREIGN = 0x80000000        # a bit of OpenElement.tag: an SVG or MathML element


ctypedef struct OpenElement:    # an entry of the stack of open elements
    uint32_t node
    uint32_t tag                # FOREIGN is set for elements of SVG and MathML: none of them is found as HTML
    uint32_t flags              # TagFlag bits


ctypedef struct FormattingElement:  # an entry of the list of active formatting elements
    uint32_t node               # 0 for a marker
    uint32_t tag
    uint32_t depth              # its position in the stack of open elements, if it is still there
    uint64_t attributes         # a hash of its attributes in any order; 0 until it is compared with another


ctypedef struct InsertionPlace:     # "appropriate place for inserting a node"
    uint32_t parent
    uint32_t before             # the sibling to insert before, 0 for none


cdef struct TreeBuilder     # forward declaration for the rules of an insertion mode

# The rules of an insertion mode for the current token. True if the token is to be processed again in the new mode.
ctypedef bint (*Rules)(TreeBuilder* b) noexcept nogil


cdef struct TreeBuilder:
    Arena* arena
    Tokenizer* tokenizer
    const Rules* rules                  # index: InsertionMode
    uint32_t mode                       # InsertionMode
    uint32_t original_mode
    bint in_order                       # every node so far was created in document order, so Arena.links are not needed
    bint quirks
    bint frameset_ok
    bint foster_parenting
    bint skip_newline                   # drop a newline right after <pre>, <listing> or <textarea>
    bint has_selectedcontent            # a <selectedcontent> was seen, which sealing has to fill
    bint has_template                   # a <template> was seen
    uint32_t head                       # "head element pointer", 0 for none
    uint32_t form                       # "form element pointer"
    uint32_t max_nodes
    uint32_t max_depth
    OpenElement* stack
    uint32_t depth                      # elements on the stack
    size_t stack_capacity
    uint32_t open_count[<int>TAG_COUNT] # HTML elements on the stack, by tag
    FormattingElement formatting[MAX_FORMATTING]
    uint32_t n_formatting
    uint64_t copied_bytes               # of attributes of copies so far
    uint8_t template_modes[MAX_TEMPLATES]
    uint32_t n_templates
    # "pending table character tokens"
    uint32_t pending                    # first of a chain of Arena.pieces, 0 for none
    uint32_t last_pending
    bint pending_not_space


cdef inline bint process_by(TreeBuilder* b, uint32_t mode) noexcept nogil:
    """Process the current token using the rules for an insertion mode."""
    THRESHER_CHECK(mode < INSERTION_MODES)
    return b.rules[mode](b)
