# SPDX-License-Identifier: Apache-2.0
"""Converts presentation MathML, and what MathJax displays for it, to TeX.

The functions recurse to a depth of MAX_DEPTH; deeper elements are written as the text of their tokens. Each node is
visited a bounded number of times.
"""

from thresher.native.base.word_table cimport WordTable, all_values, fill_words, kept, value_of_word
from thresher.native.constructs.math_tokens cimport *
from thresher.native.parsing.tag_table cimport fill_tags

from thresher.native.constructs import tex_tables


cdef enum:
    MAX_DEPTH = 100
    MAX_PREFIX = 8          # bytes of a prefix of names
    N_NOTATIONS = 8         # rows of NOTATIONS in tex_tables.py
    MAX_ROWS = 6            # rows around one element
    MAX_IN_TOKEN = 32       # nodes of a token, such as the pieces of a tall bracket


# --- elements ---


cdef enum Kind:             # what an element is
    IS_NOTHING              # not displayed: an annotation, a strut
    IS_NONE                 # a script that is missing on purpose
    # rows, with their children in sequence: any element without a meaning, such as a box of MathJax; one that is a part
    # of the formula by itself; parts of MathJax 2
    IS_ROW, IS_UNIT, IS_SPACER, IS_BOX, IS_SUBSCRIPT, IS_SUPERSCRIPT
    # parts of MathJax's elements
    IS_NUMERATOR, IS_DENOMINATOR, IS_SCRIPT, IS_BASE, IS_ABOVE, IS_BELOW, IS_DEGREE
    # tokens
    IS_IDENTIFIER, IS_NUMBER, IS_OPERATOR, IS_TEXT
    # other elements of MathML
    IS_SPACE, IS_FRACTION, IS_SQUARE_ROOT, IS_ROOT, IS_SUB, IS_SUP, IS_SUBSUP, IS_UNDER, IS_OVER, IS_UNDEROVER, IS_TABLE
    IS_TABLE_ROW, IS_LABELED_ROW, IS_CELL, IS_FENCED, IS_ENCLOSED, IS_PHANTOM, IS_SCRIPTS, IS_PRESCRIPTS
    IS_ACTION


ELEMENTS = {    # names in MathML, and in MathJax without their prefix; all others are rows
    IS_UNIT: "mrow texatom", IS_SPACER: "spacer", IS_BOX: "box", IS_SUBSCRIPT: "sub", IS_SUPERSCRIPT: "sup",
    IS_NUMERATOR: "num", IS_DENOMINATOR: "den", IS_SCRIPT: "script", IS_BASE: "base", IS_ABOVE: "over",
    IS_BELOW: "under", IS_DEGREE: "root",
    IS_NONE: "none", IS_IDENTIFIER: "mi", IS_NUMBER: "mn", IS_OPERATOR: "mo", IS_TEXT: "mtext ms", IS_SPACE: "mspace",
    IS_FRACTION: "mfrac", IS_SQUARE_ROOT: "msqrt", IS_ROOT: "mroot", IS_SUB: "msub", IS_SUP: "msup",
    IS_SUBSUP: "msubsup", IS_UNDER: "munder", IS_OVER: "mover", IS_UNDEROVER: "munderover", IS_TABLE: "mtable",
    IS_TABLE_ROW: "mtr", IS_LABELED_ROW: "mlabeledtr", IS_CELL: "mtd", IS_FENCED: "mfenced", IS_ENCLOSED: "menclose",
    IS_PHANTOM: "mphantom", IS_SCRIPTS: "mmultiscripts", IS_PRESCRIPTS: "mprescripts",
    IS_ACTION: "maction",
    0x100 | IS_NOTHING: "annotation annotation-xml surd",
}

