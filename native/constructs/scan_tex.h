/* SPDX-License-Identifier: Apache-2.0
 *
 * A quick check for text that may have to be rewritten: possible delimiters of formulas, brackets, which may be those of
 * [tex], and non-ASCII bytes, which may be invisible characters. Every text of every page is checked and most have
 * neither. So the check is a few instructions per 16 bytes, without a branch for each byte of short texts.
 */
#ifndef THRESHER_SCAN_TEX_H
#define THRESHER_SCAN_TEX_H

#include "base/characters.h"

enum { TEXT_TEX_MARK = 1, TEXT_NOT_ASCII = 2, TEXT_BRACKET = 4 };

/* TEXT_TEX_MARK if '\' or '$' is among `length` bytes, TEXT_BRACKET if '[' is, TEXT_NOT_ASCII if a non-ASCII byte is.
 * The memory may be read up to `readable`. */
static inline int text_marks(const uint8_t *p, uint32_t length, const uint8_t *readable) {
    const uint8_t *end = p + length;
#ifdef THRESHER_SSE2
    __m128i tex = _mm_setzero_si128(), high = tex, brackets = tex;
    for (; p < end; p += 16) {
        __m128i x = load_readable(p, end, readable);
        if (end - p < 16)
            x = first_bytes(x, (size_t)(end - p));
        high = _mm_or_si128(high, x);
        brackets = _mm_or_si128(brackets, _mm_cmpeq_epi8(x, _mm_set1_epi8('[')));
        tex = _mm_or_si128(
            tex, _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('\\')), _mm_cmpeq_epi8(x, _mm_set1_epi8('$'))));
    }
    return (_mm_movemask_epi8(tex) ? TEXT_TEX_MARK : 0) | (_mm_movemask_epi8(high) ? TEXT_NOT_ASCII : 0) |
           (_mm_movemask_epi8(brackets) ? TEXT_BRACKET : 0);
#else
    int marks = 0;
    (void)readable;
    for (; p < end; p++) {
        marks |= *p == '\\' || *p == '$' ? TEXT_TEX_MARK : 0;
        marks |= *p == '[' ? TEXT_BRACKET : 0;
        marks |= *p >= 0x80 ? TEXT_NOT_ASCII : 0;
    }
    return marks;
#endif
}

#endif
