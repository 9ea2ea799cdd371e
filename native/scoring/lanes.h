/* SPDX-License-Identifier: Apache-2.0
 * Boosted trees over many rows at once, kept in vector registers from the first split of a tree to its leaf.
 *
 * Rows stand in tiles of 32: for each feature 32 values, the rows of the tile. A tile is small enough for the first
 * cache, and what is written row by row is read feature by feature from the same lines.
 *
 * First the trees are narrowed to the page: where all rows go the same way at a split, the split is decided once, and
 * the splits below its other side are dropped. Six of ten splits of a page go. What is left is evaluated for each row.
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

#define THRESHER_LANES 32  /* rows of a tile */
#define THRESHER_LEAVES 16
#define THRESHER_GROUP 64  /* trees that are evaluated together */
#define THRESHER_DE_BRUIJN 0x09AF /* times each power of two, the upper four of its sixteen bits are different */

/* A tree: for each split, then for each leaf. Unused splits have no leaves. */
struct thresher_tree {
    uint16_t feature[THRESHER_LEAVES];
    int16_t limit[THRESHER_LEAVES];     /* a row goes left if its value is below */
    uint16_t left[THRESHER_LEAVES];     /* one bit for each leaf on the left side */
    uint16_t right[THRESHER_LEAVES];    /* and on the right side */
    uint8_t leaves[2 * THRESHER_LEAVES]; /* the low bytes of sixteen, then their high bytes */
};

/* The smallest and the largest value of a feature. */
struct thresher_range {
    int16_t low, high;
};

/* A tree narrowed to a page. */
struct thresher_narrowed {
    const struct thresher_tree *tree;
    uint16_t splits;    /* a bit for each split that is left */
    uint16_t excluded;  /* leaves that decided splits exclude */
};

/* The place of a leaf in the leaves of a tree. */
static inline unsigned thresher_leaf_place(unsigned leaf)
{
    return (uint16_t)(THRESHER_DE_BRUIJN << leaf) >> 12;
}

static inline int16_t thresher_add(int16_t a, int16_t b)
{
    int sum = a + b;
    return (int16_t)(sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum);
}

/* The ranges of features [first, end) over n_tiles tiles. */
static inline void thresher_find_ranges(
    const int16_t *values, size_t tile, uint32_t first, uint32_t end, uint32_t n_tiles, struct thresher_range *ranges)
{
    uint32_t feature, t;
    int i;
    for (feature = first; feature < end; feature++) {
        const int16_t *value = values + feature * THRESHER_LANES;
        int16_t low[THRESHER_LANES], high[THRESHER_LANES], lowest = 32767, highest = -32768;
        memcpy(low, value, sizeof low);
        memcpy(high, value, sizeof high);
        for (t = 1; t < n_tiles; t++) {
            value += tile;
            for (i = 0; i < THRESHER_LANES; i++) {
                low[i] = value[i] < low[i] ? value[i] : low[i];
                high[i] = value[i] > high[i] ? value[i] : high[i];
            }
        }
        for (i = 0; i < THRESHER_LANES; i++) {
            lowest = low[i] < lowest ? low[i] : lowest;
            highest = high[i] > highest ? high[i] : highest;
        }
        ranges[feature].low = lowest;
        ranges[feature].high = highest;
    }
}

#ifdef THRESHER_AVX2
static inline __m128i thresher_load_range(const struct thresher_range *range)
{
    int both;
    memcpy(&both, range, sizeof both);
    return _mm_cvtsi32_si128(both);
}

/* All bits of eight numbers. */
static inline uint16_t thresher_union(__m128i x)
{
    x = _mm_or_si128(x, _mm_unpackhi_epi64(x, x));
    x = _mm_or_si128(x, _mm_srli_epi64(x, 32));
    return (uint16_t)_mm_extract_epi16(_mm_or_si128(x, _mm_srli_epi32(x, 16)), 0);
}
#endif

