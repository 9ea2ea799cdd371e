# SPDX-License-Identifier: Apache-2.0
"""Kept blocks as Markdown or HTML; see markup.pxd for their form."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp, memcpy, memset, strlen

from thresher.native.measuring.blocks cimport (
    BLOCK_CAPTION, BLOCK_HEADING_1, BLOCK_HEADING_6, BLOCK_PREFORMATTED, SEPARATOR_LINE, SEPARATOR_PARAGRAPH, SEPARATOR_SPACE, Block, BlockArray,
)
from thresher.native.characters cimport TextMeasure, is_space, measure_text
from thresher.native.parsing.document cimport KIND_CONTENT, KIND_ELEMENT, KIND_TEXT, NS_HTML, Attribute, Node, Slice, Tree, find_attribute, slice_at
from thresher.native.measuring.metrics cimport FLAG_BLANK, FLAG_HIDDEN, FLAG_PREFORMATTED, MetricsArray
from thresher.native.measuring.regions cimport is_data_table
from thresher.native.writing.render cimport TextBuffer
from thresher.native.scratch cimport Scratch, reserve, take
from thresher.native.parsing.tags cimport *
from thresher.native.writing.urls cimport Url, resolve


cdef enum Role:
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


cdef enum SpanRole:
    SPAN_STRONG = 0
    SPAN_EMPHASIS = 1
    SPAN_CODE = 2
    SPAN_LINK = 3
    SPAN_SUB = 4
    SPAN_SUP = 5


cdef enum SpanState:
    SPAN_WAITING = 0
    SPAN_WRITTEN = 1
    SPAN_REFUSED = 2        # not possible where it would have begun; tried again in the next leaf


cdef enum Leaf:
    LEAF_NONE = 0
    LEAF_BARE = 1           # the text of an item or cell that holds nothing else
    LEAF_PARAGRAPH = 2
    LEAF_HEADING = 3
    LEAF_CODE = 4           # preformatted
    LEAF_ITEM = 5           # text in a list but in no item
    LEAF_DESCRIPTION = 6    # text in a dl but in no dt or dd
    LEAF_CAPTION = 7
    LEAF_CELL = 8           # text in a row but in no cell


cdef enum Gap:
    GAP_NONE = 0
    GAP_SPACE = 1
    GAP_LINE = 2


cdef enum Edge:             # what the text of a span begins or ends with
    EDGE_OTHER = 0
    EDGE_WORD = 1
    EDGE_PUNCTUATION = 2    # of ASCII


cdef enum:
    MAX_CONTAINERS = 24
    MAX_SPANS = 8
    MAX_LOOK = 16           # nodes that are looked at for the character before or behind
    MAX_CLIMB = 10          # ancestors of an image that are looked at
    MAX_COLUMNS = 1000
    MAX_LANGUAGE = 20
    MAX_FENCE = 32          # backticks; code with longer runs of them in it is written as text
    MAX_PREFIXES = 1 << 24  # bytes spent on the beginnings of lines; thousands of lines in deep lists must not make a small page huge
    MAX_ADDRESSES = 1 << 26 # bytes spent on addresses, for the same reason
    SLOT_SUMS = 0
    SLOT_URL = 1


ctypedef struct Container:
    uint32_t node
    Role role
    bint written
    uint32_t number         # of a numbered list: of the next item; of an item: its number
    uint32_t width          # of an item in Markdown: of its marker
    uint32_t columns        # of a table
    uint32_t seen           # of a row: cells begun so far; of a cell: its place
    uint32_t cells          # of a row: cells written so far
    bint has_head           # of a table in Markdown: the first row and the line below it are written


ctypedef struct Span:
    uint32_t node
    SpanRole role
    SpanState state
    uint32_t fence          # of code in Markdown: how many backticks


ctypedef struct Writer:
    TextBuffer* text
    const Tree* tree
    const MetricsArray* metrics
    const BlockArray* blocks
    const uint8_t* keep
    const MarkupOptions* options
    Url* url                # where addresses are put together
    Slice base              # what addresses are relative to
    Container[MAX_CONTAINERS] containers
    int n_containers
    Span[MAX_SPANS] spans
    int n_spans
    Leaf leaf
    uint32_t heading        # level of the heading that is written
    uint32_t code           # the pre element whose code is written
    uint32_t fence_node     # the pre element that `fence` was counted for
    uint32_t fence          # at least 3
    uint32_t open_fence     # how many backticks the code that is being written began with
    size_t prefixes         # bytes spent
    size_t addresses
    uint32_t block          # the block that is written; n_blocks where none is
    uint32_t bare_item      # the item whose bare text was written last
    uint32_t loose_list     # the list in which text without an item was written last
    Gap gap
    bint fresh              # nothing of the leaf is written
    bint line_start
    size_t code_end         # where the last line of code ends that is not blank
    bint html


# --- the buffer ---


cdef inline int room(Writer* w, size_t more) except -1 nogil:
    """Room for `more` bytes."""
    if w.text.length + more > w.text.capacity:
        w.text.data = <uint8_t*> reserve(w.text.data, &w.text.capacity, w.text.length + more, 1)
    return 0


cdef int put(Writer* w, const char* bytes, size_t length) except -1 nogil:
    if length == 0:         # then bytes may be NULL
        return 0
    room(w, length)
    memcpy(w.text.data + w.text.length, bytes, length)
    w.text.length += length
    return 0


cdef int put_byte(Writer* w, uint8_t byte) except -1 nogil:
    room(w, 1)
    w.text.data[w.text.length] = byte
    w.text.length += 1
    return 0


cdef int put_number(Writer* w, uint32_t number) except -1 nogil:
    cdef uint8_t[10] digits
    cdef int n = 0
    while True:
        digits[n] = c"0" + number % 10
        number //= 10
        n += 1
        if number == 0:
            break
    while n:
        n -= 1
        put_byte(w, digits[n])
    return 0


cdef int put_html(Writer* w, const uint8_t* data, uint32_t length, bint in_attribute) except -1 nogil:
    """Text with what is special in HTML escaped."""
    cdef uint32_t i, start = 0
    for i in range(length):
        if data[i] != c"&" and data[i] != c"<" and data[i] != c">" and data[i] != c"\r" and not (in_attribute and data[i] == c'"'):
            continue
        put(w, <const char*> data + start, i - start)
        start = i + 1
        if data[i] == c"&":
            put(w, b"&amp;", 5)
        elif data[i] == c"<":
            put(w, b"&lt;", 4)
        elif data[i] == c">":
            put(w, b"&gt;", 4)
        elif data[i] == c"\r":
            put(w, b"&#13;", 5)
        else:
            put(w, b"&quot;", 6)
    return put(w, <const char*> data + start, length - start)


cdef inline uint8_t last_byte(const Writer* w) noexcept nogil:
    """The last byte that was written, a line feed where there is none."""
    return w.text.data[w.text.length - 1] if w.text.length else c"\n"


# --- characters ---


cdef inline bint is_word_byte(uint8_t c) noexcept nogil:
    """True for ASCII letters and digits, and bytes of other characters."""
    return c"a" <= (c | 0x20) <= c"z" or c"0" <= c <= c"9" or c >= 0x80


cdef inline bint is_ascii_punctuation(uint8_t c) noexcept nogil:
    return 0x21 <= c <= 0x7E and not (c"a" <= (c | 0x20) <= c"z" or c"0" <= c <= c"9")


cdef bint is_word(const uint8_t* data, uint32_t length) noexcept nogil:
    """True where one character, given as its bytes, is a letter, digit or ideograph."""
    cdef TextMeasure measure
    if length == 0:
        return False
    if data[0] < 0x80:
        return is_word_byte(data[0])
    measure = measure_text(data, length)
    return measure.words == 1


cdef inline uint32_t character_length(const uint8_t* data, const uint8_t* end) noexcept nogil:
    """Bytes of the character that begins here, 0 at the end."""
    cdef uint32_t n = 1
    if data == end:
        return 0
    while data + n < end and n < 4 and data[n] & 0xC0 == 0x80:
        n += 1
    return n


cdef inline uint32_t character_before(const uint8_t* data, uint32_t end) noexcept nogil:
    """Bytes of the character that ends here, 0 at the beginning."""
    cdef uint32_t n = 1
    if end == 0:
        return 0
    while n < end and n < 4 and data[end - n] & 0xC0 == 0x80:
        n += 1
    return n


# --- Markdown text ---


cdef int put_markdown(Writer* w, const uint8_t* data, uint32_t length, bint at_end, bint in_link, bint in_cell) except -1 nogil:
    """A run of characters without white space; `at_end` where it ends with its text node, so that what follows is not known."""
    cdef uint32_t i = 0, k
    cdef uint8_t c, after, before       # the byte and its neighbours
    cdef bint escape, open_end, start = w.line_start
    room(w, 2 * <size_t> length + 2)
    while i < length:
        c = data[i]
        if not is_ascii_punctuation(c):
            if start and i == 0 and c"0" <= c <= c"9":      # 1. and 1) begin a list
                k = 1
                while k < length and k < 9 and c"0" <= data[k] <= c"9":
                    k += 1
                if k < length and (data[k] == c"." or data[k] == c")") and k + 1 == length:
                    put(w, <const char*> data, k)
                    put_byte(w, c"\\")
                    put_byte(w, data[k])
                    i = k + 1
                    continue
            w.text.data[w.text.length] = c
            w.text.length += 1
            i += 1
            continue
        open_end = at_end and i + 1 == length
        after = data[i + 1] if i + 1 < length else c" "
        before = data[i - 1] if i else c" "
        escape = False
        if c == c"\\" or c == c"`" or c == c"*":
            escape = True
        elif c == c"_":
            k = character_before(data, i)
            escape = not (is_word(data + i - k, k) and is_word(data + i + 1, character_length(data + i + 1, data + length)))
        elif c == c"[":
            escape = in_link or (start and i == 0)
        elif c == c"]":
            escape = in_link or open_end or after == c"(" or after == c"[" or after == c":"
        elif c == c"<":
            escape = open_end or is_word_byte(after) or after == c"/" or after == c"!" or after == c"?"
        elif c == c"&":
            escape = open_end or is_word_byte(after) or after == c"#"
        elif c == c"~":
            escape = open_end or i == 0 or after == c"~" or before == c"~"
        elif c == c"|":
            escape = in_cell or (start and i == 0)
        elif c == c"!":
            escape = open_end
        elif (c == c"." or c == c")") and length == 1 and c"0" <= last_byte(w) <= c"9":
            escape = True       # a number in one element and its dot in the next could begin a list
        elif i == 0 and (start or (c == c"#" and w.leaf == LEAF_HEADING)):
            if c == c">" or (c == c":" and (after == c"-" or open_end)):
                escape = True
            elif c == c"+" or c == c"-":
                escape = length == 1 or after == c"-" or after == c":" or after == c"|"
            elif c == c"=" or c == c"#":
                k = 1
                while k < length and data[k] == c:
                    k += 1
                escape = k == length
        if escape:
            put_byte(w, c"\\")
        w.text.data[w.text.length] = c
        w.text.length += 1
        i += 1
    return 0


cdef int put_prefix(Writer* w, bint blank) except -1 nogil:
    """What every line inside the containers that are written begins with; without spaces at the end where the line is blank."""
    cdef int i
    cdef uint32_t k
    cdef size_t start = w.text.length
    if w.prefixes > MAX_PREFIXES:
        return 0
    for i in range(w.n_containers):
        if not w.containers[i].written:
            break
        if w.containers[i].role == ROLE_QUOTE:
            put(w, b"> ", 2)
        elif w.containers[i].role == ROLE_ITEM:
            for k in range(w.containers[i].width):
                put_byte(w, c" ")
    w.prefixes += w.text.length - start
    while blank and w.text.length > start and w.text.data[w.text.length - 1] == c" ":
        w.text.length -= 1
    return 0


# --- spans ---


cdef bint after_span(const Writer* w, uint32_t node, uint32_t end) noexcept nogil:
    """True where white space, punctuation or nothing follows an element within its block, which ends at `end`."""
    cdef uint32_t n = w.tree.nodes[node].end, looked = 0
    cdef Slice slice
    while n < end:
        if looked == MAX_LOOK:
            return False
        looked += 1
        if w.metrics.nodes[n].flags & FLAG_HIDDEN:
            n = w.tree.nodes[n].end
            continue
        if w.tree.nodes[n].kind == KIND_TEXT:
            slice = slice_at(w.tree, w.tree.nodes[n].start, w.tree.nodes[n].length)
            return is_space(slice.data[0]) or is_ascii_punctuation(slice.data[0])
        if w.tree.nodes[n].tag == TAG_BR:
            return True
        n += 1
    return True


cdef Edge edge_of(const uint8_t* data, uint32_t length) noexcept nogil:
    """What kind of character this is, given as its bytes."""
    if length == 0:
        return EDGE_OTHER
    if is_ascii_punctuation(data[0]):
        return EDGE_PUNCTUATION
    return EDGE_WORD if is_word(data, length) else EDGE_OTHER


cdef Edge last_edge(const Writer* w, uint32_t node, uint32_t end) noexcept nogil:
    """What the text of an element within its block ends with."""
    cdef uint32_t n = min(w.tree.nodes[node].end, end), looked = 0
    cdef const uint8_t* last
    cdef Slice slice
    while n > node + 1 and looked < MAX_LOOK:
        n -= 1
        looked += 1
        if w.tree.nodes[n].kind != KIND_TEXT or w.metrics.nodes[n].flags & (FLAG_HIDDEN | FLAG_BLANK):
            continue
        slice = slice_at(w.tree, w.tree.nodes[n].start, w.tree.nodes[n].length)
        last = slice.data + slice.length - 1
        while last > slice.data and is_space(last[0]):
            last -= 1
        while last > slice.data and last[0] & 0xC0 == 0x80:
            last -= 1
        return edge_of(last, character_length(last, slice.data + slice.length))
    return EDGE_OTHER


cdef bint can_emphasise(const Writer* w, uint32_t node, Edge first, uint32_t end) noexcept nogil:
    """True where emphasis that begins here is taken for it (CommonMark 6.2), and no other marker is near that it could be confused with.

    Asked before anything is written. The rule is narrower than CommonMark's: one level, white space or punctuation outside, or plain
    text with letters at both ends.
    """
    cdef uint8_t before = last_byte(w)
    cdef bint plain = w.tree.nodes[node].end == node + 2
    cdef Edge last
    if in_span(w, SPAN_STRONG) or in_span(w, SPAN_EMPHASIS) or in_span(w, SPAN_CODE):
        return False
    if before == c"*" or before == c"\\" or first == EDGE_OTHER:
        return False
    if not (w.fresh or is_space(before) or (first == EDGE_WORD and plain)):
        return False
    last = last_edge(w, node, end)
    return last != EDGE_OTHER and (after_span(w, node, end) or (last == EDGE_WORD and plain))


cdef uint32_t longest_fence(const Writer* w, uint32_t first, uint32_t end) noexcept nogil:
    """The longest run of backticks in the visible text of nodes [first, end)."""
    cdef uint32_t n = first, longest = 0, run = 0, i
    cdef Slice slice
    while n < end:
        if w.metrics.nodes[n].flags & FLAG_HIDDEN:
            n = w.tree.nodes[n].end
            continue
        if w.tree.nodes[n].kind == KIND_TEXT:
            slice = slice_at(w.tree, w.tree.nodes[n].start, w.tree.nodes[n].length)
            for i in range(slice.length):
                run = run + 1 if slice.data[i] == c"`" else 0
                longest = max(longest, run)
        n += 1
    return longest


cdef int put_address(Writer* w, uint32_t node, uint32_t name) except -1 nogil:
    """Puts the address that an attribute holds into w.url; 0 where it leads nowhere."""
    cdef const Attribute* attribute = find_attribute(w.tree, node, name)
    if attribute == NULL or w.addresses > MAX_ADDRESSES:
        return 0
    return resolve(w.url, w.base, slice_at(w.tree, attribute.value_start, attribute.value_length), not w.html)


cdef int open_span(Writer* w, Span* span, Edge first) except -1 nogil:
    """Writes the beginning of a span, or refuses it."""
    cdef const Block* block = w.blocks.blocks + w.block
    cdef uint32_t i
    span.state = SPAN_REFUSED
    if w.block == w.blocks.n_blocks and span.role != SPAN_LINK:
        return 0        # an image by itself has no block, and needs no emphasis
    if w.html:
        if span.role == SPAN_LINK:
            if not put_address(w, span.node, ATTR_HREF):
                return 0
            put(w, b'<a href="', 9)
            put_html(w, w.url.data, w.url.length, True)
            put(w, b'">', 2)
            w.addresses += w.url.length
        else:
            put_byte(w, c"<")
            put_name(w, span.role)
    elif span.role == SPAN_LINK:
        if not put_address(w, span.node, ATTR_HREF):
            return 0
        put(w, b"[", 1)
        w.line_start = False
    elif span.role == SPAN_CODE:
        if last_byte(w) == c"`" and not w.fresh:
            return 0
        span.fence = longest_fence(w, max(span.node + 1, block.start), min(w.tree.nodes[span.node].end, block.end)) + 1
        if span.fence > MAX_FENCE:
            return 0
        for i in range(span.fence):
            put_byte(w, c"`")
        if span.fence > 1:
            put_byte(w, c" ")
        w.line_start = False
    elif span.role == SPAN_STRONG or span.role == SPAN_EMPHASIS:
        if not can_emphasise(w, span.node, first, block.end):
            return 0
        put(w, b"**", 2 if span.role == SPAN_STRONG else 1)
        w.line_start = False
    else:
        return 0
    span.state = SPAN_WRITTEN
    return 0


cdef int put_name(Writer* w, SpanRole role) except -1 nogil:
    """Writes the name of a span's element and the end of the tag."""
    cdef const char* name
    if role == SPAN_LINK:
        name = b"a>"
    elif role == SPAN_STRONG:
        name = b"strong>"
    elif role == SPAN_EMPHASIS:
        name = b"em>"
    elif role == SPAN_CODE:
        name = b"code>"
    elif role == SPAN_SUB:
        name = b"sub>"
    else:
        name = b"sup>"
    return put(w, name, strlen(name))


