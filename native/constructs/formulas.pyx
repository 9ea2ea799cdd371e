# SPDX-License-Identifier: Apache-2.0
"""Finds the best source of each formula of a page, and puts its TeX in the place of what the page shows."""

from thresher.native.base.word_table cimport WordTable, fill_words, value_of_word
from thresher.native.constructs.katex cimport convert_katex
from thresher.native.constructs.mathml cimport convert_math, is_prefixed_math, name_in_math
from thresher.native.constructs.tex cimport append_tex, only_defines, without_delimiters
from thresher.native.shown.decision cimport HOW_NO_SIZE, WHY_ATTRIBUTE, WHY_DISPLAY, WHY_FAINT, WHY_VISIBILITY

from thresher.native.constructs import construct_words


cdef enum:
    MAX_NODES = 1 << 14    # nodes of one formula that are visited
    MAX_PLAIN = 64          # nodes of an element that holds bare TeX
    MAX_BESIDE = 16         # nodes beside a formula that are inspected
    MAX_TO_BLOCK = 8           # ancestors of a formula that are inspected


cdef enum Origin:           # of a formula's TeX, the best first (formulas.pxd)
    FROM_ANNOTATION = 0
    FROM_ALTTEXT = 1
    FROM_SCRIPT = 2
    FROM_ATTRIBUTE = 3
    FROM_IMAGE = 4
    FROM_NOTHING = 5


ctypedef struct Source:     # the TeX of a formula
    Slice tex               # empty if there is none
    Origin origin
    uint32_t math           # a math element without TeX; 0 if there is none
    uint32_t n_math         # number of math elements and scripts
    bint display


cdef WordTable CLASSES          # values are FormulaClass
cdef WordTable DISPLAY_CLASSES
cdef WordTable TEX_ATTRIBUTES   # after data-
cdef WordTable TEX_SWITCHES
cdef WordTable TEX_SCRIPTS

KINDS = {"part": CLASS_PART, "container": CLASS_CONTAINER, "twin": CLASS_TWIN, "math": CLASS_MATH}
fill_words(&CLASSES, {KINDS[key]: words for key, words in construct_words.FORMULA_CLASSES.items()}, exact=True)
fill_words(&DISPLAY_CLASSES, {1: construct_words.DISPLAY_CLASSES}, exact=True)
fill_words(&TEX_ATTRIBUTES, {1: construct_words.TEX_ATTRIBUTES})
fill_words(&TEX_SWITCHES, {1: construct_words.TEX_SWITCHES})
fill_words(&TEX_SCRIPTS, {1: construct_words.TEX_SCRIPTS})


cdef FormulaClass formula_class(Slice value) noexcept nogil:
    """What the first word of a class says about formulas."""
    cdef Slice word = first_word(value)
    cdef uint32_t found = value_of_word(&CLASSES, word.data, word.length)
    return CLASS_OTHER if found == CLASS_PART else <FormulaClass> found


cdef bint is_block_level(uint32_t tag) noexcept nogil:
    return tag < TAG_COUNT and TAG_LAYOUT[tag] & LAYOUT_OWN_LINES != 0


# --- where a formula stands ---


cdef bint says_tex(Slice encoding) noexcept nogil:
    """True for the encoding of an annotation in TeX, such as "application/x-tex" and "LaTeX", not for "text/plain"."""
    while encoding.length:
        if begins_word(encoding, b"tex") and not begins_word(encoding, b"text"):
            return True
        encoding = slice_from(encoding, 1)
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
    cdef uint32_t m = n + 1, end = min(page.tree.nodes[n].end, n + MAX_NODES)
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
    if end - n > MAX_BESIDE:
        return False
    while n < end:
        node = page.tree.nodes + n
        if node.kind == KIND_TEXT and (node.length > LONGEST_BLANK or trimmed(text_of(page.tree, n)).length):
            return False
        if node.kind == KIND_ELEMENT and (
            node.tag >= TAG_COUNT or node.tag in (TAG_IMG, TAG_INPUT, TAG_SVG, TAG_SCRIPT)
        ):
            return False
        n += 1
    return True


