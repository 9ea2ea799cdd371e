# SPDX-License-Identifier: Apache-2.0
"""Tokens of formulas as TeX: characters, symbols, letters of a variant; see math_tokens.pxd."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t

from thresher.native.base.characters cimport equals_ascii, is_space
from thresher.native.base.text_buffer cimport TextBuffer, cut_text, put_byte, put_string
from thresher.native.constructs.construct cimport KIND_ELEMENT, KIND_TEXT, Attribute, Node, Slice, Tree, begins, slice_at
from thresher.native.parsing.tags cimport TAG_COUNT, TAG_PATH, TAG_SPAN, TAG_USE


cdef enum:
    MAX_NAME = 15           # letters of the longest command after which a letter needs a space


ctypedef struct Symbol:
    uint32_t code
    const char* name        # the command without its backslash


cdef enum:
    MAX_SYMBOLS = 512

cdef Symbol[MAX_SYMBOLS] SYMBOLS
cdef uint32_t N_SYMBOLS = 0

SYMBOL_NAMES = """
α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa ϰ varkappa
λ lambda
μ mu µ mu ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega
Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega ∆ Delta ϝ digamma
∞ infty ∂ partial ∇ nabla ∀ forall ∃ exists ∄ nexists ∅ emptyset ℏ hbar ħ hbar ℓ ell ℑ Im ℜ Re ℘ wp ℵ aleph ℶ beth
ℷ gimel
∠ angle ∡ measuredangle ⊤ top ⊥ perp △ triangle ▽ triangledown □ square ■ blacksquare ◻ square ◼ blacksquare ◊ lozenge
⋄ diamond ⋆ star ★ bigstar ♠ spadesuit ♡ heartsuit ♢ diamondsuit ♣ clubsuit ♭ flat ♮ natural ♯ sharp ∁ complement
ð eth
± pm ∓ mp × times ÷ div ⋅ cdot · cdot ∘ circ • bullet ∙ bullet ⊕ oplus ⊖ ominus ⊗ otimes ⊘ oslash ⊙ odot ⊞ boxplus
⊟ boxminus ⊠ boxtimes ⊡ boxdot † dagger ‡ ddagger ⨿ amalg ≀ wr ⊓ sqcap ⊔ sqcup ∩ cap ∪ cup ⊎ uplus ∧ wedge ∨ vee
∖ setminus ⧵ setminus ⋉ ltimes ⋊ rtimes ⋈ bowtie ∔ dotplus ⊼ barwedge ⊻ veebar
≤ le ≥ ge ≠ ne ≡ equiv ≢ not\\equiv ≈ approx ≉ not\\approx ≃ simeq ≅ cong ≆ ncong ∼ sim ≁ nsim ∝ propto ≍ asymp
≐ doteq ≪ ll ≫ gg
⋘ lll ⋙ ggg ≺ prec ≻ succ ≼ preceq ≽ succeq ⪯ preceq ⪰ succeq ⩽ leqslant ⩾ geqslant ≦ leqq ≧ geqq ≲ lesssim ≳ gtrsim
≶ lessgtr ≷ gtrless ≮ nless ≯ ngtr ≰ nleq ≱ ngeq ≜ triangleq ≝ overset{\\text{def}}{=} ≔ coloneqq ≕ eqqcolon
∈ in ∉ notin ∋ ni ∌ not\\ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ⊄ not\\subset ⊅ not\\supset ⊈ nsubseteq
⊉ nsupseteq ⊊ subsetneq
⊋ supsetneq ⊏ sqsubset ⊐ sqsupset ⊑ sqsubseteq ⊒ sqsupseteq ∣ mid ∤ nmid ∥ parallel ∦ nparallel ⊢ vdash ⊣ dashv
⊨ models
⊩ Vdash ⊬ nvdash ⊭ nvDash ⌢ frown ⌣ smile ⊲ lhd ⊳ rhd ⊴ unlhd ⊵ unrhd ◁ triangleleft ▷ triangleright ∴ therefore
∵ because ¬ neg
→ to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ⟶ longrightarrow ⟵ longleftarrow
⟷ longleftrightarrow ⟹ Longrightarrow ⟸ Longleftarrow ⟺ iff ↦ mapsto ⟼ longmapsto ↪ hookrightarrow ↩ hookleftarrow
↑ uparrow ↓ downarrow ↕ updownarrow ⇑ Uparrow ⇓ Downarrow ⇕ Updownarrow ↗ nearrow ↘ searrow ↙ swarrow ↖ nwarrow
⇀ rightharpoonup ⇁ rightharpoondown ↼ leftharpoonup ↽ leftharpoondown ⇌ rightleftharpoons ⇋ leftrightharpoons
↠ twoheadrightarrow ↣ rightarrowtail ↝ leadsto ⇝ rightsquigarrow ⇉ rightrightarrows ⇄ rightleftarrows ↛ nrightarrow
∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ⋃ bigcup ⋂ bigcap ⋁ bigvee ⋀ bigwedge ⨁ bigoplus ⨂ bigotimes
⨀ bigodot ⨄ biguplus ⨆ bigsqcup
⟨ langle ⟩ rangle 〈 langle 〉 rangle ⌈ lceil ⌉ rceil ⌊ lfloor ⌋ rfloor ‖ | ∥ parallel ⦃ lBrace ⦄ rBrace ⟦ llbracket
⟧ rrbracket
… ldots ⋯ cdots ⋮ vdots ⋱ ddots ′ prime √ surd ° circ
"""


def _fill_symbols() -> list[bytes]:
    """Fill the table of symbols, sorted by code point. Returns the object that keeps the names alive."""
    global N_SYMBOLS
    words = SYMBOL_NAMES.split()
    table = dict(zip(words[::2], words[1::2]))
    kept = []
    for i, symbol in enumerate(sorted(table)):
        kept.append(table[symbol].encode())
        SYMBOLS[<uint32_t> i].code = ord(symbol)
        SYMBOLS[<uint32_t> i].name = kept[len(kept) - 1]
        N_SYMBOLS = <uint32_t> i + 1
    return kept


_kept = _fill_symbols()


cdef const char* symbol_of(uint32_t code) noexcept nogil:
    """The command for a character; NULL if there is none."""
    cdef uint32_t low = 0, high = N_SYMBOLS, middle
    while low < high:
        middle = (low + high) // 2
        if SYMBOLS[middle].code < code:
            low = middle + 1
        else:
            high = middle
    return SYMBOLS[low].name if low < N_SYMBOLS and SYMBOLS[low].code == code else NULL


cdef Slice attribute_of(const Tree* tree, uint32_t n, const char* name, uint32_t length) noexcept nogil:
    """The value of an element's attribute, whether or not its name has a number; empty if there is none."""
    cdef const Attribute* attribute
    cdef Slice found
    cdef uint32_t i
    for i in range(tree.nodes[n].n_attributes):
        attribute = tree.attributes + tree.nodes[n].attributes + i
        if attribute.name_length == length:
            found = slice_at(tree, attribute.name_start, length)
            if named(found, name, length):
                return slice_at(tree, attribute.value_start, attribute.value_length)
    found.data = NULL
    found.length = 0
    return found