cdef int close_span(Writer* w, Span* span) except -1 nogil:
    """Writes the end of a span, if its beginning is written."""
    cdef uint32_t i
    if span.state != SPAN_WRITTEN:
        span.state = SPAN_WAITING
        return 0
    span.state = SPAN_WAITING
    if w.html:
        put(w, b"</", 2)
        put_name(w, span.role)
    elif span.role == SPAN_LINK:
        if put_address(w, span.node, ATTR_HREF):
            put(w, b"](", 2)
            put(w, <const char*> w.url.data, w.url.length)
            put(w, b")", 1)
            w.addresses += w.url.length
        else:
            put(w, b"]()", 3)
    elif span.role == SPAN_CODE:
        if span.fence > 1:
            put_byte(w, c" ")
        for i in range(span.fence):
            put_byte(w, c"`")
    else:
        put(w, b"**", 2 if span.role == SPAN_STRONG else 1)
    return 0


cdef bint in_span(const Writer* w, SpanRole role) noexcept nogil:
    """True inside a span of that role that is written."""
    cdef int i
    for i in range(w.n_spans):
        if w.spans[i].role == role and w.spans[i].state == SPAN_WRITTEN:
            return True
    return False


cdef bint has_span(const Writer* w, SpanRole role) noexcept nogil:
    cdef int i
    for i in range(w.n_spans):
        if w.spans[i].role == role:
            return True
    return False


