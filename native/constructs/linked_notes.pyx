# SPDX-License-Identifier: Apache-2.0
"""Pairs references with their footnotes by their links, and removes the links back."""

from libc.string cimport memchr, memcpy, memset

from thresher.native.base.hash_table cimport *
from thresher.native.base.scratch cimport SLOT_LINKS, take
from thresher.native.constructs.notes cimport *
from thresher.native.constructs.prefixes cimport *


cdef enum:
    MAX_LINKS = 4096        # links of a page that are inspected
    MAX_BACK = 64           # links of a note that are inspected


ctypedef struct Link:       # a link into the page
    uint32_t node
    uint32_t first          # index of the first link to the same target
    bint back               # it leads from a note back to its reference
    Note note               # in the first link to a target: the target, and the note that it is or belongs to


ctypedef struct Links:      # the links into a page, in order
    Link* all
    uint32_t count


cdef bint is_reference_text(Slice text) noexcept nogil:
    """True for a number, a letter, "note 1", or asterisks, daggers and section signs."""
    cdef uint32_t most = 8      # digits
    if text.length == 0:
        return False
    if text.length == 1 and is_ascii_letter(text.data[0]):
        return True
    if text.length > 4 and take_prefix(&text, b"note"):
        most = 4
    if is_ascii_digit(text.data[0]):
        return leading_digits(text) == text.length <= most
    while (
        take_prefix(&text, b"*") or take_prefix(&text, b"\xe2\x80\xa0") or take_prefix(&text, b"\xe2\x80\xa1")
        or take_prefix(&text, b"\xc2\xa7") or take_prefix(&text, b"\xc2\xb6")
    ):
        pass
    return text.length == 0


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
    if node.end - n > MAX_REFERENCE_NODES or node.end == n + 1:
        return False
    if (node + 1).kind == KIND_TEXT:
        text = text_of(page.tree, n + 1)
        if text.length > 2 * MAX_REFERENCE or text.length > 1 and is_ascii_letter(text.data[0]) and (
            is_ascii_letter(text.data[1]) and (text.data[0] | 0x20) != c"n"
        ):
            return False
    return is_reference_text(reference_text(page, n, room)) and fragment_of(page, n).length != 0


# --- links and what they lead to ---


cdef void collect_links(Rewriting* page, Links* links) noexcept nogil:
    """Collect the links into the page, in order, and the elements they lead to."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n = 0, n_nodes = page.tree.n_nodes
    cdef uint64_t lengths = 0       # a bit for the length of each fragment, modulo 64
    cdef Slice fragment
    empty_table(&page.scratch.numbers)
    use_part(&page.scratch.numbers, 0)
    links.count = 0
    while n < n_nodes and links.count < MAX_LINKS:
        n = element_from(page.tree, n + 1, n_nodes)
        fragment = fragment_of(page, n) if n < n_nodes and is_html(nodes + n, TAG_A) else no_text()
        if fragment.length:
            memset(links.all + links.count, 0, sizeof(Link))
            links.all[links.count].node = n
            if enter_key(
                &page.scratch.numbers, key_of_bytes(fragment.data, fragment.length, hash_secret()), links.count,
                &links.all[links.count].first
            ) < 0:
                page.failed = True
                return
            lengths |= <uint64_t> 1 << (fragment.length & 63)
            links.count += 1
    n = element_from(page.tree, 1, n_nodes) if links.count else n_nodes
    while n < n_nodes:
        if nodes[n].n_attributes:
            find_target(page, links, n, ATTR_ID, lengths)
            if nodes[n].tag == TAG_A:
                find_target(page, links, n, ATTR_NAME, lengths)
        n = element_from(page.tree, n + 1, n_nodes)


cdef void find_target(Rewriting* page, Links* links, uint32_t n, uint32_t name, uint64_t lengths) noexcept nogil:
    """Record an element as the target of its id or name, if it is the first with it.

    `lengths` has a bit for the length of each fragment, which tells most names apart without a look at the table.
    """
    cdef Slice value = value_in(page.tree, n, name)
    cdef uint32_t found
    if value.length == 0 or not lengths >> (value.length & 63) & 1:
        return
    found = find_key(&page.scratch.numbers, key_of_bytes(value.data, value.length, hash_secret()))
    if found == <uint32_t> NOT_FOUND or links.all[found].note.target:
        return
    if same_bytes(fragment_of(page, links.all[found].node), value):     # two fragments can share a key
        links.all[found].note.target = n


cdef Note* note_to(const Links* links, const Link* link) noexcept nogil:
    """Where a link leads."""
    return &links.all[link.first].note


cdef Link* first_link_from(const Links* links, uint32_t node) noexcept nogil:
    """The first link at `node` or later."""
    cdef uint32_t low = 0, high = links.count, middle
    while low < high:
        middle = low + (high - low) // 2
        if links.all[middle].node < node:
            low = middle + 1
        else:
            high = middle
    return links.all + low


cdef const Link* end_of_links(const Rewriting* page, const Links* links, const Link* first, uint32_t n) noexcept nogil:
    """The end of the links in an element, MAX_BACK of them at most, of which the first is given."""
    cdef const Link* end = first
    while end < links.all + links.count and end < first + MAX_BACK and end.node < page.tree.nodes[n].end:
        end += 1
    return end


# --- pairs of references and notes ---


cdef uint32_t after_number(const Rewriting* page, uint32_t heading) noexcept nogil:
    """The element after a heading that is only a note's number, as Texinfo writes them; 0 if the heading is something
    else.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef uint8_t[MAX_REFERENCE] room
    cdef uint32_t end = nodes[nodes[heading].parent].end, n = past_blank(page.tree, nodes[heading].end, end)
    if not is_reference_text(reference_text(page, heading, room)):
        return 0
    return n if n < end and nodes[n].kind == KIND_ELEMENT else 0


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
    return n if n and is_note_tag(nodes[n].tag) and can_hold_note(page, n) else 0