# --- characters ---


cdef uint32_t next_code(const uint8_t* p, const uint8_t* end, uint32_t* code) noexcept nogil:
    """The length in bytes of the next UTF-8 character, and its code point; 1 and U+FFFD for a malformed byte."""
    cdef uint32_t lead = p[0], n, i
    if lead < 0x80:
        code[0] = lead
        return 1
    n = 2 if 0xC2 <= lead < 0xE0 else 3 if 0xE0 <= lead < 0xF0 else 4 if 0xF0 <= lead < 0xF5 else 0
    code[0] = 0xFFFD
    if n == 0 or <size_t> (end - p) < n:
        return 1
    code[0] = lead & (0x7F >> n)
    for i in range(1, n):
        if p[i] & 0xC0 != 0x80:
            code[0] = 0xFFFD
            return 1
        code[0] = code[0] << 6 | (p[i] & 0x3F)
    return n


cdef void put_code(TextBuffer* text, uint32_t code) noexcept nogil:
    """Append a character as UTF-8."""
    if code < 0x80:
        put_byte(text, <uint8_t> code)
    elif code < 0x800:
        put_byte(text, <uint8_t> (0xC0 | code >> 6))
        put_byte(text, <uint8_t> (0x80 | (code & 0x3F)))
    elif code < 0x10000:
        put_byte(text, <uint8_t> (0xE0 | code >> 12))
        put_byte(text, <uint8_t> (0x80 | (code >> 6 & 0x3F)))
        put_byte(text, <uint8_t> (0x80 | (code & 0x3F)))
    else:
        put_byte(text, <uint8_t> (0xF0 | code >> 18))
        put_byte(text, <uint8_t> (0x80 | (code >> 12 & 0x3F)))
        put_byte(text, <uint8_t> (0x80 | (code >> 6 & 0x3F)))
        put_byte(text, <uint8_t> (0x80 | (code & 0x3F)))