/* Narrows a tree: a split with a side out of reach decides nothing. It is decided itself, or below one that is. */
static inline struct thresher_narrowed thresher_narrow(
    const struct thresher_tree *tree, const struct thresher_range *ranges)
{
    struct thresher_narrowed narrowed = {tree, 0, 0};
#ifdef THRESHER_AVX2
    /* Without a branch that the processor would have to guess. */
    __m128i sides[2][2], gone = _mm_setzero_si128(), cut = gone, none[2];
    int half, quarter;
    for (half = 0; half < 2; half++) {
        __m128i low[2], high[2], limit;
        for (quarter = 0; quarter < 2; quarter++) {
            const uint16_t *feature = tree->feature + 8 * half + 4 * quarter;
            const __m128i four = _mm_unpacklo_epi64(
                _mm_unpacklo_epi32(thresher_load_range(ranges + feature[0]), thresher_load_range(ranges + feature[1])),
                _mm_unpacklo_epi32(thresher_load_range(ranges + feature[2]), thresher_load_range(ranges + feature[3])));
            low[quarter] = _mm_srai_epi32(_mm_slli_epi32(four, 16), 16);
            high[quarter] = _mm_srai_epi32(four, 16);
        }
        limit = _mm_loadu_si128((const __m128i *)tree->limit + half);
        sides[0][half] = _mm_loadu_si128((const __m128i *)tree->left + half);
        sides[1][half] = _mm_loadu_si128((const __m128i *)tree->right + half);
        gone = _mm_or_si128(gone, _mm_andnot_si128(
            _mm_cmpgt_epi16(limit, _mm_packs_epi32(low[0], low[1])), sides[0][half]));
        cut = _mm_or_si128(cut, _mm_and_si128(
            _mm_cmpgt_epi16(limit, _mm_packs_epi32(high[0], high[1])), sides[1][half]));
    }
    cut = _mm_or_si128(cut, gone);
    narrowed.excluded = thresher_union(gone);
    cut = _mm_set1_epi16((short)thresher_union(cut));
    for (half = 0; half < 2; half++)
        none[half] = _mm_or_si128(
            _mm_cmpeq_epi16(_mm_andnot_si128(cut, sides[0][half]), _mm_setzero_si128()),
            _mm_cmpeq_epi16(_mm_andnot_si128(cut, sides[1][half]), _mm_setzero_si128()));
    narrowed.splits = (uint16_t)~_mm_movemask_epi8(_mm_packs_epi16(none[0], none[1]));
#else
    uint16_t cut = 0;
    int i;
    for (i = 0; i < THRESHER_LEAVES; i++) {
        const struct thresher_range range = ranges[tree->feature[i]];
        narrowed.excluded |= range.low >= tree->limit[i] ? tree->left[i] : 0;
        cut |= range.high < tree->limit[i] ? tree->right[i] : 0;
    }
    cut |= narrowed.excluded;
    for (i = 0; i < THRESHER_LEAVES; i++)
        narrowed.splits |= (tree->left[i] & ~cut) && (tree->right[i] & ~cut) ? 1 << i : 0;
#endif
    return narrowed;
}

/* Adds the leaves of the rows of one tile in n_trees trees to scores, saturating. */
static inline void thresher_score_plain(
    const struct thresher_narrowed *trees, uint32_t n_trees, const int16_t *values, int16_t *scores)
{
    uint32_t t;
    int row, i;
    for (t = 0; t < n_trees; t++) {
        const struct thresher_tree *tree = trees[t].tree;
        uint16_t excluded[THRESHER_LANES];
        for (row = 0; row < THRESHER_LANES; row++)
            excluded[row] = trees[t].excluded;
        for (i = 0; i < THRESHER_LEAVES; i++) {
            const int16_t *value = values + tree->feature[i] * THRESHER_LANES;
            const int16_t limit = tree->limit[i];
            const uint16_t left = tree->left[i];
            if (trees[t].splits >> i & 1)
                for (row = 0; row < THRESHER_LANES; row++)
                    excluded[row] |= value[row] >= limit ? left : 0;
        }
        for (row = 0; row < THRESHER_LANES; row++) {
            /* The lowest remaining leaf, as a bit. The last leaf is on no left side, so there always is one. */
            uint16_t lowest = (uint16_t)(~excluded[row] & (excluded[row] + 1));
            unsigned place = (uint16_t)(lowest * THRESHER_DE_BRUIJN) >> 12;
            scores[row] = thresher_add(
                scores[row], (int16_t)(tree->leaves[place] | tree->leaves[place + THRESHER_LEAVES] << 8));
        }
    }
}

#ifdef THRESHER_AVX2
#define THRESHER_WITH_AVX2 __attribute__((target("avx2,bmi")))

