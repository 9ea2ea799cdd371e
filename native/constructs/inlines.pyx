# SPDX-License-Identifier: Apache-2.0
"""Text that a browser displays differently from its characters; see inlines.pxd."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr

from thresher.native.base.characters cimport is_space
from thresher.native.constructs.construct cimport (
    CONSTRUCT_NONE, KIND_ELEMENT, KIND_TEXT, NS_HTML, Node, Rewriting, Slice, become_text, slice_at,
)
from thresher.native.constructs.prefixes cimport is_blank_text, is_unread
from thresher.native.parsing.tags cimport *
from thresher.native.base.text_buffer cimport put, put_string, start_text


cdef enum:
    MAX_INSIDE = 64         # nodes of a reading or a quotation that are visited
    MAX_ABOVE = 16          # ancestors of a text that are inspected


cdef bint rewrite_reading(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite an rt element: its text, in parentheses."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t k = n + 1
    cdef Slice text
    cdef bint open = False
    if nodes[nodes[n].parent].tag not in (TAG_RUBY, TAG_RTC) or nodes[n].end - n > MAX_INSIDE:
        return False
    start_text(page.text)
    while k < nodes[n].end:
        if nodes[k].kind == KIND_TEXT:
            text = slice_at(page.tree, nodes[k].start, nodes[k].length)
            if not open and not is_blank_text(page, k):
                put_string(page.text, b"(")
                open = True
                while is_space(text.data[0]):
                    text.data += 1
                    text.length -= 1
            if open:
                put(page.text, text.data, text.length)
            k = nodes[k].end
        elif nodes[k].kind == KIND_ELEMENT:
            k += 1
        else:
            k = nodes[k].end
    if open:
        while page.text.length and is_space(page.text.data[page.text.length - 1]):
            page.text.length -= 1
        put_string(page.text, b")")
    become_text(page, n, CONSTRUCT_NONE)
    return True


cdef bint is_quotation_mark(const uint8_t* p, uint32_t length) noexcept nogil:
    """True if a text begins with a quotation mark."""
    if p[0] == c'"' or p[0] == c"'":
        return True
    if length >= 2 and p[0] == 0xC2:
        return p[1] == 0xAB or p[1] == 0xBB
    if length >= 3 and p[0] == 0xE2 and p[1] == 0x80:
        return 0x98 <= p[2] <= 0x9F or p[2] == 0xB9 or p[2] == 0xBA
    return length >= 3 and p[0] == 0xE3 and p[1] == 0x80 and 0x8C <= p[2] <= 0x8F


cdef void rewrite_quotation(Rewriting* page, uint32_t n) noexcept nogil:
    """Put quotation marks around the text of a q element that has none."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t k = n + 1, first = 0, last = 0
    cdef Slice text
    cdef uint32_t start = 0
    if nodes[n].end - n > MAX_INSIDE:
        return
    while k < nodes[n].end:
        if nodes[k].kind == KIND_TEXT and not is_blank_text(page, k):
            if nodes[k].namespace != CONSTRUCT_NONE:
                return
            if first == 0:
                first = k
            last = k
        if nodes[k].kind != KIND_ELEMENT or is_unread(page, k):
            k = nodes[k].end
        else:
            k += 1
    if first == 0:
        return
    text = slice_at(page.tree, nodes[first].start, nodes[first].length)
    while is_space(text.data[start]):
        start += 1
    if is_quotation_mark(text.data + start, text.length - start):
        return
    start_text(page.text)
    put(page.text, text.data, start)
    put_string(page.text, b"\xe2\x80\x9c")
    put(page.text, text.data + start, text.length - start)
    become_text(page, first, CONSTRUCT_NONE)
    text = slice_at(page.tree, nodes[last].start, nodes[last].length)
    start = text.length
    while start and is_space(text.data[start - 1]):
        start -= 1
    start_text(page.text)
    put(page.text, text.data, start)
    put_string(page.text, b"\xe2\x80\x9d")
    put(page.text, text.data + start, text.length - start)
    become_text(page, last, CONSTRUCT_NONE)


cdef uint32_t invisible_at(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Length in bytes of the invisible character at p; 0 if there is none."""
    if end - p >= 2 and p[0] == 0xC2 and p[1] == 0xAD:      # soft hyphen
        return 2
    if end - p < 3:
        return 0
    if p[0] == 0xE2:        # zero-width space, word joiner
        return 3 if (p[1] == 0x80 and p[2] == 0x8B) or (p[1] == 0x81 and p[2] == 0xA0) else 0
    return 3 if p[0] == 0xEF and p[1] == 0xBB and p[2] == 0xBF else 0   # byte order mark


cdef bint has_invisible_from(const uint8_t* p, const uint8_t* end, uint8_t lead) noexcept nogil:
    """True if some bytes hold an invisible character whose first byte is `lead`."""
    while p < end:
        p = <const uint8_t*> memchr(p, lead, end - p)
        if p == NULL:
            return False
        if invisible_at(p, end):
            return True
        p += 1
    return False


cdef bint has_invisible(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """True if some bytes hold an invisible character."""
    return has_invisible_from(p, end, 0xC2) or has_invisible_from(p, end, 0xE2) or has_invisible_from(p, end, 0xEF)


cdef bint is_in_code(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for text in code, judged by the nearest ancestors."""
    cdef int step
    for step in range(MAX_ABOVE):
        n = page.tree.nodes[n].parent
        if n == 0:
            break
        if page.tree.nodes[n].tag in (TAG_PRE, TAG_CODE, TAG_LISTING, TAG_XMP, TAG_TEXTAREA):
            return True
    return False


cdef bint divides_words(const uint8_t* start, const uint8_t* p) noexcept nogil:
    """True if a zero-width space follows a character of a script that writes no other space between words."""
    if p - start < 3 or p[0] != 0xE2 or p[1] != 0x80:
        return False
    if (p - 3)[0] == 0xE0:
        return 0xB8 <= (p - 2)[0] <= 0xBB       # Thai, Lao
    return (p - 3)[0] == 0xE1 and ((p - 2)[0] in (0x80, 0x81, 0x82) or (p - 2)[0] in (0x9E, 0x9F))     # Burmese, Khmer


cdef void drop_invisible(Rewriting* page, uint32_t n) noexcept nogil:
    """Drop the invisible characters from a text node. In code only byte order marks (U+FEFF), which files begin with."""
    cdef Slice text = slice_at(page.tree, page.tree.nodes[n].start, page.tree.nodes[n].length)
    cdef const uint8_t* p = text.data
    cdef const uint8_t* end = p + text.length
    cdef const uint8_t* run = p
    cdef uint32_t size
    cdef bint in_code
    if page.tree.nodes[n].namespace != CONSTRUCT_NONE or not has_invisible(p, end):
        return
    in_code = is_in_code(page, n)
    start_text(page.text)
    while p < end:
        size = invisible_at(p, end) if p[0] >= 0xC2 else 0
        if size and (p[0] == 0xEF and p[1] == 0xBB if in_code else not divides_words(text.data, p)):
            put(page.text, run, p - run)
            run = p + size
        p += max(size, <uint32_t> 1)
    put(page.text, run, end - run)
    become_text(page, n, CONSTRUCT_NONE)
