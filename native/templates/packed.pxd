# SPDX-License-Identifier: Apache-2.0
"""Packed pages: what it takes to choose again among the blocks of a classified page, and to write their text, as one
run of bytes.

The first of two passes leaves them for the second, so that a page is read and parsed once. A packed page holds

- the ChoiceInput of the learned extractor, beside the scores (decoding.pxd), and the page's structures
  (structures.pxd);
- for each block that may be kept its text, as it is when it is kept alone, and what the white space between two blocks
  follows from;
- for each block whether a rule for its region overrides the choice (regions.pxd).

Numbers are of the machine's byte order and layout: a packed page is read by the run that wrote it. It is checked all
the same before anything of it is used, so bytes that are no packed page, or a damaged one, are refused or give some
text; they never reach other memory.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.measuring.structures cimport StructureArray
from thresher.native.parsing.document cimport Tree
from thresher.native.scoring.decoding cimport ChoiceInput
from thresher.native.scratch cimport Marks
from thresher.native.writing.render cimport BlockLayout, TextBuffer


cdef enum:          # what happens to a block
    LEAVE = 0       # what is chosen
    DROP = 1
    KEEP = 2


ctypedef struct Packer:         # the memory that packing works with, reused from page to page; zeros at first
    Marks marks                 # for the caller: what is wanted of each block
    BlockLayout* layouts
    size_t layouts_capacity
    uint32_t* numbers
    size_t numbers_capacity
    TextBuffer texts


cdef bytes pack(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const StructureArray* structures,
    const ChoiceInput* choice, const uint8_t* wanted, const uint8_t* rules, Packer* packer, TextBuffer* text
)
cdef void free_packer(Packer* packer) noexcept nogil
cdef size_t packer_bytes(const Packer* packer) noexcept nogil
