/* SPDX-License-Identifier: Apache-2.0
 *
 * A first look at a class or id: can it name readers' comments?
 */
#ifndef THRESHER_COMMENT_WORDS_H
#define THRESHER_COMMENT_WORDS_H

#include "base/scan.h"

/* 0 if no word of a value contains "mm", "sq" or "fy", in any case, as all words that name comments do. */
static inline int may_name_comments(const uint8_t *p, size_t length) {
    const uint8_t *const end = p + length;
#ifdef THRESHER_SSE2
    if (length >= 16) {
        const __m128i space = _mm_set1_epi8(0x20), m = _mm_set1_epi8('m'), s = _mm_set1_epi8('s'), f = _mm_set1_epi8('f'),
                      q = _mm_set1_epi8('q'), y = _mm_set1_epi8('y');
        for (;;) {
            const __m128i x = _mm_or_si128(_mm_loadu_si128((const __m128i *)p), space), next = _mm_srli_si128(x, 1);
            const __m128i mm = _mm_and_si128(_mm_cmpeq_epi8(x, m), _mm_cmpeq_epi8(next, m));
            const __m128i sq = _mm_and_si128(_mm_cmpeq_epi8(x, s), _mm_cmpeq_epi8(next, q));
            const __m128i fy = _mm_and_si128(_mm_cmpeq_epi8(x, f), _mm_cmpeq_epi8(next, y));
            if (_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(mm, sq), fy)))
                return 1;
            if (end - p == 16)
                return 0;
            p = end - p >= 31 ? p + 15 : end - 16; /* the pair of the last byte and the next one is in the next window */
        }
    }
#endif
    for (; end - p >= 2; p++) {
        const uint8_t x = p[0] | 0x20, next = p[1] | 0x20;
        if ((x == 'm' && next == 'm') || (x == 's' && next == 'q') || (x == 'f' && next == 'y'))
            return 1;
    }
    return 0;
}

#endif