# --- leaves and containers ---


cdef bint in_cell(const Writer* w) noexcept nogil:
    """True in a cell of a table of data."""
    cdef int i
    for i in range(w.n_containers):
        if w.containers[i].role == ROLE_CELL or w.containers[i].role == ROLE_HEADER_CELL:
            return True
    return False


cdef int close_leaf(Writer* w) except -1 nogil:
    """Ends the leaf that is written, with all spans in it."""
    cdef int i
    cdef uint32_t k
    if w.leaf == LEAF_NONE:
        return 0
    for i in range(w.n_spans):
        close_span(w, &w.spans[w.n_spans - 1 - i])
    w.gap = GAP_NONE
    if w.leaf == LEAF_CODE:
        w.text.length = w.code_end
        if not w.html:
            put_byte(w, c"\n")
            put_prefix(w, False)
            for k in range(w.open_fence):
                put_byte(w, c"`")
        elif code_language(w, w.code).length:
            put(w, b"</code></pre>", 13)
        else:
            put(w, b"</pre>", 6)
    elif w.html:
        if w.leaf == LEAF_PARAGRAPH:
            put(w, b"</p>", 4)
        elif w.leaf == LEAF_HEADING:
            put(w, b"</h", 3)
            put_number(w, w.heading)
            put(w, b">", 1)
        elif w.leaf == LEAF_ITEM:
            put(w, b"</li>", 5)
        elif w.leaf == LEAF_DESCRIPTION:
            put(w, b"</dd>", 5)
        elif w.leaf == LEAF_CAPTION:
            put(w, b"</caption>", 10)
        elif w.leaf == LEAF_CELL:
            put(w, b"</td>", 5)
    w.leaf = LEAF_NONE
    w.block = w.blocks.n_blocks
    return 0


