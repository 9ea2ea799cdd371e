# SPDX-License-Identifier: Apache-2.0
"""Structural signatures of places; see signatures.pxd for what they are."""

cimport cython
from array import array

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort
from libc.string cimport memcpy

from thresher.native.measuring.blocks cimport Block, Blocks, require_blocks_of
from thresher.native.parsing.document cimport KIND_ELEMENT, KIND_TEXT, NS_HTML, Attribute, Document, Slice, Tree, slice_at
from thresher.native.templates.hashing cimport hash64, mix, next_token
from thresher.native.measuring.metrics cimport FLAG_BLANK, FLAG_HIDDEN, Metrics, require_metrics_of
from thresher.native.scratch cimport reserve
from thresher.native.parsing.tags cimport ATTR_CLASS, ATTR_ID, ATTR_ROLE, TAG_BODY, TAG_COUNT, TAG_FRAMESET, TAG_HTML

UNKNOWN = -1
"""In Signatures.of_blocks: nothing is known of the place."""

cdef enum:
    FIRST_SLOTS = 512
    MAX_TOKEN = 128     # bytes of a class, id or role that count
    MAX_TOKENS = 32     # classes of an element that count


cdef uint64_t hash_without_digits(const uint8_t* data, uint32_t length, uint64_t seed) noexcept nogil:
    """The hash of a token in which every run of digits is one digit."""
    cdef uint8_t[MAX_TOKEN] folded
    cdef uint32_t i, n = 0
    cdef bint digit = False
    for i in range(min(length, <uint32_t> MAX_TOKEN)):
        if c"0" <= data[i] <= c"9":
            if digit:
                continue
            folded[n] = c"0"
            digit = True
        else:
            folded[n] = data[i]
            digit = False
        n += 1
    return hash64(folded, n, seed)


cdef uint64_t step_of(const Tree* tree, uint32_t n) noexcept nogil:
    """One element of a path. The order of its classes does not matter."""
    cdef:
        const Attribute* attribute
        const uint8_t* token
        const uint8_t* end
        uint32_t i, length, tokens = 0
        uint64_t step, classes = 0
        Slice text
    step = tree.nodes[n].tag
    if tree.nodes[n].tag >= TAG_COUNT:
        text = slice_at(tree, tree.nodes[n].start, tree.nodes[n].length)
        step = hash64(text.data, text.length, KIND_ELEMENT)
    step = mix(step, tree.nodes[n].namespace)
    for i in range(tree.nodes[n].n_attributes):
        attribute = tree.attributes + tree.nodes[n].attributes + i
        if attribute.name != ATTR_CLASS and attribute.name != ATTR_ID and attribute.name != ATTR_ROLE:
            continue
        text = slice_at(tree, attribute.value_start, attribute.value_length)
        end = text.data + text.length
        token = next_token(text.data, end, &length)
        while length and tokens < MAX_TOKENS:
            classes += hash_without_digits(token, length, attribute.name)
            tokens += 1
            token = next_token(token + length, end, &length)
    return mix(step, classes)


cdef int find_paths(Paths* paths, const Tree* tree) except -1 nogil:
    """Fills in the signature of every element: its parent's, one step further."""
    cdef uint32_t n
    paths.values = <uint64_t*> reserve(paths.values, &paths.capacity, tree.n_nodes, sizeof(uint64_t))
    paths.values[0] = 1
    for n in range(1, tree.n_nodes):
        if tree.nodes[n].kind != KIND_ELEMENT:
            paths.values[n] = paths.values[tree.nodes[n].parent]
        elif tree.nodes[n].namespace == NS_HTML and (
            tree.nodes[n].tag == TAG_BODY or tree.nodes[n].tag == TAG_HTML or tree.nodes[n].tag == TAG_FRAMESET
        ):
            paths.values[n] = 1
        else:
            paths.values[n] = mix(paths.values[tree.nodes[n].parent], step_of(tree, n)) | 1
    return 0


cdef inline Counted* slot_of(Counted* slots, uint32_t n_slots, uint64_t signature) noexcept nogil:
    """The slot of a signature, or the free one where it would go."""
    cdef uint32_t slot = <uint32_t> (signature >> 32) & (n_slots - 1)
    while slots[slot].signature and slots[slot].signature != signature:
        slot = (slot + 1) & (n_slots - 1)
    return slots + slot


