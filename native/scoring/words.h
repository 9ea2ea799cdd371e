/* SPDX-License-Identifier: Apache-2.0
 *
 * The words by which blocks are compared with what a page declares. Most words are short runs of ASCII. They are found
 * 64 bytes at a time, and one of up to fifteen bytes is hashed in one step.
 *
 * Every function takes a half-open range; the memory may be read up to `readable`.
 */
#ifndef THRESHER_WORDS_H
#define THRESHER_WORDS_H

#include "base/characters.h"

enum {
    WORD_BYTES = 16 /* a word of up to this many bytes is hashed in one step */
};

/* What a byte is to a word: part of one, its end, or undecided without the bytes after it. */
enum { BYTE_ENDS = 0, BYTE_INSIDE = 1, BYTE_LEADS = 2 };

static uint8_t word_bytes[256]; /* filled by fill_word_bytes() */

static inline void fill_word_bytes(void) {
    int byte;
    for (byte = 0; byte < 256; byte++) {
        const int letter = byte | 0x20;
        if (byte < 0x80)
            word_bytes[byte] =
                (letter >= 'a' && letter <= 'z') || (byte >= '0' && byte <= '9') ? BYTE_INSIDE : BYTE_ENDS;
        else
            word_bytes[byte] =
                byte == 0xC2 || byte == 0xE2 || (byte >= 0xE3 && byte <= 0xED) || byte == 0xEF
                    ? BYTE_LEADS : BYTE_INSIDE;
    }
}

static inline uint64_t hash_word(uint64_t head, uint64_t tail, uint64_t length) {
    const uint64_t value = (head ^ length << 56) * 0x9E3779B97F4A7C15ULL ^ (tail + length) * 0xD6E8FEB86659FD93ULL;
    return value ^ value >> 32;
}

/* The length in bytes of the character at p that ends a run of letters: 1 to 3, with 0x10 added if it is a word by
 * itself. 0 if the byte continues the run. p[0] is BYTE_LEADS. */
static inline uint32_t sign_at(const uint8_t *p, const uint8_t *end) {
    const uint8_t byte = p[0];
    if (byte == 0xC2) /* Latin-1 signs */
        return end - p >= 2 ? 2 : 1;
    if (end - p < 3)
        return 0;
    if (byte == 0xE2) /* general punctuation */
        return p[1] <= 0x81 ? 3 : 0;
    if (byte == 0xE3 && p[1] == 0x80 && p[2] < 0xA0) /* ideographic punctuation */
        return 3;
    if (byte == 0xEF) /* full-width signs */
        return p[1] == 0xBC || p[1] == 0xBD ? 3 : 0;
    return 0x10 | 3; /* ideographs, kana, hangul */
}

/* Hashes the word at p if it is long or has non-ASCII characters, and returns its end. p[0] does not end a word. */
static const uint8_t *read_long_word(const uint8_t *p, const uint8_t *end, uint64_t *word) {
    uint8_t bytes[WORD_BYTES] = {0};
    uint64_t value = 0x51ED270B, head, tail;
    size_t length = 0;
    while (p < end && word_bytes[*p] != BYTE_ENDS) {
        uint8_t byte = *p;
        if (word_bytes[byte] == BYTE_LEADS) {
            const uint32_t sign = sign_at(p, end);
            if (sign & 0x10 && length == 0) {
                memcpy(bytes, p, 3);
                length = 3;
                p += 3;
                break;
            }
            if (sign)
                break;
        } else if (byte >= 'A' && byte <= 'Z') {
            byte |= 0x20;
        }
        if (length < WORD_BYTES)
            bytes[length] = byte;
        value = (value ^ byte) * 0x100000001B3ULL;
        length++;
        p++;
    }
    memcpy(&head, bytes, 8);
    memcpy(&tail, bytes + 8, 8);
    *word = length <= WORD_BYTES ? hash_word(head, tail, length) : value;
    return p;
}

/* Removes the next word from the front of a text: 0 if there is none. *p becomes its end.
 *
 * A word is a run of lower-cased ASCII letters and digits and of non-ASCII characters except punctuation. Ideographs,
 * kana and hangul are words by themselves.
 */
