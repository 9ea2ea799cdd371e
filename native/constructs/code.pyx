# SPDX-License-Identifier: Apache-2.0
"""Recognises listings in the elements that pages build them from, and makes each a pre element with one text."""

from libc.string cimport memchr

from thresher.native.constructs.class_words cimport *
from thresher.native.constructs.code_labels cimport is_label, remove_labels
from thresher.native.constructs.code_language cimport named_language
from thresher.native.constructs.code_lines cimport *
from thresher.native.constructs.prefixes cimport is_blank_text, is_content
from thresher.native.parsing.arena cimport append_side_byte
from thresher.native.parsing.tag_table cimport fill_tags
from thresher.native.shown.decision cimport WHY_FAINT, WHY_SHOWN


cdef enum:
    MAX_BEFORE_ROW = 12     # nodes between a table and its first row
    MAX_NAMED = 16          # elements of a listing that are searched for its language
    MAX_EDITOR_LOOK = 12    # elements of a possible editor that are inspected


cdef enum Content:          # what a pre element holds
    CONTENT_PLAIN = 0       # text and harmless formatting
    CONTENT_LISTING = 1     # markup of a listing
    CONTENT_PAGE = 2        # paragraphs, headings, images, …
    CONTENT_SEVERAL = 3     # several code elements with other text between them


cdef uint8_t[TAG_COUNT] IN_PRE      # the Content that each element implies for the pre element around it
fill_tags(IN_PRE, {
    CONTENT_PLAIN: """
        a abbr b big br cite code del em font i ins kbd mark s samp small strike strong sub sup tt u var
    """,
    CONTENT_PAGE: """
        address article aside blockquote center details dl footer form frameset h1 h2 h3 h4 h5 h6 header hr iframe img
        main listing nav noscript p pre section select ul xmp
    """,
}, CONTENT_LISTING)


cdef bint has_no_break_space(Slice text) noexcept nogil:
    """True if a text holds U+00A0."""
    cdef const uint8_t* p = text.data
    cdef const uint8_t* end = p + text.length
    while p < end:
        p = <const uint8_t*> memchr(p, 0xC2, end - p)
        if p == NULL or p + 1 == end:
            return False
        if p[1] == 0xA0:
            return True
        p += 1
    return False


cdef uint32_t first_element(Rewriting* page, uint32_t n) noexcept nogil:
    """The first element inside an element, preceded only by white space and comments; 0 if there is none."""
    cdef uint32_t end = page.tree.nodes[n].end, child = n + 1
    while child < end and not is_content(page, child):
        child = page.tree.nodes[child].end
    return child if child < end and page.tree.nodes[child].kind == KIND_ELEMENT else 0


# --- what an element is ---


cdef Content content_of(Rewriting* page, uint32_t pre) noexcept nogil:
    """The kind of content that a pre element holds."""
    cdef:
        const Node* nodes = page.tree.nodes
        const Node* node
        uint32_t n = pre + 1, end = nodes[pre].end, codes = 0, code_end = 0
        uint8_t content
        bint listing = False, blocks = False, outside = False
    while n < end:
        node = nodes + n
        if node.kind == KIND_TEXT:
            listing = listing or has_no_break_space(text_of(page.tree, n))
            outside = outside or n >= code_end and not is_blank_text(page, n)
            n += 1
            continue
        if node.kind != KIND_ELEMENT:
            n = node.end
            continue
        if node.namespace != NS_HTML or node.tag >= TAG_COUNT:
            n = n + 1 if node.namespace == NS_HTML else node.end
            listing = True
            continue
        if is_label(page, n) or is_gutter(page, n):
            listing = True
            n = node.end
            continue
        if node.tag == TAG_TABLE and is_code_table(page, n):
            return CONTENT_LISTING
        content = IN_PRE[node.tag]
        if content == CONTENT_PAGE or node.tag == TAG_TABLE or (
            node.tag == TAG_OL and not is_numbered_code(page, n) and not stands_alone(page, n)
        ):
            return CONTENT_PAGE
        if content == CONTENT_LISTING:
            listing = True
            blocks = blocks or node.tag == TAG_DIV
        if node.tag == TAG_CODE and n >= code_end:
            codes += 1
            code_end = node.end
            listing = listing or counts_next(page, n)
        n += 1
    if codes and outside and blocks:
        return CONTENT_SEVERAL if codes > 1 else CONTENT_PAGE
    return CONTENT_LISTING if listing else CONTENT_PLAIN


