# SPDX-License-Identifier: Apache-2.0
"""Markup as Markdown. Text that would read as markup is escaped, so that a parser returns the original text."""

from libc.string cimport memchr, memcpy, memmove

from thresher.native.constructs.code_language cimport code_language


cdef enum:
    MAX_FENCE = 32          # backticks of a code span; code with longer runs of them is written as text
    # Bytes of fences that are longer, and of line prefixes: thousands of listings around a long run, or of lines in deep
    # lists, must not make a small page huge.
    MAX_FENCES = 1 << 20
    MAX_PREFIXES = 1 << 24
    LONGEST = 200           # bytes of a cell that is repeated in all columns and rows it spans
    MAX_DIGITS = 9          # of the number of an item (CommonMark 5.2); lists begin at eight at most

cdef OutputFormat MARKDOWN
MARKDOWN.cells_hold_blocks = False      # a cell is part of one line
MARKDOWN.has_sub_and_sup = False
MARKDOWN.code_holds_links = False
MARKDOWN.escapes_addresses = True
MARKDOWN.can_hold_code = can_fence
MARKDOWN.begin_leaf = begin_leaf
MARKDOWN.end_leaf = end_leaf
MARKDOWN.end_container = end_container
MARKDOWN.begin_span = begin_span
MARKDOWN.end_span = end_span
MARKDOWN.white_space = white_space
MARKDOWN.text = put_text
MARKDOWN.words = put_words
MARKDOWN.verbatim = put_verbatim
MARKDOWN.code = put_code
MARKDOWN.code_line = put_code_line
MARKDOWN.image = put_image


cdef const OutputFormat* markdown_format() noexcept nogil:
    return &MARKDOWN


# --- text ---


cdef inline uint32_t character_before(const uint8_t* data, uint32_t end) noexcept nogil:
    """Length in bytes of the character before this position; 0 at the beginning."""
    cdef uint32_t n = 1
    if end == 0:
        return 0
    while n < end and n < 4 and data[end - n] & 0xC0 == 0x80:
        n += 1
    return n


cdef void escape_last(Output* output) noexcept nogil:
    """Insert a backslash before the last byte written."""
    cdef uint8_t byte = last_byte(output.text)
    cut_text(output.text, output.text.length - 1)
    put_byte(output.text, c"\\")
    put_byte(output.text, byte)


cdef bint begins_with_bracket(const Output* output, const uint8_t* data, uint32_t length) noexcept nogil:
    """True if the current line or its leaf begins with "["; `data` is what has not been written yet.

    "[…]:" there defines a link. Its label may go over several lines.
    """
    cdef const TextBuffer* text = output.text
    if output.markdown.leaf_from < text.length and text.data[output.markdown.leaf_from] == c"[":
        return True
    if output.markdown.line_from < text.length:
        return text.data[output.markdown.line_from] == c"["
    return length > 0 and data[0] == c"["


cdef void escape_joint(Output* output, uint8_t next) noexcept nogil:
    """Escape the last character of the previous text node if it would be markup together with this next byte."""
    cdef uint8_t last
    if output.markdown.joint != output.text.length or output.text.length == 0:
        return
    last = last_byte(output.text)
    if (
        (last == c"<" and (is_ascii_letter(next) or next == c"/" or next == c"!" or next == c"?"))
        or (last == c"&" and (is_ascii_letter_or_digit(next) or next == c"#"))
        or (last == c"]" and (next == c"(" or next == c"["))
        or (last == c"]" and next == c":" and begins_with_bracket(output, NULL, 0))
        or (last == c"!" and next == c"[")
        or (
            (last == c":" and next == c"-" or last == c"$" and next == c"$")
            and output.markdown.line_from + 1 == output.text.length
        )
    ):
        escape_last(output)


cdef bint is_number_of_item(const Output* output, const uint8_t* data, uint32_t length) noexcept nogil:
    """True if a run that ends with "." or ")", with what precedes it on the line, would be a list item number."""
    cdef const TextBuffer* text = output.text
    cdef Slice before = no_text(), run = Slice(data=data, length=length - 1)
    if not output.markdown.line_start:
        if output.markdown.line_from >= text.length or text.length - output.markdown.line_from > MAX_DIGITS:
            return False
        before.data = text.data + output.markdown.line_from
        before.length = <uint32_t> (text.length - output.markdown.line_from)
    return 0 < before.length + run.length <= MAX_DIGITS and leading_digits(before) == before.length and (
        leading_digits(run) == run.length
    )


cdef bint may_be_reference(const uint8_t* data, uint32_t length, bint at_end) noexcept nogil:
    """True if "&" and what follows could be a character reference, perhaps only together with the next text node."""
    cdef uint32_t n = 0
    if n < length and data[n] == c"#":
        n += 1
    while n < length and is_ascii_letter_or_digit(data[n]):
        n += 1
    return n > 0 and (at_end if n == length else data[n] == c";")


