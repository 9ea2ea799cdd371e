# SPDX-License-Identifier: Apache-2.0
"""Writing main HTML; see source.pxd for what is written."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.characters cimport is_space
from thresher.native.base.scratch cimport SLOT_OPEN, SLOT_URL, SLOT_WORD_SUMS, Scratch, take
from thresher.native.base.text_buffer cimport TextBuffer, last_byte, put, put_byte, put_string, start_text
from thresher.native.constructs.code_language cimport code_language
from thresher.native.measuring.blocks cimport Block, BlockArray
from thresher.native.measuring.metrics cimport FLAG_BLANK, FLAG_HIDDEN, FLAG_PREFORMATTED, MetricsArray
from thresher.native.measuring.structures cimport first_block_from
from thresher.native.parsing.document cimport (
    CONSTRUCT_CODE, CONSTRUCT_DISPLAY, CONSTRUCT_FORMULA, KIND_CONTENT, KIND_ELEMENT, KIND_TEXT, NS_HTML, Attribute,
    Node, Slice, Tree, find_attribute, slice_at,
)
from thresher.native.parsing.tags cimport *
from thresher.native.writing.html cimport html_format, put_escaped
from thresher.native.writing.images cimport belongs, is_copy, is_one, put_image_address, stands_in_text
from thresher.native.writing.markup cimport Passage, add_up, begin_passage, end_passage, find_base
from thresher.native.writing.omissions cimport ends_invisibly, is_heading, is_omitted
from thresher.native.writing.output cimport MarkupOptions, Output, has_room_for_address, next_kept, put_address
from thresher.native.writing.urls cimport Url

from thresher.native.parsing.tags import ATTRIBUTE_NAMES, TAG_NAMES

cdef enum:
    MAX_BREAKS = 3          # <br> in a row between two kept texts
    MAX_CELL = 64           # nodes of a cell that are searched for an image; a larger cell may have one

ELEMENTS = """
a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup data dd del
details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark
menu nav nobr ol p picture pre q rb rp rt rtc ruby s samp search section small span strike strong sub summary sup table
tbody td tfoot th thead time tr tt u ul var wbr
""".split()
ATTRIBUTES = """
align alt aria-label class colspan datetime dir headers height itemprop itemscope itemtype lang open role rowspan scope
start title type valign value width
""".split()

# The spelling of each element that is written; NULL for others. The bytes belong to SPELLINGS.
cdef (const char*)[TAG_COUNT] SPELLING
SPELLINGS = [name.encode() for name in TAG_NAMES]
# 1 for each attribute that is written.
cdef uint8_t[ATTR_COUNT] WRITTEN


def _fill_tables():
    cdef int tag, name
    cdef bytes spelling
    for tag in range(TAG_COUNT):
        spelling = SPELLINGS[tag]
        SPELLING[tag] = <const char*> spelling if TAG_NAMES[tag] in ELEMENTS else NULL
    for name in range(ATTR_COUNT):
        WRITTEN[name] = ATTRIBUTE_NAMES[name] in ATTRIBUTES and name != ATTR_TYPE   # of lists alone: put_attributes()


_fill_tables()


ctypedef struct Source:
    Output* output          # the page and the text; of the rest only the addresses
    uint32_t* open          # the elements around the place of writing, outermost first
    uint32_t n_open
    uint32_t root           # what is around all of it and is not written: 0, the document, or the node of a passage
    uint32_t block          # of the last text; n_blocks if there is none
    uint32_t breaks         # <br> since the last text
    bint space              # blank text since the last text of the block
    uint32_t spanning       # the parent of the last row with a cell that spans others


cdef inline bint is_written(const Tree* tree, uint32_t n) noexcept nogil:
    """True for an element that is written with its tags."""
    cdef const Node* node = tree.nodes + n
    return (
        node.kind == KIND_ELEMENT and node.namespace == NS_HTML and node.tag < TAG_COUNT and SPELLING[node.tag] != NULL
    )


cdef void put_attributes(Source* source, uint32_t n) noexcept nogil:
    """Write an element's attributes as far as they are on the list and there is room."""
    cdef Output* output = source.output
    cdef const Attribute* attribute = output.tree.attributes + output.tree.nodes[n].attributes
    cdef const Attribute* end = attribute + output.tree.nodes[n].n_attributes
    cdef Slice name, value
    while attribute < end and has_room_for_address(output):
        if WRITTEN[attribute.name] or (attribute.name == ATTR_TYPE and output.tree.nodes[n].tag in (TAG_OL, TAG_UL)):
            name = slice_at(output.tree, attribute.name_start, attribute.name_length)
            value = slice_at(output.tree, attribute.value_start, attribute.value_length)
            put_byte(output.text, c" ")
            put(output.text, name.data, name.length)
            if value.length:
                put_string(output.text, b'="')
                put_escaped(output.text, value.data, value.length, True)
                put_byte(output.text, c'"')
            output.addresses += value.length + name.length
        attribute += 1


