# SPDX-License-Identifier: Apache-2.0
"""Maps the outline of one page to that of another."""

cimport cython
from libc.math cimport floor
from libc.stdlib cimport free, qsort
from libc.string cimport memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY, make_room
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.templates.outline cimport Entry, Outline, Outlined
from thresher.native.templates.profiles cimport Profile, ProfileTable, in_common


cdef enum:
    NONE = -1
    SPENT = 1               # returned when the steps run out
    FREE_STEPS = 100000     # allowance for pages too small to be a danger


cdef inline int64_t rounded(double value) noexcept nogil:
    """A value in units of 1e-9. Sums of the same weights in another order then give the same number.

    The values are fractions of small numbers. The odd offset keeps them all away from the edge between two units.
    """
    return <int64_t> floor(value * 1e9 + 0.31830988618)


cdef void free_matcher(Matcher* matcher) noexcept nogil:
    free(matcher.mapped)
    free(matcher.siblings)
    free(matcher.segments)
    free(matcher.kinds)
    free(matcher.others)
    free(matcher.items)
    free(matcher.ranks)
    free(matcher.taken)
    free(matcher.pairs)
    memset(matcher, 0, sizeof(Matcher))


cdef inline bint alike(const Entry* one, const Entry* other) noexcept nogil:
    return one.profile == other.profile and one.n_children == other.n_children


cdef inline double share(const uint64_t* one, uint32_t n_one, const uint64_t* other, uint32_t n_other) noexcept nogil:
    """The share of the first list that the second has; 1 if both are empty, 0 if only the first is."""
    if n_one == 0:
        return n_other == 0
    return <double> in_common(one, n_one, other, n_other) / n_one


cdef double static_value(
    const ProfileTable* table, const Kind* one, const Kind* other, const Rules* rules
) noexcept nogil:
    """The value of a pair of siblings without their positions; -1 if the pair is never mapped (section 8.1)."""
    cdef const Profile* a = table.profiles + one.profile
    cdef const Profile* b = table.profiles + other.profile
    cdef double children = 1.0
    if one.profile == other.profile:
        if one.n_children != other.n_children:
            children = <double> min(one.n_children, other.n_children) / max(one.n_children, other.n_children)
        return rules.class_weight + rules.attribute_weight + rules.children_weight * children
    if a.name != b.name:
        return -1.0
    if one.n_children != other.n_children:
        children = <double> min(one.n_children, other.n_children) / max(one.n_children, other.n_children)
    return (
        rules.class_weight * share(table.values + a.classes, a.n_classes, table.values + b.classes, b.n_classes)
        + rules.attribute_weight * share(
            table.values + a.attributes, a.n_attributes, table.values + b.attributes, b.n_attributes
        )
        + rules.children_weight * children
    )


cdef inline double position_value(int64_t i, int64_t a, int64_t j, int64_t b) noexcept nogil:
    """The position part of a value: child i of a children against child j of b (section 8.1, tables 8.1 to 8.3)."""
    cdef int64_t low = min(a, b), slack = a - b if a > b else b - a, gap
    cdef int64_t distance = i - j if a >= b else j - i
    gap = -distance if distance < 0 else max(0, distance - slack)
    return <double> (low - gap) / a if low > gap else 0.0


cdef int by_kind(const void* one, const void* other) noexcept nogil:
    """Compare two kinds, for qsort: by profile, number of children and place."""
    cdef const Kind* a = <const Kind*> one
    cdef const Kind* b = <const Kind*> other
    if a.profile != b.profile:
        return -1 if a.profile < b.profile else 1
    if a.n_children != b.n_children:
        return -1 if a.n_children < b.n_children else 1
    return -1 if a.items < b.items else a.items > b.items


cdef inline bint same_kind(const Kind* one, const Kind* other) noexcept nogil:
    return one.profile == other.profile and one.n_children == other.n_children


cdef void sort_by_kind(Kind* members, const Entry* entries, uint32_t n) noexcept nogil:
    """Make a kind of each of n siblings, `items` its place among them, and sort them."""
    cdef uint32_t i
    for i in range(n):
        members[i].profile = entries[i].profile
        members[i].n_children = entries[i].n_children
        members[i].items = i
    qsort(members, n, sizeof(Kind), by_kind)