cdef WordTable ELEMENT_NAMES        # values are kinds; in the lowest byte, so that IS_NOTHING is a value too
cdef uint8_t[TAG_COUNT] TAG_KINDS   # of elements whose names have a number
cdef WordTable NOTATIONS            # of menclose; values are bits
cdef uint32_t[N_NOTATIONS] NOTATION_BITS
cdef const char* NOTATION_COMMANDS[N_NOTATIONS]
fill_words(&ELEMENT_NAMES, ELEMENTS)
fill_tags(TAG_KINDS, {
    IS_IDENTIFIER: "mi", IS_NUMBER: "mn", IS_OPERATOR: "mo", IS_TEXT: "ms mtext", IS_SUB: "msub", IS_SUP: "msup",
    IS_FRACTION: "mfrac", IS_NOTHING: "annotation-xml",
}, IS_ROW)
_words = sorted({word for words, _ in tex_tables.NOTATIONS for word in words.split()})
fill_words(&NOTATIONS, {1 << bit: f"*{word}*" for bit, word in enumerate(_words)})
for _i, (_needed, _command) in enumerate(tex_tables.NOTATIONS):
    NOTATION_BITS[<int> _i] = sum(1 << _words.index(word) for word in _needed.split())
    NOTATION_COMMANDS[<int> _i] = kept(_command)


cdef uint32_t prefix_of(Slice name) noexcept nogil:
    """The length of a name's prefix with its colon, as of m:math in pages made from XML; 0 if there is none."""
    cdef uint32_t i
    for i in range(1, min(name.length, <uint32_t> MAX_PREFIX)):
        if name.data[i] == c":":
            return i + 1
    return 0


cdef bint is_prefixed_math(Slice name) noexcept nogil:
    """True for the name of a math element with a prefix."""
    cdef uint32_t length = prefix_of(name)
    return length > 0 and is_word(slice_from(name, length), b"math")


cdef Slice name_in_math(const Tree* tree, uint32_t n) noexcept nogil:
    """The name in MathML of an element whose own name has no number there: without prefix, what MathJax names so, or
    what the class or the SVG attribute says; empty for other elements.
    """
    cdef const Node* node = tree.nodes + n
    cdef Slice name = no_text()
    if node.kind != KIND_ELEMENT:
        return name
    if node.tag >= TAG_COUNT:
        name = text_of(tree, n)
        name = slice_from(name, prefix_of(name))
    elif node.tag == TAG_G:
        name = attribute_of(tree, n, b"data-mml-node")
    elif node.tag == TAG_SPAN and node.n_attributes:
        name = first_word(class_of(tree, n))        # MathJax 2
        if not begins(name, b"mjx-"):
            return no_text()
    take_exact(&name, b"mjx-")
    return name


cdef Kind kind_of(const Tree* tree, uint32_t n) noexcept nogil:
    """What an element is. Text between elements is nothing."""
    cdef const Node* node = tree.nodes + n
    cdef uint32_t kind
    cdef Slice name
    if node.kind != KIND_ELEMENT:
        return IS_NOTHING
    if node.tag < TAG_COUNT and node.tag != TAG_G and node.tag != TAG_SPAN:
        return <Kind> TAG_KINDS[node.tag]
    name = name_in_math(tree, n)
    kind = value_of_word(&ELEMENT_NAMES, name.data, name.length)
    if kind == IS_SPACE and n + 1 < node.end and node.tag >= TAG_COUNT and prefix_of(text_of(tree, n)):
        return IS_ROW       # HTML knows no <m:mspace/>: it holds what follows
    return <Kind> (kind & 0xFF) if kind else IS_ROW


cdef inline bint is_row(Kind kind) noexcept nogil:
    return IS_ROW <= kind <= IS_SUPERSCRIPT


cdef inline bint is_row_or_part(Kind kind) noexcept nogil:
    return IS_ROW <= kind <= IS_DEGREE


cdef inline bint is_token(Kind kind) noexcept nogil:
    return IS_IDENTIFIER <= kind <= IS_TEXT


cdef inline TokenKind token_kind(Kind kind) noexcept nogil:
    return TOKEN_NUMBER if kind == IS_NUMBER else TOKEN_OPERATOR if kind == IS_OPERATOR else TOKEN_IDENTIFIER


cdef uint32_t child_at(const Tree* tree, uint32_t n, uint32_t i) noexcept nogil:
    """The i-th child element that is displayed or missing on purpose; 0 if there are fewer. i is small."""
    cdef uint32_t child = n + 1
    while child < tree.nodes[n].end:
        if kind_of(tree, child) != IS_NOTHING:
            if i == 0:
                return child
            i -= 1
        child = tree.nodes[child].end
    return 0


