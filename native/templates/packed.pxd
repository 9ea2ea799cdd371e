# SPDX-License-Identifier: Apache-2.0
"""Packed pages: of a page that was classified what it takes to choose among its blocks again and to write their text, as one run of bytes.

The first of two passes leaves them for the second, so that a page is read and parsed once. A packed page holds

- what the choice of the learned extractor is made from, beside the scores: words, link density and place of each block, and what the page is like;
- for each block that may be kept its text, as it is when it is kept alone, and where it stands, from which the white space between two follows;
- for each block what is wanted of it whatever the extractor says (regions.pxd).

Numbers are of the machine's byte order and layout: a packed page is read by the run that wrote it.
"""

from libc.stdint cimport uint8_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Tree
from thresher.native.scoring.features cimport FeatureTable
from thresher.native.scratch cimport Scratch
from thresher.native.writing.render cimport TextBuffer


cdef bytes pack(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const FeatureTable* table, const uint8_t* wanted,
    const uint8_t* forced, Scratch* scratch, TextBuffer* text
)
