# SPDX-License-Identifier: Apache-2.0
"""What KaTeX displays, converted back to TeX; see katex.pxd."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t

from thresher.native.base.characters cimport equals_ascii, is_space
from thresher.native.constructs.construct cimport (
    KIND_ELEMENT, KIND_TEXT, Attribute, Rewriting, Slice, Tree, begins, find_attribute, slice_at,
)
from thresher.native.constructs.math_tokens cimport (
    BOLD, CALLIGRAPHIC, DOUBLE_STRUCK, FRAKTUR, IS_IDENTIFIER, IS_NUMBER, IS_OPERATOR, MONOSPACE, PLAIN, SANS,
    UPRIGHT, Token, Variant, add_code, leading_number, next_code, put_plain, put_token, put_word,
)
from thresher.native.constructs.mathml cimport MAX_OUTPUT, contains_word, shorten_script
from thresher.native.parsing.tags cimport *
from thresher.native.base.text_buffer cimport TextBuffer, put_byte, put_string, start_text


cdef enum:
    MAX_DEPTH = 100
    MAX_COLUMNS = 32        # columns of a table
    MAX_ROWS = 64
    MAX_BOXES = 16          # nested boxes between a list and the elements stacked in it


cdef Slice class_of(const Tree* tree, uint32_t n) noexcept nogil:
    """The class of an element; empty if it has none."""
    cdef const Attribute* attribute = find_attribute(tree, n, ATTR_CLASS)
    cdef Slice none
    none.data = NULL
    none.length = 0
    return slice_at(tree, attribute.value_start, attribute.value_length) if attribute != NULL else none


cdef bint has_class(const Tree* tree, uint32_t n, const char* word, uint32_t length) noexcept nogil:
    """True if an element's class has this word, with or without KaTeX's prefix."""
    cdef Slice value = class_of(tree, n)
    cdef uint32_t i = 0, start
    while i < value.length:
        start = i
        while i < value.length and not is_space(value.data[i]):
            i += 1
        if i - start > 6 and begins(Slice(data=value.data + start, length=i - start), b"katex-", 6):
            start += 6
        if equals_ascii(value.data + start, i - start, word, length):
            return True
        i += 1
    return False


cdef double ems_of(const Tree* tree, uint32_t n, const char* property, uint32_t length) noexcept nogil:
    """A length in an element's style, such as that of "top:"; 0 if there is none."""
    cdef const Attribute* attribute = find_attribute(tree, n, ATTR_STYLE)
    cdef Slice value
    cdef uint32_t i
    if attribute == NULL:
        return 0
    value = slice_at(tree, attribute.value_start, attribute.value_length)
    for i in range(value.length):
        if begins(Slice(data=value.data + i, length=value.length - i), property, length):
            i += length
            return leading_number(Slice(data=value.data + i, length=value.length - i))
    return 0


cdef uint32_t find_class(const Tree* tree, uint32_t n, const char* word, uint32_t length) noexcept nogil:
    """The first element of a class inside an element, among its first few nodes; 0 if there is none."""
    cdef uint32_t m
    for m in range(n + 1, min(tree.nodes[n].end, n + MAX_BOXES)):
        if tree.nodes[m].kind == KIND_ELEMENT and tree.nodes[m].n_attributes and has_class(tree, m, word, length):
            return m
    return 0


cdef double height_of(const Tree* tree, uint32_t box) noexcept nogil:
    """How far a box of a list stands above its line, in em."""
    cdef uint32_t strut = find_class(tree, box, b"pstrut", 6)
    return -ems_of(tree, box, b"top:", 4) - (ems_of(tree, strut, b"height:", 7) if strut else 0)


cdef uint32_t box_at(const Tree* tree, uint32_t n, uint32_t i, const char* unwanted, uint32_t length) noexcept nogil:
    """The i-th box stacked in an element, not counting those that hold an element of an unwanted class; 0 if there is
    none.
    """
    cdef uint32_t vlist = find_class(tree, n, b"vlist", 5), child
    if vlist == 0:
        return 0
    child = vlist + 1
    while child < tree.nodes[vlist].end:
        if tree.nodes[child].kind == KIND_ELEMENT and (length == 0 or find_class(tree, child, unwanted, length) == 0):
            if i == 0:
                return child
            i -= 1
        child = tree.nodes[child].end
    return 0


