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

#endif