cdef bint begins_like_a_mark(const Output* output, const uint8_t* data, uint32_t length) noexcept nogil:
    """True if a run at the beginning of a line would begin a footnote, a callout or, in an item, a task box."""
    if length > 1 and (data[1] == c"^" or data[1] == c"!"):
        return True
    if innermost_role(output) != ROLE_ITEM:
        return False
    return length == 1 or (length <= 3 and data[length - 1] == c"]")


ctypedef struct Run:        # characters without white space that are written
    const uint8_t* data
    uint32_t length
    bint at_end             # it ends its text node: what follows is unknown
    bint in_link
    bint in_a_cell
    bint start              # it begins its line


cdef bint needs_escape(const Output* output, const Run* run, uint32_t i) noexcept nogil:
    """True if the punctuation at byte i of a run would be markup without a backslash before it."""
    cdef const uint8_t* data = run.data
    cdef uint32_t length = run.length, k
    cdef uint8_t c = data[i], after = data[i + 1] if i + 1 < length else c" ", before = data[i - 1] if i else c" "
    if c == c"\\" or c == c"`":
        return True
    if c == c"*":       # a lone asterisk between spaces is no emphasis, but could begin an item
        return run.start or run.at_end or length > 1 or last_byte(output.text) != c" "
    if c == c"_":
        k = character_before(data, i)
        return not (
            is_word_character(data + i - k, k)
            and is_word_character(data + i + 1, character_length(data + i + 1, data + length))
        )
    if c == c"[":
        return run.in_link or (run.start and i == 0 and begins_like_a_mark(output, data, length))
    if c == c"]":
        # "[…]:" defines only at the beginning of a line; "[…][…]" leads only to a definition, such as a note's
        return run.in_link or after == c"(" or (after == c":" and begins_with_bracket(output, data, i)) or (
            after == c"[" and i + 2 < length and data[i + 2] == c"^"
        )
    if c == c"<":
        return is_ascii_letter(after) or after == c"/" or after == c"!" or after == c"?"
    if c == c"&":
        return may_be_reference(data + i + 1, length - i - 1, run.at_end)
    if c == c"~":
        return run.at_end and i + 1 == length or i == 0 or after == c"~" or before == c"~"
    if c == c"|":
        return run.in_a_cell or (run.start and i == 0)
    if c == c"." or c == c")":
        return i + 1 == length and is_number_of_item(output, data, length)
    if i or not (run.start or (c == c"#" and output.leaf == LEAF_HEADING)):
        return False
    if c == c"=" or c == c"#":
        k = 1
        while k < length and data[k] == c:
            k += 1
        return k == length
    if c == c"+" or c == c"-":
        return length == 1 or after == c"-" or after == c":" or after == c"|"
    # "$$" would begin a formula on display, which could end within the next code
    return c == c">" or (c == c":" and after == c"-") or (c == c"$" and after == c"$")


cdef void put_escaped(Output* output, const Run* run) noexcept nogil:
    """Write a run, with backslashes before what would be markup. escape_joint() may later escape the last character at
    the end of a text node.
    """
    cdef TextBuffer* text = output.text
    cdef uint32_t i
    cdef bint escape = False
    if run.length == 0 or text_room(text, 2 * <size_t> run.length + 3) < 0:
        return
    if run.start:
        output.markdown.line_from = text.length
    elif output.markdown.joint == text.length:
        escape_joint(output, run.data[0])
    elif output.markdown.mark_end == text.length and (
        run.data[0] == c"(" or (run.data[0] == c":" and begins_with_bracket(output, NULL, 0))
    ):
        put_byte(text, c"\\")       # "[^1](" would be a link, "[^1]:" its definition
    for i in range(run.length):
        escape = is_ascii_punctuation(run.data[i]) and needs_escape(output, run, i)
        THRESHER_CHECK(text.length + 2 <= text.capacity)
        if escape:
            text.data[text.length] = c"\\"
            text.length += 1
        text.data[text.length] = run.data[i]
        text.length += 1
    output.markdown.joint = text.length if run.at_end and not escape else 0


cdef void put_text(Output* output, const uint8_t* data, uint32_t length, bint at_end) noexcept nogil:
    cdef bint in_a_cell = in_cell(output) or output.leaf == LEAF_CELL
    cdef uint32_t i
    cdef Run run
    if in_span(output, SPAN_CODE):
        for i in range(length):     # a code span needs no escapes, but a bar would end the cell
            if data[i] == c"|" and in_a_cell:
                put_byte(output.text, c"\\")
            put_byte(output.text, data[i])
    else:
        run = Run(
            data=data, length=length, at_end=at_end, in_link=in_span(output, SPAN_LINK), in_a_cell=in_a_cell,
            start=output.markdown.line_start,
        )
        put_escaped(output, &run)
    output.markdown.line_start = False


