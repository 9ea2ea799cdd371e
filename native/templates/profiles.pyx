# SPDX-License-Identifier: Apache-2.0
"""Gives the nodes of several pages numbers that are equal where the nodes are."""

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY, make_room
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.hash_table cimport NEW_KEY, HashEntry, enter_key, free_table
from thresher.native.templates.hashing cimport hash64, mix, next_token
from thresher.native.parsing.tags cimport ATTR_CLASS, TAG_COUNT, TAG_DIV
from thresher.native.parsing.reading cimport *


cdef int start_profiles(ProfileTable* table) noexcept nogil:
    """Make an empty table. Its profile 0 is that of temporary groups."""
    cdef uint64_t group = hash64(<const uint8_t*> b"tmp-group", 9, ATTR_CLASS)
    cdef uint32_t number
    memset(table, 0, sizeof(ProfileTable))
    return find_profile(table, name_of_tag(TAG_DIV, NS_HTML), &group, 1, NULL, 0, &number)


cdef void free_profiles(ProfileTable* table) noexcept nogil:
    """Free the memory."""
    free(table.profiles)
    free(table.values)
    free_table(&table.numbers)
    memset(table, 0, sizeof(ProfileTable))


cdef inline uint64_t name_of_tag(uint64_t tag, uint8_t namespace) noexcept nogil:
    """The name of an element: its Tag, or the hash of a name without a number."""
    return mix(tag, (<uint64_t> KIND_ELEMENT << 8) | namespace)


cdef void sort_values(uint64_t* values, uint32_t count) noexcept nogil:
    """Sort a few values in place."""
    cdef uint32_t i, j
    cdef uint64_t value
    for i in range(1, count):
        value = values[i]
        j = i
        while j > 0 and values[j - 1] > value:
            values[j] = values[j - 1]
            j -= 1
        values[j] = value


cdef uint32_t without_repeats(uint64_t* values, uint32_t count) noexcept nogil:
    """Drop repeats from sorted values; returns how many are left."""
    cdef uint32_t i, kept = 0
    for i in range(count):
        if kept == 0 or values[kept - 1] != values[i]:
            values[kept] = values[i]
            kept += 1
    return kept


cdef int find_profile(
    ProfileTable* table, uint64_t name, const uint64_t* classes, uint32_t n_classes, const uint64_t* attributes,
    uint32_t n_attributes,
    uint32_t* number
) noexcept nogil:
    """Set `number` to that of a profile, adding the profile if it is new."""
    cdef uint64_t whole = mix(name, n_classes)
    cdef uint32_t i
    cdef int entered
    cdef Profile* profile
    for i in range(n_classes):
        whole = mix(whole, classes[i])
    for i in range(n_attributes):
        whole = mix(whole, attributes[i])
    if (
        make_room(&table.profiles, &table.capacity, <size_t> table.n_profiles + 1) < 0
        or make_room(&table.values, &table.values_capacity, <size_t> table.n_values + n_classes + n_attributes) < 0
    ):
        return OUT_OF_MEMORY
    entered = enter_key(&table.numbers, whole, table.n_profiles, number)
    if entered != NEW_KEY:
        return entered
    profile = table.profiles + table.n_profiles
    profile.name = name
    profile.classes = table.n_values
    profile.n_classes = n_classes
    profile.attributes = table.n_values + n_classes
    profile.n_attributes = n_attributes
    THRESHER_CHECK(<size_t> table.n_values + n_classes + n_attributes <= table.values_capacity)
    if n_classes:
        memcpy(table.values + profile.classes, classes, n_classes * sizeof(uint64_t))
    if n_attributes:
        memcpy(table.values + profile.attributes, attributes, n_attributes * sizeof(uint64_t))
    table.n_values += n_classes + n_attributes
    table.n_profiles += 1
    return 0


cdef int profile_of(ProfileTable* table, const Tree* tree, uint32_t node, uint32_t* number) noexcept nogil:
    """Set `number` to that of a node's profile; NO_PROFILE for blank texts, doctypes and the document."""
    cdef:
        const Node* item = tree.nodes + node
        const Attribute* attribute
        const uint8_t* token
        const uint8_t* end
        uint64_t[MAX_SET] classes
        uint64_t[MAX_SET] attributes
        uint64_t name
        uint32_t n_classes = 0, n_attributes = 0, i, length, tokens = 0
        Slice text, spelling
    THRESHER_CHECK(node < tree.n_nodes)
    number[0] = <uint32_t> NO_PROFILE
    if item.kind == KIND_TEXT or item.kind == KIND_COMMENT:
        text = slice_at(tree, item.start, item.length)
        end = text.data + text.length
        name = item.kind
        token = next_token(text.data, end, &length)
        while length:
            tokens += 1
            name = hash64(token, length, name)
            token = next_token(token + length, end, &length)
        if tokens == 0 and item.kind == KIND_TEXT:
            return 0
        return find_profile(table, name, NULL, 0, NULL, 0, number)
    if item.kind == KIND_CONTENT:
        return find_profile(table, KIND_CONTENT, NULL, 0, NULL, 0, number)
    if item.kind != KIND_ELEMENT:
        return 0
    name = item.tag
    if item.tag >= TAG_COUNT:   # a number that holds only for this page
        text = slice_at(tree, item.start, item.length)
        name = hash64(text.data, text.length, KIND_ELEMENT)
    name = name_of_tag(name, item.namespace)
    for i in range(item.n_attributes):
        attribute = tree.attributes + item.attributes + i
        text = value_of(tree, attribute)
        if attribute.name == ATTR_CLASS:
            end = text.data + text.length
            token = next_token(text.data, end, &length)
            while length and n_classes < MAX_SET:
                classes[n_classes] = hash64(token, length, ATTR_CLASS)
                n_classes += 1
                token = next_token(token + length, end, &length)
        elif n_attributes < MAX_SET:
            spelling = name_of(tree, attribute)
            attributes[n_attributes] = hash64(
                text.data, text.length, hash64(spelling.data, spelling.length, KIND_ELEMENT)
            )
            n_attributes += 1
    sort_values(classes, n_classes)
    sort_values(attributes, n_attributes)
    n_classes = without_repeats(classes, n_classes)
    n_attributes = without_repeats(attributes, n_attributes)
    return find_profile(table, name, classes, n_classes, attributes, n_attributes, number)


cdef uint32_t in_common(const uint64_t* one, uint32_t n_one, const uint64_t* other, uint32_t n_other) noexcept nogil:
    """The number of values that two sorted lists share."""
    cdef uint32_t i = 0, j = 0, shared = 0
    while i < n_one and j < n_other:
        if one[i] == other[j]:
            shared += 1
            i += 1
            j += 1
        elif one[i] < other[j]:
            i += 1
        else:
            j += 1
    return shared


@cython.final
cdef class Profiles:
    """The profiles of one site's pages; every Outline of the site refers to them."""

    def __cinit__(self):
        if start_profiles(&self.table) < 0:
            raise MemoryError("no memory for the profiles of a site")

    def __dealloc__(self):
        free_profiles(&self.table)

    def __len__(self) -> int:
        return self.table.n_profiles

    @property
    def nbytes(self) -> int:
        """Bytes of memory held."""
        return (
            self.table.capacity * sizeof(Profile)
            + self.table.values_capacity * sizeof(uint64_t)
            + self.table.numbers.capacity * sizeof(HashEntry)
        )