cdef int prepare(
    Matcher* matcher, const Entry* list_one, uint32_t a, const Entry* list_other, uint32_t b, const Rules* rules
) noexcept nogil:
    """Group both lists by kind and compute the values of kinds that can be mapped. SPENT if that takes too many steps.
    """
    cdef uint32_t i, k, h, member
    cdef uint64_t values
    cdef Kind* kind
    cdef double value
    cdef int64_t threshold = rounded(rules.threshold)
    if (
        make_room(&matcher.siblings, &matcher.siblings_capacity, a) < 0
        or make_room(&matcher.kinds, &matcher.kinds_capacity, a) < 0
        or make_room(&matcher.others, &matcher.others_capacity, b) < 0
        or make_room(&matcher.items, &matcher.items_capacity, b) < 0
        or make_room(&matcher.ranks, &matcher.ranks_capacity, b) < 0
        or make_room(&matcher.taken, &matcher.taken_capacity, b) < 0
    ):
        return OUT_OF_MEMORY
    memset(matcher.taken, 0, b)
    sort_by_kind(matcher.kinds, list_one, a)
    sort_by_kind(matcher.others, list_other, b)
    k = 0
    for i in range(a):
        member = matcher.kinds[i].items
        if i == 0 or not same_kind(matcher.kinds + i, matcher.kinds + k - 1):
            matcher.kinds[k] = matcher.kinds[i]
            k += 1
        matcher.siblings[member].kind = k - 1
    matcher.n_kinds = k
    h = 0
    for i in range(b):
        member = matcher.others[i].items
        matcher.items[i] = member
        if i == 0 or not same_kind(matcher.others + i, matcher.others + h - 1):
            matcher.others[h] = matcher.others[i]
            matcher.others[h].items = i
            matcher.others[h].n_items = 0
            matcher.others[h].skip = 0
            h += 1
        matcher.others[h - 1].n_items += 1
    matcher.n_others = h
    matcher.n_pairs = 0
    values = <uint64_t> matcher.n_kinds * matcher.n_others
    if matcher.steps + values > matcher.most_steps:
        return SPENT    # the steps are not charged: shorter lists may follow
    matcher.steps += values
    for k in range(matcher.n_kinds):
        kind = matcher.kinds + k
        kind.items = matcher.n_pairs
        for h in range(matcher.n_others):
            value = static_value(matcher.table, kind, matcher.others + h, rules)
            if value >= 0 and rounded(value + rules.position_weight) >= threshold:
                if make_room(&matcher.pairs, &matcher.pairs_capacity, <size_t> matcher.n_pairs + 1) < 0:
                    return OUT_OF_MEMORY
                matcher.pairs[matcher.n_pairs].value = value
                matcher.pairs[matcher.n_pairs].kind = h
                matcher.n_pairs += 1
        kind.n_items = matcher.n_pairs - kind.items
    return 0


cdef void offer(Sibling* sibling, int64_t value, uint32_t partner, int64_t threshold) noexcept nogil:
    """Keep a partner if it is better, or equally good and earlier."""
    if value >= threshold and (value > sibling.value or (value == sibling.value and partner < sibling.partner)):
        sibling.value = value
        sibling.partner = partner


cdef inline int64_t place_of(
    const Matcher* matcher, uint32_t item, const Segment* segment, const Rules* rules
) noexcept nogil:
    """The position of a member of the other list, counted according to the option."""
    if rules.option == 3:
        return matcher.ranks[item]
    return <int64_t> item - segment.other_first + matcher.shift


cdef uint32_t first_from(const uint32_t* items, uint32_t low, uint32_t high, uint32_t item) noexcept nogil:
    """Index of the first of some ascending items that is at least `item`."""
    cdef uint32_t middle
    while low < high:
        middle = (low + high) >> 1
        if items[middle] < item:
            low = middle + 1
        else:
            high = middle
    return low


