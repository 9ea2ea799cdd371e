# SPDX-License-Identifier: Apache-2.0
"""Mapping: the equal top-down mapping (ETDM) of one page's nodes to another's (Alarte 2023, chapter 8).

Two nodes are equal if the weighted mean of four values reaches a threshold: the share of the first node's classes that
the second has, the share of its attributes, how close their positions among their siblings are, and how close their
numbers of children are. Their names must match; texts and comments must have the same words. The two bodies are mapped
to each other. Below every mapped pair, the children are mapped one to one: the pair with the highest value first, ties
in document order. Nothing is mapped below an unmapped node.

`option` says how positions are counted. 1: between the pairs mapped so far, and no further pair may cross them. 2:
between the pairs mapped so far, and a pair that crosses them gets position 0. 3: among the siblings that are not mapped
yet. 4: once, in the whole lists.

Ordinary pages take less than quadratic time. Equal siblings at the beginning of two lists are mapped without
comparison: they have the highest possible value and come first in document order. In lists of equal length this holds
for all equal siblings at the same index. The rest is grouped by profile and number of children, and values are computed
once for each pair of groups. Each sibling remembers its best partner, and searches again only if a new pair takes that
partner or changes the positions around it.

Crafted pages can still take quadratic time. `effort` bounds the steps per entry of the two pages. Once they are spent,
only equal siblings at the beginning or end of two lists are mapped, and `exhausted` is set.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from thresher.native.templates.outline cimport Entry, Outlined
from thresher.native.templates.profiles cimport ProfileTable


cdef enum:
    UNMAPPED = 0xFFFFFFFF


ctypedef struct Rules:
    double class_weight
    double position_weight
    double attribute_weight
    double children_weight
    double threshold
    int option              # 1 to 4
    double effort           # steps per entry of the two pages


ctypedef struct Sibling:    # a child of the first page's node while its list is mapped
    int64_t value           # of its best pair, in units of 1e-9; NONE if no partner reaches the threshold
    uint32_t partner        # index in the other list
    uint32_t kind           # its group: siblings that have equal values with every partner
    uint32_t segment
    uint32_t rank           # option 3: rank among the unmapped siblings
    uint8_t mapped


ctypedef struct Segment:    # the siblings between two mapped pairs
    uint32_t first
    uint32_t end
    uint32_t other_first
    uint32_t other_end
    # range in which positions are counted: siblings from first to end; option 3: only unmapped ones
    uint32_t length
    uint32_t other_length


ctypedef struct Kind:       # siblings of one list with the same profile and number of children
    uint32_t profile
    uint32_t n_children
    # other page: where its members are in `items`, ascending; first page: where its pairs are in `pairs`
    uint32_t items
    uint32_t n_items
    uint32_t skip           # other page: number of mapped members at the beginning


ctypedef struct KindPair:   # a kind of the other list that can be mapped to one kind of the first list
    double value            # without position
    uint32_t kind


ctypedef struct Matcher:
    const Entry* one
    const Entry* other
    const ProfileTable* table
    uint32_t* mapped        # for each entry of the first page its entry on the other; UNMAPPED if it has none
    size_t capacity
    uint32_t n_mapped       # entries of the first page
    Sibling* siblings
    size_t siblings_capacity
    Segment* segments
    size_t segments_capacity
    uint32_t n_segments
    Kind* kinds             # of the first list
    Kind* others            # of the other list
    size_t kinds_capacity
    size_t others_capacity
    uint32_t n_kinds
    uint32_t n_others
    uint32_t* items
    uint32_t* ranks         # option 3: of the other list's members
    uint8_t* taken          # of the other list's members: 1 when mapped
    size_t items_capacity
    size_t ranks_capacity
    size_t taken_capacity
    KindPair* pairs
    size_t pairs_capacity
    uint32_t n_pairs
    uint32_t shift          # option 4: how many siblings are mapped before the list, place by place, and count
    uint64_t steps
    uint64_t most_steps
    uint8_t exhausted


cdef int map_outlines(
    Matcher* matcher, const Outlined* one, const Outlined* other, const ProfileTable* table, const Rules* rules
) noexcept nogil


cdef class Mapping:
    """Maps outlines under one set of rules; its memory is reused from pair to pair."""
    cdef Rules rules
    cdef Matcher matcher