cdef void put_words(Output* output, const uint8_t* data, uint32_t length, bint at_end) noexcept nogil:
    put(output.text, data, length)
    if not in_span(output, SPAN_CODE):
        output.markdown.joint = output.text.length if at_end else 0


cdef bint is_note_mark(const uint8_t* data, uint32_t length) noexcept nogil:
    """True if a text begins with a footnote's mark, such as "[^12]"."""
    cdef Slice text = Slice(data=data, length=length)
    cdef uint32_t digits
    if not begins(text, b"[^"):
        return False
    text = slice_from(text, 2)
    digits = leading_digits(text)
    return digits > 0 and begins(slice_from(text, digits), b"]")


cdef void put_tex(
    Output* output, const uint8_t* data, uint32_t start, uint32_t end, uint32_t length
) noexcept nogil:
    """Write the line [start, end) of a formula, its dollars included, so that it has neither code spans nor links in a
    renderer that knows no mathematics.

    TeX ignores the space and the empty group that are added, and reads `\\lq` as a backtick. A backslash would be more
    than an escape to it. Constructs that only change the look, such as emphasis, stay: they are in nearly every formula ("x_1").
    """
    cdef TextBuffer* text = output.text
    cdef bint escaped = False       # by a backslash, for TeX and for Markdown
    # "$$" within it would be the end of a formula on display, or the beginning of one that never ends
    cdef uint32_t n_dollars = 2 if length > 4 and data[length - 3] == c"\n" else 1
    cdef uint32_t i
    cdef uint8_t after
    for i in range(start, end):
        after = data[i + 1] if i + 1 < end else c" "
        if escaped:
            put_byte(text, data[i])
            escaped = False
        elif data[i] == c"`":
            put_string(text, b"\\lq{}" if is_ascii_letter(after) or after == c" " else b"\\lq")
        else:
            put_byte(text, data[i])
            escaped = data[i] == c"\\"
            if data[i] == c"]" and after == c"(":
                put_byte(text, c" ")
            elif data[i] == c"[" and is_note_mark(data + i, end - i):
                put_string(text, b"{}")
            elif data[i] == c"$" and after == c"$" and i + 1 >= n_dollars and i + n_dollars < length:
                put_byte(text, c" ")


cdef void put_verbatim(Output* output, const uint8_t* data, uint32_t length) noexcept nogil:
    cdef MarkdownState* state = &output.markdown
    cdef bint in_a_cell = in_cell(output) or output.leaf == LEAF_CELL
    cdef bint in_code = in_span(output, SPAN_CODE)
    cdef bint is_tex = not in_code and length > 0 and data[0] == c"$"
    cdef bint one_line = in_a_cell or in_code or output.leaf == LEAF_HEADING
    cdef bint first = state.leaf_from == output.text.length
    cdef uint32_t i, start = 0
    if length == 0:
        return
    escape_joint(output, data[0])
    one_line = one_line or data[0] == c"`"      # AsciiMath, which is a code span
    for i in range(length + 1):
        if i < length and data[i] != c"\n" and not (data[i] == c"|" and in_a_cell):
            continue
        if is_tex:
            put_tex(output, data, start, i, length)
        else:
            put(output.text, data + start, i - start)
        start = i
        if i == length:
            break
        if data[i] == c"|":
            put_byte(output.text, c"\\")
            continue
        start = i + 1
        if one_line:
            put_byte(output.text, c" ")
        else:
            put_byte(output.text, c"\n")
            put_prefix(output, False, False)
    state.line_start = False
    if data[0] == c"[":
        if data[length - 1] == c"]":
            state.mark_end = output.text.length
        elif first and not in_a_cell and output.leaf != LEAF_HEADING:
            state.note_from = output.text.length
            if innermost_role(output) == ROLE_NOTE:
                innermost(output).width = 4     # its further blocks are indented


cdef void put_prefix(Output* output, bint blank, bint always) noexcept nogil:
    """Write the line prefix of all containers that have begun, without trailing spaces if the line stays blank.

    Without `always`, nothing is written once prefixes have taken MAX_PREFIXES.
    """
    cdef TextBuffer* text = output.text
    cdef size_t start = text.length
    cdef uint32_t i
    if output.markdown.prefixes > MAX_PREFIXES and not always:
        return
    for i in range(output.n_containers):
        if not output.containers[i].written:
            break
        if output.containers[i].role == ROLE_QUOTE:
            put_string(text, b"> ")
        else:
            put_times(text, c" ", output.containers[i].width)
    output.markdown.prefixes += text.length - start
    while blank and text.length > start and text.data[text.length - 1] == c" ":
        text.length -= 1


