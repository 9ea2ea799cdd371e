/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops over text, sixteen bytes at a time. A branch per byte is unpredictable for the processor; a mask of sixteen
 * bytes is not.
 *
 * Every function takes a half-open range and reads nothing outside it. One that is also given `readable`, the end of
 * the page or buffer that contains the range, may read up to there. As in parsing/scan.h, x86-64 always has SSE2; other
 * processors take the portable loops, which define the result.
 */
#ifndef THRESHER_CHARACTERS_H
#define THRESHER_CHARACTERS_H

#include "base/scan.h"
#include "base/wide.h"

#ifdef THRESHER_SSE2
/* The `n` bytes at p, 1 to 15, followed by zeros. Two overlapping loads, or byte by byte for fewer than four. */
static inline __m128i load_few(const uint8_t *p, size_t n) {
    uint64_t low, high = 0;
    if (n >= 8) {
        low = load_word(p);
        high = load_word(p + n - 8) >> (8 * (15 - n)) >> 8;
    } else if (n >= 4) {
        uint32_t first, last;
        memcpy(&first, p, 4);
        memcpy(&last, p + n - 4, 4);
        low = first | (uint64_t)last << (8 * (n - 4));
    } else {
        low = (uint64_t)p[0] | (uint64_t)p[n >> 1] << (8 * (n >> 1)) | (uint64_t)p[n - 1] << (8 * (n - 1));
    }
    return _mm_set_epi64x((long long)high, (long long)low);
}

static inline __m128i load_text(const uint8_t *p, const uint8_t *end) {
    return end - p >= 16 ? _mm_loadu_si128((const __m128i *)p) : load_few(p, (size_t)(end - p));
}

/* Sixteen bytes at p, with arbitrary bytes after `end`, if that many are readable (`readable` is not before `end`).
 * Otherwise the bytes before `end`, followed by zeros. Most texts are short and followed by more of the page. */
static inline __m128i load_readable(const uint8_t *p, const uint8_t *end, const uint8_t *readable) {
    return readable - p >= 16 ? _mm_loadu_si128((const __m128i *)p) : load_few(p, (size_t)(end - p));
}

/* The first n of sixteen bytes, n up to 16, followed by zeros. */
static inline __m128i first_bytes(__m128i x, size_t n) {
    static const uint8_t mask[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    return _mm_and_si128(x, _mm_loadu_si128((const __m128i *)(mask + 16 - n)));
}

/* -1 for each byte of ASCII white space. */
static inline __m128i white_space(__m128i x) {
    const __m128i control = _mm_and_si128(_mm_cmpgt_epi8(x, _mm_set1_epi8(8)), _mm_cmplt_epi8(x, _mm_set1_epi8(14)));
    const __m128i blank = _mm_andnot_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8(11)), control);
    return _mm_or_si128(blank, _mm_cmpeq_epi8(x, _mm_set1_epi8(' ')));
}

/* A bit for each byte of ASCII white space. */
static inline uint32_t blanks_of(__m128i x) {
    return (uint32_t)_mm_movemask_epi8(white_space(x));
}

/* The end of the white space that begins at p. The memory may be read up to `readable`. */
static inline const uint8_t *skip_blanks(const uint8_t *p, const uint8_t *end, const uint8_t *readable) {
    while (p < end) {
        const uint32_t others = ~blanks_of(load_readable(p, end, readable)) & 0xffff;
        if (others) {
            p += __builtin_ctz(others);
            return p < end ? p : end;
        }
        p += 16;
    }
    return end;
}

/* The sum of sixteen bytes. */
static inline uint32_t sum_of(__m128i x) {
    const __m128i halves = _mm_sad_epu8(x, _mm_setzero_si128());
    return (uint32_t)(_mm_cvtsi128_si32(halves) + _mm_cvtsi128_si32(_mm_unpackhi_epi64(halves, halves)));
}
#endif

#ifndef THRESHER_SSE2
static inline const uint8_t *skip_blanks(const uint8_t *p, const uint8_t *end, const uint8_t *readable) {
    (void)readable;
    return skip_space(p, end);
}
#endif

/* The next ASCII white space, or `end`. */
static inline const uint8_t *find_space(const uint8_t *p, const uint8_t *end) {
#ifdef THRESHER_SSE2
    for (; p < end; p += 16) {
        const uint32_t blanks = blanks_of(load_text(p, end));
        if (blanks)
            return p + __builtin_ctz(blanks);
        if (end - p < 16)
            return end;
    }
    return end;
#else
    while (p < end && *p != ' ' && *p != '\n' && *p != '\t' && *p != '\f' && *p != '\r')
        p++;
    return p;
#endif
}

#ifdef THRESHER_WIDE
/* Adds characters and words of the ASCII at p as measure_text() counts them, 64 bytes at a time, and returns where it
 * ends, or where fewer than 64 bytes can be read. `previous` is the CharacterClass of the preceding character, and
 * becomes that of the last one. The memory may be read up to `readable`. */
