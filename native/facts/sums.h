/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of rows of 24 bytes: at most 256 rows, so that a sum has two bytes.
 */
#ifndef THRESHER_SUMS_H
#define THRESHER_SUMS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t Bytes __attribute__((vector_size(8)));
typedef uint16_t Sums __attribute__((vector_size(16)));

static inline void add_rows(uint16_t sums[24], const uint8_t *table, const uint16_t *rows, size_t n) {
    Sums parts[3] = {{0}};
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            Bytes eight;
            memcpy(&eight, table + (size_t)rows[i] * 24 + 8 * k, sizeof(eight));
            parts[k] += __builtin_convertvector(eight, Sums);
        }
    memcpy(sums, parts, sizeof(parts));
}

#endif
