# SPDX-License-Identifier: Apache-2.0
"""Context: what a first scoring of the blocks says of the surroundings of each, as further features for a second
scoring.

A page's conventions show in the first scores: where the likely blocks are, how alike blocks were judged, what a heading
stands over. After stacked sequential learning (Cohen and Carvalho 2005) and auto-context (Tu 2008): the second trees
are fitted on first scores predicted out of fold. The features are declared with the others (feature_table.pyx).
"""

from libc.stdint cimport int16_t

from thresher.native.scoring.feature_table cimport FeatureTable
from thresher.native.scratch cimport Scratch


cdef int compute_context(FeatureTable* table, const int16_t* scores, Scratch* scratch) noexcept nogil
