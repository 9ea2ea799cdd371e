/* SPDX-License-Identifier: Apache-2.0
 *
 * A quick check for text that may have to be rewritten: possible delimiters of formulas, brackets, which may be those
 * of [tex], and non-ASCII bytes, which may be invisible characters. Every text of every page is checked and most have neither. So the check is a few
 * instructions per 16 bytes, and reads the last ones twice.
 */
#ifndef THRESHER_SCAN_TEX_H
#define THRESHER_SCAN_TEX_H

#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { TEXT_TEX_MARK = 1, TEXT_NOT_ASCII = 2, TEXT_BRACKET = 4 };

#if defined(__SSE2__)
static inline int marks_of(__m128i tex, __m128i high, __m128i brackets) {
    return (_mm_movemask_epi8(tex) ? TEXT_TEX_MARK : 0) | (_mm_movemask_epi8(high) ? TEXT_NOT_ASCII : 0) |
           (_mm_movemask_epi8(brackets) ? TEXT_BRACKET : 0);
}

static inline __m128i bracket_marks(__m128i x) { return _mm_cmpeq_epi8(x, _mm_set1_epi8('[')); }

static inline __m128i tex_marks(__m128i x) {
    return _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('\\')), _mm_cmpeq_epi8(x, _mm_set1_epi8('$')));
}
#endif

/* TEXT_TEX_MARK if '\' or '$' is among `length` bytes, TEXT_BRACKET if '[' is, TEXT_NOT_ASCII if a non-ASCII byte is. */
static inline int text_marks(const uint8_t *p, uint32_t length) {
    const uint8_t *end = p + length;
    int marks = 0;
#if defined(__SSE2__)
    if (length >= 16) {
        const uint8_t *last = end - 16;
        __m128i high = _mm_loadu_si128((const __m128i *)last);
        __m128i tex = tex_marks(high);
        __m128i brackets = bracket_marks(high);
        for (; p < last; p += 16) {
            const __m128i x = _mm_loadu_si128((const __m128i *)p);
            tex = _mm_or_si128(tex, tex_marks(x));
            brackets = _mm_or_si128(brackets, bracket_marks(x));
            high = _mm_or_si128(high, x);
        }
        return marks_of(tex, high, brackets);
    }
    if (length >= 8) {
        const __m128i x = _mm_unpacklo_epi64(
            _mm_loadl_epi64((const __m128i *)p), _mm_loadl_epi64((const __m128i *)(end - 8))
        );
        return marks_of(tex_marks(x), x, bracket_marks(x));
    }
#endif
    for (; p < end; p++) {
        marks |= *p == '\\' || *p == '$' ? TEXT_TEX_MARK : 0;
        marks |= *p == '[' ? TEXT_BRACKET : 0;
        marks |= *p >= 0x80 ? TEXT_NOT_ASCII : 0;
    }
    return marks;
}

#endif
