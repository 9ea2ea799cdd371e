# SPDX-License-Identifier: Apache-2.0
"""Presentation MathML as TeX; see mathml.pxd.

The functions recurse to a depth of MAX_DEPTH; deeper elements are written as the text of their tokens. Each node is
visited a bounded number of times.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t

from thresher.native.base.characters cimport equals_ascii, is_space
from thresher.native.constructs.construct cimport (
    KIND_ELEMENT, KIND_TEXT, Attribute, Node, Rewriting, Slice, Tree, begins, slice_at,
)
from thresher.native.constructs.math_tokens cimport (
    IS_CELL, IS_ENCLOSED, IS_FENCED, IS_FRACTION, IS_IDENTIFIER, IS_LABELED_ROW, IS_NOTHING, IS_NUMBER,
    IS_OPERATOR, IS_OVER, IS_PART, IS_PHANTOM, IS_PRESCRIPTS, IS_ROOT, IS_ROW, IS_SCRIPTS, IS_SPACE,
    IS_SQUARE_ROOT, IS_SUB, IS_SUBSUP, IS_SUP, IS_TABLE, IS_TABLE_ROW, IS_TEXT, IS_UNDER, IS_UNDEROVER, PLAIN,
    Kind, Token, attribute_of, leading_number, named, next_code, put_character, put_plain, put_token, put_word, read_token,
    symbol_of, trim_token, variant_of,
)
from thresher.native.parsing.tags cimport *
from thresher.native.base.text_buffer cimport TextBuffer, cut_text, put_byte, put_string, start_text


cdef enum:
    MAX_DEPTH = 100
    MAX_PREFIX = 8          # bytes of a prefix of names


# --- names ---


cdef Kind kind_of_name(Slice name) noexcept nogil:
    """The meaning of an element name; unknown names are rows."""
    cdef uint8_t second
    if name.length < 2 or name.data[0] | 0x20 != c"m":
        if (
            named(name, b"num", 3) or named(name, b"den", 3) or named(name, b"script", 6) or named(name, b"base", 4)
            or named(name, b"over", 4) or named(name, b"under", 5) or named(name, b"root", 4)
        ):
            return IS_PART
        if (
            named(name, b"annotation", 10) or named(name, b"annotation-xml", 14) or named(name, b"none", 4)
            or named(name, b"surd", 4)
        ):
            return IS_NOTHING
        return IS_ROW
    second = name.data[1] | 0x20
    if name.length == 2:
        if second == c"i":
            return IS_IDENTIFIER
        if second == c"n":
            return IS_NUMBER
        if second == c"o":
            return IS_OPERATOR
        return IS_TEXT if second == c"s" else IS_ROW
    if second == c"s":
        if named(name, b"msub", 4):
            return IS_SUB
        if named(name, b"msup", 4):
            return IS_SUP
        if named(name, b"msubsup", 7):
            return IS_SUBSUP
        if named(name, b"msqrt", 5):
            return IS_SQUARE_ROOT
        return IS_SPACE if named(name, b"mspace", 6) else IS_ROW
    if second == c"t":
        if named(name, b"mtext", 5):
            return IS_TEXT
        if named(name, b"mtable", 6):
            return IS_TABLE
        if named(name, b"mtr", 3):
            return IS_TABLE_ROW
        return IS_CELL if named(name, b"mtd", 3) else IS_ROW
    if second == c"f":
        if named(name, b"mfrac", 5):
            return IS_FRACTION
        return IS_FENCED if named(name, b"mfenced", 7) else IS_ROW
    if second == c"u":
        if named(name, b"munder", 6):
            return IS_UNDER
        return IS_UNDEROVER if named(name, b"munderover", 10) else IS_ROW
    if named(name, b"mover", 5):
        return IS_OVER
    if named(name, b"mroot", 5):
        return IS_ROOT
    if named(name, b"mlabeledtr", 10):
        return IS_LABELED_ROW
    if named(name, b"menclose", 8):
        return IS_ENCLOSED
    if named(name, b"mphantom", 8):
        return IS_PHANTOM
    if named(name, b"mmultiscripts", 13):
        return IS_SCRIPTS
    return IS_PRESCRIPTS if named(name, b"mprescripts", 11) else IS_ROW


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
    return length > 0 and named(Slice(data=name.data + length, length=name.length - length), b"math", 4)


cdef Slice name_of(const Tree* tree, uint32_t n) noexcept nogil:
    """The MathML element that an element stands for: by its name, with or without prefix, MathJax's name for it, or the
    SVG attribute that says so.
    """
    cdef uint32_t prefix
    cdef const Node* node = tree.nodes + n
    cdef Slice name
    name.data = NULL
    name.length = 0
    if node.tag >= TAG_COUNT:
        name = slice_at(tree, node.start, node.length)
        prefix = prefix_of(name)
        name.data += prefix
        name.length -= prefix
        if prefix and n + 1 < node.end and named(name, b"mspace", 6):
            name.length = 0     # HTML knows no <m:mspace/>: it holds what follows
    elif node.tag == TAG_MI:
        name = Slice(data=<const uint8_t*> b"mi", length=2)
    elif node.tag == TAG_MO:
        name = Slice(data=<const uint8_t*> b"mo", length=2)
    elif node.tag == TAG_MN:
        name = Slice(data=<const uint8_t*> b"mn", length=2)
    elif node.tag == TAG_MROW or node.tag == TAG_MATH:
        return name
    elif node.tag == TAG_MS:
        name = Slice(data=<const uint8_t*> b"ms", length=2)
    elif node.tag == TAG_MTEXT:
        name = Slice(data=<const uint8_t*> b"mtext", length=5)
    elif node.tag == TAG_MSUP:
        name = Slice(data=<const uint8_t*> b"msup", length=4)
    elif node.tag == TAG_MSUB:
        name = Slice(data=<const uint8_t*> b"msub", length=4)
    elif node.tag == TAG_MFRAC:
        name = Slice(data=<const uint8_t*> b"mfrac", length=5)
    elif node.tag == TAG_ANNOTATION_XML:
        name = Slice(data=<const uint8_t*> b"annotation", length=10)
    elif node.tag == TAG_G:
        name = attribute_of(tree, n, b"data-mml-node", 13)
    elif node.tag == TAG_SPAN and node.n_attributes:
        name = attribute_of(tree, n, b"class", 5)       # MathJax 2
        if not begins(name, b"mjx-", 4):
            name.length = 0
            return name
        while name.length and not is_space(name.data[0]):
            name.data += 1
            name.length -= 1
        name = Slice(data=attribute_of(tree, n, b"class", 5).data, length=attribute_of(tree, n, b"class",
            5).length - name.length)
    if begins(name, b"mjx-", 4):
        name.data += 4
        name.length -= 4
    return name


cdef inline Kind kind_of(const Tree* tree, uint32_t n) noexcept nogil:
    """The meaning of a node; text between elements is ignored."""
    if tree.nodes[n].kind != KIND_ELEMENT:
        return IS_NOTHING
    return kind_of_name(name_of(tree, n))


cdef uint32_t child_at(const Tree* tree, uint32_t n, uint32_t i) noexcept nogil:
    """The i-th displayed child element; 0 if there are fewer. i is small."""
    cdef uint32_t child = n + 1
    while child < tree.nodes[n].end:
        if tree.nodes[child].kind == KIND_ELEMENT and kind_of(tree, child) != IS_NOTHING:
            if i == 0:
                return child
            i -= 1
        elif tree.nodes[child].kind == KIND_ELEMENT and named(name_of(tree, child), b"none", 4):
            if i == 0:
                return child
            i -= 1
        child = tree.nodes[child].end
    return 0


cdef uint32_t find_part(const Tree* tree, uint32_t n, const char* word, uint32_t length) noexcept nogil:
    """The named part of a MathJax element; 0 if there is none. Looks into boxes, but not into other parts."""
    cdef uint32_t m = n + 1
    cdef Kind kind
    cdef Slice name
    while m < tree.nodes[n].end:
        if tree.nodes[m].kind != KIND_ELEMENT:
            m = tree.nodes[m].end
            continue
        name = name_of(tree, m)
        if named(name, word, length):
            return m
        kind = kind_of_name(name)
        # munderover contains a munder around the base
        if kind == IS_ROW and not named(name, b"texatom", 7) and not named(name, b"mrow", 4) or kind == IS_UNDER:
            m += 1
        else:
            m = tree.nodes[m].end
    return 0


cdef bint is_mathjax(const Tree* tree, uint32_t n) noexcept nogil:
    """True for an element of MathJax's CommonHTML, which has its own names and order for parts."""
    cdef const Node* node = tree.nodes + n
    return node.tag >= TAG_COUNT and begins(slice_at(tree, node.start, node.length), b"mjx-", 4) or node.tag == TAG_SPAN


