# SPDX-License-Identifier: Apache-2.0
"""Resolving URL references; see urls.pxd."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

from thresher.native.base.characters cimport equals_ascii
from thresher.native.parsing.document cimport Slice


cdef bint is_letter(uint8_t c) noexcept nogil:
    return c"a" <= (c | 0x20) <= c"z"


cdef uint32_t scheme_length(const uint8_t* data, uint32_t length) noexcept nogil:
    """Length of the scheme before the colon; 0 if there is none."""
    cdef uint32_t i = 0
    if length == 0 or not is_letter(data[0]):
        return 0
    while (
        i < length
        and (is_letter(data[i]) or c"0" <= data[i] <= c"9" or data[i] == c"+" or data[i] == c"-" or data[i] == c".")
    ):
        i += 1
    return i if i < length and data[i] == c":" else 0


cdef bint leads_somewhere(const uint8_t* data, uint32_t length) noexcept nogil:
    """True for a scheme that the output may contain."""
    return (
        equals_ascii(data, length, b"http", 4) or equals_ascii(data, length, b"https", 5)
        or equals_ascii(data, length, b"ftp", 3)
        or equals_ascii(data, length, b"mailto", 6) or equals_ascii(data, length, b"tel", 3)
    )


cdef bint put(Url* url, uint8_t c, bint for_markdown) noexcept nogil:
    """Append a byte, percent-encoded if it would end the address in HTML or Markdown; False if there is no room."""
    cdef const char* digits = b"0123456789ABCDEF"
    if c <= 0x20 or c == 0x7F or c == c'"' or c == c"<" or c == c">" or c == c"`" or (
        for_markdown and (c == c"(" or c == c")" or c == c"\\" or c == c"|" or c == c"[" or c == c"]")
    ):
        if url.length + 3 > MAX_URL:
            return False
        url.data[url.length] = c"%"
        url.data[url.length + 1] = <uint8_t> digits[c >> 4]
        url.data[url.length + 2] = <uint8_t> digits[c & 15]
        url.length += 3
        return True
    if url.length + 1 > MAX_URL:
        return False
    url.data[url.length] = c
    url.length += 1
    return True


cdef bint put_all(Url* url, const uint8_t* data, uint32_t length, bint for_markdown) noexcept nogil:
    cdef uint32_t i
    for i in range(length):
        if not put(url, data[i], for_markdown):
            return False
    return True


cdef void remove_dots(Url* url, uint32_t path) noexcept nogil:
    """Remove the segments `.` and `..` from the path that begins at `path` (RFC 3986, section 5.2.4)."""
    cdef uint32_t end = path, read, start, out
    while end < url.length and url.data[end] != c"?" and url.data[end] != c"#":
        end += 1
    out = read = path
    while read < end:
        start = read + 1        # after a slash
        while start < end and url.data[start] != c"/":
            start += 1
        if url.data[read] == c"/" and start - read == 2 and url.data[read + 1] == c".":
            if start == end:
                url.data[out] = c"/"
                out += 1
        elif url.data[read] == c"/" and start - read == 3 and url.data[read + 1] == c"." and url.data[read + 2] == c".":
            while out > path:
                out -= 1
                if url.data[out] == c"/":
                    break
            if start == end:
                url.data[out] = c"/"
                out += 1
        else:
            while read < start:
                url.data[out] = url.data[read]
                out += 1
                read += 1
        read = start
    if out != end:
        while end < url.length:
            url.data[out] = url.data[end]
            out += 1
            end += 1
        url.length = out


cdef bint resolve(Url* url, Slice base, Slice reference, bint for_markdown) noexcept nogil:
    """Write the address that a reference means on a page at `base` (an absolute URL, or empty); False if it leads
    nowhere.

    Without a base, a relative reference stays relative. With `for_markdown`, parentheses, brackets and backslashes are
    percent-encoded too.
    """
    cdef uint8_t[MAX_URL] bytes
    cdef uint32_t length = 0, i, scheme, authority = 0, path = 0, query
    cdef uint8_t c
    cdef bint in_path = True
    url.length = 0
    # Like browsers, drop white space and control characters at both ends, and line breaks and tabs anywhere.
    while reference.length and reference.data[0] <= 0x20:
        reference.data += 1
        reference.length -= 1
    while reference.length and reference.data[reference.length - 1] <= 0x20:
        reference.length -= 1
    for i in range(reference.length):
        c = reference.data[i]
        if c == c"\t" or c == c"\n" or c == c"\r":
            continue
        if length == MAX_URL:
            return False
        if c == c"?" or c == c"#":
            in_path = False
        bytes[length] = c"/" if c == c"\\" and in_path else c
        length += 1
    if length == 0:
        return False
    scheme = scheme_length(bytes, length)
    if scheme:
        if not leads_somewhere(bytes, scheme):
            return False
        return put_all(url, bytes, length, for_markdown)
    scheme = scheme_length(base.data, base.length)
    if (
        scheme == 0 or base.length < scheme + 3 or base.data[scheme + 1] != c"/" or base.data[scheme + 2] != c"/"
        or not leads_somewhere(base.data, scheme)
    ):
        for i in range(length):     # without a base, a colon in the first segment would read as the end of a scheme
            if bytes[i] == c"/" or bytes[i] == c"?" or bytes[i] == c"#":
                break
            if bytes[i] == c":":
                return False
        return put_all(url, bytes, length, for_markdown)
    authority = scheme + 3
    path = authority
    while path < base.length and base.data[path] != c"/" and base.data[path] != c"?" and base.data[path] != c"#":
        path += 1
    if bytes[0] == c"/" and length > 1 and bytes[1] == c"/":
        return put_all(url, base.data, scheme + 1, for_markdown) and put_all(url, bytes, length, for_markdown)
    query = path
    while query < base.length and base.data[query] != c"?" and base.data[query] != c"#":
        query += 1
    if bytes[0] == c"#":
        i = query
        while i < base.length and base.data[i] != c"#":
            i += 1
        return put_all(url, base.data, i, for_markdown) and put_all(url, bytes, length, for_markdown)
    if bytes[0] == c"?":
        return put_all(url, base.data, query, for_markdown) and put_all(url, bytes, length, for_markdown)
    if not put_all(url, base.data, path, for_markdown):
        return False
    authority = url.length
    if bytes[0] != c"/":
        i = query
        while i > path and base.data[i - 1] != c"/":
            i -= 1
        if i == path:
            if not put(url, c"/", for_markdown):
                return False
        elif not put_all(url, base.data + path, i - path, for_markdown):
            return False
    if not put_all(url, bytes, length, for_markdown):
        return False
    remove_dots(url, authority)
    return True


def resolve_url(bytes base not None, bytes reference not None, *, bint for_markdown=False) -> bytes | None:
    """The address that a reference means on a page at `base`; None if it leads nowhere. For tests; the core calls
    resolve().
    """
    cdef Url url
    cdef Slice of_base, of_reference
    memset(&url, 0, sizeof(Url))
    of_base.data, of_base.length = <const uint8_t*> <const char*> base, <uint32_t> len(base)
    of_reference.data, of_reference.length = <const uint8_t*> <const char*> reference, <uint32_t> len(reference)
    if not resolve(&url, of_base, of_reference, for_markdown):
        return None
    return url.data[:url.length]
