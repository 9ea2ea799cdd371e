# SPDX-License-Identifier: Apache-2.0
"""Assembles the lines of a listing, and leaves out their numbers.

One forward walk assembles the text. An element that makes a line (div, li, tr, …) starts on a new line and ends its
line, even if it is empty. A span for each line ends the line only if nothing else does. Line breaks and white space
between such elements belong to the page's source, not to the code.
"""

from libc.string cimport memchr, memmove

from thresher.native.constructs.class_words cimport *
from thresher.native.constructs.code_labels cimport is_label, language_in_label
from thresher.native.constructs.prefixes cimport is_blank_text
from thresher.native.parsing.tag_table cimport fill_tags
from thresher.native.shown.decision cimport HOW_BLOCK, HOW_LINE, WHY_FAINT, WHY_SHOWN


cdef enum:
    MAX_OPEN = 64           # nested elements that make lines; deeper ones make none
    MAX_NUMBERS = 1024      # nodes of a gutter that are inspected
    MAX_BLANK = 64          # white space between two line numbers
    MAX_DIGITS = 6          # of a line number
    MAX_IN_CELL = 6         # nodes of a cell that are searched for a gutter, a pre or code
    MAX_AROUND = 3          # containers of a pre element that are searched for numbers beside it


cdef enum Display:
    DISPLAY_INLINE = 0
    DISPLAY_BLOCK = 1       # begins on a new line and ends it
    DISPLAY_LINE = 2        # a span for each line
    DISPLAY_NONE = 3


ctypedef struct Open:       # an element that makes a line or holds lines
    uint32_t node
    uint32_t end
    size_t start            # of its text
    bint line               # it makes a line even if it is empty
    Display display


ctypedef struct Lines:
    Rewriting* page
    Open[MAX_OPEN] open
    uint32_t n_open
    bint after_block        # only white space so far since the end of an element that makes lines
    uint32_t numbered       # the listing, if each child of it is a line that begins with its number; else 0
    Slice language          # that an omitted label names; empty if none does


cdef uint8_t[TAG_COUNT] DISPLAYS
fill_tags(DISPLAYS, {
    DISPLAY_BLOCK: "div li tr p pre ol ul table tbody thead tfoot figure section listing xmp caption",
    DISPLAY_NONE: "script style template iframe object audio video canvas select textarea button noscript input title",
})


# --- what an element is ---


cdef bint holds_digits(Rewriting* page, uint32_t n) noexcept nogil:
    """True if the first texts of an element are whole numbers, white space and what sets a number apart from its line,
    or if it has no text. Charges the bytes that it reads.
    """
    cdef uint32_t i
    cdef Slice text
    for i in range(n + 1, min(page.tree.nodes[n].end, n + <uint32_t> MAX_NUMBERS)):
        text = text_of(page.tree, i) if page.tree.nodes[i].kind == KIND_TEXT else no_text()
        if text.length and text.data[0] in (c".", c":", c"|", c")"):
            return False
        while text.length:
            if not charge(page, 1):
                return False
            if take_exact(&text, b"\xc2\xa0"):
                continue
            if text.data[0] in (c".", c":", c"|", c")"):
                if text.length > 1 and is_ascii_digit(text.data[1]):
                    return False
            elif not (is_ascii_digit(text.data[0]) or is_space(text.data[0])):
                return False
            text = slice_from(text, 1)
    return True