# --- TeX ---


cdef uint32_t only_code(const Tree* tree, uint32_t n) noexcept nogil:
    """The single character of an operator, through rows of one element; 0 otherwise."""
    cdef Token token
    cdef Kind kind
    cdef int step
    for step in range(4):
        kind = kind_of(tree, n)
        if kind == IS_OPERATOR or kind == IS_IDENTIFIER or kind == IS_TEXT:
            if tree.nodes[n].end - n > 16:
                return 0
            read_token(tree, n, &token)
            trim_token(&token)
            return token.codes[0] if token.length == 1 else 0
        if (kind != IS_ROW and kind != IS_PART) or child_at(tree, n, 0) == 0 or child_at(tree, n, 1) != 0:
            return 0
        n = child_at(tree, n, 0)
    return 0


cdef uint32_t only_child(const Tree* tree, uint32_t n, Kind wanted) noexcept nogil:
    """The node itself if it is of a kind, else the only element in it, through rows, that is; 0 if there is none."""
    cdef int step
    for step in range(6):
        if kind_of(tree, n) == wanted:
            return n
        if kind_of(tree, n) != IS_ROW or child_at(tree, n, 1) != 0:
            return 0
        n = child_at(tree, n, 0)
        if n == 0:
            return 0
    return 0


cdef bint takes_limits(const Tree* tree, uint32_t n) noexcept nogil:
    """True for a sum, an integral or a limit, whose limits TeX writes as scripts."""
    cdef Token token
    cdef uint32_t code = only_code(tree, n)
    cdef int step
    if code:
        return (
            0x220F <= code <= 0x2211 or 0x222B <= code <= 0x2233 or 0x22C0 <= code <= 0x22C3 or 0x2A00 <= code <= 0x2A06
        )
    for step in range(4):
        if kind_of(tree, n) == IS_OPERATOR or kind_of(tree, n) == IS_IDENTIFIER:
            if tree.nodes[n].end - n > 32:
                return False
            read_token(tree, n, &token)
            trim_token(&token)
            return token.length > 1
        if kind_of(tree, n) != IS_ROW and kind_of(tree, n) != IS_PART:
            return False
        n = child_at(tree, n, 0)
        if n == 0:
            return False
    return False


