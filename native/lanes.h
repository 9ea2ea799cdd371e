/* SPDX-License-Identifier: Apache-2.0
 * One tree over sixteen rows at once, on the vector types of GCC and Clang: the compiler turns them into the widest
 * instructions of the target (SSE2 and NEON at least). Other compilers get the same in a plain loop.
 * Kept in registers over all splits of a tree this takes a quarter of the time of a loop over arrays in memory.
 */
#ifndef THRESHER_LANES_H
#define THRESHER_LANES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define THRESHER_LANES 16

struct thresher_split {
    uint16_t feature;
    int16_t threshold;  /* a row goes right if its value is above */
    uint16_t left;      /* one bit for each leaf on the left side */
};

/* Sets in excluded[row] the bit of every leaf that the row cannot reach. */
static inline void thresher_exclude(const struct thresher_split *split, const struct thresher_split *end,
                                    const int16_t *values, size_t stride, uint16_t *excluded)
{
#if defined(__GNUC__)
    typedef int16_t signed_lanes __attribute__((vector_size(2 * THRESHER_LANES)));
    typedef uint16_t lanes __attribute__((vector_size(2 * THRESHER_LANES)));
    lanes found = {0};
    for (; split < end; split++) {
        signed_lanes value;
        memcpy(&value, values + split->feature * stride, sizeof value);
        found |= (lanes)(value > split->threshold) & split->left;
    }
    memcpy(excluded, &found, sizeof found);
#else
    int row;
    memset(excluded, 0, THRESHER_LANES * sizeof *excluded);
    for (; split < end; split++)
        for (row = 0; row < THRESHER_LANES; row++)
            if (values[split->feature * stride + row] > split->threshold)
                excluded[row] |= split->left;
#endif
}

/* The number of the lowest bit that is not set; 0xFFFF never happens, as the last leaf is on no left side. */
static inline int thresher_first_leaf(uint16_t excluded)
{
#if defined(__GNUC__)
    return __builtin_ctz(~(uint32_t)excluded);
#else
    int leaf = 0;
    while (excluded >> leaf & 1)
        leaf++;
    return leaf;
#endif
}

#endif