cdef bint shows_own_number(Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element that shows the number in its data-line-number, data-lineno or the like, and for a cell that
    has one to show. A line of code can have one too.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef const Attribute* attribute = page.tree.attributes + nodes[n].attributes
    cdef Slice text
    cdef uint32_t i
    if nodes[n].end == n + 1:
        return is_cell(nodes + n) and find_named(page.tree, n, b"data-line-number") != NULL
    text = without_space(text_of(page.tree, n + 1))
    if nodes[n + 1].kind != KIND_TEXT or text.length == 0:
        return False
    for i in range(nodes[n].n_attributes):
        if (
            attribute[i].name == ATTR_UNKNOWN and same_bytes(value_of(page.tree, attribute + i), text)
            and begins(name_of(page.tree, attribute + i), b"data-l")
        ):
            return True     # data-line, data-lineno, data-ln, …
    return False


cdef bint is_gutter(Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element of a listing that holds one or more line numbers, or whose style displays them."""
    cdef const Node* node = page.tree.nodes + n
    if node.n_attributes == 0:
        return False
    if node.tag == TAG_CODE and node.end >= page.tree.nodes[node.parent].end:
        return False        # the listing itself; `line-numbers` asks for some
    return (
        class_says(page.tree, n, SAYS_NUMBER) or shows_own_number(page, n)
        or style_says(page.tree, n, STYLE_UNSELECTABLE)
    ) and holds_digits(page, n)


cdef bint is_number_cell(Rewriting* page, uint32_t cell) noexcept nogil:
    """True for a cell of line numbers, marked itself or by one of the elements that it begins with."""
    cdef uint32_t n
    for n in range(cell, min(cell + MAX_IN_CELL, page.tree.nodes[cell].end)):
        if page.tree.nodes[n].kind == KIND_ELEMENT and is_gutter(page, n) and (n == cell or holds_digits(page, cell)):
            return True
    return False


cdef uint32_t counted(Rewriting* page, uint32_t n) noexcept nogil:
    """How many numbers an element holds, if it holds nothing else and each is one more than the one before; else 0.
    """
    cdef uint32_t i, digits, number, count = 0, last = 0, end = page.tree.nodes[n].end
    cdef Slice text, rest
    if end > n + MAX_NUMBERS:
        return 0
    for i in range(n + 1, end):
        if page.tree.nodes[i].kind != KIND_TEXT:
            continue
        text = text_of(page.tree, i)
        while text.length:
            rest = without_leading_space(text)
            digits = leading_digits(rest)
            number = number_in(first_bytes(rest, digits), MAX_DIGITS)
            if text.length - rest.length > MAX_BLANK or digits > MAX_DIGITS or digits == 0 and rest.length:
                return 0
            if digits:
                if count and number != last + 1:
                    return 0
                count += 1
                last = number
            text = slice_from(rest, digits)
    return count


cdef uint32_t counting_cell(Rewriting* page, uint32_t row) noexcept nogil:
    """The first of a row's two cells, if it counts up and the other one holds a pre element; 0 otherwise."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t end = nodes[row].end, first = next_cell(nodes, row + 1, end), other, n
    other = next_cell(nodes, nodes[first].end, end) if first < end else end
    if other == end or next_cell(nodes, nodes[other].end, end) < end or counted(page, first) < 2:
        return 0
    for n in range(other + 1, min(other + MAX_IN_CELL, nodes[other].end)):
        if nodes[n].kind == KIND_ELEMENT and nodes[n].tag == TAG_PRE:
            return first
    return 0


cdef bint counts_lines(Rewriting* page, uint32_t n, uint32_t listing) noexcept nogil:
    """True for an element that holds nothing but a number for each of two or more lines of a listing."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t count = counted(page, n), i, k, lines = 1, owed = 0
    cdef Slice text
    if count < 2:
        return False
    for i in range(listing + 1, nodes[listing].end):
        if not charge(page, 1 + nodes[i].length):
            return False
        if nodes[i].kind != KIND_TEXT:
            continue
        text = text_of(page.tree, i)
        for k in range(text.length):
            if text.data[k] == c"\n":
                owed += 1       # of those at the end none begins a line
            else:
                lines += owed
                owed = 0
    return lines == count


cdef bint counts_next(Rewriting* page, uint32_t n) noexcept nogil:
    """True for a code element that holds a number for each line of the code element after it."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t after = nodes[n].end
    return (
        after < nodes[nodes[n].parent].end and nodes[after].kind == KIND_ELEMENT and nodes[after].tag == TAG_CODE
        and counts_lines(page, n, after)
    )


cdef uint32_t numbers_beside(Rewriting* page, uint32_t n) noexcept nogil:
    """The element that counts the lines of a pre element: the first one in the same container, marked as line numbers
    or set beside the listing. 0 if there is none.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t level, parent, first, after
    for level in range(MAX_AROUND):
        parent = nodes[n].parent
        if nodes[parent].kind != KIND_ELEMENT:
            return 0
        first = past_blank(page.tree, parent + 1, n)
        if first < n:
            break
        n = parent
    else:
        return 0
    after = past_blank(page.tree, nodes[first].end, n)
    return first if (
        after == n and nodes[first].kind == KIND_ELEMENT
        and nodes[first].tag in (TAG_DIV, TAG_SPAN, TAG_PRE, TAG_CODE)
        and (
            is_number_cell(page, first) or class_says(page.tree, parent, SAYS_ROW)
            or style_says(page.tree, parent, STYLE_ROW)
        )
    ) else 0


cdef bint is_span_of_line(Rewriting* page, uint32_t n) noexcept nogil:
    """True for a span that holds a line."""
    cdef const Node* node = page.tree.nodes + n
    if node.kind != KIND_ELEMENT or node.tag != TAG_SPAN or node.n_attributes == 0:
        return False
    return class_says(page.tree, n, SAYS_LINE) or find_named(page.tree, n, b"data-line") != NULL


cdef Display display_of(Rewriting* page, uint32_t n) noexcept nogil:
    """How an element in a listing is displayed."""
    cdef const Node* node = page.tree.nodes + n
    cdef Display display
    if node.namespace != NS_HTML:
        return DISPLAY_NONE
    display = <Display> DISPLAYS[node.tag] if node.tag < TAG_COUNT else DISPLAY_INLINE
    if display == DISPLAY_NONE or node.n_attributes == 0:
        return display
    if (
        page.shown[n].why not in (WHY_SHOWN, WHY_FAINT) or is_gutter(page, n)
        or class_says(page.tree, n, SAYS_POPUP)
        or display == DISPLAY_INLINE and last_byte(page.text) == c"\n" and holds_digits(page, n)
        and style_says(page.tree, n, STYLE_UNSELECTABLE | STYLE_APART)
    ):
        return DISPLAY_NONE
    if node.tag == TAG_SPAN:
        if page.shown[n].how & HOW_LINE == HOW_BLOCK:
            return DISPLAY_BLOCK
        if is_span_of_line(page, n):
            return DISPLAY_LINE
    return display


cdef bint is_block(Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element whose name alone makes it start a new line."""
    cdef const Node* node = page.tree.nodes + n
    return (
        node.kind == KIND_ELEMENT and node.namespace == NS_HTML and node.tag < TAG_COUNT
        and DISPLAYS[node.tag] == DISPLAY_BLOCK
    )


cdef bint is_empty_line(Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element that makes a line even if it is empty."""
    cdef const Node* node = page.tree.nodes + n
    return node.tag == TAG_LI or node.tag == TAG_TR or class_says(page.tree, n, SAYS_LINE)


cdef bint holds_code(Rewriting* page, uint32_t cell) noexcept nogil:
    """True for a cell whose class or content marks it as code."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n
    for n in range(cell + 1, min(cell + 4, nodes[cell].end)):
        if nodes[n].kind == KIND_ELEMENT and (nodes[n].tag == TAG_PRE or nodes[n].tag == TAG_CODE):
            return True
    return class_says(page.tree, cell, SAYS_CODE_CELL)


cdef bint row_holds_code(Rewriting* page, uint32_t row) noexcept nogil:
    """True if a cell of the row is marked as code. The other cells then hold none."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t end = nodes[row].end, n = next_cell(nodes, row + 1, end), cells = 0
    while n < end and cells < MAX_CELLS:
        cells += 1
        if not is_number_cell(page, n) and holds_code(page, n):
            return True
        n = next_cell(nodes, nodes[n].end, end)
    return False


# --- text ---


cdef void put_code_text(TextBuffer* text, Slice slice) noexcept nogil:
    """Append text of a listing: no-break spaces become spaces; zero-width spaces and byte order marks are dropped."""
    cdef Slice rest = slice
    cdef const uint8_t* end
    cdef bint space
    while rest.length:
        end = rest.data
        space = take_exact(&rest, b"\xc2\xa0")
        if space or take_exact(&rest, b"\xe2\x80\x8b") or take_exact(&rest, b"\xef\xbb\xbf"):
            put(text, slice.data, end - slice.data)
            put_string(text, b" " if space else b"")
            slice = rest
        else:
            rest = slice_from(rest, 1)
    put(text, slice.data, slice.length)


cdef bint lays_out_table(Rewriting* page, uint32_t n) noexcept nogil:
    """True for white space between the parts of a table, or on a line of its own beside an element in a cell."""
    cdef const Node* node = page.tree.nodes + n
    cdef const Node* parent = page.tree.nodes + node.parent
    cdef Slice text
    if parent.kind != KIND_ELEMENT or parent.namespace != NS_HTML:
        return False
    if parent.tag == TAG_TD or parent.tag == TAG_TH:
        text = text_of(page.tree, n)
        return (n > node.parent + 1 or node.end < parent.end) and memchr(text.data, c"\n", text.length) != NULL
    return parent.tag in (TAG_TABLE, TAG_TBODY, TAG_THEAD, TAG_TFOOT, TAG_TR, TAG_COLGROUP)


cdef bint is_between_lines(const Lines* lines, uint32_t n) noexcept nogil:
    """True for white space between elements that make lines."""
    cdef Rewriting* page = lines.page
    cdef const Node* node = page.tree.nodes + n
    cdef uint32_t after = node.end, parent_end = page.tree.nodes[node.parent].end
    if not is_blank_text(page, n):
        return False
    if after < parent_end and is_block(page, after) and (lines.after_block or n == node.parent + 1):
        return True
    if lays_out_table(page, n):
        return True
    return lines.after_block and after >= parent_end


# --- the walk ---


cdef void close_one(Lines* lines) noexcept nogil:
    """Close the innermost open element."""
    cdef Open* one = &lines.open[lines.n_open - 1]
    cdef Rewriting* page = lines.page
    cdef TextBuffer* text = page.text
    cdef size_t i
    lines.n_open -= 1
    if one.display == DISPLAY_LINE:
        for i in range(one.start, text.length):
            if text.data[i] == c"\n":
                return
        if (
            one.end < page.tree.n_nodes and page.tree.nodes[one.end].parent == page.tree.nodes[one.node].parent
            and is_span_of_line(page, one.end)
        ):
            put_byte(text, c"\n")
        return
    lines.after_block = True
    if text.length > one.start:
        if text.data[text.length - 1] == c"\n":
            return
        while text.length > one.start and (text.data[text.length - 1] == c" " or text.data[text.length - 1] == c"\t"):
            text.length -= 1
        put_byte(text, c"\n")
    elif one.line:
        put_byte(text, c"\n")


cdef void open_one(Lines* lines, uint32_t n, Display display) noexcept nogil:
    """Open an element that makes a line or holds lines."""
    cdef Open* one = &lines.open[lines.n_open]
    cdef TextBuffer* text = lines.page.text
    if lines.n_open == MAX_OPEN:
        return
    if display == DISPLAY_BLOCK:
        if not last_byte(text) == c"\n":
            put_byte(text, c"\n")
        lines.after_block = False
    one.node = n
    one.end = lines.page.tree.nodes[n].end
    one.start = text.length
    one.display = display
    one.line = display == DISPLAY_BLOCK and is_empty_line(lines.page, n)
    lines.n_open += 1


cdef bint takes_cell(Lines* lines, uint32_t cell) noexcept nogil:
    """True for a cell whose text belongs to the listing."""
    cdef Rewriting* page = lines.page
    cdef uint32_t row = page.tree.nodes[cell].parent
    if is_number_cell(page, cell):
        return False
    if not charge(page, cell - row):    # the row is read anew for each cell
        return True
    return counting_cell(page, row) != cell and (holds_code(page, cell) or not row_holds_code(page, row))


cdef uint32_t number_before(Rewriting* page, uint32_t line) noexcept nogil:
    """The number in the first element of a line that also holds other text; 0 if there is none."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n = line + 1
    if (
        n + 1 >= nodes[line].end or nodes[n].kind != KIND_ELEMENT or nodes[n].end >= nodes[line].end
        or nodes[n + 1].kind != KIND_TEXT or nodes[n].end != n + 2 or nodes[nodes[n].end].kind != KIND_ELEMENT
    ):
        return 0
    return number_in(text_of(page.tree, n + 1), MAX_DIGITS)


cdef bint lines_are_numbered(Rewriting* page, uint32_t parent) noexcept nogil:
    """True if an element has two or more lines and each begins with its number, in an element of its own."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n = parent + 1, found, number = 0, count = 0
    while n < nodes[parent].end:
        if nodes[n].kind == KIND_ELEMENT:
            found = number_before(page, n)
            if found == 0 or (count and found != number + 1):
                return False
            number = found
            count += 1
        elif nodes[n].kind == KIND_TEXT and not is_blank_text(page, n):
            return False
        n = nodes[n].end
    return count >= 2


cdef uint32_t put_node(Lines* lines, uint32_t n) noexcept nogil:
    """Write a node of a listing, or begin it. Returns the node where the walk continues."""
    cdef Rewriting* page = lines.page
    cdef const Node* nodes = page.tree.nodes
    cdef const Node* node = nodes + n
    cdef Display display
    if node.kind == KIND_TEXT and not is_between_lines(lines, n):
        put_code_text(page.text, text_of(page.tree, n))
        lines.after_block = False
    if node.kind != KIND_ELEMENT:
        return node.end
    if node.tag == TAG_BR and node.namespace == NS_HTML:
        put_byte(page.text, c"\n")
        return n + 1
    if node.tag == TAG_CODE and counts_next(page, n):
        return node.end
    display = display_of(page, n)
    if display != DISPLAY_NONE and is_label(page, n):
        if lines.language.length == 0:
            lines.language = language_in_label(page, n)
        return node.end
    if display == DISPLAY_NONE or is_cell(node) and not takes_cell(lines, n):
        return node.end
    if lines.numbered and nodes[node.parent].parent == lines.numbered and n == node.parent + 1:
        return node.end
    if display != DISPLAY_INLINE:
        open_one(lines, n, display)
    return n + 1


cdef void trim_lines(TextBuffer* text) noexcept nogil:
    """Drop blank lines at both ends and white space at the end. A single line loses its indentation."""
    cdef size_t i, first = 0
    while text.length and is_space(last_byte(text)):
        text.length -= 1
    for i in range(text.length):
        if text.data[i] == c"\n":
            first = i + 1
        elif not is_space(text.data[i]):
            if memchr(text.data + i, c"\n", text.length - i) == NULL:
                first = i
            break
    if first:
        memmove(text.data, text.data + first, text.length - first)
        text.length -= first


cdef Slice put_lines(Rewriting* page, uint32_t listing) noexcept nogil:
    """Write the lines of a listing into the text and return the language that an omitted label names, or an empty
    slice.
    """
    cdef Lines lines
    cdef uint32_t n = listing + 1
    lines.page = page
    lines.n_open = 0
    lines.after_block = False
    lines.numbered = listing if lines_are_numbered(page, listing) else 0
    lines.language = no_text()
    start_text(page.text)
    while n < page.tree.nodes[listing].end:
        while lines.n_open and lines.open[lines.n_open - 1].end <= n:
            close_one(&lines)
        n = put_node(&lines, n)
    while lines.n_open:
        close_one(&lines)
    trim_lines(page.text)
    return lines.language
