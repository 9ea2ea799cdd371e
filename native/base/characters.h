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

/* -1 for each ASCII letter and digit. */
static inline __m128i letters_and_digits(__m128i x) {
    const __m128i low = _mm_or_si128(x, _mm_set1_epi8(0x20));
    const __m128i letter = _mm_and_si128(_mm_cmpgt_epi8(low, _mm_set1_epi8('a' - 1)),
                                         _mm_cmplt_epi8(low, _mm_set1_epi8('z' + 1)));
    const __m128i digit = _mm_and_si128(_mm_cmpgt_epi8(x, _mm_set1_epi8('0' - 1)),
                                        _mm_cmplt_epi8(x, _mm_set1_epi8('9' + 1)));
    return _mm_or_si128(letter, digit);
}

/* -1 for each ASCII letter, digit and underscore. */
static inline __m128i word_characters(__m128i x) {
    return _mm_or_si128(letters_and_digits(x), _mm_cmpeq_epi8(x, _mm_set1_epi8('_')));
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

/* Adds characters and words of the ASCII at p as measure_text() counts them, and returns where it ends. The portable
 * code returns p. p < end and p[0] is ASCII. `previous` is the CharacterClass of the preceding character, and becomes
 * that of the last one. The memory may be read up to `readable`. */
static inline const uint8_t *measure_ascii(
    const uint8_t *p, const uint8_t *end, const uint8_t *readable, uint32_t *characters, uint32_t *words,
    uint8_t *previous) {
#ifdef THRESHER_SSE2
    const uint8_t space = 1, word = 2;
    uint32_t last = *previous;
    /* Whole sixteens add up in vectors; a byte of `solid` grows by two at most, so that 127 rounds fit. */
    while (end - p >= 32) {
        const uint8_t *stop = end - p > 127 * 16 ? p + 127 * 16 : end;
        const __m128i zero = _mm_setzero_si128();
        __m128i solids = zero, starts = zero;
        __m128i blank_before = _mm_cvtsi32_si128(last == space ? 0xff : 0),
                inside_before = _mm_cvtsi32_si128(last == word ? 0xff : 0);
        while (stop - p >= 16) {
            const __m128i x = _mm_loadu_si128((const __m128i *)p), blank = white_space(x), inside = word_characters(x);
            if (_mm_movemask_epi8(x))
                break;
            blank_before = _mm_or_si128(_mm_slli_si128(blank, 1), blank_before);
            inside_before = _mm_or_si128(_mm_slli_si128(inside, 1), inside_before);
            solids = _mm_sub_epi8(solids, _mm_cmpeq_epi8(blank, zero));
            solids = _mm_sub_epi8(solids, _mm_andnot_si128(blank, blank_before));
            starts = _mm_sub_epi8(starts, _mm_andnot_si128(inside_before, inside));
            blank_before = _mm_srli_si128(blank, 15);
            inside_before = _mm_srli_si128(inside, 15);
            p += 16;
        }
        *characters += sum_of(solids);
        *words += sum_of(starts);
        last = _mm_cvtsi128_si32(blank_before) ? space : _mm_cvtsi128_si32(inside_before) ? word : 0;
        if (stop - p >= 16)
            break; /* not ASCII */
    }
    while (p < end && *p < 0x80) {
        const __m128i x = load_readable(p, end, readable), inside = word_characters(x);
        uint32_t n = (uint32_t)__builtin_ctz((uint32_t)_mm_movemask_epi8(x) | 0x10000), all, blanks, insides, solid;
        uint64_t counts;
        if (n > (size_t)(end - p))
            n = (uint32_t)(end - p);
        all = (1u << n) - 1;
        blanks = blanks_of(x) & all;
        insides = (uint32_t)_mm_movemask_epi8(inside) & all;
        solid = all & ~blanks;
        /* A character is any non-space, or the white space before one. A word begins where none continues. Three bit
         * counts in one. */
        counts = (uint64_t)(insides & ~(insides << 1 | (last == word))) << 32 |
                 (solid & (blanks << 1 | (last == space))) << 16 | solid;
        counts -= counts >> 1 & 0x5555555555555555;
        counts = (counts & 0x3333333333333333) + (counts >> 2 & 0x3333333333333333);
        counts = (counts + (counts >> 4)) & 0x0f0f0f0f0f0f0f0f;
        counts += counts >> 8;
        *characters += (uint32_t)((counts & 31) + (counts >> 16 & 31));
        *words += (uint32_t)(counts >> 32 & 31);
        last = blanks >> (n - 1) & 1 ? space : insides >> (n - 1) & 1 ? word : 0;
        p += n;
    }
    *previous = (uint8_t)last;
#else
    (void)end, (void)readable, (void)characters, (void)words, (void)previous;
#endif
    return p;
}

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
