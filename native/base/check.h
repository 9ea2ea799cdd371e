/* SPDX-License-Identifier: Apache-2.0
 *
 * THRESHER_CHECK(condition) states what must hold where memory is read or written: an index below its capacity, a slice
 * inside its buffer, a stack that is not empty. Debug and sanitizer builds define THRESHER_CHECKS: a false condition
 * then ends the process and prints its file and line. Other builds do not evaluate the condition.
 */
#ifndef THRESHER_CHECK_H
#define THRESHER_CHECK_H

#ifdef THRESHER_CHECKS

#include <stdio.h>
#include <stdlib.h>

static void thresher_check_failed(const char *condition, const char *function, const char *file, int line) {
    fprintf(stderr, "%s:%d: %s: check failed: %s\n", file, line, function, condition);
    fflush(stderr);
    abort();
}

#define THRESHER_CHECK(condition) \
    ((condition) ? (void)0 : thresher_check_failed(#condition, __func__, __FILE__, __LINE__))
#define THRESHER_CHECKS_ENABLED 1

#else

#define THRESHER_CHECK(condition) ((void)sizeof((condition) ? 1 : 0))
#define THRESHER_CHECKS_ENABLED 0

#endif

#endif
