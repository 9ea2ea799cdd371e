# SPDX-License-Identifier: Apache-2.0
"""Reads texts beyond ASCII, and the openings of blocks; ASCII is read in texts.h."""

from thresher.native.base.characters cimport count_marks
from thresher.native.measuring.metrics cimport FLAG_BLANK, MetricsArray, next_visible
from thresher.native.parsing.reading cimport *
from thresher.native.scoring.tokens cimport Terms, next_term, start_terms


cdef extern from "scoring/texts.h" nogil:
    bint wide_texts
    bint prepare_texts() noexcept
    bint is_enough(const TextPass* read) noexcept
    const uint8_t* read_ascii(
        TextPass* read, const uint8_t* p, const uint8_t* end, const uint8_t* readable
    ) noexcept
    const uint8_t* end_of_words(const uint8_t* p, const uint8_t* end) noexcept
    void add_digit(Opening* opening, uint8_t byte) noexcept
    void end_digits(Opening* opening, uint8_t byte) noexcept
    bint take_word(const uint8_t** p, const uint8_t* end, uint64_t* word) noexcept


prepare_texts()


def use_vectors(bint wanted) -> bool:
    """Choose whether texts are read with AVX2, for tests. True if they are now."""
    global wide_texts
    wide_texts = wanted and prepare_texts()
    return wide_texts


cdef const uint8_t* read_on(
    TextPass* read, const uint8_t* p, const uint8_t* end, const uint8_t* readable
) noexcept nogil:
    """Read on until all is found that is asked for, or to the end of the text. Returns where that is: the next word.

    The memory may be read up to `readable`.
    """
    cdef const uint8_t* stop
    cdef const uint8_t* word
    cdef Terms terms
    while True:
        p = read_ascii(read, p, end, readable)
        if p == end or is_enough(read):
            return p
        stop = end_of_words(p, end)
        open_characters(read, p, stop)
        start_terms(&terms, p, stop)
        while read.n_terms < read.most_terms and next_term(&terms, read.terms + read.n_terms):
            read.n_terms += 1
        if read.n_words < read.most_words:
            word = p
            while read.n_words < read.most_words and take_word(&word, stop, read.words + read.n_words):
                read.n_words += 1
            if is_enough(read):
                stop = word
        count_marks(p, stop, readable, &read.marks, &read.commas)
        p = stop


cdef void open_characters(TextPass* read, const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Continue with the first characters of a block."""
    cdef Opening* opening = &read.opening
    cdef uint8_t byte
    while p < end and opening.characters < read.most_characters:
        byte = p[0]
        p += 1
        if c"0" <= byte <= c"9":
            add_digit(opening, byte)
            continue
        end_digits(opening, byte)
        if byte <= c" ":
            byte = c" "
            if opening.previous == c" ":
                continue
        elif c"A" <= byte <= c"Z":
            opening.capitals += 1
        elif byte & 0xC0 == 0x80:       # the rest of a character
            if (
                (opening.previous == 0xC3 and 0x80 <= byte <= 0x9E)         # À to Þ
                or (opening.previous == 0xCE and 0x91 <= byte <= 0xA9)      # Α to Ω
                or (opening.previous == 0xD0 and 0x80 <= byte <= 0xAF)      # Ѐ to Я
            ):
                opening.capitals += 1
            opening.previous = byte
            continue
        opening.characters += 1
        opening.previous = byte


cdef void open_block(
    Opening* opening, const Tree* tree, const MetricsArray* metrics, const Block* block
) noexcept nogil:
    """Read the first characters of a block."""
    cdef TextPass read
    cdef Slice text
    cdef uint32_t n = block.start
    start_pass(&read, MAX_OPENING, 0, 0)
    while n < block.end and not is_enough(&read):
        if tree.nodes[n].kind == KIND_TEXT and not metrics.nodes[n].flags & FLAG_BLANK:
            text = text_of(tree, n)
            read_on(&read, text.data, text.data + text.length, readable_end(tree, tree.nodes[n].start))
        n = next_visible(tree, metrics, n + 1, block.end)
    end_number(&read.opening)
    opening[0] = read.opening