cdef int by_signature(const void* one, const void* other) noexcept nogil:
    cdef uint64_t a = (<const Counted*> one).signature, b = (<const Counted*> other).signature
    return -1 if a < b else a > b


def signatures_of_nodes(Document document not None) -> array[int]:
    """For each node of a page the signature of its place: an element's own, of any other node that of the element it stands in."""
    cdef Paths paths
    cdef uint32_t n
    cdef uint64_t[::1] found
    values = array("Q", bytes(8 * document.tree.n_nodes))
    found = values
    paths.values = NULL
    paths.capacity = 0
    find_paths(&paths, &document.tree)
    for n in range(document.tree.n_nodes):
        found[n] = paths.values[n]
    free(paths.values)
    return values


@cython.final
cdef class SignatureCounts:
    """Counts, for the places of a site's pages, how much of the text there is template."""

    def __cinit__(self):
        self.slots = <Counted*> calloc(FIRST_SLOTS, sizeof(Counted))
        if self.slots == NULL:
            raise MemoryError("no memory for the signatures of a site")
        self.n_slots = FIRST_SLOTS

    def __dealloc__(self):
        free(self.slots)
        free(self.paths.values)

    cdef int grow(self) except -1 nogil:
        """Twice the slots."""
        cdef Counted* grown = <Counted*> calloc(2 * <size_t> self.n_slots, sizeof(Counted))
        cdef uint32_t i
        if grown == NULL:
            with gil:
                raise MemoryError("no memory for the signatures of a site")
        for i in range(self.n_slots):
            if self.slots[i].signature:
                slot_of(grown, 2 * self.n_slots, self.slots[i].signature)[0] = self.slots[i]
        free(self.slots)
        self.slots = grown
        self.n_slots *= 2
        return 0

    def add(self, Document document not None, Metrics metrics not None, const unsigned char[::1] template not None) -> None:
        """Counts one page: what is visible of it, by whether `template` has a 1 for the text node.

        `metrics` are those of this page, `template` is one byte per node, as from Occurrences.template(). ValueError where there are not as many;
        RuntimeError where the metrics are of another page.
        """
        cdef const Tree* tree = &document.tree
        cdef const uint8_t* marks
        cdef uint32_t n
        cdef Counted* slot
        require_metrics_of(tree, &metrics.array)
        if template.shape[0] != tree.n_nodes:
            raise ValueError(f"{template.shape[0]} marks for {tree.n_nodes} nodes")
        if tree.n_nodes == 0:
            return
        marks = &template[0]
        self.n_pages += 1
        with nogil:
            find_paths(&self.paths, tree)
            for n in range(tree.n_nodes):
                if tree.nodes[n].kind != KIND_TEXT or metrics.array.nodes[n].flags & (FLAG_HIDDEN | FLAG_BLANK):
                    continue
                slot = slot_of(self.slots, self.n_slots, self.paths.values[n])
                if slot.signature == 0:
                    if self.n_used >= MAX_SIGNATURES:
                        continue
                    if 2 * (self.n_used + 1) > self.n_slots:
                        self.grow()
                        slot = slot_of(self.slots, self.n_slots, self.paths.values[n])
                    slot.signature = self.paths.values[n]
                    self.n_used += 1
                if slot.last_page != self.n_pages:
                    slot.last_page = self.n_pages
                    slot.pages += 1
                if marks[n]:
                    slot.template += metrics.array.nodes[n].characters
                else:
                    slot.other += metrics.array.nodes[n].characters

    def __len__(self) -> int:
        return self.n_used

    @property
    def template_share(self) -> float:
        """The share of template in all text that was counted; 0 where there is none."""
        cdef uint64_t template = 0, other = 0
        cdef uint32_t i
        for i in range(self.n_slots):
            template += self.slots[i].template
            other += self.slots[i].other
        return <double> template / <double> (template + other) if template else 0.0

    def places(self) -> list[tuple[int, int, int, int]]:
        """(signature, pages, characters of template, characters of other text) of every place, by signature."""
        cdef uint32_t i
        return sorted(
            [
                (self.slots[i].signature, self.slots[i].pages, self.slots[i].template, self.slots[i].other)
                for i in range(self.n_slots)
                if self.slots[i].signature
            ]
        )

    def signatures(self, *, uint32_t min_pages=2) -> Signatures:
        """The places that so many pages have text at, each with the share of template there."""
        cdef Counted* kept = <Counted*> malloc(max(self.n_used, 1) * sizeof(Counted))
        cdef uint32_t i, n = 0
        cdef double share
        if kept == NULL:
            raise MemoryError(f"no memory for {self.n_used} signatures")
        for i in range(self.n_slots):
            if self.slots[i].signature and self.slots[i].pages >= min_pages and self.slots[i].template + self.slots[i].other:
                kept[n] = self.slots[i]
                n += 1
        qsort(kept, n, sizeof(Counted), by_signature)
        values = array("Q", bytes(8 * n))
        shares = bytearray(n)
        for i in range(n):
            share = <double> kept[i].template / (kept[i].template + kept[i].other)
            values[i] = kept[i].signature
            shares[i] = <uint8_t> (share * 255 + 0.5)
        free(kept)
        return Signatures(values, shares)


