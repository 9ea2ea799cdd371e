# SPDX-License-Identifier: Apache-2.0
"""Finds TeX between delimiters in the text of a page, and writes it between dollars."""

from libc.string cimport memmove

from thresher.native.base.scan cimport scan_byte
from thresher.native.base.word_table cimport WordTable, fill_words, value_of_word
from thresher.native.constructs.prefixes cimport is_in_code
from thresher.native.constructs.tex cimport MAX_FORMULA, append_tex, only_defines

from thresher.native.constructs import construct_words


cdef enum:
    MAX_TEXTS = 64          # texts that are joined at most
    MAX_JOINED = 1 << 16    # bytes after which no further text is joined
    MAX_INLINE = 1000       # bytes between two dollars
    MAX_WEAK = 80           # bytes between backslashes that are a formula on weak evidence
    MAX_NAME = 16           # letters in the name of an environment
    MAX_SCRIPT = 512        # bytes of a script that configures MathJax


ctypedef struct Joined:     # adjacent texts that are searched as one
    Slice text
    uint32_t[MAX_TEXTS] nodes
    uint32_t[MAX_TEXTS + 1] starts  # where each begins in `text`; the last entry is the end
    uint32_t n_texts
    uint32_t end            # the node behind the last one


ctypedef struct Formula:
    uint32_t start          # its first byte, delimiters included
    uint32_t end            # one past its last byte
    Slice tex               # the text between the delimiters
    bint display
    bint ascii              # AsciiMath


cdef WordTable ENVIRONMENTS
cdef WordTable TEX_TAGS
fill_words(&ENVIRONMENTS, {1: construct_words.ENVIRONMENTS})
fill_words(&TEX_TAGS, {1: construct_words.TEX_TAGS})


# --- where to look ---


cdef bint names_maths(Slice text) noexcept nogil:
    """True if a text contains "mathjax" or "katex"."""
    cdef const uint8_t* p = text.data
    cdef const uint8_t* end = p + text.length
    while p < end:
        p = scan_byte(p, end, c"x")
        if p == end:
            break
        if (
            p - text.data >= 6 and begins_word(Slice(data=p - 6, length=7), b"mathjax")
            or p - text.data >= 4 and begins_word(Slice(data=p - 4, length=5), b"katex")
        ):
            return True
        p += 1
    return False


cdef void note_maths(Rewriting* page, uint32_t n) noexcept nogil:
    """Record whether a script or link element loads MathJax or KaTeX, and asks for AsciiMath."""
    cdef const Node* node = page.tree.nodes + n
    cdef const Attribute* attribute = find_attribute(page.tree, n, ATTR_SRC if node.tag == TAG_SCRIPT else ATTR_HREF)
    cdef Slice value = value_of(page.tree, attribute)
    if attribute == NULL and node.tag == TAG_SCRIPT and n + 1 < node.end:
        value = first_bytes(text_of(page.tree, n + 1), MAX_SCRIPT)
    if names_maths(value) and page.maths != MATHS_ASCII:
        page.maths = MATHS_ASCII if contains(value, b"-am_") or contains(value, b"asciimath") else MATHS_TEX


cdef bint loads_maths(Rewriting* page) noexcept nogil:
    """True if any script or style sheet of the page loads MathJax or KaTeX."""
    cdef uint32_t n
    if page.maths == MATHS_UNKNOWN:
        page.maths = MATHS_NOT
        for n in range(1, page.tree.n_nodes):
            if (
                page.tree.nodes[n].kind == KIND_ELEMENT
                and (page.tree.nodes[n].tag == TAG_SCRIPT or page.tree.nodes[n].tag == TAG_LINK)
            ):
                note_maths(page, n)
    return page.maths > MATHS_NOT


cdef bint is_joint(const Node* node) noexcept nogil:
    """True for a node that may separate two texts of one formula."""
    return (
        node.kind == KIND_COMMENT
        or node.kind == KIND_ELEMENT and (node.tag == TAG_BR or node.tag == TAG_WBR) and node.namespace == NS_HTML
    )