cdef uint32_t hexadecimal(Slice digits) noexcept nogil:
    """The code point that leading hexadecimal digits spell; 0 if it is not a character."""
    cdef uint32_t number = 0, i, digit
    for i in range(digits.length):
        if c"0" <= digits.data[i] <= c"9":
            digit = digits.data[i] - c"0"
        elif c"a" <= (digits.data[i] | 0x20) <= c"f":
            digit = (digits.data[i] | 0x20) - c"a" + 10
        else:
            break
        number = number << 4 | digit
        if number > 0x10FFFF:
            return 0
    return 0 if 0xD800 <= number < 0xE000 else number


cdef uint32_t plain_letter(uint32_t code, Variant* variant) noexcept nogil:
    """The plain letter or digit behind a mathematical letter, and its variant; other characters unchanged."""
    # Upright, bold, italic, … Latin letters from U+1D400 on, 52 each.
    cdef uint32_t style, letter
    if code == 0x210E:
        return c"h"
    if code in (0x2102, 0x210D, 0x2115, 0x2119, 0x211A, 0x211D, 0x2124):
        variant[0] = DOUBLE_STRUCK
        return (
            c"C" if code == 0x2102 else c"H" if code == 0x210D else c"N" if code == 0x2115 else c"P" if code == 0x2119
            else c"Q" if code == 0x211A else c"R" if code == 0x211D else c"Z"
        )
    if code in (0x212C, 0x2130, 0x2131, 0x210B, 0x2110, 0x2112, 0x2133, 0x211B, 0x212F, 0x210A, 0x2134):
        variant[0] = SCRIPT
        return (
            c"B" if code == 0x212C else c"E" if code == 0x2130 else c"F" if code == 0x2131 else c"H" if code == 0x210B
            else c"I" if code == 0x2110 else c"L" if code == 0x2112 else c"M" if code == 0x2133
            else c"R" if code == 0x211B
            else c"e" if code == 0x212F else c"g" if code == 0x210A else c"o"
        )
    if code in (0x212D, 0x210C, 0x2128):
        variant[0] = FRAKTUR
        return c"C" if code == 0x212D else c"H" if code == 0x210C else c"Z"
    if 0x1D400 <= code < 0x1D6A4:
        style, letter = (code - 0x1D400) // 52, (code - 0x1D400) % 52
        if style == 0:
            variant[0] = BOLD
        elif style == 2:
            variant[0] = BOLD_ITALIC
        elif style == 3 or style == 4:
            variant[0] = SCRIPT
        elif style == 5 or style == 7:
            variant[0] = FRAKTUR
        elif style == 6:
            variant[0] = DOUBLE_STRUCK
        elif 8 <= style <= 11:
            variant[0] = SANS
        elif style == 12:
            variant[0] = MONOSPACE
        return c"A" + letter if letter < 26 else c"a" + letter - 26
    if code == 0x1D6A4 or code == 0x1D6A5:
        return c"i" if code == 0x1D6A4 else c"j"
    if 0x1D6A8 <= code < 0x1D7CA:
        style, letter = (code - 0x1D6A8) // 58, (code - 0x1D6A8) % 58
        if style != 1:
            variant[0] = BOLD_ITALIC
        if letter < 25:
            return 0x391 + letter if letter != 17 else 0x398
        if letter == 25:
            return 0x2207
        if letter < 51:
            return 0x3B1 + letter - 26
        return (
            0x2202 if letter == 51 else 0x3F5 if letter == 52 else 0x3D1 if letter == 53 else 0x3F0 if letter == 54
            else 0x3D5 if letter == 55 else 0x3F1 if letter == 56 else 0x3D6
        )
    if 0x1D7CE <= code < 0x1D800:
        style, letter = (code - 0x1D7CE) // 10, (code - 0x1D7CE) % 10
        variant[0] = BOLD if style == 0 else DOUBLE_STRUCK if style == 1 else SANS if style < 4 else MONOSPACE
        return c"0" + letter
    return code


