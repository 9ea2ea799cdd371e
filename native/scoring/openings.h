/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts over the first characters of a block, up to 64 bytes at a time. Without SSE2 nothing is counted, and
 * openings.pyx reads byte by byte.
 */
#ifndef THRESHER_OPENINGS_H
#define THRESHER_OPENINGS_H

#include "base/characters.h"

#ifdef THRESHER_SSE2
/* The number of bits that are set. */
static inline uint32_t count_bits(uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (uint32_t)(bits * 0x0101010101010101 >> 56);
}
#endif

/* Counts characters (a run of white space and control characters is one) and capitals before the first digit or
 * non-ASCII byte, in at most `most` and at most 64 bytes. Returns how many bytes were counted. *blank tells whether
 * white space precedes them, and is set to whether they end in it. The memory may be read up to `readable`. */
static inline uint32_t count_opening(
    const uint8_t *p, const uint8_t *end, const uint8_t *readable, uint32_t most, uint32_t *characters,
    uint32_t *capitals, int *blank) {
#ifdef THRESHER_SSE2
    const uint32_t width = end - p > 16 && readable - p >= 64 ? 64 : 16; /* most texts are short */
    uint64_t stops = 0, blanks = 0, large = 0, all;
    uint32_t n = width, i;
    for (i = 0; i < width; i += 16) {
        const __m128i x = width == 16 ? load_readable(p, end, readable) : _mm_loadu_si128((const __m128i *)(p + i));
        const __m128i digit =
            _mm_and_si128(_mm_cmpgt_epi8(x, _mm_set1_epi8('0' - 1)), _mm_cmplt_epi8(x, _mm_set1_epi8('9' + 1)));
        const __m128i capital =
            _mm_and_si128(_mm_cmpgt_epi8(x, _mm_set1_epi8('A' - 1)), _mm_cmplt_epi8(x, _mm_set1_epi8('Z' + 1)));
        stops |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_or_si128(digit, x)) << i;
        blanks |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmplt_epi8(x, _mm_set1_epi8(' ' + 1))) << i;
        large |= (uint64_t)(uint32_t)_mm_movemask_epi8(capital) << i;
    }
    if (stops)
        n = (uint32_t)__builtin_ctzll(stops);
    if (n > (size_t)(end - p))
        n = (uint32_t)(end - p);
    if (n > most)
        n = most;
    if (n == 0)
        return 0;
    all = ~(uint64_t)0 >> (64 - n);
    blanks &= all;
    *characters += count_bits(all & ~(blanks & (blanks << 1 | (uint32_t)*blank)));
    *capitals += count_bits(large & all);
    *blank = (int)(blanks >> (n - 1) & 1);
    return n;
#else
    (void)p, (void)end, (void)readable, (void)most, (void)characters, (void)capitals, (void)blank;
    return 0;
#endif
}

#endif
