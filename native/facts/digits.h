/* SPDX-License-Identifier: Apache-2.0
 *
 * First looks at a line of text: where it begins, and whether it can hold a date.
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

#endif
