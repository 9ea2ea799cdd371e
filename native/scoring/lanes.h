/* SPDX-License-Identifier: Apache-2.0
 * Boosted trees over sixteen rows at once, kept in vector registers from the first split of a tree to its leaf.
 *
 * With AVX2 (checked once, at import) a tree takes three instructions per split and sixteen rows, and its leaves are
 * looked up sixteen at a time. With AVX-512 as many instructions serve thirty-two rows. Without them, GCC and Clang use
 * vector types for the splits and a loop for the leaves, and other compilers use plain loops. All arithmetic is on
 * integers, so all variants give equal scores; a test checks this.
 */
#ifndef THRESHER_LANES_H
#define THRESHER_LANES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define THRESHER_AVX2 1
#endif

#define THRESHER_LANES 16
#define THRESHER_LEAVES 16
#define THRESHER_DE_BRUIJN 0x09AF /* times each power of two, the upper four of its sixteen bits are different */

struct thresher_split {
    uint16_t feature;
    int16_t limit;      /* a row goes left if its value is below */
    uint16_t left;      /* one bit for each leaf on the left side */
};

/* The place of a leaf in a tree's table. */
static inline unsigned thresher_leaf_place(unsigned leaf)
{
    return (uint16_t)(THRESHER_DE_BRUIJN << leaf) >> 12;
}

static inline int16_t thresher_add(int16_t a, int16_t b)
{
    int sum = a + b;
    return (int16_t)(sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum);
}

/* Adds the leaves of sixteen rows in n_trees trees to scores, saturating. The value of feature f of row r is values[f
 * * stride + r]. Tree t has the splits [first[t], first[t + 1]) and 32 bytes of leaves: the low bytes of sixteen, then
 * their high bytes. */
static inline void thresher_score_plain(
    const struct thresher_split *splits, const uint32_t *first, const uint8_t *leaves, uint32_t n_trees,
    const int16_t *values, size_t stride, int16_t *scores)
{
    uint32_t tree;
    int row;
    for (tree = 0; tree < n_trees; tree++, leaves += 2 * THRESHER_LEAVES) {
        const struct thresher_split *split = splits + first[tree], *end = splits + first[tree + 1];
        uint16_t excluded[THRESHER_LANES];
#if defined(__GNUC__)
        typedef int16_t signed_lanes __attribute__((vector_size(2 * THRESHER_LANES)));
        typedef uint16_t lanes __attribute__((vector_size(2 * THRESHER_LANES)));
        lanes found = {0};
        for (; split < end; split++) {
            signed_lanes value;
            memcpy(&value, values + split->feature * stride, sizeof value);
            found |= (lanes)(value >= split->limit) & split->left;
        }
        memcpy(excluded, &found, sizeof found);
#else
        memset(excluded, 0, sizeof excluded);
        for (; split < end; split++)
            for (row = 0; row < THRESHER_LANES; row++)
                if (values[split->feature * stride + row] >= split->limit)
                    excluded[row] |= split->left;
#endif
        for (row = 0; row < THRESHER_LANES; row++) {
            /* The lowest remaining leaf, as a bit. The last leaf is on no left side, so there always is one. */
            uint16_t lowest = (uint16_t)(~excluded[row] & (excluded[row] + 1));
            unsigned place = (uint16_t)(lowest * THRESHER_DE_BRUIJN) >> 12;
            scores[row] = thresher_add(scores[row], (int16_t)(leaves[place] | leaves[place + THRESHER_LEAVES] << 8));
        }
    }
}

#ifdef THRESHER_AVX2
#define THRESHER_WITH_AVX2 __attribute__((target("avx2")))

/* The sixteen leaves of one tree that the rows with these excluded leaves reach. */
THRESHER_WITH_AVX2 static inline __m256i thresher_reached(__m256i excluded, __m256i low, __m256i high)
{
    const __m256i ones = _mm256_set1_epi16(-1), hash = _mm256_set1_epi16(THRESHER_DE_BRUIJN);
    __m256i lowest = _mm256_andnot_si256(excluded, _mm256_sub_epi16(excluded, ones));
    __m256i place = _mm256_srli_epi16(_mm256_mullo_epi16(lowest, hash), 12);
    /* In the table of low bytes, the upper byte of each lane selects nothing; in that of high bytes, the lower byte. */
    __m256i from_low = _mm256_or_si256(place, _mm256_set1_epi16((short)0x8000));
    __m256i from_high = _mm256_or_si256(_mm256_slli_epi16(place, 8), _mm256_set1_epi16(0x0080));
    return _mm256_or_si256(_mm256_shuffle_epi8(low, from_low), _mm256_shuffle_epi8(high, from_high));
}

