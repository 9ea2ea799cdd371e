# SPDX-License-Identifier: Apache-2.0
"""The page's own style sheets: which elements its `<style>` elements conceal.

Read are rules with simple selectors: elements, classes, ids and attributes, as chains (`div.note#a[lang=en]`), with
`:not()` of any of these, within each other (`.menu li`, `.menu > li`) and after each other (`.a + .b`, `.a ~ .b`). What a
selector says beyond that is taken to hold if its rule shows elements, and not to hold if it conceals them; states such as
`:hover` and `:checked` never hold, and `:not()` of one always. A pseudo-class that no browser knows voids its list, and a
brace or semicolon too many the rule behind it. As in a browser the important rule wins, then the more specific, then
the later one.

Scripts are on for a reader. So a rule conceals nothing until they have run: `[v-cloak]`, `.no-js`, and `:not()` on html
and body, to which they add classes.

`@media` is read for a screen SCREEN pixels wide; of its conditions widths and a few others are known, and the rest do not
hold. `@supports` holds unless it is negated. The order of layers counts. Rules and at-rules within a rule are read, one
rule deep. Other at-rules are not read, nor sheets in noscript, templates and SVG, nor sheets of other addresses, which the
core cannot see.

Rules that conceal are read first, and the others only once a page has an element that one of them conceals. Most rules of
most pages are never read.

Bounds: MAX_SHEETS bytes and MAX_RULES rules of interest a page, and MAX_STEPS comparisons a node on the average. Reading
a selector counts as comparisons, too: lists within each other are read again and again. Beyond one bound the page's
sheets conceal nothing, since the rules that were not read might show again what others conceal; `too_large` says so.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from thresher.native.base.hash_table cimport HashTable
from thresher.native.parsing.known_values cimport KNOWN_VALUES, KnownValue
from thresher.native.parsing.tree cimport Slice, Tree
from thresher.native.shown.styles cimport Look


cdef enum:
    SCREEN = 1280           # pixels
    MAX_SHEETS = 1 << 20    # bytes
    MAX_RULES = 1 << 14
    MAX_STEPS = 16          # a node
    MAX_LAYERS = 64         # rules of more are in the last
    NO_LAYER = 0xFFFF       # these win over all others


cdef enum NameKind:
    NAME_CLASS
    NAME_ID
    NAME_ATTRIBUTE
    NAME_ELEMENT


ctypedef struct Name:       # a class, id, attribute or element of a selector, as it is written
    Slice text
    Slice value             # of an attribute
    uint32_t tag            # of an element; 0 if its name is in no table
    uint8_t kind            # NameKind
    uint8_t sign            # of an attribute: 0 for any value, or the character before the "=", or "=" alone
    bint escaped            # it has backslashes
    bint negated            # by :not()


cdef enum Relation:         # of an element to the one before it in the selector
    IS_WITHIN
    IS_CHILD
    IS_NEXT                 # its sibling just before
    IS_AFTER                # any sibling before


ctypedef struct Compound:   # what one element must be and have
    uint32_t tag            # 0 for any
    uint32_t first          # its names are [first, end) of Sheets.names
    uint32_t end
    uint8_t relation        # Relation to the compound before it


ctypedef struct Rule:       # of one selector
    uint32_t first          # its compounds are [first, end) of Sheets.compounds
    uint32_t end
    uint32_t next           # the next rule whose last compound has the same key, plus 1
    uint16_t layer          # its number; NO_LAYER if it is in none
    uint16_t said           # a bit for each Property that it says something of
    uint16_t important
    uint64_t rank           # its specificity, and its place in the sheets
    Look look


ctypedef struct Place:      # where a rule stands
    Slice head              # its list of selectors
    Slice outer             # that of the rule around it; empty if there is none
    Slice body
    uint32_t order          # its place in the sheets
    uint16_t layer


ctypedef struct UnreadRule: # a rule that conceals nothing, not yet read
    Place place
    uint16_t may_say        # a bit for each Property of which it may say something
    bint odd                # its body has strings, escapes, comments or blocks


ctypedef struct Sheets:     # the rules of a page; the memory is reused from page to page
    Rule* rules             # those that conceal; once one of them selects an element, those that show, too
    uint32_t n_rules
    size_t rules_capacity
    UnreadRule* unread
    uint32_t n_unread
    size_t unread_capacity
    Compound* compounds
    uint32_t n_compounds
    size_t compounds_capacity
    Name* names
    uint32_t n_names
    size_t names_capacity
    HashTable keys          # from the key of a rule's last compound to its first rule, plus 1
    KnownValue[KNOWN_VALUES] classes    # whether a word of a class attribute may have a rule that conceals
    uint64_t[64] lengths    # for each first byte, modulo 64: a bit for each length of a class or id that has a rule
    uint16_t unseen         # the properties by which a rule conceals,
    uint16_t matters        # and those by which another rule may show
    Slice[MAX_LAYERS] layers    # their names, in their order
    uint32_t n_layers
    uint32_t order          # rules of interest so far
    uint32_t bytes          # read so far
    uint64_t steps          # comparisons that are left
    bint by_tag             # a rule that conceals has a last compound that is an element's name alone,
    bint by_anything        # or no name at all
    bint showing            # the rules that show have been read
    bint too_large


cdef void start_sheets(Sheets* sheets, const Tree* tree) noexcept nogil
cdef int read_sheet(Sheets* sheets, Slice text, Slice media) noexcept nogil
cdef int finish_sheets(Sheets* sheets) noexcept nogil
cdef int look_up(
    Sheets* sheets, const Tree* tree, uint32_t n, bint shows, Look* look, uint16_t* important
) noexcept nogil
cdef size_t sheets_memory(Sheets* sheets, bint freed) noexcept nogil
