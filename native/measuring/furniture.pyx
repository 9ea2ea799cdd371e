# SPDX-License-Identifier: Apache-2.0
"""Recognises labels of advertisements, notices and lists of other pages by their words, and finds where they end."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcpy

from thresher.native.base.characters cimport is_space
from thresher.native.base.word_table cimport WordTable, fill_words, value_of_word
from thresher.native.measuring.blocks cimport BLOCK_HEADING_1, Block, BlockArray
from thresher.native.measuring.metrics cimport MetricsArray, next_visible
from thresher.native.parsing.reading cimport *

from thresher.native.measuring import furniture_words


cdef enum:
    MAX_LABEL_WORDS = 12
    MAX_NOTICE_WORDS = 60
    MAX_START = 96          # bytes of a block that are read
    MAX_LINKS = 12          # behind the headline of a list of other pages,
    MAX_LINK_WORDS = 30     # each of so many words
    FIRST = 4               # bytes by which most blocks are told apart from all rows

cdef enum Says:
    SAYS_ADVERTISEMENT = 1
    SAYS_RELATED = 2
    SAYS_ALSO = 4
    SAYS_NOTICE = 8

cdef WordTable LABELS
cdef WordTable ALSO
cdef WordTable NOTICES
fill_words(&LABELS, {SAYS_ADVERTISEMENT: furniture_words.ADVERTISEMENT, SAYS_RELATED: furniture_words.RELATED})
fill_words(&ALSO, {SAYS_ALSO: [f"{row}*" for row in furniture_words.ALSO]})
fill_words(&NOTICES, {SAYS_NOTICE: [f"{row}*" for row in furniture_words.NOTICE]})
cdef uint8_t[1 << 13] FIRSTS     # by a hash of how a row begins: what it may say


cdef inline uint8_t* first_of(const uint8_t* start) noexcept nogil:
    """The place in FIRSTS for FIRST bytes, the same for both cases of ASCII letters."""
    cdef uint32_t word
    memcpy(&word, start, FIRST)
    return &FIRSTS[((word | 0x20202020) * <uint32_t> 2654435761) >> 19]


cdef int note_firsts(uint8_t said, list rows) except -1:
    """Record how rows begin that say something."""
    cdef bytes text
    for row in rows:
        text = row.encode()
        if len(text) < FIRST:
            raise ValueError(f"a row of less than {FIRST} bytes: {row}")
        first_of(<const uint8_t*> <const char*> text)[0] |= said
    return 0


note_firsts(SAYS_ADVERTISEMENT, furniture_words.ADVERTISEMENT)
note_firsts(SAYS_RELATED, furniture_words.RELATED)
note_firsts(SAYS_ALSO, furniture_words.ALSO)
note_firsts(SAYS_NOTICE, furniture_words.NOTICE)


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
    if said == 0 and may_say & SAYS_NOTICE:
        said = value_of_word(&NOTICES, first, length)
    if said:
        return said
    if not may_say & (SAYS_ADVERTISEMENT | SAYS_RELATED) or not whole or block.words > MAX_LABEL_WORDS:
        return 0
    while is_sign(first[length - 1]):
        length -= 1
    return value_of_word(&LABELS, first, length)


cdef inline bint is_links(const Block* block) noexcept nogil:
    """True for a block that is little but links."""
    return block.words <= MAX_LINK_WORDS and 10 * <size_t> block.link_characters >= 9 * <size_t> block.characters


cdef uint32_t end_of_furniture(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t b
) noexcept nogil:
    """The end of the furniture that begins with a block: the block, and behind the headline of a list of other pages the
    links directly below it. `b` if the block does not say that it is furniture.
    """
    cdef const Block* block = blocks.blocks + b
    cdef uint32_t said, end = b + 1
    if block.words > MAX_NOTICE_WORDS or block.kind == BLOCK_HEADING_1:
        return b
    said = what_it_says(tree, metrics, block)
    if said == 0:
        return b
    if said & SAYS_RELATED:
        while end < blocks.n_blocks and end <= b + MAX_LINKS and is_links(blocks.blocks + end):
            end += 1
    return end
