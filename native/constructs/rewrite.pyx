# SPDX-License-Identifier: Apache-2.0
"""Goes over the elements of a page once, and hands each construct to the module that rewrites it."""

from thresher.native.constructs.class_words cimport SAYS_CONTROL, SAYS_EDITOR, SAYS_INLINE_NOTE, words_said, words_say
from thresher.native.constructs.code cimport rewrite_listing
from thresher.native.constructs.construct cimport *
from thresher.native.constructs.delimiters cimport has_tex_tag, note_maths, rewrite_text
from thresher.native.constructs.formula_images cimport rewrite_image
from thresher.native.constructs.formulas cimport *
from thresher.native.constructs.inlines cimport *
from thresher.native.constructs.linked_notes cimport may_be_reference, rewrite_linked_notes
from thresher.native.constructs.prefixes cimport rewrite_box
from thresher.native.constructs.raised_notes cimport number_of, rewrite_raised_notes
from thresher.native.constructs.roles cimport is_own_link, rewrite_control, rewrite_role
from thresher.native.parsing.tag_table cimport fill_tags

from thresher.native.constructs import construct_words

cdef extern from "constructs/scan_tex.h" nogil:
    int TEXT_BRACKET, TEXT_TEX_MARK, TEXT_NOT_ASCII
    int text_marks(const uint8_t* p, uint32_t length, const uint8_t* readable) noexcept


cdef enum Look:             # what an element may be, judged by its name
    LOOK_NOT = 0
    LOOK_ATTRIBUTES = 1     # its class or an attribute may mark it
    LOOK_MATH = 2
    LOOK_SCRIPT = 3
    LOOK_LINK = 4
    LOOK_IMAGE = 5
    LOOK_CUSTOM = 6
    LOOK_PAST = 7           # nothing in it is displayed
    LOOK_INLINE = 8         # it stands in a line of text
    LOOK_LISTING = 9        # it may be a listing
    LOOK_CODE = 10          # it may be one, unless its attributes say otherwise


cdef enum:
    SHORT_TEXT = 8          # bytes
    # bits of PAIRS: what a class that begins with these letters may mark
    FORMULA_LETTERS = 1     # of a formula
    EDITOR_LETTERS = 2      # of an editor
    CONTROL_LETTERS = 4     # of an edit link, of tabs, of a prompt, or of a note in the text
    MIN_ATTRIBUTE = 7       # bytes of the shortest unknown attribute that says something: data-as


cdef uint8_t[TAG_COUNT] LOOKS
fill_tags(LOOKS, {
    LOOK_ATTRIBUTES: "span div p figure section ul label", LOOK_MATH: "math", LOOK_SCRIPT: "script", LOOK_LINK: "link",
    LOOK_IMAGE: "img", LOOK_PAST: "title style template iframe object select svg", LOOK_INLINE: "a input rt q cite sup",
    LOOK_LISTING: "pre listing xmp table ol textarea", LOOK_CODE: "code",
})
# For each pair of first letters: which of a formula, an editor or a control the class may mark.
cdef uint8_t[4096] PAIRS


cdef inline uint32_t pair_of(const uint8_t* text) noexcept nogil:
    """The index of two bytes in PAIRS."""
    return <uint32_t> (text[0] & 63) << 6 | (text[1] & 63)


def _add_pairs(words: str, int bit) -> None:
    """Note the first letters of words that a class may begin with."""
    cdef bytes word
    for word in words.encode().split():
        PAIRS[pair_of(word)] |= bit


for _words in construct_words.FORMULA_CLASSES.values():
    _add_pairs(_words, FORMULA_LETTERS)
_add_pairs(construct_words.CLASSES["editor"], EDITOR_LETTERS)
for _key in ("edit", "tabs", "tab_group", "prompt", "note", "footnote", "note_mark"):
    _add_pairs(construct_words.CLASSES[_key], CONTROL_LETTERS)


cdef void rewrite_shown_as(Rewriting* page, uint32_t n, const Attribute* attribute) noexcept nogil:
    """Make a span with data-as="p" the paragraph that it is shown as. Mintlify writes paragraphs like this."""
    if (
        is_html(page.tree.nodes + n, TAG_SPAN) and is_word(name_of(page.tree, attribute), b"data-as")
        and is_word(value_of(page.tree, attribute), b"p")
    ):
        become_element(page, n, TAG_P)


cdef inline bint may_mark(const Tree* tree, const Attribute* attribute) noexcept nogil:
    """True for an attribute that may make its element a construct, judged by its name and the first letters of a class.
    """
    if attribute.name == ATTR_CLASS:
        return attribute.value_length > 2 and PAIRS[pair_of(value_of(tree, attribute).data)] != 0
    return attribute.name == ATTR_ROLE or attribute.name == ATTR_UNKNOWN and (
        MIN_ATTRIBUTE <= attribute.name_length <= MAX_TEX_ATTRIBUTE
    )


