/* SPDX-License-Identifier: Apache-2.0
 *
 * Scans for the next byte of interest, and names packed into machine words.
 *
 * Every function takes a half-open range, reads nothing outside it and returns `end` if nothing is found. x86-64 always
 * has SSE2, so that is used inline without a run-time choice. Typical runs of 40 bytes, the distance between two tags,
 * would gain less from wider vectors than a call through a pointer costs. Long runs (script, style, comments) go to
 * memchr, which the C library chooses by CPU. Other processors take the portable loops.
 */
#ifndef THRESHER_SCAN_H
#define THRESHER_SCAN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#define THRESHER_SSE2 1
#endif

/* The next '<', '&' or NUL. */
static inline const uint8_t *scan_text(const uint8_t *p, const uint8_t *end) {
#ifdef THRESHER_SSE2
    const __m128i lt = _mm_set1_epi8('<'), amp = _mm_set1_epi8('&'), nul = _mm_setzero_si128();
    while (end - p >= 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)p);
        __m128i hit = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(x, lt), _mm_cmpeq_epi8(x, amp)), _mm_cmpeq_epi8(x, nul));
        int mask = _mm_movemask_epi8(hit);
        if (mask)
            return p + __builtin_ctz((unsigned)mask);
        p += 16;
    }
#endif
    while (p < end && *p != '<' && *p != '&' && *p != 0)
        p++;
    return p;
}

/* The next quote of the given kind, '&' or NUL: the end of a quoted attribute value or what needs decoding in it. */
static inline const uint8_t *scan_value(const uint8_t *p, const uint8_t *end, uint8_t quote) {
#ifdef THRESHER_SSE2
    const __m128i q = _mm_set1_epi8((char)quote), amp = _mm_set1_epi8('&'), nul = _mm_setzero_si128();
    while (end - p >= 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)p);
        __m128i hit = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(x, q), _mm_cmpeq_epi8(x, amp)), _mm_cmpeq_epi8(x, nul));
        int mask = _mm_movemask_epi8(hit);
        if (mask)
            return p + __builtin_ctz((unsigned)mask);
        p += 16;
    }
#endif
    while (p < end && *p != quote && *p != '&' && *p != 0)
        p++;
    return p;
}

/* The next byte that can end a name: '/', '>', '=' or anything up to the space. */
static inline const uint8_t *scan_name(const uint8_t *p, const uint8_t *end) {
#ifdef THRESHER_SSE2
    const __m128i slash = _mm_set1_epi8('/'), gt = _mm_set1_epi8('>'),
                  equals = _mm_set1_epi8('='), space = _mm_set1_epi8(' ');
    while (end - p >= 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)p);
        __m128i hit = _mm_or_si128(_mm_cmpeq_epi8(x, slash), _mm_cmpeq_epi8(x, gt));
        int mask;
        hit = _mm_or_si128(hit, _mm_cmpeq_epi8(x, equals));
        hit = _mm_or_si128(hit, _mm_cmpeq_epi8(_mm_min_epu8(x, space), x));
        mask = _mm_movemask_epi8(hit);
        if (mask)
            return p + __builtin_ctz((unsigned)mask);
        p += 16;
    }
#endif
    while (p < end && *p > ' ' && *p != '/' && *p != '>' && *p != '=')
        p++;
    return p;
}

/* The next '<' or '-': the bytes that matter in a script after "<!--". */
static inline const uint8_t *scan_escaped_script(const uint8_t *p, const uint8_t *end) {
#ifdef THRESHER_SSE2
    const __m128i lt = _mm_set1_epi8('<'), dash = _mm_set1_epi8('-');
    while (end - p >= 16) {
        const __m128i x = _mm_loadu_si128((const __m128i *)p);
        const int mask = _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(x, lt), _mm_cmpeq_epi8(x, dash)));
        if (mask)
            return p + __builtin_ctz((unsigned)mask);
        p += 16;
    }
#endif
    while (p < end && *p != '<' && *p != '-')
        p++;
    return p;
}

/* The next byte equal to `byte`. */
static inline const uint8_t *scan_byte(const uint8_t *p, const uint8_t *end, uint8_t byte) {
    const uint8_t *found = p < end ? (const uint8_t *)memchr(p, byte, (size_t)(end - p)) : NULL;
    return found ? found : end;
}

