# SPDX-License-Identifier: Apache-2.0
"""Recognises labels of advertisements, notices and lists of other pages by their words, and finds where they end."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from thresher.native.base.characters cimport is_space
from thresher.native.base.word_table cimport WordTable, fill_words, value_of_word
from thresher.native.measuring.blocks cimport *
from thresher.native.measuring.metrics cimport MetricsArray, NodeMetrics, next_visible
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport *

from thresher.native.measuring import furniture_words


cdef enum:
    MAX_LABEL_WORDS = 12
    MAX_NOTICE_WORDS = 60
    MAX_START = 96          # bytes of a block that are read
    MAX_LINKS = 12          # behind the headline of a list of other pages,
    MAX_LINK_WORDS = 30     # each of so many words
    MAX_ITEM_WORDS = 80     # of a link with what is said of the page that it leads to
    MAX_ITEM_BLOCKS = 40
    MAX_LIST_BLOCKS = 120   # of all items of a list
    LEAST_TITLE = 3         # words of the link of an item
    PROSE = 15              # words of a block of prose
    ARTICLE = 100           # words of prose side by side before a list of items; of a page with a box for an address
    MAX_SIGN_UP = 60        # words of a box with a field for an address
    MAX_FIELDS = 3          # of such a box,
    MAX_BOX_NODES = 400     # and its nodes
    MAX_LEVELS = 8          # elements around a block that are looked at
    FIRST = 4               # bytes by which most blocks are told apart from all rows,
    LONG_FIRST = 8          # and from rows that may begin a longer text

cdef enum:
    LABELLED = SAYS_ADVERTISEMENT | SAYS_RELATED | SAYS_MORE
    BEGUN = SAYS_NOTICE | SAYS_CALL | SAYS_WALL | SAYS_CONTINUE

cdef WordTable LABELS
cdef WordTable ALSO
cdef WordTable NOTICES
cdef WordTable CALLS
cdef WordTable WALLS
cdef WordTable CONTINUES
cdef WordTable ACCOUNTS
cdef WordTable ACCOUNT_ADDRESSES
cdef uint8_t[1 << 13] FIRSTS        # by a hash of how a row begins: what it may say
cdef uint8_t[1 << 13] LONG_FIRSTS   # the same of BEGUN, by more bytes


cdef inline uint8_t* first_of(const uint8_t* start) noexcept nogil:
    """The place in FIRSTS for FIRST bytes, the same for both cases of ASCII letters."""
    cdef uint32_t word
    memcpy(&word, start, FIRST)
    return &FIRSTS[((word | 0x20202020) * <uint32_t> 2654435761) >> 19]


cdef inline uint8_t* long_first_of(const uint8_t* start) noexcept nogil:
    """The place in LONG_FIRSTS for LONG_FIRST bytes."""
    cdef uint64_t word
    memcpy(&word, start, LONG_FIRST)
    return &LONG_FIRSTS[((word | <uint64_t> 0x2020202020202020) * <uint64_t> 0x9E3779B97F4A7C15) >> 51]


cdef int note_firsts(uint8_t said, list rows) except -1:
    """Record how rows begin that say something."""
    cdef bytes text
    for row in rows:
        text = row.encode()
        if len(text) < (LONG_FIRST if said & BEGUN else FIRST):
            raise ValueError(f"a row of too few bytes: {row}")
        first_of(<const uint8_t*> <const char*> text)[0] |= said
        if said & BEGUN:
            long_first_of(<const uint8_t*> <const char*> text)[0] |= said
    return 0


cdef int fill_beginnings(WordTable* table, uint8_t said, list rows) except -1:
    """Fill a table of how texts begin."""
    note_firsts(said, rows)
    return fill_words(table, {said: [f"{row}*" for row in rows]})


cdef int fill_tables() except -1:
    """Fill the tables from furniture_words.py."""
    labels = {
        SAYS_ADVERTISEMENT: furniture_words.ADVERTISEMENT, SAYS_RELATED: furniture_words.RELATED,
        SAYS_MORE: furniture_words.MORE,
    }
    for said, rows in labels.items():
        note_firsts(said, rows)
    fill_words(&LABELS, labels)
    fill_beginnings(&ALSO, SAYS_ALSO, furniture_words.ALSO)
    fill_beginnings(&NOTICES, SAYS_NOTICE, furniture_words.NOTICE)
    fill_beginnings(&CALLS, SAYS_CALL, furniture_words.CALL)
    walls = {SAYS_WALL: furniture_words.WALL, SAYS_LOGIN: furniture_words.LOGIN}
    note_firsts(SAYS_WALL, furniture_words.WALL + furniture_words.LOGIN)
    fill_words(&WALLS, {said: [f"{row}*" for row in rows] for said, rows in walls.items()})
    fill_beginnings(&CONTINUES, SAYS_CONTINUE, furniture_words.CONTINUE)
    fill_words(&ACCOUNTS, {1: [f"*{row}*" for row in furniture_words.ACCOUNT]})
    fill_words(&ACCOUNT_ADDRESSES, {1: [f"*{row}*" for row in furniture_words.ACCOUNT_ADDRESS]})
    return 0


fill_tables()


cdef inline bint is_sign(uint8_t byte) noexcept nogil:
    """True for ASCII punctuation and white space, which stand around a label."""
    return byte < c"0" or c":" <= byte <= c"@" or c"[" <= byte <= c"`" or c"{" <= byte <= c"~"


cdef uint32_t read_start(
    const Tree* tree, const MetricsArray* metrics, const Block* block, uint8_t* start, bint* whole
) noexcept nogil:
    """Read the beginning of a block's visible text, white space collapsed. Returns its bytes, at most MAX_START."""
    cdef Slice text
    cdef uint32_t length = 0, i, n = next_visible(tree, metrics, block.start, block.end)
    cdef bint space = False
    whole[0] = True
    while n < block.end:
        if tree.nodes[n].kind == KIND_TEXT:
            text = text_of(tree, n)
            for i in range(text.length):
                if is_space(text.data[i]):
                    space = True
                    continue
                if length + space >= MAX_START:
                    whole[0] = False
                    return length
                if space and length:
                    start[length] = c" "
                    length += 1
                space = False
                start[length] = text.data[i]
                length += 1
        n = next_visible(tree, metrics, n + 1, block.end)
    return length