cdef const char* accent_over(const Tree* tree, uint32_t n, bint wide) noexcept nogil:
    """The command for an accent above a letter; NULL if it is not an accent."""
    cdef uint32_t code = only_code(tree, n)
    cdef bint stretches = not named(attribute_of(tree, n, b"stretchy", 8), b"false", 5)
    if code == c"^" or code == 0x2C6 or code == 0x302:
        return b"widehat" if wide and stretches else b"hat"
    if code == c"~" or code == 0x2DC or code == 0x303 or code == 0x223C:
        return b"widetilde" if wide and stretches else b"tilde"
    if (
        code == 0xAF or code == 0x203E or code == 0x2015 or code == 0x305 or code == 0x304 or code == c"_"
        or code == 0x2013 or code == 0x2C9
    ):
        return b"overline" if stretches else b"bar"
    if code == 0x2192 or code == 0x20D7 or code == 0x21C0:
        return b"overrightarrow" if wide and stretches else b"vec"
    if code == 0x2190 or code == 0x20D6:
        return b"overleftarrow"
    if code == 0x2194:
        return b"overleftrightarrow"
    if code == 0x2D9 or code == 0x307:
        return b"dot"
    if code == 0xA8 or code == 0x308:
        return b"ddot"
    if code == 0x20DB:
        return b"dddot"
    if code == 0x2C7 or code == 0x30C:
        return b"check"
    if code == 0x2D8 or code == 0x306:
        return b"breve"
    if code == 0xB4 or code == 0x2CA or code == 0x301:
        return b"acute"
    if code == c"`" or code == 0x2CB or code == 0x300:
        return b"grave"
    if code == 0x2DA or code == 0x30A:
        return b"mathring"
    if code == 0x23DE or code == 0xFE37:
        return b"overbrace"
    return NULL


cdef const char* accent_under(const Tree* tree, uint32_t n) noexcept nogil:
    """The command for an accent below a letter; NULL if it is not an accent."""
    cdef uint32_t code = only_code(tree, n)
    if code == 0x23DF or code == 0xFE38:
        return b"underbrace"
    if code == c"_" or code == 0x332 or code == 0x2015 or code == 0x203E or code == 0xAF or code == 0x2013:
        return b"underline"
    if code == 0x2192:
        return b"underrightarrow"
    return NULL


cdef bint has_brace(const Tree* tree, uint32_t n) noexcept nogil:
    """True for an over- or underbrace, which takes its label as a script."""
    cdef uint32_t m = only_child(tree, n, IS_UNDER), code
    if m == 0:
        m = only_child(tree, n, IS_OVER)
    if m == 0 or child_at(tree, m, 1) == 0:
        return False
    code = only_code(tree, child_at(tree, m, 1))
    return code == 0x23DE or code == 0x23DF or code == 0xFE37 or code == 0xFE38


# --- elements ---


cdef void put_group(const Tree* tree, TextBuffer* out, uint32_t n, int depth) noexcept nogil:
    """Append an element in braces; n = 0 stands for a missing element."""
    put_byte(out, c"{")
    if n:
        put_node(tree, out, n, depth)
    put_byte(out, c"}")