cdef void put_url(Source* source, const char* name) noexcept nogil:
    """Write output.url as an attribute."""
    cdef Output* output = source.output
    put_byte(output.text, c" ")
    put_string(output.text, name)
    put_string(output.text, b'="')
    put_escaped(output.text, output.url.data, output.url.length, True)
    put_byte(output.text, c'"')
    output.addresses += output.url.length


cdef void put_begin(Source* source, uint32_t n) noexcept nogil:
    """Write the start tag of an element, if it has one."""
    cdef Output* output = source.output
    cdef uint32_t tag = output.tree.nodes[n].tag
    cdef const Attribute* attribute
    if not is_written(output.tree, n):
        return
    put_byte(output.text, c"<")
    put_string(output.text, SPELLING[tag])
    if tag == TAG_A and output.options.links and put_address(output, n, ATTR_HREF):
        put_url(source, b"href")
    elif tag == TAG_IMG and put_image_address(output, n):
        put_url(source, b"src")
    put_attributes(source, n)
    put_byte(output.text, c">")
    if tag == TAG_TD or tag == TAG_TH:
        attribute = find_attribute(output.tree, n, ATTR_ROWSPAN)
        if attribute != NULL and attribute.value_length:
            source.spanning = output.tree.nodes[output.tree.nodes[n].parent].parent


cdef void put_end(Source* source, uint32_t n) noexcept nogil:
    """Write the end tag of an element, if it has one."""
    if is_written(source.output.tree, n):
        put_string(source.output.text, b"</")
        put_string(source.output.text, SPELLING[source.output.tree.nodes[n].tag])
        put_byte(source.output.text, c">")


cdef void leave(Source* source, uint32_t n) noexcept nogil:
    """End the elements that do not contain node n."""
    while source.n_open and source.output.tree.nodes[source.open[source.n_open - 1]].end <= n:
        source.n_open -= 1
        put_end(source, source.open[source.n_open])


cdef inline uint32_t innermost(const Source* source) noexcept nogil:
    """The innermost open element; the root if there is none."""
    return source.open[source.n_open - 1] if source.n_open else source.root


cdef void enter(Source* source, uint32_t n) noexcept nogil:
    """Begin all elements around node n that are not open yet; leave() has ended the others."""
    cdef const Node* nodes = source.output.tree.nodes
    cdef uint32_t top = innermost(source), count = 0, above = nodes[n].parent, i
    while above > top:
        count += 1
        above = nodes[above].parent
    THRESHER_CHECK(above == top and source.n_open + count <= source.output.tree.n_nodes)
    above = nodes[n].parent
    for i in range(count, 0, -1):
        source.open[source.n_open + i - 1] = above
        above = nodes[above].parent
    for i in range(count):
        put_begin(source, source.open[source.n_open])
        source.n_open += 1


cdef void begin_block(Source* source, uint32_t n, uint32_t block) noexcept nogil:
    """Separate the first text of a block, node n, from what is before it, and begin its elements."""
    cdef TextBuffer* text = source.output.text
    # In preformatted text, a line break would be seen.
    if text.length and (
        last_byte(text) != c">" if source.output.metrics.nodes[n].flags & FLAG_PREFORMATTED else last_byte(text) != c"\n"
    ):
        put_byte(text, c"\n")
    source.block = block
    enter(source, n)


