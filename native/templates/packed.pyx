# SPDX-License-Identifier: Apache-2.0
"""Packs what is known of a classified page into bytes, checks such bytes, and chooses again among their blocks."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int16_t, uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY, make_room
from thresher.native.choosing.datelines cimport MARK_DATELINE, settle_datelines
from thresher.native.choosing.learned cimport LearnedOptions, learned
from thresher.native.choosing.region_rules cimport REGION_IN, leaves_as_chosen, mark_regions
from thresher.native.choosing.registry cimport Extractor
from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.measuring.structures cimport Structure, StructureArray, is_structure
from thresher.native.choosing.structure_rules cimport decide_structures
from thresher.native.choosing.decoding cimport ChoiceInput, choose_blocks
from thresher.native.scoring.feature_table cimport N_PAGE_FEATURES, BlockRange
from thresher.native.scoring.model cimport Model
from thresher.native.base.scratch cimport ByteArray, Scratch, clear_bytes, free_bytes, release
from thresher.native.writing.plain cimport BlockLayout, TextBuffer, join_texts, lay_out_blocks
from thresher.native.writing.render cimport render_text

from thresher.native.scoring.model import default_model


cdef enum:
    PACKED_PAGE = 0x35504b54    # first bytes of a packed page; changes with the layout
    MOST_NODES = 1 << 28        # of a document


cdef struct Header:
    uint32_t magic              # PACKED_PAGE
    uint32_t n_nodes            # of the page's tree
    uint32_t n_blocks
    uint32_t n_texts            # blocks whose text is included
    uint32_t text_length
    uint32_t can_choose         # 1 if the learned extractor scored the blocks, else 0
    uint32_t n_structures
    uint32_t n_ranges           # this and the rest belong to the ChoiceInput; 0 if there is none
    BlockRange candidate
    uint32_t headline
    int16_t[N_PAGE_FEATURES] page


# A packed page's arrays in order, larger numbers first, so that all are aligned
cdef struct Parts:
    BlockLayout* layouts         # of each included text
    uint32_t* numbers           # the number of its block on the page
    uint32_t* ends              # end of each text in texts
    uint32_t* words             # of each block
    Structure* structures
    BlockRange* ranges
    int16_t* link_density       # of each block
    uint8_t* rules              # of each block: LEAVE, DROP, KEEP, or a rule for a dateline
    uint8_t* texts
    size_t length               # of everything, header included, in bytes


cdef size_t HEADER_BYTES = (sizeof(Header) + 7) // 8 * 8


cdef void find_parts(Parts* parts, const Header* header, char* start) noexcept nogil:
    """Locate the arrays after a header. With NULL as start, compute their length only."""
    cdef size_t n_choice = header.n_blocks if header.can_choose else 0
    cdef size_t at = HEADER_BYTES
    parts.layouts = <BlockLayout*> (start + at)
    at += header.n_texts * sizeof(BlockLayout)
    parts.numbers = <uint32_t*> (start + at)
    at += header.n_texts * sizeof(uint32_t)
    parts.ends = <uint32_t*> (start + at)
    at += header.n_texts * sizeof(uint32_t)
    parts.words = <uint32_t*> (start + at)
    at += header.n_blocks * sizeof(uint32_t)
    parts.structures = <Structure*> (start + at)
    at += header.n_structures * sizeof(Structure)
    parts.ranges = <BlockRange*> (start + at)
    at += header.n_ranges * sizeof(BlockRange)
    parts.link_density = <int16_t*> (start + at)
    at += n_choice * sizeof(int16_t)
    parts.rules = <uint8_t*> (start + at)
    at += header.n_blocks
    parts.texts = <uint8_t*> (start + at)
    at += header.text_length
    parts.length = at


cdef int write_texts(
    Packer* packer, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const uint8_t* wanted,
    uint32_t* n_texts, TextBuffer* text
) noexcept nogil:
    """Write the text of each wanted block, one after the other, to packer.texts, and its end to packer.numbers; 0, or
    OUT_OF_MEMORY.
    """
    cdef BlockArray one
    cdef uint32_t b
    cdef uint8_t yes = 1
    one.n_blocks = 1
    n_texts[0] = 0
    packer.texts.length = 0
    for b in range(blocks.n_blocks):
        if not wanted[b]:
            continue
        one.blocks = blocks.blocks + b
        if render_text(text, tree, metrics, &one, &yes) != 0:
            return OUT_OF_MEMORY
        if make_room(&packer.texts.data, &packer.texts.capacity, packer.texts.length + text.length + 1) != 0:
            return OUT_OF_MEMORY
        if text.length:     # otherwise it may have no memory
            memcpy(packer.texts.data + packer.texts.length, text.data, text.length)
            packer.texts.length += text.length
        packer.numbers[n_texts[0]] = <uint32_t> packer.texts.length
        n_texts[0] += 1
    return 0


cdef inline bint is_dateline_rule(uint8_t rule) noexcept nogil:
    return rule & ~CHOSEN_DATELINE == KEEP_DATELINE or rule & ~CHOSEN_DATELINE == DROP_DATELINE


cdef void find_rules(
    uint8_t* rules, uint8_t* kept_of_all, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks,
    const uint8_t* chosen, const RegionRules* regions
) noexcept nogil:
    """Set the rule for each block. `kept_of_all` is scratch memory of a byte for each.

    A rule keeps a block if the block ends up kept when none was, and drops it if it ends up dropped when all were kept.
    What becomes of datelines depends on the other blocks.
    """
    cdef uint32_t b, n = blocks.n_blocks
    memset(rules, LEAVE, n)
    if leaves_as_chosen(regions):
        return
    mark_regions(tree, metrics, blocks, rules, regions)
    memset(kept_of_all, 1, n)
    mark_regions(tree, metrics, blocks, kept_of_all, regions)
    for b in range(n):
        if not rules[b] & MARK_DATELINE:
            rules[b] = KEEP if rules[b] else DROP if not kept_of_all[b] else LEAVE
            continue
        rules[b] = KEEP_DATELINE if regions.datelines == REGION_IN else DROP_DATELINE
        if chosen[b]:
            rules[b] |= CHOSEN_DATELINE


cdef bytes pack(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const StructureArray* structures,
    const ChoiceInput* choice, const int16_t* scores, int least, const uint8_t* keep, const uint8_t* chosen,
    const RegionRules* regions, Packer* packer, TextBuffer* text
):
    """Return the packed page, with the texts of the blocks that another choice may keep: those that are kept, have a
    score of at least `least`, head the text or are datelines.

    `choice` has no blocks if the page cannot be chosen from again; `scores` is NULL then. `keep` has a byte for each
    block, `chosen` those before a rule on datelines changed them. `text` is a scratch buffer.
    """
    cdef:
        Header header
        Parts parts
        uint32_t n = blocks.n_blocks, b, i = 0
        uint8_t* wanted
        uint8_t* rules
        int outcome
        bytes found
    memset(&header, 0, sizeof(Header))
    # lay_out_blocks() needs two numbers per node, which is more than one per block.
    if (
        clear_bytes(&packer.marks, 3 * <size_t> n) != 0
        or make_room(&packer.layouts, &packer.layouts_capacity, <size_t> n + 1) != 0
        or make_room(&packer.numbers, &packer.numbers_capacity, 2 * <size_t> tree.n_nodes + 2) != 0
    ):
        raise MemoryError(f"no memory to pack {n} blocks")
    wanted, rules = packer.marks.bytes, packer.marks.bytes + n
    with nogil:
        find_rules(rules, rules + n, tree, metrics, blocks, chosen, regions)
        for b in range(n):
            wanted[b] = (
                keep[b] != 0 or (scores != NULL and scores[b] >= least)
                or is_dateline_rule(rules[b]) and rules[b] != DROP_DATELINE
            )
        if scores != NULL and choice.headline < n:
            wanted[choice.headline] = 1     # it heads whatever another choice keeps
        lay_out_blocks(packer.layouts, tree, metrics, blocks, packer.numbers)
        outcome = write_texts(packer, tree, metrics, blocks, wanted, &header.n_texts, text)
    if outcome != 0:
        raise MemoryError(f"no memory for the texts of {n} blocks")
    header.magic = PACKED_PAGE
    header.n_nodes = tree.n_nodes
    header.n_blocks = n
    header.text_length = <uint32_t> packer.texts.length
    if choice.n_blocks != 0:
        header.can_choose = 1
        header.n_structures = structures.n_structures
        header.n_ranges = choice.n_ranges
        header.candidate = choice.candidate
        header.headline = choice.headline
        memcpy(header.page, choice.page, sizeof(header.page))
    find_parts(&parts, &header, NULL)
    found = PyBytes_FromStringAndSize(NULL, parts.length)
    memset(PyBytes_AS_STRING(found), 0, HEADER_BYTES)
    memcpy(PyBytes_AS_STRING(found), &header, sizeof(Header))
    find_parts(&parts, &header, PyBytes_AS_STRING(found))
    for b in range(n):
        parts.words[b] = blocks.blocks[b].words
        if wanted[b]:
            parts.layouts[i] = packer.layouts[b]
            parts.numbers[i] = b
            i += 1
    memcpy(parts.ends, packer.numbers, header.n_texts * sizeof(uint32_t))
    memcpy(parts.rules, rules, n)
    if header.text_length:
        memcpy(parts.texts, packer.texts.data, header.text_length)
    if header.can_choose:
        if header.n_structures:
            memcpy(parts.structures, structures.structures, header.n_structures * sizeof(Structure))
        memcpy(parts.ranges, choice.ranges, header.n_ranges * sizeof(BlockRange))
        memcpy(parts.link_density, choice.link_density, n * sizeof(int16_t))
    return found


cdef void free_packer(Packer* packer) noexcept nogil:
    """Free the memory."""
    free_bytes(&packer.marks)
    free(packer.layouts)
    free(packer.numbers)
    free(packer.texts.data)
    memset(packer, 0, sizeof(Packer))


cdef size_t packer_bytes(const Packer* packer) noexcept nogil:
    """Bytes of memory held."""
    return (
        packer.marks.capacity + packer.layouts_capacity * sizeof(BlockLayout)
        + packer.numbers_capacity * sizeof(uint32_t) + packer.texts.capacity
    )


cdef const char* fault_of_header(const Header* header) noexcept nogil:
    """The error in a header's numbers, or NULL if they are valid."""
    if header.magic != PACKED_PAGE:
        return "it does not begin like one"
    if header.n_nodes > MOST_NODES or header.n_blocks > header.n_nodes or header.n_texts > header.n_blocks:
        return "its counts are impossible"
    if header.can_choose > 1 or header.can_choose and (header.n_blocks == 0 or header.n_ranges == 0):
        return "its mark of a scored page contradicts its counts"
    if not header.can_choose and (header.n_ranges != 0 or header.n_structures != 0):
        return "it has ranges and was not scored"
    if header.candidate.first > header.candidate.end or header.candidate.end > header.n_blocks:
        return "its candidate lies outside of the page"
    return NULL


