# SPDX-License-Identifier: Apache-2.0
"""Writes identifiers, numbers, operators and texts of formulas as TeX."""

from libc.stdlib cimport calloc

from thresher.native.base.word_table cimport WordTable, fill_words, first_value, kept, value_of_word
from thresher.native.parsing.entities cimport hexadecimal_digit, put_code

from thresher.native.constructs import tex_tables


cdef enum:
    MAX_COMMAND = 15        # letters of the longest command after which a letter needs a space
    MAX_FUNCTION = 7        # letters of the longest name of a function


# --- what is known of characters ---


ctypedef struct Alphabet:   # letters with styles: rows of the same letters, a variant for each row
    uint32_t first
    uint32_t length         # of a row
    uint32_t n_rows
    uint32_t[64] letters
    Variant[16] variants


cdef enum:
    N_ALPHABETS = 4


cdef Character* CHARACTERS          # by code point
cdef uint32_t N_CHARACTERS = 0
cdef Character UNKNOWN              # all 0
cdef Alphabet[N_ALPHABETS] ALPHABETS
cdef const char* COMMANDS[N_VARIANTS]    # of each variant
cdef WordTable VARIANT_NAMES        # values of mathvariant
cdef WordTable FUNCTIONS
cdef WordTable FONTS                # what MathJax adds to the class of a character

cdef Character* _row(places, character):
    return CHARACTERS + <uint32_t> places[character]


cdef int _fill_tables() except -1:
    """Fill the tables from tex_tables.py."""
    global CHARACTERS, N_CHARACTERS
    cdef Character* one
    cdef uint32_t i, k
    accents, below, brackets, variants = (
        [line.split() for line in table.strip().splitlines()]
        for table in (tex_tables.ACCENTS, tex_tables.ACCENTS_BELOW, tex_tables.BRACKETS, tex_tables.VARIANTS)
    )
    letters = tex_tables.LETTERS.split()
    numbers = {names[0]: number for number, names in enumerate(variants)}
    characters = {*tex_tables.SYMBOLS, *tex_tables.IN_TEXT, *tex_tables.TAKE_LIMITS, *letters[::3]}
    characters.update(*[row[0] for row in accents + below + brackets], *["".join(row[3:]) for row in brackets])
    places = {character: place for place, character in enumerate(sorted(characters))}

    CHARACTERS = <Character*> calloc(len(places), sizeof(Character))
    if CHARACTERS == NULL:
        raise MemoryError
    N_CHARACTERS = <uint32_t> len(places)
    for character in places:
        _row(places, character).code = <uint32_t> ord(character)
    for character, tex in tex_tables.SYMBOLS.items():
        _row(places, character).symbol = kept(tex)
    for character, tex in tex_tables.IN_TEXT.items():
        _row(places, character).in_text = kept(tex)
    for alike, *commands in accents:
        for character in alike:
            one = _row(places, character)
            one.accent = kept(commands[0])
            one.accent_stretched = kept(commands[min(1, len(commands) - 1)])
            one.accent_wide = kept(commands[len(commands) - 1])
            one.brace = commands[0].endswith("brace")
    for alike, command in below:
        for character in alike:
            one = _row(places, character)
            one.below = kept(command)
            one.brace = one.brace or command.endswith("brace")
    for character in tex_tables.TAKE_LIMITS:
        _row(places, character).limits = True
    for opening, closing, matrix, *pieces in brackets:
        one = _row(places, opening)
        one.closing = <uint32_t> ord(closing)
        one.matrix = kept(matrix)
        for character in "".join(pieces):
            _row(places, character).bracket = one.code
    for character, letter, variant in zip(letters[::3], letters[1::3], letters[2::3]):
        one = _row(places, character)
        one.letter = <uint32_t> ord(letter)
        one.variant = <Variant> <int> numbers[variant]

    if len(variants) != N_VARIANTS or len(tex_tables.ALPHABETS) != N_ALPHABETS:
        raise RuntimeError("tex_tables.py has rows that math_tokens.pyx has no room for")
    for i, (first, plain, styles) in enumerate(tex_tables.ALPHABETS):
        ALPHABETS[i].first = <uint32_t> ord(first)
        ALPHABETS[i].length = <uint32_t> len(plain)
        ALPHABETS[i].n_rows = <uint32_t> len(styles.split())
        for k, letter in enumerate(plain):
            ALPHABETS[i].letters[k] = <uint32_t> ord(letter)
        for k, style in enumerate(styles.split()):
            ALPHABETS[i].variants[k] = <Variant> <int> numbers[style]
    for i, names in enumerate(variants):
        COMMANDS[i] = kept(names[1] if len(names) > 1 else None)
    fill_words(&VARIANT_NAMES, {number: names[2:] for number, names in enumerate(variants)})
    fill_words(&FUNCTIONS, {1: tex_tables.FUNCTIONS}, exact=True)
    fill_words(&FONTS, {CALLIGRAPHIC: "TEX-C*", DOUBLE_STRUCK: "TEX-A*", FRAKTUR: "TEX-FR*"}, exact=True)
    return 0


