# SPDX-License-Identifier: Apache-2.0
"""Furniture between paragraphs that says what it is (furniture_words.py).

What the trees learned of it depends on what a page says elsewhere: an article that names no address keeps labels of
advertisements that are dropped from the same article with one. Of 423 blocks of labelled pages that are such a label
annotators call 420 no part of the text, of 91 notices 91, of 578 headlines of lists of other pages 563 and of the 2,194
links that follow one directly 2,120, of 42 links behind "Read also:" 40.
"""

from libc.stdint cimport uint32_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Tree


cdef uint32_t end_of_furniture(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t b
) noexcept nogil
