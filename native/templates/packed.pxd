# SPDX-License-Identifier: Apache-2.0
"""Packed pages: the data needed to choose again among the blocks of a classified page and to write their text, as one
run of bytes.

The first of two passes leaves them for the second, so that each page is read and parsed once. A packed page holds:
- the ChoiceInput of the learned extractor, without the scores (decoding.pxd), and the page's structures
  (structures.pxd);
- for each block that may be kept, its text as written when it is kept alone, and what determines the white space
  between two blocks;
- for each block, its words, and whether a region rule overrides the choice (region_rules.pxd).

Numbers have the byte order and layout of the machine: a packed page is read by the run that wrote it. It is still
checked completely before use. Bytes that are not a packed page, or a damaged one, are refused or give some text; they
never cause access to other memory.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int16_t, uint8_t, uint32_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.measuring.structures cimport StructureArray
from thresher.native.parsing.document cimport Tree
from thresher.native.choosing.decoding cimport ChoiceInput
from thresher.native.choosing.region_rules cimport RegionRules
from thresher.native.base.scratch cimport ByteArray
from thresher.native.writing.plain cimport BlockLayout, TextBuffer


cdef enum:          # rule for a block
    LEAVE = 0           # the extractor's choice holds
    DROP = 1
    KEEP = 2
    KEEP_DATELINE = 3   # kept near main text
    DROP_DATELINE = 4   # dropped unless the datelines are the content of the page
    CHOSEN_DATELINE = 8 # a bit of the last two: the extractor chose the block before the rule was applied


ctypedef struct Packer:         # memory for packing, reused from page to page; zero at first
    ByteArray marks                 # of blocks: whether the text is wanted, the rule, and what is kept if all were
    BlockLayout* layouts
    size_t layouts_capacity
    uint32_t* numbers
    size_t numbers_capacity
    TextBuffer texts


cdef bytes pack(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const StructureArray* structures,
    const ChoiceInput* choice, const int16_t* scores, int least, const uint8_t* keep, const uint8_t* chosen,
    const RegionRules* regions, Packer* packer, TextBuffer* text
)
cdef void free_packer(Packer* packer) noexcept nogil
cdef size_t packer_bytes(const Packer* packer) noexcept nogil