cdef void white_space(Output* output, Gap gap) noexcept nogil:
    if gap == GAP_SPACE or in_span(output, SPAN_CODE):
        put_byte(output.text, c" ")
        output.markdown.line_start = False
    elif gap == GAP_LINE and (output.leaf == LEAF_CELL or in_cell(output)):
        put_string(output.text, b"<br>")
    elif output.leaf == LEAF_HEADING or output.leaf == LEAF_CELL or in_cell(output):
        put_byte(output.text, c" ")     # these stay on one line
    else:
        put_string(output.text, b"  \n" if gap == GAP_LINE else b"\n")
        put_prefix(output, False, False)
        if output.leaf == LEAF_ITEM:
            put_string(output.text, b"  ")
        output.markdown.line_start = True


# --- code ---


cdef CodeText look_at_code(const Output* output, uint32_t first, uint32_t end) noexcept nogil:
    """What the visible text of nodes [first, end) holds."""
    cdef CodeText found = CodeText(backticks=0, dollar=False, markup=False)
    cdef uint32_t n = next_visible(output.tree, output.metrics, first, end), run = 0, i
    cdef uint8_t c, before = 0
    cdef Slice text
    while n < end:
        text = text_of(output.tree, n) if output.tree.nodes[n].kind == KIND_TEXT else no_text()
        for i in range(text.length):
            c = text.data[i]
            run = run + 1 if c == c"`" else 0
            found.backticks = max(found.backticks, run)
            found.dollar = found.dollar or c == c"$"
            found.markup = found.markup or c == c"<" or c == c"(" and before == c"]"
            before = c
        n = next_visible(output.tree, output.metrics, n + 1, end)
    return found


cdef bint can_fence(Output* output, uint32_t pre) noexcept nogil:
    """True if code can be fenced. Counts the backticks once for a pre element, those inside it included."""
    cdef MarkdownState* state = &output.markdown
    if state.fence_node == 0 or not state.fence_node <= pre < output.tree.nodes[state.fence_node].end:
        state.fence_node = pre
        state.fence = max(<uint32_t> 3, look_at_code(output, pre + 1, output.tree.nodes[pre].end).backticks + 1)
    # Without prefixes the lines of the code would stand outside its containers, and outside the fence.
    return state.prefixes <= MAX_PREFIXES and (
        state.fence <= MAX_FENCE or state.fences + 2 * <size_t> state.fence <= MAX_FENCES
    )


cdef void put_code(Output* output, const uint8_t* data, uint32_t length) noexcept nogil:
    put(output.text, data, length)


cdef void put_code_line(Output* output) noexcept nogil:
    if output.markdown.prefixes > MAX_PREFIXES:
        put_byte(output.text, c" ")
        return
    put_byte(output.text, c"\n")
    put_prefix(output, False, True)


# --- spans ---


cdef bint after_span(const Output* output, uint32_t node, uint32_t end) noexcept nogil:
    """True if white space, punctuation or nothing follows an element within its block, which ends at `end`."""
    cdef uint32_t n = output.tree.nodes[node].end, looked = 0
    cdef Slice slice
    while n < end:
        if looked == MAX_LOOK:
            return False
        looked += 1
        if output.metrics.nodes[n].flags & FLAG_HIDDEN:
            n = output.tree.nodes[n].end
            continue
        if output.tree.nodes[n].kind == KIND_TEXT:
            slice = text_of(output.tree, n)
            THRESHER_CHECK(slice.length > 0)
            return is_space(slice.data[0]) or is_ascii_punctuation(slice.data[0])
        if output.tree.nodes[n].tag == TAG_BR:
            return True
        n += 1
    return True


cdef Edge last_edge(const Output* output, uint32_t node, uint32_t end) noexcept nogil:
    """The kind of character that an element's text ends with, within its block."""
    cdef uint32_t n = min(output.tree.nodes[node].end, end), looked = 0
    cdef const uint8_t* last
    cdef Slice slice
    while n > node + 1 and looked < MAX_LOOK:
        n -= 1
        looked += 1
        if output.tree.nodes[n].kind != KIND_TEXT or output.metrics.nodes[n].flags & (FLAG_HIDDEN | FLAG_BLANK):
            continue
        slice = text_of(output.tree, n)
        THRESHER_CHECK(slice.length > 0)
        last = slice.data + slice.length - 1
        while last > slice.data and is_space(last[0]):
            last -= 1
        while last > slice.data and last[0] & 0xC0 == 0x80:
            last -= 1
        return edge_of(last, character_length(last, slice.data + slice.length))
    return EDGE_OTHER


cdef bint is_all_of(const Tree* tree, uint32_t node, uint32_t around) noexcept nogil:
    """True if an element is the only child of another one."""
    return node == around + 1 and tree.nodes[node].end == tree.nodes[around].end


cdef const char* marker_of(SpanRole role) noexcept nogil:
    """The marker of a span that has the same marker on both sides."""
    if role == SPAN_STRONG:
        return b"**"
    return b"~~" if role == SPAN_STRIKE else b"*"


