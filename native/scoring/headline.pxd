# SPDX-License-Identifier: Apache-2.0
"""The headline of a page: of its headings of level 1 to 3 the one that has most words of the title, otherwise the first
of level 1.

On 1,344 pages of the web whose headline was labelled by reading, 86 % of its words are in the block that is found, and
86 % of the words found are the headline's.
"""

from libc.stdint cimport uint32_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Tree


cdef enum:
    NO_BLOCK = 0xFFFFFFFF


cdef uint32_t find_headline(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks
) noexcept nogil
