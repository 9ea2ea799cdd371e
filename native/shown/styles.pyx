# SPDX-License-Identifier: Apache-2.0
"""Parses declarations. Section numbers are those of CSS Syntax Module Level 3."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memset, strlen

from thresher.native.base.characters cimport begins_ascii, is_ascii_digit, is_space
from thresher.native.base.scan cimport scan_byte
from thresher.native.base.word_table cimport WordTable, fill_words, value_of_word
from thresher.native.parsing.entities cimport hexadecimal_digit


cdef extern from "shown/sheet_scan.h" nogil:
    const uint8_t* scan_block(const uint8_t* p, const uint8_t* end) noexcept


cdef enum:
    MAX_NESTED = 32         # brackets within each other; a style with more says nothing from there on
    MAX_WHOLE = 99999       # larger numbers are read as this
    FAR = 900               # pixels to the left or above that nobody scrolls to
    FAR_INHERITED = 50      # the same in em


cdef enum Keyword:          # what a keyword or a unit is, as bits
    KEYWORD_ALL = 1         # every property takes it
    KEYWORD_INLINE = 2      # of display: in a line,
    KEYWORD_BOX = 4         # as a box within it,
    KEYWORD_OUTER = 8       # on lines of its own
    KEYWORD_SIZE = 16       # of font-size
    KEYWORD_RELATIVE = 32
    KEYWORD_LENGTH = 64     # a unit
    KEYWORD_INHERITED = 128


cdef WordTable KEYWORDS
fill_words(&KEYWORDS, {
    KEYWORD_ALL: "inherit initial unset revert revert-layer",
    KEYWORD_INLINE: "inline contents",
    KEYWORD_BOX: "inline-block inline-flex inline-grid inline-table inline-list-item",
    KEYWORD_OUTER: """
        block flow flow-root flex grid table ruby math list-item run-in table-cell table-row table-column
        table-row-group table-header-group table-footer-group table-column-group table-caption ruby-text ruby-base
        ruby-base-container""",
    KEYWORD_SIZE: "xx-small x-small small medium large x-large xx-large xxx-large initial math",
    KEYWORD_RELATIVE: "smaller larger",
    KEYWORD_LENGTH: "px pt pc in cm mm q rem vw vh vmin vmax vi vb",
    KEYWORD_INHERITED: "em ex ch",
}, exact=True)


# --- tokens ---


cdef inline bint word_is(const Word* word, const char* name) noexcept nogil:
    """True if an identifier is a lower-case name."""
    return word.length == strlen(name) and memcmp(word.data, name, strlen(name)) == 0


cdef inline uint8_t lower(uint8_t c) noexcept nogil:
    return c | 0x20 if c"A" <= c <= c"Z" else c


cdef inline bint begins_escape(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """True for a valid escape (section 4.3.8)."""
    return p < end and p[0] == c"\\" and not (p + 1 < end and (p[1] == c"\n" or p[1] == c"\r" or p[1] == c"\f"))


cdef inline bint is_name_start(uint8_t c) noexcept nogil:
    return c"a" <= (c | 0x20) <= c"z" or c == c"_" or c >= 0x80 or c == 0


cdef bint begins_name(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """True if an identifier begins here (section 4.3.9)."""
    if p < end and p[0] == c"-":
        p += 1
        if p < end and p[0] == c"-":
            return True
    return p < end and (is_name_start(p[0]) or begins_escape(p, end))


cdef bint begins_number(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """True if a number begins here (section 4.3.10)."""
    if p < end and (p[0] == c"+" or p[0] == c"-"):
        p += 1
    if p < end and p[0] == c".":
        p += 1
    return p < end and is_ascii_digit(p[0])


cdef const uint8_t* skip_escape(const uint8_t* p, const uint8_t* end, uint32_t* code) noexcept nogil:
    """The end of an escape whose backslash is at p (section 4.3.7)."""
    cdef uint32_t value = 0
    cdef int digits = 0
    p += 1
    while p < end and digits < 6 and hexadecimal_digit(p[0]) < 16:
        value = 16 * value + hexadecimal_digit(p[0])
        p += 1
        digits += 1
    if digits:
        if p + 1 < end and p[0] == c"\r" and p[1] == c"\n":
            p += 2
        elif p < end and is_space(p[0]):
            p += 1
    elif p < end:
        value = p[0]        # the first byte of any character; those of more bytes are in no name we know
        p += 1
    code[0] = value
    return p


cdef const uint8_t* read_word(const uint8_t* p, const uint8_t* end, Word* word) noexcept nogil:
    """Read the identifier that begins at p, and return its end."""
    cdef uint32_t code
    word.length = 0
    while p < end:
        if is_name_start(p[0]) or is_ascii_digit(p[0]) or p[0] == c"-":
            code = p[0]
            p += 1
        elif begins_escape(p, end):
            p = skip_escape(p, end, &code)
        else:
            break
        if word.length < MAX_NAME:
            word.data[word.length] = lower(<uint8_t> code) if 0 < code < 0x80 else 0x80
        word.length += word.length <= MAX_NAME
    return p


cdef const uint8_t* skip_comment(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """The end of the comment that begins at p."""
    p += 2
    while p < end:
        p = scan_byte(p, end, c"*")
        if p + 1 < end and p[1] == c"/":
            return p + 2
        p += p < end
    return end


cdef const uint8_t* skip_blanks(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """The end of white space and comments."""
    while p < end:
        if is_space(p[0]):
            p += 1
        elif p[0] == c"/" and p + 1 < end and p[1] == c"*":
            p = skip_comment(p, end)
        else:
            break
    return p


cdef const uint8_t* skip_string(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """The end of the string whose quote is at p; a line end cuts it off (section 4.3.5)."""
    cdef uint8_t quote = p[0]
    p += 1
    while p < end and p[0] != c"\n" and p[0] != c"\r" and p[0] != c"\f":
        if p[0] == quote:
            return p + 1
        if p[0] == c"\\" and p + 1 < end:
            p += 3 if p[1] == c"\r" and p + 2 < end and p[2] == c"\n" else 2
        else:
            p += 1
    return p


cdef const uint8_t* skip_url(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """The end of an address without quotes, good or bad (sections 4.3.6 and 4.3.14)."""
    while p < end and p[0] != c")":
        p += 2 if begins_escape(p, end) and p + 1 < end else 1
    return p + 1 if p < end else end


cdef bint begins_quoted(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """True if what follows white space is a quote."""
    while p < end and is_space(p[0]):
        p += 1
    return p < end and (p[0] == c'"' or p[0] == c"'")


cdef bint is_url(const Word* name, const uint8_t* p, const uint8_t* end) noexcept nogil:
    """True if what follows "url(" is an address without quotes."""
    return word_is(name, b"url") and not begins_quoted(p, end)


cdef bint is_variable(const Word* name) noexcept nogil:
    """True for the name of a function that stands for text known only later."""
    return word_is(name, b"var") or word_is(name, b"env") or word_is(name, b"attr")


cdef const uint8_t* skip_digits(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """The end of the number that begins at p, without its unit (section 4.3.12)."""
    cdef const uint8_t* q
    if p[0] == c"+" or p[0] == c"-":
        p += 1
    while p < end and is_ascii_digit(p[0]):
        p += 1
    if p + 1 < end and p[0] == c"." and is_ascii_digit(p[1]):
        p += 1
        while p < end and is_ascii_digit(p[0]):
            p += 1
    if p < end and (p[0] | 0x20) == c"e":
        q = p + 1
        if q < end and (q[0] == c"+" or q[0] == c"-"):
            q += 1
        if q < end and is_ascii_digit(q[0]):
            p = q
            while p < end and is_ascii_digit(p[0]):
                p += 1
    return p


cdef const uint8_t* skip_token(const uint8_t* p, const uint8_t* end, bint* variable) noexcept nogil:
    """The end of the token that begins at p. A function ends before its bracket. Notes variables."""
    cdef Word name
    if p[0] == c'"' or p[0] == c"'":
        return skip_string(p, end)
    if p[0] == c"/" and p + 1 < end and p[1] == c"*":
        return skip_blanks(p, end)
    if begins_number(p, end):
        p = skip_digits(p, end)
        return read_word(p, end, &name) if begins_name(p, end) else p
    if end - p > 2 and p[0] == c"-" and p[1] == c"-" and p[2] == c">":
        return p + 3
    if begins_name(p, end):
        p = read_word(p, end, &name)
        if p < end and p[0] == c"(":
            variable[0] = variable[0] or is_variable(&name)
            if is_url(&name, p + 1, end):
                return skip_url(p + 1, end)
        return p
    if p[0] == c"#" and p + 1 < end and (
        is_name_start(p[1]) or is_ascii_digit(p[1]) or p[1] == c"-" or begins_escape(p + 1, end)
    ):
        return read_word(p + 1, end, &name)
    if p[0] == c"@" and begins_name(p + 1, end):
        return read_word(p + 1, end, &name)
    return p + 1


cdef bint is_name_end(const uint8_t* first, const uint8_t* end, const char* name) noexcept nogil:
    """True if the text in [first, end), which has no escape, ends with an identifier by itself."""
    cdef uint8_t before
    cdef int length = <int> strlen(name)
    if end - first < length or not begins_ascii(end - length, length, name, length):
        return False
    if end - first == length:
        return True
    before = (end - length - 1)[0]
    return not (is_name_start(before) or is_ascii_digit(before) or before in (c"-", c"#", c"@"))


cdef const uint8_t* skip_block(const uint8_t* p, const uint8_t* end, bint* variable) noexcept nogil:
    """The end of the block in brackets that begins at p (section 5.4.8). Notes variables in it.

    Only brackets, strings, comments and addresses matter in a block. With the first escape outside of them it is read
    token by token, because an escape may be part of a name.
    """
    cdef uint64_t closers = 0       # two bits for each open bracket, the innermost lowest
    cdef const uint8_t* past = p    # where the name before p may begin
    cdef int depth = 0
    cdef uint8_t c
    cdef bint by_token = False
    while p < end:
        c = p[0]
        if c == c"(" or c == c"[" or c == c"{":
            if c == c"(" and depth and not by_token:
                variable[0] = variable[0] or is_name_end(past, p, b"var") or is_name_end(past, p, b"env") or (
                    is_name_end(past, p, b"attr")
                )
                if is_name_end(past, p, b"url") and not begins_quoted(p + 1, end):
                    p = past = skip_url(p + 1, end)
                    continue
            if depth == MAX_NESTED:
                return end
            closers = closers << 2 | (1 if c == c"(" else 2 if c == c"[" else 3)
            depth += 1
            p += 1
        elif c == c")" or c == c"]" or c == c"}":
            p += 1
            if closers & 3 == <uint64_t> (1 if c == c")" else 2 if c == c"]" else 3):
                closers >>= 2
                depth -= 1
                if depth == 0:
                    return p
        elif by_token:
            p = skip_token(p, end, variable)
            continue
        elif c == c'"' or c == c"'":
            p = skip_string(p, end)
        elif c == c"\\":
            while p > past and (
                is_name_start((p - 1)[0]) or is_ascii_digit((p - 1)[0]) or (p - 1)[0] in (c"-", c"#", c"@")
            ):
                p -= 1
            by_token = True
            continue
        elif c == c"/":
            p = skip_blanks(p, end) if p + 1 < end and p[1] == c"*" else p + 1
        else:
            p = scan_block(p + 1, end)
            continue
        past = p
    return end


cdef const uint8_t* read_number(const uint8_t* p, const uint8_t* end, Number* number) noexcept nogil:
    """Read the number that begins at p, with its unit, and return its end."""
    cdef const uint8_t* q = p
    cdef Word unit
    cdef uint32_t known
    cdef bint fraction = False
    p = skip_digits(p, end)
    number.zero = True
    number.negative = q[0] == c"-"
    number.whole = 0
    while q < p and (q[0] | 0x20) != c"e":
        if c"1" <= q[0] <= c"9":
            number.zero = False
        fraction = fraction or q[0] == c"."
        if is_ascii_digit(q[0]) and not fraction:
            number.whole = min(10 * number.whole + q[0] - c"0", <uint32_t> MAX_WHOLE)
        q += 1
    number.negative = number.negative and not number.zero
    number.unit = UNIT_NONE
    if p < end and p[0] == c"%":
        number.unit = UNIT_PERCENT
        p += 1
    elif begins_name(p, end):
        p = read_word(p, end, &unit)
        known = value_of_word(&KEYWORDS, unit.data, unit.length)
        number.unit = (
            UNIT_LENGTH if known & KEYWORD_LENGTH else UNIT_INHERITED if known & KEYWORD_INHERITED else UNIT_UNKNOWN
        )
    return p


# --- declarations ---


cdef const uint8_t* skip_rest(const uint8_t* p, const uint8_t* end, bint at_rule) noexcept nogil:
    """The end of what is no declaration: the next semicolon outside of brackets and strings. A rule that begins with
    "@" also ends with its block.
    """
    cdef bint unused = False, block
    while p < end and p[0] != c";":
        if p[0] == c"(" or p[0] == c"[" or p[0] == c"{":
            block = p[0] == c"{"
            p = skip_block(p, end, &unused)
            if block and at_rule:
                return p
        else:
            p = skip_token(p, end, &unused)
    return p


cdef const uint8_t* read_value(const uint8_t* p, const uint8_t* end, Declaration* found) noexcept nogil:
    """Read a value up to the next semicolon outside of brackets and strings, or the end."""
    cdef Word name
    cdef Number number
    cdef bint mark = False      # "!" has been read
    while True:
        p = skip_blanks(p, end)
        if p == end or p[0] == c";":
            break
        if found.important:
            found.other = True      # something follows "!important"
        if begins_number(p, end):
            p = read_number(p, end, &number)
            if found.n_numbers == 0:
                found.number = number
            found.n_numbers += 1
            found.other = found.other or mark
        elif begins_name(p, end) and not (end - p > 2 and p[0] == c"-" and p[1] == c"-" and p[2] == c">"):
            p = read_word(p, end, &name)
            if p < end and p[0] == c"(":
                found.variable = found.variable or is_variable(&name)
                found.other = True
                p = skip_url(p + 1, end) if is_url(&name, p + 1, end) else skip_block(p, end, &found.variable)
            elif mark:
                mark = False
                found.important = word_is(&name, b"important")
                found.other = found.other or not found.important
            else:
                if found.n_words < MAX_WORDS:
                    found.words[found.n_words] = name
                found.n_words += found.n_words <= MAX_WORDS
        elif p[0] == c"!":
            found.other = found.other or mark
            mark = True
            p += 1
        else:
            found.other = True
            if p[0] == c"(" or p[0] == c"[" or p[0] == c"{":
                p = skip_block(p, end, &found.variable)
            else:
                p = skip_token(p, end, &found.variable)
    found.other = found.other or mark
    return p


cdef bint next_declaration(Slice* style, Declaration* found) noexcept nogil:
    """Remove the first declaration from a style (section 5.4.5), valid or not. False if none is left."""
    cdef const uint8_t* p = style.data
    cdef const uint8_t* end = p + style.length
    cdef const uint8_t* start
    while True:
        p = skip_blanks(p, end)
        if p == end:
            break
        if p[0] == c";":
            p += 1
            continue
        start = p
        if begins_name(p, end) and not (end - p > 2 and p[0] == c"-" and p[1] == c"-" and p[2] == c">"):
            memset(found, 0, sizeof(Declaration))
            p = skip_blanks(read_word(p, end, &found.name), end)
            if p < end and p[0] == c":":
                start = p + 1
                p = read_value(start, end, found)
                found.value.data = start
                found.value.length = <uint32_t> (p - start)
                style.data = p
                style.length = <uint32_t> (end - p)
                return True
        p = skip_rest(start, end, start[0] == c"@" and begins_name(start + 1, end))
    style.data = end
    style.length = 0
    return False


# --- what they mean ---


cdef bint is_single(const Declaration* found, const char* keyword) noexcept nogil:
    """True if a value is one keyword."""
    return found.n_words == 1 and word_is(&found.words[0], keyword)


cdef inline uint32_t keyword_of(const Declaration* found) noexcept nogil:
    """The Keyword that is the value; 0 for any other value."""
    return value_of_word(&KEYWORDS, found.words[0].data, found.words[0].length) if found.n_words == 1 else 0


cdef bint is_of_all(const Declaration* found) noexcept nogil:
    """True for a keyword that every property takes."""
    return keyword_of(found) & KEYWORD_ALL != 0


cdef bint is_vendor(const Word* word) noexcept nogil:
    """True for a keyword of one browser's own, such as -webkit-box: it displays something."""
    return word.length > 1 and word.data[0] == c"-" and word.data[1] != c"-"


