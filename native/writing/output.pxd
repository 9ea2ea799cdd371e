# SPDX-License-Identifier: Apache-2.0
"""The state of a page that is being written, and the two interfaces of those who write it.

One walk goes over the page (render.pyx). It decides what is written at all: which blocks, and which of their nodes. A
*writer* is told of each node in turn: plain text (plain.pyx), markup (markup.pyx), the page's own elements (source.pyx)
or the list of its pictures (images.pyx).

The writer of markup decides which containers, leaves and spans surround a piece of text. A *format* of markup decides
how these look (markdown.pyx, html.pyx).

Writers and formats are structs of functions, one per event. They append to `output.text`, which handles memory
(text_buffer.pxd), and change nothing else except what each function documents.
"""

from thresher.native.base.characters cimport is_ascii_digit, is_ascii_letter, is_ascii_letter_or_digit, is_space
from thresher.native.base.scratch cimport Scratch
from thresher.native.base.text_buffer cimport *
from thresher.native.measuring.blocks cimport *
from thresher.native.measuring.metrics cimport *
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport *
from thresher.native.writing.urls cimport Url


cdef enum Format:
    FORMAT_TEXT = 0
    FORMAT_MARKDOWN = 1
    FORMAT_HTML = 2
    FORMAT_SOURCE = 3       # the page's own elements (source.pxd)
    FORMAT_PICTURES = 4     # the addresses of its images (images.pxd)


ctypedef struct MarkupOptions:      # all 0: plain text
    Format format
    bint links              # keep a elements with their addresses
    bint images             # keep img elements
    bint html_tables        # in Markdown: write tables that it cannot express as HTML
    Slice url               # of the page; empty if unknown


cdef enum ContainerRole:             # kind of container
    ROLE_NONE = 0
    ROLE_QUOTE = 1
    ROLE_LIST = 2           # ul, menu, dir
    ROLE_NUMBERED = 3       # ol
    ROLE_ITEM = 4           # li
    ROLE_TERMS = 5          # dl
    ROLE_TERM = 6           # dt
    ROLE_DESCRIPTION = 7    # dd
    ROLE_TABLE = 8
    ROLE_ROW = 9
    ROLE_CELL = 10
    ROLE_HEADER_CELL = 11
    ROLE_NOTE = 12          # a footnote; only in Markdown


cdef enum SpanRole:
    SPAN_STRONG = 0
    SPAN_EMPHASIS = 1
    SPAN_CODE = 2
    SPAN_LINK = 3
    SPAN_SUB = 4
    SPAN_SUP = 5
    SPAN_STRIKE = 6         # del, s


cdef enum SpanState:
    SPAN_WAITING = 0        # for text in it
    SPAN_WRITTEN = 1        # it has begun
    SPAN_REFUSED = 2        # the format could not begin it there; retried in the next leaf


cdef enum Leaf:             # what holds the text of a block
    LEAF_NONE = 0
    LEAF_BARE = 1           # no element of its own: the only text of an item or cell
    LEAF_PARAGRAPH = 2
    LEAF_HEADING = 3
    LEAF_CODE = 4           # preformatted
    LEAF_ITEM = 5           # text in a list but in no item
    LEAF_DESCRIPTION = 6    # text in a dl but in no dt or dd
    LEAF_CAPTION = 7
    LEAF_CELL = 8           # text in a row but in no cell
    LEAF_RULE = 9           # hr: holds no text and ends at once


cdef enum Gap:              # white space pending before the next text
    GAP_NONE = 0
    GAP_SPACE = 1
    GAP_TAB = 2             # in plain text
    GAP_LINE = 3
    GAP_DISPLAY = 4         # in markup: a separate line for a formula; needs no explicit break
    GAP_PARAGRAPH = 5       # in plain text


cdef enum Edge:             # what the text of a span begins or ends with
    EDGE_OTHER = 0
    EDGE_WORD = 1
    EDGE_PUNCTUATION = 2    # ASCII punctuation


