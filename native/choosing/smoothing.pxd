# SPDX-License-Identifier: Apache-2.0
"""Gaussian smoothing of a sequence, for the extractors that treat a page as a curve."""


cdef enum:
    KERNEL_RADIUS = 3       # three standard deviations


cdef void smooth(const double* values, double* out, Py_ssize_t count) noexcept nogil
