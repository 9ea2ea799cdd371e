# SPDX-License-Identifier: Apache-2.0
from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.scoring.feature_table cimport FeatureTable
from thresher.native.scoring.page_model cimport PageModel


cdef void write_values(FeatureTable* table, const PageModel* model, const BlockArray* blocks) noexcept nogil
