# SPDX-License-Identifier: Apache-2.0
"""Numbers as features: 16-bit integers, cut off at the ends of their range."""

from libc.stdint cimport int16_t, int64_t


cdef inline int16_t bounded(int64_t value) noexcept nogil:
    """A count as a feature."""
    return <int16_t> (32767 if value > 32767 else -32768 if value < -32768 else value)


cdef inline int16_t thousandths(double part, double whole) noexcept nogil:
    """A ratio in thousandths, rounded down; 0 if the divisor is 0. For features of blocks and their context."""
    return <int16_t> min(1000.0 * part / whole, 32767.0) if whole > 0 else <int16_t> 0


cdef inline int16_t nearest_thousandth(double part, double whole) noexcept nogil:
    """A ratio in thousandths, rounded to the nearest; 0 if the divisor is 0. For features of choices."""
    return <int16_t> min(1000.0 * part / whole + 0.5, 32767.0) if whole > 0 else <int16_t> 0
