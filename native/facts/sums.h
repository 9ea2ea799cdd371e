/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of rows of 24 bytes: at most 256 rows, so that a sum has two bytes.
 */
#ifndef THRESHER_SUMS_H
#define THRESHER_SUMS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

static inline void add_rows(uint16_t sums[24], const uint8_t *table, const uint16_t *rows, size_t n) {
#if defined(__SSE2__)
    const __m128i none = _mm_setzero_si128();
    __m128i first = none, second = none, third = none;
    for (size_t i = 0; i < n; i++) {
        const uint8_t *row = table + (size_t)rows[i] * 24;
        const __m128i x = _mm_loadu_si128((const __m128i *)row), y = _mm_loadl_epi64((const __m128i *)(row + 16));
        first = _mm_add_epi16(first, _mm_unpacklo_epi8(x, none));
        second = _mm_add_epi16(second, _mm_unpackhi_epi8(x, none));
        third = _mm_add_epi16(third, _mm_unpacklo_epi8(y, none));
    }
    _mm_storeu_si128((__m128i *)sums, first);
    _mm_storeu_si128((__m128i *)(sums + 8), second);
    _mm_storeu_si128((__m128i *)(sums + 16), third);
#else
    for (int k = 0; k < 24; k++)
        sums[k] = 0;
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 24; k++)
            sums[k] += table[(size_t)rows[i] * 24 + k];
#endif
}

#endif
