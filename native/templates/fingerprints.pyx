# SPDX-License-Identifier: Apache-2.0
"""Fingerprints: a 64-bit number for the normalised text of each block, used to count templates over pages; and the
runs of words by which near copies are found.

Normalisation follows Sluban and Grčar (2013, section 4): letters only, in lower case, so "Page 3 of 17" and "page 4 of
20" are equal. Letters of any script are kept, with the marks that belong to them (vowel signs, accents). Digits,
punctuation, symbols, white space and invisible characters (joiners, variation selectors) are dropped. Case folding maps
one character to one, so lengths never change.

A text without letters has the fingerprint 0, because equal columns of figures on two pages do not make a template.
"""

import unicodedata

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from thresher.native.base.arrays cimport new_array
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.hash_table cimport NEW_KEY, HashTable, enter_key, free_table
from thresher.native.measuring.blocks cimport Block, BlockArray, Blocks, require_blocks_of
from thresher.native.base.characters cimport is_space
from thresher.native.parsing.document cimport Document
from thresher.native.parsing.reading cimport *
from thresher.native.measuring.metrics cimport FLAG_BLANK, Metrics, MetricsArray, next_visible


cdef enum:
    SEED = 0x5EED
    BASIC_PLANE = 65536
    # from here on each letter is a word (CJK, Kana, Hangul), which is close enough for shingles
    WIDE_SCRIPTS = 0x2E80
    SHINGLE = 4                 # words of a shingle
    BANDS = 5
    BAND = 14                   # minima of a band
    HELD = 252                  # units of 16 bits
    MIN_SHINGLES = 2 * BANDS * BAND     # shorter texts are compared only as a whole

# Odd constants with random-looking bits: the golden ratio in 64 bits, and the two multipliers of Stafford's 13th
# variant of MurmurHash3's finaliser.
cdef uint64_t STEP = 0x9E3779B97F4A7C15
cdef uint64_t FIRST_MIX = 0xBF58476D1CE4E5B9
cdef uint64_t SECOND_MIX = 0x94D049BB133111EB
cdef uint64_t EMPTY = <uint64_t> -1     # the minimum of a bin without a shingle

cdef uint16_t[BASIC_PLANE] LETTER    # for each character its lower-case letter; 0 if it is not a letter


def _letter_of(code_point: int) -> int:
    """The normal form of a character of the basic multilingual plane: a letter in lower case, a mark unchanged, 0 for
    all others.
    """
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
    """Fill the table once, on import, in 3 ms. Long runs of caseless letters and of non-letters need no look-up."""
    cdef uint32_t code_point
    for code_point in range(BASIC_PLANE):
        # Han, Hangul
        if 0x3400 <= code_point < 0x4DB6 or 0x4E00 <= code_point < 0x9FA6 or 0xAC00 <= code_point < 0xD7A4:
            LETTER[code_point] = <uint16_t> code_point
        elif 0xD800 <= code_point < 0xF900:     # surrogates, private use
            LETTER[code_point] = 0
        else:
            LETTER[code_point] = _letter_of(code_point)


_fill_table()


cdef inline uint32_t letter_beyond_plane(uint32_t code_point) noexcept nogil:
    """The folded letter for a character above U+FFFF. Emoji, musical notation and tags are not letters; others are
    unchanged.
    """
    if 0x1F000 <= code_point < 0x1FBF0 or 0x1D000 <= code_point < 0x1D400 or code_point >= 0xE0000:
        return 0
    return code_point


cdef inline uint32_t next_letter(const uint8_t** position, const uint8_t* end) noexcept nogil:
    """The folded letter at a position before `end`; 0 if the character is not a letter. Moves the position past the
    character.

    A malformed byte is not a letter.
    """
    cdef:
        const uint8_t* p = position[0]
        uint32_t lead = p[0]
    if lead < 0x80:
        position[0] = p + 1
        return LETTER[lead]
    if 0xE0 <= lead < 0xF0 and end - p >= 3:
        position[0] = p + 3
        return LETTER[((lead & 0x0F) << 12) | ((p[1] & 0x3F) << 6) | (p[2] & 0x3F)]
    if 0xC2 <= lead < 0xE0 and end - p >= 2:
        position[0] = p + 2
        return LETTER[((lead & 0x1F) << 6) | (p[1] & 0x3F)]
    if 0xF0 <= lead < 0xF5 and end - p >= 4:
        position[0] = p + 4
        return letter_beyond_plane(((lead & 0x07) << 18) | ((p[1] & 0x3F) << 12) | ((p[2] & 0x3F) << 6) | (p[3] & 0x3F))
    position[0] = p + 1
    return 0