cdef int open_container_html(Writer* w, Container* container) except -1 nogil:
    if container.role != ROLE_CELL and container.role != ROLE_HEADER_CELL and w.text.length:
        put(w, b"\n", 1)
    if container.role == ROLE_QUOTE:
        put(w, b"<blockquote>", 12)
    elif container.role == ROLE_LIST:
        put(w, b"<ul>", 4)
    elif container.role == ROLE_NUMBERED:
        put(w, b"<ol", 3)
        if container.number != 1:
            put(w, b' start="', 8)
            put_number(w, container.number)
            put(w, b'"', 1)
        put(w, b">", 1)
    elif container.role == ROLE_ITEM:
        put(w, b"<li>", 4)
    elif container.role == ROLE_TERMS:
        put(w, b"<dl>", 4)
    elif container.role == ROLE_TERM:
        put(w, b"<dt>", 4)
    elif container.role == ROLE_DESCRIPTION:
        put(w, b"<dd>", 4)
    elif container.role == ROLE_TABLE:
        put(w, b"<table>", 7)
    elif container.role == ROLE_ROW:
        put(w, b"<tr>", 4)
    return 0


cdef int put_empty_cells(Writer* w, Container* row, uint32_t count, bint header) except -1 nogil:
    """Writes cells without text until a row has `count`."""
    while row.cells < count and row.cells < MAX_COLUMNS:
        if not w.html:
            put(w, b"  |", 3)
        elif header:
            put(w, b"<th></th>", 9)
        else:
            put(w, b"<td></td>", 9)
        row.cells += 1
    return 0


cdef int open_cell(Writer* w, Container* row, Container* cell) except -1 nogil:
    put_empty_cells(w, row, cell.seen, False)
    if not w.html:
        put(w, b" ", 1)
    elif cell.role == ROLE_CELL:
        put(w, b"<td>", 4)
    else:
        put(w, b"<th>", 4)
    row.cells += 1
    return 0


cdef int close_container(Writer* w) except -1 nogil:
    """Takes the innermost container off, and writes its end if its beginning is written."""
    cdef Container* container = &w.containers[w.n_containers - 1]
    cdef Container* table
    cdef uint32_t i, columns
    if not container.written:
        w.n_containers -= 1
        return 0
    close_leaf(w)
    if w.html:
        if container.role == ROLE_QUOTE:
            put(w, b"</blockquote>", 13)
        elif container.role == ROLE_LIST:
            put(w, b"</ul>", 5)
        elif container.role == ROLE_NUMBERED:
            put(w, b"</ol>", 5)
        elif container.role == ROLE_ITEM:
            put(w, b"</li>", 5)
        elif container.role == ROLE_TERMS:
            put(w, b"</dl>", 5)
        elif container.role == ROLE_TERM:
            put(w, b"</dt>", 5)
        elif container.role == ROLE_DESCRIPTION:
            put(w, b"</dd>", 5)
        elif container.role == ROLE_TABLE:
            put(w, b"</table>", 8)
        elif container.role == ROLE_ROW:
            put(w, b"</tr>", 5)
        elif container.role == ROLE_CELL:
            put(w, b"</td>", 5)
        else:
            put(w, b"</th>", 5)
    elif container.role == ROLE_CELL or container.role == ROLE_HEADER_CELL:
        put(w, b" |", 2)
    elif container.role == ROLE_ROW:
        table = container - 1
        if not table.has_head:
            columns = max(min(table.columns, <uint32_t> MAX_COLUMNS), container.cells)
            put_empty_cells(w, container, columns, True)
            put(w, b"\n", 1)
            put_prefix(w, False)
            put(w, b"|", 1)
            for i in range(columns):
                put(w, b" --- |", 6)
            table.has_head = True
    w.n_containers -= 1
    return 0


cdef Slice code_language(const Writer* w, uint32_t pre) noexcept nogil:
    """The language that a pre element, or the code element at its beginning, has in a class such as language-python."""
    cdef Slice value, found
    cdef const Attribute* attribute
    cdef uint32_t n, i, length
    cdef uint8_t c
    found.data = NULL
    found.length = 0
    for n in range(pre, min(pre + 2, w.tree.nodes[pre].end)):
        if w.tree.nodes[n].kind != KIND_ELEMENT:
            break
        attribute = find_attribute(w.tree, n, ATTR_CLASS)
        if attribute == NULL:
            continue
        value = slice_at(w.tree, attribute.value_start, min(attribute.value_length, <uint32_t> 1024))
        i = 0
        while i < value.length:
            length = 0
            if i + 9 < value.length and memcmp(value.data + i, <const char*> b"language-", 9) == 0:
                length = 9
            elif i + 5 < value.length and memcmp(value.data + i, <const char*> b"lang-", 5) == 0:
                length = 5
            if length:
                i += length
                length = 0
                while i + length < value.length and length <= MAX_LANGUAGE:
                    c = value.data[i + length]
                    if not (is_word_byte(c) and c < 0x80 or c == c"+" or c == c"#" or c == c"." or c == c"_" or c == c"-"):
                        break
                    length += 1
                if 0 < length <= MAX_LANGUAGE and (i + length == value.length or is_space(value.data[i + length])):
                    found.data = value.data + i
                    found.length = length
                    return found
            while i < value.length and not is_space(value.data[i]):
                i += 1
            i += 1
    return found