cdef void put_script(const Tree* tree, TextBuffer* out, uint8_t mark, uint32_t n, int depth) noexcept nogil:
    """Append a subscript or superscript, without braces if it is one letter or digit."""
    cdef size_t start
    cdef uint32_t code
    if n == 0 or named(name_of(tree, n), b"none", 4):
        return
    code = only_code(tree, n)
    if mark == c"^" and (code == 0x2032 or code == c"'" or code == 0x2033 or code == 0x2034):
        put_character(out, code)
        return
    start = out.length
    put_byte(out, mark)
    put_group(tree, out, n, depth)
    shorten_script(out, start)


cdef void shorten_script(TextBuffer* out, size_t start) noexcept nogil:
    """Remove the braces from a script of one letter or digit, and remove an empty script altogether. It begins at
    `start`.
    """
    if out.length == start + 3:
        cut_text(out, start)
    elif out.length == start + 4 and (
        c"a" <= (out.data[start + 2] | 0x20) <= c"z" or c"0" <= out.data[start + 2] <= c"9"
        or out.data[start + 2] == c"*"
    ):
        out.data[start + 1] = out.data[start + 2]
        cut_text(out, start + 2)


cdef void put_base(const Tree* tree, TextBuffer* out, uint32_t n, int depth) noexcept nogil:
    """Append the base of scripts, in braces if it is more than one element."""
    cdef size_t start = out.length
    cdef bint group
    if n == 0:
        put_string(out, b"{}")
        return
    if kind_of(tree, n) == IS_ROW or kind_of(tree, n) == IS_PART:
        group = child_at(tree, n, 1) != 0 and not is_in_brackets(tree, n)
    else:
        group = kind_of(tree, n) in (IS_SUB, IS_SUP, IS_SUBSUP, IS_FRACTION, IS_OVER, IS_UNDER) and not (
            has_brace(tree, n) or is_accented(tree, n)
        )
    if group:
        put_group(tree, out, n, depth)
    else:
        put_node(tree, out, n, depth)
        if out.length == start:
            put_string(out, b"{}")


cdef bint is_in_brackets(const Tree* tree, uint32_t n) noexcept nogil:
    """True for a row between stretching brackets, which needs no braces as a base."""
    cdef uint32_t first = child_at(tree, n, 0), last = last_child(tree, n)
    return (
        first != 0 and last > first and named(attribute_of(tree, first, b"data-mjx-texclass", 17), b"open", 4)
        and named(attribute_of(tree, last, b"data-mjx-texclass", 17), b"close", 5)
    )


cdef bint is_accented(const Tree* tree, uint32_t n) noexcept nogil:
    """True for an accented letter, which needs no braces as a base."""
    return (
        kind_of(tree, n) == IS_OVER and child_at(tree, n, 1) != 0
        and accent_over(tree, child_at(tree, n, 1), False) != NULL
    )


cdef uint32_t part(const Tree* tree, uint32_t n, uint32_t i, const char* word, uint32_t length) noexcept nogil:
    """The i-th child of a MathML element, or the MathJax part of that name."""
    cdef uint32_t found = 0
    if is_mathjax(tree, n):
        found = find_part(tree, n, word, length)
    return found if found else child_at(tree, n, i)


cdef void put_scripted(const Tree* tree, TextBuffer* out, uint32_t n, Kind kind, int depth) noexcept nogil:
    """Append msub, msup, msubsup."""
    cdef uint32_t base = child_at(tree, n, 0), first = child_at(tree, n, 1), second = child_at(tree, n, 2)
    cdef uint32_t script
    if is_mathjax(tree, n):
        script = find_part(tree, n, b"script", 6)
        if script:
            base = find_part(tree, n, b"base", 4)
            if base == 0:
                base = child_at(tree, n, 0)
            first = second = 0
            if kind == IS_SUBSUP or kind == IS_UNDEROVER:
                second = child_at(tree, script, 0)      # MathJax lists the superscript first
                first = last_child(tree, script)
            else:
                first = script
        elif find_part(tree, n, b"sup", 3) or find_part(tree, n, b"sub", 3):    # MathJax 2
            base = find_part(tree, n, b"base", 4)
            first = find_part(tree, n, b"sub", 3)
            second = find_part(tree, n, b"sup", 3)
            kind = IS_SUBSUP
    put_base(tree, out, base, depth)
    if kind == IS_SUP or kind == IS_OVER:
        put_script(tree, out, c"^", first, depth)
        return
    put_script(tree, out, c"_", first, depth)
    if kind == IS_SUBSUP or kind == IS_UNDEROVER:
        put_script(tree, out, c"^", second, depth)