cdef void find_partner(Matcher* matcher, uint32_t i, const Rules* rules, int64_t threshold) noexcept nogil:
    """Find the best partner of one sibling. In each kind that it can be mapped to, only the members nearest to its
    place can be the best.
    """
    cdef:
        Sibling* sibling = matcher.siblings + i
        const Segment* segment = matcher.segments + sibling.segment
        const Kind* row = matcher.kinds + sibling.kind
        const KindPair* pair
        const uint32_t* items
        Kind* kind
        int64_t a = segment.length, b = segment.other_length
        int64_t at = sibling.rank if rules.option == 3 else <int64_t> i - segment.first + matcher.shift
        # the first of the best places on the other side
        int64_t target = max(<int64_t> 0, at - (a - b) if a >= b else at)
        uint32_t p, low, high, middle, begin, end, n
        double before, behind
    sibling.value = NONE
    sibling.partner = UNMAPPED
    for p in range(row.items, row.items + row.n_items):
        pair = matcher.pairs + p
        kind = matcher.others + pair.kind
        items = matcher.items + kind.items
        matcher.steps += 1
        while kind.skip < kind.n_items and matcher.taken[items[kind.skip]]:
            kind.skip += 1
        if kind.skip == kind.n_items:
            continue
        if rules.option == 2:
            # the least value of a member, wherever it stands
            offer(sibling, rounded(pair.value), items[kind.skip], threshold)
        begin = first_from(items, kind.skip, kind.n_items, segment.other_first)
        end = first_from(items, begin, kind.n_items, segment.other_end)
        low = begin
        high = end
        while low < high:
            middle = (low + high) >> 1
            if place_of(matcher, items[middle], segment, rules) < target:
                low = middle + 1
            else:
                high = middle
        before = behind = -1.0
        n = low
        while n < end and matcher.taken[items[n]]:
            n += 1
        if n < end:
            behind = position_value(at, a, place_of(matcher, items[n], segment, rules), b)
            offer(sibling, rounded(pair.value + rules.position_weight * behind), items[n], threshold)
        matcher.steps += n - low
        n = low
        while n > begin and matcher.taken[items[n - 1]]:
            n -= 1
        matcher.steps += low - n
        if n > begin:
            before = position_value(at, a, place_of(matcher, items[n - 1], segment, rules), b)
            offer(sibling, rounded(pair.value + rules.position_weight * before), items[n - 1], threshold)
        if max(before, behind) == 0 or (rules.position_weight == 0 and max(before, behind) > 0):
            # position does not count: take the first remaining member
            n = begin
            while matcher.taken[items[n]]:
                n += 1
            matcher.steps += n - begin
            offer(sibling, rounded(pair.value), items[n], threshold)


cdef void rank_the_rest(Matcher* matcher, uint32_t a, uint32_t b) noexcept nogil:
    """Option 3: number the unmapped siblings on both sides, and remove mapped ones from the kinds."""
    cdef uint32_t h, i, kept, rank = 0
    cdef Kind* kind
    for i in range(a):
        matcher.siblings[i].rank = rank
        rank += not matcher.siblings[i].mapped
    matcher.segments[0].length = rank
    rank = 0
    for i in range(b):
        matcher.ranks[i] = rank
        rank += not matcher.taken[i]
    matcher.segments[0].other_length = rank
    for h in range(matcher.n_others):
        kind = matcher.others + h
        kept = 0
        for i in range(kind.n_items):
            if not matcher.taken[matcher.items[kind.items + i]]:
                matcher.items[kind.items + kept] = matcher.items[kind.items + i]
                kept += 1
        kind.n_items = kept
        kind.skip = 0
    matcher.steps += a + b


cdef inline void bound(
    Segment* segment, uint32_t first, uint32_t end, uint32_t other_first, uint32_t other_end, uint32_t shift
) noexcept nogil:
    segment.first = first
    segment.end = end
    segment.other_first = other_first
    segment.other_end = other_end
    segment.length = end - first + shift
    segment.other_length = other_end - other_first + shift


cdef int split(Matcher* matcher, uint32_t i, uint32_t j) noexcept nogil:
    """End i's segment before the pair (i, j) and begin another one after it."""
    cdef uint32_t n, old = matcher.siblings[i].segment
    cdef Segment* segment
    if make_room(&matcher.segments, &matcher.segments_capacity, <size_t> matcher.n_segments + 1) < 0:
        return OUT_OF_MEMORY
    THRESHER_CHECK(old < matcher.n_segments)
    segment = matcher.segments + old
    bound(matcher.segments + matcher.n_segments, i + 1, segment.end, j + 1, segment.other_end, 0)
    for n in range(i + 1, segment.end):
        matcher.siblings[n].segment = matcher.n_segments
    bound(segment, segment.first, i, segment.other_first, j, 0)
    matcher.n_segments += 1
    return 0