cdef uint32_t pre_of(const Writer* w, uint32_t node) noexcept nogil:
    """The pre (or like) element that a node stands in, 0 where it is not near."""
    cdef int step
    for step in range(MAX_LOOK):
        if w.tree.nodes[node].tag in (TAG_PRE, TAG_LISTING, TAG_XMP, TAG_PLAINTEXT):
            return node
        node = w.tree.nodes[node].parent
        if node == 0:
            break
    return 0


cdef bint can_fence(Writer* w, uint32_t pre) noexcept nogil:
    """True where code can be fenced; counts how many backticks that takes, once for a pre element and those in it."""
    if not w.fence_node <= pre < w.tree.nodes[w.fence_node].end or w.fence_node == 0:
        w.fence_node = pre
        w.fence = max(<uint32_t> 3, longest_fence(w, pre + 1, w.tree.nodes[pre].end) + 1)
    return w.fence <= MAX_FENCE


cdef Leaf leaf_for(Writer* w, const Block* block) noexcept nogil:
    """What holds the text of a block (NULL: an image that stands by itself)."""
    cdef const Container* top = &w.containers[w.n_containers - 1] if w.n_containers else NULL
    cdef Role role = top.role if top != NULL else ROLE_NONE
    cdef uint32_t pre
    if role == ROLE_LIST or role == ROLE_NUMBERED:
        return LEAF_ITEM
    if role == ROLE_TERMS:
        return LEAF_DESCRIPTION
    if role == ROLE_TABLE:
        return LEAF_CAPTION
    if role == ROLE_ROW:
        return LEAF_CELL
    if not w.html and in_cell(w):
        return LEAF_BARE
    if block == NULL:
        return LEAF_PARAGRAPH
    if block.kind == BLOCK_PREFORMATTED:
        pre = pre_of(w, block.element)
        if pre != 0 and (w.html or can_fence(w, pre)):
            return LEAF_CODE
    if BLOCK_HEADING_1 <= block.kind <= BLOCK_HEADING_6:
        return LEAF_HEADING
    if role >= ROLE_ITEM and block.alone and block.item == top.node:
        return LEAF_BARE
    return LEAF_PARAGRAPH


cdef bint is_tight(const Writer* w, int first, Leaf leaf) noexcept nogil:
    """True where in Markdown no blank line stands before a leaf; `first` is the first container that is not written yet."""
    cdef const Container* container
    if first == w.n_containers:
        return leaf == LEAF_ITEM and w.containers[first - 1].node == w.loose_list
    container = &w.containers[first]
    if container.role == ROLE_ITEM:
        return True
    if container.role == ROLE_ROW:
        return w.containers[first - 1].has_head
    if container.role == ROLE_LIST or (container.role == ROLE_NUMBERED and container.number == 1):
        return first > 0 and w.containers[first - 1].role == ROLE_ITEM and w.containers[first - 1].node == w.bare_item
    return False


cdef int begin_leaf_markdown(Writer* w, Leaf leaf) except -1 nogil:
    """Writes what separates a leaf from what came before, and the markers of the containers around it that are not written yet."""
    cdef Container* container
    cdef int first = 0, i
    cdef size_t start
    while first < w.n_containers and w.containers[first].written:
        first += 1
    if first < w.n_containers and (w.containers[first].role == ROLE_CELL or w.containers[first].role == ROLE_HEADER_CELL):
        w.line_start = False    # in the row that is being written
    elif w.text.length and first == w.n_containers and in_cell(w):
        put(w, b" ", 1)
        w.line_start = False
    else:
        if w.text.length:
            put(w, b"\n", 1)
            if not is_tight(w, first, leaf):
                put_prefix(w, True)
                put(w, b"\n", 1)
        put_prefix(w, False)
        w.line_start = True
    for i in range(first, w.n_containers):
        container = &w.containers[i]
        container.written = True
        if container.role == ROLE_QUOTE:
            put(w, b"> ", 2)
        elif container.role == ROLE_ITEM:
            start = w.text.length
            if w.containers[i - 1].role == ROLE_NUMBERED:
                container.number = w.containers[i - 1].number
                if w.containers[i - 1].number < 999999999:
                    w.containers[i - 1].number += 1
                put_number(w, container.number)
                put(w, b". ", 2)
            else:
                put(w, b"- ", 2)
            container.width = <uint32_t> (w.text.length - start)
        elif container.role == ROLE_ROW:
            put(w, b"|", 1)
        elif container.role == ROLE_CELL or container.role == ROLE_HEADER_CELL:
            open_cell(w, &w.containers[i - 1], container)
            w.line_start = False
    if leaf == LEAF_ITEM:
        put(w, b"- ", 2)
        w.loose_list = w.containers[w.n_containers - 1].node
    elif w.n_containers and w.containers[w.n_containers - 1].role == ROLE_TABLE:
        w.containers[w.n_containers - 1].has_head = False       # a caption: the table begins, or begins again, below it
    elif leaf == LEAF_CELL:
        put(w, b" ", 1)
        w.line_start = False
    return 0