cdef int display_of(const Declaration* found) noexcept nogil:
    """What a declaration of display means; -1 if its value is invalid."""
    cdef const Word* word
    cdef uint32_t i, keyword = keyword_of(found)
    cdef bint inline_box = False
    if found.variable:
        return DISPLAY_UNSAID
    if found.other or found.n_numbers or found.n_words == 0 or found.n_words > MAX_WORDS:
        return -1
    if is_single(found, b"none"):
        return DISPLAY_NONE
    if keyword & KEYWORD_INLINE:
        return DISPLAY_INLINE
    if keyword & KEYWORD_BOX:
        return DISPLAY_BOX
    if keyword & KEYWORD_ALL or (found.n_words == 1 and is_vendor(&found.words[0])):
        return DISPLAY_BLOCK
    for i in range(found.n_words):
        word = &found.words[i]
        if found.n_words > 1 and word_is(word, b"inline"):
            inline_box = True
        elif not value_of_word(&KEYWORDS, word.data, word.length) & KEYWORD_OUTER:
            return -1
    return DISPLAY_BOX if inline_box else DISPLAY_BLOCK


cdef int font_of(const Declaration* found) noexcept nogil:
    """What a declaration of font-size, or of font, means; -1 if its value is invalid."""
    cdef uint32_t keyword = keyword_of(found)
    if found.variable:
        return FONT_SEEN
    if found.n_numbers == 0:
        if found.other or found.n_words != 1:
            return FONT_SEEN if found.other and found.n_words == 0 else -1      # calc() and the like are not evaluated
        if keyword & KEYWORD_SIZE:
            return FONT_SEEN
        return FONT_UNSAID if keyword & (KEYWORD_ALL | KEYWORD_RELATIVE) else -1
    if found.other or found.n_words or found.n_numbers > 1 or found.number.negative:
        return -1
    if found.number.unit == UNIT_UNKNOWN or (found.number.unit == UNIT_NONE and not found.number.zero):
        return -1
    if found.number.zero:
        return FONT_ZERO
    return FONT_SEEN if found.number.unit == UNIT_LENGTH else FONT_UNSAID