cdef int map_siblings(
    Matcher* matcher, uint32_t one, uint32_t a, uint32_t other, uint32_t b, const Rules* rules
) noexcept nogil:
    """Map two lists of siblings, which begin at entries `one` and `other`, one to one, best pair first. SPENT when the
    steps run out.
    """
    cdef:
        const Entry* list_one = matcher.one + one
        const Entry* list_other = matcher.other + other
        uint32_t i, j, best, low, high
        int64_t threshold = rounded(rules.threshold)
        Sibling* siblings
        Segment* segment
        int code
    code = prepare(matcher, list_one, a, list_other, b, rules)
    if code != 0:
        return code
    siblings = matcher.siblings
    if make_room(&matcher.segments, &matcher.segments_capacity, 1) < 0:
        return OUT_OF_MEMORY
    matcher.n_segments = 1
    bound(matcher.segments, 0, a, 0, b, matcher.shift)
    for i in range(a):
        siblings[i].segment = 0
        siblings[i].mapped = 0
    if a == b and rules.position_weight > 0 and best_value(rules, 1.0) >= threshold:
        # Only siblings at the same place can have the highest value, regardless of what is mapped first.
        for i in range(a):
            siblings[i].segment = matcher.n_segments - 1
            if alike(list_one + i, list_other + i):
                siblings[i].mapped = 1
                matcher.taken[i] = 1
                matcher.mapped[one + i] = other + i
                if rules.option <= 2 and split(matcher, i, i) < 0:
                    return OUT_OF_MEMORY
    low = 0
    high = a
    while True:
        if rules.option == 3:
            rank_the_rest(matcher, a, b)
            low = 0
            high = a
        for i in range(low, high):
            if not siblings[i].mapped:
                find_partner(matcher, i, rules, threshold)
        matcher.steps += a
        if matcher.steps > matcher.most_steps:
            return SPENT
        best = UNMAPPED
        for i in range(a):
            if (
                not siblings[i].mapped and siblings[i].value != NONE
                and (best == UNMAPPED or siblings[i].value > siblings[best].value)
            ):
                best = i
        if best == UNMAPPED:
            return 0
        j = siblings[best].partner
        siblings[best].mapped = 1
        matcher.taken[j] = 1
        matcher.mapped[one + best] = other + j
        low = high = 0
        segment = matcher.segments + siblings[best].segment
        if rules.option <= 2 and segment.other_first <= j < segment.other_end:
            low = segment.first
            high = segment.end
            if split(matcher, best, j) < 0:
                return OUT_OF_MEMORY
        if rules.option != 3:
            for i in range(a):
                if (
                    siblings[i].partner == j and not siblings[i].mapped and not low <= i < high
                    and siblings[i].value != NONE
                ):
                    find_partner(matcher, i, rules, threshold)


cdef inline int64_t best_value(const Rules* rules, double position) noexcept nogil:
    """The value of two equal siblings."""
    return rounded(
        rules.class_weight + rules.attribute_weight + rules.children_weight + rules.position_weight * position
    )


cdef int map_children(Matcher* matcher, uint32_t entry, const Rules* rules) noexcept nogil:
    """Map the children of a mapped pair."""
    cdef:
        const Entry* parent = matcher.one + entry
        const Entry* other_parent = matcher.other + matcher.mapped[entry]
        uint32_t one = parent.first, a = parent.n_children, other = other_parent.first, b = other_parent.n_children
        uint32_t whole = a
        int64_t threshold = rounded(rules.threshold)
        bint exhausted
        int code = 0
    matcher.shift = 0
    while a and b and alike(matcher.one + one, matcher.other + other):
        if best_value(rules, <double> (min(a, b) + matcher.shift) / (a + matcher.shift)) < threshold:
            break
        matcher.mapped[one] = other
        one += 1
        other += 1
        a -= 1
        b -= 1
        if rules.option == 4:
            matcher.shift = whole - a       # what is already mapped still counts
    if a == 0 or b == 0:
        return 0
    exhausted = matcher.steps > matcher.most_steps
    if not exhausted:
        code = map_siblings(matcher, one, a, other, b, rules)
        if code < 0:
            return OUT_OF_MEMORY
    if exhausted or code == SPENT:
        matcher.exhausted = 1
        while a and b and alike(matcher.one + one + a - 1, matcher.other + other + b - 1):
            a -= 1
            b -= 1
            if matcher.mapped[one + a] == UNMAPPED and (exhausted or not matcher.taken[b]):
                matcher.mapped[one + a] = other + b
    return 0