cdef enum:
    NOTHING_OPEN = 0xFFFFFFFF
    MAX_CONTAINERS = 24
    MAX_SPANS = 8
    MAX_LOOK = 16           # nodes that one search visits
    MAX_COLUMNS = 1000
    MAX_SPANNED = 64        # columns in which row-spanning cells are tracked; also the most columns of one cell
    MAX_COVERED = 1 << 16   # cells of a page that lie under others
    MAX_REPEATED = 1 << 20  # bytes of text that is repeated because a cell spans others
    # Bytes of addresses: thousands of links and a long base must not make a small page huge. The addresses of a
    # real page come to less than FREE_ADDRESSES and ADDRESSES_FOR_BYTE times the page.
    MAX_ADDRESSES = 1 << 26
    FREE_ADDRESSES = 1 << 20
    ADDRESSES_FOR_BYTE = 4


ctypedef struct Covering:   # for one column: how the cell that spans it here was written
    size_t start            # where its own text begins in the output
    uint32_t length         # of its own text; 0 if the cell was not written


ctypedef struct OutputContainer:
    uint32_t node
    ContainerRole role
    bint written            # it has begun
    Slice callout           # the kind of a quote that is a callout (callouts.pxd); otherwise empty
    bint titled             # of a callout: its first leaf is its title
    uint32_t number         # of a numbered list: of the next item; of an item: its number
    bint down               # of a numbered list: it counts down
    bint numbered           # of an item: the page gives its number
    uint32_t width          # of an item or description in Markdown: of its marker; of a list in a list or a note: its indent
    uint32_t item_width     # of a list in Markdown: of its last item's marker
    bint other_marker       # of a list in Markdown: its items begin with "*" or "1)" instead of "-" or "1."
    uint32_t columns        # of a table, spans counted
    bint embedded           # of a table: it is written as HTML within Markdown
    uint32_t seen           # of a row: cells begun so far; of a cell: cells before it
    uint32_t cells          # of a row: columns written so far
    uint32_t spans_columns  # of a cell
    uint32_t spans_rows     # of a cell
    size_t start            # of a cell in Markdown: where its text begins
    bint has_head           # of a table in Markdown: the head and the line below it are written
    bint has_term           # of a dl in Markdown: a term is written, for which a description may stand
    bint is_head            # of a row in Markdown: it is the head, so the line below it is still to be written


ctypedef struct CodeText:   # what the visible text of some nodes holds
    uint32_t backticks      # in the longest run
    bint dollar
    bint markup             # "<" or "]("


ctypedef struct Span:
    uint32_t node
    SpanRole role
    SpanState state
    # Of code in Markdown, which may begin anew for each line and link of a block, and is looked at once:
    CodeText code           # what it holds there,
    uint32_t block          # in which block,
    uint32_t fence          # and how many backticks that takes; 0 before it is looked at
    size_t begun            # length of the text when its beginning was written


ctypedef struct MarkdownState:
    uint32_t fence_node     # the pre element that `fence` was counted for
    uint32_t fence          # how many backticks its code takes, at least 3
    uint32_t open_fence     # how many the current code began with
    size_t fences           # bytes spent on fences longer than MAX_FENCE
    size_t prefixes         # bytes spent on line prefixes
    uint32_t loose_list     # the list in which text outside items was written last
    OutputContainer ended   # the container that ended last
    size_t ended_at         # length of the text then
    bint line_start         # nothing is written on this line yet
    size_t line_from        # where the text of the last line that begins with text starts, after its markers
    size_t joint            # end of a text node whose last character may need an escape, depending on what follows
    size_t title_end        # end of a callout's title, after which no blank line is needed
    size_t leaf_from        # where the text of the current leaf starts
    size_t mark_end         # end of the last footnote's mark or task box
    size_t note_from        # where the text of the note starts that the current leaf is; 0 if it is none
    bint code_dollar        # a code span of the current paragraph, item or cell holds a dollar
    bint any_dollar         # there is one in its text up to `searched`
    size_t searched
    size_t html_end         # end of the last table that was written as HTML