cdef bint can_emphasise(const Output* output, uint32_t node, Edge first, uint32_t end) noexcept nogil:
    """True if a parser would read markers around this element as emphasis (CommonMark 6.2), and no marker nearby could
    interfere.

    Checked before anything is written. The rule is narrower than CommonMark's: a single level with white space or
    punctuation outside, or plain text with letters at both ends. An element that fills another one adds no level.
    """
    cdef uint8_t before = last_byte(output.text)
    cdef bint plain = output.tree.nodes[node].end == node + 2
    cdef Edge last
    cdef uint32_t i
    if first == EDGE_OTHER or in_span(output, SPAN_CODE):
        return False
    for i in range(output.n_spans):
        if output.spans[i].state == SPAN_WRITTEN and output.spans[i].role != SPAN_LINK:
            # these markers stand beside the outer ones, which were accepted
            return output.spans[i].begun == output.text.length and is_all_of(output.tree, node, output.spans[i].node)
    if before == c"*" or before == c"~" or before == c"\\":
        return False
    if not (output.fresh or is_space(before) or (first == EDGE_WORD and plain)):
        return False
    last = last_edge(output, node, end)
    return last != EDGE_OTHER and (after_span(output, node, end) or (last == EDGE_WORD and plain))


cdef bint may_escape(Output* output, const CodeText* code) noexcept nogil:
    """True for code that could stand outside its backticks in a renderer with mathematics.

    There, a dollar in the text forms a formula together with one in code, and the backtick between them is part of it.
    So the code goes on after its dollar as ordinary text, and later code too if its backticks are paired differently.
    """
    cdef MarkdownState* state = &output.markdown
    state.code_dollar = state.code_dollar or code.dollar
    if not state.code_dollar or not code.markup:
        return False
    if not state.any_dollar and state.searched < output.text.length:
        state.any_dollar = memchr(
            output.text.data + state.searched, c"$", output.text.length - state.searched
        ) != NULL
        state.searched = output.text.length
    return state.any_dollar


cdef bint begin_span(Output* output, Span* span, Edge first) noexcept nogil:
    cdef const Block* block = output.blocks.blocks + output.block
    if span.role == SPAN_LINK:
        escape_joint(output, c"[")
        put_byte(output.text, c"[")
    elif span.role == SPAN_CODE:
        if last_byte(output.text) == c"`" and not output.fresh:
            return False
        if span.fence == 0 or span.block != output.block:
            span.block = output.block
            span.code = look_at_code(
                output, max(span.node + 1, block.start), min(output.tree.nodes[span.node].end, block.end)
            )
            span.fence = span.code.backticks + 1
        if span.fence > MAX_FENCE or may_escape(output, &span.code):
            return False
        put_times(output.text, c"`", span.fence)
        if span.fence > 1:
            put_byte(output.text, c" ")
    elif span.role == SPAN_STRONG or span.role == SPAN_EMPHASIS or span.role == SPAN_STRIKE:
        if not can_emphasise(output, span.node, first, block.end):
            return False
        put_string(output.text, marker_of(span.role))
    else:
        return False
    span.begun = output.text.length
    output.markdown.line_start = False
    return True


cdef void put_destination(Output* output) noexcept nogil:
    """End a link or an image whose address is output.url. A parser decodes references in an address; they are written
    so that it gets back what the page says.

    Where a scheme could stand, "&" is percent-encoded: some parsers decode "javascript&amp;colon;" twice.
    """
    cdef const uint8_t* data = output.url.data
    cdef uint32_t i, length = output.url.length
    cdef bint may_be_scheme = True
    put_string(output.text, b"](")
    for i in range(length):
        if data[i] == c"&" and may_be_reference(data + i + 1, length - i - 1, False):
            put_string(output.text, b"%26" if may_be_scheme else b"&amp;")
        else:
            may_be_scheme = may_be_scheme and data[i] not in (c":", c"/", c"?", c"#")
            put_byte(output.text, data[i])
    put_byte(output.text, c")")
    output.addresses += length


cdef void end_span(Output* output, Span* span) noexcept nogil:
    if span.role == SPAN_LINK:
        if put_address(output, span.node, ATTR_HREF):
            put_destination(output)
        else:
            put_string(output.text, b"]()")
    elif span.role == SPAN_CODE:
        if span.fence > 1:
            put_byte(output.text, c" ")
        put_times(output.text, c"`", span.fence)
    else:
        put_string(output.text, marker_of(span.role))


cdef void put_image(Output* output, Slice alt) noexcept nogil:
    cdef Slice word
    cdef Run run = Run(data=NULL, length=0, at_end=True, in_link=True, in_a_cell=True, start=False)
    alt = without_space(alt)
    put_string(output.text, b"![")
    output.markdown.line_start = False
    while next_word(&alt, &word):
        run.data, run.length = word.data, word.length
        put_escaped(output, &run)
        if alt.length:
            put_byte(output.text, c" ")
    put_destination(output)


