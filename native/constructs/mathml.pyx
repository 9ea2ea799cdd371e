# SPDX-License-Identifier: Apache-2.0
"""Presentation MathML as TeX; see mathml.pxd.

The functions recurse to a depth of MAX_DEPTH; deeper elements are written as the text of their tokens. Each node is
visited a bounded number of times.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport strtod
from libc.string cimport memcpy, memset

from thresher.native.base.characters cimport equals_ascii, is_space
from thresher.native.constructs.construct cimport (
    KIND_ELEMENT, KIND_TEXT, Attribute, Node, Rewriting, Slice, Tree, begins, slice_at,
)
from thresher.native.parsing.tags cimport *
from thresher.native.base.text_buffer cimport TextBuffer, cut_text, put_byte, put_string, start_text


cdef enum:
    MAX_DEPTH = 100
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


# --- names ---


cdef inline bint named(Slice name, const char* word, uint32_t length) noexcept nogil:
    return equals_ascii(name.data, name.length, word, length)


cdef Kind kind_of_name(Slice name) noexcept nogil:
    """The meaning of an element name; unknown names are rows."""
    cdef uint8_t second
    if name.length < 2 or name.data[0] | 0x20 != c"m":
        if (
            named(name, b"num", 3) or named(name, b"den", 3) or named(name, b"script", 6) or named(name, b"base", 4)
            or named(name, b"over", 4) or named(name, b"under", 5) or named(name, b"root", 4)
        ):
            return IS_PART
        if (
            named(name, b"annotation", 10) or named(name, b"annotation-xml", 14) or named(name, b"none", 4)
            or named(name, b"surd", 4)
        ):
            return IS_NOTHING
        return IS_ROW
    second = name.data[1] | 0x20
    if name.length == 2:
        if second == c"i":
            return IS_IDENTIFIER
        if second == c"n":
            return IS_NUMBER
        if second == c"o":
            return IS_OPERATOR
        return IS_TEXT if second == c"s" else IS_ROW
    if second == c"s":
        if named(name, b"msub", 4):
            return IS_SUB
        if named(name, b"msup", 4):
            return IS_SUP
        if named(name, b"msubsup", 7):
            return IS_SUBSUP
        if named(name, b"msqrt", 5):
            return IS_SQUARE_ROOT
        return IS_SPACE if named(name, b"mspace", 6) else IS_ROW
    if second == c"t":
        if named(name, b"mtext", 5):
            return IS_TEXT
        if named(name, b"mtable", 6):
            return IS_TABLE
        if named(name, b"mtr", 3):
            return IS_TABLE_ROW
        return IS_CELL if named(name, b"mtd", 3) else IS_ROW
    if second == c"f":
        if named(name, b"mfrac", 5):
            return IS_FRACTION
        return IS_FENCED if named(name, b"mfenced", 7) else IS_ROW
    if second == c"u":
        if named(name, b"munder", 6):
            return IS_UNDER
        return IS_UNDEROVER if named(name, b"munderover", 10) else IS_ROW
    if named(name, b"mover", 5):
        return IS_OVER
    if named(name, b"mroot", 5):
        return IS_ROOT
    if named(name, b"mlabeledtr", 10):
        return IS_LABELED_ROW
    if named(name, b"menclose", 8):
        return IS_ENCLOSED
    if named(name, b"mphantom", 8):
        return IS_PHANTOM
    if named(name, b"mmultiscripts", 13):
        return IS_SCRIPTS
    return IS_PRESCRIPTS if named(name, b"mprescripts", 11) else IS_ROW


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


cdef Slice name_of(const Tree* tree, uint32_t n) noexcept nogil:
    """The MathML element that an element stands for: by its name, MathJax's name for it, or the SVG attribute that says
    so.
    """
    cdef const Node* node = tree.nodes + n
    cdef Slice name
    name.data = NULL
    name.length = 0
    if node.tag >= TAG_COUNT:
        name = slice_at(tree, node.start, node.length)
    elif node.tag == TAG_MI:
        name = Slice(data=<const uint8_t*> b"mi", length=2)
    elif node.tag == TAG_MO:
        name = Slice(data=<const uint8_t*> b"mo", length=2)
    elif node.tag == TAG_MN:
        name = Slice(data=<const uint8_t*> b"mn", length=2)
    elif node.tag == TAG_MROW or node.tag == TAG_MATH:
        return name
    elif node.tag == TAG_MS:
        name = Slice(data=<const uint8_t*> b"ms", length=2)
    elif node.tag == TAG_MTEXT:
        name = Slice(data=<const uint8_t*> b"mtext", length=5)
    elif node.tag == TAG_MSUP:
        name = Slice(data=<const uint8_t*> b"msup", length=4)
    elif node.tag == TAG_MSUB:
        name = Slice(data=<const uint8_t*> b"msub", length=4)
    elif node.tag == TAG_MFRAC:
        name = Slice(data=<const uint8_t*> b"mfrac", length=5)
    elif node.tag == TAG_ANNOTATION_XML:
        name = Slice(data=<const uint8_t*> b"annotation", length=10)
    elif node.tag == TAG_G:
        name = attribute_of(tree, n, b"data-mml-node", 13)
    elif node.tag == TAG_SPAN and node.n_attributes:
        name = attribute_of(tree, n, b"class", 5)       # MathJax 2
        if not begins(name, b"mjx-", 4):
            name.length = 0
            return name
        while name.length and not is_space(name.data[0]):
            name.data += 1
            name.length -= 1
        name = Slice(data=attribute_of(tree, n, b"class", 5).data, length=attribute_of(tree, n, b"class",
            5).length - name.length)
    if begins(name, b"mjx-", 4):
        name.data += 4
        name.length -= 4
    return name


cdef inline Kind kind_of(const Tree* tree, uint32_t n) noexcept nogil:
    """The meaning of a node; text between elements is ignored."""
    if tree.nodes[n].kind != KIND_ELEMENT:
        return IS_NOTHING
    return kind_of_name(name_of(tree, n))


cdef uint32_t child_at(const Tree* tree, uint32_t n, uint32_t i) noexcept nogil:
    """The i-th displayed child element; 0 if there are fewer. i is small."""
    cdef uint32_t child = n + 1
    while child < tree.nodes[n].end:
        if tree.nodes[child].kind == KIND_ELEMENT and kind_of(tree, child) != IS_NOTHING:
            if i == 0:
                return child
            i -= 1
        elif tree.nodes[child].kind == KIND_ELEMENT and named(name_of(tree, child), b"none", 4):
            if i == 0:
                return child
            i -= 1
        child = tree.nodes[child].end
    return 0


cdef uint32_t find_part(const Tree* tree, uint32_t n, const char* word, uint32_t length) noexcept nogil:
    """The named part of a MathJax element; 0 if there is none. Looks into boxes, but not into other parts."""
    cdef uint32_t m = n + 1
    cdef Kind kind
    cdef Slice name
    while m < tree.nodes[n].end:
        if tree.nodes[m].kind != KIND_ELEMENT:
            m = tree.nodes[m].end
            continue
        name = name_of(tree, m)
        if named(name, word, length):
            return m
        kind = kind_of_name(name)
        # munderover contains a munder around the base
        if kind == IS_ROW and not named(name, b"texatom", 7) and not named(name, b"mrow", 4) or kind == IS_UNDER:
            m += 1
        else:
            m = tree.nodes[m].end
    return 0


cdef bint is_mathjax(const Tree* tree, uint32_t n) noexcept nogil:
    """True for an element of MathJax's CommonHTML, which has its own names and order for parts."""
    cdef const Node* node = tree.nodes + n
    return node.tag >= TAG_COUNT and begins(slice_at(tree, node.start, node.length), b"mjx-", 4) or node.tag == TAG_SPAN


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
    """Append a character to a token, up to MAX_TOKEN characters."""
    if token.length < MAX_TOKEN and code:
        token.codes[token.length] = code
        token.length += 1


