# SPDX-License-Identifier: Apache-2.0
"""Mapping: the equal top-down mapping (ETDM) of one page's nodes to another's (Alarte 2023, chapter 8).

Two nodes are equal when the weighted mean of four values reaches a threshold: the share of the first node's classes
that the second has, the share of its attributes, how close the positions of both among their siblings are, and how
close their numbers of children are. Their names must be the same; texts and comments must have the same words. The two
bodies are mapped to each other. Then, below every mapped pair, the children are mapped one to one: always the pair with
the highest value first, and of equal pairs the first in document order. Nothing is mapped below a node that is not
mapped.

`option` says how positions are counted: 1 between the pairs mapped so far, which no further pair may cross; 2 likewise,
but a further pair may cross them, and its position then counts 0; 3 among the siblings that are not mapped yet; 4 once,
in the whole lists.

Ordinary pages take less than quadratic time. Siblings at the beginning of two lists that are alike are mapped without
comparing them: they have the highest possible value and come first in document order. In lists of equal length this
holds for all siblings that are alike at the same index. The rest is grouped by profile and number of children, and
values are computed once for each pair of groups. Each sibling keeps its best partner, which is searched anew only when
a new pair changes the positions around it or takes that partner.

Crafted pages can still take quadratic time. `effort` bounds the steps for each entry of the two pages. Once they are
spent, only siblings at the beginning or end of two lists that are alike are mapped, and `exhausted` is set.
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
    double effort           # steps for each entry of the two pages


ctypedef struct Sibling:    # a child of the first page's node while its list is mapped
    int64_t value           # of its best pair, in units of 1e-9; NONE where no partner reaches the threshold
    uint32_t partner        # index in the other list
    uint32_t kind           # its group: siblings that have the same values with everyone
    uint32_t segment
    uint32_t rank           # option 3: among those that are not mapped
    uint8_t mapped


ctypedef struct Segment:    # what lies between two mapped pairs
    uint32_t first
    uint32_t end
    uint32_t other_first
    uint32_t other_end
    # what places are counted in: siblings from first to end; option 3: those that are not mapped
    uint32_t length
    uint32_t other_length


ctypedef struct Kind:       # siblings of one list with the same profile and number of children
    uint32_t profile
    uint32_t n_children
    # other page: where its members stand in `items`, ascending; first page: where its pairs stand in `pairs`
    uint32_t items
    uint32_t n_items
    uint32_t skip           # other page: how many at the beginning are mapped


ctypedef struct KindPair:   # a kind of the other list whose members may be mapped to members of one kind of the first
    double value            # without position
    uint32_t kind


ctypedef struct Matcher:
    const Entry* one
    const Entry* other
    const ProfileTable* table
    uint32_t* mapped        # for each entry of the first page its entry on the other, UNMAPPED if it has none
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
cdef void free_matcher(Matcher* matcher) noexcept nogil


cdef class Mapping:
    """Maps outlines under one set of rules; its memory is reused from pair to pair."""
    cdef Rules rules
    cdef Matcher matcher
