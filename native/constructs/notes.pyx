# SPDX-License-Identifier: Apache-2.0
"""Pairs references with their footnotes by their links, and marks both."""

from libc.string cimport memchr, memcpy, memset

from thresher.native.base.hash_table cimport *
from thresher.native.base.scratch cimport SLOT_LINKS, take
from thresher.native.constructs.prefixes cimport *
from thresher.native.shown.decision cimport WHY_CLIPPED, WHY_READERS


cdef enum:
    MAX_LINKS = 4096        # links of a page that are inspected
    MAX_BACK = 64           # links of a note that are inspected
    MAX_ABOVE = 32          # ancestors of a note that are searched for a footer


cdef Slice reference_text(const Rewriting* page, uint32_t n, uint8_t* room) noexcept nogil:
    """The text of an element without white space and brackets, written to MAX_REFERENCE bytes; empty if it has more."""
    if page.tree.nodes[n].end - n > MAX_INSIDE:
        return no_text()
    return gather(page, n, b"[]()", room, MAX_REFERENCE)


cdef bint is_reference_text(Slice text) noexcept nogil:
    """True for a number, a letter, "note 1", or asterisks, daggers and section signs."""
    cdef uint32_t most = 8      # digits
    if text.length == 0:
        return False
    if text.length == 1 and is_ascii_letter(text.data[0]):
        return True
    if text.length > 4 and begins_word(text, b"note"):
        text = slice_from(text, 4)
        most = 4
    if is_ascii_digit(text.data[0]):
        return leading_digits(text) == text.length <= most
    while text.length:
        if text.data[0] == c"*":
            text = slice_from(text, 1)
        elif begins(text, b"\xe2\x80\xa0") or begins(text, b"\xe2\x80\xa1"):
            text = slice_from(text, 3)
        elif begins(text, b"\xc2\xa7") or begins(text, b"\xc2\xb6"):
            text = slice_from(text, 2)
        else:
            return False
    return True


cdef Slice fragment_of(const Rewriting* page, uint32_t link) noexcept nogil:
    """The fragment that a link leads to: what follows the "#" of its address; empty if there is none.

    The rest of the address is not compared with the page's own. A link back proves that both are the same.
    """
    cdef Slice value = value_in(page.tree, link, ATTR_HREF)
    cdef const uint8_t* hash = NULL
    if value.length > 1:
        hash = <const uint8_t*> memchr(value.data, c"#", value.length)
    return slice_from(value, <uint32_t> (hash + 1 - value.data)) if hash != NULL else no_text()


