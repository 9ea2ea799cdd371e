# SPDX-License-Identifier: Apache-2.0
"""Markup as minimal HTML. The only attributes are href, src, alt, start, reversed, value, colspan, rowspan, and class
for a language.
"""

from thresher.native.constructs.code_language cimport code_language
from thresher.native.writing.markdown cimport begin_containers


cdef OutputFormat HTML
HTML.cells_hold_blocks = True
HTML.has_sub_and_sup = True
HTML.code_holds_links = True
HTML.escapes_addresses = False
HTML.can_hold_code = can_hold_code
HTML.begin_leaf = begin_leaf
HTML.end_leaf = end_leaf
HTML.end_container = end_container
HTML.begin_span = begin_span
HTML.end_span = end_span
HTML.white_space = white_space
HTML.text = put_text
HTML.words = put_words
HTML.verbatim = put_verbatim
HTML.code = put_code
HTML.code_line = put_code_line
HTML.image = put_image


cdef const OutputFormat* html_format() noexcept nogil:
    return &HTML


cdef void put_escaped(TextBuffer* text, const uint8_t* data, uint32_t length, bint in_attribute) noexcept nogil:
    """Append text, escaped for HTML."""
    cdef uint32_t i, start = 0
    for i in range(length):
        if (
            data[i] != c"&" and data[i] != c"<" and data[i] != c">" and data[i] != c"\r"
            and not (in_attribute and data[i] == c'"')
        ):
            continue
        put(text, data + start, i - start)
        start = i + 1
        if data[i] == c"&":
            put_string(text, b"&amp;")
        elif data[i] == c"<":
            put_string(text, b"&lt;")
        elif data[i] == c">":
            put_string(text, b"&gt;")
        elif data[i] == c"\r":
            put_string(text, b"&#13;")
        else:
            put_string(text, b"&quot;")
    put(text, data + start, length - start)


cdef void put_lines(
    Output* output, const uint8_t* data, uint32_t length, const char* line_end, bint in_attribute
) noexcept nogil:
    """Append text that may hold line ends, escaped. In a table within Markdown, which a blank line would end,
    `line_end` stands for each.
    """
    cdef uint32_t i, start = 0
    if output.embedding:
        for i in range(length):
            if data[i] == c"\n":
                put_escaped(output.text, data + start, i - start, in_attribute)
                put_string(output.text, line_end)
                start = i + 1
    put_escaped(output.text, data + start, length - start, in_attribute)


cdef void put_tag(TextBuffer* text, const char* name) noexcept nogil:
    put_byte(text, c"<")
    put_string(text, name)
    put_byte(text, c">")


cdef void put_end_tag(TextBuffer* text, const char* name) noexcept nogil:
    put_string(text, b"</")
    put_string(text, name)
    put_byte(text, c">")


cdef void put_url(Output* output, const char* name) noexcept nogil:
    """Append output.url as an attribute."""
    put_byte(output.text, c" ")
    put_string(output.text, name)
    put_string(output.text, b'="')
    put_escaped(output.text, output.url.data, output.url.length, True)
    put_byte(output.text, c'"')
    output.addresses += output.url.length


cdef void put_number_in(TextBuffer* text, const char* before, uint32_t number, const char* after) noexcept nogil:
    """Append a number in a tag."""
    put_string(text, before)
    put_number(text, number)
    put_string(text, after)


cdef void begin_formula(TextBuffer* text, bint display) noexcept nogil:
    put_string(text, b'<span class="math display">' if display else b'<span class="math">')


cdef bint begin_code(Output* output, uint32_t pre) noexcept nogil:
    """Begin the code element that names the language of a pre element; False if that is unknown."""
    cdef Slice language = code_language(output.tree, output.metrics, pre)
    if language.length:
        put_string(output.text, b'<code class="language-')
        put_escaped(output.text, language.data, language.length, True)
        put_string(output.text, b'">')
    return language.length > 0


# The elements that containers, spans and leaves are written as; NULL for bare text, and for leaves that need more than a
# name.
cdef (const char*)[12] ROLE_ELEMENTS = [    # index: ContainerRole
    NULL, b"blockquote", b"ul", b"ol", b"li", b"dl", b"dt", b"dd", b"table", b"tr", b"td", b"th",
]
cdef (const char*)[7] SPAN_ELEMENTS = [b"strong", b"em", b"code", b"a", b"sub", b"sup", b"del"]     # index: SpanRole
cdef (const char*)[10] LEAF_ELEMENTS = [    # index: Leaf
    NULL, NULL, b"p", NULL, NULL, b"li", b"dd", b"caption", b"td", NULL,
]


# --- containers and leaves ---


cdef bint can_hold_code(Output* output, uint32_t pre) noexcept nogil:
    return True