cdef int opacity_of(const Declaration* found) noexcept nogil:
    """1 for a declaration of opacity that makes transparent, 0 for another one, -1 if its value is invalid."""
    if found.variable or (found.n_numbers == 0 and found.other and found.n_words == 0) or is_of_all(found):
        return 0
    if found.other or found.n_words or found.n_numbers != 1 or found.number.unit > UNIT_PERCENT:
        return -1
    return found.number.zero or found.number.negative


cdef int visibility_of(const Declaration* found) noexcept nogil:
    """1 for a declaration of visibility that hides, 0 for another one, -1 if its value is invalid."""
    if found.variable:
        return 0
    if found.other or found.n_numbers:
        return -1
    if is_single(found, b"hidden") or is_single(found, b"collapse"):
        return 1
    return 0 if is_single(found, b"visible") or is_of_all(found) else -1


cdef int skipping_of(const Declaration* found) noexcept nogil:
    """1 for a declaration of content-visibility that hides, 0 for another one, -1 if its value is invalid."""
    if found.variable:
        return 0
    if found.other or found.n_numbers:
        return -1
    if is_single(found, b"hidden"):
        return 1
    return 0 if is_single(found, b"visible") or is_single(found, b"auto") or is_of_all(found) else -1


cdef bint is_tiny(const Number* number) noexcept nogil:
    """True for a length of at most a pixel."""
    return number.zero or (number.whole <= 1 and not number.negative and number.unit == UNIT_LENGTH)


