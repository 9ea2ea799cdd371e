# SPDX-License-Identifier: Apache-2.0
"""Writes the page's own elements around the kept text, without what could do harm."""

from thresher.native.parsing.tag_table cimport fill_tags, spelling_of
from thresher.native.writing.html cimport begin_code, begin_formula, put_end_tag, put_escaped, put_url
from thresher.native.writing.images cimport is_image, put_image_address, stands_in_text
from thresher.native.writing.omissions cimport ends_invisibly
from thresher.native.writing.output cimport *

from thresher.native.parsing.tags import ATTRIBUTE_NAMES

cdef enum:
    MAX_BREAKS = 3          # <br> in a row between two kept texts

ELEMENTS = """
a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup data dd del
details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark
menu nav nobr ol p picture pre q rb rp rt rtc ruby s samp search section small span strike strong sub summary sup table
tbody td tfoot th thead time tr tt u ul var wbr
"""
ATTRIBUTES = """
align alt aria-label class colspan datetime dir headers height itemprop itemscope itemtype lang open role rowspan scope
start title type valign value width
""".split()

cdef uint8_t[TAG_COUNT] IS_WRITTEN
fill_tags(IS_WRITTEN, {1: ELEMENTS})
# 1 for each attribute that is written; the type of lists alone, by put_attributes()
cdef uint8_t[ATTR_COUNT] WRITTEN
for _number, _name in enumerate(ATTRIBUTE_NAMES):
    WRITTEN[<int> _number] = _name in ATTRIBUTES and _name != "type"


cdef Writer SOURCE
SOURCE.leave = leave
SOURCE.text = put_text_node
SOURCE.mark = put_mark
SOURCE.pass_over = pass_over
SOURCE.goes_on = may_go_on


cdef const Writer* source_writer() noexcept nogil:
    return &SOURCE


cdef inline bint is_written(const Tree* tree, uint32_t n) noexcept nogil:
    """True for an element that is written with its tags."""
    cdef const Node* node = tree.nodes + n
    return (
        node.kind == KIND_ELEMENT and node.namespace == NS_HTML and node.tag < TAG_COUNT and IS_WRITTEN[node.tag]
    )


cdef void put_attributes(Output* output, uint32_t n) noexcept nogil:
    """Write an element's attributes as far as they are on the list and there is room."""
    cdef const Attribute* attribute = output.tree.attributes + output.tree.nodes[n].attributes
    cdef const Attribute* end = attribute + output.tree.nodes[n].n_attributes
    cdef Slice name, value
    while attribute < end and has_room_for_address(output):
        if WRITTEN[attribute.name] or (attribute.name == ATTR_TYPE and output.tree.nodes[n].tag in (TAG_OL, TAG_UL)):
            name, value = name_of(output.tree, attribute), value_of(output.tree, attribute)
            put_byte(output.text, c" ")
            put(output.text, name.data, name.length)
            if value.length:
                put_string(output.text, b'="')
                put_escaped(output.text, value.data, value.length, True)
                put_byte(output.text, c'"')
            output.addresses += value.length + name.length
        attribute += 1


cdef void put_begin(Output* output, uint32_t n) noexcept nogil:
    """Write the start tag of an element, if it has one."""
    cdef uint32_t tag = output.tree.nodes[n].tag
    if not is_written(output.tree, n):
        return
    put_byte(output.text, c"<")
    put_string(output.text, spelling_of(tag))
    if tag == TAG_A and output.options.links and put_address(output, n, ATTR_HREF):
        put_url(output, b"href")
    elif tag == TAG_IMG and put_image_address(output, n):
        put_url(output, b"src")
    put_attributes(output, n)
    put_byte(output.text, c">")
    if is_cell(output.tree.nodes + n) and value_in(output.tree, n, ATTR_ROWSPAN).length:
        output.source.spanning = output.tree.nodes[output.tree.nodes[n].parent].parent


cdef void put_end(Output* output, uint32_t n) noexcept nogil:
    """Write the end tag of an element, if it has one."""
    if is_written(output.tree, n):
        put_end_tag(output.text, spelling_of(output.tree.nodes[n].tag))


cdef void leave(Output* output, uint32_t n) noexcept nogil:
    """End the elements that do not contain node n."""
    cdef SourceState* state = &output.source
    while state.n_open and output.tree.nodes[state.open[state.n_open - 1]].end <= n:
        state.n_open -= 1
        put_end(output, state.open[state.n_open])
    output.open_end = output.tree.nodes[innermost_element(output)].end if state.n_open else <uint32_t> NOTHING_OPEN


cdef inline uint32_t innermost_element(const Output* output) noexcept nogil:
    """The innermost open element; the root if there is none."""
    return output.source.open[output.source.n_open - 1] if output.source.n_open else output.source.root


cdef void open_around(Output* output, uint32_t n) noexcept nogil:
    """Begin all elements around node n that are not open yet; leave() has ended the others."""
    cdef const Node* nodes = output.tree.nodes
    cdef SourceState* state = &output.source
    cdef uint32_t top = innermost_element(output), count = 0, above = nodes[n].parent, i
    while above > top:
        count += 1
        above = nodes[above].parent
    THRESHER_CHECK(above == top and state.n_open + count <= output.tree.n_nodes)
    if count == 0:
        return
    above = nodes[n].parent
    output.open_end = nodes[above].end
    for i in range(count, 0, -1):
        state.open[state.n_open + i - 1] = above
        above = nodes[above].parent
    for i in range(count):
        put_begin(output, state.open[state.n_open])
        state.n_open += 1


