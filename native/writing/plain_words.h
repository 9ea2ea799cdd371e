/* SPDX-License-Identifier: Apache-2.0
 *
 * Words that every format writes unchanged: letters, digits, all non-ASCII bytes, and punctuation without a meaning
 * inside a line. Most text on most pages consists of them, so it is checked 16 bytes at a time and copied as a whole.
 */
#ifndef THRESHER_PLAIN_WORDS_H
#define THRESHER_PLAIN_WORDS_H

#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* 1 for control characters, white space other than the blank included, and for what a format may have to escape: # & *
 * < = > [ \ ] ^ _ ` | } ~ (three of these only because whole ranges are quicker to find). */
static inline int is_not_plain(uint8_t c) {
    return c < 0x20 || (uint8_t)(c - 0x3C) <= 2 || (uint8_t)(c - 0x5B) <= 5 || (uint8_t)(c - 0x7C) <= 2 || c == '#'
        || c == '&' || c == '*';
}

/* The first byte that is not plain, or the second of two blanks; `end` if there is none. */
static inline const uint8_t *scan_plain(const uint8_t *p, const uint8_t *end) {
    unsigned blank = 0; /* 1 after a blank */
#if defined(__SSE2__)
    while (end - p >= 16) {
        const __m128i x = _mm_loadu_si128((const __m128i *)p);
#define WITHIN(first, more) \
    _mm_cmpeq_epi8(_mm_min_epu8(_mm_sub_epi8(x, _mm_set1_epi8(first)), _mm_set1_epi8(more)), \
                   _mm_sub_epi8(x, _mm_set1_epi8(first)))
#define IS(byte) _mm_cmpeq_epi8(x, _mm_set1_epi8(byte))
        const __m128i hit = _mm_or_si128(
            _mm_or_si128(_mm_or_si128(WITHIN(0, 0x1F), WITHIN(0x3C, 2)),
                         _mm_or_si128(WITHIN(0x5B, 5), WITHIN(0x7C, 2))),
            _mm_or_si128(_mm_or_si128(IS('#'), IS('&')), IS('*')));
        const unsigned blanks = (unsigned)_mm_movemask_epi8(IS(' '));
        const unsigned mask = (unsigned)_mm_movemask_epi8(hit) | (blanks & (blanks << 1 | blank));
#undef IS
#undef WITHIN
        if (mask)
            return p + __builtin_ctz(mask);
        blank = blanks >> 15;
        p += 16;
    }
#endif
    for (; p < end; p++) {
        if (is_not_plain(*p) || (blank && *p == ' '))
            break;
        blank = *p == ' ';
    }
    return p;
}

/* The end of the plain whole words, separated by single blanks, that begin at p; p if the first word is not plain. */
static inline const uint8_t *plain_words(const uint8_t *p, const uint8_t *end) {
    const uint8_t *stop = scan_plain(p, end);
    if (stop < end && *stop != ' ' && !(*stop >= 9 && *stop <= 13 && *stop != 11)) /* in the middle of a word */
        while (stop > p && stop[-1] != ' ')
            stop--;
    while (stop > p && stop[-1] == ' ')
        stop--;
    return stop;
}

#endif