cdef uint32_t find_part(const Tree* tree, uint32_t n, Kind part) noexcept nogil:
    """A part of a MathJax element; 0 if it has none. Looks into boxes, but not into other parts."""
    cdef uint32_t m = n + 1
    cdef Kind kind
    while m < tree.nodes[n].end:
        kind = kind_of(tree, m)
        if kind == part:
            return m
        # munderover contains a munder around the base
        m = m + 1 if is_row(kind) and kind != IS_UNIT or kind == IS_UNDER else tree.nodes[m].end
    return 0


cdef bint is_mathjax(const Tree* tree, uint32_t n) noexcept nogil:
    """True for an element of MathJax's CommonHTML, which has its own names and order for parts."""
    cdef const Node* node = tree.nodes + n
    return node.tag >= TAG_COUNT and begins(text_of(tree, n), b"mjx-") or node.tag == TAG_SPAN


# --- TeX ---


cdef uint32_t inner_of(const Tree* tree, uint32_t n, bint first) noexcept nogil:
    """The element in rows that hold nothing else, the outermost of which is n; n itself if it is no row, 0 if a row holds
    none, or several and the `first` of them is not enough.
    """
    cdef int step
    for step in range(MAX_ROWS):
        if not is_row_or_part(kind_of(tree, n)):
            return n
        if not first and child_at(tree, n, 1) != 0:
            return 0
        n = child_at(tree, n, 0)
        if n == 0:
            return 0
    return 0


cdef bint read_sign(const Tree* tree, uint32_t n, Token* token) noexcept nogil:
    """Read the characters of an operator, an identifier or a text; False for anything else."""
    cdef Kind kind = kind_of(tree, n)
    if n == 0 or kind not in (IS_OPERATOR, IS_IDENTIFIER, IS_TEXT) or tree.nodes[n].end - n > MAX_IN_TOKEN:
        return False
    read_token(tree, n, token)
    trim_token(token)
    return True


cdef uint32_t only_code(const Tree* tree, uint32_t n) noexcept nogil:
    """The single character of an operator, through rows of one element; 0 otherwise."""
    cdef Token token
    return token.codes[0] if read_sign(tree, inner_of(tree, n, False), &token) and token.length == 1 else 0


cdef uint32_t only_child(const Tree* tree, uint32_t n, Kind wanted) noexcept nogil:
    """The node itself if it is of a kind, else the only element in it, through rows, that is; 0 if there is none."""
    n = inner_of(tree, n, False)
    return n if n and kind_of(tree, n) == wanted else 0


cdef bint takes_limits(const Tree* tree, uint32_t n) noexcept nogil:
    """True for a sum, an integral or a limit, whose limits TeX writes as scripts."""
    cdef Token token
    cdef uint32_t code = only_code(tree, n)
    if code:
        return known(code).limits
    n = inner_of(tree, n, True)
    return read_sign(tree, n, &token) and token.length > 1 and kind_of(tree, n) != IS_TEXT


cdef const char* accent_over(const Tree* tree, uint32_t n, bint wide) noexcept nogil:
    """The command for an accent above a letter, or with `wide` above more; NULL if it is not an accent."""
    cdef const Character* character = known(only_code(tree, n))
    if is_word(attribute_of(tree, n, b"stretchy"), b"false"):
        return character.accent
    return character.accent_wide if wide else character.accent_stretched


cdef bint has_brace(const Tree* tree, uint32_t n) noexcept nogil:
    """True for an over- or underbrace, which takes its label as a script."""
    cdef uint32_t m = only_child(tree, n, IS_UNDER)
    if m == 0:
        m = only_child(tree, n, IS_OVER)
    return m != 0 and child_at(tree, m, 1) != 0 and known(only_code(tree, child_at(tree, m, 1))).brace


cdef void put_braced(TexWriter* tex, const char* command, uint32_t n) noexcept nogil:
    """Append a command with the children of an element in braces."""
    put_word(tex.out, command)
    put_byte(tex.out, c"{")
    put_children(tex, n)
    put_byte(tex.out, c"}")


