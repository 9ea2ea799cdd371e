/* SPDX-License-Identifier: Apache-2.0
 *
 * Keyed hashing, for tables whose keys a page can choose.
 *
 * Both functions take a secret that is new in every process. A page written without knowing it cannot make its keys
 * collide more often than chance: the bounds below hold for any two keys, however they were chosen.
 */
#ifndef THRESHER_HASH_TABLE_H
#define THRESHER_HASH_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FIELD ((1ULL << 61) - 1) /* a prime; arithmetic modulo it needs no division */

typedef struct {
    uint64_t point;         /* below FIELD */
    uint64_t low, high;     /* a multiplier of 128 bits; odd */
} HashSecret;

/* a * b + c modulo FIELD; the result may exceed FIELD by a few. */
static inline uint64_t multiply_add(uint64_t a, uint64_t b, uint64_t c) {
    const unsigned __int128 product = (unsigned __int128)a * b;
    const uint64_t sum = ((uint64_t)product & FIELD) + (uint64_t)(product >> 61) + c;
    return (sum & FIELD) + (sum >> 61);
}

/* A key for some bytes: the polynomial with their length and their words of seven bytes as coefficients, at the secret
 * point. Two different strings of up to n bytes get the same key with probability (n / 7 + 2) / 2^61 at most. */
static inline uint64_t key_of_bytes(const uint8_t *p, size_t length, const HashSecret *secret) {
    uint64_t key = length, word;
    while (length >= 7) {
        word = 0;
        memcpy(&word, p, 7);
        key = multiply_add(key, secret->point, word);
        p += 7;
        length -= 7;
    }
    word = 0;
    if (length > 0) { /* of no bytes there may be no address */
        memcpy(&word, p, length);
    }
    key = multiply_add(key, secret->point, word);
    return key >= FIELD ? key - FIELD : key;
}

/* The place of a key in a table of 2^bits entries, bits from 1 to 63 (multiply-shift of Dietzfelbinger et al., 1997):
 * two different keys share a place with probability 2 / 2^bits at most. */
static inline size_t place_of_key(uint64_t key, int bits, const HashSecret *secret) {
    const uint64_t high = (uint64_t)(((unsigned __int128)key * secret->low) >> 64) + key * secret->high;
    return (size_t)(high >> (64 - bits));
}

#endif