THRESHER_WIDE static const uint8_t *measure_ascii(
    const uint8_t *p, const uint8_t *end, const uint8_t *readable, uint32_t *characters, uint32_t *words,
    uint8_t *previous) {
    const uint8_t space = 1, word = 2;
    const __m256i spaces = _mm256_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, 9, 10, 0, 12, 13, 0, 0,
                                            ' ', 0, 0, 0, 0, 0, 0, 0, 0, 9, 10, 0, 12, 13, 0, 0);
    uint32_t last = *previous, n = 64;
    while (p < end && readable - p >= 64 && n == 64) {
        uint64_t blanks = 0, inside = 0, beyond = 0, all, solid;
        int i;
        for (i = 0; i < 64; i += 32) {
            const __m256i x = _mm256_loadu_si256((const __m256i *)(p + i));
            const __m256i sign = _mm256_or_si256(is_from(x, '0', 9), _mm256_cmpeq_epi8(x, _mm256_set1_epi8('_')));
            blanks |= BITS_OF(IS_IN(x, spaces)) << i;
            inside |= BITS_OF(_mm256_or_si256(ascii_letters(x), sign)) << i;
            beyond |= BITS_OF(x) << i;
        }
        n = beyond ? (uint32_t)__builtin_ctzll(beyond) : 64;
        if (n > (size_t)(end - p))
            n = (uint32_t)(end - p);
        if (n == 0)
            break;
        all = ~(uint64_t)0 >> (64 - n);
        solid = all & ~blanks;
        inside &= all;
        /* A character is any non-space, or the white space before one. A word begins where none continues. */
        *characters += (uint32_t)(__builtin_popcountll(solid) +
                                  __builtin_popcountll(solid & (blanks << 1 | (uint64_t)(last == space))));
        *words += (uint32_t)__builtin_popcountll(inside & ~(inside << 1 | (uint64_t)(last == word)));
        last = blanks >> (n - 1) & 1 ? space : inside >> (n - 1) & 1 ? word : 0;
        p += n;
    }
    *previous = (uint8_t)last;
    return p;
}
#else
static inline const uint8_t *measure_ascii(
    const uint8_t *p, const uint8_t *end, const uint8_t *readable, uint32_t *characters, uint32_t *words,
    uint8_t *previous) {
    (void)end, (void)readable, (void)characters, (void)words, (void)previous;
    return p;
}
#endif

/* Counts the marks . ! ? : , ; and, of these, commas and semicolons. The memory may be read up to `readable`. */
static inline void count_marks(
    const uint8_t *p, const uint8_t *end, const uint8_t *readable, uint32_t *marks, uint32_t *commas) {
#ifdef THRESHER_SSE2
    while (p < end) {
        const uint8_t *stop = end - p > 255 * 16 ? p + 255 * 16 : end; /* a byte holds the count of 255 rounds */
        __m128i all = _mm_setzero_si128(), some = all;
        while (p < stop) {
            const __m128i x = stop - p >= 16 ? _mm_loadu_si128((const __m128i *)p)
                                             : first_bytes(load_readable(p, stop, readable), (size_t)(stop - p));
            const __m128i pair = _mm_cmpeq_epi8(_mm_or_si128(x, _mm_set1_epi8(1)), _mm_set1_epi8(';'));  /* : ; */
            const __m128i other = _mm_cmpeq_epi8(_mm_or_si128(x, _mm_set1_epi8(2)), _mm_set1_epi8('.')); /* , . */
            const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('!')),
                                              _mm_cmpeq_epi8(x, _mm_set1_epi8('?')));
            const __m128i comma = _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8(',')),
                                               _mm_cmpeq_epi8(x, _mm_set1_epi8(';')));
            all = _mm_sub_epi8(all, _mm_or_si128(_mm_or_si128(pair, other), ends));
            some = _mm_sub_epi8(some, comma);
            p = stop - p >= 16 ? p + 16 : stop;
        }
        *marks += sum_of(all);
        *commas += sum_of(some);
    }
#else
    (void)readable;
    for (; p < end; p++) {
        *marks += *p == '.' || *p == '!' || *p == '?' || *p == ':' || *p == ',' || *p == ';';
        *commas += *p == ',' || *p == ';';
    }
#endif
}

/* The end of a run of words separated by single blanks: the start of any other white space, or `end`. p[0] is not
 * white space. */
static inline const uint8_t *scan_words(const uint8_t *p, const uint8_t *end) {
#ifdef THRESHER_SSE2
    while (p < end) {
        const __m128i x = load_text(p, end);
        const uint32_t n = end - p >= 16 ? 16 : (uint32_t)(end - p),
                       behind = ~0u << n; /* bytes behind the end count as white space */
        const uint32_t blanks = blanks_of(x) | (n < 16 ? behind : 0);
        const uint32_t single = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8(' ')));
        const uint32_t stops = blanks & (~single | blanks >> 1);
        if (stops)
            return p + __builtin_ctz(stops);
        p += 16 - (blanks >> 15 & 1); /* a final blank is read again, with what follows it */
    }
    return end;
#else
    const uint8_t *after = p;
    while (after < end) {
        p = after = find_space(after, end);
        if (after + 1 < end && after[0] == ' ' && skip_space(after + 1, end) == after + 1)
            after++;
        else
            break;
    }
    return p;
#endif
}

#endif