cdef uint32_t last_child(const Tree* tree, uint32_t n) noexcept nogil:
    """The last child that has a meaning; 0 if there is none."""
    cdef uint32_t child = n + 1, last = 0
    while child < tree.nodes[n].end:
        if tree.nodes[child].kind == KIND_ELEMENT and not named(name_of(tree, child), b"spacer", 6):
            last = child
        child = tree.nodes[child].end
    return last


cdef void put_stacked(const Tree* tree, TextBuffer* out, uint32_t n, Kind kind, int depth) noexcept nogil:
    """Append munder, mover or munderover: limits of a sum, an accent, or one thing above another."""
    cdef uint32_t base, under = 0, over = 0
    cdef const char* accent = NULL
    if is_mathjax(tree, n) and find_part(tree, n, b"script", 6):
        put_scripted(tree, out, n, kind, depth)     # limits in a line of text are scripts
        return
    base = part(tree, n, 0, b"base", 4)
    if kind == IS_UNDER or kind == IS_UNDEROVER:
        under = part(tree, n, 1, b"under", 5)
    if kind == IS_OVER:
        over = part(tree, n, 1, b"over", 4)
    elif kind == IS_UNDEROVER:
        over = part(tree, n, 2, b"over", 4)
    if base == 0:
        return
    if takes_limits(tree, base) or has_brace(tree, base):
        put_base(tree, out, base, depth)
        put_script(tree, out, c"_", under, depth)
        put_script(tree, out, c"^", over, depth)
        return
    if over:
        accent = accent_over(tree, over, only_code(tree, base) == 0)
        if accent == NULL:
            put_string(out, b"\\overset")
            put_group(tree, out, over, depth)
        else:
            put_word(out, accent)
        put_byte(out, c"{")
    if under:
        accent = accent_under(tree, under)
        if accent == NULL:
            put_string(out, b"\\underset")
            put_group(tree, out, under, depth)
        else:
            put_word(out, accent)
        put_byte(out, c"{")
    put_node(tree, out, base, depth)
    if under:
        put_byte(out, c"}")
    if over:
        put_byte(out, c"}")


cdef bint is_opening(uint32_t code) noexcept nogil:
    return (
        code == c"(" or code == c"[" or code == c"{" or code == c"|" or code == 0x2016 or code == 0x2223
        or code == 0x2225
    )


cdef uint32_t closing_of(uint32_t code) noexcept nogil:
    """The closing bracket for an opening one."""
    if code == c"(":
        return c")"
    if code == c"[":
        return c"]"
    return c"}" if code == c"{" else code


cdef const char* environment_of(uint32_t code) noexcept nogil:
    """The environment for a table between brackets."""
    if code == c"(":
        return b"pmatrix"
    if code == c"[":
        return b"bmatrix"
    if code == c"{":
        return b"Bmatrix"
    return b"vmatrix" if code == c"|" or code == 0x2223 else b"Vmatrix"


cdef uint32_t next_child(const Tree* tree, uint32_t child, uint32_t end) noexcept nogil:
    """The next displayed sibling before `end`; 0 if there is none."""
    cdef Slice name
    child = tree.nodes[child].end
    while child < end:
        if tree.nodes[child].kind == KIND_ELEMENT and kind_of(tree, child) != IS_NOTHING:
            name = name_of(tree, child)
            if not (kind_of_name(name) == IS_OPERATOR and is_blank_operator(tree, child)):
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


cdef void put_children(const Tree* tree, TextBuffer* out, uint32_t n, int depth) noexcept nogil:
    """Append the children of a row. A table between brackets becomes a matrix, one after a brace becomes cases, and a
    fraction without a line between parentheses becomes a binomial coefficient.
    """
    cdef uint32_t child = n + 1, end = tree.nodes[n].end, code, next_one, table, after, fraction
    cdef Kind kind
    while child < end and out.length < MAX_OUTPUT:
        if tree.nodes[child].kind != KIND_ELEMENT:
            child = tree.nodes[child].end
            continue
        kind = kind_of(tree, child)
        if kind == IS_OPERATOR or kind == IS_ROW:
            code = only_code(tree, child)
            next_one = next_child(tree, child, end) if code and is_opening(code) else 0
            table = only_child(tree, next_one, IS_TABLE) if next_one else 0
            if table:
                after = next_child(tree, next_one, end)
                if after and only_code(tree, after) == closing_of(code):
                    put_table(tree, out, table, environment_of(code), depth)
                    child = tree.nodes[after].end
                    continue
                if code == c"{":
                    put_table(tree, out, table, b"cases", depth)
                    child = tree.nodes[next_one].end
                    continue
            fraction = only_child(tree, next_one, IS_FRACTION) if next_one and code == c"(" else 0
            if fraction and is_zero(attribute_of(tree, fraction, b"linethickness", 13)):
                after = next_child(tree, next_one, end)
                if after and only_code(tree, after) == c")":
                    put_word(out, b"binom")
                    put_group(tree, out, part(tree, fraction, 0, b"num", 3), depth)
                    put_group(tree, out, part(tree, fraction, 1, b"den", 3), depth)
                    child = tree.nodes[after].end
                    continue
        put_node(tree, out, child, depth)
        child = tree.nodes[child].end


