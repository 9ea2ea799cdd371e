# SPDX-License-Identifier: Apache-2.0
"""Images of formulas; see formula_images.pxd."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp

from thresher.native.base.characters cimport begins_ascii, equals_ascii
from thresher.native.base.scan cimport scan_byte
from thresher.native.base.text_buffer cimport put_byte, start_text
from thresher.native.constructs.code_names cimport words_have
from thresher.native.constructs.construct cimport (
    FORMULAS_DROP, FORMULAS_TEXT, KIND_ELEMENT, KIND_TEXT, Attribute, Rewriting, Slice, begins, find_attribute, remove,
    slice_at,
)
from thresher.native.constructs.delimiters cimport BELIEF_NONE, belief_in
from thresher.native.constructs.formulas cimport (
    contains, is_concealed, is_empty, is_like_tex, is_switch, is_tex_attribute, replace, value_of,
)
from thresher.native.constructs.tex cimport MAX_FORMULA, inner, past_group, trimmed, without_delimiters
from thresher.native.parsing.tags cimport ATTR_ALT, ATTR_CLASS, ATTR_SRC, ATTR_UNKNOWN, TAG_NOSCRIPT


# Commands of TeX that tell a formula. Others may be segments of a path.
cdef const char* COMMANDS = (
    b"|alpha|beta|gamma|delta|epsilon|varepsilon|zeta|eta|theta|vartheta|iota|kappa|lambda|mu|nu|xi|pi|varpi|rho|"
    b"varrho|sigma|tau|upsilon|phi|varphi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega|frac|"
    b"dfrac|tfrac|cfrac|binom|sqrt|sum|prod|int|iint|oint|lim|partial|nabla|infty|hbar|ell|cdot|times|div|pm|mp|ast|circ|le|"
    b"ge|ne|leq|geq|neq|ll|gg|approx|equiv|sim|simeq|cong|propto|to|mapsto|rightarrow|leftarrow|leftrightarrow|"
    b"Rightarrow|Leftarrow|Leftrightarrow|implies|iff|in|notin|subset|subseteq|cup|cap|setminus|emptyset|forall|exists|"
    b"neg|land|lor|wedge|vee|oplus|otimes|mid|parallel|perp|angle|prime|dots|ldots|cdots|vdots|ddots|quad|qquad|left|"
    b"right|big|Big|bigg|Bigg|langle|rangle|lfloor|rfloor|lceil|rceil|begin|end|mathbb|mathrm|mathbf|mathcal|mathit|"
    b"mathsf|mathfrak|boldsymbol|text|operatorname|displaystyle|textstyle|limits|vec|hat|bar|tilde|dot|ddot|overline|"
    b"underline|overbrace|underbrace|stackrel|overset|underset|sin|cos|tan|cot|sec|csc|arcsin|arccos|arctan|sinh|cosh|"
    b"tanh|log|ln|exp|max|min|sup|inf|det|dim|ker|gcd|arg|deg|mod|bmod|pmod|"
)


cdef bint is_command(const uint8_t* name, uint32_t length) noexcept nogil:
    """True for the name of a command that tells a formula."""
    cdef const char* word = COMMANDS + 1
    cdef uint32_t n
    while word[0]:
        n = 0
        while word[n] != c"|":
            n += 1
        if n == length and memcmp(name, word, n) == 0:
            return True
        word += n + 1
    return False


cdef uint32_t letters_at(Slice text, uint32_t i) noexcept nogil:
    """The bytes of the letters from `i` on. Arrows, relations and the like (U+2000 to U+2FFF) are none."""
    cdef uint32_t start = i
    while i < text.length and (
        c"a" <= (text.data[i] | 0x20) <= c"z" or text.data[i] >= 0x80 and text.data[i] != 0xE2
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
        if length > 1 and (length == 2 or not is_command(text.data + i, length)):
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
        if length and is_command(alt.data + i - length, length):
            found += 1
        elif length == 1 or length and (i >= alt.length or alt.data[i] != c"{"):
            return False
    return found > 0 and not is_prose(alt) and not ends_as_file(alt)


cdef bint ends_as_file(Slice text) noexcept nogil:
    """True for a text that ends with the extension of a file."""
    cdef uint32_t i = text.length
    while i and c"a" <= (text.data[i - 1] | 0x20) <= c"z":
        i -= 1
    return i > 0 and text.data[i - 1] == c"." and 3 <= text.length - i <= 4


cdef Slice tex_in_attribute(const Rewriting* page, uint32_t n) noexcept nogil:
    """The TeX that an image has in an attribute of its own, such as data-tex; empty if there is none."""
    cdef const Attribute* attribute = page.tree.attributes + page.tree.nodes[n].attributes
    cdef uint32_t i
    cdef Slice value
    for i in range(page.tree.nodes[n].n_attributes):
        if attribute[i].name == ATTR_UNKNOWN and is_tex_attribute(
            slice_at(page.tree, attribute[i].name_start, attribute[i].name_length)
        ):
            value = trimmed(value_of(page, attribute + i))
            if not is_switch(value):
                return value
    value.data = NULL
    value.length = 0
    return value


cdef bint is_word_for_formula(Slice alt) noexcept nogil:
    """True for alternative text that only says that there is a formula."""
    return (
        alt.length == 0 or equals_ascii(alt.data, alt.length, b"equation", 8) or equals_ascii(alt.data, alt.length,
        b"formula", 7)
        or equals_ascii(alt.data, alt.length, b"latex", 5) or equals_ascii(alt.data, alt.length, b"math", 4)
        or equals_ascii(alt.data, alt.length, b"image", 5) or equals_ascii(alt.data, alt.length, b"tex", 3)
        or equals_ascii(alt.data, alt.length, b"\\[image\\]", 9)
        or equals_ascii(alt.data, alt.length, b"[\xe5\x85\xac\xe5\xbc\x8f]", 8)      # Zhihu: [formula]
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


cdef Slice without_settings(Slice tex) noexcept nogil:
    """TeX without the commands that tell CodeCogs how to draw it: \\inline, \\dpi{110}, \\bg_white, \\fn_phv."""
    cdef uint32_t i
    while (
        begins(tex, b"\\inline", 7) or begins(tex, b"\\dpi{", 5) or begins(tex, b"\\bg_", 4)
        or begins(tex, b"\\fn_", 4)
    ):
        i = 1
        while i < tex.length and tex.data[i] not in (c" ", c"\\", c"}"):
            i += 1
        tex = trimmed(inner(tex, i + (i < tex.length and tex.data[i] == c"}"), 0))
    return tex


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


cdef bint is_formula_class(const uint8_t* word, uint32_t length) noexcept nogil:
    """True for the class of an image whose alternative text is TeX."""
    cdef Slice name = Slice(data=word, length=length)
    return (
        begins(name, b"mwe-math-fallback", 17) or begins(name, b"latex", 5)
        or begins(name, b"ql-", 3) and (contains(name, b"formula", 7) or contains(name, b"equation", 8))
        or length == 3 and begins(name, b"tex", 3)
        or length == 4 and begins(name, b"math", 4)
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
    cdef Slice alt = trimmed(value_of(page, find_attribute(page.tree, n, ATTR_ALT)))
    cdef Slice tex
    cdef bint service, named, formula
    if page.formulas == FORMULAS_TEXT:
        return False
    if address.length > MAX_FORMULA or begins(address, b"data:", 5):
        address.length = 0
    service = is_service(address)
    named = service or words_have(value, is_formula_class)
    formula = not named and is_formula(alt)
    tex = tex_in_attribute(page, n) if not page.strict else Slice(data=NULL, length=0)
    if not (named or formula or tex.length or spells_command(address)):
        return False
    if page.strict and is_concealed(page, n):
        return False
    if formula or not is_word_for_formula(alt) and not is_prose(alt) and (named or is_like_tex(alt)):
        tex = alt
    elif tex.length:
        pass
    elif tex_of_address(page, address, service):
        tex.data = page.spare.data
        tex.length = <uint32_t> page.spare.length
        tex = without_settings(tex)
    else:
        return False
    if page.formulas == FORMULAS_DROP:
        remove(page, n)
        return True
    if not replace(page, n, tex, contains(value, b"display", 7)):
        return False
    remove_copy(page, n)
    return True
