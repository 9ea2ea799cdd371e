# SPDX-License-Identifier: Apache-2.0
"""Strips TeX of its delimiters and style, and writes it between dollars."""

from thresher.native.base.word_table cimport WordTable, fill_words, value_of_word


cdef enum:                  # commands by which TeX sets itself up
    DEFINES = 1             # a name, perhaps arguments, and a group
    DEFINES_PLAINLY = 2     # a name, its parameters and a group
    LOADS = 3               # a group


cdef WordTable DEFINITIONS
fill_words(&DEFINITIONS, {
    DEFINES: r"\newcommand \renewcommand \providecommand \DeclareMathOperator", DEFINES_PLAINLY: r"\def \gdef",
    LOADS: r"\require",
}, exact=True)


cdef Slice inner(Slice text, uint32_t size) noexcept nogil:
    """A text without `size` bytes at each end."""
    return Slice(data=text.data + size, length=text.length - 2 * size)


cdef bint without_delimiters(Slice* tex, bint* display) noexcept nogil:
    """Remove the delimiters from TeX that is a single formula. True for a display formula."""
    cdef const uint8_t* p = tex.data
    cdef uint32_t n = tex.length, i
    if n < 3:
        return False
    if p[0] == c"\\" and p[n - 2] == c"\\" and n >= 4 and (
        p[1] == c"(" and p[n - 1] == c")" or p[1] == c"[" and p[n - 1] == c"]"
    ):
        for i in range(2, n - 2):
            if p[i] == c"\\" and (p[i + 1] == p[1] or p[i + 1] == p[n - 1]) and i + 2 < n and p[i - 1] != c"\\":
                return False
        display[0] = p[1] == c"["
        tex[0] = trimmed(inner(tex[0], 2))
        return True
    if p[0] == c"$" and p[n - 1] == c"$" and p[n - 2] != c"\\":
        display[0] = n > 4 and p[1] == c"$" and p[n - 2] == c"$"
        i = 2 if display[0] else 1
        tex[0] = inner(tex[0], i)
        for i in range(tex.length):
            if tex.data[i] == c"$" and (i == 0 or tex.data[i - 1] != c"\\"):
                tex[0] = Slice(data=p, length=n)
                return False
        tex[0] = trimmed(tex[0])
        return True
    return False


cdef Slice without_style(Slice tex) noexcept nogil:
    """TeX without the `{\\displaystyle …}` that Wikipedia puts around every formula."""
    cdef Slice bare
    cdef uint32_t end
    if tex.length < 3 or tex.data[0] != c"{" or tex.data[tex.length - 1] != c"}":
        return tex
    bare = trimmed(inner(tex, 1))
    end = past_command(bare, 0)
    if not is_word(first_bytes(bare, end), b"\\displaystyle") or 0 < past_group(tex, 0) < tex.length:
        return tex      # the first brace closes before the end
    return trimmed(slice_from(bare, end))


cdef uint32_t past_space(Slice tex, uint32_t i) noexcept nogil:
    """The position after white space."""
    while i < tex.length and is_space(tex.data[i]):
        i += 1
    return i


cdef uint32_t past_command(Slice tex, uint32_t i) noexcept nogil:
    """The position after the command at `i`, such as \\vec or \\,; `i` if none is there."""
    cdef uint32_t start = i
    if i + 1 >= tex.length or tex.data[i] != c"\\":
        return i
    i += 1
    while i < tex.length and is_ascii_letter(tex.data[i]):
        i += 1
    return i if i > start + 1 else start + 2


cdef uint32_t past_group(Slice tex, uint32_t i) noexcept nogil:
    """The position after the group in braces at `i`; `i` if none is there, or if it does not end."""
    cdef uint32_t start = i, depth = 0
    if i >= tex.length or tex.data[i] != c"{":
        return start
    while i < tex.length:
        if tex.data[i] == c"\\":
            i += 1
        elif tex.data[i] == c"{":
            depth += 1
        elif tex.data[i] == c"}":
            depth -= 1
            if depth == 0:
                return i + 1
        i += 1
    return start