cdef void read_token(const Tree* tree, uint32_t n, Token* token) noexcept nogil:
    """The characters of a token: its text, or the code points by which MathJax names them."""
    cdef uint32_t m = n + 1, code = 0
    cdef const Node* node
    cdef Slice value
    cdef const uint8_t* p
    token.length = 0
    token.variant = PLAIN
    while m < tree.nodes[n].end and token.length < MAX_TOKEN:
        node = tree.nodes + m
        if node.kind == KIND_TEXT:
            value = slice_at(tree, node.start, node.length)
            p = value.data
            while p < value.data + value.length and token.length < MAX_TOKEN:
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
    """Append the characters of a token as text, with special characters escaped."""
    cdef uint32_t i, code
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


cdef uint32_t only_code(const Tree* tree, uint32_t n) noexcept nogil:
    """The single character of an operator, through rows of one element; 0 otherwise."""
    cdef Token token
    cdef Kind kind
    cdef int step
    for step in range(4):
        kind = kind_of(tree, n)
        if kind == IS_OPERATOR or kind == IS_IDENTIFIER or kind == IS_TEXT:
            if tree.nodes[n].end - n > 16:
                return 0
            read_token(tree, n, &token)
            trim_token(&token)
            return token.codes[0] if token.length == 1 else 0
        if (kind != IS_ROW and kind != IS_PART) or child_at(tree, n, 0) == 0 or child_at(tree, n, 1) != 0:
            return 0
        n = child_at(tree, n, 0)
    return 0


