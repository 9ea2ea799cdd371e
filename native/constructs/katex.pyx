# SPDX-License-Identifier: Apache-2.0
"""Reads the spans with which KaTeX displays a formula, and writes the TeX that makes them."""

from thresher.native.base.word_table cimport WordTable, all_values, fill_words, first_value
from thresher.native.constructs.math_tokens cimport *


cdef enum:
    MAX_DEPTH = 100
    MAX_COLUMNS = 32        # columns of a table
    MAX_ROWS = 64
    MAX_BOXES = 16          # nested boxes between a list and the elements stacked in it


cdef enum Say:              # what a word of a class says; bits
    SAYS_UNSEEN = 1 << 0    # room, or a line that is drawn
    SAYS_TEXT = 1 << 1
    SAYS_OPERATOR = 1 << 2
    SAYS_SCRIPTS = 1 << 3
    SAYS_LIMITS = 1 << 4
    SAYS_FRACTION = 1 << 5
    SAYS_ROOT = 1 << 6
    SAYS_ACCENT = 1 << 7
    SAYS_TABLE = 1 << 8
    SAYS_INNER = 1 << 9     # a row between brackets
    SAYS_OPENING = 1 << 10
    SAYS_LIST = 1 << 11     # boxes stacked on each other
    SAYS_STRUT = 1 << 12
    SAYS_SMALLER = 1 << 13
    SAYS_FRACTION_LINE = 1 << 14
    SAYS_ROOT_LINE = 1 << 15
    SAYS_DEGREE = 1 << 16
    SAYS_ACCENT_MARK = 1 << 17
    SAYS_COLUMN = 1 << 18
    SAYS_RIGHT_COLUMN = 1 << 19


CLASSES = {
    SAYS_UNSEEN: "mspace *strut* *nulldelimiter* *vlist-s* *frac-line*",
    SAYS_TEXT: "text", SAYS_OPERATOR: "mop", SAYS_SCRIPTS: "msupsub", SAYS_LIMITS: "op-limits", SAYS_FRACTION: "mfrac",
    SAYS_ROOT: "sqrt", SAYS_ACCENT: "accent", SAYS_TABLE: "mtable", SAYS_INNER: "minner", SAYS_OPENING: "mopen",
    SAYS_LIST: "vlist", SAYS_STRUT: "pstrut", SAYS_SMALLER: "sizing", SAYS_FRACTION_LINE: "frac-line",
    SAYS_ROOT_LINE: "hide-tail", SAYS_DEGREE: "root", SAYS_ACCENT_MARK: "accent-body", SAYS_COLUMN: "col-align*",
    SAYS_RIGHT_COLUMN: "col-align-r",
}
VARIANTS = {
    DOUBLE_STRUCK: "*mathbb*", BOLD: "*mathbf*", CALLIGRAPHIC: "*mathcal* *mathscr*", FRAKTUR: "*mathfrak*",
    SANS: "*mathsf*", MONOSPACE: "*mathtt*", UPRIGHT: "*mathrm*",
}

cdef WordTable CLASS_WORDS
cdef WordTable VARIANT_WORDS
# Some copies have a prefix.
fill_words(&CLASS_WORDS, {
    say: [spelling for word in words.split() for spelling in ((word,) if word[0] == "*" else (word, "katex-" + word))]
    for say, words in CLASSES.items()
})
fill_words(&VARIANT_WORDS, VARIANTS)


cdef uint32_t says(const Tree* tree, uint32_t n) noexcept nogil:
    """What the class of a node says; nothing for a text."""
    cdef Slice value = class_of(tree, n)
    return all_values(&CLASS_WORDS, ~<uint32_t> 0, value.data, value.length)


cdef double ems_of(const Tree* tree, uint32_t n, const char* property) noexcept nogil:
    """A length in an element's style, such as that of "top:"; 0 if there is none."""
    cdef Slice value = value_in(tree, n, ATTR_STYLE)
    while value.length and not begins(value, property):
        value = slice_from(value, 1)
    return leading_number(slice_from(value, <uint32_t> strlen(property))) if value.length else 0


cdef uint32_t find_class(const Tree* tree, uint32_t n, uint32_t wanted) noexcept nogil:
    """The first element whose class says one thing inside an element, among its first few nodes; 0 if there is none."""
    cdef uint32_t m
    for m in range(n + 1, min(tree.nodes[n].end, n + MAX_BOXES)):
        if says(tree, m) & wanted:
            return m
    return 0