cdef struct Running:        # a fingerprint in progress
    uint64_t state
    uint32_t n_units        # letters mixed so far, in units of 16 bits; a letter beyond U+FFFF has two
    uint32_t n_held
    uint16_t[HELD + 4] held # letters not yet mixed


cdef void mix_held(Running* running) noexcept nogil:
    """Mix the held letters, four units at a time; up to three stay."""
    cdef uint32_t k, n = running.n_held & ~<uint32_t> 3
    cdef uint64_t state = running.state, units
    THRESHER_CHECK(running.n_held <= HELD)
    for k in range(0, n, 4):
        memcpy(&units, running.held + k, sizeof(uint64_t))
        # Each step can be undone, so two texts of one length collide only where they differ.
        state = (state ^ units) * STEP
        state ^= state >> 32
    running.state = state
    running.n_units += n
    memcpy(running.held, running.held + n, 4 * sizeof(uint16_t))
    running.n_held -= n


cdef void add_text(Running* running, const uint8_t* text, uint32_t length) noexcept nogil:
    """Add a part of a block's text. Malformed bytes are skipped.

    Every character is written to the buffer, but the position advances only for letters. A branch per character would
    take half of the time, because processors cannot predict where words end.
    """
    cdef:
        const uint8_t* p = text
        const uint8_t* end = text + length
        const uint8_t* stop
        uint32_t letter, n
    while p < end:
        if running.n_held + 2 >= HELD:
            mix_held(running)
        n = running.n_held
        stop = min(end, p + (HELD - n - 1))
        while p < stop and p[0] < 0x80:
            running.held[n] = LETTER[p[0]]
            n += LETTER[p[0]] != 0
            p += 1
        if p < stop:
            letter = next_letter(&p, end)
            if letter >= BASIC_PLANE:
                running.held[n] = <uint16_t> (letter >> 16)
                n += 1
            running.held[n] = <uint16_t> letter
            n += letter != 0
        running.n_held = n


cdef inline void start(Running* running) noexcept nogil:
    running.state = SEED
    running.n_units = 0
    running.n_held = 0


cdef inline uint64_t finish(Running* running) noexcept nogil:
    """The fingerprint, 0 only for a text without letters."""
    cdef uint64_t state, units = 0
    mix_held(running)
    running.n_units += running.n_held
    if running.n_units == 0:
        return 0
    memcpy(&units, running.held, running.n_held * sizeof(uint16_t))
    state = (running.state ^ units) * STEP + running.n_units
    state = (state ^ (state >> 30)) * FIRST_MIX
    state = (state ^ (state >> 27)) * SECOND_MIX
    state ^= state >> 31
    return state if state else 1


cdef void fingerprint_blocks(
    uint64_t* fingerprints, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks
) noexcept nogil:
    """Compute the fingerprint of each block."""
    cdef const Block* block
    cdef uint32_t b, n
    cdef Running running
    cdef Slice text
    for b in range(blocks.n_blocks):
        block = blocks.blocks + b
        start(&running)
        n = next_visible(tree, metrics, block.start, block.end)
        while n < block.end:
            if tree.nodes[n].kind == KIND_TEXT and not metrics.nodes[n].flags & FLAG_BLANK:
                text = text_of(tree, n)
                add_text(&running, text.data, text.length)
            n = next_visible(tree, metrics, n + 1, block.end)
        fingerprints[b] = finish(&running)


def fingerprint(bytes text not None) -> int:
    """The fingerprint of UTF-8 text, equal to that of a block with this text."""
    cdef Running running
    start(&running)
    add_text(&running, text, <uint32_t> min(len(text), 0x7FFFFFFF))
    return <int64_t> finish(&running)