/* Where the leaves stand that sixteen rows with these excluded leaves reach. */
THRESHER_WITH_AVX2 static inline __m256i thresher_places(__m256i excluded)
{
    const __m256i lowest = _mm256_andnot_si256(excluded, _mm256_sub_epi16(excluded, _mm256_set1_epi16(-1)));
    return _mm256_srli_epi16(_mm256_mullo_epi16(lowest, _mm256_set1_epi16(THRESHER_DE_BRUIJN)), 12);
}

/* Adds leaves to the scores of sixteen rows. */
THRESHER_WITH_AVX2 static inline void thresher_add_leaves(int16_t *scores, __m256i leaves)
{
    __m256i *sum = (__m256i *)scores;
    _mm256_storeu_si256(sum, _mm256_adds_epi16(_mm256_loadu_si256(sum), leaves));
}

/* thresher_score_plain() for n / 2 tiles at once; n is a constant of at most 8. Each split is read once for all. */
THRESHER_WITH_AVX2 __attribute__((always_inline)) static inline void thresher_score_avx2(
    const struct thresher_narrowed *trees, uint32_t n_trees, const int16_t *values, size_t tile,
    int16_t *scores, const int n)
{
    uint32_t t;
    int v;
    for (t = 0; t < n_trees; t++) {
        const struct thresher_tree *tree = trees[t].tree;
        unsigned splits = trees[t].splits;
        __m256i out[8], low, high;
        for (v = 0; v < n; v++)
            out[v] = _mm256_set1_epi16((short)trees[t].excluded);
        for (; splits; splits &= splits - 1) {
            const int i = __builtin_ctz(splits);
            const int16_t *value = values + tree->feature[i] * THRESHER_LANES;
            const __m256i limit = _mm256_set1_epi16(tree->limit[i]), left = _mm256_set1_epi16((short)tree->left[i]);
            for (v = 0; v < n; v++) {
                const __m256i *at = (const __m256i *)(value + v / 2 * tile + v % 2 * 16);
                out[v] = _mm256_or_si256(
                    out[v], _mm256_andnot_si256(_mm256_cmpgt_epi16(limit, _mm256_loadu_si256(at)), left));
            }
        }
        low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)tree->leaves));
        high = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(tree->leaves + THRESHER_LEAVES)));
        for (v = 0; v < n; v += 2) { /* the places of two vectors are the bytes of one */
            const __m256i places = _mm256_packus_epi16(thresher_places(out[v]), thresher_places(out[v + 1]));
            const __m256i lows = _mm256_shuffle_epi8(low, places), highs = _mm256_shuffle_epi8(high, places);
            thresher_add_leaves(scores + 16 * v, _mm256_unpacklo_epi8(lows, highs));
            thresher_add_leaves(scores + 16 * v + 16, _mm256_unpackhi_epi8(lows, highs));
        }
    }
}

THRESHER_WITH_AVX2 static void thresher_score_all_avx2(
    const struct thresher_narrowed *trees, uint32_t n_trees, const int16_t *values, size_t tile,
    uint32_t n_tiles, int16_t *scores)
{
    for (; n_tiles >= 4; n_tiles -= 4, values += 4 * tile, scores += 4 * THRESHER_LANES)
        thresher_score_avx2(trees, n_trees, values, tile, scores, 8);
    switch (n_tiles) { /* less than 4 */
    case 3:
        thresher_score_avx2(trees, n_trees, values, tile, scores, 6);
        break;
    case 2:
        thresher_score_avx2(trees, n_trees, values, tile, scores, 4);
        break;
    case 1:
        thresher_score_avx2(trees, n_trees, values, tile, scores, 2);
        break;
    }
}

#define THRESHER_WITH_AVX512 __attribute__((target("avx512bw,avx512f,avx2,bmi")))

/* The leaves of one tree that thirty-two rows with these excluded leaves reach. */
THRESHER_WITH_AVX512 static inline __m512i thresher_reached_wide(__m512i excluded, __m512i low, __m512i high)
{
    const __m512i ones = _mm512_set1_epi16(-1), hash = _mm512_set1_epi16(THRESHER_DE_BRUIJN);
    __m512i lowest = _mm512_andnot_si512(excluded, _mm512_sub_epi16(excluded, ones));
    __m512i place = _mm512_srli_epi16(_mm512_mullo_epi16(lowest, hash), 12);
    __m512i from_low = _mm512_or_si512(place, _mm512_set1_epi16((short)0x8000));
    __m512i from_high = _mm512_or_si512(_mm512_slli_epi16(place, 8), _mm512_set1_epi16(0x0080));
    return _mm512_or_si512(_mm512_shuffle_epi8(low, from_low), _mm512_shuffle_epi8(high, from_high));
}