static inline int take_word(const uint8_t **p, const uint8_t *end, uint64_t *word) {
    const uint8_t *q = *p;
    while (q < end) {
        const uint8_t kind = word_bytes[*q];
        if (kind == BYTE_INSIDE)
            break;
        if (kind == BYTE_ENDS) {
            q++;
        } else {
            const uint32_t sign = sign_at(q, end);
            if (sign == 0 || sign & 0x10)
                break;
            q += sign;
        }
    }
    *p = q == end ? q : read_long_word(q, end, word);
    return q != end;
}

#if defined(THRESHER_SSE2) && defined(__x86_64__)
enum {
    WORD_WINDOW = 64,                        /* bytes that are looked at together */
    WORD_READ = WORD_WINDOW + WORD_BYTES     /* bytes from the window's start that may be loaded */
};

/* Removes words of up to 15 bytes of ASCII from the front of a text, `most` at most, and returns how many. It stops at
 * a word that is longer or not ASCII, which is left to take_word(). WORD_READ bytes at p can be read. */
static inline uint32_t take_short_words(const uint8_t **p, const uint8_t *end, uint64_t *words, uint32_t most) {
    const uint8_t *const window = *p;
    const uint32_t n = end - window < WORD_WINDOW ? (uint32_t)(end - window) : WORD_WINDOW;
    const uint64_t all = ~(uint64_t)0 >> (64 - n); /* n is not 0 */
    uint64_t inside = 0, wide = 0, starts;
    uint32_t count = 0, stop = n, done = 0, i;
    for (i = 0; i < (n > 32 ? 64 : 32); i += 16) { /* most texts are shorter than 32 bytes */
        const __m128i x = _mm_loadu_si128((const __m128i *)(window + i));
        inside |= (uint64_t)(uint32_t)_mm_movemask_epi8(letters_and_digits(x)) << i;
        wide |= (uint64_t)(uint32_t)_mm_movemask_epi8(x) << i;
    }
    inside &= all;
    wide &= all;
    starts = inside & ~(inside << 1);
    if (wide) { /* what is not ASCII, and the word before it that it may be part of */
        const uint64_t before = ((uint64_t)1 << __builtin_ctzll(wide)) - 1;
        const uint64_t others = ~inside & before;
        stop = others ? 64 - (uint32_t)__builtin_clzll(others) : 0;
        starts &= ((uint64_t)1 << stop) - 1;
    }
    while (starts && count < most) {
        const uint32_t at = (uint32_t)__builtin_ctzll(starts);
        const uint64_t behind = ~inside >> at;
        const uint32_t length = behind ? (uint32_t)__builtin_ctzll(behind) : 64;
        if (length >= WORD_BYTES || at + length == WORD_WINDOW) { /* long, or the window may end within it */
            done = at;
            break;
        }
        {
            const __m128i x = _mm_loadu_si128((const __m128i *)(window + at));
            const __m128i name = first_bytes(_mm_or_si128(x, _mm_set1_epi8(0x20)), length);
            words[count++] = hash_word((uint64_t)_mm_cvtsi128_si64(name),
                                       (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(name, name)), length);
        }
        starts &= starts - 1;
        done = at + length;
    }
    *p = window + (starts ? done : stop);
    return count;
}
#endif

/* Removes words from the front of a text, `most` at most, and returns how many: fewer only if no more are left. *p
 * becomes their end. */
static inline uint32_t take_words(
    const uint8_t **p, const uint8_t *end, const uint8_t *readable, uint64_t *words, uint32_t most) {
    uint32_t count = 0;
    while (*p < end && count < most) {
#if defined(THRESHER_SSE2) && defined(__x86_64__)
        if (**p < 0x80 && readable - *p >= WORD_READ) {
            const uint8_t *before = *p;
            count += take_short_words(p, end, words + count, most - count);
            if (*p != before)
                continue;
        }
#endif
        count += (uint32_t)take_word(p, end, words + count);
    }
    (void)readable;
    return count;
}

#endif