cdef bint is_alone(const Rewriting* page, uint32_t n) noexcept nogil:
    """True if a formula is all that a paragraph or similar element holds, so that it is a display formula."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t parent, child, looked = 0
    cdef int step
    for step in range(MAX_TO_BLOCK):
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
    """Make TeX the text of an element, or remove the element if the TeX shows nothing or formulas are dropped; False if
    there is no TeX.
    """
    if page.formulas == FORMULAS_DROP or only_defines(tex):
        remove(page, n)
        return True
    if not display and not is_block_level(page.tree.nodes[n].tag):
        display = is_alone(page, n)
    start_text(page.text)
    if not append_tex(page.text, tex, display):
        return False
    settle(page, n, display)
    return True


cdef void settle(Rewriting* page, uint32_t n, bint display) noexcept nogil:
    """Make `page.text` the text of an element. A block-level element stays around the text."""
    cdef Construct construct = CONSTRUCT_DISPLAY if display else CONSTRUCT_FORMULA
    cdef const Node* node = page.tree.nodes + n
    if not is_block_level(node.tag) or node.namespace != NS_HTML or n + 1 == node.end:
        become_text(page, n, construct)
        return
    if node.tag == TAG_TABLE or node.tag == TAG_PRE:
        become_element(page, n, TAG_DIV)
    become_only_text(page, n, construct)


# --- where its TeX is found ---


cdef Slice annotation_of(const Rewriting* page, uint32_t math) noexcept nogil:
    """The TeX in a formula's annotation; empty if there is none."""
    cdef const Node* node
    cdef uint32_t n, end = min(page.tree.nodes[math].end, math + MAX_NODES)
    for n in range(math + 1, end):
        node = page.tree.nodes + n
        if node.kind != KIND_ELEMENT or node.tag < TAG_COUNT or n + 1 == node.end or (node + 1).kind != KIND_TEXT:
            continue
        if is_word(text_of(page.tree, n), b"annotation") and says_tex(value_in(page.tree, n, ATTR_ENCODING)):
            return trimmed(text_of(page.tree, n + 1))
    return no_text()


