# SPDX-License-Identifier: Apache-2.0
"""Text of a page that no reader sees: strings and dates in the data of its scripts, and the content of template
elements.

Everything is bounded: bytes of scripts, strings, bytes of markup. Broken JSON is normal: whatever can be read is kept.
"""

import html

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr

from thresher.native.base.prefix_table cimport Prefix, PrefixTable, fill_prefixes, first_prefix
from thresher.native.facts.linked_data cimport end_of_string, is_linked_data, json_text
from thresher.native.parsing.document cimport Document, Hold
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport *


cdef enum:
    MAX_SCRIPTS = 64
    MAX_BYTES = 4 << 20     # of all scripts together
    MAX_STRINGS = 2048      # per page, and a quarter as many per script
    MIN_STRING = 20         # bytes of a string that may be prose
    MAX_KEY = 64            # bytes of a property's name
    MAX_NODES = 20000       # nodes of a template element that are written
    MAX_TYPE = 64           # bytes of the type of a script


# Common parts of names for page data: __NEXT_DATA__, window.__NUXT__, __APOLLO_STATE__, self.__next_f.
MARKS = (b"__", b"STATE", b"State", b"DATA", b"Data")
PUSHED = b"self.__next_f.push([1,"      # data of Next.js in pieces, each of them a string

WRITTEN = {
    TAG_P: "p", TAG_DIV: "div", TAG_BR: "br", TAG_H1: "h1", TAG_H2: "h2", TAG_H3: "h3", TAG_H4: "h4", TAG_H5: "h5",
    TAG_H6: "h6", TAG_UL: "ul", TAG_OL: "ol", TAG_LI: "li", TAG_DL: "dl", TAG_DT: "dt", TAG_DD: "dd", TAG_PRE: "pre",
    TAG_CODE: "code", TAG_BLOCKQUOTE: "blockquote", TAG_TABLE: "table", TAG_TR: "tr", TAG_TD: "td", TAG_TH: "th",
    TAG_EM: "em", TAG_STRONG: "strong", TAG_B: "b", TAG_I: "i", TAG_A: "a", TAG_SECTION: "section",
    TAG_ARTICLE: "article", TAG_MAIN: "main", TAG_NAV: "nav", TAG_HEADER: "header", TAG_FOOTER: "footer",
    TAG_ASIDE: "aside", TAG_FIGURE: "figure", TAG_FIGCAPTION: "figcaption", TAG_SUB: "sub", TAG_SUP: "sup",
}
UNREAD = frozenset((TAG_SCRIPT, TAG_STYLE, TAG_SVG, TAG_IFRAME, TAG_OBJECT, TAG_SELECT, TAG_BUTTON, TAG_FORM))


cdef bint may_be_prose(const uint8_t* text, uint32_t length) noexcept nogil:
    """True for a string that contains white space or non-ASCII characters, escaped or not."""
    cdef uint32_t i, spaces = 0, others = 0
    if length < MIN_STRING:
        return False
    for i in range(min(length, <uint32_t> 400)):
        spaces += text[i] == c" "
        others += text[i] >= 0x80 or (text[i] == c"\\" and i + 1 < length and text[i + 1] == c"u")
        if spaces >= 3 or others >= 5:
            return True
    return False


cdef uint32_t end_of_line(const uint8_t* data, uint32_t at, uint32_t length) noexcept nogil:
    """The next newline from `at` on; `length` if there is none."""
    cdef const uint8_t* newline = <const uint8_t*> memchr(data + at, c"\n", length - at)
    return length if newline == NULL else <uint32_t> (newline - data)


cdef str key_before(const uint8_t* data, uint32_t quote):
    """The name of the property whose value is this string; None for an element of a list."""
    cdef uint32_t i = quote, end
    while i and is_space(data[i - 1]):
        i -= 1
    if i == 0 or data[i - 1] != c":":
        return None
    i -= 1
    while i and is_space(data[i - 1]):
        i -= 1
    if i and (data[i - 1] == c'"' or data[i - 1] == c"'"):
        i -= 1
    end = i
    while i and end - i < MAX_KEY and (
        c"a" <= (data[i - 1] | 0x20) <= c"z" or c"0" <= data[i - 1] <= c"9" or data[i - 1] in (c"_", c"$", c"-")
    ):
        i -= 1
    return data[i:end].decode("ascii")


cdef void scan(list found, const uint8_t* data, uint32_t length):
    """Add the strings of a script that may be prose, each with the name of its property."""
    cdef uint32_t i = 0, start, end, line_end = 0, n = 0
    cdef const uint8_t* quote
    cdef str key = "", own
    while i < length and n < MAX_STRINGS // 4 and len(found) < MAX_STRINGS:
        quote = <const uint8_t*> memchr(data + i, c'"', length - i)
        if quote == NULL:
            return
        start = <uint32_t> (quote - data) + 1
        if start > line_end:        # the end of a line is looked for once, or a long line would be read for each string
            line_end = end_of_line(data, start, length)
        end = end_of_string(data, start, line_end, True)      # JSON strings are on one line
        if end == line_end:
            i = line_end            # not a string: the quotation mark is part of code
            continue
        i = end + 1
        if not may_be_prose(data + start, end - start):
            continue
        own = key_before(data, start - 1)
        if own is not None:
            key = own
        found.append((key, json_text(Slice(data=data + start, length=end - start))))
        n += 1