cdef void put_group(const Tree* tree, TextBuffer* out, uint32_t n, Variant variant, int depth) noexcept nogil:
    put_byte(out, c"{")
    if n:
        put_inside(tree, out, n, variant, depth)
    put_byte(out, c"}")


cdef void put_script(const Tree* tree, TextBuffer* out, uint8_t mark, uint32_t n, int depth) noexcept nogil:
    cdef size_t start = out.length
    put_byte(out, mark)
    put_group(tree, out, n, PLAIN, depth)
    shorten_script(out, start)


cdef void put_scripts(const Tree* tree, TextBuffer* out, uint32_t n, bint limits, int depth) noexcept nogil:
    """Append the scripts of an element, or an operator with the limits above and below it."""
    cdef uint32_t i = 0, box = box_at(tree, n, 0, b"", 0), below = 0, above = 0, base = 0
    while box and i < 4:
        if limits and find_class(tree, box, b"sizing", 6) == 0:
            base = box
        elif height_of(tree, box) > 0:
            above = box
        else:
            below = box
        i += 1
        box = box_at(tree, n, i, b"", 0)
    if base:
        put_inside(tree, out, base, PLAIN, depth)
    if below:
        put_script(tree, out, c"_", below, depth)
    if above:
        put_script(tree, out, c"^", above, depth)


cdef void put_accent(const Tree* tree, TextBuffer* out, uint32_t n, int depth) noexcept nogil:
    """Append a letter with an accent. An accent that is drawn is a vector arrow."""
    cdef uint32_t body = find_class(tree, n, b"accent-body", 11), m, code = 0
    cdef uint32_t base = box_at(tree, n, 0, b"accent-body", 11), box = box_at(tree, n, 1, b"", 0)
    cdef Slice text
    if body == 0 and box:
        body = find_class(tree, box, b"accent-body", 11)
    if body:
        for m in range(body + 1, tree.nodes[body].end):
            if tree.nodes[m].kind == KIND_TEXT and code == 0:
                text = slice_at(tree, tree.nodes[m].start, tree.nodes[m].length)
                next_code(text.data, text.data + text.length, &code)
    put_word(
        out,
        b"hat" if code == c"^" or code == 0x2C6 else b"tilde" if code == c"~" or code == 0x2DC
        else b"bar" if code == 0xAF or code == 0x2C9
        else b"dot" if code == 0x2D9 else b"ddot" if code == 0xA8 else b"check" if code == 0x2C7
        else b"breve" if code == 0x2D8
        else b"acute" if code == 0x2CA or code == 0xB4 else b"grave" if code == 0x2CB or code == c"`"
        else b"mathring" if code == 0x2DA else b"vec"
    )
    put_group(tree, out, base, PLAIN, depth)


cdef void put_table(
    const Tree* tree, TextBuffer* out, uint32_t table, const char* environment, int depth
) noexcept nogil:
    """Append a table, which KaTeX writes column by column."""
    cdef uint32_t[MAX_COLUMNS] columns
    cdef uint32_t n_columns = 0, m = table + 1, row = 0, i, box
    while m < tree.nodes[table].end:
        if tree.nodes[m].kind == KIND_ELEMENT and begins(class_of(tree, m), b"col-align", 9):
            if n_columns == MAX_COLUMNS:
                out.failed = True
                return
            columns[n_columns] = m
            n_columns += 1
        m = tree.nodes[m].end
    put_string(out, b"\\begin{")
    put_string(out, environment)
    put_string(out, b"} ")
    while row < MAX_ROWS and n_columns and out.length < MAX_OUTPUT:
        if box_at(tree, columns[0], row, b"", 0) == 0:
            break
        if row:
            put_string(out, b" \\\\ ")
        for i in range(n_columns):
            if i:
                put_string(out, b" & ")
            box = box_at(tree, columns[i], row, b"", 0)
            if box:
                put_inside(tree, out, box, PLAIN, depth)
        row += 1
    if row == MAX_ROWS and box_at(tree, columns[0], row, b"", 0):
        out.failed = True
    put_string(out, b" \\end{")
    put_string(out, environment)
    put_byte(out, c"}")