/* thresher_score_avx2() with a tile in each of `n` vectors, a constant of at most 8. */
THRESHER_WITH_AVX512 __attribute__((always_inline)) static inline void thresher_score_avx512(
    const struct thresher_narrowed *trees, uint32_t n_trees, const int16_t *values, size_t tile,
    int16_t *scores, const int n)
{
    __m512i sums[8], out[8];
    uint32_t t;
    int v;
    for (v = 0; v < n; v++)
        sums[v] = _mm512_loadu_si512(scores + 32 * v);
    for (t = 0; t < n_trees; t++) {
        const struct thresher_tree *tree = trees[t].tree;
        unsigned splits = trees[t].splits;
        __m512i low, high;
        for (v = 0; v < n; v++)
            out[v] = _mm512_set1_epi16((short)trees[t].excluded);
        for (; splits; splits &= splits - 1) {
            const int i = __builtin_ctz(splits);
            const int16_t *value = values + tree->feature[i] * THRESHER_LANES;
            const __m512i limit = _mm512_set1_epi16(tree->limit[i]), left = _mm512_set1_epi16((short)tree->left[i]);
            for (v = 0; v < n; v++) {
                const __mmask32 beyond = _mm512_cmple_epi16_mask(limit, _mm512_loadu_si512(value + v * tile));
                out[v] = _mm512_or_si512(out[v], _mm512_maskz_mov_epi16(beyond, left));
            }
        }
        low = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)tree->leaves));
        high = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(tree->leaves + THRESHER_LEAVES)));
        for (v = 0; v < n; v++)
            sums[v] = _mm512_adds_epi16(sums[v], thresher_reached_wide(out[v], low, high));
    }
    for (v = 0; v < n; v++)
        _mm512_storeu_si512(scores + 32 * v, sums[v]);
}

THRESHER_WITH_AVX512 static void thresher_score_all_avx512(
    const struct thresher_narrowed *trees, uint32_t n_trees, const int16_t *values, size_t tile,
    uint32_t n_tiles, int16_t *scores)
{
    for (; n_tiles >= 8; n_tiles -= 8, values += 8 * tile, scores += 8 * THRESHER_LANES)
        thresher_score_avx512(trees, n_trees, values, tile, scores, 8);
    if (n_tiles >= 4) {
        thresher_score_avx512(trees, n_trees, values, tile, scores, 4);
        n_tiles -= 4, values += 4 * tile, scores += 4 * THRESHER_LANES;
    }
    switch (n_tiles) { /* less than 4 */
    case 3:
        thresher_score_avx512(trees, n_trees, values, tile, scores, 3);
        break;
    case 2:
        thresher_score_avx512(trees, n_trees, values, tile, scores, 2);
        break;
    case 1:
        thresher_score_avx512(trees, n_trees, values, tile, scores, 1);
        break;
    }
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

/* Scores of the rows of n_tiles tiles, at least one, which begin `tile` values after each other and have these ranges;
 * `wide` is at most thresher_width(). Trees are taken in groups that fit into the first cache. */
static inline void thresher_score(
    const struct thresher_tree *trees, uint32_t n_trees, const struct thresher_range *ranges, const int16_t *values,
    size_t tile, uint32_t n_tiles, int16_t *scores, int wide)
{
    struct thresher_narrowed narrowed[THRESHER_GROUP];
    uint32_t n, t;
    memset(scores, 0, (size_t)n_tiles * THRESHER_LANES * sizeof *scores);
    for (; n_trees > 0; n_trees -= n, trees += n) {
        n = n_trees < THRESHER_GROUP ? n_trees : THRESHER_GROUP;
        for (t = 0; t < n; t++)
            narrowed[t] = thresher_narrow(trees + t, ranges);
#ifdef THRESHER_AVX2
        if (wide == 2) {
            thresher_score_all_avx512(narrowed, n, values, tile, n_tiles, scores);
            continue;
        }
        if (wide) {
            thresher_score_all_avx2(narrowed, n, values, tile, n_tiles, scores);
            continue;
        }
#endif
        (void)wide;
        for (t = 0; t < n_tiles; t++)
            thresher_score_plain(narrowed, n, values + t * tile, scores + t * THRESHER_LANES);
    }
}

#endif
