# SPDX-License-Identifier: Apache-2.0
"""Writes readings, quotations and notes within a line, and drops characters that nobody sees."""

from libc.string cimport memchr

from thresher.native.constructs.class_words cimport *
from thresher.native.constructs.notes cimport MAX_NOTE
from thresher.native.constructs.prefixes cimport find_ends, is_blank_text, is_in_code


cdef enum:
    MAX_INLINE = 64         # nodes of a reading or a quotation that are visited
    MAX_NUMBER = 3          # digits of a note's number


cdef void put_around(
    Rewriting* page, uint32_t first, uint32_t last, const char* opening, const char* closing, bint outside
) noexcept nogil:
    """Put marks around the words of an element, whose first and last texts are given. White space stays outside the
    marks, or is dropped.
    """
    cdef Slice text = text_of(page.tree, last), words = without_space(text)
    cdef uint32_t end = <uint32_t> (words.data + words.length - text.data)
    start_text(page.text)
    put(page.text, text.data, end)
    put_string(page.text, closing)
    if outside:
        put(page.text, text.data + end, text.length - end)
    become_text(page, last, CONSTRUCT_NONE)
    text = text_of(page.tree, first)
    words = without_leading_space(text)
    start_text(page.text)
    if outside:
        put(page.text, text.data, text.length - words.length)
    put_string(page.text, opening)
    put(page.text, words.data, words.length)
    become_text(page, first, CONSTRUCT_NONE)


cdef void rewrite_reading(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite an rt element: its text, in parentheses."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t k = n + 1
    cdef Slice text
    if nodes[nodes[n].parent].tag not in (TAG_RUBY, TAG_RTC) or nodes[n].end - n > MAX_INLINE:
        return
    start_text(page.text)
    put_byte(page.text, c"(")
    while k < nodes[n].end:
        if nodes[k].kind == KIND_TEXT:
            text = text_of(page.tree, k)
            if page.text.length == 1:
                text = without_leading_space(text)
            put(page.text, text.data, text.length)
        k = next_within(page.tree, k)
    while page.text.length > 1 and is_space(last_byte(page.text)):
        page.text.length -= 1
    if page.text.length == 1:
        start_text(page.text)       # nothing
    else:
        put_byte(page.text, c")")
    become_text(page, n, CONSTRUCT_NONE)


cdef bint begins_quoted(Slice text) noexcept nogil:
    """True if a text begins with a quotation mark."""
    cdef const uint8_t* p = text.data
    if p[0] == c'"' or p[0] == c"'" or begins(text, b"\xc2\xab") or begins(text, b"\xc2\xbb"):
        return True
    if text.length < 3:
        return False
    return (
        p[0] == 0xE2 and p[1] == 0x80 and (0x98 <= p[2] <= 0x9F or p[2] == 0xB9 or p[2] == 0xBA)
        or p[0] == 0xE3 and p[1] == 0x80 and 0x8C <= p[2] <= 0x8F
    )


cdef void rewrite_quotation(Rewriting* page, uint32_t n) noexcept nogil:
    """Put quotation marks around the text of a q element that has none."""
    cdef uint32_t first, last
    if page.tree.nodes[n].end - n > MAX_INLINE or not find_ends(page, n, &first, &last):
        return
    if not begins_quoted(without_leading_space(text_of(page.tree, first))):
        put_around(page, first, last, b"\xe2\x80\x9c", b"\xe2\x80\x9d", True)


cdef void rewrite_attribution(Rewriting* page, uint32_t n) noexcept nogil:
    """Put a space between a cite element that begins a blockquote and the quoted text: forums show "Ann wrote:" on a line
    of its own by style alone.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t before = n - 1, after = nodes[n].end
    cdef Slice text
    while is_blank_text(page, before) or is_html(nodes + before, TAG_DIV):
        before -= 1
    if not is_html(nodes + before, TAG_BLOCKQUOTE) or after >= nodes[before].end or nodes[after].kind != KIND_TEXT:
        return
    text = text_of(page.tree, after)
    if text.length and not is_space(text.data[0]):
        start_text(page.text)
        put_byte(page.text, c" ")
        put(page.text, text.data, text.length)
        become_text(page, after, CONSTRUCT_NONE)


# --- notes ---


cdef bint follows_toggle(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element directly behind the checkbox that shows and hides it, as in Tufte CSS."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t before = n - 1
    before -= is_blank_text(page, before)
    return (
        nodes[before].kind == KIND_ELEMENT and nodes[before].tag == TAG_INPUT
        and nodes[before].parent == nodes[n].parent and class_says(page.tree, before, SAYS_NOTE_TOGGLE)
    )


cdef bint follows_number(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element that fills a span with a number before it: the number of the note."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t span = nodes[n].parent
    return (
        nodes[span].tag == TAG_SPAN and span + 2 == n and nodes[span].end == nodes[n].end
        and nodes[n - 1].kind == KIND_TEXT and number_in(text_of(page.tree, n - 1), MAX_NUMBER) > 0
    )


cdef void remove_all(Rewriting* page, uint32_t n, bint numbers) noexcept nogil:
    """Remove the numbers from a note, or from the part displayed beside the page."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t i = n + 1
    while i < nodes[n].end:
        if nodes[i].kind == KIND_ELEMENT and nodes[i].namespace == NS_HTML and nodes[i].n_attributes and (
            class_says(page.tree, i, SAYS_NOTE_NUMBER if numbers else SAYS_NOTE_OUTER)
        ):
            remove(page, i)
        i = next_within(page.tree, i)


cdef void rewrite_inline_note(Rewriting* page, uint32_t n, uint32_t said) noexcept nogil:
    """Write a note as `^[…]` if its class, or its class and what precedes it, marks it as one."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t first, last
    cdef bint numbered = False
    cdef uint32_t size = nodes[n].end - n
    # The note is walked twice, and classes are read.
    if size > MAX_NOTE or nodes[n].tag != TAG_SPAN or not charge(page, 4 * size):
        return
    if said & SAYS_NOTE_MARK:
        remove_all(page, n, False)
        return
    if not said & SAYS_NOTE:
        if not said & SAYS_FOOTNOTE:
            return
        numbered = follows_number(page, n)
        if not numbered and not follows_toggle(page, n):
            return
    remove_all(page, n, True)
    if not find_ends(page, n, &first, &last):
        return
    if numbered:
        remove(page, n - 1)
    put_around(page, first, last, b"^[", b"]", False)


# --- invisible characters ---


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


cdef bint divides_words(const uint8_t* start, const uint8_t* p) noexcept nogil:
    """True if a zero-width space follows a character of a script that writes no other space between words."""
    if p - start < 3 or p[0] != 0xE2 or p[1] != 0x80:
        return False
    if (p - 3)[0] == 0xE0:
        return 0xB8 <= (p - 2)[0] <= 0xBB       # Thai, Lao
    return (p - 3)[0] == 0xE1 and ((p - 2)[0] in (0x80, 0x81, 0x82) or (p - 2)[0] in (0x9E, 0x9F))     # Burmese, Khmer


cdef void drop_invisible(Rewriting* page, uint32_t n) noexcept nogil:
    """Drop the invisible characters from a text node. In code only byte order marks (U+FEFF), which files begin with."""
    cdef Slice text = text_of(page.tree, n)
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
