# SPDX-License-Identifier: Apache-2.0
"""Writes containers, leaves and spans; Markdown and HTML each give them their form."""

from libc.string cimport memset

from thresher.native.base.characters cimport past_indent
from thresher.native.measuring.regions cimport holds_rows, is_data_table
from thresher.native.parsing.tag_table cimport fill_tags
from thresher.native.writing.callouts cimport callout_kind, is_callout_title
from thresher.native.writing.cells cimport *
from thresher.native.writing.html cimport html_format
from thresher.native.writing.images cimport is_image, put_image_address, stands_in_text
from thresher.native.writing.markdown cimport markdown_format
from thresher.native.writing.omissions cimport is_left_out, is_nothing
from thresher.native.writing.output cimport *
from thresher.native.writing.raised cimport RAISED_ROOM, raise_text

cdef extern from "writing/plain_words.h" nogil:
    const uint8_t* plain_words(const uint8_t* p, const uint8_t* end) noexcept


cdef enum:
    MAX_HEADING = 200       # characters up to which a heading of several blocks is one line
    MAX_CLASS = 256         # bytes of a class that are searched for words


cdef Writer MARKUP
MARKUP.leave = leave_elements
MARKUP.text = put_text_node
MARKUP.enter = enter_element
MARKUP.mark = put_mark
MARKUP.pass_over = pass_over
MARKUP.end = end_markup
MARKUP.words = put_text
MARKUP.formula = put_construct


cdef const Writer* markup_writer() noexcept nogil:
    return &MARKUP


cdef enum:      # bits of ContainerRole
    IN_LISTS = 1 << ROLE_LIST | 1 << ROLE_NUMBERED
    # A format may be unable to write more than text in a cell.
    IN_TEXT = (
        1 << ROLE_NONE | 1 << ROLE_QUOTE | 1 << ROLE_ITEM | 1 << ROLE_CELL | 1 << ROLE_HEADER_CELL | 1 << ROLE_NOTE
    )
    IN_FLOW = IN_TEXT | 1 << ROLE_TERM | 1 << ROLE_DESCRIPTION

# For each ContainerRole, the containers that it may stand in directly.
cdef uint32_t[12] PLACES = [
    0, IN_FLOW, IN_FLOW | IN_LISTS, IN_FLOW | IN_LISTS, IN_LISTS, IN_TEXT, 1 << ROLE_TERMS, 1 << ROLE_TERMS, IN_FLOW,
    1 << ROLE_TABLE, 1 << ROLE_ROW, 1 << ROLE_ROW,
]
# For each tag, the ContainerRole and, plus 1, the SpanRole that an element may have.
cdef uint8_t[TAG_COUNT] ROLES
cdef uint8_t[TAG_COUNT] SPANS
fill_tags(ROLES, {
    ROLE_QUOTE: "blockquote div aside section", ROLE_LIST: "ul menu dir", ROLE_NUMBERED: "ol", ROLE_ITEM: "li",
    ROLE_TERMS: "dl", ROLE_TERM: "dt", ROLE_DESCRIPTION: "dd", ROLE_TABLE: "table", ROLE_ROW: "tr", ROLE_CELL: "td",
    ROLE_HEADER_CELL: "th",
})
fill_tags(SPANS, {
    SPAN_STRONG + 1: "strong b", SPAN_EMPHASIS + 1: "em i var", SPAN_CODE + 1: "code kbd samp tt", SPAN_LINK + 1: "a",
    SPAN_SUB + 1: "sub", SPAN_SUP + 1: "sup", SPAN_STRIKE + 1: "del s strike",
})


# --- spans ---


cdef Span* last_span(Output* output, SpanRole role) noexcept nogil:
    """The innermost open span of a role, whether or not it has begun; NULL if there is none."""
    cdef uint32_t i
    for i in range(output.n_spans, 0, -1):
        if output.spans[i - 1].role == role:
            return &output.spans[i - 1]
    return NULL


cdef void push_span(Output* output, uint32_t node, SpanRole role) noexcept nogil:
    cdef Span* span = &output.spans[output.n_spans]
    memset(span, 0, sizeof(Span))
    span.node = node
    span.role = role
    span.state = SPAN_WAITING
    output.n_spans += 1
    output.open_end = min(output.open_end, output.tree.nodes[node].end)