cdef void join_texts(Rewriting* page, uint32_t n, Joined* joined) noexcept nogil:
    """Join a text with those after it, as long as only <br>, <wbr> or comments separate them."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t end = nodes[nodes[n].parent].end, next_text = nodes[n].end
    cdef Slice text
    joined.text = text_of(page.tree, n)
    joined.nodes[0] = n
    joined.starts[0] = 0
    joined.starts[1] = joined.text.length
    joined.n_texts = 1
    joined.end = nodes[n].end
    if next_text >= end or not is_joint(nodes + next_text):
        return
    start_text(page.spare)
    put(page.spare, joined.text.data, joined.text.length)
    while next_text < end and joined.n_texts < MAX_TEXTS and page.spare.length < MAX_JOINED:
        if nodes[next_text].kind == KIND_TEXT and nodes[next_text].namespace == CONSTRUCT_NONE:
            text = text_of(page.tree, next_text)
            joined.nodes[joined.n_texts] = next_text
            joined.starts[joined.n_texts] = <uint32_t> page.spare.length
            put(page.spare, text.data, text.length)
            joined.n_texts += 1
            joined.end = nodes[next_text].end
        elif not is_joint(nodes + next_text):
            break
        elif nodes[next_text].tag == TAG_BR and nodes[next_text].kind == KIND_ELEMENT:
            put_byte(page.spare, c"\n")
        next_text = nodes[next_text].end
    if page.spare.failed:
        page.failed = True
        return
    joined.text = written(page.spare)
    joined.starts[joined.n_texts] = joined.text.length


# --- what is a formula ---


cdef bint is_in_path(const uint8_t* p, uint32_t i) noexcept nogil:
    r"""True if byte i, a backslash, follows a drive: "C:\Users" holds no command, "\pi" and "\frac" are commands."""
    return (
        i >= 2 and p[i - 1] == c":" and is_ascii_letter(p[i - 2]) and (i == 2 or not is_ascii_letter(p[i - 3]))
    )


cdef bint begins_subscript(const uint8_t* p, uint32_t n, uint32_t i) noexcept nogil:
    """True if byte i, an underscore, begins a subscript: in x_1, x_{ij} and }_k, but not in user_name."""
    if i == 0 or i + 1 >= n:
        return False
    return p[i + 1] == c"{" or (
        (i < 2 or not is_ascii_letter(p[i - 2]) or not is_ascii_letter(p[i - 1]))
        and (i + 2 >= n or not is_ascii_letter(p[i + 2]))
    )


cdef Belief belief_in(Slice tex) noexcept nogil:
    """How likely a text is TeX."""
    cdef const uint8_t* p = tex.data
    cdef uint32_t n = tex.length, i = 0, k, depth = 0, words = 0, most_words = 0, signs = 0, letters = 0
    cdef bint strong = False
    while i < n:
        if p[i] == c"\\":
            if i + 1 < n and is_ascii_letter(p[i + 1]):
                strong = strong or not is_in_path(p, i)
                i += 2
                while i < n and is_ascii_letter(p[i]):
                    i += 1
                words = 0
                continue
            strong = strong or (i + 1 < n and (p[i + 1] == c"{" or p[i + 1] == c"," or p[i + 1] == c"\\"))
            i += 2
            continue
        if p[i] == c"{":
            depth += 1
        elif p[i] == c"}":
            depth -= depth > 0
        elif p[i] == c"^" and i and i + 1 < n and not is_space(p[i + 1]):
            strong = True
        elif p[i] == c"_":
            strong = strong or begins_subscript(p, n, i)
        elif p[i] == c"=" or p[i] == c"+" or p[i] == c"<" or p[i] == c">" or is_ascii_digit(p[i]):
            signs += 1
        if is_ascii_letter(p[i]) and depth == 0:
            k = i
            while i < n and (is_ascii_letter(p[i]) or p[i] >= 0x80):
                i += 1
            letters += i - k
            words = words + 1 if i - k >= 3 else 0
            most_words = max(most_words, words)
            continue
        if not is_space(p[i]) and depth == 0:
            words = 0
        i += 1
    if most_words >= 3 or (most_words == 2 and not strong):
        return BELIEF_NONE
    if strong:
        return BELIEF_STRONG
    return BELIEF_WEAK if signs or 1 <= letters <= 2 else BELIEF_NONE


cdef bint is_between_dollars(Rewriting* page, Slice text, uint32_t start, uint32_t end) noexcept nogil:
    """True if [start, end) between two single dollars is a formula, not words between two amounts of money."""
    cdef const uint8_t* p = text.data
    cdef Slice tex = Slice(data=p + start, length=end - start)
    cdef Belief belief
    if start == end or is_space(p[start]) or is_space(p[end - 1]) or end - start > MAX_INLINE:
        return False
    if end + 1 < text.length and is_ascii_digit(p[end + 1]):
        return False
    if begins(tex, b"latex "):
        return True
    belief = belief_in(tex)
    if belief == BELIEF_STRONG:
        return start < 2 or not is_ascii_letter(p[start - 2]) or loads_maths(page)
    return belief == BELIEF_WEAK and (start < 2 or not is_ascii_letter(p[start - 2])) and loads_maths(page)


cdef uint32_t end_of_environment(Rewriting* page, Slice text, uint32_t start) noexcept nogil:
    """The end of the environment that begins at `start`; 0 if none does, it has no end or is not one for formulas."""
    cdef const uint8_t* limit = text.data + min(text.length, start + <uint32_t> MAX_FORMULA)
    cdef Slice rest = slice_from(text, start), name, bare
    if not take_exact(&rest, b"\\begin{"):
        return 0
    name = rest
    while rest.length and name.length - rest.length < MAX_NAME and (
        is_ascii_letter(rest.data[0]) or rest.data[0] == c"*"
    ):
        rest = slice_from(rest, 1)
    if not begins(rest, b"}"):
        return 0
    name.length = <uint32_t> (rest.data + 1 - name.data)     # with the brace
    bare = first_bytes(name, name.length - 1)
    bare.length -= ends(bare, b"*")
    if not value_of_word(&ENVIRONMENTS, bare.data, bare.length):
        return 0
    while True:
        rest.data = scan_byte(rest.data + 1, limit, c"\\")
        rest.length = <uint32_t> (limit - rest.data)
        if rest.length < name.length or not charge(page, 64):
            return 0
        bare = rest
        if take_exact(&bare, b"\\end{") and same_bytes(first_bytes(bare, name.length), name):
            return <uint32_t> (bare.data + name.length - text.data)


cdef uint32_t close_of(const uint8_t* p, uint32_t i, uint32_t end, uint8_t closing) noexcept nogil:
    """The position of the closing \\) or \\]; `end` if there is none before the next \\( or \\[."""
    cdef uint8_t opening = c"(" if closing == c")" else c"["
    while i + 1 < end:
        if p[i] != c"\\":
            i += 1
        elif p[i + 1] == closing:
            return i
        elif p[i + 1] == opening:
            break
        else:
            i += 2
    return end


cdef uint32_t tag_length(const uint8_t* p, uint32_t n) noexcept nogil:
    """The length of [tex], [itex], [latex], [math] or their closing tags at the beginning of a text; 0 if there is
    none.
    """
    cdef uint32_t first = 2 if n > 1 and p[1] == c"/" else 1, i = first
    if n < 5 or p[0] != c"[":
        return 0
    while i < n and is_ascii_letter(p[i]):
        i += 1
    return i + 1 if i < n and p[i] == c"]" and value_of_word(&TEX_TAGS, p + first, i - first) else 0


cdef bint has_tex_tag(Slice text) noexcept nogil:
    """True if a text has an opening tag of a formula, such as [tex]."""
    cdef const uint8_t* p = text.data
    cdef const uint8_t* end = p + text.length
    while True:
        p = scan_byte(p, end, c"[")
        if end - p < 5:
            return False
        if p[1] != c"/" and tag_length(p, <uint32_t> (end - p)):
            return True
        p += 1


cdef void set_formula(
    Formula* found, Slice text, uint32_t start, uint32_t before, uint32_t after, uint32_t end
) noexcept nogil:
    """Describe a formula in bytes [start, end) with its TeX in [before, after)."""
    found.start = start
    found.end = end
    found.tex = trimmed(Slice(data=text.data + before, length=after - before))
    found.display = found.ascii = False


cdef bint between_tags(Slice text, uint32_t start, Formula* found) noexcept nogil:
    """True if a formula between [tex] and [/tex] begins at `start`."""
    cdef const uint8_t* p = text.data
    cdef const uint8_t* limit = p + min(text.length, start + <uint32_t> MAX_FORMULA)
    cdef uint32_t opening = tag_length(p + start, text.length - start)
    cdef uint32_t length
    cdef const uint8_t* q
    if opening == 0 or p[start + 1] == c"/":
        return False
    q = p + start + opening
    while True:
        q = scan_byte(q, limit, c"[")
        length = tag_length(q, <uint32_t> (limit - q)) if q < limit else 0
        if q == limit or length and q[1] != c"/":
            return False        # the search ends at the next opening tag, so that it stays linear
        if length == opening + 1 and q[2] == p[start + 1]:
            break
        q += 1
    set_formula(found, text, start, start + opening, <uint32_t> (q - p), <uint32_t> (q - p) + length)
    return found.tex.length > 0


# Each of these reads a formula whose delimiter stands at byte i. It returns 0 and describes the formula, or returns the
# byte where the search goes on.


cdef uint32_t after_backslash(Rewriting* page, Slice text, uint32_t i, Formula* found) noexcept nogil:
    r"""Read `\(…\)`, `\[…\]` or `\begin{…}…\end{…}`."""
    cdef const uint8_t* p = text.data
    cdef uint32_t limit = min(text.length, i + <uint32_t> MAX_FORMULA), end
    cdef Belief belief
    if p[i + 1] == c"(" or p[i + 1] == c"[":
        end = close_of(p, i + 2, limit, c")" if p[i + 1] == c"(" else c"]")
        if end == limit:
            return i + 2
        set_formula(found, text, i, i + 2, end, end + 2)
        found.display = p[i + 1] == c"["
        belief = belief_in(found.tex)
        if found.tex.length and (
            belief == BELIEF_STRONG or belief == BELIEF_WEAK and found.tex.length <= MAX_WEAK or loads_maths(page)
        ):
            return 0
        return end + 2
    if p[i + 1] == c"b":
        end = end_of_environment(page, text, i)
        if end:
            set_formula(found, text, i, i, end, end)
            found.display = True
            return 0
    return i + 2


cdef uint32_t after_backtick(Slice text, uint32_t i, Formula* found) noexcept nogil:
    """Read AsciiMath. A dollar is no part of it: in Markdown one would pair with the dollars around it."""
    cdef const uint8_t* p = text.data
    cdef uint32_t end = i + 1
    while end < text.length and end < i + MAX_INLINE and p[end] != c"`" and p[end] != c"$":
        end += 1
    if end < text.length and p[end] == c"`":
        set_formula(found, text, i, i + 1, end, end + 1)
        found.ascii = True
        if found.tex.length:
            return 0
    return end


cdef uint32_t after_two_dollars(Rewriting* page, Slice text, uint32_t i, Formula* found) noexcept nogil:
    """Read `$$…$$`."""
    cdef const uint8_t* p = text.data
    cdef uint32_t limit = min(text.length, i + <uint32_t> MAX_FORMULA), end = i + 2
    cdef Belief belief
    while end + 1 < limit and not (p[end] == c"$" and p[end + 1] == c"$"):
        end += 2 if p[end] == c"\\" else 1
    if end + 1 >= limit:
        return i + 2
    set_formula(found, text, i, i + 2, end, end + 2)
    found.display = True
    belief = belief_in(found.tex)
    if found.tex.length and (belief == BELIEF_STRONG or belief == BELIEF_WEAK and loads_maths(page)):
        return 0
    return end


cdef uint32_t after_dollar(Rewriting* page, Slice text, uint32_t i, Formula* found) noexcept nogil:
    """Read `$…$`, or `$latex …$` of WordPress, within a paragraph."""
    cdef const uint8_t* p = text.data
    cdef uint32_t n = text.length, end = i + 1
    while (
        end < n and end < i + MAX_INLINE and p[end] != c"$"
        and not (p[end] == c"\n" and end + 1 < n and p[end + 1] == c"\n")
    ):
        end += 2 if p[end] == c"\\" else 1
    if end >= n or p[end] != c"$":
        return i + 1
    if not is_between_dollars(page, text, i + 1, end):
        return max(i + 1, end)
    set_formula(found, text, i, i + 1, end, end + 1)
    if take_exact(&found.tex, b"latex "):       # WordPress
        found.tex = trimmed(found.tex)
    return 0


cdef bint next_formula(Rewriting* page, Slice text, uint32_t i, Formula* found) noexcept nogil:
    """Find the first formula at byte i or later; False if there is none."""
    cdef uint8_t c
    while i + 2 < text.length:
        c = text.data[i]
        if c == c"\\":
            i = after_backslash(page, text, i, found)
        elif c == c"$" and text.data[i + 1] == c"$":
            i = after_two_dollars(page, text, i, found)
        elif c == c"$":
            i = after_dollar(page, text, i, found)
        elif c == c"`" and page.maths == MATHS_ASCII:
            i = after_backtick(text, i, found)
        else:
            i = 0 if c == c"[" and between_tags(text, i, found) else i + 1
        if i == 0:
            return True
    return False


# --- the text with its formulas ---


cdef void put_formula(Rewriting* page, Formula* formula) noexcept nogil:
    """Append a formula to the text, and to its parts."""
    cdef Part part
    if only_defines(formula.tex):
        return
    part.start = <uint32_t> page.text.length
    part.construct = CONSTRUCT_DISPLAY if formula.display else CONSTRUCT_FORMULA
    if formula.ascii:
        put_byte(page.text, c"`")
        put(page.text, formula.tex.data, formula.tex.length)
        put_byte(page.text, c"`")
    else:
        append_tex(page.text, formula.tex, formula.display)
    part.length = <uint32_t> page.text.length - part.start
    if part.length:
        put(page.parts, <const uint8_t*> &part, sizeof(Part))


cdef void settle_text(Rewriting* page, uint32_t n) noexcept nogil:
    """Make `page.text`, with its parts, the text of a node."""
    cdef uint32_t count = <uint32_t> (page.parts.length // sizeof(Part))
    cdef Part* only = <Part*> page.parts.data
    cdef Slice text = written(page.text)
    if page.parts.failed:
        page.failed = True
        return
    if count == 0:
        become_text(page, n, CONSTRUCT_NONE)
        return
    if (
        count == 1 and only.construct == CONSTRUCT_DISPLAY and trimmed(text).length == only.length
        or only.length == text.length
    ):
        # white space around a display formula is dropped
        THRESHER_CHECK(only.start + only.length <= page.text.length)
        memmove(page.text.data, page.text.data + only.start, only.length)
        page.text.length = only.length
        become_text(page, n, <Construct> only.construct)
        return
    become_text(page, n, CONSTRUCT_PARTS)
    if page.failed or reserve_side(page.arena, sizeof(uint32_t) + page.parts.length) < 0:
        page.failed = True
        page.tree.nodes[n].namespace = CONSTRUCT_NONE
        return
    append_side(page.arena, <const uint8_t*> &count, sizeof(uint32_t))
    append_side(page.arena, page.parts.data, <uint32_t> page.parts.length)
    take_side(page)


cdef uint32_t last_text_of(Rewriting* page, const Joined* joined, uint32_t i, uint32_t end) noexcept nogil:
    """The text in which a formula of text i ends, at byte `end`. What lies between the two nodes is removed."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n = nodes[joined.nodes[i]].end
    while i + 1 < joined.n_texts and joined.starts[i + 1] < end:
        i += 1
    while n < joined.nodes[i]:
        if nodes[n].kind != KIND_COMMENT:
            remove(page, n)
        n = nodes[n].end
    return i


cdef void write_texts(Rewriting* page, Joined* joined, Formula* formula) noexcept nogil:
    """Write the joined texts with their formulas, beginning with `formula`."""
    cdef Slice text = joined.text
    cdef Slice words = trimmed(text)
    cdef uint32_t first = <uint32_t> (words.data - text.data)   # where the words begin and end
    cdef uint32_t last = first + words.length
    cdef uint32_t i = 0, at = 0, end
    cdef bint more = True, changed
    while i < joined.n_texts:
        end = joined.starts[i + 1]
        changed = False
        start_text(page.text)
        start_text(page.parts)
        while more and formula.start < end and not page.failed:
            put(page.text, text.data + at, formula.start - at)
            if text.data[formula.start] == c"$" and first < formula.start and formula.end < last:
                formula.display = False     # in the middle of a sentence
            elif text.data[formula.start] == c"[":
                formula.display = first == formula.start and formula.end == last    # alone between its tags
            if page.formulas != FORMULAS_DROP:
                put_formula(page, formula)
            changed = True
            at = formula.end
            if at > end:
                settle_text(page, joined.nodes[i])
                i = last_text_of(page, joined, i, at)
                end = joined.starts[i + 1]
                start_text(page.text)
                start_text(page.parts)
            more = next_formula(page, text, at, formula)
        if at < end and changed:
            put(page.text, text.data + at, end - at)
        if changed and not page.failed:
            settle_text(page, joined.nodes[i])
        i += 1
        if i < joined.n_texts:
            at = joined.starts[i]


cdef uint32_t rewrite_text(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite the formulas in a text that contains a delimiter, and in the texts joined to it. Returns the node where
    the pass continues.
    """
    cdef Joined joined
    cdef Formula formula
    if page.formulas == FORMULAS_TEXT or is_in_code(page, n):
        return page.tree.nodes[n].end
    join_texts(page, n, &joined)
    if not page.failed and next_formula(page, joined.text, 0, &formula):
        write_texts(page, &joined, &formula)
    return joined.end