cdef double height_of(const Tree* tree, uint32_t box) noexcept nogil:
    """How far a box of a list stands above its line, in em."""
    cdef uint32_t strut = find_class(tree, box, SAYS_STRUT)
    return -ems_of(tree, box, b"top:") - (ems_of(tree, strut, b"height:") if strut else 0)


cdef uint32_t box_at(const Tree* tree, uint32_t n, uint32_t i, uint32_t unwanted) noexcept nogil:
    """The i-th box stacked in an element, not counting those that hold something unwanted; 0 if there is none."""
    cdef uint32_t vlist = find_class(tree, n, SAYS_LIST), end = tree.nodes[vlist].end
    cdef uint32_t child = element_from(tree, vlist + 1, end) if vlist else end
    while child < end:
        if unwanted == 0 or find_class(tree, child, unwanted) == 0:
            if i == 0:
                return child
            i -= 1
        child = element_from(tree, tree.nodes[child].end, end)
    return 0


cdef void put_scripts(TexWriter* tex, uint32_t n, bint limits) noexcept nogil:
    """Append the scripts of an element, or an operator with the limits above and below it."""
    cdef uint32_t i, box, below = 0, above = 0, base = 0
    for i in range(4):
        box = box_at(tex.tree, n, i, 0)
        if box == 0:
            break
        if limits and find_class(tex.tree, box, SAYS_SMALLER) == 0:
            base = box
        elif height_of(tex.tree, box) > 0:
            above = box
        else:
            below = box
    if base:
        put_plain_inside(tex, base)
    if below:
        put_short(tex, c"_", below)
    if above:
        put_short(tex, c"^", above)


cdef const Character* character_in(const Tree* tree, uint32_t n, uint32_t most) noexcept nogil:
    """What is known of the first character in an element, among its first few nodes."""
    cdef uint32_t m
    for m in range(n + 1, min(tree.nodes[n].end, n + most)):
        if tree.nodes[m].kind == KIND_TEXT and tree.nodes[m].length:
            return known(first_code(text_of(tree, m)))
    return known(0)


cdef void put_accent(TexWriter* tex, uint32_t n) noexcept nogil:
    """Append a letter with an accent. An accent that is drawn is a vector arrow."""
    cdef uint32_t mark = find_class(tex.tree, n, SAYS_ACCENT_MARK), base = box_at(tex.tree, n, 0, SAYS_ACCENT_MARK)
    cdef uint32_t box = box_at(tex.tree, n, 1, 0)
    cdef const char* accent = b"vec"
    if mark == 0 and box:
        mark = find_class(tex.tree, box, SAYS_ACCENT_MARK)
    if mark and character_in(tex.tree, mark, tex.tree.n_nodes).accent != NULL:
        accent = character_in(tex.tree, mark, tex.tree.n_nodes).accent
    put_word(tex.out, accent)
    put_form(tex, b"{#1}", base, 0)


cdef void put_table(TexWriter* tex, uint32_t table, const char* environment) noexcept nogil:
    """Append a table, which KaTeX writes column by column."""
    cdef uint32_t[MAX_COLUMNS] columns
    cdef uint32_t n_columns = 0, m = table + 1, row = 0, i, box
    while m < tex.tree.nodes[table].end:
        if says(tex.tree, m) & SAYS_COLUMN:
            if n_columns == MAX_COLUMNS:
                tex.out.failed = True
                return
            columns[n_columns] = m
            n_columns += 1
        m = tex.tree.nodes[m].end
    begin_environment(tex.out, environment)
    while n_columns and box_at(tex.tree, columns[0], row, 0) and tex.out.length < MAX_FORMULA:
        if row == MAX_ROWS:
            tex.out.failed = True
            return
        put_string(tex.out, b" \\\\ " if row else b" ")
        for i in range(n_columns):
            box = box_at(tex.tree, columns[i], row, 0)
            put_form(tex, b" & #1" if i else b"#1", box, 0)
        row += 1
    end_environment(tex.out, environment)


cdef bint put_matrix(TexWriter* tex, uint32_t n) noexcept nogil:
    """Append a table between brackets; False if the element is not one. A brace is that of cases."""
    cdef uint32_t opening = n + 1, end = tex.tree.nodes[n].end, inside = tex.tree.nodes[min(opening, end - 1)].end, table
    cdef const Character* bracket
    cdef const char* environment = b"matrix"
    if inside >= end or tex.tree.nodes[inside].kind != KIND_ELEMENT or not says(tex.tree, opening) & SAYS_OPENING:
        return False
    table = inside if says(tex.tree, inside) & SAYS_TABLE else inside + 1
    if table >= end or not says(tex.tree, table) & SAYS_TABLE or tex.tree.nodes[table].end != tex.tree.nodes[inside].end:
        return False
    bracket = character_in(tex.tree, opening, MAX_BOXES)
    if bracket.bracket:
        bracket = known(bracket.bracket)
    if bracket.code == c"{":
        environment = b"cases"
    elif bracket.matrix != NULL:
        environment = bracket.matrix
    put_table(tex, table, environment)
    return True