cdef bint is_zero(Slice value) noexcept nogil:
    """True for a length of zero."""
    return value.length > 0 and value.data[0] == c"0" and (value.length == 1 or value.data[1] != c".")


cdef void put_row(const Tree* tree, TextBuffer* out, uint32_t n, int depth) noexcept nogil:
    """Append a row. Brackets at its two ends stretch if MathJax says so."""
    cdef uint32_t first = child_at(tree, n, 0), last = last_child(tree, n)
    if not is_in_brackets(tree, n) or only_child_between(tree, first, last, IS_TABLE):
        put_children(tree, out, n, depth)
        return
    put_fence(out, b"left", only_code(tree, first))
    put_between(tree, out, tree.nodes[first].end, last, depth)
    put_fence(out, b"right", only_code(tree, last))


cdef uint32_t only_child_between(const Tree* tree, uint32_t first, uint32_t last, Kind wanted) noexcept nogil:
    """The element of a kind directly after another one; 0 if there is none."""
    cdef uint32_t child = next_child(tree, first, last)
    return only_child(tree, child, wanted) if child else 0


cdef void put_between(const Tree* tree, TextBuffer* out, uint32_t child, uint32_t end, int depth) noexcept nogil:
    """Append the siblings from `child` on that begin before `end`."""
    while child < end and out.length < MAX_OUTPUT:
        if tree.nodes[child].kind == KIND_ELEMENT:
            put_node(tree, out, child, depth)
        child = tree.nodes[child].end


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


cdef void put_table(
    const Tree* tree, TextBuffer* out, uint32_t table, const char* environment, int depth
) noexcept nogil:
    """Append a table. A single cell is written as its content, an equation with a number as the equation and its tag.
    """
    cdef uint32_t row = table + 1, end = tree.nodes[table].end, cell, rows = 0, cells = 0, label = 0, in_row
    cdef Slice align = attribute_of(tree, table, b"columnalign", 11)
    cdef Kind kind
    # rows may stand in boxes of MathJax
    cdef uint32_t m = table + 1
    while m < end:
        kind = kind_of(tree, m)
        if kind == IS_TABLE_ROW or kind == IS_LABELED_ROW:
            rows += 1
            cell = m + 1
            in_row = 0
            while cell < tree.nodes[m].end:
                in_row += kind_of(tree, cell) == IS_CELL
                cell = tree.nodes[cell].end
            cells = max(cells, in_row - (kind == IS_LABELED_ROW))
            m = tree.nodes[m].end
        else:
            m += 1 if tree.nodes[m].kind == KIND_ELEMENT and kind == IS_ROW else tree.nodes[m].end - m
    if environment == NULL:
        environment = (
            b"aligned" if align.length
            and (align.data[0] == c"r" or contains_word(align, b"left", 4)) else b"matrix"
        )
        if rows == 1:
            environment = NULL
    if environment != NULL:
        put_string(out, b"\\begin{")
        put_string(out, environment)
        put_byte(out, c"}")
    rows = 0
    while row < end and out.length < MAX_OUTPUT:
        kind = kind_of(tree, row)
        if kind != IS_TABLE_ROW and kind != IS_LABELED_ROW:
            row = row + 1 if tree.nodes[row].kind == KIND_ELEMENT and kind == IS_ROW else tree.nodes[row].end
            continue
        if rows:
            put_string(out, b" \\\\ ")
        elif environment != NULL:
            put_byte(out, c" ")
        rows += 1
        cells = 0
        label = 0
        cell = row + 1
        while cell < tree.nodes[row].end:
            if kind_of(tree, cell) == IS_CELL:
                if kind == IS_LABELED_ROW and label == 0:
                    label = cell
                else:
                    if cells and environment != NULL:
                        put_string(out, b" & ")
                    put_children(tree, out, cell, depth)
                    cells += 1
            cell = tree.nodes[cell].end
        if label:
            put_tag(tree, out, label, depth)
        row = tree.nodes[row].end
    if environment != NULL:
        put_string(out, b" \\end{")
        put_string(out, environment)
        put_byte(out, c"}")


cdef void put_tag(const Tree* tree, TextBuffer* out, uint32_t label, int depth) noexcept nogil:
    """Append an equation number, without the parentheses that TeX adds itself."""
    cdef Token token
    cdef uint32_t i, to = 0
    read_token(tree, label, &token)
    trim_token(&token)
    for i in range(token.length):
        if token.codes[i] != c"(" and token.codes[i] != c")" and token.codes[i] != c" ":
            token.codes[to] = token.codes[i]
            to += 1
    out.failed = out.failed or token.cut
    token.length = to
    if to == 0:
        return
    put_string(out, b"\\tag{")
    if to == 1 and symbol_of(token.codes[0]) != NULL:
        put_byte(out, c"$")
        put_character(out, token.codes[0])
        put_byte(out, c"$")
    else:
        put_plain(out, &token)
    put_byte(out, c"}")