cdef bint is_tex_script(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for a script that holds TeX for MathJax."""
    cdef Slice value = value_in(page.tree, n, ATTR_TYPE)
    return page.tree.nodes[n].tag == TAG_SCRIPT and value_of_word(&TEX_SCRIPTS, value.data, value.length) != 0


cdef bint is_display_script(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for a script that holds the TeX of a display formula."""
    return contains(value_in(page.tree, n, ATTR_TYPE), b"display")


cdef Slice tex_in_script(const Rewriting* page, uint32_t n) noexcept nogil:
    """The content of a script."""
    return trimmed(text_of(page.tree, n + 1)) if n + 1 < page.tree.nodes[n].end else no_text()


cdef bint is_tex_attribute(const Tree* tree, const Attribute* attribute) noexcept nogil:
    """True for attributes in which pages keep TeX."""
    cdef Slice name
    if attribute.name != ATTR_UNKNOWN or not MIN_TEX_ATTRIBUTE <= attribute.name_length <= MAX_TEX_ATTRIBUTE:
        return False
    name = name_of(tree, attribute)
    return take_exact(&name, b"data-") and value_of_word(&TEX_ATTRIBUTES, name.data, name.length) != 0


cdef bint is_switch(Slice value) noexcept nogil:
    """True for attribute values that are options ("true", "block"), not formulas."""
    value = trimmed(value)
    return value.length == 0 or value_of_word(&TEX_SWITCHES, value.data, value.length) != 0


cdef bint is_like_tex(Slice text) noexcept nogil:
    """True if a text has a command, a script or a group of TeX."""
    cdef uint32_t i
    for i in range(text.length):
        if text.data[i] in (c"^", c"_", c"{"):
            return True
        if text.data[i] == c"\\" and i + 1 < text.length and (
            is_ascii_letter(text.data[i + 1]) or text.data[i + 1] == c"\\"
        ):
            return True
    return False


cdef Slice tex_in_attributes(const Rewriting* page, uint32_t n) noexcept nogil:
    """The TeX in an attribute of an element; empty if there is none, and by strict rules."""
    cdef const Attribute* attribute = page.tree.attributes + page.tree.nodes[n].attributes
    cdef uint32_t i
    for i in range(page.tree.nodes[n].n_attributes if not page.strict else 0):
        if is_tex_attribute(page.tree, attribute + i) and not is_switch(value_of(page.tree, attribute + i)):
            return trimmed(value_of(page.tree, attribute + i))
    return no_text()


cdef void offer(Source* found, Slice tex, Origin origin) noexcept nogil:
    """Take TeX for that of the formula if it is of a better origin than what was found before."""
    if tex.length and origin < found.origin:
        found.tex = tex
        found.origin = origin


cdef void look_at_math(const Rewriting* page, uint32_t n, Source* found) noexcept nogil:
    """Find the TeX in a math element's annotation or alttext."""
    cdef Slice annotation = no_text(), alttext = no_text()
    found.n_math += 1
    found.display = found.display or is_word(attribute_of(page.tree, n, b"display"), b"block")
    if not page.strict:
        annotation = annotation_of(page, n)
        alttext = trimmed(attribute_of(page.tree, n, b"alttext"))
    offer(found, annotation, FROM_ANNOTATION)
    offer(found, alttext, FROM_ALTTEXT)
    if annotation.length == 0 and alttext.length == 0 and found.math == 0:
        found.math = n


cdef void look_at_script(const Rewriting* page, uint32_t n, Source* found) noexcept nogil:
    """Find the TeX in a script."""
    cdef Slice tex = tex_in_script(page, n)
    if is_tex_script(page, n) and tex.data != NULL:
        found.n_math += found.n_math == 0
        offer(found, tex, FROM_SCRIPT)
        found.display = found.display or is_display_script(page, n)


cdef void look_at_attributes(const Rewriting* page, uint32_t n, Source* found) noexcept nogil:
    """Find the TeX in the attributes of any other element, and what they say about the display."""
    cdef const Node* node = page.tree.nodes + n
    cdef Slice display
    found.display = found.display or says_display(class_of(page.tree, n))
    if node.tag == TAG_IMG:
        offer(found, trimmed(value_in(page.tree, n, ATTR_ALT)), FROM_IMAGE)
        return
    if node.tag >= TAG_COUNT and not found.display:
        display = attribute_of(page.tree, n, b"display")
        found.display = is_word(display, b"true") or is_word(display, b"block")
    offer(found, tex_in_attributes(page, n), FROM_ATTRIBUTE)


cdef Source find_source(const Rewriting* page, uint32_t n) noexcept nogil:
    """The TeX of the formula that an element represents."""
    cdef Source found = Source(tex=no_text(), origin=FROM_NOTHING, math=0, n_math=0, display=False)
    cdef const Node* node
    cdef uint32_t m = n, end = min(page.tree.nodes[n].end, n + MAX_NODES)
    while m < end:
        node = page.tree.nodes + m
        if node.kind == KIND_ELEMENT and node.tag == TAG_MATH:
            look_at_math(page, m, &found)
            m = node.end
        elif node.kind == KIND_ELEMENT and node.tag == TAG_SCRIPT:
            look_at_script(page, m, &found)
            m = node.end
        else:
            if node.kind == KIND_ELEMENT and node.n_attributes:
                look_at_attributes(page, m, &found)
            m += 1
    return found


cdef bint says_display(Slice value) noexcept nogil:
    """True if an element's class marks a display formula."""
    return value_of_word(&DISPLAY_CLASSES, value.data, value.length) != 0


# --- elements ---


cdef bint reduce_to_math(Rewriting* page, uint32_t n) noexcept nogil:
    """Reduce a formula to its math element, for the option that keeps the page's own text. True if it has one."""
    cdef uint32_t m = n + 1, end = page.tree.nodes[n].end, last = min(end, n + MAX_NODES), math = n + 1
    while math < last and not (page.tree.nodes[math].kind == KIND_ELEMENT and page.tree.nodes[math].tag == TAG_MATH):
        math += 1
    if math >= last:
        return False
    while m < end:
        if holds(page.tree, m, math) and m != math:
            m += 1      # the element around it
            continue
        if m != math:
            remove(page, m)
        m = page.tree.nodes[m].end
    return True


cdef uint32_t shown_math(const Rewriting* page, uint32_t n) noexcept nogil:
    """The element in which MathJax renders a formula without MathML, or a math element with a prefix; 0 if there is none.
    """
    cdef uint32_t m
    for m in range(n, min(page.tree.nodes[n].end, n + MAX_BESIDE)):
        if is_word(name_in_math(page.tree, m), b"math"):
            return m
    return 0


cdef bint is_katex(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element that KaTeX makes for one formula: its container or the display around it."""
    cdef uint32_t m
    for m in range(n + 1, min(page.tree.nodes[n].end, n + 4)):
        if begins(class_of(page.tree, m), b"katex-html"):
            return page.tree.nodes[m].end == page.tree.nodes[n].end
    return False


cdef bint rewrite_container(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite an element that is one formula."""
    cdef Source found
    if not charge(page, page.tree.nodes[n].end - n):     # its conversion may visit them all
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
        found.tex = written(page.spare)
    return replace(page, n, found.tex, found.display)


cdef bint rewrite_math(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite a math element."""
    return page.formulas != FORMULAS_TEXT and rewrite_container(page, n)


cdef bint rewrite_script(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite a script of type math/tex."""
    cdef Slice tex
    if not is_tex_script(page, n):
        return False
    tex = tex_in_script(page, n)
    if is_switch(tex) or page.formulas == FORMULAS_TEXT:
        remove(page, n)
        return True
    return replace(page, n, tex, is_display_script(page, n))


cdef bint script_follows(const Rewriting* page, uint32_t n) noexcept nogil:
    """True if the script that an element was made from comes after it."""
    cdef uint32_t end = page.tree.nodes[page.tree.nodes[n].parent].end
    cdef int step
    n = page.tree.nodes[n].end
    for step in range(MAX_BESIDE):
        if n >= end:
            return False
        if is_tex_script(page, n):
            return True
        if not is_empty(page, n) and not begins(class_of(page.tree, n), b"MathJax"):
            return False
        n = page.tree.nodes[n].end
    return False


cdef bint rewrite_class(Rewriting* page, uint32_t n, Slice value, FormulaClass kind) noexcept nogil:
    """Rewrite an element whose class marks it as a formula or as holding one."""
    if kind == CLASS_TWIN and script_follows(page, n):
        remove(page, n)
        return True
    return rewrite_plain(page, n, value) if kind == CLASS_MATH else rewrite_container(page, n)


cdef bint rewrite_plain(Rewriting* page, uint32_t n, Slice value) noexcept nogil:
    """Rewrite an element whose class marks it as TeX, if it holds nothing else."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t m = n + 1, end = nodes[n].end, text = 0
    cdef bint display = False, delimited
    cdef Slice tex
    if page.formulas == FORMULAS_TEXT or end - n > MAX_PLAIN or (page.strict and is_concealed(page, n)):
        return False
    while m < end:
        if nodes[m].kind == KIND_TEXT and trimmed(text_of(page.tree, m)).length:
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
    tex = trimmed(text_of(page.tree, text))
    delimited = without_delimiters(&tex, &display)
    if not delimited:
        if not is_bare_tex(tex, value):
            return False
        display = (
            is_block_level(nodes[n].tag) and TAG_LAYOUT[nodes[n].tag] & LAYOUT_DISPLAY or says_display(value)
            or contains(value, b"display")
        )
    return replace(page, n, tex, display)


cdef bint is_bare_tex(Slice tex, Slice value) noexcept nogil:
    """True if the text of an element with class math is a formula without delimiters, not a phrase about mathematics or
    prose with formulas in it.
    """
    cdef bint relation = False      # or an arrow
    cdef uint8_t c, after
    cdef uint32_t i
    for i in range(tex.length):
        c = tex.data[i]
        after = tex.data[i + 1] if i + 1 < tex.length else 0
        if c == c"$" or c == c"\\" and (after == c"(" or after == c"[") and (i == 0 or tex.data[i - 1] != c"\\"):
            return False
        relation = relation or c in (c"=", c"<", c">", c"+") or c == 0xE2 and after in (0x86, 0x88, 0x89)
    return is_like_tex(tex) or is_word(first_word(value), b"math") and tex.length <= 200 and (
        relation or tex.length <= 2
    )


cdef bint rewrite_attribute(Rewriting* page, uint32_t n, Slice tex) noexcept nogil:
    """Rewrite an element that keeps its TeX in an attribute."""
    cdef Source found
    tex = trimmed(tex)
    if is_switch(tex) or page.formulas == FORMULAS_TEXT or page.strict or not charge(page, page.tree.nodes[n].end - n):
        return False
    found = find_source(page, n)
    if (
        found.n_math > 1
        or found.n_math == 0 and not is_like_tex(tex) and page.tree.nodes[n].end - n > 3
        and not begins(class_of(page.tree, n), b"math")
    ):
        return False
    return replace(page, n, found.tex if found.tex.length else tex, found.display)


cdef bint rewrite_custom(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite a custom element of MathJax 3 or GitHub, or a math element with a prefix."""
    cdef Slice name = text_of(page.tree, n)
    if is_prefixed_math(name):
        return page.formulas != FORMULAS_TEXT and rewrite_container(page, n)
    if name.length < 8 or name.data[0] != c"m":
        return False
    if begins(name, b"mjx-container"):
        return rewrite_container(page, n)
    if begins(name, b"math-renderer"):
        name.length = 4     # treat it as an element of class math
        return rewrite_plain(page, n, name)
    return False