cdef uint32_t first_code(const Tree* tree, uint32_t n) noexcept nogil:
    """The first character in an element; 0 if there is none."""
    cdef uint32_t m, code = 0
    cdef Slice text
    for m in range(n + 1, min(tree.nodes[n].end, n + MAX_BOXES)):
        if tree.nodes[m].kind == KIND_TEXT:
            text = slice_at(tree, tree.nodes[m].start, tree.nodes[m].length)
            next_code(text.data, text.data + text.length, &code)
            return code
    return 0


cdef bint put_matrix(const Tree* tree, TextBuffer* out, uint32_t n, int depth) noexcept nogil:
    """Append a table between brackets; False if the element is not one."""
    cdef uint32_t opening = n + 1, inside, table, code
    if (
        opening >= tree.nodes[n].end or tree.nodes[opening].kind != KIND_ELEMENT
        or not has_class(tree, opening, b"mopen", 5)
    ):
        return False
    inside = tree.nodes[opening].end
    if inside >= tree.nodes[n].end or tree.nodes[inside].kind != KIND_ELEMENT:
        return False
    table = inside if has_class(tree, inside, b"mtable", 6) else inside + 1
    if table >= tree.nodes[n].end or tree.nodes[table].kind != KIND_ELEMENT or not has_class(tree, table, b"mtable", 6):
        return False
    if tree.nodes[table].end != tree.nodes[inside].end:
        return False
    code = first_code(tree, opening)
    put_table(
        tree, out, table,
        b"pmatrix" if code == c"(" or 0x239B <= code <= 0x239D else b"bmatrix" if code == c"["
        or 0x23A1 <= code <= 0x23A3
        else b"vmatrix" if code == c"|" or code == 0x2223 else b"cases" if code == c"{"
        or 0x23A7 <= code <= 0x23A9 else b"matrix",
        depth
    )
    return True


cdef Variant variant_in(Slice value, Variant variant) noexcept nogil:
    """The letter variant that a class asks for; otherwise the inherited one."""
    if not contains_word(value, b"math", 4):
        return variant
    if contains_word(value, b"mathbb", 6):
        return DOUBLE_STRUCK
    if contains_word(value, b"mathbf", 6):
        return BOLD
    if contains_word(value, b"mathcal", 7) or contains_word(value, b"mathscr", 7):
        return CALLIGRAPHIC
    if contains_word(value, b"mathfrak", 8):
        return FRAKTUR
    if contains_word(value, b"mathsf", 6):
        return SANS
    if contains_word(value, b"mathtt", 6):
        return MONOSPACE
    return UPRIGHT if contains_word(value, b"mathrm", 6) else variant


cdef void read_text(const Tree* tree, uint32_t n, Token* token) noexcept nogil:
    """The characters in an element."""
    cdef uint32_t m, code = 0
    cdef Slice text
    cdef const uint8_t* p
    token.length = 0
    token.cut = False
    token.variant = PLAIN
    for m in range(n, tree.nodes[n].end):
        if token.cut:
            break
        if tree.nodes[m].kind == KIND_TEXT:
            text = slice_at(tree, tree.nodes[m].start, tree.nodes[m].length)
            p = text.data
            while p < text.data + text.length:
                p += next_code(p, text.data + text.length, &code)
                if code != 0x200B:
                    add_code(token, code)


