# SPDX-License-Identifier: Apache-2.0
"""The meta elements that may declare a page's encoding, found without a parser (HTML standard, 13.2.3.2).

One walk over the first bytes of a page. Regular expressions took 15 us, and every page goes through this.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr, strlen

from thresher.native.base.characters cimport begins_ascii, is_ascii_letter, is_space

# Elements whose content can only look like tags.
cdef const char* RAW_TEXT[8]
RAW_TEXT[:] = ["script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"]


cdef inline uint32_t begins(const uint8_t* p, const uint8_t* end, const char* word) noexcept nogil:
    """The length of a lower-case word if it stands at p, ignoring case; 0 if it does not."""
    cdef size_t length = strlen(word)
    return <uint32_t> length if begins_ascii(p, <size_t> (end - p), word, length) else 0


cdef bint holds_charset(const uint8_t* p, const uint8_t* end) noexcept nogil:
    while p < end:
        if begins(p, end, "charset"):
            return True
        p += 1
    return False


cdef const uint8_t* behind_attributes(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """The byte after the ">" that ends a tag, starting after its name ("get an attribute"); NULL if the bytes end
    first.
    """
    cdef const uint8_t* q
    while True:
        while p < end and (is_space(p[0]) or p[0] == c"/"):
            p += 1
        if p == end:
            return NULL
        if p[0] == c">":
            return p + 1
        p += 1
        while p < end and not is_space(p[0]) and p[0] != c"/" and p[0] != c">" and p[0] != c"=":
            p += 1
        q = p
        while q < end and is_space(q[0]):
            q += 1
        if q < end and q[0] == c"=":
            q += 1
            while q < end and is_space(q[0]):
                q += 1
            if q == end:
                return NULL
            if q[0] == c'"' or q[0] == c"'":
                p = <const uint8_t*> memchr(q + 1, q[0], end - q - 1)
                if p == NULL:
                    return NULL
                p += 1
            else:
                p = q
                while p < end and not is_space(p[0]) and p[0] != c">":
                    p += 1


cdef const uint8_t* behind_raw_text(const uint8_t* tag, const uint8_t* p, const uint8_t* end) noexcept nogil:
    """The end of an element's raw text, which begins at p, after its start tag. p for other elements; NULL if the bytes
    end first.
    """
    cdef uint32_t length
    cdef int i
    for i in range(8):
        length = begins(tag + 1, end, RAW_TEXT[i])
        if length and ends_name(tag + 1 + length, end):
            while True:
                p = <const uint8_t*> memchr(p, c"<", end - p)
                if p == NULL:
                    return NULL
                if p + 1 < end and p[1] == c"/" and begins(p + 2, end, RAW_TEXT[i]) and ends_name(p + 2 + length, end):
                    return p + 2
                p += 1
    return p


cdef inline bint ends_name(const uint8_t* p, const uint8_t* end) noexcept nogil:
    return p < end and (is_space(p[0]) or p[0] == c"/" or p[0] == c">")


cdef const uint8_t* next_meta(
    const uint8_t* p, const uint8_t* end, bint raw_text, const uint8_t** behind
) noexcept nogil:
    """The next meta tag that contains "charset"; sets `behind` to the byte after it. NULL if there is none."""
    cdef const uint8_t* tag
    while p < end:
        p = <const uint8_t*> memchr(p, c"<", end - p)
        if p == NULL:
            return NULL
        if end - p >= 4 and p[1] == c"!" and p[2] == c"-" and p[3] == c"-":
            p += 2      # <!--> is a comment too
            while end - p >= 3 and not (p[0] == c"-" and p[1] == c"-" and p[2] == c">"):
                p += 1
            if end - p < 3:
                return NULL
            p += 3
        elif begins(p + 1, end, "meta") and p + 5 < end and (is_space(p[5]) or p[5] == c"/"):
            tag = p
            p = behind_attributes(p + 5, end)
            if p == NULL:
                return NULL
            if holds_charset(tag, p):
                behind[0] = p
                return tag
        elif p + 1 < end and (is_ascii_letter(p[1]) or (p[1] == c"/" and p + 2 < end and is_ascii_letter(p[2]))):
            tag = p
            while p < end and not is_space(p[0]) and p[0] != c">":
                p += 1
            p = behind_attributes(p, end)
            if p != NULL and raw_text:
                p = behind_raw_text(tag, p, end)
            if p == NULL:
                return NULL
        elif p + 1 < end and (p[1] == c"!" or p[1] == c"/" or p[1] == c"?"):
            p = <const uint8_t*> memchr(p, c">", end - p)
            if p == NULL:
                return NULL
        else:
            p += 1
    return NULL


def charset_metas(bytes head not None, *, bint raw_text=False) -> list[bytes]:
    """The meta tags that contain "charset", in order. A tag that is cut off by the end of `head` is not included.

    With `raw_text`, the content of elements such as script and title is skipped.
    """
    cdef const uint8_t* p = <const uint8_t*> <const char*> head
    cdef const uint8_t* end = p + len(head)
    cdef const uint8_t* behind = NULL
    cdef list found = []
    while True:
        p = next_meta(p, end, raw_text, &behind)
        if p == NULL:
            return found
        found.append(p[:behind - p])
        p = behind
