# SPDX-License-Identifier: Apache-2.0
"""Formulas as TeX; see formulas.pxd."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t

from thresher.native.base.characters cimport begins_ascii, equals_ascii, is_space
from thresher.native.constructs.construct cimport (
    CONSTRUCT_DISPLAY, CONSTRUCT_FORMULA, FORMULAS_DROP, FORMULAS_TEXT, KIND_ELEMENT, KIND_TEXT, NS_HTML,
    Attribute, Construct, Node, Rewriting, Slice, become_element, become_text, charge, find_attribute,
    remove, slice_at,
)
from thresher.native.constructs.katex cimport convert_katex
from thresher.native.constructs.mathml cimport convert_math, is_prefixed_math
from thresher.native.constructs.tex cimport append_tex, inner, only_defines, trimmed, without_delimiters
from thresher.native.shown.decision cimport HOW_NO_SIZE, WHY_ATTRIBUTE, WHY_DISPLAY, WHY_FAINT, WHY_VISIBILITY
from thresher.native.base.scan cimport scan_byte
from thresher.native.parsing.tags cimport *
from thresher.native.base.text_buffer cimport TextBuffer, cut_text, put_byte, put_string, start_text


cdef enum:
    MAX_INSIDE = 1 << 14    # nodes of one formula that are visited
    MAX_PLAIN = 64          # nodes of an element that holds bare TeX
    MAX_BESIDE = 16         # nodes beside a formula that are inspected
    MAX_ABOVE = 8           # ancestors of a formula that are inspected


ctypedef struct Source:     # where the TeX of a formula was found
    Slice tex               # empty if there is none
    uint32_t math           # a math element without TeX; 0 if there is none
    uint32_t n_math         # number of math elements and scripts
    bint display


cdef bint is_block_level(uint32_t tag) noexcept nogil:
    return tag < TAG_COUNT and TAG_LAYOUT[tag] & LAYOUT_OWN_LINES != 0


# --- where a formula stands ---


cdef bint put_tex(Rewriting* page, Slice tex, bint display) noexcept nogil:
    """Write a formula as TeX between dollars to page.text; False if there is no TeX."""
    start_text(page.text)
    return append_tex(page.text, tex, display)


cdef Slice value_of(const Rewriting* page, const Attribute* attribute) noexcept nogil:
    """The value of an attribute; empty if there is none."""
    cdef Slice none
    if attribute == NULL:
        none.data = NULL
        none.length = 0
        return none
    return slice_at(page.tree, attribute.value_start, attribute.value_length)


cdef const Attribute* find_named(const Rewriting* page, uint32_t n, const char* name, uint32_t length) noexcept nogil:
    """An element's attribute, found by a name that has no number."""
    cdef const Node* node = page.tree.nodes + n
    cdef const Attribute* attribute
    cdef Slice found
    cdef uint32_t i
    for i in range(node.n_attributes):
        attribute = page.tree.attributes + node.attributes + i
        if attribute.name == ATTR_UNKNOWN and attribute.name_length == length:
            found = slice_at(page.tree, attribute.name_start, length)
            if equals_ascii(found.data, length, name, length):
                return attribute
    return NULL


cdef bint attribute_is(
    const Rewriting* page, uint32_t n, const char* name, uint32_t length, const char* value, uint32_t value_length
) noexcept nogil:
    """True if an element has a non-empty attribute whose name has no number."""
    cdef Slice found = value_of(page, find_named(page, n, name, length))
    return equals_ascii(found.data, found.length, value, value_length)


cdef bint contains(Slice text, const char* word, uint32_t length) noexcept nogil:
    """True if a text contains a lower-case word, ignoring ASCII case."""
    cdef uint32_t i
    if text.length < length:
        return False
    for i in range(text.length - length + 1):
        if begins_ascii(text.data + i, text.length - i, word, length):
            return True
    return False


