# SPDX-License-Identifier: Apache-2.0
"""Structural signatures; see signatures.pxd for their definition."""

cimport cython
from array import array

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, qsort
from libc.string cimport memcpy, memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY, make_room, new_array
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.hash_table cimport NOT_FOUND, enter_key, find_key, free_table
from thresher.native.measuring.blocks cimport Block, Blocks, require_blocks_of
from thresher.native.parsing.document cimport (
    KIND_ELEMENT, KIND_TEXT, NS_HTML, Attribute, Document, Slice, Tree, slice_at,
)
from thresher.native.templates.hashing cimport hash64, mix, next_token
from thresher.native.measuring.metrics cimport FLAG_BLANK, FLAG_HIDDEN, Metrics, NodeMetrics, require_metrics_of
from thresher.native.parsing.tags cimport ATTR_CLASS, ATTR_ID, ATTR_ROLE, TAG_BODY, TAG_COUNT, TAG_FRAMESET, TAG_HTML

UNKNOWN = -1
"""Returned by Signatures.of_blocks() for a position that the site does not have."""

cdef enum:
    MAX_TOKEN = 128     # bytes of a class, id or role that are hashed
    MAX_TOKENS = 32     # classes of an element that are hashed


cdef uint64_t hash_without_digits(const uint8_t* data, uint32_t length, uint64_t seed) noexcept nogil:
    """The hash of a token, with every run of digits as one digit."""
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
    """The hash of one element of a path. The order of its classes does not matter."""
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


cdef int find_paths(Paths* paths, const Tree* tree) noexcept nogil:
    """Set the signature of every node. An element extends the path of its parent by one step; any other node has its
    parent's signature.
    """
    cdef uint32_t n
    if make_room(&paths.values, &paths.capacity, tree.n_nodes) < 0:
        return OUT_OF_MEMORY
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


cdef int by_signature(const void* one, const void* other) noexcept nogil:
    cdef uint64_t a = (<const Counted*> one).signature, b = (<const Counted*> other).signature
    return -1 if a < b else a > b


def signatures_of_nodes(Document document not None) -> array[int]:
    """The signature of each node of a page: an element's own, and for any other node that of its parent."""
    cdef Paths paths
    cdef uint32_t n
    cdef uint64_t[::1] found
    document.require_idle()
    paths.values = NULL
    paths.capacity = 0
    if find_paths(&paths, &document.tree) < 0:
        raise MemoryError(f"no memory for the signatures of {document.tree.n_nodes} nodes")
    try:
        values = array("Q", bytes(8 * document.tree.n_nodes))
        found = values
        for n in range(document.tree.n_nodes):
            found[n] = paths.values[n]
    finally:
        free(paths.values)
    return values


