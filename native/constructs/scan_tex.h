/* SPDX-License-Identifier: Apache-2.0
 *
 * A quick look for what could delimit a formula. Nearly every text of every page is looked at, and nearly none has any,
 * so the look is two comparisons for each 16 bytes and reads the last ones twice.
 */
#ifndef THRESHER_SCAN_TEX_H
#define THRESHER_SCAN_TEX_H

#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Not 0 where '\' or '$' is among `length` bytes. */
static inline int has_tex_mark(const uint8_t *p, uint32_t length) {
    const uint8_t *end = p + length;
#if defined(__SSE2__)
    if (length >= 16) {
        const __m128i backslash = _mm_set1_epi8('\\'), dollar = _mm_set1_epi8('$');
        const uint8_t *last = end - 16;
        __m128i x = _mm_loadu_si128((const __m128i *)last);
        __m128i hit = _mm_or_si128(_mm_cmpeq_epi8(x, backslash), _mm_cmpeq_epi8(x, dollar));
        for (; p < last; p += 16) {
            x = _mm_loadu_si128((const __m128i *)p);
            hit = _mm_or_si128(hit, _mm_or_si128(_mm_cmpeq_epi8(x, backslash), _mm_cmpeq_epi8(x, dollar)));
        }
        return _mm_movemask_epi8(hit);
    }
    if (length >= 8) {
        const __m128i x = _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)p), _mm_loadl_epi64((const __m128i *)(end - 8)));
        return _mm_movemask_epi8(
            _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('\\')), _mm_cmpeq_epi8(x, _mm_set1_epi8('$'))));
    }
#endif
    for (; p < end; p++)
        if (*p == '\\' || *p == '$')
            return 1;
    return 0;
}

#endif