cdef uint32_t what_begins(
    const Tree* tree, const Block* block, const uint8_t* start, uint32_t length, uint8_t may_say
) noexcept nogil:
    """What the beginning of a block says that it is; 0 for none. `may_say`: what a hash of it leaves possible."""
    cdef uint32_t said = 0
    if may_say & SAYS_NOTICE and value_of_word(&NOTICES, start, length):
        return SAYS_NOTICE
    if may_say & SAYS_CALL and value_of_word(&CALLS, start, length):
        return SAYS_CALL
    if may_say & SAYS_WALL:
        said = value_of_word(&WALLS, start, length)
    if (
        said == 0 and may_say & SAYS_CONTINUE and value_of_word(&CONTINUES, start, length)
        and asks_for_account(tree, block, start, length)
    ):
        return SAYS_WALL
    return said


cdef uint32_t what_it_says(const Tree* tree, const MetricsArray* metrics, const Block* block) noexcept nogil:
    """What furniture a block says that it is; 0 for none."""
    cdef Slice text = text_of(tree, block.start)
    cdef uint8_t[MAX_START] start
    cdef uint8_t* first = &start[0]
    cdef bint whole
    cdef uint8_t may_say
    cdef uint32_t said = 0, length = 0
    while length < text.length and is_sign(text.data[length]):
        length += 1
    if length + FIRST <= text.length and not first_of(text.data + length)[0]:
        return 0
    length = read_start(tree, metrics, block, first, &whole)
    while length and is_sign(first[0]):
        first += 1
        length -= 1
    if length < FIRST:
        return 0
    may_say = first_of(first)[0]
    if may_say & SAYS_ALSO and 2 * <size_t> block.link_characters >= block.characters:
        said = value_of_word(&ALSO, first, length)
    if said == 0 and may_say & BEGUN and length >= LONG_FIRST:
        said = what_begins(tree, block, first, length, long_first_of(first)[0])
    if said:
        return said
    if not may_say & LABELLED or not whole or block.words > MAX_LABEL_WORDS:
        return 0
    while is_sign(first[length - 1]):
        length -= 1
    return value_of_word(&LABELS, first, length)


cdef inline bint is_links(const Block* block) noexcept nogil:
    """True for a block that is little but links."""
    return block.words <= MAX_LINK_WORDS and 10 * <size_t> block.link_characters >= 9 * <size_t> block.characters


cdef bint asks_for_account(
    const Tree* tree, const Block* block, const uint8_t* start, uint32_t length
) noexcept nogil:
    """True if the words at the beginning of a block, unless it is a link, or the address of a link in or around it name
    a subscription or a login.
    """
    cdef Slice address
    cdef uint32_t n = block.start
    cdef int level = 0
    if not is_links(block) and value_of_word(&ACCOUNTS, start, length):
        return True
    while n and level < MAX_LEVELS and not is_html(tree.nodes + n, TAG_A):
        n = tree.nodes[n].parent
        level += 1
    if not is_html(tree.nodes + n, TAG_A):
        n = block.start
        while n < block.end and not is_html(tree.nodes + n, TAG_A):
            n += 1
        if n == block.end:
            return False
    address = first_bytes(value_in(tree, n, ATTR_HREF), MAX_START)
    return address.length > 0 and value_of_word(&ACCOUNT_ADDRESSES, address.data, address.length) != 0


cdef bint is_prose(const Block* block) noexcept nogil:
    """True for a block of a sentence or more that is hardly links."""
    return (
        block.words >= PROSE and 4 * <size_t> block.link_characters < block.characters
        and not is_heading(block)
    )


cdef inline bint is_title(const Block* block) noexcept nogil:
    """True for a link of some words."""
    return is_links(block) and block.words >= LEAST_TITLE