cdef uint32_t first_row(Rewriting* page, uint32_t table) noexcept nogil:
    """The first row of a table; 0 if there is none near its beginning."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n
    for n in range(table + 1, min(table + MAX_BEFORE_ROW, nodes[table].end)):
        if is_html(nodes + n, TAG_TR):
            return n
        if is_html(nodes + n, TAG_TABLE):
            return 0
    return 0


cdef bint row_is_code(Rewriting* page, uint32_t row, uint32_t* gutters) noexcept nogil:
    """True if a cell of the row holds code. Counts the row's cells that hold line numbers."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t end = nodes[row].end, n = next_cell(nodes, row + 1, end), cells = 0, inside
    cdef bint code = False, other = False
    while n < end and cells < MAX_CELLS:
        cells += 1
        inside = first_element(page, n)
        if is_number_cell(page, n):
            gutters[0] += 1
        elif class_says(page.tree, n, SAYS_CODE_CELL):
            code = True
        else:
            other = True
            code = code or inside and nodes[inside].tag in (TAG_PRE, TAG_CODE)
        n = next_cell(nodes, nodes[n].end, end)
    return code or (gutters[0] and other)


cdef bint is_code_table(Rewriting* page, uint32_t table) noexcept nogil:
    """True for a table of line numbers and code: the first row and at least half of all rows have a cell of each.

    A single row without marked numbers counts if it has a cell that counts up beside a pre element, or if its cell has
    a code class and holds a line in an element of its own.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t row = first_row(page, table), end = nodes[table].end, n, rows = 0, numbered = 0, gutters = 0, inside
    if row == 0 or not row_is_code(page, row, &gutters):
        return False
    if gutters == 0:
        if next_row(page, nodes[row].end, end) < end:
            return False
        if counting_cell(page, row):
            return True
        n = first_element(page, row)
        inside = first_element(page, n) if n else 0
        return inside and class_says(page.tree, n, SAYS_CODE_CELL) and nodes[inside].tag in (TAG_PRE, TAG_DIV)
    while row < end:
        gutters = 0
        rows += 1
        numbered += row_is_code(page, row, &gutters) and gutters > 0
        row = next_row(page, nodes[row].end, end)
    return 2 * numbered >= rows


cdef uint32_t next_row(Rewriting* page, uint32_t n, uint32_t end) noexcept nogil:
    """The first row of a table in nodes [n, end); `end` if there is none."""
    while n < end and not is_html(page.tree.nodes + n, TAG_TR):
        n += 1
    return n


cdef bint has_several_lines(Rewriting* page, uint32_t n) noexcept nogil:
    """True if an element holds a line break: a br, or a line feed before its last character."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t i
    cdef Slice text
    cdef bint line_feed = False
    for i in range(n + 1, nodes[n].end):
        if is_html(nodes + i, TAG_BR):
            return True
        if not charge(page, 1 + nodes[i].length):
            return False
        if nodes[i].kind == KIND_TEXT:
            if line_feed and not is_blank_text(page, i):
                return True
            text = text_of(page.tree, i)
            while text.length and is_space(text.data[text.length - 1]):
                line_feed = line_feed or text.data[text.length - 1] == c"\n"
                text.length -= 1
            text = without_space(text)
            if text.length and memchr(text.data, c"\n", text.length) != NULL:
                return True
    return False


cdef bint stands_alone(Rewriting* page, uint32_t n) noexcept nogil:
    """True if an element has only white space beside it in its parent."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t parent = nodes[n].parent, child = parent + 1
    while child < nodes[parent].end:
        if not charge(page, 1) or child != n and is_content(page, child):
            return False
        child = nodes[child].end
    return True


cdef bint is_block_of_code(Rewriting* page, uint32_t n) noexcept nogil:
    """True for a code element outside pre that is displayed as a block."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t inside
    if nodes[n].end == n + 1:
        return False
    if class_says(page.tree, n, SAYS_BLOCK) or style_says(page.tree, n, STYLE_SPACES) and has_several_lines(page, n):
        return True
    inside = first_element(page, n)
    if inside and is_html(nodes + inside, TAG_PRE):
        return False        # the pre inside it is the listing
    return stands_alone(page, n) and has_br_between(page, n)


cdef bint has_br_between(Rewriting* page, uint32_t n) noexcept nogil:
    """True if a br stands between two texts of an element. Where none does, none does in an element inside of it."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t i
    cdef bint text = False, broken = False
    if n < page.unbroken_end:
        return False
    for i in range(n + 1, nodes[n].end):
        if nodes[i].kind == KIND_TEXT and not is_blank_text(page, i):
            if broken:
                return True
            text = True
        elif text and is_html(nodes + i, TAG_BR):
            broken = True
    page.unbroken_end = nodes[n].end
    return False


cdef bint is_numbered_code(Rewriting* page, uint32_t n) noexcept nogil:
    """True for a numbered list whose items are the lines of a listing."""
    cdef uint32_t parent = page.tree.nodes[n].parent
    return (
        class_says(page.tree, n, SAYS_NUMBERED_CODE) or class_says(page.tree, parent, SAYS_NUMBERED_CODE)
        or class_says(page.tree, page.tree.nodes[parent].parent, SAYS_NUMBERED_CODE)
    )


cdef bint shows_code(Rewriting* page, uint32_t n) noexcept nogil:
    """True for a visible textarea that shows several lines of code."""
    if page.tree.nodes[n].n_attributes == 0 or page.shown[n].why not in (WHY_SHOWN, WHY_FAINT):
        return False
    return (
        is_word(value_in(page.tree, n, ATTR_NAME), b"code")
        or class_says(page.tree, n, SAYS_TEXTAREA)
    ) and has_several_lines(page, n)


# --- the change ---


cdef Slice language_inside(Rewriting* page, uint32_t n) noexcept nogil:
    """The language that one of the first elements inside an element names, line numbers aside; empty if none does."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t i = n + 1, looked = 0
    cdef Slice language
    while i < nodes[n].end:
        if nodes[i].kind == KIND_ELEMENT and nodes[i].namespace == NS_HTML:
            if is_gutter(page, i):
                i = nodes[i].end
                continue
            language = named_language(page.tree, i)
            if language.length:
                return language
            looked += 1
            if looked == MAX_NAMED:
                break
        i += 1
    return no_text()