cdef void put_script(TexWriter* tex, uint8_t mark, uint32_t n) noexcept nogil:
    """Append a subscript or superscript, without braces if it is one letter or digit."""
    cdef uint32_t code
    if n == 0 or kind_of(tex.tree, n) == IS_NONE:
        return
    code = only_code(tex.tree, n)
    if mark == c"^" and (code == 0x2032 or code == c"'" or code == 0x2033 or code == 0x2034):
        put_character(tex.out, code)
        return
    put_short(tex, mark, n)


cdef void put_base(TexWriter* tex, uint32_t n) noexcept nogil:
    """Append the base of scripts, in braces if it is more than one element."""
    cdef size_t start = tex.out.length
    cdef bint group
    if n == 0:
        put_string(tex.out, b"{}")
        return
    if is_row_or_part(kind_of(tex.tree, n)):
        group = child_at(tex.tree, n, 1) != 0 and not is_in_brackets(tex.tree, n)
    else:
        group = kind_of(tex.tree, n) in (IS_SUB, IS_SUP, IS_SUBSUP, IS_FRACTION, IS_OVER, IS_UNDER) and not (
            has_brace(tex.tree, n) or is_accented(tex.tree, n)
        )
    if group:
        put_form(tex, b"{#1}", n, 0)
    else:
        put_node(tex, n)
        if tex.out.length == start:
            put_string(tex.out, b"{}")


cdef bint is_in_brackets(const Tree* tree, uint32_t n) noexcept nogil:
    """True for a row between stretching brackets, which needs no braces as a base."""
    cdef uint32_t first = child_at(tree, n, 0), last = last_child(tree, n)
    return (
        first != 0 and last > first and is_word(attribute_of(tree, first, b"data-mjx-texclass"), b"open")
        and is_word(attribute_of(tree, last, b"data-mjx-texclass"), b"close")
    )


cdef bint is_accented(const Tree* tree, uint32_t n) noexcept nogil:
    """True for an accented letter, which needs no braces as a base."""
    return (
        kind_of(tree, n) == IS_OVER and child_at(tree, n, 1) != 0
        and accent_over(tree, child_at(tree, n, 1), False) != NULL
    )


cdef uint32_t part(const Tree* tree, uint32_t n, uint32_t i, Kind which) noexcept nogil:
    """The i-th child of a MathML element, or that part of a MathJax element."""
    cdef uint32_t found = find_part(tree, n, which) if is_mathjax(tree, n) else 0
    return found if found else child_at(tree, n, i)


cdef void put_scripted(TexWriter* tex, uint32_t n, Kind kind) noexcept nogil:
    """Append msub, msup, msubsup."""
    cdef uint32_t base = child_at(tex.tree, n, 0), first = child_at(tex.tree, n, 1), second = child_at(tex.tree, n, 2)
    if is_mathjax(tex.tree, n):
        if find_part(tex.tree, n, IS_SCRIPT):
            base = part(tex.tree, n, 0, IS_BASE)
            first = find_part(tex.tree, n, IS_SCRIPT)
            if kind == IS_SUBSUP or kind == IS_UNDEROVER:
                second = child_at(tex.tree, first, 0)       # MathJax lists the superscript first
                first = last_child(tex.tree, first)
        elif find_part(tex.tree, n, IS_SUPERSCRIPT) or find_part(tex.tree, n, IS_SUBSCRIPT):    # MathJax 2
            base = find_part(tex.tree, n, IS_BASE)
            first = find_part(tex.tree, n, IS_SUBSCRIPT)
            second = find_part(tex.tree, n, IS_SUPERSCRIPT)
            kind = IS_SUBSUP
    put_base(tex, base)
    if kind == IS_SUP or kind == IS_OVER:
        put_script(tex, c"^", first)
        return
    put_script(tex, c"_", first)
    if kind == IS_SUBSUP or kind == IS_UNDEROVER:
        put_script(tex, c"^", second)


cdef uint32_t last_child(const Tree* tree, uint32_t n) noexcept nogil:
    """The last child that has a meaning; 0 if there is none."""
    cdef uint32_t end = tree.nodes[n].end, child = element_from(tree, n + 1, end), last = 0
    while child < end:
        if kind_of(tree, child) != IS_SPACER:
            last = child
        child = element_from(tree, tree.nodes[child].end, end)
    return last