cdef bint is_far(const Number* number) noexcept nogil:
    """True for a length, or share of the page, that is far to the left or above."""
    if not number.negative:
        return False
    if number.unit == UNIT_LENGTH:
        return number.whole >= FAR
    return number.unit == UNIT_PERCENT and number.whole >= 100 or (
        number.unit == UNIT_INHERITED and number.whole >= FAR_INHERITED
    )


cdef Slice within(const Declaration* found, const char* function) noexcept nogil:
    """What stands in the brackets of a function that is the value; empty for any other value."""
    cdef const uint8_t* end = found.value.data + found.value.length
    cdef const uint8_t* p = skip_blanks(found.value.data, end)
    cdef Slice inside = Slice(data=NULL, length=0)
    cdef size_t length = strlen(function)
    if begins_ascii(p, end - p, function, length) and p + length < end and p[length] == c"(":
        inside.data = p + length + 1
        inside.length = <uint32_t> (end - inside.data)
    return inside


cdef bint is_tiny_rect(Slice inside) noexcept nogil:
    """True for the four sides of rect() if they are at most a pixel apart."""
    cdef const uint8_t* p = inside.data
    cdef const uint8_t* end = p + inside.length
    cdef Number number
    cdef int sides = 0
    if inside.length == 0:
        return False
    while p < end and p[0] != c")":
        if begins_number(p, end):
            p = read_number(p, end, &number)
            sides += 1
            if not is_tiny(&number):
                return False
        elif is_space(p[0]) or p[0] == c",":
            p += 1
        else:
            return False
    return sides == 4


