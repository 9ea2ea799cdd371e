# SPDX-License-Identifier: Apache-2.0
"""Everything that the learned scorer sees of each block: first the model of the page (page_model.pxd), then the values
(feature_table.pxd).
"""

from libc.stdint cimport int8_t, uint64_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Document, Tree
from thresher.native.scoring.feature_table cimport FeatureTable
from thresher.native.base.scratch cimport Scratch


cdef int compute_features(
    FeatureTable* table, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks,
    const int8_t* weights, Scratch* scratch
) noexcept nogil


cdef bytes feature_bytes(const FeatureTable* table, int feature)


cdef class Features:
    """The features of one page's blocks; the memory is reused from page to page."""
    cdef FeatureTable table
    cdef Scratch scratch
    cdef uint64_t serial        # serial number of the page's tree
    cdef int require(self, Document document) except -1