cdef void put_stacked(TexWriter* tex, uint32_t n, Kind kind) noexcept nogil:
    """Append munder, mover or munderover: limits of a sum, an accent, or one thing above another."""
    cdef uint32_t base = part(tex.tree, n, 0, IS_BASE)
    cdef uint32_t under = part(tex.tree, n, 1, IS_BELOW) if kind != IS_OVER else 0
    cdef uint32_t over = part(tex.tree, n, 1 if kind == IS_OVER else 2, IS_ABOVE) if kind != IS_UNDER else 0
    if is_mathjax(tex.tree, n) and find_part(tex.tree, n, IS_SCRIPT):
        put_scripted(tex, n, kind)     # limits in a line of text are scripts
        return
    if base == 0:
        return
    if takes_limits(tex.tree, base) or has_brace(tex.tree, base):
        put_base(tex, base)
        put_script(tex, c"_", under)
        put_script(tex, c"^", over)
        return
    if over:
        put_stack(tex, accent_over(tex.tree, over, only_code(tex.tree, base) == 0), b"overset", over)
    if under:
        put_stack(tex, known(only_code(tex.tree, under)).below, b"underset", under)
    put_node(tex, base)
    if under:
        put_byte(tex.out, c"}")
    if over:
        put_byte(tex.out, c"}")


cdef void put_stack(TexWriter* tex, const char* accent, const char* otherwise, uint32_t n) noexcept nogil:
    """Append the beginning of a command for an accent; if it is none, of one that sets an element above or below."""
    put_word(tex.out, accent if accent != NULL else otherwise)
    if accent == NULL:
        put_form(tex, b"{#1}", n, 0)
    put_byte(tex.out, c"{")


cdef uint32_t next_child(const Tree* tree, uint32_t child, uint32_t end) noexcept nogil:
    """The next displayed sibling before `end`; 0 if there is none."""
    cdef Kind kind
    child = tree.nodes[child].end
    while child < end:
        kind = kind_of(tree, child)
        if kind > IS_NONE and not (kind == IS_OPERATOR and is_blank_operator(tree, child)):
            return child
        child = tree.nodes[child].end
    return 0


cdef bint is_blank_operator(const Tree* tree, uint32_t n) noexcept nogil:
    """True for an empty operator, which some pages use for a bracket that is missing on purpose."""
    cdef Token token
    if tree.nodes[n].end - n > 4:
        return False
    read_token(tree, n, &token)
    trim_token(&token)
    return token.length == 0


cdef void put_children(TexWriter* tex, uint32_t n) noexcept nogil:
    """Append the children of a row. A table between brackets becomes a matrix, one after a brace becomes cases, and a
    fraction without a line between parentheses becomes a binomial coefficient.
    """
    cdef uint32_t end = tex.tree.nodes[n].end, child = element_from(tex.tree, n + 1, end), last
    while child < end and tex.out.length < MAX_FORMULA:
        last = put_bracketed(tex, child, end)
        if last == 0:
            last = child
            put_node(tex, child)
        child = element_from(tex.tree, tex.tree.nodes[last].end, end)


cdef uint32_t put_bracketed(TexWriter* tex, uint32_t child, uint32_t end) noexcept nogil:
    """Append a matrix, cases or a binomial coefficient if a child of a row is the bracket before one. Returns the last
    child that belongs to it; 0 if none is there.
    """
    cdef Kind kind = kind_of(tex.tree, child)
    cdef const Character* bracket = known(only_code(tex.tree, child) if kind == IS_OPERATOR or is_row(kind) else 0)
    cdef uint32_t inside = next_child(tex.tree, child, end) if bracket.matrix != NULL else 0
    cdef uint32_t table, fraction, after
    if inside == 0:
        return 0
    after = next_child(tex.tree, inside, end)
    if after and only_code(tex.tree, after) != bracket.closing:
        after = 0
    table, fraction = only_child(tex.tree, inside, IS_TABLE), only_child(tex.tree, inside, IS_FRACTION)
    if table and after:
        put_table(tex, table, bracket.matrix)
        return after
    if table and bracket.code == c"{":
        put_table(tex, table, b"cases")
        return inside
    if after and fraction and bracket.code == c"(" and is_bare(tex.tree, fraction):
        put_fraction(tex, b"\\binom{#1}{#2}", fraction)
        return after
    return 0


