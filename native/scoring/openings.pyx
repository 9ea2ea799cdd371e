# SPDX-License-Identifier: Apache-2.0
"""Read the first characters of blocks; see openings.pxd."""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.measuring.blocks cimport Block
from thresher.native.measuring.metrics cimport FLAG_BLANK, MetricsArray, next_visible
from thresher.native.parsing.document cimport KIND_TEXT, Slice, Tree, readable_end, slice_at


cdef extern from "scoring/openings.h" nogil:
    uint32_t count_opening(
        const uint8_t* p, const uint8_t* end, const uint8_t* readable, uint32_t most, uint32_t* characters,
        uint32_t* capitals, int* blank
    ) noexcept


cdef void read_opening(
    Opening* opening, const uint8_t* p, const uint8_t* end, const uint8_t* readable
) noexcept nogil:
    """Continue with more text of a block. Its memory may be read up to `readable`."""
    cdef uint8_t byte
    cdef uint32_t counted
    cdef int blank
    while p < end and opening.characters < MAX_OPENING:
        byte = p[0]
        if opening.length == 0 and byte < 0x80 and not c"0" <= byte <= c"9":    # most text
            blank = opening.previous == c" "
            counted = count_opening(
                p, end, readable, MAX_OPENING - opening.characters, &opening.characters, &opening.capitals, &blank
            )
            if counted:
                p += counted
                opening.previous = c" " if blank else (p - 1)[0]
                opening.before_pair = False
                continue
        p += 1
        if c"0" <= byte <= c"9":
            opening.digits += 1
            opening.number = (opening.number * 10 + byte - c"0") if opening.length < 5 else 0
            opening.length += 1
            if opening.before_pair and opening.length == 2:
                opening.date = True
        else:
            if opening.length:
                end_number(opening)
                opening.before_pair = opening.length <= 2 and (byte == c":" or byte == c"." or byte == c"h")
                opening.length = opening.number = 0
            else:
                opening.before_pair = False
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
    cdef Slice text
    cdef uint32_t n = block.start
    start_opening(opening)
    while n < block.end and opening.characters < MAX_OPENING:
        if tree.nodes[n].kind == KIND_TEXT and not metrics.nodes[n].flags & FLAG_BLANK:
            text = slice_at(tree, tree.nodes[n].start, tree.nodes[n].length)
            read_opening(opening, text.data, text.data + text.length, readable_end(tree, tree.nodes[n].start))
        n = next_visible(tree, metrics, n + 1, block.end)
    end_number(opening)