cdef uint32_t only_child(const Tree* tree, uint32_t n, Kind wanted) noexcept nogil:
    """The node itself if it is of a kind, else the only element in it, through rows, that is; 0 if there is none."""
    cdef int step
    for step in range(6):
        if kind_of(tree, n) == wanted:
            return n
        if kind_of(tree, n) != IS_ROW or child_at(tree, n, 1) != 0:
            return 0
        n = child_at(tree, n, 0)
        if n == 0:
            return 0
    return 0


cdef bint takes_limits(const Tree* tree, uint32_t n) noexcept nogil:
    """True for a sum, an integral or a limit, whose limits TeX writes as scripts."""
    cdef Token token
    cdef uint32_t code = only_code(tree, n)
    cdef int step
    if code:
        return (
            0x220F <= code <= 0x2211 or 0x222B <= code <= 0x2233 or 0x22C0 <= code <= 0x22C3 or 0x2A00 <= code <= 0x2A06
        )
    for step in range(4):
        if kind_of(tree, n) == IS_OPERATOR or kind_of(tree, n) == IS_IDENTIFIER:
            if tree.nodes[n].end - n > 32:
                return False
            read_token(tree, n, &token)
            trim_token(&token)
            return token.length > 1
        if kind_of(tree, n) != IS_ROW and kind_of(tree, n) != IS_PART:
            return False
        n = child_at(tree, n, 0)
        if n == 0:
            return False
    return False


cdef const char* accent_over(const Tree* tree, uint32_t n, bint wide) noexcept nogil:
    """The command for an accent above a letter; NULL if it is not an accent."""
    cdef uint32_t code = only_code(tree, n)
    cdef bint stretches = not named(attribute_of(tree, n, b"stretchy", 8), b"false", 5)
    if code == c"^" or code == 0x2C6 or code == 0x302:
        return b"widehat" if wide and stretches else b"hat"
    if code == c"~" or code == 0x2DC or code == 0x303 or code == 0x223C:
        return b"widetilde" if wide and stretches else b"tilde"
    if (
        code == 0xAF or code == 0x203E or code == 0x2015 or code == 0x305 or code == 0x304 or code == c"_"
        or code == 0x2013 or code == 0x2C9
    ):
        return b"overline" if stretches else b"bar"
    if code == 0x2192 or code == 0x20D7 or code == 0x21C0:
        return b"overrightarrow" if wide and stretches else b"vec"
    if code == 0x2190 or code == 0x20D6:
        return b"overleftarrow"
    if code == 0x2194:
        return b"overleftrightarrow"
    if code == 0x2D9 or code == 0x307:
        return b"dot"
    if code == 0xA8 or code == 0x308:
        return b"ddot"
    if code == 0x20DB:
        return b"dddot"
    if code == 0x2C7 or code == 0x30C:
        return b"check"
    if code == 0x2D8 or code == 0x306:
        return b"breve"
    if code == 0xB4 or code == 0x2CA or code == 0x301:
        return b"acute"
    if code == c"`" or code == 0x2CB or code == 0x300:
        return b"grave"
    if code == 0x2DA or code == 0x30A:
        return b"mathring"
    if code == 0x23DE or code == 0xFE37:
        return b"overbrace"
    return NULL


cdef const char* accent_under(const Tree* tree, uint32_t n) noexcept nogil:
    """The command for an accent below a letter; NULL if it is not an accent."""
    cdef uint32_t code = only_code(tree, n)
    if code == 0x23DF or code == 0xFE38:
        return b"underbrace"
    if code == c"_" or code == 0x332 or code == 0x2015 or code == 0x203E or code == 0xAF or code == 0x2013:
        return b"underline"
    if code == 0x2192:
        return b"underrightarrow"
    return NULL


cdef bint has_brace(const Tree* tree, uint32_t n) noexcept nogil:
    """True for an over- or underbrace, which takes its label as a script."""
    cdef uint32_t m = only_child(tree, n, IS_UNDER), code
    if m == 0:
        m = only_child(tree, n, IS_OVER)
    if m == 0 or child_at(tree, m, 1) == 0:
        return False
    code = only_code(tree, child_at(tree, m, 1))
    return code == 0x23DE or code == 0x23DF or code == 0xFE37 or code == 0xFE38


# --- elements ---


cdef void put_group(const Tree* tree, TextBuffer* out, uint32_t n, int depth) noexcept nogil:
    """Append an element in braces; n = 0 stands for a missing element."""
    put_byte(out, c"{")
    if n:
        put_node(tree, out, n, depth)
    put_byte(out, c"}")


cdef void put_script(const Tree* tree, TextBuffer* out, uint8_t mark, uint32_t n, int depth) noexcept nogil:
    """Append a subscript or superscript, without braces if it is one letter or digit."""
    cdef size_t start
    cdef uint32_t code
    if n == 0 or named(name_of(tree, n), b"none", 4):
        return
    code = only_code(tree, n)
    if mark == c"^" and (code == 0x2032 or code == c"'" or code == 0x2033 or code == 0x2034):
        put_character(out, code)
        return
    start = out.length
    put_byte(out, mark)
    put_group(tree, out, n, depth)
    shorten_script(out, start)


