/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts over the first characters of a block, sixteen bytes at a time. Without SSE2 nothing is counted, and
 * openings.pyx reads byte by byte.
 */
#ifndef THRESHER_OPENINGS_H
#define THRESHER_OPENINGS_H

#include "characters.h"

/* Counts characters (a run of white space and control characters is one) and capitals before the first digit or
 * non-ASCII byte, in at most `most` and at most sixteen bytes. Returns how many bytes were counted. *blank tells
 * whether white space precedes them, and is set to whether they end in it. The memory may be read up to `readable`. */
static inline uint32_t count_opening(
    const uint8_t *p, const uint8_t *end, const uint8_t *readable, uint32_t most, uint32_t *characters,
    uint32_t *capitals, int *blank) {
#ifdef THRESHER_SSE2
    const __m128i x = load_readable(p, end, readable);
    const uint32_t digits = (uint32_t)_mm_movemask_epi8(
        _mm_and_si128(_mm_cmpgt_epi8(x, _mm_set1_epi8('0' - 1)), _mm_cmplt_epi8(x, _mm_set1_epi8('9' + 1))));
    uint32_t n = (uint32_t)__builtin_ctz(digits | (uint32_t)_mm_movemask_epi8(x) | 0x10000), all, blanks, large, solid;
    uint64_t counts;
    if (n > (size_t)(end - p))
        n = (uint32_t)(end - p);
    if (n > most)
        n = most;
    if (n == 0)
        return 0;
    all = (1u << n) - 1;
    blanks = (uint32_t)_mm_movemask_epi8(_mm_cmplt_epi8(x, _mm_set1_epi8(' ' + 1))) & all;
    large = (uint32_t)_mm_movemask_epi8(
        _mm_and_si128(_mm_cmpgt_epi8(x, _mm_set1_epi8('A' - 1)), _mm_cmplt_epi8(x, _mm_set1_epi8('Z' + 1))));
    large &= all;
    solid = all & ~(blanks & (blanks << 1 | (uint32_t)*blank));
    counts = (uint64_t)large << 32 | solid; /* two counts of bits in one */
    counts -= counts >> 1 & 0x5555555555555555;
    counts = (counts & 0x3333333333333333) + (counts >> 2 & 0x3333333333333333);
    counts = (counts + (counts >> 4)) & 0x0f0f0f0f0f0f0f0f;
    counts += counts >> 8;
    *characters += (uint32_t)(counts & 31);
    *capitals += (uint32_t)(counts >> 32 & 31);
    *blank = (int)(blanks >> (n - 1) & 1);
    return n;
#else
    (void)p, (void)end, (void)readable, (void)most, (void)characters, (void)capitals, (void)blank;
    return 0;
#endif
}

#endif