# --- leaves and containers ---


cdef bint takes_colon(const Output* output, uint32_t description, Leaf leaf) noexcept nogil:
    """True if a description begins with its own text, below its term or another description of the term."""
    if description + 1 != output.n_containers or (leaf != LEAF_BARE and leaf != LEAF_PARAGRAPH):
        return False
    return (
        description > 0 and output.containers[description - 1].role == ROLE_TERMS
        and output.containers[description - 1].has_term
    )


cdef bint can_interrupt(const Output* output, uint32_t first) noexcept nogil:
    """True if the list that begins with container `first` can follow a line of text: one with bullets, or numbered from
    1 (CommonMark 5.3).
    """
    while first < output.n_containers:
        if output.containers[first].role == ROLE_ITEM:
            return output.containers[first - 1].role != ROLE_NUMBERED or output.containers[first - 1].number == 1
        first += 1
    return True     # text in a list but in no item is written with a bullet


cdef bint is_tight(const Output* output, uint32_t first, Leaf leaf) noexcept nogil:
    """True if no blank line precedes a leaf. `first` is the first container that has not begun."""
    cdef const OutputContainer* container
    if first == output.n_containers:
        if leaf == LEAF_ITEM:
            return output.containers[first - 1].node == output.markdown.loose_list
        return leaf == LEAF_PARAGRAPH and output.markdown.title_end == output.text.length - 1
    container = &output.containers[first]
    if container.role == ROLE_ITEM:
        return True
    if container.role == ROLE_DESCRIPTION:
        return takes_colon(output, first, leaf)
    if container.role == ROLE_LIST and output.markdown.title_end == output.text.length - 1:
        return can_interrupt(output, first)
    if container.role == ROLE_ROW:
        return output.containers[first - 1].has_head
    if container.role == ROLE_LIST or container.role == ROLE_NUMBERED:
        return (
            first > 0 and output.bare_item != 0 and can_interrupt(output, first)
            and (
                output.containers[first - 1].node == output.bare_item
                or container.width and output.tree.nodes[output.bare_item].parent == output.containers[first - 1].node
            )
        )
    return False


cdef void put_cells(Output* output, OutputContainer* row, uint32_t count) noexcept nogil:
    """Write cells until a row has `count`: the text of a covering cell again if it is short, or nothing."""
    cdef TextBuffer* text = output.text
    cdef const Covering* covering
    while row.cells < count and row.cells < MAX_COLUMNS:
        covering = covering_at(output, row.cells)
        if (
            covering != NULL and covering.length <= LONGEST and output.repeated + covering.length <= MAX_REPEATED
            and text_room(text, covering.length) == 0
        ):
            output.repeated += covering.length
            memcpy(text.data + text.length, text.data + covering.start, covering.length)
            text.length += covering.length
            put_string(text, b" |")
        else:
            put_string(text, b"  |")
        row.cells += 1


cdef void put_covered_end(Output* output, OutputContainer* row) noexcept nogil:
    """Write the cells at the end of a row that other cells cover."""
    cdef uint32_t column
    for column in range(MAX_SPANNED, row.cells, -1):
        if covering_at(output, column - 1) != NULL:
            put_cells(output, row, column)
            return


cdef void put_rule(Output* output, uint32_t columns) noexcept nogil:
    """Write the delimiter row below a table's head."""
    cdef uint32_t i
    put_byte(output.text, c"\n")
    put_prefix(output, False, False)
    put_byte(output.text, c"|")
    for i in range(columns):
        put_string(output.text, b" --- |")


cdef bint shows_text(const Output* output, uint32_t n) noexcept nogil:
    """True for a node with text that is written if it is kept."""
    return output.metrics.nodes[n].characters and not output.metrics.nodes[n].flags & FLAG_HIDDEN


cdef bint is_bold(const Output* output, uint32_t cell) noexcept nogil:
    """True if all text of a cell stands in strong or b."""
    cdef const Node* nodes = output.tree.nodes
    cdef uint32_t n
    for n in range(cell + 1, min(cell + 4, nodes[cell].end)):
        if nodes[n].kind == KIND_ELEMENT and (nodes[n].tag == TAG_STRONG or nodes[n].tag == TAG_B):
            return output.metrics.nodes[n].characters == output.metrics.nodes[cell].characters
    return False


cdef bint row_is_bold(const Output* output, uint32_t row) noexcept nogil:
    """True for a row with at least two non-empty cells, all bold."""
    cdef uint32_t n = row + 1, cells = 0
    while n < output.tree.nodes[row].end:
        if shows_text(output, n):
            if not is_bold(output, n):
                return False
            cells += 1
        n = output.tree.nodes[n].end
    return cells > 1


