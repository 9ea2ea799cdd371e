# SPDX-License-Identifier: Apache-2.0
"""Pairs raised numbers with footnotes to which no link leads."""

from libc.string cimport memset

from thresher.native.base.scratch cimport SLOT_RAISED, take
from thresher.native.constructs.notes cimport *
from thresher.native.constructs.prefixes cimport first_text, is_inline_tag


cdef enum:
    MAX_RAISED = 2048       # raised numbers of a page that are inspected
    MAX_ITEMS = 1024        # items of a list of notes
    MAX_NUMBER = 3          # digits of a raised number
    NUMBERS = 1000          # numbers of so many digits
    MAX_TRIES = 8           # paragraphs that are tried as the first of a row of notes
    MAX_NAME = 120          # bytes of a class or id that are read


ctypedef struct Raised:     # a raised number that is not a link
    uint32_t node
    uint32_t block          # the paragraph or item that it begins; 0 if text precedes it
    uint32_t number
    uint32_t next           # of a reference: the next one with the same number; the count if there is none


ctypedef struct RaisedNumbers:  # the raised numbers of a page in document order
    Raised* all
    uint32_t count
    uint32_t[NUMBERS] first     # for each number, its first reference that has no note yet; the count if there is none


cdef uint32_t number_of(const Rewriting* page, uint32_t n) noexcept nogil:
    """The number that is all of an element's text; 0 if it has another text."""
    cdef uint8_t[MAX_REFERENCE] room
    return number_in(reference_text(page, n, room), MAX_NUMBER)


cdef uint32_t block_begun_by(const Rewriting* page, uint32_t n) noexcept nogil:
    """The paragraph or item that an inline element begins; 0 if text precedes it."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t block = nodes[n].parent
    cdef int step
    for step in range(MAX_STEPS):
        if block == 0 or nodes[block].namespace != NS_HTML or not is_inline_tag(nodes[block].tag):
            break
        block = nodes[block].parent
    if (
        block == 0 or not is_note_tag(nodes[block].tag) or nodes[block].tag in (TAG_TABLE, TAG_TR, TAG_TD)
        or n - block > MAX_REFERENCE_NODES
    ):
        return 0
    return block if first_text(page, block + 1, nodes[n].end, NULL) > n else 0


cdef bint follows_text(const Rewriting* page, uint32_t n, uint32_t number) noexcept nogil:
    """True if a raised number follows a word as a reference does: nothing between them and no letter after it. An
    exponent follows a digit or a word of at most two letters, which is a unit or a variable.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t around = wrapper_of(page, n), next = nodes[around].end, letters = 0
    cdef Slice text, words
    cdef uint8_t last
    if next < page.tree.n_nodes and nodes[next].kind == KIND_TEXT and nodes[next].parent == nodes[around].parent:
        text = text_of(page.tree, next)
        if text.length and is_ascii_letter_or_digit(text.data[0]):
            return False
    if nodes[around - 1].kind != KIND_TEXT or nodes[around - 1].namespace != CONSTRUCT_NONE:
        # after <b>, or after a footnote that is already rewritten
        return nodes[around - 1].kind == KIND_TEXT or nodes[around - 1].end == around
    text = text_of(page.tree, around - 1)
    words = without_space(text)
    if words.length == 0 or is_ascii_digit(words.data[words.length - 1]):
        return False
    last = words.data[words.length - 1]
    if words.data + words.length < text.data + text.length:     # "A sentence. <sup>1</sup>"
        return last in (c".", c"!", c"?", c'"', c")") or last >= 0x80
    while letters < words.length and is_ascii_letter(words.data[words.length - 1 - letters]):
        letters += 1
    return number > 3 or letters == 0 or letters > 2