cdef uint32_t end_of_item(
    const MetricsArray* metrics, const BlockArray* blocks, uint32_t b, uint32_t before
) noexcept nogil:
    """The end of the item of a list of other pages that begins with a block: a link, or the largest element that begins
    behind node `before` and has few words, with a link. `b` if it is none.
    """
    cdef const Box* box = blocks.boxes + blocks.blocks[b].box
    cdef uint32_t end = b + 1 if is_links(blocks.blocks + b) else b, seen = b
    cdef bint has_title = False
    cdef int level
    for level in range(MAX_LEVELS):
        if (
            box.node <= before or metrics.nodes[box.node].words > MAX_ITEM_WORDS
            or box.end_block > b + MAX_ITEM_BLOCKS
        ):
            break
        while seen < box.end_block:
            has_title |= is_title(blocks.blocks + seen)
            seen += 1
        if has_title:
            end = max(end, box.end_block)
        box = blocks.boxes + box.parent
    return end


cdef inline bint is_other_heading(const Block* block, const Block* headline) noexcept nogil:
    """True for a heading, no link, of the level of a list's headline or above it."""
    return (
        is_heading(block) and 2 * <size_t> block.link_characters < block.characters
        and (block.kind <= BLOCK_HEADING_2 or BLOCK_HEADING_1 < headline.kind <= BLOCK_HEADING_6)
        and block.kind <= max(headline.kind, <uint8_t> BLOCK_HEADING_2)
    )


cdef uint32_t end_of_items(const MetricsArray* metrics, const BlockArray* blocks, uint32_t headline) noexcept nogil:
    """The end of the items below a headline."""
    cdef uint32_t end = headline + 1, next_end
    while end < blocks.n_blocks and end - headline <= MAX_LIST_BLOCKS:
        if is_other_heading(blocks.blocks + end, blocks.blocks + headline):
            break
        next_end = end_of_item(metrics, blocks, end, blocks.blocks[headline].start)
        if next_end == end:
            break
        end = next_end
    return end


cdef uint32_t end_of_furniture(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t b, size_t article, uint32_t* says
) noexcept nogil:
    """The end of the furniture that begins with a block: the block, and behind the headline of a list of other pages
    the items below it. `b` if the block does not say that it is furniture, else `says` is what it says. `article`: the
    most words of prose side by side before the block.
    """
    cdef const Block* block = blocks.blocks + b
    cdef uint32_t said, end = b + 1
    if block.words > MAX_NOTICE_WORDS or block.kind == BLOCK_HEADING_1:
        return b
    said = what_it_says(tree, metrics, block)
    says[0] = said
    if said == 0:
        return b
    if said & SAYS_RELATED:
        while end < blocks.n_blocks and end <= b + MAX_LINKS and is_links(blocks.blocks + end):
            end += 1
    if said & (SAYS_RELATED | SAYS_MORE) and article >= ARTICLE:
        end = max(end, end_of_items(metrics, blocks, b))
    if said & SAYS_MORE and end < b + 3:
        return b
    return end


cdef bint asks_for_address(const Tree* tree, const Box* box) noexcept nogil:
    """True if an element has a field for an address, and is no form for a message, a comment or a login, nor a part of
    a form.
    """
    cdef const Node* node
    cdef bint found = False
    cdef uint32_t n, controls = 0
    for n in range(box.node, box.end):
        node = tree.nodes + n
        if node.kind != KIND_ELEMENT or node.namespace != NS_HTML:
            continue
        if node.tag == TAG_TEXTAREA or node.tag == TAG_SELECT:
            return False
        if node.tag == TAG_INPUT and is_field(value_in(tree, n, ATTR_TYPE)):
            controls += 1
            if is_word(value_in(tree, n, ATTR_TYPE), b"password") or controls > MAX_FIELDS:
                return False
            found |= is_word(value_in(tree, n, ATTR_TYPE), b"email") or contains(
                first_bytes(value_in(tree, n, ATTR_NAME), MAX_START), b"email"
            )
    n = tree.nodes[box.node].parent
    while found and n:
        found = not is_html(tree.nodes + n, TAG_FORM)
        n = tree.nodes[n].parent
    return found


cdef inline bint is_field(Slice type) noexcept nogil:
    """True for the type of an input that is typed into."""
    return not (
        is_word(type, b"hidden") or is_word(type, b"submit") or is_word(type, b"checkbox") or is_word(type, b"button")
        or is_word(type, b"image") or is_word(type, b"radio")
    )


cdef uint32_t next_sign_up(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t number
) noexcept nogil:
    """The number of the first box from `number` on that asks for an address and says little beside, on a page that says
    more; the number of boxes if there is none.
    """
    cdef const Box* box
    cdef const NodeMetrics* page = metrics.nodes + metrics.body
    cdef size_t own = page.words - page.link_words
    while number < blocks.n_boxes:
        box = blocks.boxes + number
        if (
            box.inputs and box.first_block < box.end_block and box.end - box.node <= MAX_BOX_NODES
            and metrics.nodes[box.node].words <= MAX_SIGN_UP
            and own >= ARTICLE + 4 * <size_t> metrics.nodes[box.node].words and asks_for_address(tree, box)
        ):
            return number
        number += 1
    return number