cdef int begin_leaf(Writer* w, uint32_t index, Leaf leaf) except -1 nogil:
    """Ends the leaf before and begins the one of a block (index n_blocks: of an image)."""
    cdef const Block* block = w.blocks.blocks + index if index < w.blocks.n_blocks else NULL
    cdef Slice language
    cdef int i
    cdef uint32_t k
    close_leaf(w)
    if w.html:
        for i in range(w.n_containers):
            if not w.containers[i].written:
                w.containers[i].written = True
                if w.containers[i].role == ROLE_CELL or w.containers[i].role == ROLE_HEADER_CELL:
                    open_cell(w, &w.containers[i - 1], &w.containers[i])
                else:
                    open_container_html(w, &w.containers[i])
        if w.text.length and leaf != LEAF_BARE and leaf != LEAF_CELL:
            put(w, b"\n", 1)
    else:
        begin_leaf_markdown(w, leaf)
    w.leaf = leaf
    w.block = index
    w.gap = GAP_NONE
    w.fresh = True
    w.bare_item = w.containers[w.n_containers - 1].node if leaf == LEAF_BARE and w.n_containers else 0
    if leaf == LEAF_HEADING:
        w.heading = block.kind - BLOCK_HEADING_1 + 1
    if leaf == LEAF_CODE:
        w.code = pre_of(w, block.element)
        language = code_language(w, w.code)
        if w.html:
            put(w, b"<pre>", 5)
            if language.length:
                put(w, b'<code class="language-', 22)
                put(w, <const char*> language.data, language.length)
                put(w, b'">', 2)
        else:
            w.open_fence = w.fence
            for k in range(w.open_fence):
                put_byte(w, c"`")
            put(w, <const char*> language.data, language.length)
            put(w, b"\n", 1)
            put_prefix(w, False)
        w.code_end = w.text.length
    elif not w.html:
        if leaf == LEAF_HEADING:
            for k in range(w.heading):
                put_byte(w, c"#")
            put_byte(w, c" ")
            w.line_start = False
    elif leaf == LEAF_PARAGRAPH:
        put(w, b"<p>", 3)
    elif leaf == LEAF_HEADING:
        put(w, b"<h", 2)
        put_number(w, w.heading)
        put(w, b">", 1)
    elif leaf == LEAF_ITEM:
        put(w, b"<li>", 4)
    elif leaf == LEAF_DESCRIPTION:
        put(w, b"<dd>", 4)
    elif leaf == LEAF_CAPTION:
        put(w, b"<caption>", 9)
    elif leaf == LEAF_CELL:
        put(w, b"<td>", 4)
    return 0


cdef int enter_block(Writer* w, uint32_t index) except -1 nogil:
    """Begins the leaf of a block, or goes on with the one before it where the line goes on."""
    cdef const Block* block = w.blocks.blocks + index
    cdef Leaf leaf = leaf_for(w, block)
    cdef bint adjacent = w.leaf != LEAF_NONE and w.block + 1 == index and (w.n_containers == 0 or w.containers[w.n_containers - 1].written)
    cdef int i
    if adjacent and leaf == LEAF_CODE and w.leaf == LEAF_CODE and pre_of(w, block.element) == w.code:
        w.text.length = w.code_end
        w.gap = GAP_LINE
    elif adjacent and leaf == LEAF_PARAGRAPH and w.leaf == LEAF_PARAGRAPH and block.separator != SEPARATOR_PARAGRAPH:
        w.gap = GAP_SPACE if block.separator == SEPARATOR_SPACE else GAP_LINE
    else:
        return begin_leaf(w, index, leaf)
    for i in range(w.n_spans):      # those of the block before; what is still open is opened again
        close_span(w, &w.spans[w.n_spans - 1 - i])
    w.block = index
    return 0


cdef int put_line(Writer* w) except -1 nogil:
    """A line break inside a leaf."""
    if w.html:
        return put(w, b"<br>", 4)
    if w.leaf == LEAF_HEADING or w.leaf == LEAF_CELL or in_cell(w):
        return put(w, b" ", 1)
    put(w, b"  \n", 3)
    put_prefix(w, False)
    if w.leaf == LEAF_ITEM:
        put(w, b"  ", 2)
    w.line_start = True
    return 0


cdef int before_text(Writer* w, Edge first) except -1 nogil:
    """Writes the white space that is owed and the spans that begin here."""
    cdef int i
    if w.gap != GAP_NONE and not w.fresh:
        if w.gap == GAP_LINE:
            put_line(w)
        else:
            put(w, b" ", 1)
            w.line_start = False
    w.gap = GAP_NONE
    for i in range(w.n_spans):
        if w.spans[i].state == SPAN_WAITING:
            open_span(w, &w.spans[i], first)
    return 0


cdef int put_code(Writer* w, const uint8_t* p, const uint8_t* end) except -1 nogil:
    """Preformatted text: lines and spaces as they are, blank lines at the beginning left out."""
    cdef const uint8_t* run
    if w.fresh:
        run = p
        while run < end and is_space(run[0]):
            if run[0] == c"\n":
                p = run + 1
            run += 1
    elif w.gap == GAP_LINE:     # <br>, or the next of several blocks in one pre
        put(w, b"\n", 1)
        if not w.html:
            put_prefix(w, False)
    w.gap = GAP_NONE
    while p < end:
        run = p
        while p < end and p[0] != c"\n" and p[0] != c"\r":
            p += 1
        if p > run:
            w.fresh = False
            if w.html:
                put_html(w, run, <uint32_t> (p - run), False)
            else:
                put(w, <const char*> run, p - run)
            while p > run and is_space((p - 1)[0]):
                p -= 1
            if p > run:
                w.code_end = w.text.length
                while w.code_end and is_space(w.text.data[w.code_end - 1]):
                    w.code_end -= 1
            while p < end and p[0] != c"\n" and p[0] != c"\r":
                p += 1
        if p < end:
            put(w, b"\n", 1)
            if not w.html:
                put_prefix(w, False)
            p += 1
    return 0


cdef int put_text(Writer* w, uint32_t index, const uint8_t* p, const uint8_t* end) except -1 nogil:
    """The text of a text node of a kept block, white space collapsed."""
    cdef const uint8_t* run
    cdef bint code
    while p < end:
        if is_space(p[0]):
            p += 1
            if w.gap == GAP_NONE:
                w.gap = GAP_SPACE
            continue
        run = p
        while p < end and not is_space(p[0]):
            p += 1
        if w.block != index:
            enter_block(w, index)
        before_text(w, edge_of(run, character_length(run, p)))
        w.fresh = False
        if w.html:
            put_html(w, run, <uint32_t> (p - run), False)
            continue
        code = in_span(w, SPAN_CODE)
        if code:
            put_code_run(w, run, <uint32_t> (p - run), in_cell(w) or w.leaf == LEAF_CELL)
        else:
            put_markdown(w, run, <uint32_t> (p - run), p == end, in_span(w, SPAN_LINK), in_cell(w) or w.leaf == LEAF_CELL)
        w.line_start = False
    return 0


cdef int put_code_run(Writer* w, const uint8_t* data, uint32_t length, bint escape_bars) except -1 nogil:
    """Text in a code span: nothing is special but a bar in a cell."""
    cdef uint32_t i
    for i in range(length):
        if data[i] == c"|" and escape_bars:
            put_byte(w, c"\\")
        put_byte(w, data[i])
    return 0


# --- images ---