/* Bytes of ASCII white space at the start of the range (tab, LF, FF, CR, space). */
static inline const uint8_t *skip_space(const uint8_t *p, const uint8_t *end) {
    const uint64_t space = 1ULL << ' ' | 1ULL << '\n' | 1ULL << '\t' | 1ULL << '\f' | 1ULL << '\r';
    if (end - p >= 2) { /* nearly always there is none, or one space */
        if (*p > ' ')
            return p;
        if (*p == ' ' && p[1] > ' ')
            return p + 1;
    }
    while (p < end && *p <= ' ' && (space >> *p & 1))
        p++;
    return p;
}

/* A name of up to 24 bytes as three words, in lower case: bytes 0-7, 8-15 (from 17 bytes on), and the last 8 (from 9
 * on). */
typedef struct {
    uint64_t head, middle, tail;
    uint32_t upper; /* not 0 if a capital was turned into a small letter; only sure up to 24 bytes */
} NameWords;

/* `word` with A-Z turned into a-z; *upper collects whether there was one. */
static inline uint64_t lower_word(uint64_t word, uint32_t *upper) {
    const uint64_t low7 = 0x7f7f7f7f7f7f7f7fULL, high = 0x8080808080808080ULL;
    uint64_t seven = word & low7;
    uint64_t from_a = seven + 0x3f3f3f3f3f3f3f3fULL;  /* high bit where the byte is 'A' or more */
    uint64_t past_z = seven + 0x2525252525252525ULL;  /* high bit where it is beyond 'Z' */
    uint64_t capital = from_a & ~past_z & ~word & high;
    *upper |= capital != 0;
    return word | (capital >> 2);
}

static inline uint64_t load_word(const uint8_t *p) {
    uint64_t word;
    memcpy(&word, p, 8);
    return word;
}

static inline NameWords name_words(const uint8_t *p, size_t length, const uint8_t *end) {
    NameWords w = {0, 0, 0, 0};
    if (length <= 8) {
        if (end - p >= 8) {
            w.head = load_word(p);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            w.head &= length ? ~0ULL >> (64 - 8 * length) : 0;
#else
            w.head &= length ? ~0ULL << (64 - 8 * length) : 0;
#endif
        } else {
            memcpy(&w.head, p, length);
        }
        w.head = lower_word(w.head, &w.upper);
    } else {
        w.head = lower_word(load_word(p), &w.upper);
        w.tail = lower_word(load_word(p + length - 8), &w.upper);
        if (length > 16)
            w.middle = lower_word(load_word(p + 8), &w.upper);
    }
    return w;
}

/* The bytes at p before the first `one` or `other`, as a word, if one of these is among the next eight bytes.
 * Otherwise, and within seven bytes of the end, 0 with a length of 0. The caller looks up whether they are a name. */
static inline uint64_t short_name(const uint8_t *p, const uint8_t *end, uint8_t one, uint8_t other, uint32_t *length) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (end - p >= 8) {
        const uint64_t ones = 0x0101010101010101ULL, high = 0x8080808080808080ULL;
        const uint64_t word = load_word(p), a = word ^ ones * one, b = word ^ ones * other;
        /* Only the lowest bit is reliable; bits above it may stand for other bytes. */
        const uint64_t found = (((a - ones) & ~a) | ((b - ones) & ~b)) & high;
        if (found) {
            *length = (uint32_t)__builtin_ctzll(found) >> 3;
            return word & (((found & (0 - found)) >> 7) - 1);
        }
    }
#endif
    *length = 0;
    return 0;
}

static inline uint32_t hash_words(NameWords w) {
    uint64_t h = (w.head ^ (w.tail * 0x9e3779b97f4a7c15ULL)) * 0xd6e8feb86659fd93ULL;
    return (uint32_t)(h >> 32);
}

/* A hash of any run of bytes, for tables that no page fills and to tell most names apart at once. Pages can make it
 * collide, so tables with keys from a page use hash_table.h. */
static inline uint32_t hash_bytes(const uint8_t *p, size_t length) {
    uint64_t h = length * 0x9e3779b97f4a7c15ULL;
    while (length >= 8) {
        h = (h ^ load_word(p)) * 0xd6e8feb86659fd93ULL;
        h ^= h >> 32;
        p += 8;
        length -= 8;
    }
    if (length) {
        uint64_t rest = 0;
        memcpy(&rest, p, length);
        h = (h ^ rest) * 0xd6e8feb86659fd93ULL;
        h ^= h >> 32;
    }
    h *= 0x9e3779b97f4a7c15ULL;
    return (uint32_t)(h >> 32);
}

#endif
