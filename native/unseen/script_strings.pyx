# SPDX-License-Identifier: Apache-2.0
"""Strings in the data of a page's scripts, among them the text of pages that scripts build.

Everything is bounded: scripts, their bytes, their strings. Broken JSON is normal: whatever can be read is kept.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr

from thresher.native.base.characters cimport is_ascii_letter_or_digit
from thresher.native.facts.linked_data cimport end_of_string, is_linked_data, json_text
from thresher.native.facts.words cimport is_of_word
from thresher.native.parsing.document cimport Document, Hold
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport *


cdef enum:
    MAX_SCRIPTS = 64
    MAX_BYTES = 4 << 20     # of all scripts together
    MAX_STRINGS = 2048      # per page, and a quarter as many per script
    MIN_STRING = 20         # bytes of a string that may be prose
    MAX_KEY = 64            # bytes of a property's name
    MAX_TYPE = 64           # bytes of the type of a script


# Common parts of names for page data: __NEXT_DATA__, window.__NUXT__, __APOLLO_STATE__, self.__next_f.
cdef tuple MARKS = (b"__", b"STATE", b"State", b"DATA", b"Data")
cdef bytes PUSHED = b"self.__next_f.push([1,"      # data of Next.js in pieces, each of them a string


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
        is_ascii_letter_or_digit(data[i - 1]) or data[i - 1] in (c"_", c"$", c"-")
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


cdef str pushed_piece(const uint8_t* data, uint32_t length):
    """The piece of data that a Next.js script pushes."""
    cdef uint32_t start = len(PUSHED) + 1, end, line_end
    if data[start - 1] != c'"':
        return ""
    line_end = end_of_line(data, start, length)
    end = end_of_string(data, start, line_end, True)      # JSON strings are on one line
    return json_text(Slice(data=data + start, length=end - start)) if end < line_end else ""


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
                if length > len(PUSHED) + 1 and text.data[:len(PUSHED)] == PUSHED:
                    pieces.append(pushed_piece(text.data, length))
                else:
                    scan(found, text.data, length)
        n += 1
    joined = "".join(pieces).encode("utf-8", "replace")
    scan(found, joined, <uint32_t> len(joined))
    return found


cdef bint begins_code(str text, Py_ssize_t i) except -1:
    """True if at a place of a text begins what is written in code: a sign of it, "function" or "return" as a word, or the
    beginning of an address.
    """
    cdef Py_UCS4 character = text[i]
    cdef str word
    cdef Py_ssize_t end
    if character in u"{}=;|\\<>":
        return True
    if character == u"h":
        return text[i:i + 5] == "http:" or text[i:i + 6] == "https:"
    word = "function" if character == u"f" else "return"
    end = i + len(word)
    return (
        text[i:end] == word and not (i > 0 and is_of_word(text[i - 1]))
        and not (end < len(text) and is_of_word(text[end]))
    )


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
