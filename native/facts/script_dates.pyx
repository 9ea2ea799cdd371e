# SPDX-License-Identifier: Apache-2.0
"""Dates of publication in the data of a page's scripts, where neither its elements nor its JSON-LD have one."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr

from thresher.native.base.prefix_table cimport Prefix, PrefixTable, fill_prefixes, first_prefix
from thresher.native.facts.linked_data cimport is_linked_data
from thresher.native.parsing.document cimport Document, Hold
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport *


cdef enum:
    MAX_BYTES = 512 << 10       # bytes of scripts that are searched for dates
    MAX_DATES = 16
    MAX_NAME = 40               # bytes from inside a property's name to its value, or back to its beginning
    MAX_DATE = 40               # bytes of a date


cdef inline bint is_name_byte(uint8_t byte) noexcept nogil:
    return is_ascii_letter(byte) or byte == c"_" or byte == c"-"


cdef uint32_t date_after_name(const uint8_t* data, uint32_t i, uint32_t length) noexcept nogil:
    """Where the digits of the value begin if `i` is inside the name of a property of publication and its value is a
    string that begins with a year, or a number; otherwise 0. Quotation marks may be escaped.
    """
    cdef uint32_t end = min(length, i + <uint32_t> MAX_NAME)
    cdef bint assigned = False
    while i < end and is_name_byte(data[i]):
        i += 1
    while i < end:
        if data[i] == c":" or data[i] == c"=":
            if assigned:
                return 0
            assigned = True
        elif is_ascii_digit(data[i]):
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
    while begin > 0 and i - begin < MAX_NAME and is_name_byte(data[begin - 1]):
        begin -= 1
    name = Slice(data=data + begin, length=i - begin)
    return begins_word(name, b"last") or begins_word(name, b"re") or begins_word(name, b"un")


def dates_in_scripts(Document document not None) -> list[str]:
    """Values of properties of publication in the page's scripts, such as publishedAt, publish_date, pubDate and
    "publication-date": the text from the first digit on. JSON-LD is left out. At most 16 values.
    """
    cdef const Tree* tree = &document.tree
    cdef Slice slice
    cdef uint32_t n = 0, i, at, length, left = MAX_BYTES, take
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