cdef bint is_bare(const Tree* tree, uint32_t fraction) noexcept nogil:
    """True for a fraction without a line."""
    cdef Slice value = attribute_of(tree, fraction, b"linethickness")
    return value.length > 0 and value.data[0] == c"0" and (value.length == 1 or value.data[1] != c".")


cdef void put_fraction(TexWriter* tex, const char* form, uint32_t n) noexcept nogil:
    """Append a form with the numerator and the denominator of a fraction."""
    put_form(tex, form, part(tex.tree, n, 0, IS_NUMERATOR), part(tex.tree, n, 1, IS_DENOMINATOR))


cdef void put_row(TexWriter* tex, uint32_t n) noexcept nogil:
    """Append a row. Brackets at its two ends stretch if MathJax says so."""
    cdef uint32_t child = child_at(tex.tree, n, 0), last = last_child(tex.tree, n), second
    second = next_child(tex.tree, child, last) if is_in_brackets(tex.tree, n) else 0
    if not is_in_brackets(tex.tree, n) or second and only_child(tex.tree, second, IS_TABLE):
        put_children(tex, n)
        return
    put_fence(tex.out, b"left", only_code(tex.tree, child))
    child = element_from(tex.tree, tex.tree.nodes[child].end, last)
    while child < last:
        put_node(tex, child)
        child = element_from(tex.tree, tex.tree.nodes[child].end, last)
    put_fence(tex.out, b"right", only_code(tex.tree, last))


cdef void put_fence(TextBuffer* out, const char* side, uint32_t code) noexcept nogil:
    """Append a stretching bracket; a full stop if it is missing."""
    put_word(out, side)
    if code == 0:
        put_byte(out, c".")
    elif code == c"|" or code == 0x2223:
        put_byte(out, c"|")
    elif code == 0x2225 or code == 0x2016:
        put_string(out, b"\\|")
    else:
        put_character(out, code)


cdef uint32_t next_row(const Tree* tree, uint32_t row, uint32_t end) noexcept nogil:
    """The first row of a table in nodes [row, end), which may stand in boxes of MathJax; `end` if there is none."""
    cdef Kind kind
    while row < end:
        kind = kind_of(tree, row)
        if kind == IS_TABLE_ROW or kind == IS_LABELED_ROW:
            break
        row = row + 1 if is_row(kind) else tree.nodes[row].end
    return row


cdef void put_cells(TexWriter* tex, uint32_t row, const char* separator) noexcept nogil:
    """Append the cells of a row, and its label if it has one."""
    cdef uint32_t cell = row + 1, cells = 0, label = 0
    while cell < tex.tree.nodes[row].end:
        if kind_of(tex.tree, cell) == IS_CELL:
            if label == 0 and kind_of(tex.tree, row) == IS_LABELED_ROW:
                label = cell
            else:
                if cells:
                    put_string(tex.out, separator)
                put_children(tex, cell)
                cells += 1
        cell = tex.tree.nodes[cell].end
    if label:
        put_tag(tex, label)


cdef void put_table(TexWriter* tex, uint32_t table, const char* environment) noexcept nogil:
    """Append a table. A single row is written as its content, an equation with a number as the equation and its tag."""
    cdef uint32_t end = tex.tree.nodes[table].end, row = next_row(tex.tree, table + 1, end)
    cdef Slice align = attribute_of(tex.tree, table, b"columnalign")
    cdef bint first = True
    if environment == NULL and row < end and next_row(tex.tree, tex.tree.nodes[row].end, end) == end:
        put_cells(tex, row, b"")
        return
    if environment == NULL:
        environment = b"aligned" if begins(align, b"r") or contains(align, b"left") else b"matrix"
    begin_environment(tex.out, environment)
    while row < end and tex.out.length < MAX_FORMULA:
        put_string(tex.out, b" " if first else b" \\\\ ")
        put_cells(tex, row, b" & ")
        row = next_row(tex.tree, tex.tree.nodes[row].end, end)
        first = False
    end_environment(tex.out, environment)