cdef void put_letters(const Tree* tree, TextBuffer* out, uint32_t text, Variant variant, bint operator) noexcept nogil:
    """Append a text: the name of a function in one piece, other letters one by one."""
    cdef Token token, one
    cdef uint32_t i
    read_text(tree, text, &token)
    if operator or variant != PLAIN:
        one = token
        one.variant = PLAIN
        put_token(out, &one, variant, IS_OPERATOR if operator else IS_IDENTIFIER)
        return
    out.failed = out.failed or token.cut
    one.cut = False
    for i in range(token.length):
        one.length = 1
        one.variant = PLAIN
        one.codes[0] = token.codes[i]
        put_token(out, &one, variant, IS_NUMBER)


cdef void put_inside(const Tree* tree, TextBuffer* out, uint32_t n, Variant variant, int depth) noexcept nogil:
    """Append the content of an element. Beyond the depth limit only its characters are written."""
    cdef uint32_t child = n + 1
    if depth >= MAX_DEPTH:
        put_letters(tree, out, n, PLAIN, False)
        return
    while child < tree.nodes[n].end and out.length < MAX_OUTPUT:
        if tree.nodes[child].kind == KIND_TEXT:
            put_letters(tree, out, child, variant, has_class(tree, n, b"mop", 3))
        elif tree.nodes[child].kind == KIND_ELEMENT and tree.nodes[child].tag == TAG_SPAN:
            put_span(tree, out, child, variant, depth + 1)
        child = tree.nodes[child].end


cdef void put_span(const Tree* tree, TextBuffer* out, uint32_t n, Variant variant, int depth) noexcept nogil:
    """Append a KaTeX span according to its class."""
    cdef Slice value = class_of(tree, n)
    cdef Token token
    if value.length == 0:
        put_inside(tree, out, n, variant, depth)
        return
    if (
        contains_word(value, b"strut", 5) or contains_word(value, b"nulldelimiter", 13)
        or contains_word(value, b"vlist-s", 7) or contains_word(value, b"frac-line", 9)
    ):
        return
    if has_class(tree, n, b"mspace", 6):
        return
    if has_class(tree, n, b"text", 4):
        read_text(tree, n, &token)
        put_string(out, b"\\text{")
        put_plain(out, &token)
        put_byte(out, c"}")
    elif has_class(tree, n, b"mop", 3) and find_class(tree, n, b"vlist", 5) == 0:
        put_letters(tree, out, n, PLAIN, True)
    elif has_class(tree, n, b"msupsub", 7):
        put_scripts(tree, out, n, False, depth)
    elif has_class(tree, n, b"op-limits", 9):
        put_scripts(tree, out, n, True, depth)
    elif has_class(tree, n, b"mfrac", 5):
        put_word(out, b"frac")
        put_group(tree, out, box_at(tree, n, 1, b"frac-line", 9), PLAIN, depth)
        put_group(tree, out, box_at(tree, n, 0, b"frac-line", 9), PLAIN, depth)
    elif has_class(tree, n, b"sqrt", 4):
        put_word(out, b"sqrt")
        if find_class(tree, n, b"root", 4):
            put_byte(out, c"[")
            put_inside(tree, out, find_class(tree, n, b"root", 4), PLAIN, depth)
            put_byte(out, c"]")
        put_group(tree, out, box_at(tree, n, 0, b"hide-tail", 9), PLAIN, depth)
    elif has_class(tree, n, b"accent", 6):
        put_accent(tree, out, n, depth)
    elif has_class(tree, n, b"mtable", 6):
        put_table(tree, out, n, b"aligned" if find_class(tree, n, b"col-align-r", 11) else b"matrix", depth)
    elif not (has_class(tree, n, b"minner", 6) and put_matrix(tree, out, n, depth)):
        put_inside(tree, out, n, variant_in(value, variant), depth)


cdef bint convert_katex(Rewriting* page, uint32_t n) noexcept nogil:
    """Write the TeX of what KaTeX displays to the spare text; False if it displays nothing, or too much to be written
    whole.
    """
    start_text(page.spare)
    put_inside(page.tree, page.spare, n, PLAIN, 0)
    return 0 < page.spare.length < MAX_OUTPUT and not page.spare.failed