cdef bint is_all_inset(Slice inside) noexcept nogil:
    """True for inset() by at least half, which leaves nothing."""
    cdef const uint8_t* p = inside.data
    cdef const uint8_t* end = p + inside.length
    cdef Number number
    if inside.length == 0:
        return False
    p = skip_blanks(p, end)
    if not begins_number(p, end):
        return False
    read_number(p, end, &number)
    return number.unit == UNIT_PERCENT and number.whole >= 50 and not number.negative


cdef int length_of(const Declaration* found, int property) noexcept nogil:
    """What a declaration of a length means: SAID_UNSEEN for a tiny or far one."""
    if found.n_numbers != 1 or found.other or found.variable:
        return SAID_SEEN
    if property == PROPERTY_WIDTH or property == PROPERTY_HEIGHT:
        return SAID_UNSEEN if is_tiny(&found.number) else SAID_SEEN
    if property == PROPERTY_INDENT and found.number.unit == UNIT_PERCENT and found.number.whole >= 100:
        return SAID_UNSEEN
    return SAID_UNSEEN if is_far(&found.number) else SAID_SEEN


cdef Word[PROPERTIES] PROPERTY_NAMES


cdef void fill_names() noexcept:
    cdef (const char*)[PROPERTIES] names = [
        b"display", b"font-size", b"visibility", b"content-visibility", b"opacity", b"position", b"clip", b"clip-path",
        b"width", b"height", b"overflow", b"left", b"top", b"text-indent",
    ]
    cdef const uint8_t* name
    cdef int i
    for i in range(PROPERTIES):
        name = <const uint8_t*> names[i]
        read_word(name, name + strlen(names[i]), PROPERTY_NAMES + i)


