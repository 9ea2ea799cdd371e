# SPDX-License-Identifier: Apache-2.0
"""Features of the first characters of a block: digits, capitals, dates.

Quantities of ingredients, prices, bylines, dates and picture credits have typical shapes in any language, while their
words belong to one.
"""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.measuring.blocks cimport Block, BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Tree
from thresher.native.scoring.feature_table cimport FeatureTable


ctypedef struct Opening:    # what was seen so far
    uint32_t characters     # a run of white space counts as one
    uint32_t digits
    uint32_t capitals       # ASCII capitals, and Latin, Greek and Cyrillic ones before U+0430
    uint32_t number         # value of the digits just read
    uint32_t length         # how many these are
    uint8_t previous        # lead byte of the character before
    uint8_t before_pair     # one or two digits and ":", "." or "h" came just before
    bint date               # a year from 1900 to 2099, or a time of the day


cdef void open_block(
    Opening* opening, const Tree* tree, const MetricsArray* metrics, const Block* block
) noexcept nogil
cdef void write_openings(
    FeatureTable* table, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks
) noexcept nogil
