# SPDX-License-Identifier: Apache-2.0
"""The lines of a listing; see code_lines.pxd.

One forward walk assembles the text. An element that makes a line (div, li, tr, …) starts on a new line and ends its
line, even if it is empty. A span for each line ends the line only if nothing else does. Line breaks and white space
between such elements belong to the page's source, not to the code.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr, memcmp, memset

from thresher.native.base.characters cimport is_ascii_digit, is_space
from thresher.native.constructs.code_labels cimport is_label, language_in_label
from thresher.native.constructs.class_words cimport (
    SAYS_CODE_CELL, SAYS_LINE, SAYS_NUMBER, SAYS_POPUP, SAYS_ROW, class_says,
)
from thresher.native.constructs.construct cimport (
    KIND_ELEMENT, KIND_TEXT, NS_HTML, Attribute, Node, Rewriting, Slice, TextBuffer, begins, charge, find_attribute,
    find_named, no_text, slice_at, start_text, value_of, without_space,
)
from thresher.native.constructs.prefixes cimport is_blank_text
from thresher.native.parsing.tags cimport *
from thresher.native.shown.decision cimport HOW_BLOCK, HOW_LINE, WHY_FAINT, WHY_SHOWN
from thresher.native.shown.styles cimport Declaration, next_declaration, word_is
from thresher.native.base.text_buffer cimport put, put_byte


cdef enum:
    MAX_OPEN = 64           # nested elements that make lines; deeper ones make none
    MAX_NUMBERS = 1024      # nodes of a gutter that are inspected
    MAX_BLANK = 64          # white space between two line numbers
    MAX_STYLE = 512         # bytes of the style of a line number
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


cdef uint8_t[TAG_COUNT] DISPLAYS


cdef void fill_displays() noexcept nogil:
    cdef int i
    cdef int[16] blocks = [
        TAG_DIV, TAG_LI, TAG_TR, TAG_P, TAG_PRE, TAG_OL, TAG_UL, TAG_TABLE, TAG_TBODY, TAG_THEAD, TAG_TFOOT, TAG_FIGURE,
        TAG_SECTION, TAG_LISTING, TAG_XMP, TAG_CAPTION,
    ]
    cdef int[14] hidden = [
        TAG_SCRIPT, TAG_STYLE, TAG_TEMPLATE, TAG_IFRAME, TAG_OBJECT, TAG_AUDIO, TAG_VIDEO, TAG_CANVAS, TAG_SELECT,
        TAG_TEXTAREA, TAG_BUTTON, TAG_NOSCRIPT, TAG_INPUT, TAG_TITLE,
    ]
    memset(DISPLAYS, DISPLAY_INLINE, TAG_COUNT)
    for i in range(16):
        DISPLAYS[blocks[i]] = DISPLAY_BLOCK
    for i in range(14):
        DISPLAYS[hidden[i]] = DISPLAY_NONE


fill_displays()


# --- what an element is ---


cdef inline bint at_line_start(const TextBuffer* text) noexcept nogil:
    return text.length == 0 or text.data[text.length - 1] == c"\n"


cdef bint holds_digits(const Rewriting* page, uint32_t n) noexcept nogil:
    """True if the first texts of an element are whole numbers, white space and what sets a number apart from its line,
    or if it has no text.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t i, k, end = min(nodes[n].end, n + <uint32_t> MAX_NUMBERS)
    cdef Slice text
    for i in range(n + 1, end):
        if nodes[i].kind != KIND_TEXT:
            continue
        text = slice_at(page.tree, nodes[i].start, nodes[i].length)
        k = 0
        while k < text.length:
            if text.data[k] == 0xC2 and k + 1 < text.length and text.data[k + 1] == 0xA0:
                k += 2
                continue
            if text.data[k] in (c".", c":", c"|", c")"):
                if k == 0 or k + 1 < text.length and is_ascii_digit(text.data[k + 1]):
                    return False
            elif not (is_ascii_digit(text.data[k]) or is_space(text.data[k])):
                return False
            k += 1
    return True


