/* SPDX-License-Identifier: Apache-2.0
 *
 * What several threads may touch at the same time: a flag that one of them holds, and a counter. Atomic, so that they
 * are right without the GIL too.
 */
#ifndef THRESHER_THREADS_H
#define THRESHER_THREADS_H

#include <stdint.h>

/* Takes a flag; 0 if another thread holds it. */
static inline int take_flag(unsigned char *flag) { return !__atomic_test_and_set(flag, __ATOMIC_ACQUIRE); }

static inline void give_flag(unsigned char *flag) { __atomic_clear(flag, __ATOMIC_RELEASE); }

static inline int is_taken(const unsigned char *flag) { return __atomic_load_n(flag, __ATOMIC_ACQUIRE); }

/* The next number; no two threads get the same. */
static inline uint64_t next_number(uint64_t *counter) { return __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED); }

#endif
