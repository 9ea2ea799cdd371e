# SPDX-License-Identifier: Apache-2.0
"""Features of the first characters of a block: digits, capitals, dates.

Quantities of ingredients, prices, bylines, dates and picture credits have typical shapes in any language, while their
words belong to one.
"""

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Tree
from thresher.native.scoring.feature_table cimport FeatureTable


cdef void write_openings(
    FeatureTable* table, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks
) noexcept nogil