cdef void shorten_script(TextBuffer* out, size_t start) noexcept nogil:
    """Remove the braces from a script of one letter or digit, and remove an empty script altogether. It begins at
    `start`.
    """
    if out.length == start + 3:
        cut_text(out, start)
    elif out.length == start + 4 and (
        c"a" <= (out.data[start + 2] | 0x20) <= c"z" or c"0" <= out.data[start + 2] <= c"9"
        or out.data[start + 2] == c"*"
    ):
        out.data[start + 1] = out.data[start + 2]
        cut_text(out, start + 2)


cdef void put_base(const Tree* tree, TextBuffer* out, uint32_t n, int depth) noexcept nogil:
    """Append the base of scripts, in braces if it is more than one element."""
    cdef size_t start = out.length
    cdef bint group
    if n == 0:
        put_string(out, b"{}")
        return
    if kind_of(tree, n) == IS_ROW or kind_of(tree, n) == IS_PART:
        group = child_at(tree, n, 1) != 0 and not is_in_brackets(tree, n)
    else:
        group = kind_of(tree, n) in (IS_SUB, IS_SUP, IS_SUBSUP, IS_FRACTION, IS_OVER, IS_UNDER) and not (
            has_brace(tree, n) or is_accented(tree, n)
        )
    if group:
        put_group(tree, out, n, depth)
    else:
        put_node(tree, out, n, depth)
        if out.length == start:
            put_string(out, b"{}")


cdef bint is_in_brackets(const Tree* tree, uint32_t n) noexcept nogil:
    """True for a row between stretching brackets, which needs no braces as a base."""
    cdef uint32_t first = child_at(tree, n, 0), last = last_child(tree, n)
    return (
        first != 0 and last > first and named(attribute_of(tree, first, b"data-mjx-texclass", 17), b"open", 4)
        and named(attribute_of(tree, last, b"data-mjx-texclass", 17), b"close", 5)
    )


cdef bint is_accented(const Tree* tree, uint32_t n) noexcept nogil:
    """True for an accented letter, which needs no braces as a base."""
    return (
        kind_of(tree, n) == IS_OVER and child_at(tree, n, 1) != 0
        and accent_over(tree, child_at(tree, n, 1), False) != NULL
    )


cdef uint32_t part(const Tree* tree, uint32_t n, uint32_t i, const char* word, uint32_t length) noexcept nogil:
    """The i-th child of a MathML element, or the MathJax part of that name."""
    cdef uint32_t found = 0
    if is_mathjax(tree, n):
        found = find_part(tree, n, word, length)
    return found if found else child_at(tree, n, i)


cdef void put_scripted(const Tree* tree, TextBuffer* out, uint32_t n, Kind kind, int depth) noexcept nogil:
    """Append msub, msup, msubsup."""
    cdef uint32_t base = child_at(tree, n, 0), first = child_at(tree, n, 1), second = child_at(tree, n, 2)
    cdef uint32_t script
    if is_mathjax(tree, n):
        script = find_part(tree, n, b"script", 6)
        if script:
            base = find_part(tree, n, b"base", 4)
            if base == 0:
                base = child_at(tree, n, 0)
            first = second = 0
            if kind == IS_SUBSUP or kind == IS_UNDEROVER:
                second = child_at(tree, script, 0)      # MathJax lists the superscript first
                first = last_child(tree, script)
            else:
                first = script
        elif find_part(tree, n, b"sup", 3) or find_part(tree, n, b"sub", 3):    # MathJax 2
            base = find_part(tree, n, b"base", 4)
            first = find_part(tree, n, b"sub", 3)
            second = find_part(tree, n, b"sup", 3)
            kind = IS_SUBSUP
    put_base(tree, out, base, depth)
    if kind == IS_SUP or kind == IS_OVER:
        put_script(tree, out, c"^", first, depth)
        return
    put_script(tree, out, c"_", first, depth)
    if kind == IS_SUBSUP or kind == IS_UNDEROVER:
        put_script(tree, out, c"^", second, depth)


cdef uint32_t last_child(const Tree* tree, uint32_t n) noexcept nogil:
    """The last child that has a meaning; 0 if there is none."""
    cdef uint32_t child = n + 1, last = 0
    while child < tree.nodes[n].end:
        if tree.nodes[child].kind == KIND_ELEMENT and not named(name_of(tree, child), b"spacer", 6):
            last = child
        child = tree.nodes[child].end
    return last