cdef void read_text(const Tree* tree, uint32_t n, Token* token) noexcept nogil:
    """The characters in an element."""
    cdef uint32_t m
    start_token(token)
    for m in range(n, tree.nodes[n].end):
        if tree.nodes[m].kind == KIND_TEXT:
            add_text(token, text_of(tree, m))


cdef void put_letters(TexWriter* tex, uint32_t text, Variant variant, bint operator) noexcept nogil:
    """Append a text: the name of a function in one piece, other letters one by one."""
    cdef Token token, one
    cdef uint32_t i
    read_text(tex.tree, text, &token)
    if operator or variant != PLAIN:
        put_token(tex.out, &token, variant, TOKEN_OPERATOR if operator else TOKEN_IDENTIFIER)
        return
    tex.out.failed = tex.out.failed or token.cut
    for i in range(token.length):
        start_token(&one)
        add_code(&one, token.codes[i])
        put_token(tex.out, &one, variant, TOKEN_NUMBER)


cdef void put_inside(TexWriter* tex, uint32_t n, Variant variant) noexcept nogil:
    """Append the content of an element. Beyond the depth limit only its characters are written."""
    cdef uint32_t child = n + 1
    if tex.depth == MAX_DEPTH:
        put_letters(tex, n, PLAIN, False)
        return
    while child < tex.tree.nodes[n].end and tex.out.length < MAX_FORMULA:
        if tex.tree.nodes[child].kind == KIND_TEXT:
            put_letters(tex, child, variant, says(tex.tree, n) & SAYS_OPERATOR != 0)
        elif tex.tree.nodes[child].kind == KIND_ELEMENT and tex.tree.nodes[child].tag == TAG_SPAN:
            tex.depth += 1
            put_span(tex, child, variant)
            tex.depth -= 1
        child = tex.tree.nodes[child].end


cdef void put_plain_inside(TexWriter* tex, uint32_t n) noexcept nogil:
    """Append the content of an element in no style of letters."""
    put_inside(tex, n, PLAIN)


cdef void put_span(TexWriter* tex, uint32_t n, Variant variant) noexcept nogil:
    """Append a KaTeX span according to its class."""
    cdef uint32_t said = says(tex.tree, n), asked, above, below, degree
    cdef Slice value
    cdef Token token
    if said & SAYS_UNSEEN:
        return
    if said & SAYS_TEXT:
        read_text(tex.tree, n, &token)
        put_text_command(tex.out, &token)
    elif said & SAYS_OPERATOR and find_class(tex.tree, n, SAYS_LIST) == 0:
        put_letters(tex, n, PLAIN, True)
    elif said & SAYS_SCRIPTS:
        put_scripts(tex, n, False)
    elif said & SAYS_LIMITS:
        put_scripts(tex, n, True)
    elif said & SAYS_FRACTION:
        below, above = box_at(tex.tree, n, 0, SAYS_FRACTION_LINE), box_at(tex.tree, n, 1, SAYS_FRACTION_LINE)
        put_form(tex, b"\\frac{#1}{#2}", above, below)
    elif said & SAYS_ROOT:
        degree = find_class(tex.tree, n, SAYS_DEGREE)
        put_form(
            tex, b"\\sqrt[#2]{#1}" if degree else b"\\sqrt{#1}", box_at(tex.tree, n, 0, SAYS_ROOT_LINE), degree
        )
    elif said & SAYS_ACCENT:
        put_accent(tex, n)
    elif said & SAYS_TABLE:
        put_table(tex, n, b"aligned" if find_class(tex.tree, n, SAYS_RIGHT_COLUMN) else b"matrix")
    elif not (said & SAYS_INNER and put_matrix(tex, n)):
        value = class_of(tex.tree, n)
        asked = first_value(&VARIANT_WORDS, value.data, value.length)
        put_inside(tex, n, <Variant> asked if asked else variant)


cdef bint convert_katex(Rewriting* page, uint32_t n) noexcept nogil:
    """Write the TeX of what KaTeX displays to the spare text; False if it displays nothing, or too much to be written
    whole.
    """
    cdef TexWriter tex = start_tex(page, put_plain_inside)
    put_plain_inside(&tex, n)
    return is_whole(&tex)