cdef void put_tag(TexWriter* tex, uint32_t label) noexcept nogil:
    """Append an equation number, without the parentheses that TeX adds itself."""
    cdef Token token
    cdef const char* symbol
    cdef uint32_t i, to = 0
    read_token(tex.tree, label, &token)
    trim_token(&token)
    for i in range(token.length):
        if token.codes[i] != c"(" and token.codes[i] != c")" and token.codes[i] != c" ":
            token.codes[to] = token.codes[i]
            to += 1
    tex.out.failed = tex.out.failed or token.cut
    token.length = to
    if to == 0:
        return
    put_string(tex.out, b"\\tag{")
    symbol = known(token.codes[0]).symbol
    if to == 1 and token.codes[0] > 0xA0 and symbol != NULL and symbol[0] == c"\\":
        put_byte(tex.out, c"$")
        put_character(tex.out, token.codes[0])
        put_byte(tex.out, c"$")
    else:
        put_plain(tex.out, &token)
    put_byte(tex.out, c"}")


cdef void put_space(TexWriter* tex, uint32_t n) noexcept nogil:
    """Append a space of the given width."""
    cdef Slice width = attribute_of(tex.tree, n, b"width")
    cdef double ems
    if is_word(attribute_of(tex.tree, n, b"linebreak"), b"newline"):
        put_string(tex.out, b"\\\\ ")
        return
    ems = leading_number(width)
    if contains(width, b"mathspace"):
        ems = -0.16 if begins_word(width, b"negative") else 0.3 if contains(width, b"thick") else 0.16
    elif not contains(width, b"em"):
        return
    put_string(
        tex.out, b"\\!" if ems <= -0.1 else b"\\qquad" if ems >= 1.9 else b"\\quad" if ems >= 0.9
        else b"\\;" if ems >= 0.26 else b"\\:" if ems >= 0.2 else b"\\," if ems >= 0.1 else b""
    )


cdef void put_fenced(TexWriter* tex, uint32_t n) noexcept nogil:
    """Append mfenced: its children between brackets, with separators."""
    cdef Slice opening = attribute_of(tex.tree, n, b"open"), closing = attribute_of(tex.tree, n, b"close")
    cdef Slice separators = attribute_of(tex.tree, n, b"separators")
    cdef uint32_t end = tex.tree.nodes[n].end, child = element_from(tex.tree, n + 1, end), seen = 0
    if separators.data == NULL:
        separators = Slice(data=<const uint8_t*> <const char*> b",", length=1)
    put_fence(tex.out, b"left", first_code(opening) if opening.data != NULL else c"(")
    while child < end and tex.out.length < MAX_FORMULA:
        if seen and separators.length:
            put_character(tex.out, separators.data[min(seen, separators.length) - 1])
        seen += 1
        put_node(tex, child)
        child = element_from(tex.tree, tex.tree.nodes[child].end, end)
    put_fence(tex.out, b"right", first_code(closing) if closing.data != NULL else c")")


cdef void put_enclosed(TexWriter* tex, uint32_t n) noexcept nogil:
    """Append menclose as the nearest command for its notation."""
    cdef Slice notation = attribute_of(tex.tree, n, b"notation")
    cdef uint32_t said = all_values(&NOTATIONS, ~<uint32_t> 0, notation.data, notation.length), i
    for i in range(N_NOTATIONS):
        if said & NOTATION_BITS[i] == NOTATION_BITS[i]:
            put_braced(tex, NOTATION_COMMANDS[i], n)
            return
    put_children(tex, n)


cdef void put_script_pairs(TexWriter* tex, uint32_t child, uint32_t end) noexcept nogil:
    """Append the siblings from `child` on that begin before `end` as subscripts and superscripts in turn."""
    cdef uint8_t mark = c"_"
    child = element_from(tex.tree, child, end)
    while child < end and tex.out.length < MAX_FORMULA:
        put_script(tex, mark, child)
        mark = c"^" if mark == c"_" else c"_"
        child = element_from(tex.tree, tex.tree.nodes[child].end, end)