/* thresher_score_plain() for thirty-two rows, or for sixteen if `two` is 0. */
THRESHER_WITH_AVX2 static inline void thresher_score_avx2(
    const struct thresher_split *splits, const uint32_t *first, const uint8_t *leaves, uint32_t n_trees,
    const int16_t *values, size_t stride, int16_t *scores, int two)
{
    __m256i sum_a = _mm256_loadu_si256((const __m256i *)scores);
    __m256i sum_b = two ? _mm256_loadu_si256((const __m256i *)(scores + 16)) : _mm256_setzero_si256();
    const struct thresher_split *split = splits + first[0];
    uint32_t tree;
    for (tree = 0; tree < n_trees; tree++, leaves += 2 * THRESHER_LEAVES) {
        const struct thresher_split *end = splits + first[tree + 1];
        __m256i out_a = _mm256_setzero_si256(), out_b = _mm256_setzero_si256(), low, high;
        for (; split < end; split++) {
            const int16_t *value = values + split->feature * stride;
            __m256i limit = _mm256_set1_epi16(split->limit), left = _mm256_set1_epi16((short)split->left);
            __m256i below = _mm256_cmpgt_epi16(limit, _mm256_loadu_si256((const __m256i *)value));
            out_a = _mm256_or_si256(out_a, _mm256_andnot_si256(below, left));
            if (two) {
                below = _mm256_cmpgt_epi16(limit, _mm256_loadu_si256((const __m256i *)(value + 16)));
                out_b = _mm256_or_si256(out_b, _mm256_andnot_si256(below, left));
            }
        }
        low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)leaves));
        high = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(leaves + THRESHER_LEAVES)));
        sum_a = _mm256_adds_epi16(sum_a, thresher_reached(out_a, low, high));
        if (two)
            sum_b = _mm256_adds_epi16(sum_b, thresher_reached(out_b, low, high));
    }
    _mm256_storeu_si256((__m256i *)scores, sum_a);
    if (two)
        _mm256_storeu_si256((__m256i *)(scores + 16), sum_b);
}

THRESHER_WITH_AVX2 static void thresher_score_all_avx2(
    const struct thresher_split *splits, const uint32_t *first, const uint8_t *leaves, uint32_t n_trees,
    const int16_t *values, size_t stride, uint32_t n_rows, int16_t *scores)
{
    uint32_t row;
    for (row = 0; row + 2 * THRESHER_LANES <= n_rows; row += 2 * THRESHER_LANES)
        thresher_score_avx2(splits, first, leaves, n_trees, values + row, stride, scores + row, 1);
    if (row < n_rows)
        thresher_score_avx2(splits, first, leaves, n_trees, values + row, stride, scores + row, 0);
}

#define THRESHER_WITH_AVX512 __attribute__((target("avx512bw,avx512f,avx2")))

/* thresher_reached() for thirty-two rows. */
THRESHER_WITH_AVX512 static inline __m512i thresher_reached_wide(__m512i excluded, __m512i low, __m512i high)
{
    const __m512i ones = _mm512_set1_epi16(-1), hash = _mm512_set1_epi16(THRESHER_DE_BRUIJN);
    __m512i lowest = _mm512_andnot_si512(excluded, _mm512_sub_epi16(excluded, ones));
    __m512i place = _mm512_srli_epi16(_mm512_mullo_epi16(lowest, hash), 12);
    __m512i from_low = _mm512_or_si512(place, _mm512_set1_epi16((short)0x8000));
    __m512i from_high = _mm512_or_si512(_mm512_slli_epi16(place, 8), _mm512_set1_epi16(0x0080));
    return _mm512_or_si512(_mm512_shuffle_epi8(low, from_low), _mm512_shuffle_epi8(high, from_high));
}

/* thresher_score_avx2() for 32 rows in each of `n` vectors, a constant of at most THRESHER_MOST_VECTORS. Each split is
 * read once for all of them. */