cdef bint contains_word(Slice text, const char* word, uint32_t length) noexcept nogil:
    """True if a text contains a word."""
    cdef uint32_t i
    for i in range(text.length - length + 1 if text.length >= length else 0):
        if begins(Slice(data=text.data + i, length=text.length - i), word, length):
            return True
    return False


cdef void put_space(const Tree* tree, TextBuffer* out, uint32_t n) noexcept nogil:
    """Append a space of the given width."""
    cdef Slice width = attribute_of(tree, n, b"width", 5)
    cdef double ems
    if named(attribute_of(tree, n, b"linebreak", 9), b"newline", 7):
        put_string(out, b"\\\\ ")
        return
    ems = leading_number(width)
    if contains_word(width, b"mathspace", 9):
        ems = 0.3 if contains_word(width, b"thick", 5) else 0.16
    elif not contains_word(width, b"em", 2):
        return
    if ems <= -0.1:
        put_string(out, b"\\!")
    elif ems >= 1.9:
        put_string(out, b"\\qquad")
    elif ems >= 0.9:
        put_string(out, b"\\quad")
    elif ems >= 0.26:
        put_string(out, b"\\;")
    elif ems >= 0.2:
        put_string(out, b"\\:")
    elif ems >= 0.1:
        put_string(out, b"\\,")


cdef void put_fenced(const Tree* tree, TextBuffer* out, uint32_t n, int depth) noexcept nogil:
    """Append mfenced: its children between brackets, with separators."""
    cdef Slice opening = attribute_of(tree, n, b"open", 4), closing = attribute_of(tree, n, b"close", 5)
    cdef Slice separators = attribute_of(tree, n, b"separators", 10)
    cdef uint32_t child = n + 1, code = c"(", seen = 0
    cdef bint first = True
    if opening.length:
        next_code(opening.data, opening.data + opening.length, &code)
    elif opening.data != NULL:
        code = 0
    put_fence(out, b"left", code)
    while child < tree.nodes[n].end and out.length < MAX_OUTPUT:
        if tree.nodes[child].kind == KIND_ELEMENT:
            if not first:
                if separators.data == NULL:
                    put_byte(out, c",")
                elif separators.length:
                    put_character(out, separators.data[min(seen, separators.length - 1)])
                    seen += 1
            first = False
            put_node(tree, out, child, depth)
        child = tree.nodes[child].end
    code = c")"
    if closing.length:
        next_code(closing.data, closing.data + closing.length, &code)
    elif closing.data != NULL:
        code = 0
    put_fence(out, b"right", code)


cdef void put_enclosed(const Tree* tree, TextBuffer* out, uint32_t n, int depth) noexcept nogil:
    """Append menclose as the nearest command for its notation."""
    cdef Slice notation = attribute_of(tree, n, b"notation", 8)
    cdef const char* command = NULL
    if contains_word(notation, b"box", 3) or contains_word(notation, b"circle", 6):
        command = b"boxed"
    elif contains_word(notation, b"updiagonalstrike", 16):
        command = b"xcancel" if contains_word(notation, b"downdiagonalstrike", 18) else b"cancel"
    elif contains_word(notation, b"downdiagonalstrike", 18):
        command = b"bcancel"
    elif contains_word(notation, b"top", 3):
        command = b"overline"
    elif contains_word(notation, b"bottom", 6):
        command = b"underline"
    elif contains_word(notation, b"radical", 7):
        command = b"sqrt"
    if command == NULL:
        put_children(tree, out, n, depth)
        return
    put_word(out, command)
    put_byte(out, c"{")
    put_children(tree, out, n, depth)
    put_byte(out, c"}")


cdef void put_multiscripts(const Tree* tree, TextBuffer* out, uint32_t n, int depth) noexcept nogil:
    """Append mmultiscripts. Scripts before the base are attached to an empty group."""
    cdef uint32_t base = child_at(tree, n, 0), child, end = tree.nodes[n].end, before = 0, i = 0
    if base == 0:
        return
    child = tree.nodes[base].end
    while child < end:
        if tree.nodes[child].kind == KIND_ELEMENT and kind_of(tree, child) == IS_PRESCRIPTS:
            before = child
            break
        child = tree.nodes[child].end
    if before:
        put_string(out, b"{}")
        child = tree.nodes[before].end
        while child < end and out.length < MAX_OUTPUT:
            if tree.nodes[child].kind == KIND_ELEMENT:
                put_script(tree, out, c"^" if i % 2 else c"_", child, depth)
                i += 1
            child = tree.nodes[child].end
        end = before
    put_base(tree, out, base, depth)
    i = 0
    child = tree.nodes[base].end
    while child < end and out.length < MAX_OUTPUT:
        if tree.nodes[child].kind == KIND_ELEMENT:
            put_script(tree, out, c"^" if i % 2 else c"_", child, depth)
            i += 1
        child = tree.nodes[child].end


