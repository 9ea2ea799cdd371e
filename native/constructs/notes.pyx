# SPDX-License-Identifier: Apache-2.0
"""Recognises what can be a note, and writes references and notes."""

from thresher.native.constructs.prefixes cimport *
from thresher.native.shown.decision cimport WHY_CLIPPED, WHY_READERS


cdef enum:
    MAX_TO_FOOTER = 32          # ancestors of a note that are searched for a footer


# --- what can be a reference or a note ---


cdef Slice reference_text(const Rewriting* page, uint32_t n, uint8_t* room) noexcept nogil:
    """The text of an element without white space and brackets, written to MAX_REFERENCE bytes; empty if it has more."""
    if page.tree.nodes[n].end - n > MAX_REFERENCE_NODES:
        return no_text()
    return gather(page, n, b"[]()", room, MAX_REFERENCE)


cdef bint is_note_tag(uint32_t tag) noexcept nogil:
    """True for elements that hold a whole note."""
    return tag in (TAG_LI, TAG_P, TAG_ASIDE, TAG_DIV, TAG_DD, TAG_SECTION, TAG_TABLE, TAG_TR, TAG_TD, TAG_BLOCKQUOTE)


cdef bint can_hold_note(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element no larger than a note and without a heading, which would make it a section of the page."""
    cdef uint32_t i
    if page.tree.nodes[n].end - n > MAX_NOTE:
        return False
    for i in range(n + 1, page.tree.nodes[n].end):
        if page.tree.nodes[i].kind == KIND_ELEMENT and is_heading_tag(page.tree.nodes[i].tag):
            return False
    return True


cdef uint32_t text_to_mark(const Rewriting* page, uint32_t n, uint32_t end) noexcept nogil:
    """The first text of nodes [n, end) if a note's mark can be put before it; 0 if there is none."""
    cdef uint32_t text = first_text(page, n, end, NULL)
    return text if text and page.tree.nodes[text].namespace == CONSTRUCT_NONE else 0


cdef bint is_in_footer(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element in the footer of the page, not of an article: text there is small print."""
    cdef int step
    for step in range(MAX_TO_FOOTER):
        if n == 0 or page.tree.nodes[n].tag == TAG_ARTICLE or page.tree.nodes[n].tag == TAG_MAIN:
            return False
        if page.tree.nodes[n].tag == TAG_FOOTER:
            return True
        n = page.tree.nodes[n].parent
    return False


cdef uint32_t number_length(const Rewriting* page, uint32_t n, Slice number) noexcept nogil:
    """The length of the reference text, with brackets, full stop or colon, that a text begins with; 0 if there is none.
    """
    cdef Slice whole = text_of(page.tree, n), text = without_leading(whole, b"[( \t\n\f\r"), rest
    if number.length == 0 or not same_bytes(first_bytes(text, number.length), number):
        return 0
    text = slice_from(text, number.length)
    rest = without_leading(text, b"]).:^")
    if rest.length and not is_space(rest.data[0]) and (rest.length == text.length or is_ascii_digit(rest.data[0])):
        return 0
    return whole.length - without_leading_space(rest).length


# --- references ---


cdef bint is_only(const Rewriting* page, uint32_t around, uint32_t inside) noexcept nogil:
    """True if an element contains another one and otherwise only brackets, signs and white space."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n = around + 1
    if nodes[around].end - around > 2 * MAX_REFERENCE_NODES or not is_inline_tag(nodes[around].tag):
        return False
    while n < nodes[around].end:
        if nodes[n].kind == KIND_TEXT and n != inside and (
            without_leading(text_of(page.tree, n), b"[]()^.,: \t\n\f\r").length
        ):
            return False
        n = nodes[n].end if n == inside else next_within(page.tree, n)
    return True


cdef uint32_t wrapper_of(const Rewriting* page, uint32_t reference) noexcept nogil:
    """The outermost nearby inline element that contains nothing but a reference or a link back."""
    cdef uint32_t n = reference
    cdef int step
    for step in range(MAX_STEPS):
        if not is_only(page, page.tree.nodes[n].parent, reference):
            break
        n = page.tree.nodes[n].parent
    return n


cdef void put_note_mark(Rewriting* page, uint32_t label, bint before_note) noexcept nogil:
    """Write the mark of a note to `page.text`."""
    start_text(page.text)
    put_string(page.text, b"[^")
    put_number(page.text, label)
    put_string(page.text, b"]: " if before_note else b"]")


cdef void rewrite_reference(Rewriting* page, uint32_t reference, uint32_t label) noexcept nogil:
    """Rewrite a reference to a note."""
    cdef Node* nodes = page.tree.nodes
    cdef uint32_t n = wrapper_of(page, reference), next = nodes[n].end
    # brackets around the link, within a sentence
    if nodes[n - 1].kind == KIND_TEXT and nodes[n - 1].parent == nodes[n].parent and next < page.tree.n_nodes and (
        nodes[next].kind == KIND_TEXT and nodes[next].parent == nodes[n].parent
        and nodes[n - 1].length > 1 and ends(text_of(page.tree, n - 1), b"[")
        and nodes[next].length > 1 and begins(text_of(page.tree, next), b"]")
    ):
        nodes[n - 1].length -= 1
        nodes[next].start += 1
        nodes[next].length -= 1
    put_note_mark(page, label, False)
    become_text(page, n, CONSTRUCT_PREFIX)


# --- notes ---


cdef void unlist(Rewriting* page, uint32_t item) noexcept nogil:
    """Make an item a paragraph. Make its list an ordinary element, unless another item has already done so."""
    cdef uint32_t parent = page.tree.nodes[item].parent
    if page.tree.nodes[item].tag != TAG_LI:
        return
    become_element(page, item, TAG_DIV)
    if page.tree.nodes[parent].tag == TAG_OL or page.tree.nodes[parent].tag == TAG_UL:
        become_element(page, parent, TAG_DIV)


cdef void remove_heading(Rewriting* page, uint32_t target) noexcept nogil:
    """Remove the heading that holds a note's number."""
    cdef uint32_t n = target
    cdef int step
    for step in range(MAX_STEPS):
        if is_heading_tag(page.tree.nodes[n].tag):
            remove(page, n)
            return
        n = page.tree.nodes[n].parent


cdef void drop_number(Rewriting* page, const Note* note, uint32_t text) noexcept nogil:
    """Drop the number that a note's first text begins with, if other text follows it."""
    cdef Node* nodes = page.tree.nodes
    cdef uint32_t length = number_length(page, text, Slice(data=&note.text[0], length=note.length))
    if length < nodes[text].length:
        nodes[text].start += length
        nodes[text].length -= length
    elif first_text(page, nodes[text].end, nodes[note.node].end, NULL):
        remove(page, text)


cdef void mark_note(Rewriting* page, const Note* note, uint32_t text, uint32_t around) noexcept nogil:
    """Put a note's mark before its first text."""
    put_note_mark(page, note.label, True)
    put_prefix(page, text, around)
    page.tree.nodes[text].n_attributes = note.alone
    page.tree.nodes[text].attributes = note.node


cdef void rewrite_part(Rewriting* page, const Note* note) noexcept nogil:
    """Put a note's mark in place of its number, which stands in the middle of a paragraph."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t around = nodes[note.node].parent
    cdef bint same_line
    cdef uint32_t text = first_text(page, nodes[note.node].end, nodes[around].end, &same_line)
    if text and same_line and nodes[text].namespace == CONSTRUCT_NONE:
        remove(page, note.node)
        mark_note(page, note, text, around)


cdef void rewrite_note(Rewriting* page, const Note* note) noexcept nogil:
    """Put a note's mark before its text."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t text
    if is_inline_tag(nodes[note.node].tag):
        rewrite_part(page, note)
        return
    unlist(page, note.node)
    if 0 < note.target < note.node:
        remove_heading(page, note.target)
    if note.front and nodes[note.front].kind == KIND_ELEMENT:
        put_note_mark(page, note.label, True)
        become_text(page, note.front, CONSTRUCT_PREFIX)
        page.tree.nodes[note.front].attributes = note.node
        return
    text = text_to_mark(page, note.node + 1, nodes[note.node].end)
    if text:
        drop_number(page, note, text)
        text = text_to_mark(page, note.node + 1, nodes[note.node].end)
    if text:
        mark_note(page, note, text, note.node)


# --- what separates notes from the text ---


cdef bint separates_notes(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for a rule, or a heading only for screen readers, before a list of notes."""
    cdef const Node* node = page.tree.nodes + n
    return is_html(node, TAG_HR) or (
        node.kind == KIND_ELEMENT and node.namespace == NS_HTML and is_heading_tag(node.tag)
        and page.shown[n].why in (WHY_READERS, WHY_CLIPPED)
    )


cdef void remove_separators(Rewriting* page, uint32_t notes) noexcept nogil:
    """Remove what separates a page's notes from its text. It stands directly before the notes, or before the element
    that holds nothing else.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t parent, n, previous
    cdef int step
    for step in range(MAX_STEPS):
        parent = nodes[notes].parent
        if parent == 0:
            return
        n = parent + 1
        previous = 0
        while n < notes:
            if not charge(page, 1):
                return
            if is_content(page, n):
                if previous and separates_notes(page, previous) and separates_notes(page, n):
                    remove(page, previous)
                previous = n
            n = nodes[n].end
        if previous:
            if separates_notes(page, previous):
                remove(page, previous)
            return
        notes = parent