cdef void put_stacked(const Tree* tree, TextBuffer* out, uint32_t n, Kind kind, int depth) noexcept nogil:
    """Append munder, mover or munderover: limits of a sum, an accent, or one thing above another."""
    cdef uint32_t base, under = 0, over = 0
    cdef const char* accent = NULL
    if is_mathjax(tree, n) and find_part(tree, n, b"script", 6):
        put_scripted(tree, out, n, kind, depth)     # limits in a line of text are scripts
        return
    base = part(tree, n, 0, b"base", 4)
    if kind == IS_UNDER or kind == IS_UNDEROVER:
        under = part(tree, n, 1, b"under", 5)
    if kind == IS_OVER:
        over = part(tree, n, 1, b"over", 4)
    elif kind == IS_UNDEROVER:
        over = part(tree, n, 2, b"over", 4)
    if base == 0:
        return
    if takes_limits(tree, base) or has_brace(tree, base):
        put_base(tree, out, base, depth)
        put_script(tree, out, c"_", under, depth)
        put_script(tree, out, c"^", over, depth)
        return
    if over:
        accent = accent_over(tree, over, only_code(tree, base) == 0)
        if accent == NULL:
            put_string(out, b"\\overset")
            put_group(tree, out, over, depth)
        else:
            put_word(out, accent)
        put_byte(out, c"{")
    if under:
        accent = accent_under(tree, under)
        if accent == NULL:
            put_string(out, b"\\underset")
            put_group(tree, out, under, depth)
        else:
            put_word(out, accent)
        put_byte(out, c"{")
    put_node(tree, out, base, depth)
    if under:
        put_byte(out, c"}")
    if over:
        put_byte(out, c"}")


cdef bint is_opening(uint32_t code) noexcept nogil:
    return (
        code == c"(" or code == c"[" or code == c"{" or code == c"|" or code == 0x2016 or code == 0x2223
        or code == 0x2225
    )


cdef uint32_t closing_of(uint32_t code) noexcept nogil:
    """The closing bracket for an opening one."""
    if code == c"(":
        return c")"
    if code == c"[":
        return c"]"
    return c"}" if code == c"{" else code


cdef const char* environment_of(uint32_t code) noexcept nogil:
    """The environment for a table between brackets."""
    if code == c"(":
        return b"pmatrix"
    if code == c"[":
        return b"bmatrix"
    if code == c"{":
        return b"Bmatrix"
    return b"vmatrix" if code == c"|" or code == 0x2223 else b"Vmatrix"


cdef uint32_t next_child(const Tree* tree, uint32_t child, uint32_t end) noexcept nogil:
    """The next displayed sibling before `end`; 0 if there is none."""
    cdef Slice name
    child = tree.nodes[child].end
    while child < end:
        if tree.nodes[child].kind == KIND_ELEMENT and kind_of(tree, child) != IS_NOTHING:
            name = name_of(tree, child)
            if not (kind_of_name(name) == IS_OPERATOR and is_blank_operator(tree, child)):
                return child
        child = tree.nodes[child].end
    return 0


cdef bint is_blank_operator(const Tree* tree, uint32_t n) noexcept nogil:
    """True for an empty operator, which some pages use for a bracket that is missing on purpose."""
    cdef Token token
    if tree.nodes[n].end - n > 4:
        return False
    read_token(tree, n, &token)
    trim_token(&token)
    return token.length == 0


cdef void put_children(const Tree* tree, TextBuffer* out, uint32_t n, int depth) noexcept nogil:
    """Append the children of a row. A table between brackets becomes a matrix, one after a brace becomes cases, and a
    fraction without a line between parentheses becomes a binomial coefficient.
    """
    cdef uint32_t child = n + 1, end = tree.nodes[n].end, code, next_one, table, after, fraction
    cdef Kind kind
    while child < end and out.length < MAX_OUTPUT:
        if tree.nodes[child].kind != KIND_ELEMENT:
            child = tree.nodes[child].end
            continue
        kind = kind_of(tree, child)
        if kind == IS_OPERATOR or kind == IS_ROW:
            code = only_code(tree, child)
            next_one = next_child(tree, child, end) if code and is_opening(code) else 0
            table = only_child(tree, next_one, IS_TABLE) if next_one else 0
            if table:
                after = next_child(tree, next_one, end)
                if after and only_code(tree, after) == closing_of(code):
                    put_table(tree, out, table, environment_of(code), depth)
                    child = tree.nodes[after].end
                    continue
                if code == c"{":
                    put_table(tree, out, table, b"cases", depth)
                    child = tree.nodes[next_one].end
                    continue
            fraction = only_child(tree, next_one, IS_FRACTION) if next_one and code == c"(" else 0
            if fraction and is_zero(attribute_of(tree, fraction, b"linethickness", 13)):
                after = next_child(tree, next_one, end)
                if after and only_code(tree, after) == c")":
                    put_word(out, b"binom")
                    put_group(tree, out, part(tree, fraction, 0, b"num", 3), depth)
                    put_group(tree, out, part(tree, fraction, 1, b"den", 3), depth)
                    child = tree.nodes[after].end
                    continue
        put_node(tree, out, child, depth)
        child = tree.nodes[child].end


