/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables that are read at random places cost more time for waiting than for anything else if the processor's cache has
 * lost them since the last page. Asking for the whole table beforehand costs little, because the requests overlap.
 */
#ifndef THRESHER_FETCH_H
#define THRESHER_FETCH_H

#include <stddef.h>

/* Asks for `bytes` bytes of memory to be in the cache soon. Changes nothing else, whatever the address. */
static inline void fetch(const void *data, size_t bytes) {
#if defined(__GNUC__)
    const char *line = (const char *)data;
    size_t at;
    for (at = 0; at < bytes; at += 64) /* the size of a cache line on all processors that matter here */
        __builtin_prefetch(line + at);
#else
    (void)data, (void)bytes;
#endif
}

#endif
