# SPDX-License-Identifier: Apache-2.0
"""Fingerprints of blocks; see fingerprints.pxd for what they stand for."""

import unicodedata

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from thresher.native.blocks cimport Block, BlockArray, Blocks
from thresher.native.document cimport KIND_TEXT, Document, Slice, Tree, slice_at
from thresher.native.metrics cimport FLAG_BLANK, FLAG_HIDDEN, Metrics, MetricsArray


cdef enum:
    SEED = 0x5EED
    BASIC_PLANE = 65536

# Odd, with bits as in a random number: the golden ratio in 64 bits, and the two multipliers of Stafford's 13th variant of MurmurHash3's finaliser.
cdef uint64_t STEP = 0x9E3779B97F4A7C15
cdef uint64_t FIRST_MIX = 0xBF58476D1CE4E5B9
cdef uint64_t SECOND_MIX = 0x94D049BB133111EB

cdef uint16_t[BASIC_PLANE] LETTER    # of each character its letter in lower case; 0 where it is no letter


def _letter_of(code_point: int) -> int:
    """What is left of a character of the basic multilingual plane: the letter in lower case, a mark as it is, 0 for the rest."""
    character = chr(code_point)
    category = unicodedata.category(character)
    if category in ("Mn", "Mc"):
        return 0 if 0xFE00 <= code_point <= 0xFE0F or code_point == 0x034F else code_point
    if category[0] != "L":
        return 0
    for folded in (character.casefold(), character.lower()):
        if len(folded) == 1 and ord(folded) < BASIC_PLANE:
            return ord(folded)
    return code_point


cdef void _fill_table():
    """Fills the table; some 25 ms, once, on import."""
    cdef uint32_t code_point
    for code_point in range(BASIC_PLANE):
        LETTER[code_point] = _letter_of(code_point)


_fill_table()


cdef inline uint32_t letter_beyond_plane(uint32_t code_point) noexcept nogil:
    """As LETTER for what lies above U+FFFF: emoji, musical notation and tags are no letters, the rest is kept as it is."""
    if 0x1F000 <= code_point < 0x1FBF0 or 0x1D000 <= code_point < 0x1D400 or code_point >= 0xE0000:
        return 0
    return code_point


cdef uint64_t add_text(uint64_t state, const uint8_t* text, uint32_t length) noexcept nogil:
    """The state of a fingerprint after this text, which may be a part of a block's. Malformed bytes are skipped."""
    cdef:
        const uint8_t* p = text
        const uint8_t* end = text + length
        uint32_t lead, letter
    while p < end:
        lead = p[0]
        if lead < 0x80:
            letter = LETTER[lead]
            p += 1
        elif 0xE0 <= lead < 0xF0 and end - p >= 3:
            letter = LETTER[((lead & 0x0F) << 12) | ((p[1] & 0x3F) << 6) | (p[2] & 0x3F)]
            p += 3
        elif 0xC2 <= lead < 0xE0 and end - p >= 2:
            letter = LETTER[((lead & 0x1F) << 6) | (p[1] & 0x3F)]
            p += 2
        elif 0xF0 <= lead < 0xF5 and end - p >= 4:
            letter = letter_beyond_plane(((lead & 0x07) << 18) | ((p[1] & 0x3F) << 12) | ((p[2] & 0x3F) << 6) | (p[3] & 0x3F))
            p += 4
        else:
            letter = 0
            p += 1
        if letter:
            # For a given letter each of these steps can be undone: two texts can only meet where they differ.
            state = (state ^ letter) * STEP
            state ^= state >> 32
    return state


cdef inline uint64_t finish(uint64_t state) noexcept nogil:
    """The fingerprint, 0 only for a text without letters."""
    if state == SEED:
        return 0
    state = (state ^ (state >> 30)) * FIRST_MIX
    state = (state ^ (state >> 27)) * SECOND_MIX
    state ^= state >> 31
    return state if state else 1


cdef void fingerprint_blocks(uint64_t* fingerprints, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks) noexcept nogil:
    """Fills in one fingerprint for each block."""
    cdef const Block* block
    cdef uint32_t b, n
    cdef uint64_t state
    cdef Slice text
    for b in range(blocks.n_blocks):
        block = blocks.blocks + b
        state = SEED
        n = block.start
        while n < block.end:
            if metrics.nodes[n].flags & FLAG_HIDDEN:
                n = tree.nodes[n].end
                continue
            if tree.nodes[n].kind == KIND_TEXT and not metrics.nodes[n].flags & FLAG_BLANK:
                text = slice_at(tree, tree.nodes[n].start, tree.nodes[n].length)
                state = add_text(state, text.data, text.length)
            n += 1
        fingerprints[b] = finish(state)


def fingerprint(bytes text not None) -> int:
    """The fingerprint of UTF-8 text, as that of a block with this text."""
    return <int64_t> finish(add_text(SEED, text, <uint32_t> min(len(text), 0x7FFFFFFF)))


def block_fingerprints(Document document not None, Metrics metrics not None, Blocks blocks not None) -> bytes:
    """The fingerprints of a page's blocks: signed 64-bit integers of the machine's byte order, one for each block."""
    cdef bytes found
    cdef uint64_t* place
    if metrics.array.n_nodes != document.tree.n_nodes:
        raise ValueError("the metrics are of another document")
    found = PyBytes_FromStringAndSize(NULL, blocks.array.n_blocks * sizeof(uint64_t))
    place = <uint64_t*> PyBytes_AS_STRING(found)
    with nogil:
        fingerprint_blocks(place, &document.tree, &metrics.array, &blocks.array)
    return found
