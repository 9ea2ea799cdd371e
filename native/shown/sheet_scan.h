/* SPDX-License-Identifier: Apache-2.0
 *
 * Scans of style sheets for the next byte that may matter, sixteen bytes at a time. Every function takes a half-open
 * range, reads nothing outside it and returns `end` if nothing is found.
 */
#ifndef THRESHER_SHEET_SCAN_H
#define THRESHER_SHEET_SCAN_H

#include "base/scan.h"

/* The next of: '[' '\\' '|' ']' and braces, '/', '(', and with `block` ')' and quotes, without it ';'. */
static inline const uint8_t *scan_marks(const uint8_t *p, const uint8_t *end, int block) {
#ifdef THRESHER_SSE2
    while (end - p >= 16) {
        const __m128i x = _mm_loadu_si128((const __m128i *)p), lower = _mm_or_si128(x, _mm_set1_epi8(0x20));
        const __m128i braces = _mm_cmpeq_epi8(_mm_max_epu8(_mm_sub_epi8(lower, _mm_set1_epi8('{')), _mm_set1_epi8(2)),
                                              _mm_set1_epi8(2));
        const __m128i round = _mm_cmpeq_epi8(block ? _mm_and_si128(x, _mm_set1_epi8((char)0xfe)) : x, _mm_set1_epi8('('));
        const __m128i more = block ? _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('"')), _mm_cmpeq_epi8(x, _mm_set1_epi8('\'')))
                                   : _mm_cmpeq_epi8(x, _mm_set1_epi8(';'));
        const int mask = _mm_movemask_epi8(
            _mm_or_si128(_mm_or_si128(braces, round), _mm_or_si128(more, _mm_cmpeq_epi8(x, _mm_set1_epi8('/')))));
        if (mask)
            return p + __builtin_ctz((unsigned)mask);
        p += 16;
    }
#endif
    for (; p < end; p++)
        if ((uint8_t)((*p | 0x20) - '{') <= 2 || *p == '(' || *p == '/'
            || (block ? *p == ')' || *p == '"' || *p == '\'' : *p == ';'))
            break;
    return p;
}

/* All that matters in a block. */
static inline const uint8_t *scan_block(const uint8_t *p, const uint8_t *end) {
    return scan_marks(p, end, 1);
}

/* What may end the head of a rule, or stand in it. */
static inline const uint8_t *scan_prelude(const uint8_t *p, const uint8_t *end) {
    return scan_marks(p, end, 0);
}

/* The next closing brace. *odd becomes 1 if a quote, backslash, star or opening brace stands before it. */
static inline const uint8_t *scan_body(const uint8_t *p, const uint8_t *end, int *odd) {
    int found = 0;
#ifdef THRESHER_SSE2
    while (end - p >= 16) {
        const __m128i x = _mm_loadu_si128((const __m128i *)p);
        const __m128i quotes = _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('"')), _mm_cmpeq_epi8(x, _mm_set1_epi8('\'')));
        const __m128i others =
            _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('\\')), _mm_cmpeq_epi8(x, _mm_set1_epi8('*'))),
                         _mm_cmpeq_epi8(x, _mm_set1_epi8('{')));
        const unsigned strange = (unsigned)_mm_movemask_epi8(_mm_or_si128(quotes, others));
        const unsigned close = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8('}')));
        if (close) {
            *odd = found || (strange & (close - 1) & ~close);
            return p + __builtin_ctz(close);
        }
        found |= strange != 0;
        p += 16;
    }
#endif
    for (; p < end && *p != '}'; p++)
        found |= *p == '"' || *p == '\'' || *p == '\\' || *p == '*' || *p == '{';
    *odd = found;
    return p;
}

#endif
