/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether an attribute may conceal its element at all. Nearly none can, and pairs of letters tell, fifteen at a time.
 * Memory may be read up to `readable`.
 */
#ifndef THRESHER_FIRST_LOOKS_H
#define THRESHER_FIRST_LOOKS_H

#include "base/scan.h"

#ifdef THRESHER_SSE2
#define THRESHER_EQUALS(x, c) _mm_cmpeq_epi8(x, _mm_set1_epi8(c))

/* The bits of the first bytes of pairs that begin before the last byte of [p, end). */
static inline unsigned pairs_before(__m128i found, const uint8_t *p, const uint8_t *end) {
    const unsigned bits = (unsigned)_mm_movemask_epi8(found) & 0x7fff;
    return end - p < 16 ? bits & ((1u << (end - p - 1)) - 1) : bits;
}
#endif

/* 1 if one of the words of CLASS_WORDS (decision.pyx) may go on from a pair of letters at p. */
static inline int goes_on(const uint8_t *p, const uint8_t *end) {
    const ptrdiff_t left = end - p;
    switch (*p) {
    case 's':
        return p[1] == 'r'; /* sr-only, show-for-sr */
    case 'u':
        return left >= 5 && memcmp(p, "ually", 5) == 0; /* visually-hidden */
    case 'c':
        return left >= 8 && memcmp(p, "creen-re", 8) == 0; /* screen-reader */
    case 'l':
        return left >= 4 && memcmp(p, "ltip", 4) == 0; /* tooltip */
    case 'i':
        return left >= 4 && memcmp(p, "ial-", 4) == 0; /* material-icons */
    }
    return 0;
}

/* 0 if a class attribute has none of the words of CLASS_WORDS. Not inline, since its constants would crowd the loop
 * over all nodes. */
__attribute__((noinline)) static int may_name_readers(const uint8_t *p, const uint8_t *end, const uint8_t *readable) {
#ifdef THRESHER_SSE2
    while (end - p > 1 && readable - p >= 16) {
        const __m128i x = _mm_loadu_si128((const __m128i *)p), y = _mm_srli_si128(x, 1);
        const __m128i r = _mm_and_si128(
            _mm_or_si128(THRESHER_EQUALS(x, 's'), THRESHER_EQUALS(x, 'c')), THRESHER_EQUALS(y, 'r'));
        const __m128i a = _mm_and_si128(
            _mm_or_si128(THRESHER_EQUALS(x, 'u'), THRESHER_EQUALS(x, 'i')), THRESHER_EQUALS(y, 'a'));
        const __m128i t = _mm_and_si128(THRESHER_EQUALS(x, 'l'), THRESHER_EQUALS(y, 't'));
        unsigned found = pairs_before(_mm_or_si128(_mm_or_si128(r, a), t), p, end);
        for (; found; found &= found - 1)
            if (goes_on(p + __builtin_ctz(found), end))
                return 1;
        p += 15;
    }
#endif
    for (; end - p > 1; p++)
        if (goes_on(p, end))
            return 1;
    return 0;
}

/* 0 if a style attribute has nothing that conceals or changes the display: display, visibility, clip, a length of two
 * digits to the left, an escape; a size or opacity and a number that begins with 0 or a minus; a pixel and an absolute
 * position. */
static inline int may_say_something(const uint8_t *p, const uint8_t *end, const uint8_t *readable) {
    int size = 0, zero = 0, pixel = 0, out = 0;
#ifdef THRESHER_SSE2
    const __m128i space = _mm_set1_epi8(0x20), nine = _mm_set1_epi8(9), nought = _mm_set1_epi8('0');
    while (end - p > 2 && readable - p >= 16) {
        const __m128i raw = _mm_loadu_si128((const __m128i *)p), x = _mm_or_si128(raw, space);
        const __m128i y = _mm_srli_si128(x, 1), z = _mm_srli_si128(x, 2);
        const __m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(_mm_sub_epi8(x, nought), nine), _mm_sub_epi8(x, nought));
        const __m128i minus = _mm_and_si128(THRESHER_EQUALS(x, '-'), _mm_srli_si128(digit, 1));
        const __m128i spl = _mm_and_si128(
            _mm_and_si128(THRESHER_EQUALS(x, 's'), THRESHER_EQUALS(y, 'p')), THRESHER_EQUALS(z, 'l'));
        const __m128i li = _mm_and_si128(
            _mm_and_si128(THRESHER_EQUALS(x, 'c'), THRESHER_EQUALS(y, 'l')), THRESHER_EQUALS(z, 'i'));
        const __m128i vi = _mm_and_si128(THRESHER_EQUALS(x, 'v'), THRESHER_EQUALS(y, 'i'));
        const __m128i far = _mm_and_si128(minus, _mm_srli_si128(digit, 2));
        const __m128i named = _mm_or_si128(
            _mm_or_si128(spl, li), _mm_or_si128(_mm_or_si128(vi, far), THRESHER_EQUALS(raw, '\\')));
        if (pairs_before(named, p, end))
            return 1;
        size |= pairs_before(
            _mm_or_si128(
                _mm_and_si128(THRESHER_EQUALS(x, 'z'), THRESHER_EQUALS(y, 'e')),
                _mm_and_si128(THRESHER_EQUALS(x, 't'), THRESHER_EQUALS(y, 'y'))), p, end) != 0;
        zero |= pairs_before(
            _mm_or_si128(_mm_andnot_si128(digit, THRESHER_EQUALS(y, '0')), minus), p, end) != 0;
        pixel |= pairs_before(_mm_and_si128(THRESHER_EQUALS(x, '1'), THRESHER_EQUALS(y, 'p')), p, end) != 0;
        out |= pairs_before(_mm_and_si128(THRESHER_EQUALS(x, 'a'), THRESHER_EQUALS(y, 'b')), p, end) != 0;
        p += 13;    /* so that each three bytes are in one window */
    }
#endif
    for (; end - p > 1; p++) {
        const uint8_t x = p[0] | 0x20, y = p[1] | 0x20, z = end - p > 2 ? p[2] | 0x20 : 0;
        if ((x == 's' && y == 'p' && z == 'l') || (x == 'c' && y == 'l' && z == 'i') || (x == 'v' && y == 'i')
            || (x == '-' && y >= '0' && y <= '9' && z >= '0' && z <= '9') || p[0] == '\\')
            return 1;
        size |= (x == 'z' && y == 'e') || (x == 't' && y == 'y');
        zero |= (y == '0' && !(x >= '0' && x <= '9')) || (x == '-' && y >= '1' && y <= '9');
        pixel |= x == '1' && y == 'p';
        out |= x == 'a' && y == 'b';
    }
    return (size && zero) || (pixel && out) || (p < end && p[0] == '\\');
}

#endif