cdef const char* fault_of_parts(const Header* header, const Parts* parts) noexcept nogil:
    """The error in the arrays of a packed page of the right length, or NULL if they are valid."""
    cdef uint32_t i, b
    for i in range(header.n_texts):
        if parts.numbers[i] >= header.n_blocks or i > 0 and parts.numbers[i] <= parts.numbers[i - 1]:
            return "its texts are not in the order of its blocks"
        if parts.ends[i] > header.text_length or i > 0 and parts.ends[i] < parts.ends[i - 1]:
            return "its texts overlap"
    if header.text_length != (parts.ends[header.n_texts - 1] if header.n_texts else 0):
        return "it has text of no block"
    for i in range(header.n_ranges):
        if parts.ranges[i].first > parts.ranges[i].end or parts.ranges[i].end > header.n_blocks:
            return "a range lies outside of the page"
    for i in range(header.n_structures):
        if not is_structure(parts.structures + i, header.n_blocks):
            return "a structure lies outside of the page"
    for b in range(header.n_blocks):
        if parts.rules[b] > DROP_DATELINE and not is_dateline_rule(parts.rules[b]):
            return "a block has an unknown rule"
    if header.can_choose:
        for b in range(header.n_blocks):
            if parts.link_density[b] < 0 or parts.link_density[b] > 1000:
                return "a block has an impossible link density"
    return NULL


