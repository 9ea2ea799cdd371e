# SPDX-License-Identifier: Apache-2.0
"""Images of formulas; see formula_images.pxd."""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.base.characters cimport begins_ascii, equals_ascii
from thresher.native.base.scan cimport scan_byte
from thresher.native.base.text_buffer cimport put_byte, start_text
from thresher.native.constructs.construct cimport (
    FORMULAS_DROP, FORMULAS_TEXT, KIND_ELEMENT, KIND_TEXT, Rewriting, Slice, begins, find_attribute, remove,
)
from thresher.native.constructs.formulas cimport (
    contains, is_concealed, is_empty, is_like_tex, is_word_end, replace, value_of,
)
from thresher.native.constructs.tex cimport MAX_FORMULA, inner, trimmed
from thresher.native.parsing.tags cimport ATTR_ALT, ATTR_CLASS, ATTR_SRC, TAG_NOSCRIPT


cdef bint is_word_for_formula(Slice alt) noexcept nogil:
    """True for alternative text that only says that there is a formula."""
    return (
        alt.length == 0 or equals_ascii(alt.data, alt.length, b"equation", 8) or equals_ascii(alt.data, alt.length,
        b"formula", 7)
        or equals_ascii(alt.data, alt.length, b"latex", 5) or equals_ascii(alt.data, alt.length, b"math", 4)
        or equals_ascii(alt.data, alt.length, b"image", 5) or equals_ascii(alt.data, alt.length, b"tex", 3)
        or equals_ascii(alt.data, alt.length, b"\\[image\\]", 9)
    )


cdef Slice after(Slice address, const char* word, uint32_t length) noexcept nogil:
    """The part of an address after a word; empty if the word is not in it."""
    cdef uint32_t i
    cdef Slice rest
    rest.data = NULL
    rest.length = 0
    if address.length < length:
        return rest
    for i in range(address.length - length + 1):
        if begins_ascii(address.data + i, address.length - i, word, length):
            return inner(address, i + length, 0)
    return rest


cdef uint8_t hexadecimal(uint8_t c) noexcept nogil:
    """The value of a hexadecimal digit, 16 for anything else."""
    if c"0" <= c <= c"9":
        return c - c"0"
    c |= 0x20
    return c - c"a" + 10 if c"a" <= c <= c"f" else 16


cdef bint put_decoded(Rewriting* page, Slice part, bint to_ampersand) noexcept nogil:
    """Decode a part of an address into the spare text, up to the next parameter if requested. False if the result is
    empty.
    """
    cdef uint32_t i = 0
    cdef uint8_t high, low
    start_text(page.spare)
    while i < part.length:
        if (
            part.data[i] == c"%" and i + 2 < part.length and hexadecimal(part.data[i + 1]) < 16
            and hexadecimal(part.data[i + 2]) < 16
        ):
            high, low = hexadecimal(part.data[i + 1]), hexadecimal(part.data[i + 2])
            put_byte(page.spare, <uint8_t> (high << 4 | low) if high or low >= 9 else c" ")
            i += 3
            continue
        if part.data[i] == c"&":
            if begins(inner(part, i, 0), b"&space;", 7):
                put_byte(page.spare, c" ")
                i += 7
                continue
            if begins(inner(part, i, 0), b"&plus;", 6):
                put_byte(page.spare, c"+")
                i += 6
                continue
            if to_ampersand:
                break
        if part.data[i] == c"#":
            break
        put_byte(page.spare, c" " if part.data[i] == c"+" else part.data[i])
        i += 1
    return page.spare.length > 0 and not page.spare.failed


cdef bint tex_of_address(Rewriting* page, Slice address, bint service) noexcept nogil:
    """Decode the TeX in an address into the spare text; False if there is none."""
    cdef Slice part = address, decoded
    cdef uint32_t i
    if service:
        address = after(address, b"?", 1)
        part = after(address, b"tex=", 4)
        if part.length == 0:
            part = after(address, b"math=", 5)
        if part.length == 0:
            part = after(address, b"chl=", 4)
        if part.length == 0:
            part = after(address, b"from=", 5)
        return put_decoded(page, part, True) if part.length else put_decoded(page, address, False)
    # the last part of an address that contains a TeX command
    for i in range(address.length):
        if address.data[i] == c"/" or address.data[i] == c"=" or address.data[i] == c"?":
            part = inner(address, i + 1, 0)
    if not spells_command(part) or not put_decoded(page, part, True):
        return False
    decoded.data = page.spare.data
    decoded.length = <uint32_t> page.spare.length
    return is_like_tex(decoded)