# 40 bytes: all that the white space around a block of plain text depends on; numbers of nodes
ctypedef struct BlockLayout:
    uint32_t item           # the innermost li, dt, dd, td or th around it; 0 if there is none
    uint32_t item_end
    uint32_t list           # the item's parent; for a cell its row
    uint32_t list_end
    uint32_t table          # for a cell, the table at most three levels up; 0 if there is none
    uint32_t element        # as in Block
    uint32_t code_end       # for preformatted text, one past the pre element around it; otherwise 0
    uint32_t cells_before   # for a cell, the number of displayed cells before it in its row
    uint32_t empty_cells    # for a cell, cells_before if those are few and none has text; otherwise 0
    uint8_t kind            # as in Block
    uint8_t separator
    uint8_t alone
    uint8_t is_cell


ctypedef struct PlainState:
    BlockLayout[3] layouts
    BlockLayout* before     # that of the block written last, of this one and of the next one
    BlockLayout* here
    BlockLayout* after
    uint32_t tabs_left      # tabs for empty cells that there is still room for


ctypedef struct SourceState:
    uint32_t* open          # the elements around the place of writing, outermost first
    uint32_t n_open
    uint32_t root           # what is around all of it and is not written: 0, the document, or the node of a passage
    uint32_t breaks         # <br> since the last text
    bint space              # blank text since the last text of the block
    uint32_t spanning       # the parent of the last row with a cell that spans others


ctypedef struct Picture:
    uint32_t node           # the img element
    uint32_t block          # it stands before this block of the page, and behind the one before
    uint32_t address_end    # end of its address in the text of addresses


ctypedef struct Pictures:
    Picture* found          # with room for `most`
    uint32_t most
    uint32_t count          # of all; may be more than `most`


ctypedef struct Passage:        # one element's content, written by itself; one struct for all passages of a page
    uint32_t first              # its first node
    uint32_t end                # one past its last node
    # What the passages before it used up of the page's bounds, and the base of its addresses.
    bint begun
    Slice base
    size_t addresses
    size_t repeated
    uint32_t covered


cdef struct Output      # forward declaration for the functions of a writer and of a format


# What the walk tells of; NULL for what a writer need not know. `block` is the first written block that does not end
# before node n; n_blocks behind the last.
ctypedef struct Writer:
    # A block is about to begin; returns the node where its text begins, with which the walk goes on. NULL: it also goes
    # over what stands between the blocks.
    uint32_t (*begin_block)(Output* output, uint32_t block) noexcept nogil
    # Called if n is not before output.open_end: what does not contain node n ends. Sets open_end again.
    void (*leave)(Output* output, uint32_t n) noexcept nogil
    void (*text)(Output* output, uint32_t n, uint32_t block) noexcept nogil     # a text node of the block
    # an element in or around a written block; returns the node where the walk continues
    uint32_t (*enter)(Output* output, uint32_t n, uint32_t block) noexcept nogil
    void (*mark)(Output* output, uint32_t n, uint32_t block) noexcept nogil     # br, wbr, hr or img, anywhere
    void (*pass_over)(Output* output, uint32_t n) noexcept nogil                # an element without written text
    bint (*goes_on)(const Output* output) noexcept nogil    # behind the last block: there is more to write
    void (*end)(Output* output) noexcept nogil              # after the last node
    # Parts of a text of CONSTRUCT_PARTS (put_parts()): text with white space collapsed, and a formula.
    void (*words)(Output* output, uint32_t block, const uint8_t* p, const uint8_t* end) noexcept nogil
    void (*formula)(Output* output, uint32_t block, Slice tex, bint display) noexcept nogil


