# SPDX-License-Identifier: Apache-2.0
"""Mapping: the equal top-down mapping (ETDM) of one page's nodes to another's.

Alarte 2023, chapter 8. Two nodes are equal when the weighted mean of four values reaches a threshold: the share of the first one's classes that the
second has, where both stand among their siblings, the share of attributes, and how alike their numbers of children are. Names must
be the same; texts and comments must have the same words. The two bodies are mapped; of every mapped pair the children are mapped one to one, always
the pair of the highest value first, of equal ones the first in document order. What is not mapped has nothing mapped below it.

Where siblings stand is counted in one of four ways (`option`): 1 between the pairs mapped so far, which no further pair may cross; 2 the same, but a
crossing pair is possible, its position counts 0; 3 among those that are not mapped yet; 4 once, in the whole lists.

How it is done in less than quadratic time on pages as they are: siblings that begin two lists alike are mapped without a comparison (they have
the highest value that there is, and are the first in document order, so the order above takes them next; the same holds, for lists of the same length, of
all that are alike at the same place). What is left is grouped by profile and number of children, values are computed once for two groups, and each
sibling keeps its best partner, searched anew only when a pair changes its surroundings or takes that partner.

What is left can still be quadratic where a page was made for it. `effort` bounds the steps for each entry of the two pages; once they are spent, only
siblings that begin or end two lists alike are mapped, and `exhausted` says so.
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
    uint32_t length         # what places are counted in: siblings from first to end; option 3: those that are not mapped
    uint32_t other_length


ctypedef struct Kind:       # siblings of one list with the same profile and number of children
    uint32_t profile
    uint32_t n_children
    uint32_t items          # other page: where its members stand in `items`, ascending; first page: where its pairs stand in `pairs`
    uint32_t n_items
    uint32_t skip           # other page: how many at the beginning are mapped


ctypedef struct KindPair:   # a kind of the other list whose members may be mapped to members of one kind of the first
    double value            # without position
    uint32_t kind


ctypedef struct Matcher:
    const Entry* one
    const Entry* other
    const ProfileTable* table
    uint32_t* mapped        # for each entry of the first page its entry on the other, UNMAPPED where it has none
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
) except -1 nogil
cdef void free_matcher(Matcher* matcher) noexcept nogil


cdef class Mapping:
    """Maps outlines under one set of rules; its memory is reused from pair to pair."""
    cdef Rules rules
    cdef Matcher matcher
