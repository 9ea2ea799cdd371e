/* SPDX-License-Identifier: Apache-2.0
 *
 * Tokens (tokens.pxd), found sixty-four bytes at a time, and the hash of tokens and terms. A loop over bytes ends each
 * run of letters with a branch that the processor cannot predict, and hashes one run after the other. With one bit per
 * byte, a run is two counts of zeros, and several runs are hashed at the same time.
 *
 * Every function takes a half-open range; the memory may be read up to `readable`, which is not before `end`.
 */
#ifndef THRESHER_LETTERS_H
#define THRESHER_LETTERS_H

#include "base/characters.h"
#include "base/check.h"

enum {
    HASHED_LETTERS = 24,                          /* letters of a run that are hashed */
    LETTER_WINDOW = 64,                           /* bytes that are looked at together */
    LETTER_READ = LETTER_WINDOW + HASHED_LETTERS, /* bytes from the window's start that a hash may load */
    LETTERS_FOLD = 14                             /* TOKEN_BITS of tokens.pxd */
};

/* HASH_START and HASH_STEP of tokens.pxd. */
#define LETTERS_START 2166136261u
#define LETTERS_STEP 16777619u

/* A bit for each of up to 64 bytes that has a property. */
typedef struct {
    uint64_t letters;   /* ASCII letters */
    uint64_t capitals;  /* those of A to Z */
} LetterMasks;

/* The masks of the n bytes at p, n from 1 to 64. 64 can be read. */
static inline LetterMasks letter_masks(const uint8_t *p, size_t n) {
    LetterMasks masks = {0, 0};
    const uint64_t all = n < 64 ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;
    size_t i;
#ifdef THRESHER_SSE2
    const size_t last = n > 32 ? 64 : 32; /* most values are shorter than 32 bytes */
    for (i = 0; i < last; i += 16) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(p + i)), low = _mm_or_si128(x, _mm_set1_epi8(0x20));
        const __m128i letter = _mm_and_si128(_mm_cmpgt_epi8(low, _mm_set1_epi8('a' - 1)),
                                             _mm_cmplt_epi8(low, _mm_set1_epi8('z' + 1)));
        const __m128i capital = _mm_andnot_si128(_mm_cmpeq_epi8(x, low), letter);
        masks.letters |= (uint64_t)(uint32_t)_mm_movemask_epi8(letter) << i;
        masks.capitals |= (uint64_t)(uint32_t)_mm_movemask_epi8(capital) << i;
    }
#else
    for (i = 0; i < n; i++) {
        const uint8_t byte = p[i], low = byte | 0x20;
        const uint64_t letter = low >= 'a' && low <= 'z';
        masks.letters |= letter << i;
        masks.capitals |= (letter & (byte != low)) << i;
    }
#endif
    masks.letters &= all;
    masks.capitals &= all;
    return masks;
}

/* One to eight bytes at p as a number, the first one lowest, in lower case and followed by zeros. Eight can be read. */
static inline uint64_t letters_at(const uint8_t *p, uint32_t n) {
    uint64_t word = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = load_word(p);
#else
    uint32_t i;
    for (i = 0; i < 8; i++)
        word |= (uint64_t)p[i] << 8 * i;
#endif
    return (word | 0x2020202020202020) & ~(uint64_t)0 >> (64 - 8 * n);
}

/* The FNV-1a hash, begun with `value`, of 1 to 24 letters in lower case. 24 bytes can be read.
 *
 * Eight letters are hashed at once, without a branch for each. A zero behind the last one only multiplies, and the
 * inverse of the multiplier takes that back. */
static inline uint32_t hash_letters(uint32_t value, const uint8_t *p, uint32_t n) {
    /* powers of the inverse of LETTERS_STEP modulo 2^32 */
    static const uint32_t undo[8] = {
        1, 899433627, 3712660953, 2445655651, 1285591537, 3755499755, 3086293577, 2648591923,
    };
    for (;;) {
        const uint32_t now = n < 8 ? n : 8;
        const uint64_t word = letters_at(p, now);
        int i;
        for (i = 0; i < 64; i += 8)
            value = (value ^ (uint8_t)(word >> i)) * LETTERS_STEP;
        if (n <= 8)
            return value * undo[8 - n];
        n -= 8;
        p += 8;
    }
}

static inline int is_letter(uint8_t byte) {
    return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
}

/* A hash in the bits that weights have. */
static inline uint32_t fold_hash(uint32_t value) {
    return (value ^ value >> LETTERS_FOLD) & ((1u << LETTERS_FOLD) - 1);
}

/* The window of n bytes at p, of which LETTER_READ bytes can be read: `copy`, if the memory at p ends before that. */
static inline const uint8_t *letter_window(const uint8_t *p, size_t n, const uint8_t *readable, uint8_t *copy) {
    if (readable - p >= LETTER_READ)
        return p;
    THRESHER_CHECK(n <= LETTER_WINDOW && (size_t)(readable - p) >= n);
    memset(copy, 0, LETTER_READ);
    memcpy(copy, p, n);
    return copy;
}

/* Takes tokens from the front of an attribute value, up to `most` of them, and returns how many; fewer than `most` only
 * at its end. A token is two letters or more, and ends where a small letter meets a capital. */
static inline uint32_t take_tokens(
    const uint8_t **from, const uint8_t *end, const uint8_t *readable, uint32_t start, uint32_t *tokens,
    uint32_t most) {
    uint8_t copy[LETTER_READ];
    const uint8_t *p = *from;
    uint32_t count = 0;
    while (p < end && count < most) {
        const size_t n = end - p < LETTER_WINDOW ? (size_t)(end - p) : LETTER_WINDOW;
        const uint8_t *window = letter_window(p, n, readable, copy);
        const LetterMasks masks = letter_masks(window, n);
        const uint64_t humps = masks.capitals & (masks.letters & ~masks.capitals) << 1;
        const uint64_t stops = ~masks.letters | humps;
        /* Where a run of two letters or more begins. What begins at the window's last byte may have more. */
        uint64_t starts = masks.letters & (stops | ~(masks.letters << 1)) & (~stops >> 1 | (uint64_t)1 << 63);
        uint32_t done = (uint32_t)n;
        while (starts && count < most) {
            const uint32_t at = (uint32_t)__builtin_ctzll(starts);
            const uint64_t behind = stops & ~(uint64_t)1 << at;
            uint32_t length;
            if (behind == 0) { /* the window ends within the run */
                done = at;
                break;
            }
            length = (uint32_t)__builtin_ctzll(behind) - at;
            tokens[count++] =
                fold_hash(hash_letters(start, window + at, length < HASHED_LETTERS ? length : HASHED_LETTERS));
            starts &= starts - 1;
            done = at + length;
        }
        if (starts == 0) {
            done = (uint32_t)n;
        } else if (done == 0) { /* a run that fills the window: one hash, and its end is looked for */
            tokens[count++] = fold_hash(hash_letters(start, window, HASHED_LETTERS));
            do
                done++;
            while (p + done < end && is_letter(p[done]) && !(p[done] < 'a' && p[done - 1] >= 'a'));
        }
        p += done;
    }
    *from = p;
    return count;
}

#endif