cdef bint shows_own_number(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element that shows the number in its data-line-number, data-lineno or the like, and for a cell that
    has one to show. A line of code can have one too.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef const Attribute* attribute = page.tree.attributes + nodes[n].attributes
    cdef Slice name, value, text
    cdef uint32_t i
    if nodes[n].end == n + 1:
        return is_cell(nodes + n) and find_named(page.tree, n, b"data-line-number") != NULL
    text = without_space(slice_at(page.tree, nodes[n + 1].start, nodes[n + 1].length))
    if nodes[n + 1].kind != KIND_TEXT or text.length == 0:
        return False
    for i in range(nodes[n].n_attributes):
        if attribute[i].name != ATTR_UNKNOWN or attribute[i].value_length != text.length:
            continue
        name = slice_at(page.tree, attribute[i].name_start, attribute[i].name_length)
        value = slice_at(page.tree, attribute[i].value_start, attribute[i].value_length)
        if begins(name, b"data-l") and memcmp(text.data, value.data, text.length) == 0:
            return True     # data-line, data-lineno, data-ln, …
    return False


cdef bint is_number_style(const Rewriting* page, uint32_t n, bint line_start) noexcept nogil:
    """True if the style of an element is one that highlighters give to line numbers: it cannot be selected; or, at the
    beginning of a line, it is kept apart from what follows.
    """
    cdef Slice style = value_of(page.tree, find_attribute(page.tree, n, ATTR_STYLE))
    cdef Declaration found
    if style.length > MAX_STYLE:
        return False
    while next_declaration(&style, &found):
        if 11 <= found.name.length <= 19 and memcmp(found.name.data + found.name.length - 11, b"user-select", 11) == 0:
            if found.n_words and word_is(&found.words[0], b"none", 4):
                return True
        elif line_start and (
            word_is(&found.name, b"margin-right", 12) or word_is(&found.name, b"padding-right", 13)
            or word_is(&found.name, b"text-align", 10) and found.n_words and word_is(&found.words[0], b"right", 5)
        ):
            return True
    return False


cdef bint is_gutter(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element of a listing that holds one or more line numbers, or whose style displays them."""
    cdef const Node* node = page.tree.nodes + n
    if node.n_attributes == 0 or not holds_digits(page, n):
        return False
    if node.tag == TAG_CODE and node.end >= page.tree.nodes[node.parent].end:
        return False        # the listing itself; `line-numbers` asks for some
    return (
        class_says(page.tree, n, SAYS_NUMBER) or shows_own_number(page, n) or is_number_style(page, n, False)
    )


cdef bint is_number_cell(const Rewriting* page, uint32_t cell) noexcept nogil:
    """True for a cell of line numbers, marked itself or by one of the elements that it begins with."""
    cdef uint32_t n
    for n in range(cell, min(cell + MAX_IN_CELL, page.tree.nodes[cell].end)):
        if page.tree.nodes[n].kind == KIND_ELEMENT and is_gutter(page, n) and (n == cell or holds_digits(page, cell)):
            return True
    return False


cdef uint32_t counted(const Rewriting* page, uint32_t n) noexcept nogil:
    """How many numbers an element holds, if it holds nothing else and each is one more than the one before; else 0.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t i, k, count = 0, number = 0, last = 0, digits = 0, blank = 0, end = nodes[n].end
    cdef Slice text
    if end > n + MAX_NUMBERS:
        return 0
    for i in range(n + 1, end):
        if nodes[i].kind != KIND_TEXT:
            continue
        text = slice_at(page.tree, nodes[i].start, nodes[i].length)
        blank = 0
        for k in range(text.length + 1):
            if k < text.length and is_ascii_digit(text.data[k]):
                number = 10 * number + text.data[k] - c"0"
                digits += 1
                if digits > 6:
                    return 0
                continue
            if digits:
                if count and number != last + 1:
                    return 0
                count += 1
                last = number
                number = digits = blank = 0
            if k < text.length:
                blank += 1
                if not is_space(text.data[k]) or blank > MAX_BLANK:
                    return 0
    return count


cdef uint32_t counting_cell(const Rewriting* page, uint32_t row) noexcept nogil:
    """The first of a row's two cells, if it counts up and the other one holds a pre element; 0 otherwise."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t[2] cells
    cdef uint32_t n = row + 1, found = 0
    while n < nodes[row].end:
        if is_cell(nodes + n):
            if found == 2:
                return 0
            cells[found] = n
            found += 1
        n = nodes[n].end
    if found < 2 or counted(page, cells[0]) < 2:
        return 0
    for n in range(cells[1] + 1, min(cells[1] + MAX_IN_CELL, nodes[cells[1]].end)):
        if nodes[n].kind == KIND_ELEMENT and nodes[n].tag == TAG_PRE:
            return cells[0]
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
        text = slice_at(page.tree, nodes[i].start, nodes[i].length)
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


cdef bint sets_side_by_side(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element whose style or class sets what it holds side by side."""
    cdef Slice style = value_of(page.tree, find_attribute(page.tree, n, ATTR_STYLE))
    cdef Declaration found
    if class_says(page.tree, n, SAYS_ROW):
        return True
    if style.length > MAX_STYLE:
        return False
    while next_declaration(&style, &found):
        if word_is(&found.name, b"display", 7) and found.n_words and (
            word_is(&found.words[0], b"flex", 4) or word_is(&found.words[0], b"grid", 4)
        ):
            return True
    return False


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
        first = parent + 1
        while first < n and nodes[first].kind == KIND_TEXT and is_blank_text(page, first):
            first += 1
        if first < n:
            after = nodes[first].end
            while after < n and nodes[after].kind == KIND_TEXT and is_blank_text(page, after):
                after += 1
            if (
                after == n and nodes[first].kind == KIND_ELEMENT
                and nodes[first].tag in (TAG_DIV, TAG_SPAN, TAG_PRE, TAG_CODE)
                and (is_number_cell(page, first) or sets_side_by_side(page, parent))
            ):
                return first
            return 0
        n = parent
    return 0


cdef bint is_span_of_line(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for a span that holds a line."""
    cdef const Node* node = page.tree.nodes + n
    if node.kind != KIND_ELEMENT or node.tag != TAG_SPAN or node.n_attributes == 0:
        return False
    return class_says(page.tree, n, SAYS_LINE) or find_named(page.tree, n, b"data-line") != NULL


cdef Display display_of(const Rewriting* page, uint32_t n) noexcept nogil:
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
        or display == DISPLAY_INLINE and at_line_start(page.text) and holds_digits(page, n)
        and is_number_style(page, n, True)
    ):
        return DISPLAY_NONE
    if node.tag == TAG_SPAN:
        if page.shown[n].how & HOW_LINE == HOW_BLOCK:
            return DISPLAY_BLOCK
        if is_span_of_line(page, n):
            return DISPLAY_LINE
    return display


cdef bint is_block(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element whose name alone makes it start a new line."""
    cdef const Node* node = page.tree.nodes + n
    return (
        node.kind == KIND_ELEMENT and node.namespace == NS_HTML and node.tag < TAG_COUNT
        and DISPLAYS[node.tag] == DISPLAY_BLOCK
    )


cdef bint is_empty_line(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element that makes a line even if it is empty."""
    cdef const Node* node = page.tree.nodes + n
    return node.tag == TAG_LI or node.tag == TAG_TR or class_says(page.tree, n, SAYS_LINE)


cdef bint holds_code(const Rewriting* page, uint32_t cell) noexcept nogil:
    """True for a cell whose class or content marks it as code."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n
    if class_says(page.tree, cell, SAYS_CODE_CELL):
        return True
    for n in range(cell + 1, min(cell + 4, nodes[cell].end)):
        if nodes[n].kind == KIND_ELEMENT and (nodes[n].tag == TAG_PRE or nodes[n].tag == TAG_CODE):
            return True
    return False


cdef bint row_holds_code(const Rewriting* page, uint32_t row) noexcept nogil:
    """True if a cell of the row is marked as code. The other cells then hold none."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n = row + 1, cells = 0
    while n < nodes[row].end and cells < MAX_CELLS:
        if is_cell(nodes + n):
            cells += 1
            if not is_number_cell(page, n) and holds_code(page, n):
                return True
        n = nodes[n].end
    return False


# --- text ---


cdef void put_code_text(TextBuffer* text, Slice slice) noexcept nogil:
    """Append text of a listing: no-break spaces become spaces; zero-width spaces and byte order marks are dropped."""
    cdef const uint8_t* p = slice.data
    cdef const uint8_t* end = p + slice.length
    cdef const uint8_t* run = p
    while p < end:
        if p[0] == 0xC2 and p + 1 < end and p[1] == 0xA0:
            put(text, run, p - run)
            put_byte(text, c" ")
            p += 2
            run = p
        elif p + 2 < end and (
            (p[0] == 0xE2 and p[1] == 0x80 and p[2] == 0x8B) or (p[0] == 0xEF and p[1] == 0xBB and p[2] == 0xBF)
        ):
            put(text, run, p - run)
            p += 3
            run = p
        else:
            p += 1
    put(text, run, p - run)


cdef bint lays_out_table(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for white space between the parts of a table, or on a line of its own beside an element in a cell."""
    cdef const Node* node = page.tree.nodes + n
    cdef const Node* parent = page.tree.nodes + node.parent
    cdef Slice text
    if parent.kind != KIND_ELEMENT or parent.namespace != NS_HTML:
        return False
    if parent.tag == TAG_TD or parent.tag == TAG_TH:
        text = slice_at(page.tree, node.start, node.length)
        return (n > node.parent + 1 or node.end < parent.end) and memchr(text.data, c"\n", text.length) != NULL
    return parent.tag in (TAG_TABLE, TAG_TBODY, TAG_THEAD, TAG_TFOOT, TAG_TR, TAG_COLGROUP)


cdef bint is_between_lines(const Lines* lines, uint32_t n) noexcept nogil:
    """True for white space between elements that make lines."""
    cdef const Rewriting* page = lines.page
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
        if not at_line_start(text):
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
    cdef const Rewriting* page = lines.page
    if is_number_cell(page, cell) or counting_cell(page, page.tree.nodes[cell].parent) == cell:
        return False
    return holds_code(page, cell) or not row_holds_code(page, page.tree.nodes[cell].parent)


cdef uint32_t number_before(const Rewriting* page, uint32_t line) noexcept nogil:
    """The number in the first element of a line that also holds other text; 0 if there is none."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n = line + 1, number = 0, i
    cdef Slice text
    if n + 1 >= nodes[line].end or nodes[n].kind != KIND_ELEMENT or nodes[n].end >= nodes[line].end:
        return 0
    if nodes[n + 1].kind != KIND_TEXT or nodes[n].end != n + 2 or nodes[nodes[n].end].kind != KIND_ELEMENT:
        return 0
    text = slice_at(page.tree, nodes[n + 1].start, nodes[n + 1].length)
    if not 0 < text.length <= 6:
        return 0
    for i in range(text.length):
        if not is_ascii_digit(text.data[i]):
            return 0
        number = 10 * number + text.data[i] - c"0"
    return number


cdef bint lines_are_numbered(const Rewriting* page, uint32_t parent) noexcept nogil:
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


cdef Slice put_lines(Rewriting* page, uint32_t n) noexcept nogil:
    """Write the lines of a listing into the text and return the language that an omitted label names, or an empty
    slice.

    Blank lines at both ends and white space at the end are dropped. A single line loses its indentation.
    """
    cdef:
        const Node* nodes = page.tree.nodes
        const Node* node
        uint32_t end = nodes[n].end, numbered = 0
        Lines lines
        Display display
        TextBuffer* text = page.text
        size_t i, first = 0
        Slice language = no_text()
        bint label
    lines.page = page
    lines.n_open = 0
    lines.after_block = False
    start_text(text)
    if lines_are_numbered(page, n):
        numbered = n
    n += 1
    while n < end:
        while lines.n_open and lines.open[lines.n_open - 1].end <= n:
            close_one(&lines)
        node = nodes + n
        if node.kind == KIND_TEXT:
            if not is_between_lines(&lines, n):
                put_code_text(text, slice_at(page.tree, node.start, node.length))
                lines.after_block = False
            n = node.end
            continue
        if node.kind != KIND_ELEMENT:
            n = node.end
            continue
        if node.tag == TAG_BR and node.namespace == NS_HTML:
            put_byte(text, c"\n")
            n += 1
            continue
        if node.tag == TAG_CODE and counts_next(page, n):
            n = node.end
            continue
        display = display_of(page, n)
        label = display != DISPLAY_NONE and is_label(page, n)
        if label and language.length == 0:
            language = language_in_label(page, n)
        if display == DISPLAY_NONE or label or (is_cell(node) and not takes_cell(&lines, n)):
            n = node.end
            continue
        if numbered and nodes[node.parent].parent == numbered and n == node.parent + 1:
            n = node.end
            continue
        if display != DISPLAY_INLINE:
            open_one(&lines, n, display)
        n += 1
    while lines.n_open:
        close_one(&lines)
    while text.length and is_space(text.data[text.length - 1]):
        text.length -= 1
    for i in range(text.length):        # blank lines at the beginning
        if text.data[i] == c"\n":
            first = i + 1
        elif not is_space(text.data[i]):
            if memchr(text.data + i, c"\n", text.length - i) == NULL:
                first = i
            break
    cut_beginning(text, first)
    return language


cdef void cut_beginning(TextBuffer* text, size_t length) noexcept nogil:
    """Remove the first bytes of the text."""
    cdef size_t i
    if length == 0:
        return
    for i in range(length, text.length):
        text.data[i - length] = text.data[i]
    text.length -= length