#define THRESHER_MOST_VECTORS 8
THRESHER_WITH_AVX512 __attribute__((always_inline)) static inline void thresher_score_avx512(
    const struct thresher_split *splits, const uint32_t *first, const uint8_t *leaves, uint32_t n_trees,
    const int16_t *values, size_t stride, int16_t *scores, const int n)
{
    __m512i sums[THRESHER_MOST_VECTORS], out[THRESHER_MOST_VECTORS];
    const struct thresher_split *split = splits + first[0];
    uint32_t tree;
    int v;
    for (v = 0; v < n; v++)
        sums[v] = _mm512_loadu_si512(scores + 32 * v);
    for (tree = 0; tree < n_trees; tree++, leaves += 2 * THRESHER_LEAVES) {
        const struct thresher_split *end = splits + first[tree + 1];
        __m512i low, high;
        for (v = 0; v < n; v++)
            out[v] = _mm512_setzero_si512();
        for (; split < end; split++) {
            const int16_t *value = values + split->feature * stride;
            const __m512i limit = _mm512_set1_epi16(split->limit), left = _mm512_set1_epi16((short)split->left);
            for (v = 0; v < n; v++) {
                const __mmask32 beyond = _mm512_cmple_epi16_mask(limit, _mm512_loadu_si512(value + 32 * v));
                out[v] = _mm512_or_si512(out[v], _mm512_maskz_mov_epi16(beyond, left));
            }
        }
        low = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)leaves));
        high = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(leaves + THRESHER_LEAVES)));
        for (v = 0; v < n; v++)
            sums[v] = _mm512_adds_epi16(sums[v], thresher_reached_wide(out[v], low, high));
    }
    for (v = 0; v < n; v++)
        _mm512_storeu_si512(scores + 32 * v, sums[v]);
}

THRESHER_WITH_AVX512 static void thresher_score_all_avx512(
    const struct thresher_split *splits, const uint32_t *first, const uint8_t *leaves, uint32_t n_trees,
    const int16_t *values, size_t stride, uint32_t n_rows, int16_t *scores)
{
    uint32_t row;
    for (row = 0; row + 32 * 8 <= n_rows; row += 32 * 8)
        thresher_score_avx512(splits, first, leaves, n_trees, values + row, stride, scores + row, 8);
    if (row + 32 * 4 <= n_rows) {
        thresher_score_avx512(splits, first, leaves, n_trees, values + row, stride, scores + row, 4);
        row += 32 * 4;
    }
    switch ((n_rows - row) / 32) { /* less than 4 */
    case 3:
        thresher_score_avx512(splits, first, leaves, n_trees, values + row, stride, scores + row, 3);
        break;
    case 2:
        thresher_score_avx512(splits, first, leaves, n_trees, values + row, stride, scores + row, 2);
        break;
    case 1:
        thresher_score_avx512(splits, first, leaves, n_trees, values + row, stride, scores + row, 1);
        break;
    }
    row += (n_rows - row) / 32 * 32;
    if (row < n_rows)
        thresher_score_avx2(splits, first, leaves, n_trees, values + row, stride, scores + row, 0);
}
#endif

/* The width of the processor's vectors: 2 with AVX-512 (BW), 1 with AVX2, else 0. */
static inline int thresher_width(void)
{
#ifdef THRESHER_AVX2
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2"))
        return 0;
    return __builtin_cpu_supports("avx512bw") ? 2 : 1;
#else
    return 0;
#endif
}

/* Scores of n_rows rows, a multiple of sixteen; `wide` is at most thresher_width(). */
static inline void thresher_score(
    const struct thresher_split *splits, const uint32_t *first, const uint8_t *leaves, uint32_t n_trees,
    const int16_t *values, size_t stride, uint32_t n_rows, int16_t *scores, int wide)
{
    uint32_t row;
    memset(scores, 0, n_rows * sizeof *scores);
#ifdef THRESHER_AVX2
    if (wide == 2) {
        thresher_score_all_avx512(splits, first, leaves, n_trees, values, stride, n_rows, scores);
        return;
    }
    if (wide) {
        thresher_score_all_avx2(splits, first, leaves, n_trees, values, stride, n_rows, scores);
        return;
    }
#endif
    (void)wide;
    for (row = 0; row < n_rows; row += THRESHER_LANES)
        thresher_score_plain(splits, first, leaves, n_trees, values + row, stride, scores + row);
}

#endif
