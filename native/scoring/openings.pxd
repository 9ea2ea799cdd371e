# SPDX-License-Identifier: Apache-2.0
"""What the first characters of a block look like: digits, capitals, dates.

Quantities of ingredients, prices, bylines, dates and credits of pictures have shapes of their own in any language,
where their words are of one.
"""

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Tree
from thresher.native.scoring.feature_table cimport FeatureTable


cdef void write_openings(
    FeatureTable* table, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks
) noexcept nogil
