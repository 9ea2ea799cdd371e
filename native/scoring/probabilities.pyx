# SPDX-License-Identifier: Apache-2.0
"""Fills the table of probabilities when the module is imported."""

from libc.math cimport exp


cdef int step
for step in range(1 << 12):
    # The middle of the sixteen scores that share the entry.
    PROBABILITIES[step] = <uint16_t> (
        PROBABILITY_SCALE / (1.0 + exp(-(16 * step + 7.5 - 32768) / <double> LEAF_SCALE)) + 0.5
    )
