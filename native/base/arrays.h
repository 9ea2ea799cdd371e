/* SPDX-License-Identifier: Apache-2.0
 *
 * Growing arrays: the only place where an array of the core gets more memory.
 *
 *     make_room(&array, &capacity, needed)     0, or OUT_OF_MEMORY with array and capacity as they were
 *
 * The first argument is the address of a pointer; the size of an item follows from its type, and anything but the
 * address of a pointer does not compile. Capacities count items.
 */
#ifndef THRESHER_ARRAYS_H
#define THRESHER_ARRAYS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Sanitizer builds set THRESHER_TIGHT: an array then has exactly the requested size, so that they detect any access
 * beyond it. */
#ifndef THRESHER_TIGHT
#define THRESHER_TIGHT 0
#endif

/* Even then larger arrays grow by a half: growing one item at a time is quadratic. */
#ifndef THRESHER_TIGHT_ITEMS
#define THRESHER_TIGHT_ITEMS 8192
#endif

#define OUT_OF_MEMORY (-1)

enum {
    SMALLEST_BYTES = 2048 /* first size of an array: few pages need less, and a page of 1 KB should not cost 30 KB */
};

/* Builds with checks move an array at nearly every request for room, and overwrite the place it had. A pointer or slice
 * into it that outlives the request then reads THRESHER_MOVED in the first test that meets it, whatever the allocator
 * does: arrays grow by a sixteenth, those of up to THRESHER_EXACT_BYTES by what is asked for, and arrays of up to
 * THRESHER_MOVED_BYTES also move at every 64th request that needs no room.
 * The old places are freed after THRESHER_MOVED_KEPT further moves, so that nothing else is written there meanwhile; a
 * sanitizer build frees them at once and reports the access itself. */
#ifdef THRESHER_CHECKS

enum { THRESHER_MOVED = 0xDB, THRESHER_EXACT_BYTES = 1 << 10, THRESHER_MOVED_BYTES = 1 << 14, THRESHER_MOVED_KEPT = 32 };

static inline void *moved_array(void *array, size_t old_bytes, size_t new_bytes) {
    void *moved = malloc(new_bytes ? new_bytes : 1);
    if (!moved)
        return NULL;
    if (array) {
        memcpy(moved, array, old_bytes < new_bytes ? old_bytes : new_bytes);
        memset(array, THRESHER_MOVED, old_bytes);
#ifdef __SANITIZE_ADDRESS__
        free(array);
#else
        static _Thread_local void *kept[THRESHER_MOVED_KEPT];
        static _Thread_local unsigned next;
        free(kept[next]);
        kept[next] = old_bytes <= THRESHER_MOVED_BYTES ? array : NULL;
        if (!kept[next])
            free(array);
        next = (next + 1) % THRESHER_MOVED_KEPT;
#endif
    }
    return moved;
}

#endif

/* The memory of an array with room for `needed` items of `size` bytes, its contents kept. It grows by at least a half,
 * so that appending one by one is linear. realloc moves large arrays by their page tables, so a half costs no more
 * time than doubling. NULL if there is no memory, or if the size exceeds half of the address space. */
static inline void *grown_array(void *array, size_t *capacity, size_t needed, size_t size) {
    size_t wanted = *capacity + (*capacity >> 1);
    void *grown;
    if (wanted < SMALLEST_BYTES / size)
        wanted = SMALLEST_BYTES / size;
    if (THRESHER_TIGHT && needed < THRESHER_TIGHT_ITEMS)
        wanted = 1;
#ifdef THRESHER_CHECKS
    wanted = needed * size <= THRESHER_EXACT_BYTES ? needed : *capacity + (*capacity >> 4);
#endif
    if (wanted < needed)
        wanted = needed;
    if (wanted > SIZE_MAX / 2 / size)
        return NULL;
#ifdef THRESHER_CHECKS
    grown = moved_array(array, *capacity * size, wanted * size);
#else
    grown = realloc(array, wanted * size);
#endif
    if (grown)
        *capacity = wanted;
    return grown;
}

/* `pointer` is the address of the array's pointer, whatever its type: memcpy reads and writes it without breaking
 * aliasing rules. */
static inline int room_in_array(void *pointer, size_t *capacity, size_t needed, size_t size) {
    void *array;
    memcpy(&array, pointer, sizeof array);
    if (needed <= *capacity && *capacity != 0) {
#ifdef THRESHER_CHECKS
        static _Thread_local unsigned requests;
        void *moved;
        if (*capacity * size > THRESHER_MOVED_BYTES || ++requests % 64)
            return 0;
        moved = moved_array(array, *capacity * size, *capacity * size);
        if (moved)
            memcpy(pointer, &moved, sizeof moved);
#endif
        return 0;
    }
    array = grown_array(array, capacity, needed, size);
    if (!array)
        return OUT_OF_MEMORY;
    memcpy(pointer, &array, sizeof array);
    return 0;
}

#define make_room(pointer, capacity, needed) room_in_array((pointer), (capacity), (needed), sizeof **(pointer))

/* Memory for an array of known size, contents undefined; never NULL for an empty array. */
static inline void *new_array(size_t count, size_t size) {
    return count > SIZE_MAX / 2 / size ? NULL : malloc(count ? count * size : size);
}

#endif