cdef void add_code(Token* token, uint32_t code) noexcept nogil:
    """Append a character to a token of up to MAX_TOKEN characters."""
    if token.length == MAX_TOKEN:
        token.cut = token.cut or code > 0x20
    elif code:
        token.codes[token.length] = code
        token.length += 1


cdef void read_token(const Tree* tree, uint32_t n, Token* token) noexcept nogil:
    """The characters of a token: its text, or the code points by which MathJax names them."""
    cdef uint32_t m = n + 1, code = 0
    cdef const Node* node
    cdef Slice value
    cdef const uint8_t* p
    token.length = 0
    token.cut = False
    token.variant = PLAIN
    while m < tree.nodes[n].end and not token.cut:
        node = tree.nodes + m
        if node.kind == KIND_TEXT:
            value = slice_at(tree, node.start, node.length)
            p = value.data
            while p < value.data + value.length and not token.cut:
                p += next_code(p, value.data + value.length, &code)
                add_code(token, code)
            m = node.end
            continue
        if node.kind == KIND_ELEMENT:
            if node.tag >= TAG_COUNT or node.tag == TAG_SPAN:
                value = attribute_of(tree, m, b"class", 5)
                if begins(value, b"mjx-c", 5) and value.length > 5 and value.data[5] != c"h":
                    value.data += 5
                    value.length -= 5
                    add_code(token, hexadecimal(value))
                    read_font(value, token)
                    m = node.end        # the pieces of a tall bracket
                    continue
            elif node.tag == TAG_USE or node.tag == TAG_PATH:
                add_code(token, hexadecimal(attribute_of(tree, m, b"data-c", 6)))
        m += 1


cdef void read_font(Slice value, Token* token) noexcept nogil:
    """The variant that a MathJax character's font shows, from the rest of its class."""
    cdef uint32_t i
    for i in range(value.length):
        if (
            value.data[i] == c"T" and begins(Slice(data=value.data + i, length=value.length - i), b"TEX-", 4)
            and i + 4 < value.length
        ):
            if value.data[i + 4] == c"C":
                token.variant = CALLIGRAPHIC
            elif value.data[i + 4] == c"A":
                token.variant = DOUBLE_STRUCK if token.codes[max(token.length, <uint32_t> 1) - 1] < 0x80 else PLAIN
            elif begins(Slice(data=value.data + i + 4, length=value.length - i - 4), b"FR", 2):
                token.variant = FRAKTUR
            return


cdef double leading_number(Slice text) noexcept nogil:
    """The number that a text begins with, as in "-0.25em"; 0 if there is none. The C library would read it by the
    decimal point of the process's locale.
    """
    cdef uint32_t i = 0
    cdef double value = 0, scale = 1    # both are whole, and exact for fifteen digits
    cdef bint negative = False, fraction = False
    while i < text.length and is_space(text.data[i]):
        i += 1
    if i < text.length and (text.data[i] == c"-" or text.data[i] == c"+"):
        negative = text.data[i] == c"-"
        i += 1
    while i < text.length and scale < 1e15 and value < 1e15:
        if c"0" <= text.data[i] <= c"9":
            value = 10 * value + (text.data[i] - c"0")
            scale *= 10 if fraction else 1
        elif text.data[i] == c"." and not fraction:
            fraction = True
        else:
            break
        i += 1
    return -value / scale if negative else value / scale


cdef void trim_token(Token* token) noexcept nogil:
    """Trim a token and drop its invisible characters."""
    cdef uint32_t i, to = 0, code
    cdef bint space = False
    for i in range(token.length):
        code = token.codes[i]
        if code <= c" ":
            space = to > 0
            continue
        if 0x200B <= code <= 0x200F or 0x2061 <= code <= 0x2064 or code == 0xFEFF or 0xFE00 <= code <= 0xFE0F:
            continue
        if space:
            token.codes[to] = c" "
            to += 1
            space = False
        token.codes[to] = code
        to += 1
    token.length = to


# --- TeX ---


