# SPDX-License-Identifier: Apache-2.0
"""Convolves a sequence with a Gaussian of which one standard deviation is one value."""

# exp(-i^2 / 2) for i = 0…3, not normalised: one standard deviation is one value, as in CETR (Weninger, Hsu and Han
# 2010)
cdef double[4] KERNEL = [1.0, 0.6065306597126334, 0.1353352832366127, 0.011108996538242306]


cdef void smooth(const double* values, double* out, Py_ssize_t count) noexcept nogil:
    """Writes the smoothed values. At the two ends, weights outside the sequence are left out."""
    cdef Py_ssize_t i, j
    cdef double total, weight
    for i in range(count):
        total = 0.0
        weight = 0.0
        for j in range(max(i - KERNEL_RADIUS, 0), min(i + KERNEL_RADIUS, count - 1) + 1):
            total += KERNEL[i - j if i > j else j - i] * values[j]
            weight += KERNEL[i - j if i > j else j - i]
        out[i] = total / weight