cdef void put_multiscripts(TexWriter* tex, uint32_t n) noexcept nogil:
    """Append mmultiscripts. Scripts before the base are attached to an empty group."""
    cdef uint32_t base = child_at(tex.tree, n, 0), end = tex.tree.nodes[n].end, before
    if base == 0:
        return
    before = tex.tree.nodes[base].end
    while before < end and kind_of(tex.tree, before) != IS_PRESCRIPTS:
        before = tex.tree.nodes[before].end
    if before < end:
        put_string(tex.out, b"{}")
        put_script_pairs(tex, tex.tree.nodes[before].end, end)
    put_base(tex, base)
    put_script_pairs(tex, tex.tree.nodes[base].end, before)


cdef void put_flat(TexWriter* tex, uint32_t n) noexcept nogil:
    """Append the tokens of an element that is nested too deeply, in sequence."""
    cdef uint32_t m = n
    cdef Token token
    cdef Kind kind
    while m < tex.tree.nodes[n].end and tex.out.length < MAX_FORMULA:
        kind = kind_of(tex.tree, m)
        if is_token(kind):
            read_token(tex.tree, m, &token)
            put_token(tex.out, &token, PLAIN, token_kind(kind))
            m = tex.tree.nodes[m].end
        else:
            m += 1


cdef void put_leaf(TexWriter* tex, uint32_t n, Kind kind) noexcept nogil:
    """Append an identifier, number, operator or text. Its kilobyte of characters is not on the stack while put_node
    recurses.
    """
    cdef Token token
    read_token(tex.tree, n, &token)
    if kind != IS_TEXT:
        put_token(tex.out, &token, variant_of(tex.tree, n), token_kind(kind))
        return
    if token.length == 1 and token.codes[0] == c" ":
        put_string(tex.out, b"\\ ")
    elif token.length:
        put_text_command(tex.out, &token)


cdef void put_node(TexWriter* tex, uint32_t n) noexcept nogil:
    """Append an element, to MAX_DEPTH levels, which a stack of 128 KiB bears."""
    cdef Kind kind = kind_of(tex.tree, n)
    if tex.out.length >= MAX_FORMULA:
        return
    if tex.depth == MAX_DEPTH:
        put_flat(tex, n)
        return
    tex.depth += 1
    if is_token(kind):
        put_leaf(tex, n, kind)
    elif kind == IS_SPACE:
        put_space(tex, n)
    elif kind == IS_FRACTION:
        put_fraction(tex, b"\\genfrac{}{}{0pt}{}{#1}{#2}" if is_bare(tex.tree, n) else b"\\frac{#1}{#2}", n)
    elif kind == IS_SQUARE_ROOT:
        put_braced(tex, b"sqrt", n)
    elif kind == IS_ROOT:
        put_form(tex, b"\\sqrt[#2]{#1}", part(tex.tree, n, 0, IS_BOX), part(tex.tree, n, 1, IS_DEGREE))
    elif kind == IS_SUB or kind == IS_SUP or kind == IS_SUBSUP:
        put_scripted(tex, n, kind)
    elif kind == IS_UNDER or kind == IS_OVER or kind == IS_UNDEROVER:
        put_stacked(tex, n, kind)
    elif kind == IS_TABLE:
        put_table(tex, n, NULL)
    elif kind == IS_FENCED:
        put_fenced(tex, n)
    elif kind == IS_ENCLOSED:
        put_enclosed(tex, n)
    elif kind == IS_PHANTOM:
        put_braced(tex, b"phantom", n)
    elif kind == IS_SCRIPTS:
        put_multiscripts(tex, n)
    elif kind == IS_ACTION:     # of its children one is shown, the first one until a reader acts
        put_node(tex, child_at(tex.tree, n, 0))
    elif kind != IS_NOTHING and kind != IS_NONE and kind != IS_PRESCRIPTS:
        put_row(tex, n)
    tex.depth -= 1


cdef bint convert_math(Rewriting* page, uint32_t n) noexcept nogil:
    """Write the TeX of a MathML or MathJax element to the spare text; False if it displays nothing, or too much to be
    written whole.
    """
    cdef TexWriter tex = start_tex(page, put_node)
    put_node(&tex, n)
    return is_whole(&tex)
