# SPDX-License-Identifier: Apache-2.0
"""Recognises images of formulas, and puts their TeX in their place."""

from thresher.native.base.scan cimport scan_byte
from thresher.native.base.word_table cimport WordTable, fill_words, has_word_of, kept, value_of_word
from thresher.native.constructs.delimiters cimport BELIEF_NONE, belief_in
from thresher.native.constructs.formulas cimport is_concealed, is_empty, is_like_tex, replace, tex_in_attributes
from thresher.native.constructs.tex cimport MAX_FORMULA, past_group, without_delimiters
from thresher.native.parsing.entities cimport hexadecimal_digit
from thresher.native.parsing.utf8 cimport is_utf8

from thresher.native.constructs import construct_words


cdef enum:
    N_SERVICE_WORDS = 4
    N_PARAMETERS = 4

cdef WordTable COMMANDS         # that tell a formula
cdef WordTable CLASSES          # of an image whose alternative text is TeX
cdef WordTable WORDS            # alternative texts that only say that there is a formula
cdef WordTable SERVICES         # paths; a value is one more than the index of what the address must hold
cdef const char* SERVICE_WORDS[N_SERVICE_WORDS]
cdef const char* PARAMETERS[N_PARAMETERS]


cdef int _fill_tables() except -1:
    services = construct_words.IMAGE_SERVICES
    parameters = construct_words.IMAGE_PARAMETERS.split()
    if len(services) != N_SERVICE_WORDS or len(parameters) != N_PARAMETERS:
        raise RuntimeError("construct_words.py has other rows than formula_images.pyx has room for")
    fill_words(&COMMANDS, {1: construct_words.COMMANDS}, exact=True)
    fill_words(&CLASSES, {1: construct_words.IMAGE_CLASSES}, exact=True)
    fill_words(&WORDS, {1: construct_words.IMAGE_WORDS})
    fill_words(&SERVICES, {number: paths for number, paths in enumerate(services.values(), 1)})
    for i, word in enumerate(services):
        SERVICE_WORDS[<int> i] = kept(word)
    for i, word in enumerate(parameters):
        PARAMETERS[<int> i] = kept(word)
    return 0


_fill_tables()


cdef uint32_t letters_at(Slice text, uint32_t i) noexcept nogil:
    """The bytes of the letters from `i` on. Arrows, relations and the like (U+2000 to U+2FFF) are none."""
    cdef uint32_t start = i
    while i < text.length and (
        is_ascii_letter(text.data[i]) or text.data[i] >= 0x80 and text.data[i] != 0xE2
        and not (text.data[i] < 0xC0 and i == start)
    ):
        i += 1
    return i - start


cdef bint is_prose(Slice text) noexcept nogil:
    """True if two words stand beside each other outside of braces, or a word after a command or, with a capital, before
    one: the text is not a formula, but about one. Names of functions are no words.
    """
    cdef uint32_t i = 0, length, before = 0     # letters of the word before; a command counts as one of three
    cdef bint beside = False, command = False, word = False
    if text.length > MAX_FORMULA:
        return True
    while i < text.length:
        if text.data[i] == c"{":
            length = past_group(text, i)
            if length == i:
                return False    # the rest is a group
            i = length
            before = 0
            continue
        if text.data[i] == c" ":
            beside = before > 0
            i += 1
            continue
        if text.data[i] == c"\\":
            length = letters_at(text, i + 1)
            if length > 1 and beside and word and c"A" <= text.data[i - 1 - before] <= c"Z":
                return True
            command = True
            word = False
            before = length
            i += 1 + max(length, <uint32_t> 1)
            beside = False
            continue
        length = letters_at(text, i)
        if length > 1 and (length == 2 or not value_of_word(&COMMANDS, text.data + i, length)):
            if beside and (length > 2 if command else word and max(length, before) > 2):
                return True
            word = True
        else:
            word = False
        command = False
        before = length
        beside = False
        i += max(length, <uint32_t> 1)
    return False


cdef bint is_formula(Slice alt) noexcept nogil:
    """True for alternative text that can be nothing but a formula: TeX between delimiters, or with commands that tell
    one and without other words. A path, a regular expression and "x_1" may be anything.
    """
    cdef Slice tex = alt
    cdef uint32_t i = 0, length, found = 0
    cdef bint display = False
    if not 3 <= alt.length <= MAX_FORMULA:
        return False
    if without_delimiters(&tex, &display):
        return tex.length > 0 and (belief_in(tex) != BELIEF_NONE or alt.data[0] == c"\\" and not is_prose(tex))
    while i < alt.length:
        if alt.data[i] == c"$":
            return False
        if alt.data[i] != c"\\":
            i += 1
            continue
        length = letters_at(alt, i + 1)
        i += 1 + max(length, <uint32_t> 1)
        if length and value_of_word(&COMMANDS, alt.data + i - length, length):
            found += 1
        elif length == 1 or length and (i >= alt.length or alt.data[i] != c"{"):
            return False
    return found > 0 and not is_prose(alt) and not ends_as_file(alt)


