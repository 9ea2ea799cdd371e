# SPDX-License-Identifier: Apache-2.0
"""Context: features of the surroundings of each block, computed from first scores and used in a second scoring.

First scores show the conventions of a page: where the likely blocks are, how similar blocks were judged, what a heading
stands above. Follows stacked sequential learning (Cohen and Carvalho 2005) and auto-context (Tu 2008): the second trees
are trained on first scores predicted out of fold. The features are declared with the others (feature_table.pyx).
"""

from libc.stdint cimport int16_t

from thresher.native.scoring.feature_table cimport FeatureTable
from thresher.native.base.scratch cimport Scratch


cdef int compute_context(FeatureTable* table, const int16_t* scores, Scratch* scratch) noexcept nogil