cdef void enter_block(Output* output, uint32_t n, uint32_t block) noexcept nogil:
    """Separate the first text of a block, node n, from what is before it, and begin its elements."""
    cdef TextBuffer* text = output.text
    # In preformatted text, a line break would be seen.
    if text.length and (
        last_byte(text) != c">" if output.metrics.nodes[n].flags & FLAG_PREFORMATTED else last_byte(text) != c"\n"
    ):
        put_byte(text, c"\n")
    output.block = block
    open_around(output, n)


cdef void put_listing(Output* output, uint32_t n, Slice text) noexcept nogil:
    """Write the lines of a listing, with its language if that is known."""
    cdef bint names_language
    if text.length and text.data[0] == c"\n":
        put_byte(output.text, c"\n")        # a parser drops the first line break of pre
    names_language = begin_code(output, output.tree.nodes[n].parent)
    put_escaped(output.text, text.data, text.length, False)
    if names_language:
        put_end_tag(output.text, b"code")


cdef void put_text_node(Output* output, uint32_t n, uint32_t block) noexcept nogil:
    """Write a text node of a kept block."""
    cdef const Node* node = output.tree.nodes + n
    cdef uint32_t flags = output.metrics.nodes[n].flags
    cdef Slice text = text_of(output.tree, n)
    if text.length == 0:
        return
    if flags & FLAG_BLANK and not flags & FLAG_PREFORMATTED:
        output.source.space = output.block == block
        return
    if text.data[0] >= 0xC2 and ends_invisibly(output.tree, output.metrics, output.blocks.blocks + block, n):
        return
    if output.block != block:
        enter_block(output, n, block)
    else:
        if output.source.space and not is_space(last_byte(output.text)):
            put_byte(output.text, c" ")
        open_around(output, n)
    output.source.space = False
    output.source.breaks = 0
    if node.namespace == CONSTRUCT_FORMULA or node.namespace == CONSTRUCT_DISPLAY:
        begin_formula(output.text, node.namespace == CONSTRUCT_DISPLAY)     # as the format html does
        put_escaped(output.text, text.data, text.length, False)
        put_end_tag(output.text, b"span")
    elif node.namespace == CONSTRUCT_CODE:
        put_listing(output, n, text)
    else:
        if text.data[0] == c"\n" and output.tree.nodes[node.parent].tag == TAG_PRE and last_byte(output.text) == c">":
            put_byte(output.text, c"\n")
        put_escaped(output.text, text.data, text.length, False)


cdef bint separates(const Output* output, uint32_t n, uint32_t next_block) noexcept nogil:
    """True for an empty element between two kept texts of its parent: it is on the line of both."""
    cdef uint32_t parent = output.tree.nodes[n].parent
    return (
        output.block < output.blocks.n_blocks and next_block < output.blocks.n_blocks
        and innermost_element(output) == parent and output.blocks.blocks[next_block].start < output.tree.nodes[parent].end
    )


cdef void put_empty(Output* output, uint32_t n) noexcept nogil:
    """Write an element that has no end tag."""
    if output.source.space and not is_space(last_byte(output.text)):
        put_byte(output.text, c" ")
    output.source.space = False
    open_around(output, n)
    put_begin(output, n)


cdef void pass_over(Output* output, uint32_t n) noexcept nogil:
    """Write what is left of an element without kept text: an empty cell in a row that has begun, or an empty row below
    cells that may reach into it.
    """
    cdef const Node* node = output.tree.nodes + n
    if node.parent != innermost_element(output) or output.source.n_open == 0:
        return
    if (node.tag == TAG_TD or node.tag == TAG_TH) and output.tree.nodes[node.parent].tag == TAG_TR:
        put_begin(output, n)
        put_end(output, n)
    elif node.tag == TAG_TR and output.source.spanning == node.parent:
        put_string(output.text, b"<tr></tr>")


cdef bint may_go_on(const Output* output) noexcept nogil:
    """True behind the last kept text if its row may have more cells."""
    cdef uint32_t tag = output.tree.nodes[innermost_element(output)].tag
    return output.source.n_open != 0 and (tag == TAG_TR or tag == TAG_TD or tag == TAG_TH)


cdef void put_mark(Output* output, uint32_t n, uint32_t block) noexcept nogil:
    """Write an element without content: within a block, between two of them, or an image."""
    cdef uint32_t tag = output.tree.nodes[n].tag
    cdef bint in_text = in_block(output, n, block), begun = in_text and output.block == block
    if tag == TAG_BR:
        if begun or (
            separates(output, n, block)
            and output.source.breaks < (MAX_BREAKS if block == output.block + 1 else 1)
        ):
            put_empty(output, n)
            output.source.breaks += 1
    elif tag == TAG_WBR:
        if begun:
            put_empty(output, n)
    elif tag == TAG_HR:
        if not in_text and block == output.block + 1 and separates(output, n, block):
            put_empty(output, n)
    elif output.options.images and (in_text or stands_in_text(output, n, False)) and is_image(output, n):
        if in_text and not begun:
            enter_block(output, n, block)
        put_empty(output, n)