ctypedef struct OutputFormat:
    bint cells_hold_blocks      # a cell can hold lists, quotes and several paragraphs
    bint has_sub_and_sup
    bint code_holds_links       # otherwise a link in code ends it, holds code of its own, and the code goes on behind it
    bint escapes_addresses      # parentheses and brackets in addresses are percent-encoded
    bint (*can_hold_code)(Output* output, uint32_t pre) noexcept nogil  # whether a pre element can be written as code
    # Begin a leaf in the open containers: write those that have not begun and set `written`, then begin the leaf
    # itself.
    void (*begin_leaf)(Output* output, Leaf leaf) noexcept nogil
    void (*end_leaf)(Output* output) noexcept nogil                     # output.leaf
    # the innermost one, which has begun
    void (*end_container)(Output* output, OutputContainer* container) noexcept nogil
    # False if it cannot begin here; for a link, output.url is the address
    bint (*begin_span)(Output* output, Span* span, Edge first) noexcept nogil
    void (*end_span)(Output* output, Span* span) noexcept nogil
    void (*white_space)(Output* output, Gap gap) noexcept nogil   # a space or a line break inside a leaf
    # Text without white space. `at_end`: the text node ends with it, so what follows is unknown.
    void (*text)(Output* output, const uint8_t* data, uint32_t length, bint at_end) noexcept nogil
    # Several words, each separated by one space, that need no escapes (plain_words.h). They are not the first text of
    # their line.
    void (*words)(Output* output, const uint8_t* data, uint32_t length, bint at_end) noexcept nogil
    # the text of a construct: TeX, AsciiMath between backticks, a mark, or raised characters
    void (*verbatim)(Output* output, const uint8_t* data, uint32_t length) noexcept nogil
    void (*code)(Output* output, const uint8_t* data, uint32_t length) noexcept nogil   # within a line of LEAF_CODE
    void (*code_line)(Output* output) noexcept nogil                    # the next line of LEAF_CODE
    void (*image)(Output* output, Slice alt) noexcept nogil             # its address is output.url


cdef struct Output:
    TextBuffer* text
    const Writer* writer
    const OutputFormat* format
    const Tree* tree
    const MetricsArray* metrics
    const BlockArray* blocks
    const uint8_t* keep
    const MarkupOptions* options
    # of the walk
    uint32_t next           # the first written block that does not end before the current node; n_blocks: none
    uint32_t following      # the written block after that one
    uint32_t open_end       # where the innermost thing that is open ends, or NOTHING_OPEN
    # of all writers
    uint32_t block          # the current block; n_blocks if there is none
    Gap gap
    bint fresh              # nothing of the block has been written, or of the leaf
    Url* url                # where addresses are assembled; NULL without links and images
    Slice base              # base for relative addresses
    size_t addresses        # bytes spent on addresses
    const uint32_t* sums    # running totals of the characters of all blocks, then of kept blocks; NULL without images
    # of markup
    uint32_t n_containers
    uint32_t n_spans
    Leaf leaf               # the current leaf
    uint32_t heading        # level of a heading
    uint32_t code           # the pre element of code
    bint names_language     # of code in HTML: it is in a code element that names its language
    uint32_t skipped_rows   # of the data table: rows without text since the last row that was written
    uint32_t covered        # cells covered by others so far
    size_t repeated         # bytes of repeated text
    uint32_t bare_item      # the item whose bare text was written last
    # 1 + the container that is a table in HTML within Markdown; 0 outside such tables. See begin_embedding() in
    # markup.pyx.
    uint32_t embedding
    size_t code_end         # end of the last line of code that is not blank
    MarkdownState markdown
    SourceState source
    Pictures* pictures
    # From here on nothing is cleared at the start: plain text is written block by block for some purposes.
    PlainState plain
    OutputContainer[MAX_CONTAINERS] containers      # around the current node, outermost first
    Span[MAX_SPANS] spans
    # The data table, for each column: how many rows, this one included, its cell still covers; and the cell.
    uint16_t[MAX_SPANNED] hanging
    Covering[MAX_SPANNED] covering


cdef int start_output(
    Output* output, TextBuffer* text, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks,
    const uint8_t* keep, Scratch* scratch, const MarkupOptions* options, const Passage* passage
) noexcept nogil
cdef void put_parts(Output* output, uint32_t n, uint32_t block, Slice text) noexcept nogil
cdef bint put_address(Output* output, uint32_t node, uint32_t name) noexcept nogil
cdef uint32_t next_kept(const Output* output, uint32_t index) noexcept nogil