cdef bint is_zero(Slice value) noexcept nogil:
    """True for a length of zero."""
    return value.length > 0 and value.data[0] == c"0" and (value.length == 1 or value.data[1] != c".")


cdef void put_row(const Tree* tree, TextBuffer* out, uint32_t n, int depth) noexcept nogil:
    """Append a row. Brackets at its two ends stretch if MathJax says so."""
    cdef uint32_t first = child_at(tree, n, 0), last = last_child(tree, n)
    if not is_in_brackets(tree, n) or only_child_between(tree, first, last, IS_TABLE):
        put_children(tree, out, n, depth)
        return
    put_fence(out, b"left", only_code(tree, first))
    put_between(tree, out, tree.nodes[first].end, last, depth)
    put_fence(out, b"right", only_code(tree, last))


cdef uint32_t only_child_between(const Tree* tree, uint32_t first, uint32_t last, Kind wanted) noexcept nogil:
    """The element of a kind directly after another one; 0 if there is none."""
    cdef uint32_t child = next_child(tree, first, last)
    return only_child(tree, child, wanted) if child else 0


cdef void put_between(const Tree* tree, TextBuffer* out, uint32_t child, uint32_t end, int depth) noexcept nogil:
    """Append the siblings from `child` on that begin before `end`."""
    while child < end and out.length < MAX_OUTPUT:
        if tree.nodes[child].kind == KIND_ELEMENT:
            put_node(tree, out, child, depth)
        child = tree.nodes[child].end


cdef void put_fence(TextBuffer* out, const char* side, uint32_t code) noexcept nogil:
    """Append a stretching bracket; a full stop if it is missing."""
    put_word(out, side)
    if code == 0:
        put_byte(out, c".")
    elif code == c"|" or code == 0x2223:
        put_byte(out, c"|")
    elif code == 0x2225 or code == 0x2016:
        put_string(out, b"\\|")
    else:
        put_character(out, code)


cdef void put_table(
    const Tree* tree, TextBuffer* out, uint32_t table, const char* environment, int depth
) noexcept nogil:
    """Append a table. A single cell is written as its content, an equation with a number as the equation and its tag.
    """
    cdef uint32_t row = table + 1, end = tree.nodes[table].end, cell, rows = 0, cells = 0, label = 0, in_row
    cdef Slice align = attribute_of(tree, table, b"columnalign", 11)
    cdef Kind kind
    # rows may stand in boxes of MathJax
    cdef uint32_t m = table + 1
    while m < end:
        kind = kind_of(tree, m)
        if kind == IS_TABLE_ROW or kind == IS_LABELED_ROW:
            rows += 1
            cell = m + 1
            in_row = 0
            while cell < tree.nodes[m].end:
                in_row += kind_of(tree, cell) == IS_CELL
                cell = tree.nodes[cell].end
            cells = max(cells, in_row - (kind == IS_LABELED_ROW))
            m = tree.nodes[m].end
        else:
            m += 1 if tree.nodes[m].kind == KIND_ELEMENT and kind == IS_ROW else tree.nodes[m].end - m
    if environment == NULL:
        environment = (
            b"aligned" if align.length
            and (align.data[0] == c"r" or contains_word(align, b"left", 4)) else b"matrix"
        )
        if rows == 1:
            environment = NULL
    if environment != NULL:
        put_string(out, b"\\begin{")
        put_string(out, environment)
        put_byte(out, c"}")
    rows = 0
    while row < end and out.length < MAX_OUTPUT:
        kind = kind_of(tree, row)
        if kind != IS_TABLE_ROW and kind != IS_LABELED_ROW:
            row = row + 1 if tree.nodes[row].kind == KIND_ELEMENT and kind == IS_ROW else tree.nodes[row].end
            continue
        if rows:
            put_string(out, b" \\\\ ")
        elif environment != NULL:
            put_byte(out, c" ")
        rows += 1
        cells = 0
        label = 0
        cell = row + 1
        while cell < tree.nodes[row].end:
            if kind_of(tree, cell) == IS_CELL:
                if kind == IS_LABELED_ROW and label == 0:
                    label = cell
                else:
                    if cells and environment != NULL:
                        put_string(out, b" & ")
                    put_children(tree, out, cell, depth)
                    cells += 1
            cell = tree.nodes[cell].end
        if label:
            put_tag(tree, out, label, depth)
        row = tree.nodes[row].end
    if environment != NULL:
        put_string(out, b" \\end{")
        put_string(out, environment)
        put_byte(out, c"}")


