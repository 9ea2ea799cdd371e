# SPDX-License-Identifier: Apache-2.0
"""Fingerprints: a 64-bit number for the normalised text of each block, used to count templates over pages.

Normalisation follows Sluban and Grčar (2013, section 4): letters only, in lower case, so "Page 3 of 17" and "page 4 of
20" are equal. Letters of any script are kept, with the marks that belong to them (vowel signs, accents). Digits,
punctuation, symbols, white space and invisible characters (joiners, variation selectors) are dropped. Case folding maps
one character to one, so lengths never change.

A text without letters has the fingerprint 0, because equal columns of figures on two pages do not make a template.
"""

from libc.stdint cimport uint64_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.parsing.document cimport Tree
from thresher.native.measuring.metrics cimport MetricsArray


cdef void fingerprint_blocks(
    uint64_t* fingerprints, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks
) noexcept nogil