@cython.final
cdef class SignatureCounts:
    """How much of the text at each position of a site's pages is template."""

    def __dealloc__(self):
        free(self.counts)
        free_table(&self.indices)
        free(self.paths.values)

    cdef int count(self, const Tree* tree, const NodeMetrics* rows, const uint8_t* marks) noexcept nogil:
        """Count the visible texts of one page, each at its signature."""
        cdef uint32_t n, index
        cdef uint64_t signature
        cdef Counted* counted
        if find_paths(&self.paths, tree) < 0:
            return OUT_OF_MEMORY
        for n in range(tree.n_nodes):
            if tree.nodes[n].kind != KIND_TEXT or rows[n].flags & (FLAG_HIDDEN | FLAG_BLANK):
                continue
            signature = self.paths.values[n]
            index = find_key(&self.indices, signature)
            if index == <uint32_t> NOT_FOUND:
                if self.n_counts >= MAX_SIGNATURES:
                    continue
                if (
                    make_room(&self.counts, &self.capacity, <size_t> self.n_counts + 1) < 0
                    or enter_key(&self.indices, signature, self.n_counts, &index) < 0
                ):
                    return OUT_OF_MEMORY
                memset(self.counts + index, 0, sizeof(Counted))
                self.counts[index].signature = signature
                self.n_counts += 1
            THRESHER_CHECK(index < self.n_counts)
            counted = self.counts + index
            if counted.last_page != self.n_pages:
                counted.last_page = self.n_pages
                counted.pages += 1
            if marks[n]:
                counted.template += rows[n].characters
            else:
                counted.other += rows[n].characters
        return 0

    def add(
        self, Document document not None, Metrics metrics not None, const unsigned char[::1] template not None
    ) -> None:
        """Count the visible text of one page. Text nodes with a 1 in `template` are template.

        `metrics` are those of this page; `template` has a byte for each node, as returned by Occurrences.template().
        Raises ValueError if the sizes differ, RuntimeError if the metrics are of another page.
        """
        cdef const Tree* tree = &document.tree
        require_metrics_of(document, &metrics.array)
        if template.shape[0] != tree.n_nodes:
            raise ValueError(f"{template.shape[0]} marks for {tree.n_nodes} nodes")
        if tree.n_nodes == 0:
            return
        self.n_pages += 1
        if self.count(tree, metrics.array.nodes, &template[0]) < 0:
            raise MemoryError("no memory for the signatures of a site")

    def __len__(self) -> int:
        return self.n_counts

    @property
    def template_share(self) -> float:
        """The share of template in all text that was counted; 0 if there is none."""
        cdef uint64_t template = 0, other = 0
        cdef uint32_t i
        for i in range(self.n_counts):
            template += self.counts[i].template
            other += self.counts[i].other
        return <double> template / <double> (template + other) if template else 0.0

    def places(self) -> list[tuple[int, int, int, int]]:
        """(signature, pages, characters of template, characters of other text) of every position, by signature."""
        cdef uint32_t i
        return sorted(
            [
                (self.counts[i].signature, self.counts[i].pages, self.counts[i].template, self.counts[i].other)
                for i in range(self.n_counts)
            ]
        )

    def signatures(self, *, uint32_t min_pages=2) -> Signatures:
        """The positions at which at least `min_pages` pages have text, each with its share of template."""
        cdef Counted* kept = <Counted*> new_array(self.n_counts, sizeof(Counted))
        cdef uint32_t i, n = 0
        cdef double share
        if kept == NULL:
            raise MemoryError(f"no memory for {self.n_counts} signatures")
        for i in range(self.n_counts):
            if self.counts[i].pages >= min_pages and self.counts[i].template + self.counts[i].other:
                kept[n] = self.counts[i]
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
    """The positions of a site's pages and the share of template in the text at each."""

    def __cinit__(self, const uint64_t[::1] values not None, const uint8_t[::1] shares not None):
        cdef Py_ssize_t i
        if values.shape[0] != shares.shape[0]:
            raise ValueError(f"{values.shape[0]} signatures with {shares.shape[0]} shares")
        for i in range(1, values.shape[0]):
            if values[i - 1] >= values[i]:
                raise ValueError(f"signatures must be ascending, without repeats; number {i} is not")
        if values.shape[0] > MAX_SIGNATURES:
            raise ValueError(f"at most {MAX_SIGNATURES} signatures, not {values.shape[0]}")
        self.places = <uint64_t*> new_array(values.shape[0], sizeof(uint64_t))
        self.templates = <uint8_t*> new_array(values.shape[0], 1)
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
        """The share of template at a signature, -1 if it is not known."""
        cdef uint32_t low = 0, high = self.n_places, middle
        while low < high:
            middle = (low + high) >> 1
            if self.places[middle] < signature:
                low = middle + 1
            else:
                high = middle
        return self.templates[low] if low < self.n_places and self.places[low] == signature else -1

    def of_blocks(self, Document document not None, Metrics metrics not None, Blocks blocks not None) -> array[int]:
        """The share of template at the positions of each block of a page, in thousandths; UNKNOWN if most of its text
        is at unknown positions.

        It is a mean over the characters of the block. Raises RuntimeError if `metrics` or `blocks` are not those of
        this page.
        """
        cdef const Tree* tree = &document.tree
        cdef const Block* block
        cdef uint32_t b, n
        cdef uint64_t known, total, sum, last = 0
        cdef int share = -1
        found = array("h", bytes(2 * blocks.array.n_blocks))
        cdef int16_t[::1] shares = found
        require_blocks_of(document, &metrics.array, &blocks.array)
        if find_paths(&self.paths, tree) < 0:
            raise MemoryError(f"no memory for the signatures of {tree.n_nodes} nodes")
        for b in range(blocks.array.n_blocks):
            block = blocks.array.blocks + b
            known = total = sum = 0
            for n in range(block.start, min(block.end, tree.n_nodes)):
                if tree.nodes[n].kind != KIND_TEXT or metrics.array.nodes[n].flags & (FLAG_HIDDEN | FLAG_BLANK):
                    continue
                if self.paths.values[n] != last:    # neighbours often share their position
                    last = self.paths.values[n]
                    share = self.share_at(last)
                total += metrics.array.nodes[n].characters
                if share >= 0:
                    known += metrics.array.nodes[n].characters
                    sum += share * <uint64_t> metrics.array.nodes[n].characters
            shares[b] = <int16_t> (sum * 1000 // (known * 255)) if 2 * known > total else -1
        return found