cdef void put_flat(const Tree* tree, TextBuffer* out, uint32_t n) noexcept nogil:
    """Append the tokens of an element that is nested too deeply, in sequence."""
    cdef uint32_t m = n
    cdef Token token
    cdef Kind kind
    while m < tree.nodes[n].end and out.length < MAX_OUTPUT:
        kind = kind_of(tree, m)
        if kind == IS_IDENTIFIER or kind == IS_NUMBER or kind == IS_OPERATOR or kind == IS_TEXT:
            read_token(tree, m, &token)
            put_token(out, &token, PLAIN, kind)
            m = tree.nodes[m].end
        else:
            m += 1


cdef void put_leaf(const Tree* tree, TextBuffer* out, uint32_t n, Kind kind) noexcept nogil:
    """Append an identifier, number, operator or text. Its kilobyte of characters is not on the stack while put_node
    recurses.
    """
    cdef Token token
    cdef size_t start
    read_token(tree, n, &token)
    if kind != IS_TEXT:
        put_token(out, &token, variant_of(tree, n), kind)
        return
    if token.length == 0:
        return
    put_string(out, b"\\text{")
    start = out.length
    put_plain(out, &token)
    if out.length == start + 1 and out.data[start] == c" ":
        cut_text(out, start - 6)
        put_string(out, b"\\ ")
    else:
        put_byte(out, c"}")


cdef void put_node(const Tree* tree, TextBuffer* out, uint32_t n, int depth) noexcept nogil:
    """Append an element. The only recursion of the core: MAX_DEPTH levels, which a stack of 128 KiB bears."""
    cdef Kind kind = kind_of(tree, n)
    if out.length >= MAX_OUTPUT:
        return
    if depth == MAX_DEPTH:
        put_flat(tree, out, n)
        return
    depth += 1
    if kind == IS_NOTHING or kind == IS_PRESCRIPTS:
        return
    if kind == IS_IDENTIFIER or kind == IS_NUMBER or kind == IS_OPERATOR or kind == IS_TEXT:
        put_leaf(tree, out, n, kind)
    elif kind == IS_SPACE:
        put_space(tree, out, n)
    elif kind == IS_FRACTION:
        if is_zero(attribute_of(tree, n, b"linethickness", 13)):
            put_string(out, b"\\genfrac{}{}{0pt}{}")
        else:
            put_word(out, b"frac")
        put_group(tree, out, part(tree, n, 0, b"num", 3), depth)
        put_group(tree, out, part(tree, n, 1, b"den", 3), depth)
    elif kind == IS_SQUARE_ROOT:
        put_string(out, b"\\sqrt{")
        put_children(tree, out, n, depth)
        put_byte(out, c"}")
    elif kind == IS_ROOT:
        put_string(out, b"\\sqrt[")
        if part(tree, n, 1, b"root", 4):
            put_node(tree, out, part(tree, n, 1, b"root", 4), depth)
        put_byte(out, c"]")
        put_group(tree, out, part(tree, n, 0, b"box", 3), depth)
    elif kind == IS_SUB or kind == IS_SUP or kind == IS_SUBSUP:
        put_scripted(tree, out, n, kind, depth)
    elif kind == IS_UNDER or kind == IS_OVER or kind == IS_UNDEROVER:
        put_stacked(tree, out, n, kind, depth)
    elif kind == IS_TABLE:
        put_table(tree, out, n, NULL, depth)
    elif kind == IS_FENCED:
        put_fenced(tree, out, n, depth)
    elif kind == IS_ENCLOSED:
        put_enclosed(tree, out, n, depth)
    elif kind == IS_PHANTOM:
        put_string(out, b"\\phantom{")
        put_children(tree, out, n, depth)
        put_byte(out, c"}")
    elif kind == IS_SCRIPTS:
        put_multiscripts(tree, out, n, depth)
    else:
        put_row(tree, out, n, depth)


cdef bint convert_math(Rewriting* page, uint32_t n) noexcept nogil:
    """Write the TeX of a MathML or MathJax element to the spare text; False if it displays nothing, or too much to be
    written whole.
    """
    start_text(page.spare)
    put_node(page.tree, page.spare, n, 0)
    return 0 < page.spare.length < MAX_OUTPUT and not page.spare.failed
