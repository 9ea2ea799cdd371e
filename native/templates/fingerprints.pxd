# SPDX-License-Identifier: Apache-2.0
"""Fingerprints: one 64-bit number for the normalised text of each block, by which templates are counted over pages.

Normalised is what Sluban and Grčar (2013, section 4) compare: the letters alone, in lower case; so "Page 3 of 17" and
"page 4 of 20" are one text. Letters of any script are kept, with the marks that belong to them (vowel signs, accents);
digits, punctuation, symbols, white space and what is invisible (joiners, variation selectors) are not. Case is folded
one character to one, so that a length never changes.

The fingerprint of a text without a letter is 0: a column of figures is no template because another page has figures,
too.
"""

from libc.stdint cimport uint64_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.parsing.document cimport Tree
from thresher.native.measuring.metrics cimport MetricsArray


cdef void fingerprint_blocks(
    uint64_t* fingerprints, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks
) noexcept nogil
