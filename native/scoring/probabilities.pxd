# SPDX-License-Identifier: Apache-2.0
"""From scores to probabilities, in whole numbers."""

from libc.math cimport floor
from libc.stdint cimport int16_t, uint16_t

from thresher.native.scoring.trees cimport LEAF_SCALE


cdef enum:
    PROBABILITY_SCALE = 4096    # a probability of 1

cdef uint16_t[1 << 12] PROBABILITIES


cdef inline uint16_t probability(int16_t score) noexcept nogil:
    """The logistic function of a score in 1/LEAF_SCALE (trees.pxd), in 1/PROBABILITY_SCALE. Every sixteen consecutive
    scores share one value.
    """
    return PROBABILITIES[(<int> score + 32768) >> 4]


cdef inline int16_t rounded_score(double score) noexcept nogil:
    """A logit in the scale of the trees."""
    return <int16_t> min(max(floor(score * LEAF_SCALE + 0.5), -32768.0), 32767.0)