cdef bint says_tex(Slice encoding) noexcept nogil:
    """True for the encoding of an annotation in TeX, such as "application/x-tex" and "LaTeX", not for "text/plain"."""
    cdef uint32_t i
    for i in range(2, encoding.length):
        if begins_ascii(encoding.data + i - 2, 3, b"tex", 3) and not (
            i + 1 < encoding.length and (encoding.data[i + 1] | 0x20) == c"t"
        ):
            return True
    return False


cdef bint is_concealed(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element that its own attributes hide from readers. aria-hidden does not hide: it stands on what is
    shown beside a copy for screen readers. Nor does clipping: a copy for screen readers can be the better source.
    """
    return page.shown[n].why in (WHY_FAINT, WHY_ATTRIBUTE, WHY_DISPLAY, WHY_VISIBILITY) or (
        page.shown[n].how & HOW_NO_SIZE != 0
    )


cdef void remove_concealed(Rewriting* page, uint32_t n) noexcept nogil:
    """Remove the hidden elements of a formula."""
    cdef uint32_t m = n + 1, end = min(page.tree.nodes[n].end, n + MAX_INSIDE)
    while m < end:
        if page.tree.nodes[m].kind == KIND_ELEMENT and is_concealed(page, m):
            remove(page, m)
            m = page.tree.nodes[m].end
        else:
            m += 1


cdef bint is_empty(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for a node that holds no readable text, judged by its first few nodes."""
    cdef const Node* node
    cdef uint32_t end = page.tree.nodes[n].end
    cdef Slice text
    if end - n > MAX_BESIDE:
        return False
    while n < end:
        node = page.tree.nodes + n
        if node.kind == KIND_TEXT:
            text = trimmed(slice_at(page.tree, node.start, node.length))
            if text.length:
                return False
        elif node.kind == KIND_ELEMENT and (
            node.tag == TAG_IMG or node.tag == TAG_INPUT or node.tag == TAG_SVG or node.tag == TAG_SCRIPT
            or node.tag >= TAG_COUNT
        ):
            return False
        n += 1
    return True


cdef bint is_alone(const Rewriting* page, uint32_t n) noexcept nogil:
    """True if a formula is all that a paragraph or similar element holds, so that it is a display formula."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t parent, child, looked = 0
    cdef int step
    for step in range(MAX_ABOVE):
        parent = nodes[n].parent
        if parent == 0 or nodes[parent].kind != KIND_ELEMENT or nodes[parent].namespace != NS_HTML:
            return False
        child = parent + 1
        while child < nodes[parent].end:
            if looked == MAX_BESIDE or (child != n and not is_empty(page, child)):
                return False
            looked += 1
            child = nodes[child].end
        if is_block_level(nodes[parent].tag):
            n = nodes[parent].parent
            return (
                TAG_LAYOUT[nodes[parent].tag] & LAYOUT_DISPLAY != 0
                and nodes[n].tag not in (TAG_TD, TAG_TH, TAG_LI, TAG_DT, TAG_CAPTION)
            )
        n = parent
    return False


cdef bint replace(Rewriting* page, uint32_t n, Slice tex, bint display) noexcept nogil:
    """Make TeX the text of an element, or remove the element if the TeX shows nothing; False if there is no TeX."""
    if only_defines(tex):
        remove(page, n)
        return True
    if not display and not is_block_level(page.tree.nodes[n].tag):
        display = is_alone(page, n)
    if not put_tex(page, tex, display):
        return False
    settle(page, n, display)
    return True


cdef void settle(Rewriting* page, uint32_t n, bint display) noexcept nogil:
    """Make `page.text` the text of an element. A block-level element stays around the text."""
    cdef Construct construct = CONSTRUCT_DISPLAY if display else CONSTRUCT_FORMULA
    cdef uint32_t end = page.tree.nodes[n].end, child
    if not is_block_level(page.tree.nodes[n].tag) or page.tree.nodes[n].namespace != NS_HTML or n + 1 == end:
        become_text(page, n, construct)
        return
    if page.tree.nodes[n].tag == TAG_TABLE or page.tree.nodes[n].tag == TAG_PRE:
        become_element(page, n, TAG_DIV)
    child = page.tree.nodes[n + 1].end
    become_text(page, n + 1, construct)
    while child < end:
        remove(page, child)
        child = page.tree.nodes[child].end


# --- where its TeX is found ---


cdef Slice annotation_of(const Rewriting* page, uint32_t math) noexcept nogil:
    """The TeX in a formula's annotation; empty if there is none."""
    cdef const Node* node
    cdef Slice name, value, none
    cdef uint32_t n, end = min(page.tree.nodes[math].end, math + MAX_INSIDE)
    none.data = NULL
    none.length = 0
    for n in range(math + 1, end):
        node = page.tree.nodes + n
        if node.kind != KIND_ELEMENT or node.tag < TAG_COUNT or n + 1 == node.end or (node + 1).kind != KIND_TEXT:
            continue
        name = slice_at(page.tree, node.start, node.length)
        if not equals_ascii(name.data, name.length, b"annotation", 10):
            continue
        value = value_of(page, find_attribute(page.tree, n, ATTR_ENCODING))
        if says_tex(value):
            return trimmed(slice_at(page.tree, (node + 1).start, (node + 1).length))
    return none


cdef bint is_tex_script(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for a script that holds TeX for MathJax."""
    cdef Slice value
    if page.tree.nodes[n].kind != KIND_ELEMENT or page.tree.nodes[n].tag != TAG_SCRIPT:
        return False
    value = value_of(page, find_attribute(page.tree, n, ATTR_TYPE))
    return (
        begins_ascii(value.data, value.length, b"math/tex", 8)
        or begins_ascii(value.data, value.length, b"math/latex", 10)
    )


cdef bint is_tex_attribute(Slice name) noexcept nogil:
    """True for attribute names in which pages keep TeX."""
    cdef uint8_t sixth
    if name.length < 8 or name.length > MAX_TEX_ATTRIBUTE:
        return False
    sixth = name.data[5]
    if (
        (sixth < c"k" or sixth > c"m") and sixth != c"t" and sixth != c"f" and sixth != c"e"
        or not begins(name, b"data-", 5)
    ):
        return False
    name = inner(name, 5, 0)
    return (
        equals_ascii(name.data, name.length, b"math", 4) or equals_ascii(name.data, name.length, b"tex", 3)
        or equals_ascii(name.data, name.length, b"latex", 5) or equals_ascii(name.data, name.length, b"katex", 5)
        or equals_ascii(name.data, name.length, b"formula", 7) or equals_ascii(name.data, name.length, b"equation", 8)
        or equals_ascii(name.data, name.length, b"entry", 5)
    )


cdef bint is_switch(Slice value) noexcept nogil:
    """True for attribute values that are options ("true", "block"), not formulas."""
    value = trimmed(value)
    return value.length == 0 or (
        equals_ascii(value.data, value.length, b"true", 4) or equals_ascii(value.data, value.length, b"false", 5)
        or equals_ascii(value.data, value.length, b"inline", 6) or equals_ascii(value.data, value.length, b"display", 7)
        or equals_ascii(value.data, value.length, b"block", 5) or equals_ascii(value.data, value.length, b"null", 4)
        or equals_ascii(value.data, value.length, b"undefined", 9)
    )


cdef bint is_like_tex(Slice text) noexcept nogil:
    """True if a text has a command, a script or a group of TeX."""
    cdef uint32_t i
    for i in range(text.length):
        if text.data[i] == c"^" or text.data[i] == c"_" or text.data[i] == c"{":
            return True
        if (
            text.data[i] == c"\\" and i + 1 < text.length
            and (c"a" <= (text.data[i + 1] | 0x20) <= c"z" or text.data[i + 1] == c"\\")
        ):
            return True
    return False


cdef Source find_source(const Rewriting* page, uint32_t n) noexcept nogil:
    """The TeX of the formula that an element represents."""
    cdef Source found
    cdef const Node* node
    cdef const Attribute* attribute
    cdef Slice tex, alt, name
    cdef uint32_t m = n, end = min(page.tree.nodes[n].end, n + MAX_INSIDE), i
    cdef int rank = 9, here     # of the source, in the order of formulas.pxd
    found.tex.data = NULL
    found.tex.length = found.math = found.n_math = 0
    found.display = False
    while m < end:
        node = page.tree.nodes + m
        m += 1
        if node.kind != KIND_ELEMENT:
            continue
        tex.length = 0
        here = 9
        if node.tag == TAG_MATH:
            found.n_math += 1
            found.display = found.display or attribute_is(page, m - 1, b"display", 7, b"block", 5)
            if not page.strict:
                tex = annotation_of(page, m - 1)
            here = 0
            if tex.length == 0 and not page.strict:
                tex = trimmed(value_of(page, find_named(page, m - 1, b"alttext", 7)))
                here = 1
            if tex.length == 0 and found.math == 0:
                found.math = m - 1
            m = node.end
        elif node.tag == TAG_SCRIPT:
            if is_tex_script(page, m - 1) and m < node.end:
                found.n_math += found.n_math == 0
                tex = trimmed(slice_at(page.tree, (node + 1).start, (node + 1).length))
                here = 2
                found.display = (
                    found.display
                    or contains(value_of(page, find_attribute(page.tree, m - 1, ATTR_TYPE)), b"display", 7)
                )
            m = node.end
        elif node.n_attributes:
            alt = value_of(page, find_attribute(page.tree, m - 1, ATTR_CLASS))
            if alt.length and not found.display:
                found.display = says_display(alt)
            if node.tag == TAG_IMG:
                tex = trimmed(value_of(page, find_attribute(page.tree, m - 1, ATTR_ALT)))
                here = 4
            else:
                if node.tag >= TAG_COUNT:
                    found.display = found.display or (
                        attribute_is(page, m - 1, b"display", 7, b"true", 4) or attribute_is(page, m - 1,
                        b"display", 7, b"block", 5)
                    )
                for i in range(node.n_attributes if not page.strict else 0):
                    attribute = page.tree.attributes + node.attributes + i
                    name = slice_at(page.tree, attribute.name_start, attribute.name_length)
                    if (
                        attribute.name == ATTR_UNKNOWN and is_tex_attribute(name)
                        and not is_switch(value_of(page, attribute))
                    ):
                        tex = trimmed(value_of(page, attribute))
                        here = 3
        if tex.length and here < rank:
            found.tex = tex
            rank = here
    return found


cdef bint says_display(Slice value) noexcept nogil:
    """True if an element's class marks a display formula."""
    return (
        begins(value, b"katex-display", 13) or begins(value, b"MathJax_Display", 15)
        or begins(value, b"MathJax_SVG_Display", 19) or begins(value, b"MJXc-display", 12)
        or begins(value, b"mwe-math-fallback-image-display", 31) or begins(value, b"mwe-math-mathml-display", 23)
        or begins(value, b"math-display", 12) or begins(value, b"math-block", 10) or begins(value, b"math display", 12)
    )


# --- elements ---


cdef bint reduce_to_math(Rewriting* page, uint32_t n) noexcept nogil:
    """Reduce a formula to its math element, for the option that keeps the page's own text. True if it has one."""
    cdef uint32_t m, end = page.tree.nodes[n].end, math = 0
    for m in range(n + 1, min(end, n + MAX_INSIDE)):
        if page.tree.nodes[m].kind == KIND_ELEMENT and page.tree.nodes[m].tag == TAG_MATH:
            math = m
            break
    if math == 0:
        return False
    m = n + 1
    while m < end:
        if m <= math < page.tree.nodes[m].end:
            m += 1      # the element around it, or the formula itself
            if m > math:
                m = page.tree.nodes[math].end
        else:
            remove(page, m)
            m = page.tree.nodes[m].end
    return True


cdef uint32_t shown_math(const Rewriting* page, uint32_t n) noexcept nogil:
    """The element in which MathJax renders a formula without MathML, or a math element with a prefix; 0 if there is none.
    """
    cdef const Node* node
    cdef uint32_t m, end = min(page.tree.nodes[n].end, n + MAX_BESIDE)
    cdef Slice name
    for m in range(n, end):
        node = page.tree.nodes + m
        if node.kind != KIND_ELEMENT:
            continue
        if node.tag >= TAG_COUNT:
            name = slice_at(page.tree, node.start, node.length)
            if equals_ascii(name.data, name.length, b"mjx-math", 8) or is_prefixed_math(name):
                return m
        elif node.tag == TAG_G and attribute_is(page, m, b"data-mml-node", 13, b"math", 4):
            return m
        elif node.tag == TAG_SPAN:
            name = value_of(page, find_attribute(page.tree, m, ATTR_CLASS))
            if begins(name, b"mjx-math", 8) and is_word_end(name, 8):
                return m
    return 0


cdef bint is_katex(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element that KaTeX makes for one formula: its container or the display around it."""
    cdef uint32_t m
    cdef Slice value
    for m in range(n + 1, min(page.tree.nodes[n].end, n + 4)):
        value = value_of(page, find_attribute(page.tree, m, ATTR_CLASS))
        if begins(value, b"katex-html", 10):
            return page.tree.nodes[m].end == page.tree.nodes[n].end
    return False


cdef bint can_search(Rewriting* page, uint32_t n) noexcept nogil:
    """True if the budget still covers the nodes of an element, all of which its conversion may visit; charges them."""
    return charge(page, page.tree.nodes[n].end - n)


cdef bint rewrite_container(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite an element that is one formula."""
    cdef Source found
    if not can_search(page, n):
        return False
    if page.strict:
        if is_concealed(page, n):
            return False
        remove_concealed(page, n)
    if page.formulas == FORMULAS_TEXT:
        return reduce_to_math(page, n)
    found = find_source(page, n)
    if found.n_math > 1:
        return False
    if found.math and page.strict:
        found.tex.length = 0        # the alternative text of an image beside the formula
    if found.tex.length == 0:
        if found.math == 0:
            found.math = shown_math(page, n)
        if not (convert_math(page, found.math) if found.math else is_katex(page, n) and convert_katex(page, n)):
            return False
        found.tex.data = page.spare.data
        found.tex.length = <uint32_t> page.spare.length
    if page.formulas == FORMULAS_DROP:
        remove(page, n)
        return True
    return replace(page, n, found.tex, found.display)


cdef bint rewrite_math(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite a math element."""
    return page.formulas != FORMULAS_TEXT and rewrite_container(page, n)


cdef bint rewrite_script(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite a script of type math/tex."""
    cdef Slice tex
    if not is_tex_script(page, n):
        return False
    tex.length = 0
    if n + 1 < page.tree.nodes[n].end:
        tex = trimmed(slice_at(page.tree, page.tree.nodes[n + 1].start, page.tree.nodes[n + 1].length))
    if is_switch(tex) or only_defines(tex) or page.formulas != 0:
        remove(page, n)
        return True
    return replace(page, n, tex, contains(value_of(page, find_attribute(page.tree, n, ATTR_TYPE)), b"display", 7))


cdef bint script_follows(const Rewriting* page, uint32_t n) noexcept nogil:
    """True if the script that an element was made from comes after it."""
    cdef uint32_t end = page.tree.nodes[page.tree.nodes[n].parent].end
    cdef Slice value
    cdef int step
    n = page.tree.nodes[n].end
    for step in range(MAX_BESIDE):
        if n >= end:
            return False
        if is_tex_script(page, n):
            return True
        if not is_empty(page, n):
            value = value_of(page, find_attribute(page.tree, n, ATTR_CLASS))
            if not begins(value, b"MathJax", 7):
                return False
        n = page.tree.nodes[n].end
    return False


cdef bint rewrite_class(Rewriting* page, uint32_t n, Slice value, FormulaClass kind) noexcept nogil:
    """Rewrite an element whose class marks it as a formula or as holding one."""
    if kind == CLASS_TWIN:
        if script_follows(page, n):
            remove(page, n)
            return True
        return rewrite_container(page, n)
    if kind == CLASS_CONTAINER:
        return rewrite_container(page, n)
    return rewrite_plain(page, n, value)


cdef bint rewrite_plain(Rewriting* page, uint32_t n, Slice value) noexcept nogil:
    """Rewrite an element whose class marks it as TeX, if it holds nothing else."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t m = n + 1, end = nodes[n].end, text = 0
    cdef bint display = False, delimited
    cdef Slice tex
    if page.formulas == FORMULAS_TEXT or end - n > MAX_PLAIN or (page.strict and is_concealed(page, n)):
        return False
    while m < end:
        if nodes[m].kind == KIND_TEXT:
            tex = trimmed(slice_at(page.tree, nodes[m].start, nodes[m].length))
            if tex.length:
                if text:
                    return False
                text = m
        elif (
            nodes[m].kind == KIND_ELEMENT
            and (nodes[m].namespace != NS_HTML or nodes[m].tag not in (TAG_SPAN, TAG_DIV, TAG_P))
        ):
            return False
        m += 1
    if text == 0:
        return False
    tex = trimmed(slice_at(page.tree, nodes[text].start, nodes[text].length))
    delimited = without_delimiters(&tex, &display)
    if not delimited and not is_bare_tex(tex, value):
        return False
    if page.formulas == FORMULAS_DROP:
        remove(page, n)
        return True
    if not delimited:
        display = (
            is_block_level(nodes[n].tag) and TAG_LAYOUT[nodes[n].tag] & LAYOUT_DISPLAY or says_display(value)
            or contains(value, b"display", 7)
        )
    return replace(page, n, tex, display)


cdef bint is_bare_tex(Slice tex, Slice value) noexcept nogil:
    """True if the text of an element with class math is a formula without delimiters, not a phrase about mathematics.
    """
    cdef uint32_t i
    for i in range(tex.length):
        if tex.data[i] == c"$":
            return False
        if (
            tex.data[i] == c"\\" and i + 1 < tex.length and (tex.data[i + 1] == c"(" or tex.data[i + 1] == c"[")
            and (i == 0 or tex.data[i - 1] != c"\\")
        ):
            return False        # prose with formulas in it
    if is_like_tex(tex):
        return True
    if not begins(value, b"math", 4) or not is_word_end(value, 4) or tex.length > 200:
        return False
    if tex.length <= 2:
        return True
    for i in range(tex.length):
        if tex.data[i] == c"=" or tex.data[i] == c"<" or tex.data[i] == c">" or tex.data[i] == c"+" or (
            tex.data[i] == 0xE2 and i + 1 < tex.length and (tex.data[i + 1] == 0x86 or tex.data[i + 1] == 0x88
            or tex.data[i + 1] == 0x89)
        ):
            return True         # a relation, an arrow
    return False


cdef bint rewrite_attribute(Rewriting* page, uint32_t n, Slice tex) noexcept nogil:
    """Rewrite an element that keeps its TeX in an attribute."""
    cdef Source found
    tex = trimmed(tex)
    if is_switch(tex) or page.formulas == FORMULAS_TEXT or page.strict or not can_search(page, n):
        return False
    found = find_source(page, n)
    if (
        found.n_math > 1
        or found.n_math == 0 and not is_like_tex(tex) and page.tree.nodes[n].end - n > 3
        and not begins(value_of(page, find_attribute(page.tree, n, ATTR_CLASS)), b"math", 4)
    ):
        return False
    if page.formulas == FORMULAS_DROP:
        remove(page, n)
        return True
    return replace(page, n, found.tex if found.tex.length else tex, found.display)


cdef bint rewrite_custom(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite a custom element of MathJax 3 or GitHub, or a math element with a prefix."""
    cdef Slice name = slice_at(page.tree, page.tree.nodes[n].start, page.tree.nodes[n].length)
    if is_prefixed_math(name):
        return page.formulas != FORMULAS_TEXT and rewrite_container(page, n)
    if name.length < 8 or name.data[0] != c"m":
        return False
    if begins(name, b"mjx-container", 13):
        return rewrite_container(page, n)
    if begins(name, b"math-renderer", 13):
        name.length = 4     # treat it as an element of class math
        return rewrite_plain(page, n, name)
    return False