cdef bint is_of_data(const Tree* tree, uint32_t script, Slice text):
    """True for a script that holds data: one with a JSON type, or code that begins with one of the usual names."""
    cdef Slice kind = first_bytes(value_in(tree, script, ATTR_TYPE), MAX_TYPE)
    cdef bytes beginning = text.data[:min(text.length, <uint32_t> 256)]
    if contains(kind, b"json"):
        return not is_linked_data(tree, script)
    if kind.length and not contains(kind, b"javascript") and not is_word(kind, b"module"):
        return False
    for mark in MARKS:
        if <bytes> mark in beginning:
            return True
    return False


def strings_in_scripts(Document document not None) -> list[tuple[str, str]]:
    """The strings in the data of a page's scripts that may be prose, each with the name of its property, in order.

    JSON-LD is excluded: thresher.native.facts.linked_data reads it.
    """
    cdef const Tree* tree = &document.tree
    cdef uint32_t n = 1, scripts = 0, left = MAX_BYTES, length
    cdef Slice text
    cdef list found = [], pieces = []
    cdef bytes joined
    cdef Hold held = Hold(document)
    while n < tree.n_nodes and scripts < MAX_SCRIPTS and left:
        if tree.nodes[n].kind == KIND_ELEMENT and tree.nodes[n].tag == TAG_SCRIPT and n + 1 < tree.nodes[n].end:
            text = text_of(tree, n + 1)
            length = min(text.length, left)
            if length > MIN_STRING and is_of_data(tree, n, text):
                scripts += 1
                left -= length
                if text.data[:len(PUSHED)] == PUSHED and length > len(PUSHED) + 1:
                    pieces.append(_pushed(text.data, length))
                else:
                    scan(found, text.data, length)
        n += 1
    joined = "".join(pieces).encode("utf-8", "replace")
    scan(found, joined, <uint32_t> len(joined))
    return found


cdef str _pushed(const uint8_t* data, uint32_t length):
    """The piece of data that a Next.js script pushes."""
    cdef uint32_t start = len(PUSHED) + 1, end, line_end
    if data[start - 1] != c'"':
        return ""
    line_end = end_of_line(data, start, length)
    end = end_of_string(data, start, line_end, True)      # JSON strings are on one line
    return json_text(Slice(data=data + start, length=end - start)) if end < line_end else ""


cdef inline bint is_of_word(str text, Py_ssize_t i) noexcept:
    """True if there is a letter, digit or underscore at a place of a text, which may be outside of it."""
    return 0 <= i < len(text) and (text[i] == u"_" or text[i].isalnum())


cdef bint begins_code(str text, Py_ssize_t i) except -1:
    """True if at a place of a text begins what is written in code: a sign of it, "function" or "return" as a word, or the
    beginning of an address.
    """
    cdef Py_UCS4 character = text[i]
    cdef str word
    if character in u"{}=;|\\<>":
        return True
    if character == u"h":
        return text[i:i + 5] == "http:" or text[i:i + 6] == "https:"
    word = "function" if character == u"f" else "return"
    return text[i:i + len(word)] == word and not is_of_word(text, i - 1) and not is_of_word(text, i + len(word))


def letters_and_code(str text not None) -> tuple[int, int, int]:
    """How many characters of a text are letters, how many belong to scripts that are written without spaces, and how
    often it has what is written in code.
    """
    cdef Py_ssize_t i, letters = 0, wide = 0, code = 0
    cdef Py_UCS4 character
    for i in range(len(text)):
        character = text[i]
        if character < 0x80:
            letters += u"a" <= character <= u"z" or u"A" <= character <= u"Z"
            if character in u"{}=;|\\<>hfr":
                code += begins_code(text, i)
            continue
        letters += character.isalpha()
        wide += (
            0xE00 <= character < 0xF00 or 0x1000 <= character < 0x10A0 or 0x3040 <= character < 0x3100
            or 0x3400 <= character < 0xA000 or 0xAC00 <= character < 0xD7A4
        )
    return letters, wide, code


def markup_in_templates(Document document not None) -> str:
    """The content of a page's template elements as plain markup without attributes."""
    cdef const Tree* tree = &document.tree
    cdef uint32_t n = 0, written = 0
    cdef list parts = []
    cdef Hold held = Hold(document)
    while written < MAX_NODES:
        n = next_html(tree, n, TAG_TEMPLATE)
        if n == tree.n_nodes:
            break
        written += tree.nodes[n].end - n
        _write(tree, n, parts)
        n = tree.nodes[n].end
    return "".join(parts)