cdef void pop_span(Output* output) noexcept nogil:
    """End the innermost span. Code around a link goes on behind it."""
    cdef Span* around
    output.n_spans -= 1
    end_span(output, &output.spans[output.n_spans])
    if output.spans[output.n_spans].role == SPAN_CODE:
        around = last_span(output, SPAN_CODE)
        if around != NULL and around.state == SPAN_REFUSED:
            around.state = SPAN_WAITING


cdef void push_link_in_code(Output* output, uint32_t node) noexcept nogil:
    """Push a link in code, which Markdown would not see there: it holds a span of code of its own, before whose text the
    one around it ends.
    """
    if output.n_spans + 2 <= MAX_SPANS and put_address(output, node, ATTR_HREF):
        push_span(output, node, SPAN_LINK)
        push_span(output, node, SPAN_CODE)


cdef void begin_span(Output* output, Span* span, Edge first) noexcept nogil:
    """Let the format begin a span that was waiting for text."""
    span.state = SPAN_REFUSED
    if span.role == SPAN_CODE and span != last_span(output, SPAN_CODE):
        return      # a link in it holds its part of the code
    if span.role == SPAN_LINK:
        if not put_address(output, span.node, ATTR_HREF):
            return
    elif output.block == output.blocks.n_blocks:
        return      # an image on its own has no block, and needs no emphasis
    if output.format.begin_span(output, span, first):
        span.state = SPAN_WRITTEN


cdef void end_span(Output* output, Span* span) noexcept nogil:
    """End a span if it has begun. It then waits for text again."""
    cdef SpanState state = span.state
    span.state = SPAN_WAITING
    if state == SPAN_WRITTEN:
        output.format.end_span(output, span)


cdef void end_spans(Output* output) noexcept nogil:
    """End all spans, innermost first."""
    cdef uint32_t i
    for i in range(output.n_spans, 0, -1):
        end_span(output, &output.spans[i - 1])


# --- leaves and containers ---


cdef void end_leaf(Output* output) noexcept nogil:
    """End the current leaf and all spans in it."""
    if output.leaf == LEAF_NONE:
        return
    end_spans(output)
    output.gap = GAP_NONE
    if output.leaf == LEAF_CODE:
        cut_text(output.text, output.code_end)
    output.format.end_leaf(output)
    output.leaf = LEAF_NONE
    output.block = output.blocks.n_blocks


cdef void end_container(Output* output) noexcept nogil:
    """Remove the innermost container, ending it if it has begun."""
    cdef OutputContainer* container = innermost(output)
    THRESHER_CHECK(container != NULL)
    if container.written:
        end_leaf(output)
        output.format.end_container(output, container)
    elif container.role == ROLE_ROW:
        output.skipped_rows += 1
    if container.embedded:
        output.embedding = 0
        output.markdown.html_end = output.text.length
        output.format = markdown_format()
    output.n_containers -= 1


cdef Leaf leaf_for(Output* output, const Block* block) noexcept nogil:
    """The kind of leaf for a block. NULL stands for an image on its own."""
    cdef OutputContainer* container = innermost(output)
    cdef ContainerRole role = innermost_role(output)
    cdef uint32_t pre
    if role == ROLE_LIST or role == ROLE_NUMBERED:
        return LEAF_ITEM
    if role == ROLE_TERMS:
        return LEAF_DESCRIPTION
    if role == ROLE_TABLE:
        return LEAF_CAPTION
    if role == ROLE_ROW:
        return LEAF_CELL
    if not output.format.cells_hold_blocks and in_cell(output):
        return LEAF_BARE
    if block == NULL:
        return LEAF_PARAGRAPH
    if role == ROLE_QUOTE and container.callout.length and not container.written:
        container.titled = is_callout_title(output.tree, container.node, block)
        if container.titled:
            return LEAF_PARAGRAPH
    if block.kind == BLOCK_PREFORMATTED or is_line_of_code(output.metrics, block):
        pre = pre_of(output.tree, block.element)
        if pre != 0 and output.format.can_hold_code(output, pre):
            return LEAF_CODE
    if is_heading(block):
        return LEAF_HEADING
    if role >= ROLE_ITEM and block.alone and block.item == container.node:
        return LEAF_BARE
    return LEAF_PARAGRAPH