@cython.final
cdef class Signatures:
    """The places of a site and the share of template in the text of each."""

    def __cinit__(self, const uint64_t[::1] values not None, const uint8_t[::1] shares not None):
        cdef Py_ssize_t i
        if values.shape[0] != shares.shape[0]:
            raise ValueError(f"{values.shape[0]} signatures with {shares.shape[0]} shares")
        for i in range(1, values.shape[0]):
            if values[i - 1] >= values[i]:
                raise ValueError(f"signatures must be ascending, without repeats; number {i} is not")
        if values.shape[0] > MAX_SIGNATURES:
            raise ValueError(f"at most {MAX_SIGNATURES} signatures, not {values.shape[0]}")
        self.places = <uint64_t*> malloc(max(values.shape[0], 1) * sizeof(uint64_t))
        self.templates = <uint8_t*> malloc(max(values.shape[0], 1))
        if self.places == NULL or self.templates == NULL:
            raise MemoryError(f"no memory for {values.shape[0]} signatures")
        self.n_places = <uint32_t> values.shape[0]
        if self.n_places:
            memcpy(self.places, &values[0], self.n_places * sizeof(uint64_t))
            memcpy(self.templates, &shares[0], self.n_places)

    def __dealloc__(self):
        free(self.places)
        free(self.templates)
        free(self.paths.values)

    def __len__(self) -> int:
        return self.n_places

    def values(self) -> array[int]:
        """The signatures, ascending, as 64-bit numbers."""
        cdef uint32_t i
        return array("Q", [self.places[i] for i in range(self.n_places)])

    def shares(self) -> bytes:
        """For each signature the share of template in the text there, in 1/255."""
        return PyBytes_FromStringAndSize(<char*> self.templates, self.n_places)

    cdef int share_at(self, uint64_t signature) noexcept nogil:
        """The share at a place, -1 where it is not known."""
        cdef uint32_t low = 0, high = self.n_places, middle
        while low < high:
            middle = (low + high) >> 1
            if self.places[middle] < signature:
                low = middle + 1
            else:
                high = middle
        return self.templates[low] if low < self.n_places and self.places[low] == signature else -1

    def of_blocks(self, Document document not None, Metrics metrics not None, Blocks blocks not None) -> array[int]:
        """For each block of a page the share of template in what was seen at its places, in thousandths; UNKNOWN where for most of its text nothing was.

        A mean over its characters. RuntimeError where `metrics` or `blocks` are not those of this page.
        """
        cdef const Tree* tree = &document.tree
        cdef const Block* block
        cdef uint32_t b, n
        cdef uint64_t known, total, sum, last = 0
        cdef int share = -1
        found = array("h", bytes(2 * blocks.array.n_blocks))
        cdef int16_t[::1] shares = found
        require_blocks_of(tree, &metrics.array, &blocks.array)
        with nogil:
            find_paths(&self.paths, tree)
            for b in range(blocks.array.n_blocks):
                block = blocks.array.blocks + b
                known = total = sum = 0
                for n in range(block.start, min(block.end, tree.n_nodes)):
                    if tree.nodes[n].kind != KIND_TEXT or metrics.array.nodes[n].flags & (FLAG_HIDDEN | FLAG_BLANK):
                        continue
                    if self.paths.values[n] != last:    # neighbours often share their place
                        last = self.paths.values[n]
                        share = self.share_at(last)
                    total += metrics.array.nodes[n].characters
                    if share >= 0:
                        known += metrics.array.nodes[n].characters
                        sum += share * <uint64_t> metrics.array.nodes[n].characters
                shares[b] = <int16_t> (sum * 1000 // (known * 255)) if 2 * known > total else -1
        return found
