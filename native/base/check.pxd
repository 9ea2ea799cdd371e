# SPDX-License-Identifier: Apache-2.0
"""THRESHER_CHECK, the assertion of the core; check.h explains it.

Conditions must be free of side effects: release builds do not evaluate them.
"""


cdef extern from "base/check.h" nogil:
    void THRESHER_CHECK(bint condition) noexcept
    const bint THRESHER_CHECKS_ENABLED
