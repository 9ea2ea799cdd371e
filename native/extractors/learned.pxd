# SPDX-License-Identifier: Apache-2.0
from libc.stdint cimport int16_t

from thresher.native.extractors.interface cimport Page
from thresher.native.scoring.features cimport FeatureTable


ctypedef struct Scored:     # a page between its two steps; all of it lives in the page's scratch memory
    FeatureTable table
    int16_t* scores         # logit of each block, in 1/LEAF_SCALE (trees.pxd); what else is known of a block may be added before the choice


cdef int learned(const Page* page) noexcept nogil
cdef int score_blocks(const Page* page, Scored* scored) noexcept nogil
cdef int choose_blocks(const Page* page, const Scored* scored) noexcept nogil