cdef inline bint in_block(const Output* output, uint32_t n, uint32_t block) noexcept nogil:
    """True for a node of a written block; `block` is that of the walk."""
    return block < output.blocks.n_blocks and output.blocks.blocks[block].start <= n


cdef inline OutputContainer* innermost(Output* output) noexcept nogil:
    """The innermost container; NULL if there is none."""
    return &output.containers[output.n_containers - 1] if output.n_containers else NULL


cdef inline ContainerRole innermost_role(const Output* output) noexcept nogil:
    """The role of the innermost container; ROLE_NONE if there is none."""
    return output.containers[output.n_containers - 1].role if output.n_containers else ROLE_NONE


cdef inline bint is_line_of_code(const MetricsArray* metrics, const Block* block) noexcept nogil:
    """True for a cell inside pre: some highlighters make a table of the lines."""
    return block.kind == BLOCK_TABLE_CELL and metrics.nodes[block.start].flags & FLAG_PREFORMATTED


cdef inline const uint8_t* past_blank_lines(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """The position after the blank lines that preformatted text begins with; the indentation is kept."""
    cdef const uint8_t* run = p
    while run < end and is_space(run[0]):
        if run[0] == c"\n":
            p = run + 1
        run += 1
    return p


cdef inline bint has_room_for_address(const Output* output) noexcept nogil:
    """True until the addresses written exceed what the size of the page allows."""
    cdef size_t allowed = FREE_ADDRESSES + ADDRESSES_FOR_BYTE * <size_t> output.tree.page_length
    return output.addresses <= min(allowed, <size_t> MAX_ADDRESSES)


cdef inline bint is_ascii_punctuation(uint8_t c) noexcept nogil:
    return 0x21 <= c <= 0x7E and not is_ascii_letter_or_digit(c)


cdef inline uint32_t character_length(const uint8_t* data, const uint8_t* end) noexcept nogil:
    """Length in bytes of the character that begins here; 0 at the end."""
    cdef uint32_t n = 1
    if data == end:
        return 0
    while data + n < end and n < 4 and data[n] & 0xC0 == 0x80:
        n += 1
    return n


cdef inline bint is_cell(const Node* node) noexcept nogil:
    """True for td and th."""
    return is_html(node, TAG_TD) or is_html(node, TAG_TH)


cdef inline bint holds_cell(const OutputContainer* container) noexcept nogil:
    """True for the container of a cell."""
    return container.role == ROLE_CELL or container.role == ROLE_HEADER_CELL


cdef uint32_t pre_of(const Tree* tree, uint32_t node) noexcept nogil
cdef bint is_word_character(const uint8_t* data, uint32_t length) noexcept nogil
cdef Edge edge_of(const uint8_t* data, uint32_t length) noexcept nogil


cdef inline bint in_span(const Output* output, SpanRole role) noexcept nogil:
    """True inside a span of that role that has begun."""
    cdef uint32_t i
    for i in range(output.n_spans):
        if output.spans[i].role == role and output.spans[i].state == SPAN_WRITTEN:
            return True
    return False


cdef inline const Covering* covering_at(const Output* output, uint32_t column) noexcept nogil:
    """The written cell that covers a column of the current row from above or from the left; NULL if there is none."""
    if column >= MAX_SPANNED or output.hanging[column] == 0 or output.covering[column].length == 0:
        return NULL
    return &output.covering[column]


cdef inline void cover_columns(
    Output* output, const OutputContainer* cell, size_t start, uint32_t length
) noexcept nogil:
    """Record how a cell was written, for the columns and rows that it spans. Does nothing for a cell that spans none.
    """
    cdef uint32_t i
    if length and cell.spans_columns == 1 and cell.spans_rows == 1:
        return
    for i in range(cell.seen, min(cell.seen + cell.spans_columns, <uint32_t> MAX_SPANNED)):
        THRESHER_CHECK(i < MAX_SPANNED)
        output.covering[i].start = start
        output.covering[i].length = length


cdef inline bint in_cell(const Output* output) noexcept nogil:
    """True in a cell of a data table."""
    cdef uint32_t i
    for i in range(output.n_containers):
        if holds_cell(&output.containers[i]):
            return True
    return False
