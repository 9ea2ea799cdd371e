/* SPDX-License-Identifier: Apache-2.0
 *
 * A first look at a line of text: can it hold a date?
 */
#ifndef THRESHER_DIGITS_H
#define THRESHER_DIGITS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#define THRESHER_SSE2 1
#endif

/* Whether a text has a digit, or a byte that digits of other scripts begin with (0xD8 or more). */
static inline int may_hold_digit(const uint8_t *p, size_t length) {
    size_t i = 0;
#ifdef THRESHER_SSE2
    const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9), foreign = _mm_set1_epi8((char)0xD8);
    while (length >= 16) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(p + i)), digit = _mm_sub_epi8(x, zero);
        if (_mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(digit, nine), digit),
                                           _mm_cmpeq_epi8(_mm_max_epu8(x, foreign), x))))
            return 1;
        if (i + 16 >= length)
            return 0;
        i = i + 32 <= length ? i + 16 : length - 16;
    }
#endif
    for (; i < length; i++) {
        if ((uint8_t)(p[i] - '0') < 10 || p[i] >= 0xD8)
            return 1;
    }
    return 0;
}

#endif
