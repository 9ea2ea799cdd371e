# SPDX-License-Identifier: Apache-2.0
"""Compares the headings of a page with its title."""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.measuring.blocks cimport BLOCK_HEADING_1, BLOCK_HEADING_3, Block, BlockArray
from thresher.native.measuring.metrics cimport FLAG_BLANK, FLAG_HIDDEN, MetricsArray
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport TAG_TITLE
from thresher.native.scoring.tokens cimport HASH_START, HASH_STEP


cdef enum:
    MAX_TITLE_WORDS = 32


cdef uint32_t find_title(const Tree* tree, uint32_t head) noexcept nogil:
    """The text node of the head's title; 0 if there is none."""
    cdef uint32_t n
    for n in range(head + 1, tree.nodes[head].end):
        if tree.nodes[n].tag == TAG_TITLE and tree.nodes[n].kind == KIND_ELEMENT and n + 1 < tree.nodes[n].end:
            return n + 1
    return 0


cdef uint32_t words_in(
    uint32_t* words, uint32_t n_words, const Tree* tree, uint32_t node, const uint32_t* wanted, uint32_t n_wanted,
    uint32_t* n_found,
) noexcept nogil:
    """Hash the words of a text node. Returns `n_words` plus their number.

    With `wanted`, adds the number of words found in it to n_found. Without, appends the words to `words`, up to
    MAX_TITLE_WORDS.
    """
    cdef:
        Slice text = text_of(tree, node)
        const uint8_t* p = text.data
        const uint8_t* end = p + text.length
        uint32_t value = <uint32_t> HASH_START, i
        uint32_t length = 0     # bytes of the word so far
        uint8_t byte
        bint inside, whole, was_whole = False
    while p <= end:
        byte = p[0] if p < end else <uint8_t> 0x20
        whole = byte >= 0xE3 and byte < 0xF8        # Chinese, Japanese and similar: a word by itself
        inside = byte >= 0x80 or 0x30 <= byte <= 0x39 or 0x61 <= (byte | 0x20) <= 0x7A
        if length > 0 and (not inside or whole or (byte & 0xC0 != 0x80 and was_whole)):
            if wanted == NULL:
                if n_words < MAX_TITLE_WORDS:
                    words[n_words] = value
                    n_words += 1
            else:
                n_words += 1
                for i in range(n_wanted):
                    if wanted[i] == value:
                        n_found[0] += 1
                        break
            value = <uint32_t> HASH_START
            length = 0
            was_whole = False
        if inside:
            value = (value ^ (byte | 0x20 if byte < 0x80 else byte)) * <uint32_t> HASH_STEP
            length += 1
            was_whole = was_whole or whole
        p += 1
    return n_words


cdef uint32_t find_headline(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks
) noexcept nogil:
    """The heading that has most words of the title, otherwise the first h1; NO_BLOCK if there is neither."""
    cdef:
        uint32_t[MAX_TITLE_WORDS] wanted
        uint32_t n_wanted = 0, b, n, n_words, n_found, headline = NO_BLOCK, first = NO_BLOCK
        uint32_t title = find_title(tree, blocks.head) if blocks.head else 0
        const Block* block
        double score, best = 0.5
    if title:
        n_wanted = words_in(wanted, 0, tree, title, NULL, 0, &n_found)
    for b in range(blocks.n_blocks):
        block = blocks.blocks + b
        if not BLOCK_HEADING_1 <= block.kind <= BLOCK_HEADING_3:
            continue
        if first == <uint32_t> NO_BLOCK and block.kind == BLOCK_HEADING_1:
            first = b
        if n_wanted == 0 or block.words > 2 * MAX_TITLE_WORDS:
            continue
        n_words = 0
        n_found = 0
        for n in range(block.start, block.end):
            if tree.nodes[n].kind == KIND_TEXT and not metrics.nodes[n].flags & (FLAG_HIDDEN | FLAG_BLANK):
                n_words = words_in(NULL, n_words, tree, n, wanted, n_wanted, &n_found)
        if n_words == 0:
            continue
        # The share of its words in the title times the share of the title in it, with a bonus for a first-level
        # heading.
        score = <double> n_found / n_words * min(n_found, n_wanted) / n_wanted
        score *= 3.0 if block.kind == BLOCK_HEADING_1 else 2.0
        if score > best:
            best = score
            headline = b
    return headline if headline != <uint32_t> NO_BLOCK else first