cdef bint is_head(const Output* output, uint32_t row) noexcept nogil:
    """True for a header row: one in thead, one whose non-empty cells are all th, or a bold row above a plain one."""
    cdef const Node* nodes = output.tree.nodes
    cdef uint32_t n = row + 1, cells = 0
    cdef bint other = False
    if nodes[nodes[row].parent].tag == TAG_THEAD:
        return True
    while n < nodes[row].end:
        if nodes[n].tag == TAG_TH and nodes[n].kind == KIND_ELEMENT:
            cells += 1
        else:
            other = other or shows_text(output, n)
        n = nodes[n].end
    if not other:
        return cells > 0
    if not row_is_bold(output, row):
        return False
    while n < nodes[nodes[row].parent].end:
        if nodes[n].kind == KIND_ELEMENT and nodes[n].tag == TAG_TR:
            return not row_is_bold(output, n)
        n = nodes[n].end
    return False


cdef void begin_row(Output* output, OutputContainer* row) noexcept nogil:
    """Begin a row. A table without a head gets an empty one first."""
    cdef OutputContainer* table = row - 1
    cdef uint32_t columns = max(min(table.columns, <uint32_t> MAX_COLUMNS), <uint32_t> 1), i
    if not table.has_head:
        row.is_head = is_head(output, row.node)
        if not row.is_head:
            put_byte(output.text, c"|")
            for i in range(columns):
                put_string(output.text, b"  |")
            put_rule(output, columns)
            put_byte(output.text, c"\n")
            put_prefix(output, False, False)
        table.has_head = True
    put_byte(output.text, c"|")


cdef void begin_callout(Output* output, const OutputContainer* callout) noexcept nogil:
    """Write the kind of a callout, on the line of its title or on its own line. That line is text, which not every list
    can follow.
    """
    put_string(output.text, b"[!")
    put(output.text, callout.callout.data, callout.callout.length)
    put_byte(output.text, c"]")
    if callout.titled:
        put_byte(output.text, c" ")
        output.markdown.line_start = False
    else:
        put_byte(output.text, c"\n")
        if not can_interrupt(output, <uint32_t> (callout - output.containers) + 1):
            put_prefix(output, True, False)
            put_byte(output.text, c"\n")
        put_prefix(output, False, False)


cdef const char* bullet(const OutputContainer* list) noexcept nogil:
    """The marker of an item without a number."""
    return b"* " if list.other_marker else b"- "


cdef void begin_container(Output* output, OutputContainer* container, Leaf leaf) noexcept nogil:
    """Write the marker of a container, if it has one. `container - 1` is the container around it."""
    cdef TextBuffer* text = output.text
    cdef size_t start = text.length
    if container.role == ROLE_QUOTE:
        put_string(text, b"> ")
        if container.callout.length:
            # a title that gave no text is followed by something else, which needs a line of its own
            container.titled = container.titled and leaf == LEAF_PARAGRAPH and container == innermost(output)
            begin_callout(output, container)
    elif container.role == ROLE_TERM:
        (container - 1).has_term = True
    elif container.role == ROLE_DESCRIPTION:
        if takes_colon(output, <uint32_t> (container - output.containers), leaf):
            put_string(text, b": ")
            container.width = 2
    elif container.role == ROLE_ITEM:
        if (container - 1).role == ROLE_NUMBERED:
            container.number = (container - 1).number
            if (container - 1).down:
                (container - 1).number -= container.number > 0
            else:
                (container - 1).number += 1
            put_number(text, container.number)
            put_string(text, b") " if (container - 1).other_marker else b". ")
        else:
            put_string(text, bullet(container - 1))
        container.width = (container - 1).item_width = <uint32_t> (text.length - start)
    elif container.role == ROLE_LIST or container.role == ROLE_NUMBERED:
        put_times(text, c" ", container.width)
    elif container.role == ROLE_ROW:
        begin_row(output, container)
    elif holds_cell(container):
        put_cells(output, container - 1, container.seen)
        container.start = text.length
        put_byte(text, c" ")
        (container - 1).cells += 1
        output.markdown.line_start = False


cdef void forget_dollars(Output* output) noexcept nogil:
    """Begin a paragraph, item or cell: no formula reaches into it."""
    output.markdown.searched = output.text.length
    output.markdown.any_dollar = output.markdown.code_dollar = False