cdef void put_tag(const Tree* tree, TextBuffer* out, uint32_t label, int depth) noexcept nogil:
    """Append an equation number, without the parentheses that TeX adds itself."""
    cdef Token token
    cdef uint32_t i, to = 0
    read_token(tree, label, &token)
    trim_token(&token)
    for i in range(token.length):
        if token.codes[i] != c"(" and token.codes[i] != c")" and token.codes[i] != c" ":
            token.codes[to] = token.codes[i]
            to += 1
    token.length = to
    if to == 0:
        return
    put_string(out, b"\\tag{")
    if to == 1 and symbol_of(token.codes[0]) != NULL:
        put_byte(out, c"$")
        put_character(out, token.codes[0])
        put_byte(out, c"$")
    else:
        put_plain(out, &token)
    put_byte(out, c"}")


cdef bint contains_word(Slice text, const char* word, uint32_t length) noexcept nogil:
    """True if a text contains a word."""
    cdef uint32_t i
    for i in range(text.length - length + 1 if text.length >= length else 0):
        if begins(Slice(data=text.data + i, length=text.length - i), word, length):
            return True
    return False


cdef void put_space(const Tree* tree, TextBuffer* out, uint32_t n) noexcept nogil:
    """Append a space of the given width."""
    cdef Slice width = attribute_of(tree, n, b"width", 5)
    cdef char[16] digits
    cdef double ems
    if named(attribute_of(tree, n, b"linebreak", 9), b"newline", 7):
        put_string(out, b"\\\\ ")
        return
    if width.length == 0 or width.length >= 16:
        return
    memset(digits, 0, 16)
    memcpy(digits, width.data, width.length)
    ems = strtod(digits, NULL)
    if contains_word(width, b"mathspace", 9):
        ems = 0.3 if contains_word(width, b"thick", 5) else 0.16
    elif not contains_word(width, b"em", 2):
        return
    if ems <= -0.1:
        put_string(out, b"\\!")
    elif ems >= 1.9:
        put_string(out, b"\\qquad")
    elif ems >= 0.9:
        put_string(out, b"\\quad")
    elif ems >= 0.26:
        put_string(out, b"\\;")
    elif ems >= 0.2:
        put_string(out, b"\\:")
    elif ems >= 0.1:
        put_string(out, b"\\,")


cdef void put_fenced(const Tree* tree, TextBuffer* out, uint32_t n, int depth) noexcept nogil:
    """Append mfenced: its children between brackets, with separators."""
    cdef Slice opening = attribute_of(tree, n, b"open", 4), closing = attribute_of(tree, n, b"close", 5)
    cdef Slice separators = attribute_of(tree, n, b"separators", 10)
    cdef uint32_t child = n + 1, code = c"(", seen = 0
    cdef bint first = True
    if opening.length:
        next_code(opening.data, opening.data + opening.length, &code)
    elif opening.data != NULL:
        code = 0
    put_fence(out, b"left", code)
    while child < tree.nodes[n].end and out.length < MAX_OUTPUT:
        if tree.nodes[child].kind == KIND_ELEMENT:
            if not first:
                if separators.data == NULL:
                    put_byte(out, c",")
                elif separators.length:
                    put_character(out, separators.data[min(seen, separators.length - 1)])
                    seen += 1
            first = False
            put_node(tree, out, child, depth)
        child = tree.nodes[child].end
    code = c")"
    if closing.length:
        next_code(closing.data, closing.data + closing.length, &code)
    elif closing.data != NULL:
        code = 0
    put_fence(out, b"right", code)


cdef void put_enclosed(const Tree* tree, TextBuffer* out, uint32_t n, int depth) noexcept nogil:
    """Append menclose as the nearest command for its notation."""
    cdef Slice notation = attribute_of(tree, n, b"notation", 8)
    cdef const char* command = NULL
    if contains_word(notation, b"box", 3) or contains_word(notation, b"circle", 6):
        command = b"boxed"
    elif contains_word(notation, b"updiagonalstrike", 16):
        command = b"xcancel" if contains_word(notation, b"downdiagonalstrike", 18) else b"cancel"
    elif contains_word(notation, b"downdiagonalstrike", 18):
        command = b"bcancel"
    elif contains_word(notation, b"top", 3):
        command = b"overline"
    elif contains_word(notation, b"bottom", 6):
        command = b"underline"
    elif contains_word(notation, b"radical", 7):
        command = b"sqrt"
    if command == NULL:
        put_children(tree, out, n, depth)
        return
    put_word(out, command)
    put_byte(out, c"{")
    put_children(tree, out, n, depth)
    put_byte(out, c"}")