cdef bint is_formula_image(Slice value) noexcept nogil:
    """True if an image's class says that its alternative text is TeX."""
    return (
        begins(value, b"mwe-math-fallback", 17) or begins(value, b"latex", 5) or begins(value, b"ql-", 3)
        and contains(value, b"formula", 7)
        or begins(value, b"ql-", 3) and contains(value, b"equation", 8) or begins(value, b"tex", 3)
        and is_word_end(value, 3)
        or begins(value, b"math", 4) and is_word_end(value, 4)
    )


cdef bint ends(Slice text, const char* word, uint32_t length) noexcept nogil:
    """True if a text ends with a lower-case word, ignoring ASCII case."""
    return text.length >= length and begins_ascii(text.data + text.length - length, length, word, length)


cdef bint is_service(Slice address) noexcept nogil:
    """True for the address of a service that renders TeX as an image; the path before the question mark tells."""
    cdef const uint8_t* mark = scan_byte(address.data, address.data + address.length, c"?")
    cdef Slice path = address
    path.length = <uint32_t> (mark - address.data)
    if path.length == address.length or path.length < 5:
        return False
    return (
        ends(path, b"latex.php", 9) or ends(path, b".latex", 6) or ends(path, b"tex.cgi", 7) or ends(path,
        b"/render/math", 12)
        or ends(path, b"/equation", 9) and contains(address, b"tex=", 4) or ends(path, b"/chart", 6)
        and contains(address, b"cht=tx", 6)
        or (ends(path, b".image", 6) or ends(path, b".download", 9)) and contains(path, b"codecogs.com", 12)
        or ends(path, b"math.now.sh", 11)
    )


cdef bint spells_command(Slice address) noexcept nogil:
    """True for an address with an escaped backslash."""
    cdef const uint8_t* p = address.data
    cdef const uint8_t* end = p + address.length
    while True:
        p = scan_byte(p, end, c"%")
        if end - p < 3:
            return False
        if p[1] == c"5" and (p[2] | 0x20) == c"c":
            return True
        p += 1


cdef void remove_copy(Rewriting* page, uint32_t n) noexcept nogil:
    """Remove the noscript element after an image that repeats the image for browsers without scripts."""
    cdef uint32_t m = page.tree.nodes[n].end, end = page.tree.nodes[page.tree.nodes[n].parent].end
    while m < end and page.tree.nodes[m].kind == KIND_TEXT and is_empty(page, m):
        m = page.tree.nodes[m].end
    if m < end and page.tree.nodes[m].kind == KIND_ELEMENT and page.tree.nodes[m].tag == TAG_NOSCRIPT:
        if page.tree.nodes[m].end - m <= 4:
            remove(page, m)


cdef bint rewrite_image(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite an image of a formula."""
    cdef Slice value = value_of(page, find_attribute(page.tree, n, ATTR_CLASS))
    cdef Slice address = value_of(page, find_attribute(page.tree, n, ATTR_SRC))
    cdef Slice alt, tex
    cdef bint service
    if address.length > MAX_FORMULA or begins(address, b"data:", 5):
        address.length = 0
    service = is_service(address)
    if page.formulas == FORMULAS_TEXT or not (service or is_formula_image(value) or spells_command(address)):
        return False
    if page.strict and is_concealed(page, n):
        return False
    alt = trimmed(value_of(page, find_attribute(page.tree, n, ATTR_ALT)))
    if (service or is_formula_image(value) or is_like_tex(alt)) and not is_word_for_formula(alt):
        tex = alt
    elif tex_of_address(page, address, service):
        tex.data = page.spare.data
        tex.length = <uint32_t> page.spare.length
    else:
        return False
    if page.formulas == FORMULAS_DROP:
        remove(page, n)
        return True
    if not replace(page, n, tex, contains(value, b"display", 7)):
        return False
    remove_copy(page, n)
    return True
