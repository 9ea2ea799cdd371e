# SPDX-License-Identifier: Apache-2.0
"""Tree construction: the state that all of its parts share.

Each insertion mode is a function with its standard name, in a module with its relatives (before_body, in_body,
in_table, in_template, after_body); tree_builder.pyx has the loop and the table of these functions. "Process the token
using the rules for" another mode is process_by(), so the modules need not know each other.

What hostile pages could make slow is bounded: a search of the stack looks at MAX_WALK elements, the list of active
formatting elements holds MAX_FORMATTING, and text that arrives in many pieces is joined once, at the end. Nothing
recurses on the input.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t

from thresher.native.check cimport THRESHER_CHECK
from thresher.native.parsing.arena cimport Arena
from thresher.native.parsing.tags cimport TAG_COUNT
from thresher.native.parsing.tokenizer cimport Tokenizer


cdef enum InsertionMode:
    """The standard's insertion modes; "in select" and "in select in table" are no longer part of it."""
    INITIAL = 0
    BEFORE_HTML = 1
    BEFORE_HEAD = 2
    IN_HEAD = 3
    IN_HEAD_NOSCRIPT = 4
    AFTER_HEAD = 5
    IN_BODY = 6
    TEXT = 7
    IN_TABLE = 8
    IN_TABLE_TEXT = 9
    IN_CAPTION = 10
    IN_COLUMN_GROUP = 11
    IN_TABLE_BODY = 12
    IN_ROW = 13
    IN_CELL = 14
    IN_TEMPLATE = 15
    AFTER_BODY = 16
    IN_FRAMESET = 17
    AFTER_FRAMESET = 18
    AFTER_AFTER_BODY = 19
    AFTER_AFTER_FRAMESET = 20
    INSERTION_MODES = 21


cdef enum:
    MAX_FORMATTING = 512        # active formatting elements; beyond that the oldest is forgotten
    MAX_WALK = 1024             # open elements that one search of the stack looks at
    # more than a token can create beside formatting elements: 8 adoptions of 4, implied parents
    NODES_PER_TOKEN = 64
    MAX_TEMPLATES = 512         # template insertion modes; deeper templates share the last one
    FOREIGN_TAG = 0xFFFFFFFF    # OpenElement.tag of SVG and MathML elements


ctypedef struct OpenElement:    # an entry of the stack of open elements
    uint32_t node
    uint32_t tag                # of HTML elements; FOREIGN_TAG for others, which are told apart by their node
    uint32_t flags              # TagFlag bits


ctypedef struct FormattingElement:  # an entry of the list of active formatting elements
    uint32_t node               # 0 for a marker
    uint32_t tag
    uint32_t depth              # where it is in the stack of open elements, if it still is there


ctypedef struct InsertionPlace:     # "appropriate place for inserting a node"
    uint32_t parent
    uint32_t before             # the sibling to come after it, 0 for none


cdef struct TreeBuilder     # forward: the rules of an insertion mode take it

# The rules of an insertion mode for the current token: True where the token is to be processed again, by what is then
# the mode.
ctypedef bint (*Rules)(TreeBuilder* b) noexcept nogil


cdef struct TreeBuilder:
    Arena* arena
    Tokenizer* tokenizer
    const Rules* rules                  # index: InsertionMode
    uint32_t mode                       # InsertionMode
    uint32_t original_mode
    bint in_order                       # every node so far was created in document order: Arena.links are not needed
    bint quirks
    bint frameset_ok
    bint foster_parenting
    bint skip_newline                   # a newline right after <pre>, <listing> or <textarea> is dropped
    bint has_selectedcontent            # a <selectedcontent> was seen: sealing has to fill it
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