cdef bint may_be_reference(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for a link whose text looks like a reference."""
    cdef uint8_t[MAX_REFERENCE] room
    cdef const Node* node = page.tree.nodes + n
    cdef Slice text
    # The first bytes of its text decide for most links.
    if node.end - n > MAX_INSIDE or node.end == n + 1:
        return False
    if (node + 1).kind == KIND_TEXT:
        text = text_of(page.tree, n + 1)
        if text.length > 2 * MAX_REFERENCE or text.length > 1 and is_ascii_letter(text.data[0]) and (
            is_ascii_letter(text.data[1]) and (text.data[0] | 0x20) != c"n"
        ):
            return False
    return is_reference_text(reference_text(page, n, room)) and fragment_of(page, n).length != 0


# --- links and what they lead to ---


cdef uint32_t collect_links(Rewriting* page, Link* links) noexcept nogil:
    """Collect the links into the page, in order, and the elements they lead to. Returns how many there are."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n = 1, count = 0
    cdef uint64_t lengths = 0       # a bit for the length of each fragment, modulo 64
    cdef Slice fragment
    empty_table(&page.scratch.numbers)
    use_part(&page.scratch.numbers, 0)
    while n < page.tree.n_nodes and count < MAX_LINKS:
        if nodes[n].kind != KIND_ELEMENT:
            n = nodes[n].end
            continue
        if nodes[n].tag == TAG_A and nodes[n].namespace == NS_HTML:
            fragment = fragment_of(page, n)
            if fragment.length:
                memset(links + count, 0, sizeof(Link))
                links[count].node = n
                if enter_key(
                    &page.scratch.numbers, key_of_bytes(fragment.data, fragment.length, hash_secret()), count,
                    &links[count].first
                ) < 0:
                    page.failed = True
                    return 0
                lengths |= <uint64_t> 1 << (fragment.length & 63)
                count += 1
        n += 1
    if count == 0:
        return 0
    n = 1
    while n < page.tree.n_nodes:
        if nodes[n].kind != KIND_ELEMENT:
            n = nodes[n].end
            continue
        if nodes[n].n_attributes:
            find_target(page, links, n, ATTR_ID, lengths)
            if nodes[n].tag == TAG_A:
                find_target(page, links, n, ATTR_NAME, lengths)
        n += 1
    return count


cdef void find_target(Rewriting* page, Link* links, uint32_t n, uint32_t name, uint64_t lengths) noexcept nogil:
    """Record an element as the target of its id or name, if it is the first with it.

    `lengths` has a bit for the length of each fragment, which tells most names apart without a look at the table.
    """
    cdef Slice value = value_in(page.tree, n, name)
    cdef uint32_t found
    if value.length == 0 or not lengths >> (value.length & 63) & 1:
        return
    found = find_key(&page.scratch.numbers, key_of_bytes(value.data, value.length, hash_secret()))
    if found == <uint32_t> NOT_FOUND or links[found].target:
        return
    if same_bytes(fragment_of(page, links[found].node), value):     # two fragments can share a key
        links[found].target = n


cdef uint32_t first_link_from(const Link* links, uint32_t count, uint32_t node) noexcept nogil:
    """The index of the first link at `node` or later."""
    cdef uint32_t low = 0, high = count, middle
    while low < high:
        middle = low + (high - low) // 2
        if links[middle].node < node:
            low = middle + 1
        else:
            high = middle
    return low


# --- pairs of references and notes ---


cdef bint is_note_tag(uint32_t tag) noexcept nogil:
    """True for elements that hold a whole note."""
    return tag in (TAG_LI, TAG_P, TAG_ASIDE, TAG_DIV, TAG_DD, TAG_SECTION, TAG_TABLE, TAG_TR, TAG_TD, TAG_BLOCKQUOTE)


cdef uint32_t after_number(const Rewriting* page, uint32_t heading) noexcept nogil:
    """The element after a heading that is only a note's number, as Texinfo writes them; 0 if the heading is something
    else.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef uint8_t[MAX_REFERENCE] room
    cdef uint32_t n = nodes[heading].end, end = nodes[nodes[heading].parent].end
    if not is_reference_text(reference_text(page, heading, room)):
        return 0
    while n < end and is_blank_text(page, n):
        n = nodes[n].end
    return n if n < end and nodes[n].kind == KIND_ELEMENT else 0


cdef bint holds_heading(const Rewriting* page, uint32_t around) noexcept nogil:
    """True for a section of the page rather than a note."""
    cdef uint32_t n
    for n in range(around + 1, page.tree.nodes[around].end):
        if page.tree.nodes[n].kind == KIND_ELEMENT and is_heading_tag(page.tree.nodes[n].tag):
            return True
    return False


cdef uint32_t note_of(const Rewriting* page, uint32_t target) noexcept nogil:
    """The element that holds the note which a reference leads to; 0 if the target is not a note."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n = target
    cdef int step
    for step in range(MAX_STEPS):
        if n == 0 or nodes[n].namespace != NS_HTML or is_note_tag(nodes[n].tag):
            break
        if is_heading_tag(nodes[n].tag):
            n = after_number(page, n)
            break
        if not is_inline_tag(nodes[n].tag):
            return 0
        n = nodes[n].parent
    if n == 0 or not is_note_tag(nodes[n].tag) or nodes[n].end - n > MAX_NOTE or holds_heading(page, n):
        return 0
    return n


cdef bint is_near(const Rewriting* page, uint32_t place, uint32_t reference) noexcept nogil:
    """True if a place is a reference, or stands directly before it, around it, or in the inline element around it."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t parent = nodes[reference].parent
    if place == 0:
        return False
    if holds(page.tree, reference, place) or nodes[place].end == reference:
        return True
    if holds(page.tree, place, reference) and nodes[place].end - place <= MAX_INSIDE:
        return nodes[place].kind == KIND_TEXT or is_inline_tag(nodes[place].tag)    # a text, if already rewritten
    return is_inline_tag(nodes[parent].tag) and nodes[parent].end - parent <= MAX_INSIDE and holds(page.tree, parent, place)


cdef bint leads_back(
    const Rewriting* page, Link* links, uint32_t count, uint32_t note, uint32_t target, uint32_t reference
) noexcept nogil:
    """True if a link in a note, or in the number before the note, leads to a reference. Such a link is not a reference.
    """
    cdef uint32_t i = first_link_from(links, count, min(note, target)), looked = 0
    while i < count and links[i].node < page.tree.nodes[note].end and looked < MAX_BACK:
        if is_near(page, links[links[i].first].target, reference):
            links[i].back = True
            return True
        i += 1
        looked += 1
    return False


cdef uint32_t number_length(const Rewriting* page, uint32_t n, Slice number) noexcept nogil:
    """The length of the reference text, with brackets, full stop or colon, that a text begins with; 0 if there is none.
    """
    cdef Slice text = text_of(page.tree, n)
    cdef uint32_t length = text.length
    cdef bint closed = False
    while text.length and (is_space(text.data[0]) or text.data[0] in (c"[", c"(")):
        text = slice_from(text, 1)
    if number.length == 0 or not same_bytes(first_bytes(text, number.length), number):
        return 0
    text = slice_from(text, number.length)
    while text.length and text.data[0] in (c"]", c")", c".", c":", c"^"):
        text = slice_from(text, 1)
        closed = True
    if text.length and not is_space(text.data[0]) and (not closed or is_ascii_digit(text.data[0])):
        return 0
    return length - without_leading_space(text).length


cdef bint is_note_name(Slice name) noexcept nogil:
    """True for a fragment named like a note: fn1, _ftn1, footnote-1, cite_note-2, mn37note01."""
    while name.length and not is_ascii_letter(name.data[0]):
        name = slice_from(name, 1)
    return (
        begins_word(name, b"fn") or begins_word(name, b"ftn") or begins_word(name, b"edn") or begins_word(name, b"foot")
        or begins_word(name, b"endn") or contains(name, b"note")
    )


cdef bint is_raised(const Rewriting* page, uint32_t link) noexcept nogil:
    """True for a link inside or around a sup element."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n
    if nodes[nodes[link].parent].tag == TAG_SUP or nodes[nodes[nodes[link].parent].parent].tag == TAG_SUP:
        return True
    for n in range(link + 1, nodes[link].end):      # MAX_INSIDE nodes at most
        if nodes[n].kind == KIND_ELEMENT and nodes[n].tag == TAG_SUP:
            return True
    return False


cdef bint is_in_footer(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element in the footer of the page, not of an article: text there is small print."""
    cdef int step
    for step in range(MAX_ABOVE):
        if n == 0 or page.tree.nodes[n].tag == TAG_ARTICLE or page.tree.nodes[n].tag == TAG_MAIN:
            return False
        if page.tree.nodes[n].tag == TAG_FOOTER:
            return True
        n = page.tree.nodes[n].parent
    return False


cdef bint leads_before(const Rewriting* page, const Link* links, uint32_t count, uint32_t note) noexcept nogil:
    """True if a link in a note leads to an earlier place."""
    cdef uint32_t i = first_link_from(links, count, note), looked = 0
    while i < count and links[i].node < page.tree.nodes[note].end and looked < MAX_BACK:
        if 0 < links[links[i].first].target < note:
            return True
        i += 1
        looked += 1
    return False


cdef bint leads_to_note(
    const Rewriting* page, const Link* links, uint32_t count, const Link* link, uint32_t note, Slice text
) noexcept nogil:
    """True for a link to a later note for which two of three things hold: the link is raised, its address is named like
    a note, and the note is an item or begins with the link's text. A note that links back to another place belongs
    to that place.
    """
    cdef uint32_t first = first_text(page, note + 1, page.tree.nodes[note].end, NULL)
    cdef int told = is_raised(page, link.node) + is_note_name(fragment_of(page, link.node))
    if note < link.node or told == 0:
        return False
    told += page.tree.nodes[note].tag == TAG_LI or first != 0 and number_length(page, first, text) > 0
    return told >= 2 and not leads_before(page, links, count, note) and not is_in_footer(page, note)


cdef uint32_t text_to_mark(const Rewriting* page, uint32_t note) noexcept nogil:
    """The text of a note that its mark can be put before; 0 if there is none."""
    cdef uint32_t text = first_text(page, note + 1, page.tree.nodes[note].end, NULL)
    return text if text and page.tree.nodes[text].namespace == CONSTRUCT_NONE else 0


cdef uint32_t break_before(const Rewriting* page, uint32_t n) noexcept nogil:
    """The br element before a node of the same parent, white space aside; 0 if something else stands there."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t before = n - 1
    before -= is_blank_text(page, before)
    if nodes[before].parent != nodes[n].parent or nodes[before].kind != KIND_ELEMENT or nodes[before].tag != TAG_BR:
        return 0
    return before


cdef bint begins_part(const Rewriting* page, uint32_t target, uint32_t note, Slice text) noexcept nogil:
    """True if a target is the number of one of several notes in a paragraph: it has the text of the reference, and two
    line breaks precede it.
    """
    cdef uint8_t[MAX_REFERENCE] room
    cdef uint32_t line_break
    if target == note or page.tree.nodes[target].parent != note or not is_inline_tag(page.tree.nodes[target].tag):
        return False
    if not same_bytes(reference_text(page, target, room), text):
        return False
    line_break = break_before(page, target)
    return line_break != 0 and break_before(page, line_break) != 0


cdef uint32_t pair(Rewriting* page, Link* links, uint32_t count) noexcept nogil:
    """Find and number the notes of all references. Returns how many there are."""
    cdef uint8_t[MAX_REFERENCE] room
    cdef uint32_t i, k, note, n_notes = 0
    cdef uint32_t[MAX_NOTES] notes
    cdef Slice text
    cdef bint part
    cdef Link* to
    for i in range(count):
        to = links + links[i].first
        if to.target == 0 or to.note or links[i].back or n_notes == MAX_NOTES:
            continue
        text = reference_text(page, links[i].node, room)
        if not is_reference_text(text):
            continue
        note = note_of(page, to.target)
        if note == 0 or holds(page.tree, note, links[i].node) or not text_to_mark(page, note):
            continue
        part = begins_part(page, to.target, note, text)
        to.alone = part or not leads_back(page, links, count, note, to.target, links[i].node)
        if part:
            if note < links[i].node or is_in_footer(page, note) or not (
                is_raised(page, links[i].node) or is_note_name(fragment_of(page, links[i].node))
            ):
                continue
            note = to.target
        elif to.alone and not leads_to_note(page, links, count, links + i, note, text):
            continue
        k = 0
        while k < n_notes and (part or not holds(page.tree, notes[k], note)) and not holds(page.tree, note, notes[k]):
            k += 1
        if k < n_notes:     # one note in another
            continue
        notes[n_notes] = note
        n_notes += 1
        to.note = note
        to.label = n_notes
        to.length = <uint8_t> text.length
        memcpy(to.text, text.data, text.length)
    return n_notes


# --- what becomes of them ---


cdef bint is_only(const Rewriting* page, uint32_t around, uint32_t inside) noexcept nogil:
    """True if an element contains another one and otherwise only brackets, signs and white space."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n = around + 1, i
    cdef Slice text
    if nodes[around].end - around > 2 * MAX_INSIDE or not is_inline_tag(nodes[around].tag):
        return False
    while n < nodes[around].end:
        if nodes[n].kind == KIND_TEXT and n != inside:
            text = text_of(page.tree, n)
            for i in range(text.length):
                if not (is_space(text.data[i]) or text.data[i] in (c"[", c"]", c"(", c")", c"^", c".", c",", c":")):
                    return False
        n = nodes[n].end if n == inside else next_within(page.tree, n)
    return True


cdef uint32_t wrapper_of(const Rewriting* page, uint32_t link) noexcept nogil:
    """The outermost nearby inline element that contains nothing but a link."""
    cdef uint32_t n = link
    cdef int step
    for step in range(MAX_STEPS):
        if not is_only(page, page.tree.nodes[n].parent, link):
            break
        n = page.tree.nodes[n].parent
    return n


cdef void trim_before(Rewriting* page, uint32_t n) noexcept nogil:
    """Drop the white space, no-break spaces included, before an element that is removed."""
    cdef Node* text = page.tree.nodes + n - 1
    cdef Slice whole, words
    if text.kind != KIND_TEXT or text.parent != page.tree.nodes[n].parent or text.namespace != CONSTRUCT_NONE:
        return
    whole = text_of(page.tree, n - 1)
    words = trimmed(whole)
    if words.length:
        text.length = <uint32_t> (words.data + words.length - whole.data)


cdef bint is_back_text(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for a link back whose text is not part of the note: an arrow, a number, a letter."""
    cdef uint8_t[MAX_REFERENCE] room
    cdef Slice text = reference_text(page, n, room)
    if page.tree.nodes[n].end - n > MAX_INSIDE:
        return False
    if is_reference_text(text) or is_word(text, b"back") or is_word(text, b"return"):
        return True
    while text.length and not is_ascii_letter(text.data[0]):
        text = slice_from(text, 1)
    return text.length == 0


cdef bint is_word_text(Slice text) noexcept nogil:
    """True for a text with a letter, a digit or any non-ASCII character."""
    while text.length and text.data[0] < 0x80 and not is_ascii_letter_or_digit(text.data[0]):
        text = slice_from(text, 1)
    return text.length > 0


cdef bint is_link_back(
    const Rewriting* page, const Link* links, uint32_t count, uint32_t place, const Link* to
) noexcept nogil:
    """True if a place is near a reference to the note that `to` leads to."""
    cdef uint32_t i, at
    if place == 0:
        return False
    at = first_link_from(links, count, place)
    for i in range(at - 1 if at else 0, min(at + 3, count)):
        if links + links[i].first == to and is_near(page, place, links[i].node):
            return True
    return False


cdef void unlist(Rewriting* page, uint32_t item) noexcept nogil:
    """Make an item a paragraph. Make its list an ordinary element, unless another item has already done so."""
    cdef uint32_t parent = page.tree.nodes[item].parent
    if page.tree.nodes[item].tag != TAG_LI:
        return
    become_element(page, item, TAG_DIV)
    if page.tree.nodes[parent].tag == TAG_OL or page.tree.nodes[parent].tag == TAG_UL:
        become_element(page, parent, TAG_DIV)


cdef void drop_number(Rewriting* page, uint32_t note, const Link* to) noexcept nogil:
    """Drop the number at the beginning of a note, if other text follows it."""
    cdef Node* nodes = page.tree.nodes
    cdef uint32_t length, text = text_to_mark(page, note)
    if text == 0:
        return
    length = number_length(page, text, Slice(data=&to.text[0], length=to.length))
    if length < nodes[text].length:
        nodes[text].start += length
        nodes[text].length -= length
    elif first_text(page, nodes[text].end, nodes[note].end, NULL):
        remove(page, text)


cdef void remove_heading(Rewriting* page, uint32_t target) noexcept nogil:
    """Remove the heading that holds a note's number."""
    cdef uint32_t n = target
    cdef int step
    for step in range(MAX_STEPS):
        if is_heading_tag(page.tree.nodes[n].tag):
            remove(page, n)
            return
        n = page.tree.nodes[n].parent


cdef void put_note_mark(Rewriting* page, uint32_t label, bint before_note) noexcept nogil:
    """Write the mark of a note to `page.text`."""
    start_text(page.text)
    put_string(page.text, b"[^")
    put_number(page.text, label)
    put_string(page.text, b"]: " if before_note else b"]")


cdef void mark_note(Rewriting* page, uint32_t text, uint32_t around, const Link* to) noexcept nogil:
    """Put a note's mark before its first text."""
    put_note_mark(page, to.label, True)
    put_prefix(page, text, around)
    page.tree.nodes[text].n_attributes = to.alone


cdef void rewrite_part(Rewriting* page, const Link* to) noexcept nogil:
    """Put a note's mark in place of its number, which stands in the middle of a paragraph."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t around = nodes[to.note].parent
    cdef bint same_line
    cdef uint32_t text = first_text(page, nodes[to.note].end, nodes[around].end, &same_line)
    if text and same_line and nodes[text].namespace == CONSTRUCT_NONE:
        remove(page, to.note)
        mark_note(page, text, around, to)


cdef void rewrite_note(Rewriting* page, const Link* links, uint32_t count, const Link* to) noexcept nogil:
    """Put a note's mark before its text and remove the links back."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t note = to.note, end = nodes[note].end, first = first_link_from(links, count, note), i, front = 0
    cdef uint32_t back, text
    cdef bint same_line
    if is_inline_tag(nodes[note].tag):
        rewrite_part(page, to)
        return
    for i in range(first, min(count, first + MAX_BACK)):
        back = links[i].node
        if back >= end:
            break
        if nodes[back].kind != KIND_ELEMENT or not is_back_text(page, back) or not is_link_back(
            page, links, count, links[links[i].first].target, to
        ):
            continue
        back = wrapper_of(page, back)
        if back <= note or nodes[back].kind != KIND_ELEMENT:
            continue
        text = first_text(page, note + 1, back, NULL)
        if text and nodes[text].length <= 3 and not is_word_text(text_of(page.tree, text)):     # "^" before several
            remove(page, text)
            text = first_text(page, note + 1, back, NULL)
        if front == 0 and text == 0 and first_text(page, nodes[back].end, end, &same_line) and same_line:
            front = back
            continue
        trim_before(page, back)
        remove(page, back)
    unlist(page, note)
    if 0 < to.target < note:
        remove_heading(page, to.target)
    if front and nodes[front].kind == KIND_ELEMENT:
        put_note_mark(page, to.label, True)
        become_text(page, front, CONSTRUCT_PREFIX)
        return
    drop_number(page, note, to)
    text = text_to_mark(page, note)
    if text:
        mark_note(page, text, note, to)


cdef void rewrite_reference(Rewriting* page, uint32_t link, uint32_t label) noexcept nogil:
    """Rewrite a reference to a note."""
    cdef Node* nodes = page.tree.nodes
    cdef uint32_t n = wrapper_of(page, link), next = nodes[n].end
    cdef Slice before, after
    # brackets around the link, within a sentence
    if nodes[n - 1].kind == KIND_TEXT and nodes[n - 1].parent == nodes[n].parent and next < page.tree.n_nodes and (
        nodes[next].kind == KIND_TEXT and nodes[next].parent == nodes[n].parent
    ):
        before, after = text_of(page.tree, n - 1), text_of(page.tree, next)
        if before.length > 1 and after.length > 1 and before.data[before.length - 1] == c"[" and after.data[0] == c"]":
            nodes[n - 1].length -= 1
            nodes[next].start += 1
            nodes[next].length -= 1
    put_note_mark(page, label, False)
    become_text(page, n, CONSTRUCT_PREFIX)


cdef bint is_machinery(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for a rule, or a heading only for screen readers, before a list of notes."""
    cdef const Node* node = page.tree.nodes + n
    return is_html(node, TAG_HR) or (
        node.kind == KIND_ELEMENT and node.namespace == NS_HTML and is_heading_tag(node.tag)
        and page.shown[n].why in (WHY_READERS, WHY_CLIPPED)
    )


cdef void remove_machinery(Rewriting* page, uint32_t notes) noexcept nogil:
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
            if nodes[n].kind == KIND_ELEMENT or (nodes[n].kind == KIND_TEXT and not is_blank_text(page, n)):
                if previous and is_machinery(page, previous) and is_machinery(page, n):
                    remove(page, previous)
                previous = n
            n = nodes[n].end
        if previous:
            if is_machinery(page, previous):
                remove(page, previous)
            return
        notes = parent


cdef uint32_t rewrite_notes(Rewriting* page) noexcept nogil:
    """Rewrite the footnotes that links lead to. Returns how many there are."""
    cdef Link* links = <Link*> take(page.scratch, SLOT_LINKS, MAX_LINKS, sizeof(Link))
    cdef const Link* to
    cdef uint32_t count, i, n_notes
    cdef bint first = True
    if links == NULL:
        page.failed = True
        return 0
    count = collect_links(page, links)
    n_notes = 0 if page.failed else pair(page, links, count)
    if n_notes == 0:
        return 0
    for i in range(count):
        to = links + links[i].first
        if to.note and not holds(page.tree, to.note, links[i].node) and page.tree.nodes[links[i].node].kind == KIND_ELEMENT:
            if first:
                remove_machinery(page, to.note)
                first = False
            if may_be_reference(page, links[i].node):
                rewrite_reference(page, links[i].node, to.label)
    for i in range(count):
        if links[i].note and not page.failed:
            rewrite_note(page, links, count, links + i)
    return n_notes
