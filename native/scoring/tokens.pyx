# SPDX-License-Identifier: Apache-2.0
"""Splits names into tokens and texts into terms, and hashes them."""

from libc.string cimport memset

from thresher.native.parsing.tags cimport *


cdef extern from "scoring/letters.h" nogil:
    enum:
        HASHED_LETTERS
    uint32_t take_tokens(
        const uint8_t** p, const uint8_t* end, const uint8_t* readable, uint32_t start, uint32_t* tokens, uint32_t most
    ) noexcept


cdef enum:
    MAX_TERM = HASHED_LETTERS   # bytes of a term that are hashed


cdef uint8_t[TAG_COUNT] PLAIN_TAGS      # 1 for tags that every page has, which are not tokens
memset(PLAIN_TAGS, 0, sizeof(PLAIN_TAGS))
for tag in (TAG_DIV, TAG_P, TAG_LI, TAG_TD, TAG_TR, TAG_TBODY, TAG_TABLE, TAG_UL, TAG_HTML, TAG_BODY):
    PLAIN_TAGS[<int> tag] = 1


cdef uint8_t[256] LETTERS               # ASCII letters in lower case; 0 for all other bytes


cdef void _fill_letters() noexcept:
    cdef int byte
    for byte in range(256):
        LETTERS[byte] = byte | 0x20 if c"a" <= (byte | 0x20) <= c"z" else 0


_fill_letters()


cdef inline uint32_t fold(uint32_t value) noexcept nogil:
    """A hash in TOKEN_BITS bits."""
    return (value ^ (value >> TOKEN_BITS)) & (N_TOKENS - 1)


cdef uint32_t read_tokens(
    Slice* rest, const uint8_t* readable, uint32_t start, uint32_t* tokens, uint32_t most
) noexcept nogil:
    """Remove tokens from the front of an attribute value, up to `most` of them. Returns how many; fewer than `most`
    only if no more are left. The memory may be read up to `readable`.

    A token is two letters or more, lower-cased, and ends where a lower-case letter meets an upper-case one.
    """
    cdef const uint8_t* p = rest.data
    cdef const uint8_t* end = p + rest.length
    cdef uint32_t n = take_tokens(&p, end, readable, start, tokens, most)
    rest.data = p
    rest.length = <uint32_t> (end - p)
    return n


cdef bint next_term(Terms* terms, uint32_t* term) noexcept nogil:
    """Remove the next term from the front of a text; False if there is none.

    Terms are words of two bytes or more, with Latin, Greek and Cyrillic letters in lower case; ideographs, kana and
    hangul, each alone and in pairs; numbers, by their number of digits; and signs such as $, | and the copyright sign.
    """
    cdef:
        const uint8_t* p = terms.p
        const uint8_t* end = terms.end
        const uint8_t* first
        const uint8_t* stop
        uint32_t value, length, letter, step
        uint8_t byte
    if terms.pair != <uint32_t> N_TOKENS:
        term[0] = terms.pair
        terms.pair = N_TOKENS
        return True
    while p < end:
        byte = p[0]
        if byte == c" ":
            p += 1
            terms.previous = 0
            continue
        value = HASH_START
        length = 0
        if LETTERS[byte] or 0xC3 <= byte <= 0xE1:
            first = p
            stop = p + MAX_TERM if end - p > MAX_TERM else end
            while p < stop and LETTERS[p[0]]:       # nearly all of nearly every word
                value = (value ^ LETTERS[p[0]]) * <uint32_t> HASH_STEP
                p += 1
            length = <uint32_t> (p - first)
            while p < end:
                byte = p[0]
                letter = LETTERS[byte]
                if letter:
                    if length < MAX_TERM:
                        value = (value ^ letter) * <uint32_t> HASH_STEP
                    length += 1
                    p += 1
                    continue
                letter = byte
                step = 1
                if 0xC3 <= byte <= 0xDF and end - p >= 2:
                    letter = <uint32_t> (byte & 0x1F) << 6 | (p[1] & 0x3F)
                    step = 2
                    # Latin, Greek and Cyrillic capitals.
                    if 0xC0 <= letter <= 0xDE or 0x391 <= letter <= 0x3A9 or 0x410 <= letter <= 0x42F:
                        letter += 0x20
                elif not (0xC3 <= byte <= 0xE1 or (0x80 <= byte < 0xC0 and length)):
                    break
                if length < MAX_TERM:
                    value = (value ^ letter) * <uint32_t> HASH_STEP
                length += step
                p += step
            terms.previous = 0
            if length >= 2:
                terms.p = p
                term[0] = fold(value)
                return True
        elif 0xE3 <= byte <= 0xED and end - p >= 3:
            value = (value ^ byte) * <uint32_t> HASH_STEP
            value = (value ^ p[1]) * <uint32_t> HASH_STEP
            value = (value ^ p[2]) * <uint32_t> HASH_STEP
            if terms.previous:
                terms.pair = fold((terms.previous ^ value) * <uint32_t> HASH_STEP)
            terms.previous = value * <uint32_t> HASH_STEP | 1
            terms.p = p + 3
            term[0] = fold(value)
            return True
        elif 0x30 <= byte <= 0x39:
            while p < end and 0x30 <= p[0] <= 0x39:
                length += 1
                p += 1
            terms.previous = 0
            terms.p = p
            term[0] = fold((value ^ (0x30 + min(length, <uint32_t> 5))) * <uint32_t> HASH_STEP)
            return True
        elif byte == 0xC2 and end - p >= 2:
            terms.previous = 0
            terms.p = p + 2
            term[0] = fold((value ^ p[1]) * <uint32_t> HASH_STEP * <uint32_t> HASH_STEP)
            return True
        elif byte == 0x24 or byte == 0x3A or byte == 0x3E or byte == 0x7C:      # $ : > |
            terms.previous = 0
            terms.p = p + 1
            term[0] = fold((value ^ byte) * <uint32_t> HASH_STEP)
            return True
        else:
            p += 1
            if byte < 0x80 or byte >= 0xC0:
                terms.previous = 0
    terms.p = p
    return False


cdef uint32_t start_of_token(uint32_t attribute, uint32_t tag) noexcept nogil:
    """The initial hash for tokens of an attribute; 0 if the attribute has no tokens.

    class and id share one, except on html and body, whose classes describe the page.
    """
    if attribute == ATTR_CLASS or attribute == ATTR_ID:
        return <uint32_t> HASH_START + (1 if tag == TAG_BODY or tag == TAG_HTML else 0)
    if attribute == ATTR_ROLE:
        return <uint32_t> HASH_START + 2
    if attribute == ATTR_ITEMPROP:
        return <uint32_t> HASH_START + 3
    return 0


cdef uint32_t token_of_tag(uint32_t tag) noexcept nogil:
    """The token of a tag that is telling by itself; N_TOKENS for other tags."""
    if tag == TAG_UNKNOWN or tag >= TAG_COUNT or PLAIN_TAGS[tag]:
        return N_TOKENS
    return fold((<uint32_t> HASH_START + 4 + tag) * <uint32_t> HASH_STEP * <uint32_t> HASH_STEP)