fill_names()


cdef int property_of(const Declaration* found) noexcept nogil:
    """The Property of a declaration; -1 for any other."""
    cdef int i
    for i in range(PROPERTIES):
        if found.name.length == PROPERTY_NAMES[i].length and (
            memcmp(found.name.data, PROPERTY_NAMES[i].data, found.name.length) == 0
        ):
            return i
    return -1


cdef int said_by(const Declaration* found, int property) noexcept nogil:
    """The value of a declaration of a property; -1 if it is invalid."""
    cdef int value
    if property == PROPERTY_DISPLAY:
        return display_of(found)
    if property == PROPERTY_FONT:
        return font_of(found)
    if property == PROPERTY_VISIBILITY:
        value = visibility_of(found)
    elif property == PROPERTY_SKIPPING:
        value = skipping_of(found)
    elif property == PROPERTY_OPACITY:
        value = opacity_of(found)
    elif property == PROPERTY_POSITION:
        value = is_single(found, b"absolute") or is_single(found, b"fixed")
    elif property == PROPERTY_CLIP:
        value = is_tiny_rect(within(found, b"rect"))
    elif property == PROPERTY_CLIP_PATH:
        value = is_all_inset(within(found, b"inset"))
    elif property == PROPERTY_OVERFLOW:
        value = is_single(found, b"hidden") or is_single(found, b"clip")
    else:
        return length_of(found, property)
    return -1 if value < 0 else SAID_UNSEEN if value else SAID_SEEN