def block_fingerprints(Document document not None, Metrics metrics not None, Blocks blocks not None) -> bytes:
    """The fingerprints of a page's blocks: signed 64-bit integers of the machine's byte order, one for each block."""
    cdef bytes found
    cdef uint64_t* place
    require_blocks_of(document, &metrics.array, &blocks.array)
    found = PyBytes_FromStringAndSize(NULL, blocks.array.n_blocks * sizeof(uint64_t))
    place = <uint64_t*> PyBytes_AS_STRING(found)
    fingerprint_blocks(place, &document.tree, &metrics.array, &blocks.array)
    return found


cdef inline uint64_t mixed(uint64_t value) noexcept nogil:
    """The value with its bits mixed, one to one."""
    value = (value ^ (value >> 30)) * FIRST_MIX
    value = (value ^ (value >> 27)) * SECOND_MIX
    return value ^ (value >> 31)


def mix(one: int, other: int) -> int:
    """A number for a pair of numbers, all signed 64-bit."""
    return <int64_t> mixed(<uint64_t> <int64_t> one * STEP + mixed(<uint64_t> <int64_t> other))


def node_keys(bytes fingerprints not None, node: int, *, bint distinct=False) -> bytes:
    """A signed 64-bit number for each fingerprint at this node of the URL tree; 0 for the fingerprint 0.

    The result is in the order of the fingerprints. With `distinct`, zeros and repeats are left out, in order of first
    occurrence. Counting these numbers counts fingerprints by node.
    """
    cdef Py_ssize_t n = len(fingerprints) // sizeof(uint64_t), i, kept = 0
    cdef const uint64_t* source = <const uint64_t*> <const char*> fingerprints
    cdef bytes found = PyBytes_FromStringAndSize(NULL, n * sizeof(uint64_t))
    cdef uint64_t* keys = <uint64_t*> PyBytes_AS_STRING(found)
    cdef uint64_t start = mixed(<uint64_t> <int64_t> node), key
    cdef HashTable seen
    cdef uint32_t index
    cdef int entered = 0
    if not distinct:
        with nogil:
            for i in range(n):
                keys[i] = mixed(source[i] * STEP + start) if source[i] else 0
        return found
    memset(&seen, 0, sizeof(HashTable))
    with nogil:
        for i in range(n):
            key = mixed(source[i] * STEP + start) if source[i] else 0
            if key == 0:
                continue
            entered = enter_key(&seen, key, 0, &index)
            if entered < 0:
                break
            if entered == NEW_KEY:
                keys[kept] = key
                kept += 1
    free_table(&seen)
    if entered < 0:
        raise MemoryError(f"no memory for {n} keys")
    return found[:kept * sizeof(uint64_t)]


def block_sizes(Blocks blocks not None) -> bytes:
    """The characters of each block: signed 32-bit integers of the machine's byte order."""
    cdef uint32_t b
    cdef bytes found
    cdef int32_t* sizes
    if blocks.owner is not None:
        blocks.owner.require_idle()
    found = PyBytes_FromStringAndSize(NULL, blocks.array.n_blocks * sizeof(int32_t))
    sizes = <int32_t*> PyBytes_AS_STRING(found)
    for b in range(blocks.array.n_blocks):
        sizes[b] = <int32_t> min(blocks.array.blocks[b].characters, <uint32_t> 0x7FFFFFFF)
    return found


def block_excerpts(Document document not None, Metrics metrics not None, Blocks blocks not None, int length) -> bytes:
    """The beginning of each block's text, at most `length` bytes of UTF-8 with white space collapsed, each followed by
    a newline.
    """
    cdef:
        const Tree* tree = &document.tree
        const uint8_t* p
        const uint8_t* end
        const uint8_t* stop
        const uint8_t* word
        uint32_t b, n
        int written
        bint space
        Slice text
        uint8_t* start
        uint8_t* out
    require_blocks_of(document, &metrics.array, &blocks.array)
    if length < 1:
        raise ValueError(f"an excerpt of {length} bytes")
    start = out = <uint8_t*> new_array(<size_t> blocks.array.n_blocks + 1, <size_t> length + 1)
    if out == NULL:
        raise MemoryError(f"no memory for the beginnings of {blocks.array.n_blocks} blocks")
    for b in range(blocks.array.n_blocks):
        n = blocks.array.blocks[b].start
        written = 0
        space = False
        while n < blocks.array.blocks[b].end and written < length:
            if tree.nodes[n].kind == KIND_TEXT:
                text = text_of(tree, n)
                p = text.data
                end = p + text.length
                while p < end and written < length:
                    if is_space(p[0]):
                        space = written > 0
                        p += 1
                        continue
                    if space and written < length - 1:
                        out[0] = c" "
                        out += 1
                        written += 1
                    space = False
                    stop = p + min(end - p, <Py_ssize_t> (length - written))
                    word = p
                    while p < stop and not is_space(p[0]):
                        p += 1
                    memcpy(out, word, p - word)
                    out += p - word
                    written += <int> (p - word)
                if p < end and (p[0] & 0xC0) == 0x80:       # in the middle of a character
                    while written and ((out - 1)[0] & 0xC0) == 0x80:
                        out -= 1
                        written -= 1
                    if written:
                        out -= 1
                        written -= 1
                    written = length
            n = next_visible(tree, &metrics.array, n + 1, blocks.array.blocks[b].end)
        THRESHER_CHECK(written <= length)
        out[0] = c"\n"
        out += 1
    try:
        return PyBytes_FromStringAndSize(<const char*> start, out - start)
    finally:
        free(start)