cdef void put_word(TextBuffer* out, const char* word) noexcept nogil:
    """Append a command, given without its backslash."""
    put_byte(out, c"\\")
    put_string(out, word)


cdef bint after_command(const TextBuffer* out) noexcept nogil:
    """True if the text ends with a command name that a following letter would extend."""
    cdef size_t i = out.length, least = out.length - MAX_NAME - 3 if out.length > MAX_NAME + 3 else 0
    while i > least and c"a" <= (out.data[i - 1] | 0x20) <= c"z":
        i -= 1
    return i < out.length and i > 0 and out.data[i - 1] == c"\\"


cdef void put_letter(TextBuffer* out, uint32_t code) noexcept nogil:
    """Append a character that stands for itself."""
    if (code >= 0x80 or c"a" <= (code | 0x20) <= c"z") and after_command(out):
        put_byte(out, c" ")
    put_code(out, code)


cdef void put_character(TextBuffer* out, uint32_t code) noexcept nogil:
    """Append a character of a formula: as a command, escaped, or unchanged."""
    cdef const char* name
    if code < 0x80:
        if code == c"\\":
            put_word(out, b"backslash")
        elif (
            code == c"{" or code == c"}" or code == c"%" or code == c"#" or code == c"&" or code == c"_"
            or code == c"$"
        ):
            put_byte(out, c"\\")
            put_byte(out, <uint8_t> code)
        elif code == c"~":
            put_word(out, b"sim")
        elif code == c"^":
            put_word(out, b"wedge")
        else:
            put_letter(out, code)
        return
    if code == 0xA0:
        put_string(out, b"\\ ")
    elif code == 0x2212 or code == 0x2010 or code == 0x2011 or code == 0x2013:
        put_byte(out, c"-")
    elif code == 0x2217:
        put_byte(out, c"*")
    elif code == 0x2236:
        put_byte(out, c":")
    elif code == 0x2215 or code == 0x2044:
        put_byte(out, c"/")
    elif code == 0x2223:
        put_word(out, b"mid")
    elif code == 0x2032:
        put_byte(out, c"'")
    elif code == 0x2033:
        put_string(out, b"''")
    elif code == 0x2034:
        put_string(out, b"'''")
    elif code == 0x2016:
        put_string(out, b"\\|")
    elif code == 0xB0:
        put_string(out, b"{}^\\circ")
    else:
        name = symbol_of(code)
        if name != NULL:
            put_word(out, name)
        else:
            put_letter(out, code)


cdef const char* command_of(Variant variant) noexcept nogil:
    """The command for a letter variant; NULL if it needs none."""
    if variant == UPRIGHT:
        return b"mathrm"
    if variant == BOLD:
        return b"mathbf"
    if variant == DOUBLE_STRUCK:
        return b"mathbb"
    if variant == SCRIPT or variant == CALLIGRAPHIC:
        return b"mathcal"
    if variant == FRAKTUR:
        return b"mathfrak"
    if variant == SANS:
        return b"mathsf"
    if variant == MONOSPACE:
        return b"mathtt"
    if variant == BOLD_ITALIC:
        return b"boldsymbol"
    if variant == ITALIC:
        return b"mathit"
    return NULL


cdef Variant variant_of(const Tree* tree, uint32_t n) noexcept nogil:
    """The variant that an element's mathvariant asks for."""
    cdef Slice value = attribute_of(tree, n, b"mathvariant", 11)
    if value.length == 0:
        value = attribute_of(tree, n, b"data-mjx-variant", 16)
        if begins(value, b"-tex-calligraphic", 17):
            return CALLIGRAPHIC
        return PLAIN
    if named(value, b"normal", 6):
        return UPRIGHT
    if named(value, b"bold", 4):
        return BOLD
    if named(value, b"italic", 6):
        return ITALIC
    if named(value, b"bold-italic", 11):
        return BOLD_ITALIC
    if named(value, b"double-struck", 13):
        return DOUBLE_STRUCK
    if begins(value, b"script", 6) or begins(value, b"bold-script", 11):
        return SCRIPT
    if begins(value, b"fraktur", 7) or begins(value, b"bold-fraktur", 12):
        return FRAKTUR
    if begins(value, b"sans-serif", 10):
        return SANS
    return MONOSPACE if named(value, b"monospace", 9) else PLAIN


