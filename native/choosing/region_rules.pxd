# SPDX-License-Identifier: Apache-2.0
"""Regions of a page that users can force in or out whatever the extractor chooses: data tables and readers' comments
(measuring/regions.pxd), captions and credits of pictures, the headline (scoring/headline.pxd) and datelines
(datelines.pxd).

Reviews of customers count as comments: elements with a class or id that names several ("reviews", "customer-reviews").
Where a scored page has hardly any other main text, they are its main text, and no rule drops them: posts of a thread.

*Captions* are figcaption, an element of at most 100 words whose class has a word such as caption or photo-credit, and a
block of at most 60 words after a picture that holds a credit: ©, "Photo:", "Foto:", "Image by", "Getty Images" and
similar.

Datelines come after the others, because those that are kept are near kept blocks. A block that another rule drops or
keeps stays so. mark_regions() leaves datelines marked, for a choice that is made later (templates/packed.pxd).
"""

from libc.stdint cimport int16_t, uint8_t, uint32_t

from thresher.native.choosing.interface cimport ScoredPage
from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Tree


cdef enum:
    SURE = 9000             # score of a probability of .9


cdef enum RegionRule:       # what happens to the blocks of a region
    REGION_AS_CHOSEN = 0    # the extractor's choice holds
    REGION_OUT = 1          # dropped, whatever the extractor chose
    REGION_IN = 2           # kept
    REGION_AUTO = 3         # what suits the page; replaced by another rule before any is applied


ctypedef struct RegionRules:
    RegionRule comments
    RegionRule tables
    RegionRule captions
    RegionRule titles
    RegionRule datelines
    const int16_t* scores   # of each block, in 1/4096 of a logit: captions with SURE or more are not dropped; or NULL


cdef inline bint leaves_as_chosen(const RegionRules* rules) noexcept nogil:
    """True if no rule changes anything."""
    return (
        rules.comments == REGION_AS_CHOSEN and rules.tables == REGION_AS_CHOSEN and rules.captions == REGION_AS_CHOSEN
        and rules.titles == REGION_AS_CHOSEN and rules.datelines == REGION_AS_CHOSEN
    )


cdef bint is_caption_element(const Tree* tree, uint32_t n) noexcept nogil
cdef bint outweighs_comments(const ScoredPage* scored, uint32_t n_blocks) noexcept nogil
cdef bint comments_are_main(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const int16_t* scores
) noexcept nogil
cdef void mark_regions(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint8_t* keep, const RegionRules* rules
) noexcept nogil
cdef void apply_region_rules(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint8_t* keep, const RegionRules* rules
) noexcept nogil