cdef void put_multiscripts(const Tree* tree, TextBuffer* out, uint32_t n, int depth) noexcept nogil:
    """Append mmultiscripts. Scripts before the base are attached to an empty group."""
    cdef uint32_t base = child_at(tree, n, 0), child, end = tree.nodes[n].end, before = 0, i = 0
    if base == 0:
        return
    child = tree.nodes[base].end
    while child < end:
        if tree.nodes[child].kind == KIND_ELEMENT and kind_of(tree, child) == IS_PRESCRIPTS:
            before = child
            break
        child = tree.nodes[child].end
    if before:
        put_string(out, b"{}")
        child = tree.nodes[before].end
        while child < end and out.length < MAX_OUTPUT:
            if tree.nodes[child].kind == KIND_ELEMENT:
                put_script(tree, out, c"^" if i % 2 else c"_", child, depth)
                i += 1
            child = tree.nodes[child].end
        end = before
    put_base(tree, out, base, depth)
    i = 0
    child = tree.nodes[base].end
    while child < end and out.length < MAX_OUTPUT:
        if tree.nodes[child].kind == KIND_ELEMENT:
            put_script(tree, out, c"^" if i % 2 else c"_", child, depth)
            i += 1
        child = tree.nodes[child].end


cdef void put_flat(const Tree* tree, TextBuffer* out, uint32_t n) noexcept nogil:
    """Append the tokens of an element that is nested too deeply, in sequence."""
    cdef uint32_t m = n
    cdef Token token
    cdef Kind kind
    while m < tree.nodes[n].end and out.length < MAX_OUTPUT:
        kind = kind_of(tree, m)
        if kind == IS_IDENTIFIER or kind == IS_NUMBER or kind == IS_OPERATOR or kind == IS_TEXT:
            read_token(tree, m, &token)
            put_token(out, &token, PLAIN, kind)
            m = tree.nodes[m].end
        else:
            m += 1


cdef void put_leaf(const Tree* tree, TextBuffer* out, uint32_t n, Kind kind) noexcept nogil:
    """Append an identifier, number, operator or text. Its kilobyte of characters is not on the stack while put_node
    recurses.
    """
    cdef Token token
    cdef size_t start
    read_token(tree, n, &token)
    if kind != IS_TEXT:
        put_token(out, &token, variant_of(tree, n), kind)
        return
    if token.length == 0:
        return
    put_string(out, b"\\text{")
    start = out.length
    put_plain(out, &token)
    if out.length == start + 1 and out.data[start] == c" ":
        cut_text(out, start - 6)
        put_string(out, b"\\ ")
    else:
        put_byte(out, c"}")


cdef void put_node(const Tree* tree, TextBuffer* out, uint32_t n, int depth) noexcept nogil:
    """Append an element. The only recursion of the core: MAX_DEPTH levels, which a stack of 128 KiB bears."""
    cdef Kind kind = kind_of(tree, n)
    if out.length >= MAX_OUTPUT:
        return
    if depth == MAX_DEPTH:
        put_flat(tree, out, n)
        return
    depth += 1
    if kind == IS_NOTHING or kind == IS_PRESCRIPTS:
        return
    if kind == IS_IDENTIFIER or kind == IS_NUMBER or kind == IS_OPERATOR or kind == IS_TEXT:
        put_leaf(tree, out, n, kind)
    elif kind == IS_SPACE:
        put_space(tree, out, n)
    elif kind == IS_FRACTION:
        if is_zero(attribute_of(tree, n, b"linethickness", 13)):
            put_string(out, b"\\genfrac{}{}{0pt}{}")
        else:
            put_word(out, b"frac")
        put_group(tree, out, part(tree, n, 0, b"num", 3), depth)
        put_group(tree, out, part(tree, n, 1, b"den", 3), depth)
    elif kind == IS_SQUARE_ROOT:
        put_string(out, b"\\sqrt{")
        put_children(tree, out, n, depth)
        put_byte(out, c"}")
    elif kind == IS_ROOT:
        put_string(out, b"\\sqrt[")
        if part(tree, n, 1, b"root", 4):
            put_node(tree, out, part(tree, n, 1, b"root", 4), depth)
        put_byte(out, c"]")
        put_group(tree, out, part(tree, n, 0, b"box", 3), depth)
    elif kind == IS_SUB or kind == IS_SUP or kind == IS_SUBSUP:
        put_scripted(tree, out, n, kind, depth)
    elif kind == IS_UNDER or kind == IS_OVER or kind == IS_UNDEROVER:
        put_stacked(tree, out, n, kind, depth)
    elif kind == IS_TABLE:
        put_table(tree, out, n, NULL, depth)
    elif kind == IS_FENCED:
        put_fenced(tree, out, n, depth)
    elif kind == IS_ENCLOSED:
        put_enclosed(tree, out, n, depth)
    elif kind == IS_PHANTOM:
        put_string(out, b"\\phantom{")
        put_children(tree, out, n, depth)
        put_byte(out, c"}")
    elif kind == IS_SCRIPTS:
        put_multiscripts(tree, out, n, depth)
    else:
        put_row(tree, out, n, depth)


cdef bint convert_math(Rewriting* page, uint32_t n) noexcept nogil:
    """Write the TeX of a MathML or MathJax element to the spare text; False if it displays nothing."""
    start_text(page.spare)
    put_node(page.tree, page.spare, n, 0)
    return page.spare.length > 0 and not page.spare.failed
