/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors of 32 bytes (AVX2) for loops over text, with the instructions that count bits. A function that uses them has
 * THRESHER_WIDE and is called only if has_wide(); the portable code beside it gives the same result.
 */
#ifndef THRESHER_WIDE_H
#define THRESHER_WIDE_H

#include <stdint.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define THRESHER_WIDE __attribute__((target("avx2,bmi,popcnt")))

/* Bytes that are in a set, which has at most one member for each value of the lower four bits: there it stands in
 * `set`, and where there is none, something else. */
#define IS_IN(x, set) _mm256_cmpeq_epi8(_mm256_shuffle_epi8(set, x), x)
#define BITS_OF(x) (uint64_t)(uint32_t)_mm256_movemask_epi8(x)

/* Bytes from `first` to `first` + n. */
THRESHER_WIDE static inline __m256i is_from(__m256i x, char first, char n) {
    const __m256i from = _mm256_sub_epi8(x, _mm256_set1_epi8(first));
    return _mm256_cmpeq_epi8(_mm256_min_epu8(from, _mm256_set1_epi8(n)), from);
}

THRESHER_WIDE static inline __m256i ascii_letters(__m256i x) {
    return is_from(_mm256_or_si256(x, _mm256_set1_epi8(0x20)), 'a', 25);
}
#endif

/* Whether the processor has them. */
static inline int has_wide(void) {
#ifdef THRESHER_WIDE
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
#else
    return 0;
#endif
}

#endif