cdef bint rewrite_by_attributes(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite an element if its class, or an attribute that holds TeX, marks it as a construct."""
    cdef const Tree* tree = page.tree
    cdef const Attribute* attribute = tree.attributes + tree.nodes[n].attributes
    cdef const Attribute* end = attribute + tree.nodes[n].n_attributes
    cdef const Attribute* formula = NULL    # the class attribute, if it marks a formula
    cdef FormulaClass kind = CLASS_OTHER
    cdef Slice value
    cdef uint32_t said
    cdef uint8_t letters
    while attribute < end:
        if not may_mark(tree, attribute):
            pass
        elif attribute.name == ATTR_CLASS:
            value = value_of(tree, attribute)
            letters = PAIRS[pair_of(value.data)]
            if letters & EDITOR_LETTERS and tree.nodes[n].tag == TAG_DIV and words_say(value, SAYS_EDITOR):
                return rewrite_listing(page, n)
            if letters & CONTROL_LETTERS:
                said = words_said(value, SAYS_CONTROL | SAYS_INLINE_NOTE)
                if said & SAYS_CONTROL and rewrite_control(page, n, said):
                    return True
                if said & SAYS_INLINE_NOTE:
                    rewrite_inline_note(page, n, said)
            if letters & FORMULA_LETTERS:
                # A note writes to the side buffer, which may move the value.
                kind = formula_class(value_of(tree, attribute))
                formula = attribute
        elif attribute.name == ATTR_ROLE:
            if rewrite_role(page, n, value_of(tree, attribute)):
                return True
        elif attribute.name_length == MIN_ATTRIBUTE:
            rewrite_shown_as(page, n, attribute)
        elif is_tex_attribute(tree, attribute) and rewrite_attribute(page, n, value_of(tree, attribute)):
            return True
        attribute += 1
    if kind == CLASS_OTHER:
        return False
    return rewrite_class(page, n, value_of(tree, formula), kind)


cdef uint32_t rewrite_element(Rewriting* page, uint32_t n, uint8_t look) noexcept nogil:
    """Rewrite an element that is looked at as `look` says, if it is a construct. Returns the node where the pass
    continues: the next one, or the one after the element if it was rewritten as a whole.
    """
    cdef const Node* node = page.tree.nodes + n
    cdef bint whole = False
    if look == LOOK_ATTRIBUTES:
        whole = rewrite_by_attributes(page, n)
    elif look == LOOK_IMAGE:
        whole = rewrite_image(page, n)
    elif look == LOOK_CUSTOM:
        whole = rewrite_custom(page, n)
    elif look == LOOK_MATH:
        whole = rewrite_math(page, n)
    elif look == LOOK_LINK:
        note_maths(page, n)
    elif look == LOOK_INLINE:
        if node.namespace == NS_HTML:
            rewrite_inline(page, n)
        whole = node.kind != KIND_ELEMENT
    elif look == LOOK_LISTING:
        whole = node.namespace == NS_HTML and rewrite_listing(page, n)
    elif look == LOOK_CODE:
        whole = rewrite_by_attributes(page, n) or node.namespace == NS_HTML and rewrite_listing(page, n)
    else:
        whole = True
        if look == LOOK_SCRIPT:
            note_maths(page, n)
            rewrite_script(page, n)
    return node.end if whole else n + 1


cdef void rewrite_inline(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite an element that stands in a line of text. For most links and raised numbers, only record that they may
    lead to a footnote.
    """
    cdef uint32_t tag = page.tree.nodes[n].tag
    if tag == TAG_A:
        if is_own_link(page, n):
            remove(page, n)
            return
        page.any_reference = page.any_reference or may_be_reference(page, n)
    elif tag == TAG_SUP:
        page.any_raised = page.any_raised or number_of(page, n) != 0
    elif tag == TAG_INPUT:
        rewrite_box(page, n)
    elif tag == TAG_RT:
        rewrite_reading(page, n)
    elif tag == TAG_Q:
        rewrite_quotation(page, n)
    elif tag == TAG_CITE:
        rewrite_attribution(page, n)


cdef inline bint is_marked(const Tree* tree, const Node* node) noexcept nogil:
    """True for an element with an attribute that may make it a construct. Few have one."""
    cdef const Attribute* attribute = tree.attributes + node.attributes
    cdef const Attribute* end = attribute + node.n_attributes
    while attribute < end:
        if may_mark(tree, attribute):
            return True
        attribute += 1
    return False


cdef uint32_t rewrite_characters(Rewriting* page, uint32_t n) noexcept nogil:
    """Rewrite a text that holds invisible characters or formulas. Returns the node where the pass continues.

    In short texts, formulas are searched for only on pages that load MathJax or KaTeX, or in forums' own tags.
    """
    cdef const Node* node = page.tree.nodes + n
    cdef Slice text = text_of(page.tree, n)
    cdef int marks = text_marks(text.data, text.length, readable_end(page.tree, node.start))
    if marks & TEXT_NOT_ASCII:
        drop_invisible(page, n)
    if node.kind != KIND_TEXT:
        return node.end
    if (
        (marks & TEXT_TEX_MARK or page.maths == MATHS_ASCII) and (node.length >= SHORT_TEXT or page.maths > MATHS_NOT)
        or marks & TEXT_BRACKET and has_tex_tag(text_of(page.tree, n))
    ):
        return rewrite_text(page, n)
    return node.end


cdef int rewrite_constructs(Rewriting* page) noexcept nogil:
    """Rewrite the constructs of a sealed tree in one forward walk, then those that need the whole page."""
    cdef const Node* nodes = page.tree.nodes
    cdef const Node* node
    cdef uint32_t n = 1, n_nodes = page.tree.n_nodes, n_notes = 0
    cdef uint8_t look
    while n < n_nodes:
        node = nodes + n
        if node.kind == KIND_ELEMENT:
            look = LOOKS[node.tag] if node.tag < TAG_COUNT else LOOK_CUSTOM
            if look == LOOK_NOT or look == LOOK_ATTRIBUTES and not is_marked(page.tree, node):
                n += 1
                continue
            n = rewrite_element(page, n, look)
        elif node.kind == KIND_TEXT and node.length > 1:
            n = rewrite_characters(page, n)
        else:
            n = node.end
            continue
        if page.failed:
            return OUT_OF_MEMORY
    if page.any_reference:
        n_notes = rewrite_linked_notes(page)
    if page.any_raised and not page.failed:
        rewrite_raised_notes(page, n_notes)
    return OUT_OF_MEMORY if page.failed else 0