cdef bint is_one(const Tree* tree, uint32_t node, uint32_t name) noexcept nogil:
    """True for an attribute with the value 0 or 1, which an image has that is there to count visitors."""
    cdef const Attribute* attribute = find_attribute(tree, node, name)
    cdef Slice value
    if attribute == NULL or attribute.value_length != 1:
        return False
    value = slice_at(tree, attribute.value_start, 1)
    return value.data[0] == c"0" or value.data[0] == c"1"


cdef uint32_t first_block_from(const BlockArray* blocks, uint32_t node) noexcept nogil:
    """The first block that begins at `node` or later."""
    cdef uint32_t low = 0, high = blocks.n_blocks, middle
    while low < high:
        middle = low + (high - low) // 2
        if blocks.blocks[middle].start < node:
            low = middle + 1
        else:
            high = middle
    return low


cdef bint belongs(const Writer* w, uint32_t image, const uint32_t* sums) noexcept nogil:
    """True where most of the text is kept of the smallest element around an image that has text."""
    cdef uint32_t node = image, a, b
    cdef const uint32_t* kept = sums + w.blocks.n_blocks + 1
    cdef int step
    for step in range(MAX_CLIMB):
        node = w.tree.nodes[node].parent
        if node == 0:
            break
        a = first_block_from(w.blocks, node)
        b = first_block_from(w.blocks, w.tree.nodes[node].end)
        if b > a:
            return 2 * <size_t> (kept[b] - kept[a]) > sums[b] - sums[a]
    return False


cdef int put_image(Writer* w, uint32_t node, bint in_block, uint32_t index) except -1 nogil:
    """An image, in the text of a block or as a paragraph of its own."""
    cdef const Attribute* alt = find_attribute(w.tree, node, ATTR_ALT)
    cdef Slice value
    cdef const uint8_t* p
    cdef const uint8_t* end
    cdef const uint8_t* run
    if is_one(w.tree, node, ATTR_WIDTH) or is_one(w.tree, node, ATTR_HEIGHT):
        return 0
    # Pages that load images late have a placeholder in src, often a data: URL, and the address in data-src.
    if not put_address(w, node, ATTR_DATA_SRC) and not put_address(w, node, ATTR_SRC):
        return 0
    if has_span(w, SPAN_CODE) or (in_block and w.leaf == LEAF_CODE and w.block == index):
        return 0
    if not in_block:
        begin_leaf(w, w.blocks.n_blocks, leaf_for(w, NULL))
    elif w.block != index:
        enter_block(w, index)
        if w.leaf == LEAF_CODE:
            return 0
    before_text(w, EDGE_OTHER)
    # opening a link has used the place where addresses are put together
    if not put_address(w, node, ATTR_DATA_SRC) and not put_address(w, node, ATTR_SRC):
        return 0
    w.addresses += w.url.length
    w.fresh = False
    value.data = NULL
    value.length = 0
    if alt != NULL:
        value = slice_at(w.tree, alt.value_start, alt.value_length)
    if w.html:
        put(w, b'<img src="', 10)
        put_html(w, w.url.data, w.url.length, True)
        put(w, b'" alt="', 7)
        put_html(w, value.data, value.length, True)
        put(w, b'">', 2)
    else:
        put(w, b"![", 2)
        w.line_start = False
        p = value.data
        end = p + value.length
        while p < end:
            run = p
            while p < end and not is_space(p[0]):
                p += 1
            put_markdown(w, run, <uint32_t> (p - run), True, True, True)
            while p < end and is_space(p[0]):
                p += 1
            if p < end:
                put(w, b" ", 1)
        put(w, b"](", 2)
        put(w, <const char*> w.url.data, w.url.length)
        put(w, b")", 1)
    if not in_block:
        close_leaf(w)
    return 0


# --- the walk ---


cdef Role role_of(Writer* w, uint32_t node, uint32_t next_block, uint32_t* columns) noexcept nogil:
    """What container an element is where it stands; ROLE_NONE where it is none."""
    cdef uint32_t tag = w.tree.nodes[node].tag
    cdef Role top = w.containers[w.n_containers - 1].role if w.n_containers else ROLE_NONE
    cdef bint here = top == ROLE_NONE or top == ROLE_QUOTE or top == ROLE_ITEM or top == ROLE_TERM or top == ROLE_DESCRIPTION
    if top == ROLE_CELL or top == ROLE_HEADER_CELL:
        here = w.html           # Markdown's cells hold one line
    if tag == TAG_BLOCKQUOTE:
        return ROLE_QUOTE if here else ROLE_NONE
    if tag == TAG_UL or tag == TAG_MENU or tag == TAG_DIR:
        return ROLE_LIST if here or top == ROLE_LIST or top == ROLE_NUMBERED else ROLE_NONE
    if tag == TAG_OL:
        return ROLE_NUMBERED if here or top == ROLE_LIST or top == ROLE_NUMBERED else ROLE_NONE
    if tag == TAG_LI:
        return ROLE_ITEM if top == ROLE_LIST or top == ROLE_NUMBERED else ROLE_NONE
    if tag == TAG_DL:
        return ROLE_TERMS if here and top != ROLE_TERM and top != ROLE_DESCRIPTION else ROLE_NONE
    if tag == TAG_DT:
        return ROLE_TERM if top == ROLE_TERMS else ROLE_NONE
    if tag == TAG_DD:
        return ROLE_DESCRIPTION if top == ROLE_TERMS else ROLE_NONE
    if tag == TAG_TABLE:
        return ROLE_TABLE if here and is_data_table(w.tree, w.metrics, w.blocks, node, next_block, columns) else ROLE_NONE
    if tag == TAG_TR:
        return ROLE_ROW if top == ROLE_TABLE else ROLE_NONE
    if tag == TAG_TD:
        return ROLE_CELL if top == ROLE_ROW else ROLE_NONE
    if tag == TAG_TH:
        return ROLE_HEADER_CELL if top == ROLE_ROW else ROLE_NONE
    return ROLE_NONE


cdef uint32_t start_of(const Tree* tree, uint32_t node) noexcept nogil:
    """The number of a numbered list's first item."""
    cdef const Attribute* attribute = find_attribute(tree, node, ATTR_START)
    cdef Slice value
    cdef uint32_t number = 0, i
    if attribute == NULL or not 0 < attribute.value_length < 9:
        return 1
    value = slice_at(tree, attribute.value_start, attribute.value_length)
    for i in range(value.length):
        if not c"0" <= value.data[i] <= c"9":
            return 1
        number = 10 * number + value.data[i] - c"0"
    return number


