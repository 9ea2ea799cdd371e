# SPDX-License-Identifier: Apache-2.0
"""Packs pages and decides on them again; see packed.pxd."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int16_t, uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from thresher.native.extractors.interface cimport MAX_OPTIONS, Page
from thresher.native.extractors.learned cimport Scored, choose_blocks
from thresher.native.measuring.blocks cimport Block, BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Tree
from thresher.native.scoring.features cimport (
    BLOCK_LINK_DENSITY, CANDIDATE_INSIDE, CANDIDATE_SHARE, DENSEST_SHARE, N_FEATURES, PAGE_CONCEALED, PAGE_SIZE, Container, FeatureTable
)
from thresher.native.scratch cimport Scratch, grow, release, reserve, take
from thresher.native.writing.render cimport BlockLayout, TextBuffer, join_texts, lay_out_blocks, render_text

from thresher.native.extractors.registry import prepare


cdef enum:
    SLOT_STANDINGS = 0
    SLOT_CELLS = 1
    SLOT_RANGES = 2
    SLOT_TEXTS = 4          # 3 is the workspace's
    SLOT_KEEP = 0           # of a PackedPage
    SLOT_BLOCKS = 1
    SLOT_VALUES = 2
    SLOT_CONTAINERS = 3
    SLOT_SCORES = 4
    N_PAGE_ROWS = 14        # what decoding reads of the page itself, and a number to make it even
    LEAVE = 0
    DROP = 1
    KEEP = 2


cdef struct Header:
    uint32_t n_blocks
    uint32_t n_texts            # blocks of which the text is there
    uint32_t n_containers
    uint32_t text_length
    uint32_t can_choose         # 1 where the learned extractor scored the blocks
    uint32_t reserved


cdef struct Parts:              # a packed page's arrays in their order: those of larger numbers first, so that all are aligned
    BlockLayout* standings         # of each text
    uint32_t* numbers           # the place of its block on the page
    uint32_t* ends              # where it ends in texts
    uint32_t* words             # of each block
    uint32_t* ranges            # of each container its first block and one past its last
    int16_t* page_rows          # features that are the same for all blocks
    int16_t* link_density       # of each block
    uint8_t* inside
    uint8_t* wishes             # LEAVE, DROP or KEEP
    uint8_t* texts
    size_t length               # of all, in bytes


cdef void part(Parts* parts, const Header* header, char* start) noexcept nogil:
    """Lays the arrays out behind a header."""
    cdef size_t n_choice = header.n_blocks if header.can_choose else 0
    cdef char* at = start + sizeof(Header)
    parts.standings = <BlockLayout*> at
    at += header.n_texts * sizeof(BlockLayout)
    parts.numbers = <uint32_t*> at
    at += header.n_texts * sizeof(uint32_t)
    parts.ends = <uint32_t*> at
    at += header.n_texts * sizeof(uint32_t)
    parts.words = <uint32_t*> at
    at += n_choice * sizeof(uint32_t)
    parts.ranges = <uint32_t*> at
    at += 2 * <size_t> header.n_containers * sizeof(uint32_t)
    parts.page_rows = <int16_t*> at
    at += (N_PAGE_ROWS if header.can_choose else 0) * sizeof(int16_t)
    parts.link_density = <int16_t*> at
    at += n_choice * sizeof(int16_t)
    parts.inside = <uint8_t*> at
    at += n_choice
    parts.wishes = <uint8_t*> at
    at += header.n_blocks
    parts.texts = <uint8_t*> at
    at += header.text_length
    parts.length = at - start


cdef int page_row(int place) noexcept nogil:
    """The feature whose value a place of Parts.page_rows holds; -1 beyond the last."""
    if place <= PAGE_CONCEALED - PAGE_SIZE:
        return PAGE_SIZE + place
    place -= PAGE_CONCEALED - PAGE_SIZE + 1
    return CANDIDATE_SHARE if place == 0 else DENSEST_SHARE if place == 1 else -1


if page_row(N_PAGE_ROWS - 2) != DENSEST_SHARE:
    raise RuntimeError(f"packed pages hold {N_PAGE_ROWS} features of a page, and decoding reads others")


cdef uint32_t texts_of(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const uint8_t* wanted, uint32_t* ends, Scratch* scratch, TextBuffer* text
) except? 0xFFFFFFFF nogil:
    """The text of each block that is wanted, one after the other in SLOT_TEXTS, and where each ends; how many."""
    cdef BlockArray one
    cdef uint32_t b, n = 0
    cdef uint8_t yes = 1
    cdef size_t length = 0
    one.n_blocks = 1
    for b in range(blocks.n_blocks):
        if not wanted[b]:
            continue
        one.blocks = blocks.blocks + b
        if render_text(text, tree, metrics, &one, &yes) < 0:
            with gil:
                raise MemoryError("no memory for the text of a block")
        scratch.data[SLOT_TEXTS] = reserve(scratch.data[SLOT_TEXTS], &scratch.capacity[SLOT_TEXTS], length + text.length + 1, 1)
        memcpy(<uint8_t*> scratch.data[SLOT_TEXTS] + length, text.data, text.length)
        length += text.length
        ends[n] = <uint32_t> length
        n += 1
    return n


cdef bytes pack(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const FeatureTable* table, const uint8_t* wanted,
    const uint8_t* forced, Scratch* scratch, TextBuffer* text
):
    """The packed page. `wanted`: a byte for each block, not 0 where its text may be asked for; `forced`: LEAVE, DROP or KEEP; `table` is of no block where no
    choice can be made.
    """
    cdef:
        Header header
        Parts parts
        uint32_t n = blocks.n_blocks, b, c, place
        uint32_t* ends
        uint32_t* ranges
        BlockLayout* standings
        bytes found
    memset(&header, 0, sizeof(Header))
    standings = <BlockLayout*> take(scratch, SLOT_STANDINGS, n + 1, sizeof(BlockLayout))
    ends = <uint32_t*> take(scratch, SLOT_CELLS, 2 * <size_t> tree.n_nodes + 2, sizeof(uint32_t))     # more than there are blocks
    if standings == NULL or ends == NULL:
        raise MemoryError(f"no memory to pack {n} blocks")
    with nogil:
        lay_out_blocks(standings, tree, metrics, blocks, ends)
        header.n_texts = texts_of(tree, metrics, blocks, wanted, ends, scratch, text)
    header.n_blocks = n
    header.text_length = ends[header.n_texts - 1] if header.n_texts else 0
    header.can_choose = n > 0 and table.n_blocks == n
    if header.can_choose:
        ranges = <uint32_t*> take(scratch, SLOT_RANGES, 2 * <size_t> table.n_containers, sizeof(uint32_t))
        if ranges == NULL:
            raise MemoryError(f"no memory to pack {table.n_containers} containers")
        c = 0
        for b in range(table.n_containers):
            # Of containers of the same blocks one does, and of those of none also none but the document.
            if b == 0 or table.containers[b].end_block > table.containers[b].first_block and (
                ranges[2 * c - 2] != table.containers[b].first_block or ranges[2 * c - 1] != table.containers[b].end_block
            ):
                ranges[2 * c] = table.containers[b].first_block
                ranges[2 * c + 1] = table.containers[b].end_block
                c += 1
        header.n_containers = c
    part(&parts, &header, NULL)
    found = PyBytes_FromStringAndSize(NULL, parts.length)
    memcpy(PyBytes_AS_STRING(found), &header, sizeof(Header))
    part(&parts, &header, PyBytes_AS_STRING(found))
    place = 0
    for b in range(n):
        if wanted[b]:
            parts.standings[place] = standings[b]
            parts.numbers[place] = b
            place += 1
    memcpy(parts.ends, ends, header.n_texts * sizeof(uint32_t))
    memcpy(parts.wishes, forced, n)
    memcpy(parts.texts, scratch.data[SLOT_TEXTS], header.text_length)
    if header.can_choose:
        memcpy(parts.ranges, ranges, 2 * <size_t> header.n_containers * sizeof(uint32_t))
        for b in range(N_PAGE_ROWS):
            parts.page_rows[b] = table.values[<size_t> page_row(b) * table.stride] if page_row(b) >= 0 else <int16_t> 0
        memcpy(parts.link_density, table.values + <size_t> BLOCK_LINK_DENSITY * table.stride, n * sizeof(int16_t))
        for b in range(n):
            parts.words[b] = blocks.blocks[b].words
            parts.inside[b] = table.values[<size_t> CANDIDATE_INSIDE * table.stride + b] != 0
    return found


@cython.final
cdef class PackedPage:
    """A packed page and a choice of its blocks, reused from page to page: load(), then choose() or keep(), then render()."""
    cdef bytes data
    cdef Header header
    cdef Parts parts
    cdef Scratch scratch        # of the choice
    cdef Scratch own
    cdef TextBuffer text
    cdef uint8_t* kept
    cdef double expected_f1

    def __dealloc__(self):
        release(&self.scratch)
        release(&self.own)
        free(self.text.data)

    def load(self, bytes packed not None) -> None:
        """Takes a packed page; nothing of it is kept yet. ValueError for what is none."""
        self.kept = NULL
        memset(&self.header, 0, sizeof(Header))
        if len(packed) < <Py_ssize_t> sizeof(Header):
            raise ValueError(f"{len(packed)} bytes are no packed page")
        memcpy(&self.header, <const char*> packed, sizeof(Header))
        part(&self.parts, &self.header, PyBytes_AS_STRING(packed))
        if <size_t> len(packed) != self.parts.length:
            self.header.n_blocks = self.header.n_texts = 0
            raise ValueError(f"{len(packed)} bytes are not the {self.parts.length} of this packed page")
        self.data = packed
        self.kept = <uint8_t*> take(&self.own, SLOT_KEEP, self.header.n_blocks + 1, 1)
        if self.kept == NULL:
            raise MemoryError(f"no memory for {self.header.n_blocks} blocks")
        memset(self.kept, 0, self.header.n_blocks)
        self.expected_f1 = -1.0

    cdef int require(self, bytes values, size_t size) except -1:
        if self.kept == NULL:
            raise RuntimeError("call load(packed) first")
        if <size_t> len(values) != self.header.n_blocks * size:
            raise ValueError(f"{len(values)} bytes for {self.header.n_blocks} blocks of {size}")
        return 0

    def keep(self, bytes kept not None, bytes unwanted=None) -> None:
        """Keeps the blocks whose byte in `kept` is not 0, those left out whose byte in `unwanted` is not 0."""
        cdef uint32_t b
        self.require(kept, 1)
        memcpy(self.kept, <const char*> kept, self.header.n_blocks)
        if unwanted is not None:
            self.require(unwanted, 1)
            for b in range(self.header.n_blocks):
                if (<const char*> unwanted)[b]:
                    self.kept[b] = 0
        self.expected_f1 = -1.0
        self.force()

    def choose(self, int index, options, bytes scores not None, bytes evidence not None) -> bool:
        """Chooses blocks by these scores and the evidence, signed 16-bit integers in 1/4096 of a logit, as Workspace.classify() does; false where it keeps none.

        `index` and `options` are those of classify(). ValueError where the page was not scored.
        """
        cdef:
            const int16_t* score = <const int16_t*> <const char*> scores
            const int16_t* change = <const int16_t*> <const char*> evidence
            uint32_t n = self.header.n_blocks, b, stride = (n + 15) // 16 * 16
            double[MAX_OPTIONS] values
            Page page
            Scored scored
            BlockArray blocks
            size_t c
            int row, outcome
            bint any_kept = False
        self.require(scores, sizeof(int16_t))
        self.require(evidence, sizeof(int16_t))
        if not self.header.can_choose:
            raise ValueError("there is nothing to choose by in this packed page")
        prepare(index)
        for row in range(len(options)):
            values[row] = options[row]
        memset(&page, 0, sizeof(Page))
        memset(&scored, 0, sizeof(Scored))
        memset(&blocks, 0, sizeof(BlockArray))
        blocks.n_blocks = n
        blocks.blocks = <Block*> take(&self.own, SLOT_BLOCKS, n, sizeof(Block))
        scored.table.values = <int16_t*> take(&self.own, SLOT_VALUES, <size_t> N_FEATURES * stride, sizeof(int16_t))
        scored.table.containers = <Container*> take(&self.own, SLOT_CONTAINERS, self.header.n_containers, sizeof(Container))
        scored.scores = <int16_t*> take(&self.own, SLOT_SCORES, stride, sizeof(int16_t))
        if blocks.blocks == NULL or scored.table.values == NULL or scored.table.containers == NULL or scored.scores == NULL:
            raise MemoryError(f"no memory for a choice among {n} blocks")
        with nogil:
            scored.table.stride = stride
            scored.table.n_blocks = n
            scored.table.n_containers = self.header.n_containers
            memset(blocks.blocks, 0, n * sizeof(Block))
            memset(scored.table.values, 0, <size_t> N_FEATURES * stride * sizeof(int16_t))
            memset(scored.table.containers, 0, self.header.n_containers * sizeof(Container))
            memset(self.kept, 0, n)
            for c in range(self.header.n_containers):
                scored.table.containers[c].first_block = self.parts.ranges[2 * c]
                scored.table.containers[c].end_block = self.parts.ranges[2 * c + 1]
            for row in range(N_PAGE_ROWS):
                if page_row(row) >= 0:
                    scored.table.values[<size_t> page_row(row) * stride] = self.parts.page_rows[row]
            memcpy(scored.table.values + <size_t> BLOCK_LINK_DENSITY * stride, self.parts.link_density, n * sizeof(int16_t))
            for b in range(n):
                blocks.blocks[b].words = self.parts.words[b]
                scored.table.values[<size_t> CANDIDATE_INSIDE * stride + b] = self.parts.inside[b]
                scored.scores[b] = <int16_t> min(max(<int> score[b] + change[b], -32768), 32767)
            page.blocks = &blocks
            page.scratch = &self.scratch
            page.options = values
            page.keep = self.kept
            page.confidence = &self.expected_f1
            outcome = choose_blocks(&page, &scored)
            for b in range(n):
                any_kept = any_kept or self.kept[b] != 0
        if outcome != 0:
            raise MemoryError(f"no memory for a choice among {n} blocks")
        self.force()
        return any_kept

    cdef void force(self) noexcept:
        """Does what is wanted whatever the choice."""
        cdef uint32_t b
        for b in range(self.header.n_blocks):
            if self.parts.wishes[b] != LEAVE:
                self.kept[b] = self.parts.wishes[b] == KEEP

    def render(self) -> bytes | None:
        """The text of the kept blocks, as Workspace.render() gives it; None where the text of one of them is not in the packed page."""
        cdef uint32_t b, n_kept = 0, n_found = 0
        cdef int code
        self.require(b"", 0)
        for b in range(self.header.n_blocks):
            n_kept += self.kept[b] != 0
        for b in range(self.header.n_texts):
            n_found += self.kept[self.parts.numbers[b]] != 0
        if n_found != n_kept:
            return None
        with nogil:
            code = join_texts(&self.text, self.parts.standings, self.parts.numbers, self.header.n_texts, self.parts.texts, self.parts.ends, self.kept)
        if code < 0:
            raise MemoryError("no memory for the text of a page")
        return self.text.data[:self.text.length]

    @property
    def confidence(self) -> float | None:
        """The expected F1 of the choice, in [0, 1]; None where none was made."""
        return self.expected_f1 if self.expected_f1 >= 0.0 else None

    def kept_bytes(self) -> bytes:
        """For each block a byte: 1 if it is kept, else 0."""
        self.require(b"", 0)
        return (<const char*> self.kept)[:self.header.n_blocks]