cdef void add_shingle(uint64_t shingle, uint64_t* minima) noexcept nogil:
    """One-permutation MinHash: the high bits of a shingle choose a bin, and the bin keeps its smallest shingle (Li,
    Owen and Zhang 2012).
    """
    cdef uint64_t bin = ((shingle >> 32) * (BANDS * BAND)) >> 32
    minima[bin] = min(minima[bin], shingle)


def near_duplicate_marks(bytes text not None) -> list[int]:
    """Five numbers, of which two nearly equal texts share at least one; none for a text of fewer than 140 shingles.

    MinHash over runs of four words (letters only, in lower case): 70 minima in five bands of 14, one number per band.
    Two texts share a number with probability .96 if they have .95 of their shingles in common; .73 at .9, .2 at .8, .03
    at .7, and practically never at half.
    """
    cdef:
        const uint8_t* p = text
        const uint8_t* end = p + len(text)
        uint64_t word = SEED, letters = 0, shingle
        uint64_t[SHINGLE] last
        uint64_t[BANDS * BAND] minima
        uint32_t letter, n_letters = 0, n_words = 0, n_shingles = 0, band, k
        bint ends
    memset(minima, 0xFF, sizeof(minima))
    with nogil:
        while True:
            letter = 0
            if p < end:
                letter = next_letter(&p, end)
                ends = letter == 0 or letter >= WIDE_SCRIPTS
            else:
                ends = True
            if letter:
                letters |= <uint64_t> letter << 16 * (n_letters & 3)
                n_letters += 1
            # Mix four letters at a time, and the rest at the end of a word.
            if n_letters and (ends or (n_letters & 3) == 0) and letters:
                word = (word ^ letters) * STEP
                word ^= word >> 32
                letters = 0
            if ends and n_letters:
                last[n_words % SHINGLE] = word
                n_words += 1
                word = SEED
                n_letters = 0
                if n_words >= SHINGLE:
                    # A different odd factor for each place makes the order count. Mixing once costs a quarter of mixing
                    # after each word.
                    shingle = last[n_words % SHINGLE]
                    shingle += last[(n_words + 1) % SHINGLE] * STEP
                    shingle += last[(n_words + 2) % SHINGLE] * FIRST_MIX
                    shingle += last[(n_words + 3) % SHINGLE] * SECOND_MIX
                    add_shingle(mixed(shingle), minima)
                    n_shingles += 1
            if p >= end and letter == 0:
                break
        # A bin without a shingle takes the minimum of the next bin with one; after the last bin comes the first. Equal
        # texts do so in the same bins.
        k = 2 * BANDS * BAND
        while k > 0 and n_shingles >= MIN_SHINGLES:
            k -= 1
            if minima[k % (BANDS * BAND)] == EMPTY and minima[(k + 1) % (BANDS * BAND)] != EMPTY:
                minima[k % (BANDS * BAND)] = minima[(k + 1) % (BANDS * BAND)] + 1
    if n_shingles < MIN_SHINGLES:
        return []
    found = []
    for band in range(BANDS):
        shingle = band + 1
        for k in range(BAND):
            shingle = mixed(shingle * STEP + minima[band * BAND + k])
        found.append(<int64_t> shingle)
    return found