cdef void put_formula(Source* source, Slice text, bint display) noexcept nogil:
    """Write TeX with its delimiters, as the format html does."""
    put_string(source.output.text, b'<span class="math display">' if display else b'<span class="math">')
    put_escaped(source.output.text, text.data, text.length, False)
    put_string(source.output.text, b"</span>")


cdef void put_listing(Source* source, uint32_t n, Slice text) noexcept nogil:
    """Write the lines of a listing, with its language if that is known."""
    cdef Output* output = source.output
    cdef Slice language = code_language(output.tree, output.metrics, output.tree.nodes[n].parent)
    if text.length and text.data[0] == c"\n":
        put_byte(output.text, c"\n")        # a parser drops the first line break of pre
    if language.length:
        put_string(output.text, b'<code class="language-')
        put_escaped(output.text, language.data, language.length, True)
        put_string(output.text, b'">')
    put_escaped(output.text, text.data, text.length, False)
    if language.length:
        put_string(output.text, b"</code>")


cdef void put_text_node(Source* source, uint32_t n, uint32_t block) noexcept nogil:
    """Write a text node of a kept block."""
    cdef Output* output = source.output
    cdef const Node* node = output.tree.nodes + n
    cdef uint32_t flags = output.metrics.nodes[n].flags
    cdef Slice text = slice_at(output.tree, node.start, node.length)
    if text.length == 0:
        return
    if flags & FLAG_BLANK and not flags & FLAG_PREFORMATTED:
        source.space = source.block == block
        return
    if text.data[0] >= 0xC2 and ends_invisibly(output.tree, output.metrics, output.blocks.blocks + block, n):
        return
    if source.block != block:
        begin_block(source, n, block)
    else:
        if source.space and not is_space(last_byte(output.text)):
            put_byte(output.text, c" ")
        enter(source, n)
    source.space = False
    source.breaks = 0
    if node.namespace == CONSTRUCT_FORMULA or node.namespace == CONSTRUCT_DISPLAY:
        put_formula(source, text, node.namespace == CONSTRUCT_DISPLAY)
    elif node.namespace == CONSTRUCT_CODE:
        put_listing(source, n, text)
    else:
        if text.data[0] == c"\n" and output.tree.nodes[node.parent].tag == TAG_PRE and last_byte(output.text) == c">":
            put_byte(output.text, c"\n")
        put_escaped(output.text, text.data, text.length, False)


cdef bint separates(const Source* source, uint32_t n, uint32_t next_block) noexcept nogil:
    """True for an empty element between two kept texts of its parent: it is on the line of both."""
    cdef Output* output = source.output
    cdef uint32_t parent = output.tree.nodes[n].parent
    return (
        source.block < output.blocks.n_blocks and next_block < output.blocks.n_blocks and innermost(source) == parent
        and output.blocks.blocks[next_block].start < output.tree.nodes[parent].end
    )


cdef void put_empty(Source* source, uint32_t n) noexcept nogil:
    """Write an element that has no end tag."""
    if source.space and not is_space(last_byte(source.output.text)):
        put_byte(source.output.text, c" ")
    source.space = False
    enter(source, n)
    put_begin(source, n)


cdef bint is_image(Output* output, uint32_t n) noexcept nogil:
    """True for an image that leads somewhere, is no tracking pixel and no copy of the one beside it."""
    return not (
        is_one(output.tree, n, ATTR_WIDTH) or is_one(output.tree, n, ATTR_HEIGHT) or is_copy(output, n)
        or not put_image_address(output, n)
    )


cdef void pass_over(Source* source, uint32_t n) noexcept nogil:
    """Write what is left of an element without kept text: an empty cell in a row that has begun, or an empty row below
    cells that may reach into it.
    """
    cdef const Node* node = source.output.tree.nodes + n
    if node.parent != innermost(source) or source.n_open == 0:
        return
    if (node.tag == TAG_TD or node.tag == TAG_TH) and source.output.tree.nodes[node.parent].tag == TAG_TR:
        put_begin(source, n)
        put_end(source, n)
    elif node.tag == TAG_TR and source.spanning == node.parent:
        put_string(source.output.text, b"<tr></tr>")


