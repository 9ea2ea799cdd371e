# SPDX-License-Identifier: Apache-2.0
"""Regions of a page that a user may want in or out whatever the extractor says: tables of data, comments of readers,
and captions and credits of pictures.

A *table of data* is a table that is written as one: two rows or more and two columns or more (or header cells), no
table inside it, not marked as presentation, and on average at most two blocks a cell. Everything else that is a table
element lays out the page.

*Comments* are what stands inside an element whose class or id has a word such as comments, comment-list or
disqus_thread, or that is marked as schema.org's Comment. html, body, main and article are never taken for comments, as
their classes tell of the page.

*Captions* are figcaption, an element of at most 100 words whose class has a word such as caption or photo-credit, and a
block of at most 30 words behind a picture that begins like a credit: ©, or "Photo:", "Foto:", "Image by" and their like.
"""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.parsing.document cimport Slice, Tree
from thresher.native.measuring.metrics cimport MetricsArray


cdef enum RegionRule:       # what happens to the blocks of a region
    REGION_AS_CHOSEN = 0    # what the extractor chose
    REGION_OUT = 1          # dropped, whatever it chose
    REGION_IN = 2           # kept


cdef bint is_data_table(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t table, uint32_t next_block,
    uint32_t* columns
) noexcept nogil

ctypedef struct RegionRules:
    RegionRule comments
    RegionRule tables
    RegionRule captions


cdef inline bint leaves_as_chosen(const RegionRules* rules) noexcept nogil:
    """True where no rule changes anything."""
    return (
        rules.comments == REGION_AS_CHOSEN and rules.tables == REGION_AS_CHOSEN and rules.captions == REGION_AS_CHOSEN
    )


cdef bint names_comments(Slice value) noexcept nogil            # a class or id that says so
cdef bint is_type_of_comments(Slice value) noexcept nogil       # an itemtype that says so

cdef void apply_region_rules(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint8_t* keep, const RegionRules* rules
) noexcept nogil
