/* SPDX-License-Identifier: Apache-2.0
 *
 * A quick look for what could delimit a formula. Every text of every page is looked at, most of them shorter than 40
 * bytes and without any, so the look is one comparison for each 16 bytes and reads the last ones twice.
 */
#ifndef THRESHER_SCAN_TEX_H
#define THRESHER_SCAN_TEX_H

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>

static inline int has_tex_mark_16(__m128i x) {
    const __m128i backslash = _mm_set1_epi8('\\'), dollar = _mm_set1_epi8('$'), tick = _mm_set1_epi8('`');
    return _mm_movemask_epi8(
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(x, backslash), _mm_cmpeq_epi8(x, dollar)), _mm_cmpeq_epi8(x, tick)));
}
#endif

/* Not 0 where '\', '$' or '`' is among `length` bytes. */
static inline int has_tex_mark(const uint8_t *p, uint32_t length) {
    const uint8_t *end = p + length;
#if defined(__SSE2__)
    if (length >= 16) {
        for (; end - p >= 16; p += 16)
            if (has_tex_mark_16(_mm_loadu_si128((const __m128i *)p)))
                return 1;
        return p < end && has_tex_mark_16(_mm_loadu_si128((const __m128i *)(end - 16)));
    }
    if (length >= 8)
        return has_tex_mark_16(
            _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)p), _mm_loadl_epi64((const __m128i *)(end - 8))));
    if (length >= 4) {
        uint32_t first, last;
        memcpy(&first, p, 4);
        memcpy(&last, end - 4, 4);
        return has_tex_mark_16(_mm_set_epi32(0, 0, (int)last, (int)first));
    }
#endif
    for (; p < end; p++)
        if (*p == '\\' || *p == '$' || *p == '`')
            return 1;
    return 0;
}

#endif