cdef bint may_hold_image(const Output* output, uint32_t n) noexcept nogil:
    """True if an element may hold an image."""
    cdef uint32_t i, end = output.tree.nodes[n].end
    if end - n > MAX_CELL:
        return True
    for i in range(n + 1, end):
        if output.tree.nodes[i].tag == TAG_IMG and output.tree.nodes[i].kind == KIND_ELEMENT:
            return True
    return False


cdef bint may_go_on(const Source* source) noexcept nogil:
    """True behind the last kept text if its row may have more cells."""
    cdef uint32_t tag = source.output.tree.nodes[innermost(source)].tag
    return source.n_open != 0 and (tag == TAG_TR or tag == TAG_TD or tag == TAG_TH)


cdef uint32_t visit(Source* source, uint32_t n, uint32_t k, const uint32_t* sums) noexcept nogil:
    """Write an HTML element that has no text of its own, or pass over one without kept text. `k` is the kept block that
    ends behind it. Returns the node where the walk continues.
    """
    cdef Output* output = source.output
    cdef const Node* node = output.tree.nodes + n
    cdef const Block* blocks = output.blocks.blocks
    cdef uint32_t n_blocks = output.blocks.n_blocks
    cdef bint in_block = k < n_blocks and blocks[k].start <= n, images = output.options.images
    if node.tag == TAG_BR:
        if (in_block and source.block == k) or (
            separates(source, n, k) and source.breaks < (MAX_BREAKS if k == source.block + 1 else 1)
        ):
            put_empty(source, n)
            source.breaks += 1
    elif node.tag == TAG_WBR:
        if in_block and source.block == k:
            put_empty(source, n)
    elif node.tag == TAG_HR:
        if not in_block and k == source.block + 1 and separates(source, n, k):
            put_empty(source, n)
    elif node.tag == TAG_IMG:
        if images and (in_block or belongs(output, n, sums)) and is_image(output, n):
            if in_block and source.block != k:
                begin_block(source, n, k)
            put_empty(source, n)
    elif not in_block and (k == n_blocks or blocks[k].start >= node.end) and not (
        images and may_hold_image(output, n)
    ):
        pass_over(source, n)
        return node.end
    return n + 1


cdef void walk(Source* source, const uint32_t* sums, uint32_t first, uint32_t end) noexcept nogil:
    """Write the nodes from `first` to `end`, which are whole elements. `sums` is the result of add_up(), needed only for
    images.
    """
    cdef Output* output = source.output
    cdef const Node* node
    cdef const Block* blocks = output.blocks.blocks
    cdef uint32_t n_blocks = output.blocks.n_blocks, n = first
    # the first kept block that does not end before node n
    cdef uint32_t k = next_kept(output, first_block_from(output.blocks, first))
    cdef bint omits = k < n_blocks and is_heading(blocks + k)
    while n < end:
        while k < n_blocks and blocks[k].end <= n:
            k = next_kept(output, k + 1)
            omits = k < n_blocks and is_heading(blocks + k)
        leave(source, n)
        if k == n_blocks and not output.options.images and not may_go_on(source):
            break
        node = output.tree.nodes + n
        if output.metrics.nodes[n].flags & FLAG_HIDDEN or node.kind == KIND_CONTENT:
            n = node.end
        elif node.kind == KIND_TEXT:
            if k < n_blocks and blocks[k].start <= n:
                put_text_node(source, n, k)
            n += 1
        elif node.kind != KIND_ELEMENT or node.namespace != NS_HTML:
            n += 1
        elif omits and is_omitted(output.tree, output.metrics, blocks + k, n):
            n = node.end
        else:
            n = visit(source, n, k, sums)
    leave(source, output.tree.n_nodes)
    THRESHER_CHECK(source.n_open == 0)