cdef uint32_t put_lower(Rewriting* page, uint32_t at, uint32_t length) noexcept nogil:
    """Append the name at an address to the side buffer, in lower case, and return the address of that."""
    cdef uint32_t start = page.arena.side_length | <uint32_t> SIDE, i
    cdef Slice name
    if reserve_side(page.arena, length) < 0:
        page.failed = True
        return 0
    take_side(page)
    name = slice_at(page.tree, at, length)
    for i in range(name.length):
        append_side_byte(page.arena, name.data[i] | (0x20 if c"A" <= name.data[i] <= c"Z" else 0))
    take_side(page)
    return start


cdef void become_listing(Rewriting* page, uint32_t n) noexcept nogil:
    """Make an element a pre element with one text node that holds its lines. Without any lines, remove it."""
    cdef Slice language = language_inside(page, n)
    cdef uint32_t name = address_of(page.tree, language)    # addresses: no slice survives the next change
    cdef Slice label = put_lines(page, n)
    cdef uint32_t label_at = address_of(page.tree, label)
    if page.text.length == 0 and not page.text.failed:
        remove(page, n)
        return
    become_only_text(page, n, CONSTRUCT_CODE)
    if page.failed:
        return
    become_element(page, n, TAG_PRE)
    if language.length == 0 and label.length:
        name = put_lower(page, label_at, label.length)
        language.length = label.length
    page.tree.nodes[n + 1].attributes = name
    page.tree.nodes[n + 1].n_attributes = <uint16_t> language.length


cdef void rewrite_several(Rewriting* page, uint32_t pre) noexcept nogil:
    """Make each code element in a pre element a listing of its own. The pre element becomes a div."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n = pre + 1, end = nodes[pre].end
    become_element(page, pre, TAG_DIV)
    while n < end and not page.failed:
        if is_html(nodes + n, TAG_CODE) and nodes[n].end > n + 1:
            become_listing(page, n)
            n = nodes[n].end
        else:
            n += 1


cdef bint rewrite_pre(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite a pre element that holds the markup of a listing, or several listings."""
    cdef Content content
    cdef uint32_t numbers
    if class_says(page.tree, n, SAYS_MEASURE):
        remove(page, n)
        return True
    numbers = numbers_beside(page, n)
    if numbers and counts_lines(page, numbers, n):
        remove(page, numbers)
    content = content_of(page, n)
    if content == CONTENT_PAGE:
        return False
    if content == CONTENT_SEVERAL:
        rewrite_several(page, n)
        return True
    remove_labels(page, n)
    if content == CONTENT_LISTING:
        become_listing(page, n)
    return content == CONTENT_LISTING


cdef bint has_editor_lines(Rewriting* page, uint32_t n) noexcept nogil:
    """True if one of the first elements inside is a line. The class of an editor alone is not enough: themes use it
    too.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t child = n + 1, end = nodes[n].end, looked = 0
    while child < end and looked < MAX_EDITOR_LOOK:
        if nodes[child].kind == KIND_ELEMENT:
            if class_says(page.tree, child, SAYS_LINE):
                return True
            looked += 1
        child += 1
    return False


cdef bint rewrite_listing(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite an HTML element if it is a listing: pre, listing, xmp, table, code, ol, textarea, or a div whose class is
    that of an editor's lines.
    """
    cdef const Node* node = page.tree.nodes + n
    if node.end == n + 1:
        return False
    if (
        (node.tag == TAG_CODE and not is_block_of_code(page, n))
        or (node.tag == TAG_TABLE and not is_code_table(page, n))
        or (node.tag == TAG_OL and not is_numbered_code(page, n))
        or (node.tag == TAG_TEXTAREA and not shows_code(page, n))
        or (node.tag == TAG_DIV and not has_editor_lines(page, n))
    ):
        return False
    if node.tag == TAG_PRE or node.tag == TAG_LISTING or node.tag == TAG_XMP:
        return rewrite_pre(page, n)
    remove_labels(page, n)
    become_listing(page, n)
    return True