cdef void begin_containers(Output* output, Leaf leaf, uint32_t end) noexcept nogil:
    """Write what separates a leaf from the text before it, and the markers of the containers around it, up to `end`,
    that have not begun.
    """
    cdef TextBuffer* text = output.text
    cdef MarkdownState* state = &output.markdown
    cdef uint32_t first = 0, i
    # A blank line ends HTML, or the end of the item that it stands in.
    cdef bint after_html = text.length > 0 and state.html_end == text.length
    while first < output.n_containers and output.containers[first].written:
        first += 1
    after_html = after_html and not (first < output.n_containers and output.containers[first].role == ROLE_ITEM)
    if state.ended_at == text.length and first < output.n_containers:
        # Two lists in a row with the same marker would be one (CommonMark 5.3).
        output.containers[first].other_marker = (
            state.ended.role == output.containers[first].role and not state.ended.other_marker
        )
    if first < output.n_containers and holds_cell(&output.containers[first]):
        state.line_start = False    # within the current row
        forget_dollars(output)
    elif text.length and first == output.n_containers and in_cell(output):
        put_string(text, b"<br>")
        state.line_start = False
    else:
        if text.length:
            put_byte(text, c"\n")
            if after_html or not is_tight(output, first, leaf):
                put_prefix(output, True, False)
                put_byte(text, c"\n")
                forget_dollars(output)
            elif first < output.n_containers and output.containers[first].role in (
                ROLE_ITEM, ROLE_LIST, ROLE_NUMBERED, ROLE_ROW
            ):
                forget_dollars(output)
        put_prefix(output, False, False)
        state.line_start = True
    for i in range(first, end):
        output.containers[i].written = True
        begin_container(output, &output.containers[i], leaf)


cdef void begin_leaf(Output* output, Leaf leaf) noexcept nogil:
    """Write the separator before a leaf, and the leaf's own beginning."""
    cdef TextBuffer* text = output.text
    cdef MarkdownState* state = &output.markdown
    cdef OutputContainer* around = innermost(output)
    cdef Slice language
    begin_containers(output, leaf, output.n_containers)
    if leaf == LEAF_ITEM:
        put_string(text, bullet(around))
        state.loose_list = around.node
    elif innermost_role(output) == ROLE_TABLE:
        around.has_head = False      # a caption: the table begins, or begins again, after it
    elif leaf == LEAF_CELL and last_byte(text) == c"|":     # not below its row
        put_byte(text, c" ")
        state.line_start = False
    if leaf == LEAF_CODE:
        language = code_language(output.tree, output.metrics, output.code)
        state.open_fence = state.fence
        if state.fence > MAX_FENCE:
            state.fences += 2 * <size_t> state.fence
        put_times(text, c"`", state.open_fence)
        put(text, language.data, language.length)
        put_byte(text, c"\n")
        put_prefix(output, False, True)
    elif leaf == LEAF_HEADING:
        put_times(text, c"#", output.heading)
        put_byte(text, c" ")
        state.line_start = False
    elif leaf == LEAF_RULE:
        put_string(text, b"---")
    state.leaf_from = text.length
    state.note_from = 0


cdef void end_definition(Output* output) noexcept nogil:
    """Add a space, as a reference, to the note that the current leaf is, if a parser without footnotes would make its
    mark a link that leads somewhere or has a title: "[^1]: http://…", "[^1]: word 'title'".
    """
    cdef TextBuffer* text = output.text
    cdef size_t i = output.markdown.note_from, end
    cdef bint leads_somewhere = False
    while i < text.length and (text.data[i] == c" " or text.data[i] == c"\n" or text.data[i] == c">"):
        i += 1      # also the prefix of a second line
    while i < text.length and text.data[i] != c" " and text.data[i] != c"\n":
        leads_somewhere = leads_somewhere or text.data[i] == c":" or text.data[i] == c"/"
        i += 1
    end = i
    while i < text.length and text.data[i] == c" ":
        i += 1
    if not leads_somewhere if i == text.length or text.data[i] == c"\n" else text.data[i] not in (c'"', c"'", c"("):
        return
    if text_room(text, 6) == 0:
        memmove(text.data + end + 6, text.data + end, text.length - end)
        memcpy(text.data + end, b" &#32;", 6)
        text.length += 6


cdef void end_leaf(Output* output) noexcept nogil:
    cdef uint32_t n = output.n_containers
    while n and not output.containers[n - 1].written:
        n -= 1
    if n and output.containers[n - 1].titled:       # this was the title
        output.containers[n - 1].titled = False
        output.markdown.title_end = output.text.length
    if output.markdown.note_from:
        end_definition(output)
    if output.leaf == LEAF_CODE:
        put_byte(output.text, c"\n")
        put_prefix(output, False, True)
        put_times(output.text, c"`", output.markdown.open_fence)


cdef void end_container(Output* output, OutputContainer* container) noexcept nogil:
    cdef uint32_t columns
    if holds_cell(container):
        if output.text.length - container.start <= MAX_REPEATED:
            cover_columns(output, container, container.start, <uint32_t> (output.text.length - container.start))
        put_string(output.text, b" |")
    elif container.role == ROLE_ROW:
        put_covered_end(output, container)
        if container.is_head:
            columns = max(min((container - 1).columns, <uint32_t> MAX_COLUMNS), container.cells)
            put_cells(output, container, columns)
            put_rule(output, columns)
    output.markdown.ended = container[0]
    output.markdown.ended_at = output.text.length