cdef void _write(const Tree* tree, uint32_t root, list parts):
    """Write the markup of an element's content."""
    cdef uint32_t n = root + 1, end = 0
    cdef Slice text
    cdef list open = []     # end tags, and where their elements end
    cdef list ends = []
    cdef object tag
    while n < min(tree.nodes[root].end, root + MAX_NODES):
        while ends and n >= end:
            parts.append(open.pop())
            ends.pop()
            end = ends[len(ends) - 1] if ends else 0
        if tree.nodes[n].kind == KIND_TEXT:
            text = text_of(tree, n)
            parts.append(html.escape(text.data[:text.length].decode("utf-8", "replace"), quote=False))
        elif tree.nodes[n].kind == KIND_ELEMENT:
            if tree.nodes[n].tag in UNREAD:
                n = tree.nodes[n].end
                continue
            tag = WRITTEN.get(tree.nodes[n].tag)
            if tag is not None:
                parts.append(f"<{tag}>")
                if tag != "br":
                    open.append(f"</{tag}>")
                    end = tree.nodes[n].end
                    ends.append(end)
        n += 1
    while open:
        parts.append(open.pop())


cdef enum:
    MAX_DATE_BYTES = 512 << 10  # bytes of scripts that are searched for dates
    MAX_DATES = 16
    MAX_DATE_KEY = 40           # bytes from inside a property's name to its value, or back to its beginning
    MAX_DATE = 40               # bytes of a date


cdef inline bint is_name_byte(uint8_t byte) noexcept nogil:
    return c"a" <= (byte | 0x20) <= c"z" or byte == c"_" or byte == c"-"


cdef uint32_t date_after_name(const uint8_t* data, uint32_t i, uint32_t length) noexcept nogil:
    """Where the digits of the value begin if `i` is inside the name of a property of publication and its value is a
    string that begins with a year, or a number; otherwise 0. Quotation marks may be escaped.
    """
    cdef uint32_t end = min(length, i + <uint32_t> MAX_DATE_KEY)
    cdef bint assigned = False
    while i < end and is_name_byte(data[i]):
        i += 1
    while i < end:
        if data[i] == c":" or data[i] == c"=":
            if assigned:
                return 0
            assigned = True
        elif c"0" <= data[i] <= c"9":
            return i if assigned else 0
        elif not (is_space(data[i]) or data[i] == c'"' or data[i] == c"'" or data[i] == c"\\"):
            return 0
        i += 1
    return 0


cdef PrefixTable PUBLICATIONS       # what follows the first two letters of a property of publication; a publisher is none
fill_prefixes(&PUBLICATIONS, {True: "blish blica bdat b_da b-da", False: "blisher"})


cdef uint32_t next_publication(const uint8_t* data, uint32_t i, uint32_t length) noexcept nogil:
    """Where the next "publish", "publicat", "pubdate" or "pub_date" goes on after its second letter; `length` if there is
    none.
    """
    cdef const uint8_t* found
    cdef const Prefix* name
    while i + 1 < length:
        found = <const uint8_t*> memchr(data + i + 1, c"b", length - i - 1)     # rarer than the letters before it
        if found == NULL:
            return length
        i = <uint32_t> (found - data)
        name = first_prefix(&PUBLICATIONS, found, length - i)
        if data[i - 1] == c"u" and name != NULL and name.value:
            return i
    return length


cdef bint names_another_day(const uint8_t* data, uint32_t i) noexcept nogil:
    """True if the name around `i` is that of a later publication: lastPublished, republished, unpublishedAt."""
    cdef uint32_t begin = i
    cdef Slice name
    while begin > 0 and i - begin < MAX_DATE_KEY and is_name_byte(data[begin - 1]):
        begin -= 1
    name = Slice(data=data + begin, length=i - begin)
    return begins_word(name, b"last") or begins_word(name, b"re") or begins_word(name, b"un")


def dates_in_scripts(Document document not None) -> list[str]:
    """Values of properties of publication in the page's scripts, such as publishedAt, publish_date, pubDate and
    "publication-date": the text from the first digit on. JSON-LD is left out. At most 16 values.
    """
    cdef const Tree* tree = &document.tree
    cdef Slice slice
    cdef uint32_t n = 0, i, at, length, left = MAX_DATE_BYTES, take
    cdef list found = []
    cdef Hold held = Hold(document)
    while left and len(found) < MAX_DATES:
        n = next_html(tree, n, TAG_SCRIPT) + 1
        if n >= tree.n_nodes:
            break
        if tree.nodes[n - 1].end == n or tree.nodes[n].kind != KIND_TEXT or is_linked_data(tree, n - 1):
            continue
        slice = text_of(tree, n)
        length = min(slice.length, left)
        left -= length
        i = 0
        while len(found) < MAX_DATES:
            i = next_publication(slice.data, i, length)
            if i == length:
                break
            at = date_after_name(slice.data, i, length)
            if at and not names_another_day(slice.data, i):
                take = min(length - at, <uint32_t> MAX_DATE)
                found.append(slice.data[at:at + take].decode("ascii", "replace"))
    return found