cdef bint is_near(const Rewriting* page, uint32_t place, uint32_t reference) noexcept nogil:
    """True if a place is a reference, or stands directly before it, around it, or in the inline element around it."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t parent = nodes[reference].parent
    if place == 0:
        return False
    if holds(page.tree, reference, place) or nodes[place].end == reference:
        return True
    if holds(page.tree, place, reference) and nodes[place].end - place <= MAX_REFERENCE_NODES:
        return nodes[place].kind == KIND_TEXT or is_inline_tag(nodes[place].tag)    # a text, if already rewritten
    return (
        is_inline_tag(nodes[parent].tag) and nodes[parent].end - parent <= MAX_REFERENCE_NODES
        and holds(page.tree, parent, place)
    )


cdef bint leads_back(
    const Rewriting* page, const Links* links, const Note* note, uint32_t n, uint32_t reference
) noexcept nogil:
    """True if a link in the element of a note, or in the number before it, leads to a reference. Such a link is not a
    reference.
    """
    cdef Link* link = first_link_from(links, min(n, note.target))
    cdef const Link* end = end_of_links(page, links, link, n)
    while link < end:
        if is_near(page, note_to(links, link).target, reference):
            link.back = True
            return True
        link += 1
    return False


cdef bint leads_before(const Rewriting* page, const Links* links, uint32_t n) noexcept nogil:
    """True if a link in an element leads to an earlier place."""
    cdef const Link* link = first_link_from(links, n)
    cdef const Link* end = end_of_links(page, links, link, n)
    while link < end:
        if 0 < note_to(links, link).target < n:
            return True
        link += 1
    return False


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
    for n in range(link + 1, nodes[link].end):      # MAX_REFERENCE_NODES nodes at most
        if nodes[n].kind == KIND_ELEMENT and nodes[n].tag == TAG_SUP:
            return True
    return False


cdef uint32_t break_before(const Rewriting* page, uint32_t n) noexcept nogil:
    """The br element before a node of the same parent, white space aside; 0 if something else stands there."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t before = n - 1
    before -= is_blank_text(page, before)
    if nodes[before].parent != nodes[n].parent or nodes[before].kind != KIND_ELEMENT or nodes[before].tag != TAG_BR:
        return 0
    return before


cdef bint begins_part(const Rewriting* page, uint32_t target, uint32_t n, Slice text) noexcept nogil:
    """True if a target is the number of one of several notes in a paragraph: it has the text of the reference, and two
    line breaks precede it.
    """
    cdef uint8_t[MAX_REFERENCE] room
    cdef uint32_t line_break
    if target == n or page.tree.nodes[target].parent != n or not is_inline_tag(page.tree.nodes[target].tag):
        return False
    if not same_bytes(reference_text(page, target, room), text):
        return False
    line_break = break_before(page, target)
    return line_break != 0 and break_before(page, line_break) != 0


cdef uint32_t place_of_note(
    const Rewriting* page, const Links* links, const Link* link, Note* note, Slice text
) noexcept nogil:
    """The note that a link with the text of a reference leads to, as Note.node; 0 if it is no reference.

    To a note without a link back, two of three things must lead: the link is raised, its address is named like a note,
    and the note is an item or begins with the link's text. A note that links to an earlier place belongs to that place.
    """
    cdef uint32_t n = note_of(page, note.target), first
    cdef bint part
    cdef int told
    if n == 0 or holds(page.tree, n, link.node):
        return 0
    first = text_to_mark(page, n + 1, page.tree.nodes[n].end)
    if first == 0:
        return 0
    part = begins_part(page, note.target, n, text)
    note.alone = part or not leads_back(page, links, note, n, link.node)
    if not note.alone:
        return n
    told = is_raised(page, link.node) + is_note_name(fragment_of(page, link.node))
    if told == 0 or n < link.node or is_in_footer(page, n):
        return 0
    if part:
        return note.target
    told += page.tree.nodes[n].tag == TAG_LI or number_length(page, first, text) > 0
    return n if told >= 2 and not leads_before(page, links, n) else 0