cdef uint32_t past_definition(Slice tex, uint32_t i) noexcept nogil:
    """The position after the definition of a command at `i`; `i` if none is there."""
    cdef uint32_t start = i, end = past_command(tex, i), before
    cdef uint32_t command = value_of_word(&DEFINITIONS, tex.data + start, end - start)
    if command == 0:
        return start
    if command == DEFINES:
        end += end < tex.length and tex.data[end] == c"*"
    before = i = past_space(tex, end)
    if command == DEFINES:
        i = past_group(tex, i)
    if command != LOADS and i == before:
        i = past_command(tex, i)
    if command != LOADS and i == before:
        return start
    if command == DEFINES:
        i = past_space(tex, i)
        while i < tex.length and tex.data[i] == c"[":
            while i < tex.length and tex.data[i] != c"]":
                i += 1
            i = past_space(tex, min(i + 1, tex.length))
    elif command == DEFINES_PLAINLY:
        while i < tex.length and (tex.data[i] == c"#" or is_ascii_digit(tex.data[i]) or is_space(tex.data[i])):
            i += 1
    before = i
    i = past_group(tex, i)
    return i if i > before else start


cdef bint only_defines(Slice tex) noexcept nogil:
    """True for TeX that defines commands and shows nothing."""
    cdef uint32_t i = past_space(tex, 0), before
    if i == tex.length:
        return False
    while i < tex.length:
        before = i
        i = past_definition(tex, i)
        if i == before:
            return False
        i = past_space(tex, i)
    return True


cdef bint begins_markup(uint8_t c) noexcept nogil:
    """True for a byte that could begin a list, heading or quotation at the beginning of a line."""
    return is_ascii_digit(c) or c in (
        c"-", c"+", c"=", c"#", c">", c"<", c"*", c"|", c"~", c"_", c"`", c":",
    )


cdef void append_body(TextBuffer* text, Slice tex, bint lines) noexcept nogil:
    """Append TeX without its comments. A run of white space becomes one space, or one line feed if `lines` is set and
    the run holds one.

    A "%" without a line end after it stays, with all that follows: it is more likely text, such as "20% of", than a
    comment. "<" before a letter gets a space after it, which TeX ignores, so that no tag can begin there.
    """
    cdef uint32_t i = 0, last_line = tex.length     # position of the last line feed; 0 if there is none
    cdef bint fresh = True, owed = False, line = False
    cdef uint8_t c
    while last_line > 0 and (last_line == tex.length or tex.data[last_line] != c"\n"):
        last_line -= 1
    while i < tex.length:
        c = tex.data[i]
        if c == c"%" and i < last_line:     # what a backslash escapes was written with it
            while tex.data[i] != c"\n":
                i += 1
            c = c"\n"
        if is_space(c):
            owed = True
            line = line or c == c"\n"
            i += 1
            continue
        if owed and not fresh:
            put_byte(text, c"\n" if line and lines and not begins_markup(c) else c" ")
        owed = line = fresh = False
        put_byte(text, c)
        i += 1
        if c == c"\\" and i < tex.length and not is_space(tex.data[i]):
            put_byte(text, tex.data[i])
            i += 1
        elif c == c"<" and i < tex.length and (is_ascii_letter(tex.data[i]) or tex.data[i] in (c"/", c"!", c"?")):
            owed = True


cdef bint append_tex(TextBuffer* text, Slice tex, bint display) noexcept nogil:
    """Append a formula as TeX between dollars; False if there is no TeX."""
    cdef size_t before = text.length, start
    cdef bint unused
    if tex.length > MAX_FORMULA:
        return False
    tex = trimmed(tex)
    without_delimiters(&tex, &unused)
    tex = without_style(tex)
    # No line break before what would begin a list or the like.
    put_string(text, b"$" if not display else b"$$\n" if tex.length and not begins_markup(tex.data[0]) else b"$$")
    start = text.length
    append_body(text, tex, display)
    if text.length == start or text.failed:
        cut_text(text, min(before, text.length))
        return False
    if ends_escape(text, start):
        put_byte(text, c" ")        # a backslash directly before the dollar would escape it
    put_string(text, b"\n$$" if display else b"$")
    return True


cdef bint ends_escape(const TextBuffer* text, size_t start) noexcept nogil:
    """True if the text from `start` on ends with an unescaped backslash."""
    cdef size_t i = text.length
    while i > start and text.data[i - 1] == c"\\":
        i -= 1
    return (text.length - i) % 2 == 1
