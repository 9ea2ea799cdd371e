# SPDX-License-Identifier: Apache-2.0
"""Writes raised and lowered text in plain characters."""

from libc.string cimport memcpy, strchr, strlen

from thresher.native.base.word_table cimport kept
from thresher.native.parsing.tag_table cimport fill_tags


cdef enum:
    MAX_BACK = 16           # nodes before the element that are searched for text
    MAX_BASE = 4            # letters of a word that can have an index
    MAX_TO_MATHS = 3           # ancestors of raised text that may mark it as mathematics


cdef (const char*)[24] DIGITS       # raised and lowered: 0 to 9, plus, minus
for _i, _digit in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻₀₁₂₃₄₅₆₇₈₉₊₋"):
    DIGITS[<int> _i] = kept(_digit)

cdef uint8_t[TAG_COUNT] IS_LOOK     # elements that only change how raised text looks
fill_tags(IS_LOOK, {1: "i em b strong span var font small big"})


ctypedef struct Base:       # the text before the element
    uint8_t last            # its last byte; 0 if there is none or it is white space
    uint32_t letters        # letters at its end: ASCII letters, at most MAX_BASE + 1, or one such as ℝ
    uint32_t node           # the text node; 0 if there is none


cdef Base base_of(const Tree* tree, const MetricsArray* metrics, uint32_t start, uint32_t node) noexcept nogil:
    """The text before an element in its block, which begins at node `start`."""
    cdef Base base = Base(last=0, letters=0, node=0)
    cdef Slice text
    cdef uint32_t n = node, looked = 0
    while n > start and looked < MAX_BACK:
        n -= 1
        looked += 1
        if metrics.nodes[n].flags & FLAG_HIDDEN:
            continue
        if tree.nodes[n].kind == KIND_TEXT:
            text = text_of(tree, n)
            THRESHER_CHECK(text.length > 0)
            if not is_space(text.data[text.length - 1]):
                base.last = text.data[text.length - 1]
                base.node = n
                if text.length >= 3 and text.data[text.length - 3] == 0xE2 and (
                    text.data[text.length - 2] == 0x84 or text.data[text.length - 2] == 0x85
                ):
                    base.letters = 1        # a letter such as ℝ
                    break
                while (
                    base.letters < text.length and base.letters <= MAX_BASE
                    and is_ascii_letter(text.data[text.length - 1 - base.letters])
                ):
                    base.letters += 1
            break
        if tree.nodes[n].tag == TAG_BR:
            break
    return base


cdef uint32_t gather(
    uint8_t* out, const Tree* tree, const MetricsArray* metrics, uint32_t node, bint links, bint* nested
) noexcept nogil:
    """Write the text of an element to `out` without white space, and return its length.

    0 if there is none or more than MAX_RAISED bytes, if it is several words, or if the element holds more than text,
    formatting and, unless `links` are to be kept, links. `nested` is set if it holds a sub or sup element, which
    becomes plain characters; NULL if it must not hold one.
    """
    cdef uint32_t n = node + 1, length = 0, i
    cdef uint32_t tag
    cdef Slice text
    cdef bint spaced = False
    while n < tree.nodes[node].end:
        if metrics.nodes[n].flags & FLAG_HIDDEN:
            n = tree.nodes[n].end
            continue
        if tree.nodes[n].kind == KIND_ELEMENT:
            tag = tree.nodes[n].tag
            if tree.nodes[n].namespace != NS_HTML:
                return 0
            if (tag == TAG_SUB or tag == TAG_SUP) and nested != NULL and length:
                i = gather_nested(out + length, MAX_RAISED - length, tree, metrics, n, links)
                if i == 0:
                    return 0
                nested[0] = True
                length += i
                n = tree.nodes[n].end
                continue
            if (tag >= TAG_COUNT or not IS_LOOK[tag]) and (tag != TAG_A or links):
                return 0
        elif tree.nodes[n].kind != KIND_TEXT or tree.nodes[n].namespace != CONSTRUCT_NONE:
            return 0
        else:
            text = text_of(tree, n)
            for i in range(text.length):
                if is_space(text.data[i]):
                    spaced = True
                    continue
                if length == MAX_RAISED:
                    return 0
                if (
                    spaced and length and is_ascii_letter_or_digit(text.data[i])
                    and is_ascii_letter_or_digit(out[length - 1])
                ):
                    return 0
                spaced = False
                out[length] = text.data[i]
                length += 1
        n += 1
    return length


cdef uint32_t gather_nested(
    uint8_t* out, uint32_t room, const Tree* tree, const MetricsArray* metrics, uint32_t node, bint links
) noexcept nogil:
    """Write a sub or sup element that stands in another one, in plain characters; 0 if that cannot be."""
    cdef uint8_t[MAX_RAISED] text
    cdef uint8_t[RAISED_ROOM] raised
    cdef bint lower = tree.nodes[node].tag == TAG_SUB
    cdef uint32_t length = gather(text, tree, metrics, node, links, NULL), written
    if length == 0:
        return 0
    written = as_digits(raised, text, length, lower)
    if written == 0:
        if not is_name(text, length):
            return 0
        raised[0] = c"_" if lower else c"^"
        memcpy(raised + 1, text, length)
        written = length + 1
    if written > room:
        return 0
    memcpy(out, raised, written)
    return written


cdef uint32_t minus_at(const uint8_t* text, uint32_t length, uint32_t i) noexcept nogil:
    """Length in bytes of the minus, hyphen or en dash at a position; 0 if there is none."""
    if text[i] == c"-":
        return 1
    if i + 2 < length and text[i] == 0xE2 and (
        (text[i + 1] == 0x88 and text[i + 2] == 0x92) or (text[i + 1] == 0x80 and text[i + 2] == 0x93)
    ):
        return 3
    return 0