cdef uint32_t collect_raised(const Rewriting* page, Raised* raised) noexcept nogil:
    """Collect the raised numbers that begin a paragraph or follow text, and the bold ones that begin a paragraph, in
    document order. Returns how many there are.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n_nodes = page.tree.n_nodes, n = element_from(page.tree, 1, n_nodes), count = 0, number, block
    cdef bint whole
    while n < n_nodes and count < MAX_RAISED:
        number = 0
        if nodes[n].tag in (TAG_SUP, TAG_STRONG, TAG_B) and nodes[n].namespace == NS_HTML:
            number = number_of(page, n)
            block = block_begun_by(page, n) if number else 0
            if number and (block or (nodes[n].tag == TAG_SUP and follows_text(page, n, number))):
                memset(raised + count, 0, sizeof(Raised))
                raised[count].node = n
                raised[count].block = block
                raised[count].number = number
                count += 1
        whole = number or is_html(nodes + n, TAG_SUP)
        n = element_from(page.tree, nodes[n].end if whole else n + 1, n_nodes)
    return count


cdef bint can_be_note(const Rewriting* page, const Raised* one) noexcept nogil:
    """True if the paragraph that a raised number begins can be a note: it has more text and contains no heading."""
    cdef const Node* nodes = page.tree.nodes
    return (
        can_hold_note(page, one.block) and text_to_mark(page, nodes[one.node].end, nodes[one.block].end) != 0
        and not is_in_footer(page, one.block)
    )


cdef bint names_notes(Slice name) noexcept nogil:
    """True if a class or id names footnotes or endnotes."""
    name = first_bytes(name, MAX_NAME)
    return contains(name, b"footnote") or contains(name, b"endnote")


cdef bint is_of_notes(Rewriting* page, uint32_t n) noexcept nogil:
    """True if an element, or one of the two around it, is named for footnotes."""
    cdef int step
    for step in range(3):
        if n == 0 or not charge(page, MAX_NAME):
            return False
        if names_notes(class_of(page.tree, n)) or names_notes(value_in(page.tree, n, ATTR_ID)):
            return True
        n = page.tree.nodes[n].parent
    return False


cdef void link_references(RaisedNumbers* raised) noexcept nogil:
    """Link the references to one number. One is a raised number that follows text."""
    cdef uint32_t i = raised.count, number
    for number in range(NUMBERS):
        raised.first[number] = raised.count
    while i > 0:
        i -= 1
        if raised.all[i].block == 0:
            number = raised.all[i].number
            raised.all[i].next = raised.first[number]
            raised.first[number] = i


cdef bint is_referred_to(const RaisedNumbers* raised, uint32_t number, uint32_t before) noexcept nogil:
    """True if a reference stands before a node that does not yet refer to another note."""
    cdef uint32_t i = raised.first[number] if number < NUMBERS else raised.count
    return i < raised.count and raised.all[i].node < before


cdef void note_raised(
    Rewriting* page, RaisedNumbers* raised, uint32_t block, uint32_t number, uint32_t label
) noexcept nogil:
    """Rewrite a note and the raised numbers before it that refer to it."""
    cdef Note note
    while is_referred_to(raised, number, block):
        rewrite_reference(page, raised.all[raised.first[number]].node, label)
        raised.first[number] = raised.all[raised.first[number]].next
    memset(&note, 0, sizeof(Note))
    note.node, note.label, note.alone = block, label, True
    rewrite_note(page, &note)


cdef uint32_t notes_in_row(const Rewriting* page, const RaisedNumbers* raised, uint32_t first) noexcept nogil:
    """The number of consecutive notes that begin at `first`: numbered in sequence, each with a reference."""
    cdef const Raised* one = raised.all + first
    cdef uint32_t number = one.number, before = one.node
    while one < raised.all + raised.count:
        if one.block and one.number == number:
            if not can_be_note(page, one) or not is_referred_to(raised, number, before):
                break
            number += 1
        one += 1
    return number - raised.all[first].number


cdef uint32_t rewrite_raised(Rewriting* page, RaisedNumbers* raised, uint32_t n_notes) noexcept nogil:
    """Rewrite paragraphs that begin with a raised number that others refer to: two or more in a row, numbered from 1
    and after all references, or those named for footnotes. Returns how many notes the page then has.
    """
    cdef const Raised* one
    cdef uint32_t i, row = 0, next = 1, tries = 0
    for i in range(raised.count):
        one = raised.all + i
        if not one.block or n_notes >= MAX_NOTES:
            continue
        if row < 2 and one.number == 1 and tries < MAX_TRIES:
            row = notes_in_row(page, raised, i)
            tries += 1
        if not (row >= 2 and one.number == next and next <= row) and not is_of_notes(page, one.block):
            continue
        if not can_be_note(page, one) or not is_referred_to(raised, one.number, one.block):
            continue
        if next == 1:
            remove_separators(page, one.block)
        next += one.number == next
        n_notes += 1
        remove(page, one.node)
        note_raised(page, raised, one.block, one.number, n_notes)
        if page.failed:
            break
    return n_notes


cdef bint is_list_of_notes(Rewriting* page, uint32_t n) noexcept nogil:
    """True for a numbered list that is named for footnotes or is the whole content of an aside."""
    cdef const Node* nodes = page.tree.nodes
    return is_html(nodes + n, TAG_OL) and (
        is_of_notes(page, n) or nodes[n].parent == n - 1 and nodes[n - 1].tag == TAG_ASIDE
    )


cdef void rewrite_lists(Rewriting* page, RaisedNumbers* raised, uint32_t n_notes) noexcept nogil:
    """Rewrite the items of numbered lists that are named for footnotes or stand in an aside, if a raised number refers
    to the first item.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n = 1, n_nodes = page.tree.n_nodes, item, end, number, last
    while n < n_nodes:
        n = element_from(page.tree, n, n_nodes)
        if n == n_nodes or not is_list_of_notes(page, n):
            n += 1
            continue
        end = nodes[n].end
        number = max(number_in(value_in(page.tree, n, ATTR_START), MAX_NUMBER), <uint32_t> 1) - 1
        last = number + MAX_ITEMS
        item = element_from(page.tree, n + 1, end)
        while item < end and number < last:
            if nodes[item].tag == TAG_LI:
                number += 1
                if not is_referred_to(raised, number, n):
                    break
                if (
                    nodes[item].end - item <= MAX_NOTE and text_to_mark(page, item + 1, nodes[item].end)
                    and not is_in_footer(page, item)
                ):
                    n_notes += 1
                    note_raised(page, raised, item, number, n_notes)
                    if page.failed:
                        return
            item = element_from(page.tree, nodes[item].end, end)
        n = end


cdef void rewrite_raised_notes(Rewriting* page, uint32_t n_notes) noexcept nogil:
    """Rewrite the footnotes of a page with a raised number that may be a reference. `n_notes` is how many footnotes
    are rewritten already.
    """
    cdef RaisedNumbers raised
    raised.all = <Raised*> take(page.scratch, SLOT_RAISED, MAX_RAISED, sizeof(Raised))
    if raised.all == NULL:
        page.failed = True
        return
    raised.count = collect_raised(page, raised.all)
    link_references(&raised)
    if raised.count > 1:
        n_notes = rewrite_raised(page, &raised, n_notes)
    if raised.count and not page.failed:
        rewrite_lists(page, &raised, n_notes)