cdef int begin_output(
    Output* output, TextBuffer* text, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks,
    const uint8_t* keep, Scratch* scratch, const MarkupOptions* options, const Passage* passage, uint32_t** sums
) noexcept nogil:
    """Prepare for writing a page or a passage; `sums` becomes the result of add_up() if images are wanted."""
    memset(output, 0, sizeof(Output))
    output.text, output.tree, output.metrics, output.blocks, output.keep = text, tree, metrics, blocks, keep
    output.options = options
    output.format = html_format()
    start_text(text)
    sums[0] = NULL
    output.url = <Url*> take(scratch, SLOT_URL, 2, sizeof(Url))
    if output.url == NULL:
        return OUT_OF_MEMORY
    if options.images:
        sums[0] = <uint32_t*> take(scratch, SLOT_WORD_SUMS, 2 * (<size_t> blocks.n_blocks + 1), sizeof(uint32_t))
        if sums[0] == NULL:
            return OUT_OF_MEMORY
        add_up(sums[0], blocks, keep)
    if passage != NULL and passage.begun:
        begin_passage(output, passage)
    elif options.links or options.images:
        find_base(output)
    return 0


cdef int render_source(
    TextBuffer* text, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const uint8_t* keep,
    Scratch* scratch, const MarkupOptions* options, Passage* passage
) noexcept nogil:
    """Write the kept blocks in the page's own elements: of the page, or of a passage."""
    cdef Output output
    cdef Source source
    cdef uint32_t* sums
    memset(&source, 0, sizeof(Source))
    if begin_output(&output, text, tree, metrics, blocks, keep, scratch, options, passage, &sums) != 0:
        return OUT_OF_MEMORY
    source.output = &output
    source.block = blocks.n_blocks
    source.open = <uint32_t*> take(scratch, SLOT_OPEN, tree.n_nodes, sizeof(uint32_t))
    if source.open == NULL:
        return OUT_OF_MEMORY
    if passage == NULL:
        walk(&source, sums, 1, tree.n_nodes)
    else:
        source.root = passage.first - 1
        walk(&source, sums, passage.first, passage.end)
        end_passage(&output, passage)
    return OUT_OF_MEMORY if text.failed else 0


cdef int find_pictures(
    TextBuffer* addresses, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks,
    const uint8_t* keep, Scratch* scratch, const MarkupOptions* options, Picture* pictures, uint32_t most,
    uint32_t* found
) noexcept nogil:
    """Find the images that belong to the kept blocks, in the order of the page: the first `most` of them, with their
    addresses one after the other. `found` is the number of all. `options.images` must be set.
    """
    cdef Output output
    cdef const Node* node
    cdef const Block* rows = blocks.blocks
    cdef uint32_t* sums
    cdef uint32_t n = 1, k
    cdef bint in_block, omits
    found[0] = 0
    if begin_output(&output, addresses, tree, metrics, blocks, keep, scratch, options, NULL, &sums) != 0:
        return OUT_OF_MEMORY
    k = next_kept(&output, 0)
    omits = k < blocks.n_blocks and is_heading(rows + k)
    while n < tree.n_nodes:
        while k < blocks.n_blocks and rows[k].end <= n:
            k = next_kept(&output, k + 1)
            omits = k < blocks.n_blocks and is_heading(rows + k)
        node = tree.nodes + n
        if metrics.nodes[n].flags & FLAG_HIDDEN or node.kind == KIND_CONTENT:
            n = node.end
            continue
        if node.kind == KIND_ELEMENT and node.namespace == NS_HTML:
            if omits and is_omitted(tree, metrics, rows + k, n):
                n = node.end
                continue
            in_block = k < blocks.n_blocks and rows[k].start <= n
            if node.tag == TAG_IMG and (in_block or stands_in_text(&output, n, sums)) and is_image(&output, n):
                if found[0] < most:
                    put(addresses, output.url.data, output.url.length)
                    output.addresses += output.url.length
                    pictures[found[0]].node = n
                    # A picture within a block stands behind it: its text is not taken apart.
                    pictures[found[0]].block = k + 1 if in_block else k
                    pictures[found[0]].address_end = <uint32_t> addresses.length
                found[0] += 1
        n += 1
    return OUT_OF_MEMORY if addresses.failed else 0