cdef int take_declaration(const Declaration* found, Look* look, uint16_t* important) noexcept nogil:
    """Add what a declaration says. Returns its Property, or -1 if it says nothing, or less than an important one before
    it. A bit of `important` is set for each property that an important one decides.
    """
    cdef int property = property_of(found), value
    if property < 0:
        return -1
    value = said_by(found, property)
    if value < 0 or (important[0] >> property & 1 and not found.important):
        return -1
    look.values[property] = <uint8_t> value
    if found.important:
        important[0] |= <uint16_t> (1 << property)
    return property


cdef uint16_t read_style(Slice text, bint plain, Look* look, uint16_t* important) noexcept nogil:
    """What the declarations of a style say, and which of it is important. Returns a bit for each property of which they
    say something. In a plain style, which has no strings, escapes, comments and braces, other properties are passed over.
    """
    cdef Declaration found
    cdef const uint8_t* end
    cdef const uint8_t* p
    cdef uint16_t said = 0
    cdef int property
    memset(look, 0, sizeof(Look))
    important[0] = 0
    while True:
        p = text.data
        end = p + text.length
        while plain and p < end and (is_space(p[0]) or p[0] == c";" or end - p > 4 and not may_be(p, end)):
            p = p + 1 if is_space(p[0]) or p[0] == c";" else scan_byte(p, end, c";")
        text.data = p
        text.length = <uint32_t> (end - p)
        if not next_declaration(&text, &found):
            return said
        property = take_declaration(&found, look, important)
        if property >= 0:
            said |= <uint16_t> (1 << property)


def style_says(bytes style not None, *, bint strict=True) -> dict[str, int]:
    """What a style attribute says, by name. For tests; the core calls read_style()."""
    cdef Look look
    cdef uint16_t important
    cdef Slice text
    text.data, text.length = <const uint8_t*> <const char*> style, <uint32_t> len(style)
    read_style(text, False, &look, &important)
    return {
        "display": look.values[PROPERTY_DISPLAY],
        "invisible": look.values[PROPERTY_VISIBILITY] == SAID_UNSEEN,
        "skipped": strict and look.values[PROPERTY_SKIPPING] == SAID_UNSEEN,
        "transparent": strict and look.values[PROPERTY_OPACITY] == SAID_UNSEEN,
        "font": look.values[PROPERTY_FONT] if strict else FONT_UNSAID,
    }
