# SPDX-License-Identifier: Apache-2.0
"""Takes references apart, and resolves them against a base."""

from libc.string cimport memset, strchr

from thresher.native.base.characters cimport is_ascii_letter, is_ascii_letter_or_digit
from thresher.native.base.word_table cimport WordTable, fill_words, value_of_word
from thresher.native.parsing.reading cimport Slice, begins, first_bytes, slice_from, without_leading


cdef enum:
    WEB = 1
    OTHER = 2

cdef WordTable SCHEMES      # that lead somewhere
fill_words(&SCHEMES, {WEB: "http https ftp", OTHER: "mailto tel"})

cdef Slice SLASHES = Slice(data=<const uint8_t*> <const char*> b"//", length=2)


cdef uint32_t scheme_length(Slice address) noexcept nogil:
    """Length of the scheme before the colon; 0 if there is none."""
    cdef uint32_t i = 0
    if address.length == 0 or not is_ascii_letter(address.data[0]):
        return 0
    while i < address.length and (
        is_ascii_letter_or_digit(address.data[i]) or address.data[i] in (c"+", c"-", c".")
    ):
        i += 1
    return i if i < address.length and address.data[i] == c":" else 0


cdef uint32_t find_any(Slice address, uint32_t i, const char* marks) noexcept nogil:
    """The position of the first of some bytes from `i` on; the end if there is none."""
    while i < address.length and (address.data[i] == 0 or strchr(marks, address.data[i]) == NULL):
        i += 1
    return i


cdef bint put(Url* url, Slice part, bint for_markdown) noexcept nogil:
    """Append bytes, percent-encoded if they would end the address in HTML or Markdown; False if there is no room."""
    cdef const char* digits = b"0123456789ABCDEF"
    cdef uint32_t i
    cdef uint8_t c
    for i in range(part.length):
        c = part.data[i]
        if c <= 0x20 or c == 0x7F or c in (c'"', c"<", c">", c"`") or (
            for_markdown and c in (c"(", c")", c"\\", c"|", c"[", c"]")
        ):
            if url.length + 3 > MAX_URL:
                return False
            url.data[url.length] = c"%"
            url.data[url.length + 1] = <uint8_t> digits[c >> 4]
            url.data[url.length + 2] = <uint8_t> digits[c & 15]
            url.length += 3
        elif url.length == MAX_URL:
            return False
        else:
            url.data[url.length] = c
            url.length += 1
    return True


cdef void remove_dots(Url* url, uint32_t path) noexcept nogil:
    """Remove the segments `.` and `..` from the path that begins at `path` (RFC 3986, section 5.2.4)."""
    cdef uint32_t end = find_any(Slice(data=&url.data[0], length=url.length), path, b"?#"), read = path, out = path, start
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


cdef bint has_host(Slice address, uint32_t i) noexcept nogil:
    """Whether a name follows the slashes at byte i."""
    while i < address.length and address.data[i] == c"/":
        i += 1
    return i < address.length and address.data[i] != c"?" and address.data[i] != c"#"


cdef bint resolve(Url* url, Slice base, Slice reference, bint for_markdown) noexcept nogil:
    """Write the address that a reference means on a page at `base` (an absolute URL, or empty); False if it leads
    nowhere.

    Without a base, a relative reference stays relative. With `for_markdown`, parentheses, brackets and backslashes are
    percent-encoded too.
    """
    cdef uint8_t[MAX_URL] bytes
    cdef Slice given = Slice(data=&bytes[0], length=0)      # the reference
    cdef uint32_t i, scheme, path, query, keep, authority
    cdef uint8_t c
    cdef bint in_path = True, merge = False
    url.length = 0
    # Like browsers, drop white space and control characters at both ends, and line breaks and tabs anywhere.
    while reference.length and reference.data[0] <= 0x20:
        reference = slice_from(reference, 1)
    while reference.length and reference.data[reference.length - 1] <= 0x20:
        reference.length -= 1
    for i in range(reference.length):
        c = reference.data[i]
        if c == c"\t" or c == c"\n" or c == c"\r":
            continue
        if given.length == MAX_URL:
            return False
        if c == c"?" or c == c"#":
            in_path = False
        bytes[given.length] = c"/" if c == c"\\" and in_path else c
        given.length += 1
    scheme = scheme_length(given)
    if given.length == 0 or scheme and not value_of_word(&SCHEMES, bytes, scheme):
        return False
    if scheme and value_of_word(&SCHEMES, bytes, scheme) == OTHER:
        return put(url, given, for_markdown)
    if scheme:
        i = scheme + 1      # behind the colon
        if not has_host(given, i):
            return False
        if begins(slice_from(given, i), b"//"):
            return put(url, given, for_markdown)
        if scheme_length(base) != scheme:       # lengths tell the schemes of the web apart
            return (
                put(url, first_bytes(given, i), for_markdown) and put(url, SLASHES, for_markdown)
                and put(url, without_leading(slice_from(given, i), b"/"), for_markdown)
            )
        given = slice_from(given, i)    # "http:g" on a page with the same scheme is "g"
    scheme = scheme_length(base)
    if (
        scheme == 0 or base.length < scheme + 3 or base.data[scheme + 1] != c"/" or base.data[scheme + 2] != c"/"
        or not value_of_word(&SCHEMES, base.data, scheme)
    ):
        # without a base, a colon in the first segment would read as the end of a scheme
        i = find_any(given, 0, b":/?#")
        return (i == given.length or given.data[i] != c":") and put(url, given, for_markdown)
    path = find_any(base, scheme + 3, b"/?#")
    query = find_any(base, path, b"?#")
    if given.data[0] == c"/" and given.length > 1 and given.data[1] == c"/":
        if not has_host(given, 2):
            return False
        keep = scheme + 1
    elif given.data[0] == c"#":
        keep = find_any(base, query, b"#")
    elif given.data[0] == c"?":
        keep = query
    else:
        merge = True
        keep = path
        if given.data[0] != c"/":
            keep = query
            while keep > path and base.data[keep - 1] != c"/":
                keep -= 1
    if not put(url, first_bytes(base, min(keep, path)), for_markdown):
        return False
    authority = url.length
    if keep > path and not put(url, slice_from(first_bytes(base, keep), path), for_markdown):
        return False
    if merge and keep == path and given.data[0] != c"/" and not put(
        url, first_bytes(SLASHES, 1), for_markdown
    ):
        return False
    if not put(url, given, for_markdown):
        return False
    if merge:
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