@cython.final
cdef class PackedPage:
    """A packed page and a choice of its blocks, reused from page to page: load(), then choose() or keep(), then
    render().

    `model` is that of the learned extractor. Without one, the package's model is read on first use.
    """
    cdef readonly Model model
    cdef bytes data             # the packed page; None if none is loaded
    cdef Header header
    cdef Parts parts
    cdef ByteArray kept             # one byte per block
    cdef Scratch choosing
    cdef TextBuffer text
    cdef double expected_f1

    def __cinit__(self, Model model=None):
        self.model = model

    def __dealloc__(self):
        release(&self.choosing)
        free_bytes(&self.kept)
        free(self.text.data)

    def load(self, bytes packed not None) -> None:
        """Load a packed page; no block of it is kept yet. Raises ValueError for bytes that are not one."""
        cdef const char* fault
        cdef char* start = PyBytes_AS_STRING(packed)
        self.data = None
        if <size_t> len(packed) < HEADER_BYTES:
            raise ValueError(f"{len(packed)} bytes are not a packed page")
        memcpy(&self.header, start, sizeof(Header))
        fault = fault_of_header(&self.header)
        if fault == NULL:
            find_parts(&self.parts, &self.header, start)
            if <size_t> len(packed) != self.parts.length:
                raise ValueError(f"{len(packed)} bytes are not the {self.parts.length} of this packed page")
            fault = fault_of_parts(&self.header, &self.parts)
        if fault != NULL:
            raise ValueError(f"this is not a packed page: {fault.decode('ascii')}")
        if clear_bytes(&self.kept, self.header.n_blocks) != 0:
            raise MemoryError(f"no memory for {self.header.n_blocks} blocks")
        self.expected_f1 = -1.0
        self.data = packed

    cdef int require(self) except -1:
        """Raise RuntimeError if no page is loaded."""
        if self.data is None:
            raise RuntimeError("call load(packed) first")
        return 0

    cdef int require_length(self, bytes values, size_t size) except -1:
        """Raise ValueError unless there is one value of this size per block."""
        if <size_t> len(values) != self.header.n_blocks * size:
            raise ValueError(f"{len(values)} bytes for {self.header.n_blocks} blocks of {size}")
        return 0

    def keep(self, bytes kept not None, bytes unwanted=None) -> None:
        """Keep the blocks whose byte in `kept` is not 0, except those whose byte in `unwanted` is not 0.

        Of datelines that a rule keeps or drops, those are kept that the extractor chose, and the rule is applied again:
        it depends on the other blocks that are kept.
        """
        cdef uint32_t b
        cdef const char* dropped
        self.require()
        self.require_length(kept, 1)
        if unwanted is not None:
            self.require_length(unwanted, 1)
        memcpy(self.kept.bytes, <const char*> kept, self.header.n_blocks)
        for b in range(self.header.n_blocks):
            if is_dateline_rule(self.parts.rules[b]):
                self.kept.bytes[b] = self.parts.rules[b] & CHOSEN_DATELINE != 0
        if unwanted is not None:
            dropped = <const char*> unwanted
            for b in range(self.header.n_blocks):
                if dropped[b]:
                    self.kept.bytes[b] = 0
        self.expected_f1 = -1.0
        self.apply_rules()

    def choose(self, Extractor extractor not None, bytes scores not None, bytes evidence not None) -> bool:
        """Choose blocks by these scores and the evidence, signed 16-bit integers in 1/4096 of a logit. False if no
        block is kept.

        Chooses as Workspace.classify() does with the learned extractor. Raises ValueError for another extractor, or if
        the page was not scored.
        """
        cdef:
            const int16_t* score = <const int16_t*> PyBytes_AS_STRING(scores)
            const int16_t* change = <const int16_t*> PyBytes_AS_STRING(evidence)
            ChoiceInput choice
            uint32_t n = self.header.n_blocks, b
            double lean
            int outcome
            bint any_kept = False
        self.require()
        self.require_length(scores, sizeof(int16_t))
        self.require_length(evidence, sizeof(int16_t))
        if not self.header.can_choose:
            raise ValueError("there is nothing to choose by in this packed page")
        if extractor.function != learned:
            raise ValueError(f"extractor {extractor.name!r} does not choose by scores")
        if self.model is None:
            self.model = default_model()
        lean = (<const LearnedOptions*> extractor.values).lean
        choice.n_blocks = n
        choice.words = self.parts.words
        choice.link_density = self.parts.link_density
        choice.probabilities = NULL
        choice.n_ranges = self.header.n_ranges
        choice.ranges = self.parts.ranges
        choice.candidate = self.header.candidate
        choice.headline = self.header.headline
        memcpy(choice.page, self.header.page, sizeof(choice.page))
        memset(self.kept.bytes, 0, n)
        outcome = choose_blocks(
            &choice, score, change, lean, &self.model.parts, self.kept.bytes, &self.expected_f1, &self.choosing
        )
        if outcome != 0:
            raise MemoryError(f"no memory for a choice among {n} blocks")
        decide_structures(
            self.parts.structures, self.header.n_structures, self.parts.words, n, True, self.kept.bytes
        )
        for b in range(n):
            any_kept = any_kept or self.kept.bytes[b] != 0
        self.apply_rules()
        return any_kept

    cdef void apply_rules(self) noexcept:
        """Keep and drop the blocks for which a rule overrides the choice."""
        cdef uint32_t b, n = self.header.n_blocks
        cdef uint8_t* kept = self.kept.bytes
        cdef uint8_t datelines = LEAVE
        for b in range(n):
            kept[b] = kept[b] != 0
            if self.parts.rules[b] == KEEP or self.parts.rules[b] == DROP:
                kept[b] = self.parts.rules[b] == KEEP
            elif self.parts.rules[b] != LEAVE:
                datelines = self.parts.rules[b] & ~CHOSEN_DATELINE
                kept[b] |= MARK_DATELINE
        if datelines != LEAVE:
            settle_datelines(kept, self.parts.words, 1, n, datelines == KEEP_DATELINE)

    def render(self) -> bytes | None:
        """The text of the kept blocks, as Workspace.render() gives it; None if the packed page lacks the text of one of
        them.
        """
        cdef uint32_t b, n_kept = 0, n_found = 0
        self.require()
        for b in range(self.header.n_blocks):
            n_kept += self.kept.bytes[b] != 0
        for b in range(self.header.n_texts):
            n_found += self.kept.bytes[self.parts.numbers[b]] != 0
        if n_found != n_kept:
            return None
        if join_texts(
            &self.text, self.parts.layouts, self.parts.numbers, self.header.n_texts, self.parts.texts, self.parts.ends,
            self.kept.bytes, self.header.n_nodes
        ) != 0:
            raise MemoryError(f"no memory for the text of {n_kept} blocks")
        return self.text.data[:self.text.length]

    @property
    def confidence(self) -> float | None:
        """The expected F1 of the choice, 0 to 1; None if no choice was made."""
        self.require()
        return self.expected_f1 if self.expected_f1 >= 0.0 else None

    def kept_bytes(self) -> bytes:
        """A byte for each block: 1 if it is kept, else 0."""
        self.require()
        return (<const char*> self.kept.bytes)[:self.header.n_blocks]
