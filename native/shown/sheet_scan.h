/* SPDX-License-Identifier: Apache-2.0
 *
 * Scans of style sheets for the next byte that may matter, sixteen bytes at a time. Every function takes a half-open
 * range, reads nothing outside it and returns `end` if nothing is found.
 */
#ifndef THRESHER_SHEET_SCAN_H
#define THRESHER_SHEET_SCAN_H

#include "base/scan.h"

/* The next bracket, quote, slash or backslash: all that matters in a block. Also stops at '|'. */
static inline const uint8_t *scan_block(const uint8_t *p, const uint8_t *end) {
#ifdef THRESHER_SSE2
    while (end - p >= 16) {
        const __m128i x = _mm_loadu_si128((const __m128i *)p), lower = _mm_or_si128(x, _mm_set1_epi8(0x20));
        /* [ { \ | ] } and ( ) */
        const __m128i braces = _mm_cmpeq_epi8(_mm_max_epu8(_mm_sub_epi8(lower, _mm_set1_epi8('{')), _mm_set1_epi8(2)),
                                              _mm_set1_epi8(2));
        const __m128i round = _mm_cmpeq_epi8(_mm_and_si128(x, _mm_set1_epi8((char)0xfe)), _mm_set1_epi8('('));
        const __m128i quotes = _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('"')), _mm_cmpeq_epi8(x, _mm_set1_epi8('\'')));
        const __m128i hit =
            _mm_or_si128(_mm_or_si128(braces, round), _mm_or_si128(quotes, _mm_cmpeq_epi8(x, _mm_set1_epi8('/'))));
        const int mask = _mm_movemask_epi8(hit);
        if (mask)
            return p + __builtin_ctz((unsigned)mask);
        p += 16;
    }
#endif
    for (; p < end; p++) {
        const uint8_t lower = *p | 0x20;
        if ((uint8_t)(lower - '{') <= 2 || (*p & 0xfe) == '(' || *p == '"' || *p == '\'' || *p == '/')
            break;
    }
    return p;
}

/* The next brace, semicolon, opening bracket, slash or backslash: what may end the head of a rule. Also stops at ']'
 * and '|'. */
static inline const uint8_t *scan_prelude(const uint8_t *p, const uint8_t *end) {
#ifdef THRESHER_SSE2
    while (end - p >= 16) {
        const __m128i x = _mm_loadu_si128((const __m128i *)p), lower = _mm_or_si128(x, _mm_set1_epi8(0x20));
        const __m128i braces = _mm_cmpeq_epi8(_mm_max_epu8(_mm_sub_epi8(lower, _mm_set1_epi8('{')), _mm_set1_epi8(2)),
                                              _mm_set1_epi8(2));
        const __m128i others =
            _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('(')), _mm_cmpeq_epi8(x, _mm_set1_epi8(';'))),
                         _mm_cmpeq_epi8(x, _mm_set1_epi8('/')));
        const int mask = _mm_movemask_epi8(_mm_or_si128(braces, others));
        if (mask)
            return p + __builtin_ctz((unsigned)mask);
        p += 16;
    }
#endif
    for (; p < end; p++) {
        const uint8_t lower = *p | 0x20;
        if ((uint8_t)(lower - '{') <= 2 || *p == '(' || *p == ';' || *p == '/')
            break;
    }
    return p;
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