cdef void begin_leaf(Output* output, uint32_t index, Leaf leaf) noexcept nogil:
    """End the previous leaf and begin that of a block. Index n_blocks stands for an image on its own."""
    cdef const Block* block = output.blocks.blocks + index
    end_leaf(output)
    THRESHER_CHECK(index < output.blocks.n_blocks or (leaf != LEAF_HEADING and leaf != LEAF_CODE))
    if leaf == LEAF_HEADING:
        output.heading = block.kind - BLOCK_HEADING_1 + 1
    elif leaf == LEAF_CODE:
        output.code = pre_of(output.tree, block.element)
    output.format.begin_leaf(output, leaf)
    output.leaf = leaf
    output.block = index
    output.gap = GAP_NONE
    output.fresh = True
    output.bare_item = innermost(output).node if leaf == LEAF_BARE and output.n_containers else 0
    output.code_end = output.text.length


cdef uint32_t block_before(const Output* output, uint32_t index) noexcept nogil:
    """The previous block, skipping those left out, but not further back than the current one."""
    while index > output.block + 1 and is_left_out(output.tree, output.metrics, output.blocks.blocks + index - 1):
        index -= 1
    return index - 1


cdef uint32_t heading_of(const Output* output, uint32_t node) noexcept nogil:
    """The heading that a node is or is inside of; 0 if there is none nearby."""
    cdef int step
    for step in range(MAX_LOOK):
        if node == 0 or is_heading_tag(output.tree.nodes[node].tag):
            break
        node = output.tree.nodes[node].parent
    return node


cdef bint is_same_heading(const Output* output, uint32_t index) noexcept nogil:
    """True for a block in the same heading as the current one, if the heading is short. A heading that was never closed
    contains the rest of the page.
    """
    cdef uint32_t heading = heading_of(output, output.blocks.blocks[index].element)
    return (
        heading != 0 and heading == heading_of(output, output.blocks.blocks[output.block].element)
        and output.metrics.nodes[heading].characters <= MAX_HEADING
    )


cdef void enter_block(Output* output, uint32_t index) noexcept nogil:
    """Begin the leaf of a block, or continue the previous leaf if the line continues."""
    cdef const Block* block = output.blocks.blocks + index
    cdef Leaf leaf = leaf_for(output, block)
    cdef bint adjacent = (
        output.leaf != LEAF_NONE and output.block < index and (output.n_containers == 0 or innermost(output).written)
        and block_before(output, index) == output.block
    )
    THRESHER_CHECK(index < output.blocks.n_blocks)
    if adjacent and leaf == LEAF_CODE and output.leaf == LEAF_CODE and pre_of(output.tree, block.element) == output.code:
        cut_text(output.text, output.code_end)
        output.gap = GAP_LINE
    elif adjacent and leaf == LEAF_HEADING and output.leaf == LEAF_HEADING and is_same_heading(output, index):
        output.gap = GAP_LINE
    elif (
        adjacent and leaf == LEAF_PARAGRAPH and output.leaf == LEAF_PARAGRAPH and block.separator != SEPARATOR_PARAGRAPH
    ):
        output.gap = GAP_SPACE if block.separator == SEPARATOR_SPACE else GAP_LINE
    else:
        begin_leaf(output, index, leaf)
        return
    end_spans(output)       # of the previous block; spans that are still open begin again
    output.block = index


# --- text ---


cdef void before_text(Output* output, Edge first) noexcept nogil:
    """Write the pending white space, then begin the waiting spans. Code around a link in it ends before both."""
    cdef const Span* code = last_span(output, SPAN_CODE)
    cdef uint32_t i
    for i in range(output.n_spans):
        if output.spans[i].role == SPAN_CODE and &output.spans[i] != code:
            end_span(output, &output.spans[i])
    if output.gap != GAP_NONE and not output.fresh:
        output.format.white_space(output, output.gap)
    output.gap = GAP_NONE
    for i in range(output.n_spans):
        if output.spans[i].state == SPAN_WAITING:
            begin_span(output, &output.spans[i], first)


