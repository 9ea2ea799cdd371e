# SPDX-License-Identifier: Apache-2.0
"""Regions of a page that users can force in or out whatever the extractor chooses: data tables, readers' comments, and
captions and credits of pictures.

A *data table* has at least two rows and at least two columns (or header cells), contains no table, is not marked as
presentation, and has on average at most two blocks per cell. All other table elements are layout.

*Comments* are the content of an element whose class or id has a word such as comments, comment-list or disqus_thread,
or that is marked as schema.org's Comment. html, body, main and article never count, because their classes describe the
page.

*Captions* are figcaption, an element of at most 100 words whose class has a word such as caption or photo-credit, and a
block of at most 60 words after a picture that holds a credit: ©, "Photo:", "Foto:", "Image by", "Getty Images" and
similar.
"""

from libc.stdint cimport int16_t, uint8_t, uint32_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.parsing.document cimport Slice, Tree
from thresher.native.measuring.metrics cimport MetricsArray


cdef enum:
    SURE = 9000             # score of a probability of .9


cdef enum RegionRule:       # what happens to the blocks of a region
    REGION_AS_CHOSEN = 0    # the extractor's choice holds
    REGION_OUT = 1          # dropped, whatever the extractor chose
    REGION_IN = 2           # kept
    REGION_AUTO = 3         # what suits the page; replaced by another rule before any is applied


cdef bint is_data_table(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t table, uint32_t next_block,
    uint32_t* columns
) noexcept nogil
cdef bint holds_rows(const Tree* tree, const MetricsArray* metrics, uint32_t table) noexcept nogil

ctypedef struct RegionRules:
    RegionRule comments
    RegionRule tables
    RegionRule captions
    const int16_t* scores   # of each block, in 1/4096 of a logit: captions with SURE or more are not dropped; or NULL


cdef inline bint leaves_as_chosen(const RegionRules* rules) noexcept nogil:
    """True if no rule changes anything."""
    return (
        rules.comments == REGION_AS_CHOSEN and rules.tables == REGION_AS_CHOSEN and rules.captions == REGION_AS_CHOSEN
    )


cdef bint names_comments(Slice value) noexcept nogil            # true for such a class or id
cdef bint is_type_of_comments(Slice value) noexcept nogil       # true for such an itemtype
cdef bint has_item_type(const Tree* tree, const char* name, uint32_t length) noexcept nogil     # true if one ends so

cdef void apply_region_rules(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint8_t* keep, const RegionRules* rules
) noexcept nogil
