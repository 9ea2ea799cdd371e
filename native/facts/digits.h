/* SPDX-License-Identifier: Apache-2.0
 *
 * First looks: can a line of text hold a date, can a class be that of an author?
 */
#ifndef THRESHER_DIGITS_H
#define THRESHER_DIGITS_H

#include "base/characters.h"

/* Where the white space and the control characters end that begin at p. Most texts that begin with them hold nothing
 * else. The memory may be read up to `readable`. */
static inline const uint8_t *skip_indent(const uint8_t *p, const uint8_t *end, const uint8_t *readable) {
#ifdef THRESHER_SSE2
    const __m128i first = _mm_set1_epi8(' ' + 1);
    for (; p < end; p += 16) {
        const __m128i x = load_readable(p, end, readable);
        const int others = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(x, first), x));
        if (others) {
            p += __builtin_ctz((unsigned)others);
            break;
        }
    }
    return p < end ? p : end;
#else
    (void)readable;
    while (p < end && *p <= ' ')
        p++;
    return p;
#endif
}

/* Where the first digit, or byte that digits of other scripts begin with (0xD8 or more), stands from i on; length if there
 * is none. */
static inline size_t next_digit(const uint8_t *p, size_t i, size_t length) {
#ifdef THRESHER_SSE2
    const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9), foreign = _mm_set1_epi8((char)0xD8);
    for (; i < length; i += 16) {
        const __m128i x = load_text(p + i, p + length), digit = _mm_sub_epi8(x, zero);
        const int found = _mm_movemask_epi8(
            _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(digit, nine), digit), _mm_cmpeq_epi8(_mm_max_epu8(x, foreign), x)));
        if (found)
            return i + (size_t)__builtin_ctz((unsigned)found);
    }
    return length;
#else
    while (i < length && (uint8_t)(p[i] - '0') >= 10 && p[i] < 0xD8)
        i++;
    return i;
#endif
}

/* Whether a class or similar of at most 256 bytes has the first two letters of a word that means an author or user: of
 * author and autor, byline, user, vcard. */
static inline int may_name(const uint8_t *p, size_t length) {
#ifdef THRESHER_SSE2
    const __m128i small = _mm_set1_epi8(0x20);
    uint8_t copy[272 + 16];
    memcpy(copy, p, length);
    memset(copy + length, 0, 17);
    for (size_t i = 0; i < length; i += 16) {
        const __m128i x = _mm_or_si128(_mm_loadu_si128((const __m128i *)(copy + i)), small),
                      y = _mm_or_si128(_mm_loadu_si128((const __m128i *)(copy + i + 1)), small);
#define PAIR(first, second) _mm_and_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8(first)), _mm_cmpeq_epi8(y, _mm_set1_epi8(second)))
        if (_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(PAIR('a', 'u'), PAIR('b', 'y')),
                                           _mm_or_si128(PAIR('u', 's'), PAIR('v', 'c')))))
            return 1;
#undef PAIR
    }
    return 0;
#else
    for (size_t i = 1; i < length; i++) {
        const uint8_t x = p[i - 1] | 0x20, y = p[i] | 0x20;
        if ((x == 'a' && y == 'u') || (x == 'b' && y == 'y') || (x == 'u' && y == 's') || (x == 'v' && y == 'c'))
            return 1;
    }
    return 0;
#endif
}

#endif