cdef bint is_function(const Token* token) noexcept nogil:
    """True for the name of a function or limit that TeX has a command for."""
    cdef uint8_t[8] name
    cdef Slice word
    cdef uint32_t i
    if not 2 <= token.length <= 7:
        return False
    for i in range(token.length):
        if not c"a" <= (token.codes[i] | 0x20) <= c"z":
            return False
        name[i] = <uint8_t> token.codes[i]
    if name[0] == c"P" and token.length == 2 and name[1] == c"r":
        return True
    word.data = name
    word.length = token.length
    for i in range(token.length):
        if name[i] < c"a":
            return False
    if token.length == 2:
        return named(word, b"ln", 2) or named(word, b"lg", 2)
    if token.length == 3:
        return (
            named(word, b"sin", 3) or named(word, b"cos", 3) or named(word, b"tan", 3) or named(word, b"log", 3)
            or named(word, b"lim", 3) or named(word, b"max", 3) or named(word, b"min", 3) or named(word, b"exp", 3)
            or named(word, b"det", 3) or named(word, b"dim", 3) or named(word, b"gcd", 3) or named(word, b"sup", 3)
            or named(word, b"inf", 3) or named(word, b"arg", 3) or named(word, b"cot", 3) or named(word, b"sec", 3)
            or named(word, b"csc", 3) or named(word, b"ker", 3) or named(word, b"deg", 3) or named(word, b"hom", 3)
        )
    if token.length == 4:
        return named(word, b"sinh", 4) or named(word, b"cosh", 4) or named(word, b"tanh", 4) or named(word, b"coth", 4)
    return named(word, b"arcsin", 6) or named(word, b"arccos", 6) or named(word, b"arctan", 6)


cdef void put_plain(TextBuffer* out, const Token* token) noexcept nogil:
    """Append the characters of a token as text, with special characters escaped. A text from which characters are
    missing fails, so that the formula stays as the page shows it.
    """
    cdef uint32_t i, code
    out.failed = out.failed or token.cut
    for i in range(token.length):
        code = token.codes[i]
        if code == c"\\":
            put_string(out, b"\\textbackslash ")
        elif code == c"^" or code == c"~":
            put_byte(out, c"\\")
            put_byte(out, <uint8_t> code)
            put_string(out, b"{}")
        elif (
            code == c"{" or code == c"}" or code == c"%" or code == c"#" or code == c"&" or code == c"_"
            or code == c"$"
        ):
            put_byte(out, c"\\")
            put_byte(out, <uint8_t> code)
        elif code == 0xA0 or code <= c" ":
            put_byte(out, c" ")
        else:
            put_code(out, code)


cdef void put_token(TextBuffer* out, Token* token, Variant variant, Kind kind) noexcept nogil:
    """Append an identifier, number or operator."""
    cdef const char* command
    cdef Variant own = PLAIN
    cdef uint32_t i
    cdef bint letters = True
    out.failed = out.failed or token.cut
    trim_token(token)
    if token.length == 0:
        return
    if is_function(token):
        put_byte(out, c"\\")
        for i in range(token.length):
            put_byte(out, <uint8_t> token.codes[i])
        return
    if token.variant != PLAIN:
        variant = token.variant
    for i in range(token.length):
        token.codes[i] = plain_letter(token.codes[i], &own)
        letters = (
            letters
            and (c"a" <= (token.codes[i] | 0x20) <= c"z" or c"0" <= token.codes[i] <= c"9" or token.codes[i] == c" ")
        )
    if own != PLAIN:
        variant = own
    if letters and token.length > 1 and kind != IS_NUMBER and (variant == PLAIN or variant == UPRIGHT):
        put_word(out, b"operatorname" if kind == IS_OPERATOR else b"mathrm")
        put_byte(out, c"{")
        put_plain(out, token)
        put_byte(out, c"}")
        return
    if variant == UPRIGHT and not (letters and token.length == 1 and kind == IS_IDENTIFIER and token.codes[0] > c"9"):
        variant = PLAIN
    if variant == ITALIC and token.length == 1:
        variant = PLAIN
    command = command_of(variant)
    if command != NULL:
        put_word(out, command)
        put_byte(out, c"{")
    for i in range(token.length):
        put_character(out, token.codes[i])
    if command != NULL:
        put_byte(out, c"}")