cdef int map_outlines(
    Matcher* matcher, const Outlined* one, const Outlined* other, const ProfileTable* table, const Rules* rules
) noexcept nogil:
    """Set `mapped`: for each entry of the first page its entry on the other."""
    cdef uint32_t e
    matcher.n_mapped = 0
    if make_room(&matcher.mapped, &matcher.capacity, one.n_entries) < 0:
        return OUT_OF_MEMORY
    matcher.n_mapped = one.n_entries
    matcher.one = one.entries
    matcher.other = other.entries
    matcher.table = table
    matcher.steps = 0
    matcher.most_steps = <uint64_t> (rules.effort * (<double> one.n_entries + other.n_entries)) + FREE_STEPS
    matcher.exhausted = 0
    if one.n_entries == 0:
        return 0
    memset(matcher.mapped, 0xFF, one.n_entries * sizeof(uint32_t))
    if other.n_entries == 0:
        return 0
    matcher.mapped[0] = 0
    for e in range(one.n_entries):
        if matcher.mapped[e] != UNMAPPED and matcher.one[e].n_children and matcher.other[matcher.mapped[e]].n_children:
            if map_children(matcher, e, rules) < 0:
                return OUT_OF_MEMORY
    return 0


cdef double checked(str name, double value, double least, double most) except? -1.0:
    if not least <= value <= most:
        raise ValueError(f"{name} must be from {least} to {most}, not {value}")
    return value


@cython.final
cdef class Mapping:
    """Maps outlines under one set of rules; its memory is reused from pair to pair.

    The default rules are those of TemEx (Alarte 2023, table 8.5).
    """

    def __cinit__(
        self, *, double class_weight=0.1, double position_weight=0.1, double attribute_weight=0.5, double
        children_weight=0.3,
        double threshold=0.7, int option=2, double effort=100.0
    ):
        self.rules.class_weight = checked("class_weight", class_weight, 0.0, 1.0)
        self.rules.position_weight = checked("position_weight", position_weight, 0.0, 1.0)
        self.rules.attribute_weight = checked("attribute_weight", attribute_weight, 0.0, 1.0)
        self.rules.children_weight = checked("children_weight", children_weight, 0.0, 1.0)
        self.rules.threshold = checked("threshold", threshold, 0.0, 4.0)
        self.rules.option = <int> checked("option", option, 1, 4)
        self.rules.effort = checked("effort", effort, 0.0, 1e9)

    def __dealloc__(self):
        free_matcher(&self.matcher)

    def pairs(self, Outline one not None, Outline other not None) -> list[tuple[int, int]]:
        """The mapped pairs of nodes of two pages, in the order of entries and without temporary ones. For tests and
        inspection.
        """
        cdef uint32_t e, partner
        cdef list found = []
        if one.profiles is not other.profiles:
            raise ValueError("the two outlines are of different sites: their Profiles are not the same")
        if map_outlines(&self.matcher, &one.array, &other.array, &one.profiles.table, &self.rules) < 0:
            raise MemoryError("no memory to map two pages")
        for e in range(self.matcher.n_mapped):
            partner = self.matcher.mapped[e]
            if partner != UNMAPPED and not one.array.entries[e].is_group and not other.array.entries[partner].is_group:
                found.append((one.array.entries[e].node, other.array.entries[partner].node))
        return found

    @property
    def exhausted(self) -> bool:
        """True if the last mapping ran out of steps, and so mapped only siblings at the beginning and end of lists."""
        return self.matcher.exhausted

    @property
    def steps(self) -> int:
        """Steps that the last mapping took."""
        return self.matcher.steps