cdef void begin_cell(Output* output, OutputContainer* row, OutputContainer* cell) noexcept nogil:
    """Begin a cell of a row, after the empty cells before it that no other cell covers."""
    cdef TextBuffer* text = output.text
    while row.cells < min(cell.seen, <uint32_t> MAX_COLUMNS):
        if covering_at(output, row.cells) == NULL:
            put_string(text, b"<td></td>")
        row.cells += 1
    row.cells = cell.seen + cell.spans_columns
    cover_columns(output, cell, 0, 1)
    put_byte(text, c"<")
    put_string(text, ROLE_ELEMENTS[<int> cell.role])
    if cell.spans_columns > 1:
        put_number_in(text, b' colspan="', cell.spans_columns, b'"')
    if cell.spans_rows > 1:
        put_number_in(text, b' rowspan="', cell.spans_rows, b'"')
    put_byte(text, c">")


cdef void put_skipped_rows(Output* output) noexcept nogil:
    """Write the skipped rows without text that a cell above covers, so that it does not cover the rows after them."""
    cdef uint32_t column
    cdef bint covered = False
    for column in range(MAX_SPANNED):
        covered = covered or output.covering[column].length != 0
    while output.skipped_rows:
        if covered:
            put_string(output.text, b"<tr></tr>" if output.embedding else b"<tr></tr>\n")
        output.skipped_rows -= 1


cdef void begin_container(Output* output, OutputContainer* container) noexcept nogil:
    if holds_cell(container):
        begin_cell(output, container - 1, container)
        return
    if output.text.length and not output.embedding:
        put_byte(output.text, c"\n")
    if container.role == ROLE_ROW:
        put_skipped_rows(output)
    if container.role == ROLE_NUMBERED and (container.down or container.number != 1):
        put_number_in(
            output.text, b'<ol reversed start="' if container.down else b'<ol start="', container.number, b'">'
        )
    elif container.role == ROLE_ITEM and container.numbered:
        put_number_in(output.text, b'<li value="', (container - 1).number, b'">')
    else:
        put_tag(output.text, ROLE_ELEMENTS[<int> container.role])


cdef void begin_leaf(Output* output, Leaf leaf) noexcept nogil:
    cdef const char* element = LEAF_ELEMENTS[<int> leaf]
    cdef uint32_t i
    if output.embedding and not output.containers[output.embedding - 1].written:
        begin_containers(output, leaf, output.embedding - 1)
    for i in range(output.n_containers):
        if not output.containers[i].written:
            output.containers[i].written = True
            begin_container(output, &output.containers[i])
    if output.text.length and leaf != LEAF_BARE and leaf != LEAF_CELL and not output.embedding:
        put_byte(output.text, c"\n")
    if element != NULL:
        put_tag(output.text, element)
    elif leaf == LEAF_HEADING:
        put_number_in(output.text, b"<h", output.heading, b">")
    elif leaf == LEAF_RULE:
        put_tag(output.text, b"hr")
    elif leaf == LEAF_CODE:
        put_string(output.text, b"<pre>")
        output.names_language = begin_code(output, output.code)


cdef void end_leaf(Output* output) noexcept nogil:
    cdef const char* element = LEAF_ELEMENTS[<int> output.leaf]
    if element != NULL:
        put_end_tag(output.text, element)
    elif output.leaf == LEAF_HEADING:
        put_number_in(output.text, b"</h", output.heading, b">")
    elif output.leaf == LEAF_CODE:
        if output.names_language:
            put_end_tag(output.text, b"code")
        put_end_tag(output.text, b"pre")


cdef void end_container(Output* output, OutputContainer* container) noexcept nogil:
    put_end_tag(output.text, ROLE_ELEMENTS[<int> container.role])


# --- spans and text ---


cdef bint begin_span(Output* output, Span* span, Edge first) noexcept nogil:
    if span.role == SPAN_LINK:
        put_string(output.text, b"<a")
        put_url(output, b"href")
        put_byte(output.text, c">")
    else:
        put_tag(output.text, SPAN_ELEMENTS[<int> span.role])
    return True


cdef void end_span(Output* output, Span* span) noexcept nogil:
    put_end_tag(output.text, SPAN_ELEMENTS[<int> span.role])


cdef void white_space(Output* output, Gap gap) noexcept nogil:
    put_string(output.text, b"<br>" if gap == GAP_LINE else b" ")


cdef void put_text(Output* output, const uint8_t* data, uint32_t length, bint at_end) noexcept nogil:
    put_escaped(output.text, data, length, False)


cdef void put_words(Output* output, const uint8_t* data, uint32_t length, bint at_end) noexcept nogil:
    put(output.text, data, length)


cdef void put_verbatim(Output* output, const uint8_t* data, uint32_t length) noexcept nogil:
    cdef bint formula = length > 2 and data[0] == c"$"
    if formula:
        begin_formula(output.text, data[1] == c"$")
    put_lines(output, data, length, b" ", False)
    if formula:
        put_end_tag(output.text, b"span")


cdef void put_code(Output* output, const uint8_t* data, uint32_t length) noexcept nogil:
    put_escaped(output.text, data, length, False)


cdef void put_code_line(Output* output) noexcept nogil:
    put_string(output.text, b"&#10;" if output.embedding else b"\n")


cdef void put_image(Output* output, Slice alt) noexcept nogil:
    put_string(output.text, b"<img")
    put_url(output, b"src")
    put_string(output.text, b' alt="')
    put_lines(output, alt.data, alt.length, b"&#10;", True)
    put_string(output.text, b'">')