cdef bint ends_as_file(Slice text) noexcept nogil:
    """True for a text that ends with the extension of a file."""
    cdef uint32_t i = text.length
    while i and is_ascii_letter(text.data[i - 1]):
        i -= 1
    return i > 0 and text.data[i - 1] == c"." and 3 <= text.length - i <= 4


cdef Slice after(Slice address, const char* word) noexcept nogil:
    """The part of an address after a word; empty if the word is not in it."""
    while address.length:
        if begins_word(address, word):
            return slice_from(address, <uint32_t> strlen(word))
        address = slice_from(address, 1)
    return address


cdef bint put_decoded(Rewriting* page, Slice part, bint to_ampersand) noexcept nogil:
    """Decode a part of an address into the spare text, up to the next parameter if requested. False if the result is
    empty or no UTF-8.
    """
    cdef uint8_t high, low
    start_text(page.spare)
    while part.length and part.data[0] != c"#":
        high = hexadecimal_digit(part.data[1]) if part.length > 2 and part.data[0] == c"%" else 16
        low = hexadecimal_digit(part.data[2]) if high < 16 else 16
        if low < 16:
            put_byte(page.spare, <uint8_t> (high << 4 | low) if high or low >= 9 else c" ")
            part = slice_from(part, 3)
        elif take_exact(&part, b"&space;"):
            put_byte(page.spare, c" ")
        elif take_exact(&part, b"&plus;"):
            put_byte(page.spare, c"+")
        elif to_ampersand and part.data[0] == c"&":
            break
        else:
            put_byte(page.spare, c" " if part.data[0] == c"+" else part.data[0])
            part = slice_from(part, 1)
    return page.spare.length > 0 and not page.spare.failed and is_utf8(page.spare.data, page.spare.length)


cdef Slice without_settings(Slice tex) noexcept nogil:
    """TeX without the commands that tell CodeCogs how to draw it: \\inline, \\dpi{110}, \\bg_white, \\fn_phv."""
    cdef uint32_t i
    while (
        begins(tex, b"\\inline") or begins(tex, b"\\dpi{") or begins(tex, b"\\bg_")
        or begins(tex, b"\\fn_")
    ):
        i = 1
        while i < tex.length and tex.data[i] not in (c" ", c"\\", c"}"):
            i += 1
        tex = trimmed(slice_from(tex, i + (i < tex.length and tex.data[i] == c"}")))
    return tex


cdef bint tex_of_address(Rewriting* page, Slice address, bint service) noexcept nogil:
    """Decode the TeX in an address into the spare text; False if there is none."""
    cdef Slice part = address
    cdef uint32_t i
    if service:
        address = after(address, b"?")
        for i in range(N_PARAMETERS):
            part = after(address, PARAMETERS[i])
            if part.length:
                return put_decoded(page, part, True)
        return put_decoded(page, address, False)
    # the last part of an address that contains a TeX command
    for i in range(address.length):
        if address.data[i] == c"/" or address.data[i] == c"=" or address.data[i] == c"?":
            part = slice_from(address, i + 1)
    if not spells_command(part) or not put_decoded(page, part, True):
        return False
    return is_like_tex(written(page.spare))


cdef bint is_service(Slice address) noexcept nogil:
    """True for the address of a service that renders TeX as an image; the path before the question mark tells."""
    cdef const uint8_t* mark = scan_byte(address.data, address.data + address.length, c"?")
    cdef Slice path = first_bytes(address, <uint32_t> (mark - address.data))
    cdef uint32_t service
    if path.length == address.length:
        return False
    service = value_of_word(&SERVICES, path.data, path.length)
    return service > 0 and contains(address, SERVICE_WORDS[service - 1])


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
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t m = nodes[n].end, end = nodes[nodes[n].parent].end
    while m < end and nodes[m].kind == KIND_TEXT and is_empty(page, m):
        m = nodes[m].end
    if m < end and nodes[m].kind == KIND_ELEMENT and nodes[m].tag == TAG_NOSCRIPT and nodes[m].end - m <= 4:
        remove(page, m)


cdef bint rewrite_image(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite an image of a formula."""
    cdef Slice value = class_of(page.tree, n)
    cdef Slice address = value_in(page.tree, n, ATTR_SRC)
    cdef Slice alt = trimmed(value_in(page.tree, n, ATTR_ALT))
    cdef Slice tex
    cdef bint service, named, formula, empty
    if page.formulas == FORMULAS_TEXT:
        return False
    if address.length > MAX_FORMULA or begins(address, b"data:"):
        address.length = 0
    service = is_service(address)
    named = service or has_word_of(&CLASSES, 1, value.data, value.length)
    formula = not named and is_formula(alt)
    tex = tex_in_attributes(page, n)
    if not (named or formula or tex.length or spells_command(address)):
        return False
    if page.strict and is_concealed(page, n):
        return False
    empty = alt.length == 0 or value_of_word(&WORDS, alt.data, alt.length) != 0     # says no more than "formula"
    if formula or not empty and not is_prose(alt) and (named or is_like_tex(alt)):
        tex = alt
    elif tex.length == 0:
        if not tex_of_address(page, address, service):
            return False
        tex = without_settings(written(page.spare))
    if not replace(page, n, tex, contains(value, b"display")):
        return False
    remove_copy(page, n)
    return True