_fill_tables()


cdef const Character* known(uint32_t code) noexcept nogil:
    """What is known of a character; a row of nothing for most."""
    cdef uint32_t low = 0, high = N_CHARACTERS, middle
    while low < high:
        middle = (low + high) // 2
        if CHARACTERS[middle].code < code:
            low = middle + 1
        else:
            high = middle
    return CHARACTERS + low if low < N_CHARACTERS and CHARACTERS[low].code == code else &UNKNOWN


cdef uint32_t plain_letter(uint32_t code, Variant* variant) noexcept nogil:
    """The plain letter or digit behind a mathematical letter, and its variant; other characters unchanged."""
    cdef const Character* character
    cdef const Alphabet* alphabet
    cdef uint32_t i, at
    if code < 0x2100:
        return code
    character = known(code)
    if character.letter:
        if character.variant != PLAIN:
            variant[0] = character.variant
        return character.letter
    for i in range(N_ALPHABETS):
        alphabet = &ALPHABETS[i]
        at = code - alphabet.first
        if code >= alphabet.first and at < alphabet.length * alphabet.n_rows:
            if alphabet.variants[at // alphabet.length] != PLAIN:
                variant[0] = alphabet.variants[at // alphabet.length]
            return alphabet.letters[at % alphabet.length]
    return code


# --- reading ---


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


cdef uint32_t hexadecimal(Slice digits) noexcept nogil:
    """The code point that leading hexadecimal digits spell; 0 if it is not a character."""
    cdef uint32_t number = 0
    while digits.length and hexadecimal_digit(digits.data[0]) < 16:
        number = number << 4 | hexadecimal_digit(digits.data[0])
        digits = slice_from(digits, 1)
        if number > 0x10FFFF:
            return 0
    return 0 if 0xD800 <= number < 0xE000 else number


cdef uint32_t first_code(Slice text) noexcept nogil:
    """The first character of a text; 0 if it is empty."""
    cdef uint32_t code = 0
    if text.length:
        next_code(text.data, text.data + text.length, &code)
    return code


cdef void start_token(Token* token) noexcept nogil:
    """Make a token empty."""
    token.length = 0
    token.cut = False
    token.variant = PLAIN


cdef void add_code(Token* token, uint32_t code) noexcept nogil:
    """Append a character to a token of up to MAX_TOKEN characters."""
    if token.length == MAX_TOKEN:
        token.cut = token.cut or code > 0x20
    elif code:
        token.codes[token.length] = code
        token.length += 1


cdef void add_text(Token* token, Slice text) noexcept nogil:
    """Append a text to a token."""
    cdef const uint8_t* p = text.data
    cdef uint32_t code = 0
    while p < text.data + text.length and not token.cut:
        p += next_code(p, text.data + text.length, &code)
        add_code(token, code)


cdef void read_token(const Tree* tree, uint32_t n, Token* token) noexcept nogil:
    """The characters of a token: its text, or the code points by which MathJax names them."""
    cdef uint32_t m = n + 1
    cdef const Node* node
    cdef Slice value, rest
    start_token(token)
    while m < tree.nodes[n].end and not token.cut:
        node = tree.nodes + m
        if node.kind == KIND_TEXT:
            add_text(token, text_of(tree, m))
        elif node.kind == KIND_ELEMENT and (node.tag >= TAG_COUNT or node.tag == TAG_SPAN):
            value = class_of(tree, m)
            rest = value
            if take_exact(&rest, b"mjx-c") and rest.length and rest.data[0] != c"h":
                add_code(token, hexadecimal(rest))
                read_font(value, token)
                m = node.end        # the pieces of a tall bracket
                continue
        elif node.kind == KIND_ELEMENT and (node.tag == TAG_USE or node.tag == TAG_PATH):
            add_code(token, hexadecimal(attribute_of(tree, m, b"data-c")))
        m += 1


cdef void read_font(Slice value, Token* token) noexcept nogil:
    """Set the variant that a MathJax character's font shows, from its class. The font of double-struck letters has
    symbols too.
    """
    cdef uint32_t font = first_value(&FONTS, value.data, value.length)
    if font:
        token.variant = <Variant> font
    if font == DOUBLE_STRUCK and token.length and token.codes[token.length - 1] >= 0x80:
        token.variant = PLAIN


cdef double leading_number(Slice text) noexcept nogil:
    """The number that a text begins with, as in "-0.25em"; 0 if there is none. The C library would read it by the
    decimal point of the process's locale.
    """
    cdef double value = 0, scale = 1    # both are whole, and exact for fifteen digits
    cdef bint negative = False, fraction = False
    text = without_leading_space(text)
    if text.length and (text.data[0] == c"-" or text.data[0] == c"+"):
        negative = text.data[0] == c"-"
        text = slice_from(text, 1)
    while text.length and scale < 1e15 and value < 1e15:
        if is_ascii_digit(text.data[0]):
            value = 10 * value + (text.data[0] - c"0")
            scale *= 10 if fraction else 1
        elif text.data[0] == c"." and not fraction:
            fraction = True
        else:
            break
        text = slice_from(text, 1)
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
    cdef size_t i = out.length, least = out.length - MAX_COMMAND - 3 if out.length > MAX_COMMAND + 3 else 0
    while i > least and is_ascii_letter(out.data[i - 1]):
        i -= 1
    return i < out.length and i > 0 and out.data[i - 1] == c"\\"


cdef void put_letter(TextBuffer* out, uint32_t code) noexcept nogil:
    """Append a character that stands for itself."""
    if (code >= 0x80 or is_ascii_letter(<uint8_t> code)) and after_command(out):
        put_byte(out, c" ")
    put_code(out, code)


cdef void put_character(TextBuffer* out, uint32_t code) noexcept nogil:
    """Append a character of a formula: as a command, escaped, or unchanged."""
    cdef const char* symbol = NULL
    if code >= 0x80 or not is_ascii_letter_or_digit(<uint8_t> code):
        symbol = known(code).symbol
    if symbol != NULL:
        put_string(out, symbol)
    else:
        put_letter(out, code)


cdef Variant variant_of(const Tree* tree, uint32_t n) noexcept nogil:
    """The variant that an element's mathvariant asks for."""
    cdef Slice value = attribute_of(tree, n, b"mathvariant")
    if value.length == 0:
        value = attribute_of(tree, n, b"data-mjx-variant")
    return <Variant> value_of_word(&VARIANT_NAMES, value.data, value.length)


cdef bint is_function(const Token* token) noexcept nogil:
    """True for the name of a function or limit that TeX has a command for."""
    cdef uint8_t[MAX_FUNCTION] name
    cdef uint32_t i
    if not 2 <= token.length <= MAX_FUNCTION:
        return False
    for i in range(token.length):
        if token.codes[i] >= 0x80:
            return False
        name[i] = <uint8_t> token.codes[i]
    return value_of_word(&FUNCTIONS, name, token.length) != 0


cdef void put_plain(TextBuffer* out, const Token* token) noexcept nogil:
    """Append the characters of a token as text, with special characters escaped. A text from which characters are
    missing fails, so that the formula stays as the page shows it.
    """
    cdef const char* escaped
    cdef uint32_t i, code
    out.failed = out.failed or token.cut
    for i in range(token.length):
        code = token.codes[i]
        escaped = known(code).in_text
        if escaped != NULL:
            put_string(out, escaped)
        else:
            put_code(out, max(code, <uint32_t> c" "))


cdef void put_text_command(TextBuffer* out, const Token* token) noexcept nogil:
    """Append the characters of a token as text in a formula."""
    put_string(out, b"\\text{")
    put_plain(out, token)
    put_byte(out, c"}")


cdef void put_token(TextBuffer* out, Token* token, Variant variant, TokenKind kind) noexcept nogil:
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
        letters = letters and token.codes[i] < 0x80 and (
            is_ascii_letter_or_digit(<uint8_t> token.codes[i]) or token.codes[i] == c" "
        )
    if own != PLAIN:
        variant = own
    if letters and token.length > 1 and kind != TOKEN_NUMBER and (variant == PLAIN or variant == UPRIGHT):
        put_word(out, b"operatorname" if kind == TOKEN_OPERATOR else b"mathrm")
        put_byte(out, c"{")
        put_plain(out, token)
        put_byte(out, c"}")
        return
    if variant == UPRIGHT and not (
        letters and token.length == 1 and kind == TOKEN_IDENTIFIER and token.codes[0] > c"9"
    ):
        variant = PLAIN
    if variant == ITALIC and token.length == 1:
        variant = PLAIN
    command = COMMANDS[<int> variant]
    if command != NULL:
        put_word(out, command)
        put_byte(out, c"{")
    for i in range(token.length):
        put_character(out, token.codes[i])
    if command != NULL:
        put_byte(out, c"}")


# --- constructs of TeX ---


cdef void put_form(TexWriter* tex, const char* form, uint32_t first, uint32_t second) noexcept nogil:
    """Append TeX with elements in place of #1 and #2, as in a macro of TeX; 0 stands for a missing element."""
    cdef uint32_t n
    while form[0]:
        if form[0] == c"#":
            n = first if form[1] == c"1" else second
            if n:
                tex.put(tex, n)
            form += 2
        else:
            put_byte(tex.out, form[0])
            form += 1


cdef void put_short(TexWriter* tex, uint8_t mark, uint32_t n) noexcept nogil:
    """Append a subscript or superscript: without braces if it is one letter, digit or asterisk, nothing if it is empty.
    """
    cdef TextBuffer* out = tex.out
    cdef size_t start = out.length
    put_byte(out, mark)
    put_form(tex, b"{#1}", n, 0)
    if out.length == start + 3:
        cut_text(out, start)
    elif out.length == start + 4 and (
        is_ascii_letter_or_digit(out.data[start + 2]) or out.data[start + 2] == c"*"
    ):
        out.data[start + 1] = out.data[start + 2]
        cut_text(out, start + 2)


cdef void begin_environment(TextBuffer* out, const char* name) noexcept nogil:
    """Append the beginning of an environment."""
    put_string(out, b"\\begin{")
    put_string(out, name)
    put_byte(out, c"}")


cdef void end_environment(TextBuffer* out, const char* name) noexcept nogil:
    """Append the end of an environment."""
    put_string(out, b" \\end{")
    put_string(out, name)
    put_byte(out, c"}")