cdef uint32_t as_digits(uint8_t* out, const uint8_t* text, uint32_t length, bint lower) noexcept nogil:
    """Write a number, with signs, in superscript or subscript digits; 0 if the text is something else."""
    cdef const char* character
    cdef uint32_t i = 0, written = 0, digit, size
    cdef bint any_digit = False
    while i < length:
        size = minus_at(text, length, i)
        digit = 11
        if size == 0:
            size = 1
            digit = 10 if text[i] == c"+" else text[i] - c"0"
        if digit > 11 or text[i] == c":" or text[i] == c";":
            return 0
        any_digit = any_digit or digit < 10
        character = DIGITS[digit + (12 if lower else 0)]
        memcpy(out + written, character, strlen(character))
        written += <uint32_t> strlen(character)
        i += size
    return written if any_digit else 0


cdef bint has_operator(const uint8_t* text, uint32_t length) noexcept nogil:
    """True for an expression: letters or digits with an operator between or before them, and no other ASCII characters.
    """
    cdef uint32_t i
    cdef bint operators = False, operands = False
    for i in range(length):
        if is_ascii_letter_or_digit(text[i]):
            operands = True
        elif text[i] in (c"+", c"-", c"=", c"/", c",") or minus_at(text, length, i):
            operators = True
        elif text[i] < 0x80 and text[i] not in (c"(", c")"):
            return False
    return operators and operands


cdef bint is_name(const uint8_t* text, uint32_t length) noexcept nogil:
    """True for ASCII letters and digits."""
    cdef uint32_t i
    for i in range(length):
        if not is_ascii_letter_or_digit(text[i]):
            return False
    return length > 0


cdef bint is_quantity(const uint8_t* text, uint32_t length) noexcept nogil:
    """True for digits followed by ASCII letters: "5ya" below a year says how long ago that is."""
    return c"0" <= text[0] <= c"9" and is_ascii_letter(text[length - 1]) and is_name(text, length)


cdef bint is_exponent(const uint8_t* text, uint32_t length, Base base) noexcept nogil:
    """True for a mathematical superscript: an expression, or a letter that does not end an ordinal or abbreviation."""
    if not (base.letters == 1 or c"0" <= base.last <= c"9" or base.last == c")"):
        return False
    if length == 1:
        return text[0] != 0 and strchr(b"nxyzkijmpqtTN", text[0]) != NULL
    return has_operator(text, length)


cdef bint is_variable(const Tree* tree, uint32_t node) noexcept nogil:
    """True for text that is set like a variable: in italics, or in Wikipedia's class for formulas."""
    cdef int step
    for step in range(MAX_TO_MATHS):
        node = tree.nodes[node].parent
        if node == 0:
            break
        if tree.nodes[node].tag in (TAG_I, TAG_EM, TAG_VAR):
            return True
        if tree.nodes[node].tag == TAG_SPAN and begins_word(class_of(tree, node), b"texhtml"):
            return True
    return False


cdef bint is_index(const uint8_t* text, uint32_t length, Base base) noexcept nogil:
    """True for a mathematical subscript."""
    if base.letters > MAX_BASE or not (is_ascii_letter_or_digit(base.last) or base.last == c")" or base.last >= 0x80):
        return False
    return is_name(text, length) or has_operator(text, length)


cdef uint32_t put_in_brackets(uint8_t* out, uint8_t mark, const uint8_t* text, uint32_t length) noexcept nogil:
    """Write a mark and a text in brackets; returns the number of bytes."""
    THRESHER_CHECK(length + 3 <= RAISED_ROOM)
    out[0], out[1] = mark, c"("
    memcpy(out + 2, text, length)
    out[length + 2] = c")"
    return length + 3


cdef uint32_t raise_text(
    uint8_t* out, const Tree* tree, const MetricsArray* metrics, const Block* block, uint32_t node, bint links
) noexcept nogil:
    """Write the text of a sub or sup element in plain characters to `out`, which has RAISED_ROOM bytes. Returns the
    number of bytes; 0 if the text is to be written as ordinary text, as it is if `links` are kept and it is one.
    """
    cdef uint8_t[MAX_RAISED] text
    cdef uint32_t length, written
    cdef Base base
    cdef bint lower = tree.nodes[node].tag == TAG_SUB, nested = False
    if node < block.start or tree.nodes[node].end > block.end or metrics.nodes[node].flags & FLAG_PREFORMATTED:
        return 0
    base = base_of(tree, metrics, block.start, node)
    if not (is_ascii_letter_or_digit(base.last) or base.last >= 0x80 or base.last == c")" or base.last == c"]"):
        return 0
    length = gather(text, tree, metrics, node, links, &nested)
    if length == 0:
        return 0
    written = 0 if nested else as_digits(out, text, length, lower)
    if written:
        return written
    if nested:
        if not (0 < base.letters <= (MAX_BASE if lower else 1) or c"0" <= base.last <= c"9" or base.last == c")"):
            return 0
    elif lower and is_ascii_digit(base.last) and is_quantity(text, length):
        return put_in_brackets(out, c" ", text, length)
    elif not lower and length == 1 and c"A" <= text[0] <= c"Z" and text[0] not in (c"N", c"T"):  # A^H, not M^CDonald
        if not 0 < base.letters <= 2 or not is_variable(tree, base.node):
            return 0
    elif not (is_index(text, length, base) if lower else is_exponent(text, length, base)):
        return 0
    out[0] = c"_" if lower else c"^"
    if is_name(text, length):
        memcpy(out + 1, text, length)
        return length + 1
    return put_in_brackets(out, out[0], text, length)