cdef int span_role(const Writer* w, uint32_t node) noexcept nogil:
    """What span an element is, -1 where it is none."""
    cdef uint32_t tag = w.tree.nodes[node].tag
    if tag == TAG_A:
        return SPAN_LINK if w.options.links and not has_span(w, SPAN_LINK) else -1
    if tag == TAG_STRONG or tag == TAG_B:
        return SPAN_STRONG if not has_span(w, SPAN_STRONG) else -1
    if tag == TAG_EM or tag == TAG_I:
        return SPAN_EMPHASIS if not has_span(w, SPAN_EMPHASIS) else -1
    if tag == TAG_CODE or tag == TAG_KBD or tag == TAG_SAMP or tag == TAG_TT:
        return SPAN_CODE if not has_span(w, SPAN_CODE) else -1
    if w.html and tag == TAG_SUB:
        return SPAN_SUB
    if w.html and tag == TAG_SUP:
        return SPAN_SUP
    return -1


cdef int enter_element(Writer* w, uint32_t n, uint32_t next_block) except -1 nogil:
    """Takes note of an element that may hold kept text."""
    cdef Container* container
    cdef Span* span
    cdef uint32_t columns = 0
    cdef Role role = role_of(w, n, next_block, &columns)
    cdef int inline_role
    if role != ROLE_NONE:
        if w.n_containers == MAX_CONTAINERS:
            return 0
        container = &w.containers[w.n_containers]
        memset(container, 0, sizeof(Container))
        container.node = n
        container.role = role
        container.columns = columns
        if role == ROLE_NUMBERED:
            container.number = start_of(w.tree, n)
        elif role == ROLE_CELL or role == ROLE_HEADER_CELL:
            container.seen = (container - 1).seen
            (container - 1).seen += 1
        w.n_containers += 1
        return 0
    inline_role = span_role(w, n)
    if inline_role >= 0 and w.n_spans < MAX_SPANS:
        span = &w.spans[w.n_spans]
        span.node = n
        span.role = <SpanRole> inline_role
        span.state = SPAN_WAITING
        w.n_spans += 1
    return 0


cdef void find_base(Writer* w, Scratch* scratch) noexcept nogil:
    """Sets what addresses are relative to: the page's base element, else the page's own address."""
    cdef uint32_t n
    cdef const Attribute* attribute
    cdef uint8_t* kept
    w.base = w.options.url
    for n in range(w.tree.n_nodes):
        if w.tree.nodes[n].kind == KIND_ELEMENT and w.tree.nodes[n].tag == TAG_BASE and w.tree.nodes[n].namespace == NS_HTML:
            attribute = find_attribute(w.tree, n, ATTR_HREF)
            if attribute == NULL:
                continue
            if resolve(w.url, w.base, slice_at(w.tree, attribute.value_start, attribute.value_length), False):
                kept = <uint8_t*> (w.url + 1)
                memcpy(kept, w.url.data, w.url.length)
                w.base.data = kept
                w.base.length = w.url.length
            return


cdef int render_markup(
    TextBuffer* text, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const uint8_t* keep, Scratch* scratch,
    const MarkupOptions* options
) except -1 nogil:
    """Writes the kept blocks as Markdown or HTML. -1 and MemoryError where there is no memory."""
    cdef:
        Writer writer
        Writer* w = &writer
        const Node* nodes = tree.nodes
        const Node* node
        uint32_t n = 1, k = 0, i
        uint32_t* sums = NULL
        bint in_block
        Slice slice
    memset(w, 0, sizeof(Writer))
    w.text, w.tree, w.metrics, w.blocks, w.keep, w.options = text, tree, metrics, blocks, keep, options
    w.html = options.format == FORMAT_HTML
    w.block = blocks.n_blocks
    text.length = 0
    w.url = <Url*> take(scratch, SLOT_URL, 2, sizeof(Url))
    if options.images:
        sums = <uint32_t*> take(scratch, SLOT_SUMS, 2 * (<size_t> blocks.n_blocks + 1), sizeof(uint32_t))
    if w.url == NULL or (options.images and sums == NULL):
        with gil:
            raise MemoryError("no memory for the page's addresses and images")
    if options.links or options.images:
        find_base(w, scratch)
    if options.images:
        sums[0] = sums[blocks.n_blocks + 1] = 0
        for i in range(blocks.n_blocks):
            sums[i + 1] = sums[i] + blocks.blocks[i].characters
            sums[blocks.n_blocks + 2 + i] = sums[blocks.n_blocks + 1 + i] + (blocks.blocks[i].characters if keep[i] else 0)
    while n < tree.n_nodes:
        while k < blocks.n_blocks and (not keep[k] or blocks.blocks[k].end <= n):
            k += 1
        if k == blocks.n_blocks and not options.images:
            break
        while w.n_spans and nodes[w.spans[w.n_spans - 1].node].end <= n:
            close_span(w, &w.spans[w.n_spans - 1])
            w.n_spans -= 1
        while w.n_containers and nodes[w.containers[w.n_containers - 1].node].end <= n:
            close_container(w)
        node = nodes + n
        if metrics.nodes[n].flags & FLAG_HIDDEN or node.kind == KIND_CONTENT:
            n = node.end
            continue
        in_block = k < blocks.n_blocks and blocks.blocks[k].start <= n
        if node.kind == KIND_TEXT:
            if in_block and not (metrics.nodes[n].flags & FLAG_BLANK and w.block != k):
                slice = slice_at(tree, node.start, node.length)
                if metrics.nodes[n].flags & FLAG_PREFORMATTED and leaf_for(w, blocks.blocks + k) == LEAF_CODE:
                    if w.block != k:
                        enter_block(w, k)
                    put_code(w, slice.data, slice.data + slice.length)
                else:
                    put_text(w, k, slice.data, slice.data + slice.length)
        elif node.kind == KIND_ELEMENT and node.namespace == NS_HTML:
            if node.tag == TAG_BR:
                if in_block and w.block == k:
                    w.gap = GAP_LINE
            elif node.tag == TAG_IMG:
                if options.images and (in_block or belongs(w, n, sums)):
                    put_image(w, n, in_block, k)
            else:
                if not in_block and not options.images and (k == blocks.n_blocks or blocks.blocks[k].start >= node.end):
                    if (node.tag == TAG_TD or node.tag == TAG_TH) and w.n_containers and w.containers[w.n_containers - 1].role == ROLE_ROW:
                        w.containers[w.n_containers - 1].seen += 1      # nothing of it is kept, but its column is
                    n = node.end
                    continue
                enter_element(w, n, k)
        n += 1
    while w.n_spans:
        close_span(w, &w.spans[w.n_spans - 1])
        w.n_spans -= 1
    close_leaf(w)
    while w.n_containers:
        close_container(w)
    return 0
