# SPDX-License-Identifier: Apache-2.0
"""Features of the first characters of a block: digits, capitals, dates.

Quantities of ingredients, prices, bylines, dates and picture credits have typical shapes in any language, while their
words belong to one.
"""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.measuring.blocks cimport Block
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Tree


cdef enum:
    MAX_OPENING = 160       # characters that are inspected


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
cdef void read_opening(
    Opening* opening, const uint8_t* p, const uint8_t* end, const uint8_t* readable
) noexcept nogil


cdef inline void start_opening(Opening* opening) noexcept nogil:
    """Begin with a block."""
    opening.characters = opening.digits = opening.capitals = opening.number = opening.length = 0
    opening.previous = c" "
    opening.before_pair = False
    opening.date = False


cdef inline void end_number(Opening* opening) noexcept nogil:
    """Check a number that has ended."""
    if opening.length == 4 and 1900 <= opening.number < 2100:
        opening.date = True