cdef inline bint ends_line(uint8_t byte) noexcept nogil:
    return byte == c"\n" or byte == c"\r"


cdef void put_code(Output* output, const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Write preformatted text with its lines and spaces, but without leading blank lines."""
    cdef const uint8_t* run
    if output.fresh:
        p = past_blank_lines(p, end)
    elif output.gap == GAP_LINE:     # <br>, or the next of several blocks in one pre
        output.format.code_line(output)
    output.gap = GAP_NONE
    while p < end:
        run = p
        while p < end and not ends_line(p[0]):
            p += 1
        if p > run:
            output.fresh = False
            output.format.code(output, run, <uint32_t> (p - run))
            while run < p and is_space(run[0]):
                run += 1
            if run < p:     # not blank
                output.code_end = output.text.length
                while output.code_end and is_space(output.text.data[output.code_end - 1]):
                    output.code_end -= 1
        if p < end:
            output.format.code_line(output)
            p += 1


cdef void put_text(Output* output, uint32_t index, const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Write the text node of a kept block with white space collapsed."""
    cdef const uint8_t* run
    cdef bint behind = False    # a word of this text has been written
    if output.block != index or output.fresh or output.gap >= GAP_LINE:
        p = past_indent(p, end)
    while p < end:
        if is_space(p[0]):
            p += 1
            if output.gap == GAP_NONE:
                output.gap = GAP_SPACE
            continue
        run = p
        if behind:
            p = plain_words(run, end)
            if p > run:
                put_byte(output.text, c" ")
                output.gap = GAP_NONE
                output.format.words(output, run, <uint32_t> (p - run), p == end)
                continue
        while p < end and not is_space(p[0]):
            p += 1
        behind = True
        if output.block != index:
            enter_block(output, index)
        before_text(output, edge_of(run, character_length(run, p)))
        output.fresh = False
        output.format.text(output, run, <uint32_t> (p - run), p == end)


cdef void put_lines(Output* output, uint32_t index, const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Write preformatted text where no code can stand, such as a cell in Markdown: its lines, other white space collapsed.
    """
    cdef const uint8_t* line
    while True:
        line = p
        while p < end and not ends_line(p[0]):
            p += 1
        put_text(output, index, line, p)
        if p == end:
            return
        p += 1
        if output.block == index and not output.fresh:
            end_spans(output)       # a span of code goes over one line
            output.gap = GAP_LINE


cdef void put_construct(Output* output, uint32_t index, Slice text, bint display) noexcept nogil:
    """Write the text of a construct without escapes. A `display` formula gets its own lines."""
    if output.block != index:
        enter_block(output, index)
    if display:
        output.gap = GAP_DISPLAY
    elif (
        output.gap == GAP_NONE and (text.data[0] == c"$" or text.data[0] == c"`")
        and last_byte(output.text) == text.data[0]
    ):
        output.gap = GAP_SPACE       # a space keeps two formulas apart
    before_text(output, EDGE_OTHER)
    output.fresh = False
    output.format.verbatim(output, text.data, text.length)
    if display:
        output.gap = GAP_DISPLAY


cdef void put_marked_text(Output* output, uint32_t index, Slice text) noexcept nogil:
    """Write a text that begins with a mark: the mark unescaped, the rest as ordinary text."""
    cdef Slice mark = first_bytes(text, 0)
    while mark.length < text.length and text.data[mark.length] != c"]":
        mark.length += 1
    mark.length += mark.length < text.length
    mark.length += mark.length < text.length and text.data[mark.length] == c":"
    put_construct(output, index, mark, False)
    put_text(output, index, text.data + mark.length, text.data + text.length)


cdef bint put_raised(Output* output, uint32_t index, uint32_t node) noexcept nogil:
    """Write a sub or sup element of a kept block in plain characters. False if its text is to be written as ordinary
    text.
    """
    cdef uint8_t[RAISED_ROOM] text
    cdef uint32_t length
    if output.format.has_sub_and_sup or output.block != index or output.leaf == LEAF_CODE:
        return False
    length = raise_text(text, output.tree, output.metrics, output.blocks.blocks + index, node, output.options.links)
    if length == 0:
        return False
    before_text(output, EDGE_OTHER)
    output.format.verbatim(output, text, length)
    return True


cdef void put_rule(Output* output, uint32_t node, uint32_t next_block) noexcept nogil:
    """Write an hr element that separates text: one between two kept blocks of its parent."""
    cdef const Block* blocks = output.blocks.blocks
    cdef uint32_t parent = output.tree.nodes[node].parent
    cdef ContainerRole role = innermost_role(output)
    if (
        next_block == 0 or next_block == output.blocks.n_blocks or not output.keep[next_block - 1]
        or output.text.length == 0
    ):
        return
    if blocks[next_block - 1].start < parent or blocks[next_block].start >= output.tree.nodes[parent].end:
        return
    if role != ROLE_NONE and ((role != ROLE_QUOTE and role != ROLE_ITEM) or not innermost(output).written):
        return
    end_leaf(output)
    output.format.begin_leaf(output, LEAF_RULE)


# --- images ---


cdef void put_image(Output* output, uint32_t node, bint in_text, uint32_t index) noexcept nogil:
    """Write an image, within the text of a block or as its own paragraph."""
    if not is_image(output, node):
        return
    if last_span(output, SPAN_CODE) != NULL or (in_text and output.leaf == LEAF_CODE and output.block == index):
        return
    if not in_text:
        begin_leaf(output, output.blocks.n_blocks, leaf_for(output, NULL))
    elif output.block != index:
        enter_block(output, index)
        if output.leaf == LEAF_CODE:
            return
    before_text(output, EDGE_OTHER)
    # Beginning a link has overwritten output.url.
    if not put_image_address(output, node):
        return
    output.fresh = False
    output.format.image(output, value_in(output.tree, node, ATTR_ALT))
    if not in_text:
        end_leaf(output)


# --- elements ---


cdef bint names_steps(const Tree* tree, uint32_t node) noexcept nogil:
    """True for an element whose class or itemprop says that it holds the steps of a recipe."""
    cdef Slice value = first_bytes(class_of(tree, node), MAX_CLASS)
    return is_word(value_in(tree, node, ATTR_ITEMPROP), b"recipeinstructions") or (
        contains(value, b"recipe") and contains(value, b"instructions")
    )


cdef bint holds_steps(const Tree* tree, uint32_t node) noexcept nogil:
    """True for a ul element that holds the steps of a recipe, which pages number by style alone."""
    return (
        tree.nodes[node].n_attributes and names_steps(tree, node)
        or tree.nodes[tree.nodes[node].parent].kind == KIND_ELEMENT and names_steps(tree, tree.nodes[node].parent)
    )


cdef bint begins_note(const Output* output, uint32_t node, uint32_t block) noexcept nogil:
    """True in Markdown for the element of a footnote whose text begins with a block."""
    cdef const Node* text
    if output.format != markdown_format() or block == output.blocks.n_blocks:
        return False
    text = output.tree.nodes + output.blocks.blocks[block].start
    return text.namespace == CONSTRUCT_PREFIX and text.attributes == node


cdef ContainerRole role_of(Output* output, uint32_t node, uint32_t next_block, uint32_t* columns) noexcept nogil:
    """The container that an element is at this place; ROLE_NONE if it is none."""
    cdef uint32_t tag = output.tree.nodes[node].tag
    cdef ContainerRole role = <ContainerRole> ROLES[tag] if tag < TAG_COUNT else ROLE_NONE
    cdef ContainerRole top = innermost_role(output)
    if role == ROLE_NONE:
        return ROLE_NONE
    if (top == ROLE_CELL or top == ROLE_HEADER_CELL) and not output.format.cells_hold_blocks:
        return ROLE_NONE
    if not PLACES[<int> role] >> top & 1:
        return ROLE_NONE
    if role == ROLE_QUOTE:
        if begins_note(output, node, next_block):
            return ROLE_NOTE
        return role if tag == TAG_BLOCKQUOTE or callout_kind(output.tree, node).length else ROLE_NONE
    if tag == TAG_UL:
        return ROLE_NUMBERED if holds_steps(output.tree, node) else role
    if role == ROLE_TABLE:      # of preformatted text, its rows are lines of code
        return role if (
            not output.metrics.nodes[node].flags & FLAG_PREFORMATTED
            and is_data_table(output.tree, output.metrics, output.blocks, node, next_block, columns)
            and holds_rows(output.tree, output.metrics, node)
        ) else ROLE_NONE
    return ROLE_NONE if role == ROLE_ROW and is_title_row(output, node, next_block) else role


cdef void number_list(Output* output, OutputContainer* list) noexcept nogil:
    """Set the number of a numbered list's first item, and whether the list counts down."""
    cdef const Node* nodes = output.tree.nodes
    cdef uint32_t n = list.node + 1, items = 0
    list.down = find_named(output.tree, list.node, b"reversed") != NULL
    list.number = 1
    if read_number(output.tree, list.node, ATTR_START, True, &list.number) or not list.down:
        return
    while n < nodes[list.node].end:
        items += nodes[n].kind == KIND_ELEMENT and nodes[n].tag == TAG_LI
        n = nodes[n].end
    list.number = items


cdef int span_role(Output* output, uint32_t node) noexcept nogil:
    """The span that an element is; -1 if it is none, or in one that it would repeat."""
    cdef uint32_t tag = output.tree.nodes[node].tag
    cdef int role = SPANS[tag] - 1 if tag < TAG_COUNT else -1
    if tag == TAG_PRE and not output.format.cells_hold_blocks and in_cell(output):
        role = SPAN_CODE
    if role == SPAN_SUB or role == SPAN_SUP:
        return role if output.format.has_sub_and_sup else -1
    if role < 0 or last_span(output, <SpanRole> role) != NULL or (role == SPAN_LINK and not output.options.links):
        return -1
    return role


cdef void begin_embedding(Output* output) noexcept nogil:
    """Have the innermost container, a table about to begin, written as HTML within Markdown. It goes on one line,
    because a blank line would end it.
    """
    end_leaf(output)
    innermost(output).embedded = True
    output.embedding = output.n_containers
    output.format = html_format()


cdef void push_container(Output* output, uint32_t node, ContainerRole role, uint32_t columns) noexcept nogil:
    """Push a container, unless MAX_CONTAINERS are open already."""
    cdef OutputContainer* container = &output.containers[output.n_containers]
    if output.n_containers == MAX_CONTAINERS:
        return
    memset(container, 0, sizeof(OutputContainer))
    container.node = node
    container.role = role
    container.columns = columns
    if role == ROLE_QUOTE:
        container.callout = callout_kind(output.tree, node)
    elif role == ROLE_TERM:
        (container - 1).has_term = False    # what follows belongs to this term, or to none
    elif role == ROLE_NUMBERED:
        number_list(output, container)
    elif role == ROLE_ITEM and (container - 1).role == ROLE_NUMBERED:
        container.numbered = read_number(output.tree, node, ATTR_VALUE, True, &(container - 1).number)
    elif role == ROLE_CELL or role == ROLE_HEADER_CELL:
        THRESHER_CHECK(output.n_containers > 0 and (container - 1).role == ROLE_ROW)
        take_cell(output, container - 1, node, container)
    elif role == ROLE_TABLE:
        container.columns = count_columns(output, node, columns)
        memset(output.hanging, 0, sizeof(output.hanging))
        memset(output.covering, 0, sizeof(output.covering))
        output.skipped_rows = 0
    elif role == ROLE_ROW:
        end_row(output.hanging)
    if (role == ROLE_LIST or role == ROLE_NUMBERED) and output.n_containers:
        container.width = (container - 1).item_width
    output.n_containers += 1
    output.open_end = min(output.open_end, output.tree.nodes[node].end)
    if (
        role == ROLE_TABLE and output.options.html_tables and output.options.format == FORMAT_MARKDOWN
        and output.embedding == 0 and exceeds_markdown(output, node)
    ):
        begin_embedding(output)


cdef uint32_t enter_element(Output* output, uint32_t n, uint32_t block) noexcept nogil:
    """Push an element that may hold written text, if it is a container or a span. Raised text may be written whole."""
    cdef uint32_t columns = 0, tag = output.tree.nodes[n].tag
    cdef ContainerRole role
    cdef int inline_role
    if (tag == TAG_SUB or tag == TAG_SUP) and in_block(output, n, block) and put_raised(output, block, n):
        return output.tree.nodes[n].end
    role = role_of(output, n, block, &columns)
    if role != ROLE_NONE:
        push_container(output, n, role, columns)
        return n + 1
    inline_role = span_role(output, n)
    if inline_role == SPAN_LINK and not output.format.code_holds_links and last_span(output, SPAN_CODE) != NULL:
        push_link_in_code(output, n)
    elif inline_role >= 0 and output.n_spans < MAX_SPANS:
        push_span(output, n, <SpanRole> inline_role)
    return n + 1


cdef void leave_elements(Output* output, uint32_t n) noexcept nogil:
    """End the spans and containers that do not contain node n."""
    cdef const Node* nodes = output.tree.nodes
    while output.n_spans and nodes[output.spans[output.n_spans - 1].node].end <= n:
        pop_span(output)
    while output.n_containers and nodes[innermost(output).node].end <= n:
        end_container(output)
    output.open_end = nodes[innermost(output).node].end if output.n_containers else <uint32_t> NOTHING_OPEN
    if output.n_spans:
        output.open_end = min(output.open_end, nodes[output.spans[output.n_spans - 1].node].end)


cdef void put_mark(Output* output, uint32_t n, uint32_t block) noexcept nogil:
    """Write a line break, a rule or an image."""
    cdef uint32_t tag = output.tree.nodes[n].tag
    cdef bint in_text = in_block(output, n, block)
    if tag == TAG_BR:
        if in_text and output.block == block:
            if output.gap == GAP_LINE and output.leaf == LEAF_CODE and not output.fresh:
                output.format.code_line(output)     # a blank line
            output.gap = GAP_LINE
    elif tag == TAG_HR:
        if not in_text:
            put_rule(output, n, block)
    elif tag == TAG_IMG and output.options.images and (in_text or stands_in_text(output, n, False)):
        put_image(output, n, in_text, block)


cdef void pass_over(Output* output, uint32_t n) noexcept nogil:
    """Count an element without written text: a cell still occupies its columns, and a row still counts for the cells
    above it.
    """
    cdef OutputContainer empty
    cdef OutputContainer* around = innermost(output)
    cdef uint32_t tag = output.tree.nodes[n].tag
    if around == NULL:
        return
    if is_cell(output.tree.nodes + n) and around.role == ROLE_ROW:
        take_cell(output, around, n, &empty)
    elif tag == TAG_TR and around.role == ROLE_TABLE:
        end_row(output.hanging)
        output.skipped_rows += 1
    elif tag == TAG_DT and around.role == ROLE_TERMS:
        around.has_term = False


cdef void put_text_node(Output* output, uint32_t n, uint32_t block) noexcept nogil:
    """Write a text node of a kept block."""
    cdef const Node* node = output.tree.nodes + n
    cdef uint32_t flags = output.metrics.nodes[n].flags
    cdef Slice slice = text_of(output.tree, n)
    if flags & FLAG_BLANK and output.block != block:
        return
    if flags & FLAG_PREFORMATTED and (
        # once begun, a block stays what it is: the same place may have another leaf for its second node
        output.leaf == LEAF_CODE if output.block == block
        else leaf_for(output, output.blocks.blocks + block) == LEAF_CODE
    ):
        if output.block != block:
            enter_block(output, block)
        put_code(output, slice.data, slice.data + slice.length)
    elif node.namespace == CONSTRUCT_PREFIX:
        put_marked_text(output, block, slice)
    elif node.namespace == CONSTRUCT_PARTS:
        put_parts(output, n, block, slice)
    elif node.namespace != CONSTRUCT_NONE and node.namespace != CONSTRUCT_CODE:
        put_construct(output, block, slice, node.namespace == CONSTRUCT_DISPLAY)
    elif is_nothing(output.tree, output.metrics, output.blocks.blocks + block, n, slice.data[0]):
        return
    elif flags & FLAG_PREFORMATTED:
        put_lines(output, block, slice.data, slice.data + slice.length)
    else:
        put_text(output, block, slice.data, slice.data + slice.length)


cdef void end_markup(Output* output) noexcept nogil:
    THRESHER_CHECK(output.n_spans == 0 and output.n_containers == 0)
    end_leaf(output)