cdef bint overlaps(const Tree* tree, const uint32_t* notes, uint32_t n_notes, uint32_t n, bint part) noexcept nogil:
    """True if an element is in one of some notes or holds one. One of several in a paragraph may stand in another."""
    cdef uint32_t k
    for k in range(n_notes):
        if holds(tree, n, notes[k]) or not part and holds(tree, notes[k], n):
            return True
    return False


cdef uint32_t pair(Rewriting* page, Links* links) noexcept nogil:
    """Find and number the notes of all references. Returns how many there are."""
    cdef uint8_t[MAX_REFERENCE] room
    cdef uint32_t[MAX_NOTES] notes
    cdef uint32_t i, n, n_notes = 0
    cdef Slice text
    cdef Note* note
    for i in range(links.count):
        note = note_to(links, links.all + i)
        if note.target == 0 or note.node or links.all[i].back or n_notes == MAX_NOTES:
            continue
        text = reference_text(page, links.all[i].node, room)
        if not is_reference_text(text):
            continue
        n = place_of_note(page, links, links.all + i, note, text)
        if n == 0 or overlaps(page.tree, notes, n_notes, n, is_inline_tag(page.tree.nodes[n].tag)):
            continue
        notes[n_notes] = note.node = n
        n_notes += 1
        note.label = n_notes
        note.length = <uint8_t> text.length
        memcpy(note.text, text.data, text.length)
    return n_notes


# --- links back ---


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
    cdef Slice text = reference_text(page, n, room), letters
    if page.tree.nodes[n].end - n > MAX_REFERENCE_NODES:
        return False
    return (
        is_reference_text(text) or is_word(text, b"back") or is_word(text, b"return")
        or not next_letters(&text, &letters)
    )


cdef bint is_word_text(Slice text) noexcept nogil:
    """True for a text with a letter, a digit or any non-ASCII character."""
    while text.length and text.data[0] < 0x80 and not is_ascii_letter_or_digit(text.data[0]):
        text = slice_from(text, 1)
    return text.length > 0


cdef bint is_link_back(const Rewriting* page, const Links* links, uint32_t place, const Note* note) noexcept nogil:
    """True if a place is near a reference to a note."""
    cdef const Link* link = first_link_from(links, place)
    cdef const Link* end = min(link + 3, links.all + links.count)
    if place == 0:
        return False
    link -= link > links.all
    while link < end:
        if note_to(links, link) == note and is_near(page, place, link.node):
            return True
        link += 1
    return False


cdef void remove_links_back(Rewriting* page, const Links* links, Note* note) noexcept nogil:
    """Remove the links in a note to its references, but let the mark replace one at its beginning."""
    cdef const Node* nodes = page.tree.nodes
    cdef const Link* link = first_link_from(links, note.node)
    cdef const Link* end = end_of_links(page, links, link, note.node)
    cdef uint32_t back, text
    cdef bint same_line
    while link < end:
        back = link.node
        link += 1
        if nodes[back].kind != KIND_ELEMENT or not is_back_text(page, back) or not is_link_back(
            page, links, note_to(links, link - 1).target, note
        ):
            continue
        back = wrapper_of(page, back)
        if back <= note.node or nodes[back].kind != KIND_ELEMENT:
            continue
        text = first_text(page, note.node + 1, back, NULL)
        if text and nodes[text].length <= 3 and not is_word_text(text_of(page.tree, text)):     # "^" before several
            remove(page, text)
            text = first_text(page, note.node + 1, back, NULL)
        if note.front == 0 and text == 0 and (
            first_text(page, nodes[back].end, nodes[note.node].end, &same_line) and same_line
        ):
            note.front = back
            continue
        trim_before(page, back)
        remove(page, back)


cdef uint32_t rewrite_linked_notes(Rewriting* page) noexcept nogil:
    """Rewrite the footnotes that links lead to. Returns how many there are."""
    cdef Links links
    cdef Link* link
    cdef Note* note
    cdef uint32_t i, n_notes
    cdef bint first = True
    links.all = <Link*> take(page.scratch, SLOT_LINKS, MAX_LINKS, sizeof(Link))
    if links.all == NULL:
        page.failed = True
        return 0
    collect_links(page, &links)
    n_notes = 0 if page.failed else pair(page, &links)
    for i in range(links.count if n_notes else 0):
        link = links.all + i
        note = note_to(&links, link)
        if note.node and not holds(page.tree, note.node, link.node) and page.tree.nodes[link.node].kind == KIND_ELEMENT:
            if first:
                remove_separators(page, note.node)
                first = False
            if may_be_reference(page, link.node):
                rewrite_reference(page, link.node, note.label)
    for i in range(links.count if n_notes else 0):
        note = &links.all[i].note
        if note.node and not page.failed:
            if not is_inline_tag(page.tree.nodes[note.node].tag):
                remove_links_back(page, &links, note)
            rewrite_note(page, note)
    return n_notes
