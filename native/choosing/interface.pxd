# SPDX-License-Identifier: Apache-2.0
"""The interface of an extractor: a C function from a page's arrays to a choice of its blocks or nodes.

To add one, write the function and a struct of its options, all of them double, in a new file here. Then add a row to
the table in registry.pyx.
"""

from libc.stdint cimport int16_t, uint8_t, uint32_t
from libc.string cimport memset

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.measuring.blocks cimport Block, BlockArray
from thresher.native.parsing.document cimport KIND_TEXT, Tree
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.choosing.decoding cimport ChoiceInput
from thresher.native.scoring.feature_table cimport FeatureTable
from thresher.native.scoring.model cimport ModelParts
from thresher.native.base.scratch cimport Scratch


cdef enum:
    MAX_OPTIONS = 8     # of one extractor


cdef enum Outcome:
    KEPT_BLOCKS = 0     # the function filled Page.keep
    # The function filled Page.marks; the caller keeps the blocks with at least half of their characters in marked text.
    MARKED_NODES = 1


# The learned extractor's results for a page: owned by the caller, reused from page to page.
ctypedef struct ScoredPage:
    FeatureTable table          # owns what the other fields point to
    ChoiceInput choice          # its n_blocks is 0 if the page was not scored
    const int16_t* scores       # of each block by itself, in 1/4096 of a logit; NULL if the page was not scored


ctypedef struct Page:
    const Tree* tree
    const MetricsArray* metrics
    const BlockArray* blocks
    Scratch* scratch
    const double* options       # the extractor's options, as its own struct
    const ModelParts* model     # for extractors that use a model (registry.pyx), otherwise NULL
    # Evidence from other pages for each block, in 1/4096 of a logit, for extractors that use it; NULL if there is none.
    const int16_t* evidence
    ScoredPage* scored          # filled by the learned extractor; not scored on entry
    uint8_t* keep               # one byte per block, 0 on entry
    uint8_t* marks              # one byte per node, 0 on entry
    double* confidence          # expected F1 of the choice in [0, 1], for extractors that know it; -1 on entry


ctypedef int (*ExtractorFunction)(const Page* page) noexcept nogil      # returns Outcome, or OUT_OF_MEMORY


cdef inline void forget_scores(ScoredPage* scored) noexcept nogil:
    """Makes a page one that was not scored, keeping the memory."""
    scored.choice.n_blocks = 0
    scored.scores = NULL


cdef inline void mark_subtree(const Page* page, uint32_t node) noexcept nogil:
    """Marks a node and everything below it."""
    THRESHER_CHECK(node < page.tree.n_nodes)
    memset(page.marks + node, 1, page.tree.nodes[node].end - node)


cdef inline void keep_marked_blocks(const Page* page) noexcept nogil:
    """Keeps the blocks with at least half of their characters in marked text nodes."""
    cdef const Block* block
    cdef uint32_t i, n, marked
    for i in range(page.blocks.n_blocks):
        block = page.blocks.blocks + i
        marked = 0
        n = block.start
        while n < block.end:
            # hidden text nodes have no characters
            if page.marks[n] and page.tree.nodes[n].kind == KIND_TEXT:
                marked += page.metrics.nodes[n].characters
            n += 1
        page.keep[i] = 2 * <size_t> marked >= block.characters
