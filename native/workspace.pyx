# SPDX-License-Identifier: Apache-2.0
"""The workspace of one worker: a document and everything that is computed from it, reused from page to page.

Each stage is one call without the GIL over plain arrays; the order is parse, measure, classify, render.
"""

cimport cython
from libc.stdint cimport int16_t, uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from thresher.native.measuring.blocks cimport Block, BlockArray, Blocks, Place, find_blocks, free_blocks
from thresher.native.parsing.document cimport KIND_TEXT, Document
from thresher.native.extractors.interface cimport MARKED_NODES, MAX_OPTIONS, OUT_OF_MEMORY, Extractor, Page, keep_marked_blocks
from thresher.native.extractors.registry cimport extractor_function
from thresher.native.writing.markup cimport Format, MarkupOptions, render_markup
from thresher.native.measuring.metrics cimport Metrics, MetricsArray, NodeMetrics, free_metrics, link_density, measure_nodes, text_density
from thresher.native.measuring.regions cimport WISH_LEAVE, Wish, apply_wishes
from thresher.native.writing.render cimport TextBuffer, render_text
from thresher.native.scoring.features cimport FeatureTable
from thresher.native.scratch cimport Scratch, release, reserve, scratch_bytes, take
from thresher.native.templates.packed cimport pack
from thresher.native.writing.urls cimport MAX_URL

from thresher.native.measuring.blocks import KINDS
from thresher.native.extractors.registry import NAMES, PARAMETERS, READS_CONCEALED, prepare


FORMATS = ("text", "markdown", "html")     # index: Format
WISHES = ("leave", "drop", "keep")         # index: Wish


cdef enum Stage:
    STAGE_NOTHING = 0
    STAGE_PARSED = 1
    STAGE_MEASURED = 2
    STAGE_CLASSIFIED = 3


cdef enum:
    KEPT_NODES = 1 << 18        # a workspace that has grown beyond this many nodes is given back before the next page
    SLOT_WANTED = 3             # packed.pyx has the slots below
    KEPT_TEXT = 1 << 24         # and a text buffer beyond this many bytes


cdef struct Marks:
    uint8_t* bytes
    size_t capacity


cdef int clear(Marks* marks, size_t count) except -1 nogil:
    """Room for count bytes, all 0."""
    marks.bytes = <uint8_t*> reserve(marks.bytes, &marks.capacity, count, 1)
    memset(marks.bytes, 0, count)
    return 0


@cython.final
cdef class Workspace:
    """A document, its metrics, blocks, choice of blocks and text. Not for use by two threads at once."""
    cdef readonly Document document
    cdef readonly Metrics metrics
    cdef readonly Blocks blocks
    cdef Scratch scratch
    cdef TextBuffer text
    cdef Marks keep         # one byte per block
    cdef Marks marks        # one byte per node
    cdef int stage
    cdef bint chose_nodes
    cdef const int16_t* block_scores    # in the scratch memory; NULL where the extractor has none, or evidence changed them
    cdef double expected_f1
    cdef FeatureTable table             # what the learned extractor's choice was made from, in the scratch memory; of no block where there is none
    cdef Scratch packing                # for packed pages

    def __cinit__(self, Document document not None):
        self.document = document
        self.metrics = Metrics()
        self.blocks = Blocks()

    def __dealloc__(self):
        release(&self.scratch)
        release(&self.packing)
        free(self.text.data)
        free(self.keep.bytes)
        free(self.marks.bytes)

    cdef void trim(self) noexcept:
        """Gives back what only a huge page needed: a worker that met one does not hold its memory for ever."""
        if self.metrics.array.capacity > KEPT_NODES:
            free_metrics(&self.metrics.array)
            free_blocks(&self.blocks.array)
            release(&self.scratch)
            release(&self.packing)
            free(self.keep.bytes)
            free(self.marks.bytes)
            memset(&self.keep, 0, sizeof(Marks))
            memset(&self.marks, 0, sizeof(Marks))
        if self.text.capacity > KEPT_TEXT:
            free(self.text.data)
            memset(&self.text, 0, sizeof(TextBuffer))

    @property
    def nbytes(self) -> int:
        """Bytes that the workspace holds beside its document's."""
        return (
            self.metrics.array.capacity * sizeof(NodeMetrics)
            + self.blocks.array.capacity * sizeof(Block)
            + self.blocks.array.places_capacity * sizeof(Place)
            + scratch_bytes(&self.scratch)
            + scratch_bytes(&self.packing)
            + self.keep.capacity
            + self.marks.capacity
            + self.text.capacity
        )

    cdef int require(self, int stage, str call) except -1:
        if self.stage < stage:
            raise RuntimeError(f"call {call} first")
        return 0

    def parse(self, page) -> None:
        """Parses a page: UTF-8 bytes."""
        self.stage = STAGE_NOTHING
        self.trim()
        self.document.parse(page)
        self.stage = STAGE_PARSED

    def measure(self, *, bint with_concealed=False) -> None:
        """Computes the metrics of all nodes and cuts the page into blocks, on request with concealed text (metrics.pxd)."""
        cdef int code
        self.require(STAGE_PARSED, "parse(page)")
        self.stage = STAGE_PARSED
        self.metrics.array.with_concealed = with_concealed
        with nogil:
            code = measure_nodes(&self.metrics.array, &self.document.tree)
            if code == 0:
                code = find_blocks(&self.blocks.array, &self.document.tree, &self.metrics.array)
        if code < 0:
            raise MemoryError(f"no memory to measure {self.document.tree.n_nodes} nodes")
        self.stage = STAGE_MEASURED

    def classify(self, int index, options, const int16_t[::1] evidence=None) -> None:
        """Runs the extractor of row `index` of the table with `options`, one number per parameter of it.

        `evidence`: for each block what other pages say of it, in 1/4096 of a logit that it is main text. Only the learned extractor uses it.
        """
        cdef double[MAX_OPTIONS] values
        cdef Extractor function
        cdef Page page
        cdef int i, outcome
        self.require(STAGE_MEASURED, "measure()")
        if not 0 <= index < len(NAMES):
            raise IndexError(f"extractor {index} of {len(NAMES)}")
        if len(options) != len(PARAMETERS[NAMES[index]]):
            raise ValueError(f"{NAMES[index]} takes {len(PARAMETERS[NAMES[index]])} options, not {len(options)}")
        for i in range(len(options)):
            values[i] = options[i]
        prepare(index)
        if self.metrics.array.with_concealed != (NAMES[index] in READS_CONCEALED):
            self.measure(with_concealed=not self.metrics.array.with_concealed)
        if evidence is not None and evidence.shape[0] != <Py_ssize_t> self.blocks.array.n_blocks:
            raise ValueError(f"evidence of {evidence.shape[0]} blocks for {self.blocks.array.n_blocks}")
        function = extractor_function(index)
        self.expected_f1 = -1.0
        self.block_scores = NULL
        self.table.n_blocks = 0
        self.stage = STAGE_MEASURED
        with nogil:
            clear(&self.keep, self.blocks.array.n_blocks)
            clear(&self.marks, self.document.tree.n_nodes)
            page.tree = &self.document.tree
            page.metrics = &self.metrics.array
            page.blocks = &self.blocks.array
            page.scratch = &self.scratch
            page.options = values
            page.evidence = &evidence[0] if evidence is not None and evidence.shape[0] else NULL
            page.scores = &self.block_scores
            page.table = &self.table
            page.keep = self.keep.bytes
            page.marks = self.marks.bytes
            page.confidence = &self.expected_f1
            outcome = function(&page)
            if outcome == MARKED_NODES:
                keep_marked_blocks(&page)
        if outcome == OUT_OF_MEMORY:
            raise MemoryError(f"no memory for {NAMES[index]} on {self.document.tree.n_nodes} nodes")
        if evidence is not None:
            self.block_scores = NULL
        self.chose_nodes = outcome == MARKED_NODES
        self.stage = STAGE_CLASSIFIED

    def apply_wishes(self, str comments, str tables) -> None:
        """Changes the choice of blocks by what is wanted of comments and tables of data (regions.pxd): "leave", "drop" or "keep"."""
        cdef Wish of_comments = <Wish> <int> WISHES.index(comments), of_tables = <Wish> <int> WISHES.index(tables)
        self.require(STAGE_CLASSIFIED, "classify()")
        with nogil:
            apply_wishes(&self.document.tree, &self.metrics.array, &self.blocks.array, self.keep.bytes, of_comments, of_tables)

    def render(self) -> bytes:
        """The text of the kept blocks, UTF-8."""
        cdef int code
        self.require(STAGE_CLASSIFIED, "classify()")
        with nogil:
            code = render_text(&self.text, &self.document.tree, &self.metrics.array, &self.blocks.array, self.keep.bytes)
        if code < 0:
            raise MemoryError("no memory for the text of a page")
        return self.text.data[:self.text.length]

    def render_markup(self, str name not None, *, bint links=False, bint images=False, bytes url=b"") -> bytes:
        """The kept blocks as "markdown" or "html", UTF-8; `url` is the page's, for relative addresses of links and images."""
        cdef MarkupOptions options
        cdef int code
        self.require(STAGE_CLASSIFIED, "classify()")
        options.format = <Format> <int> FORMATS.index(name)
        options.links = links
        options.images = images
        options.url.data = <const uint8_t*> <const char*> url
        options.url.length = <uint32_t> min(len(url), MAX_URL)
        self.table.n_blocks = 0     # render_markup() takes the memory
        with nogil:
            code = render_markup(
                &self.text, &self.document.tree, &self.metrics.array, &self.blocks.array, self.keep.bytes, &self.scratch, &options
            )
        if code < 0:
            raise MemoryError("no memory for the markup of a page")
        return self.text.data[:self.text.length]

    def pack(self, int least, str comments="leave", str tables="leave") -> bytes:
        """The page as PackedPage takes it, with the texts of the blocks that are kept or have a score of `least` or more; wishes as for apply_wishes().

        It can be chosen from again where the learned extractor chose, and render_markup() was not called since.
        """
        cdef Wish of_comments = <Wish> <int> WISHES.index(comments), of_tables = <Wish> <int> WISHES.index(tables)
        cdef uint32_t n = self.blocks.array.n_blocks, b
        cdef uint8_t* wanted
        cdef uint8_t* forced
        self.require(STAGE_CLASSIFIED, "classify()")
        wanted = <uint8_t*> take(&self.packing, SLOT_WANTED, 3 * <size_t> n + 1, 1)
        if wanted == NULL:
            raise MemoryError(f"no memory for {n} blocks")
        forced = wanted + n
        with nogil:
            for b in range(n):
                wanted[b] = self.keep.bytes[b] != 0 or (self.block_scores != NULL and self.block_scores[b] >= least)
            memset(forced, 0, 2 * <size_t> n)
            if of_comments != WISH_LEAVE or of_tables != WISH_LEAVE:
                # What is kept of nothing is wanted by force, and so is what is dropped of everything.
                apply_wishes(&self.document.tree, &self.metrics.array, &self.blocks.array, forced, of_comments, of_tables)
                memset(forced + n, 1, n)
                apply_wishes(&self.document.tree, &self.metrics.array, &self.blocks.array, forced + n, of_comments, of_tables)
                for b in range(n):
                    forced[b] = 2 if forced[b] else 1 if not forced[n + b] else 0
        return pack(
            &self.document.tree, &self.metrics.array, &self.blocks.array, &self.table, wanted, forced, &self.packing, &self.text
        )

    def render_block(self, int index) -> bytes:
        """The text of one block, UTF-8, kept or not."""
        cdef BlockArray one
        self.require(STAGE_MEASURED, "measure()")
        if not 0 <= index < <int> self.blocks.array.n_blocks:
            raise IndexError(f"block {index} of {self.blocks.array.n_blocks}")
        cdef uint8_t yes = 1
        one.blocks = self.blocks.array.blocks + index
        one.n_blocks = 1
        cdef int code
        with nogil:
            code = render_text(&self.text, &self.document.tree, &self.metrics.array, &one, &yes)
        if code < 0:
            raise MemoryError("no memory for the text of a block")
        return self.text.data[:self.text.length]

    def keep_nodes(self, const unsigned char[::1] marks not None) -> None:
        """Takes a choice that was made elsewhere: one byte per node, not 0 for the text nodes of the main text; render() then gives it.

        A block is kept where half or more of its characters stand in such nodes. ValueError where there are not as many as nodes.
        """
        cdef Page page
        self.require(STAGE_MEASURED, "measure()")
        if marks.shape[0] != self.document.tree.n_nodes:
            raise ValueError(f"{marks.shape[0]} marks for {self.document.tree.n_nodes} nodes")
        with nogil:
            clear(&self.keep, self.blocks.array.n_blocks)
            clear(&self.marks, self.document.tree.n_nodes)
            memcpy(self.marks.bytes, &marks[0], self.document.tree.n_nodes)
            page.tree = &self.document.tree
            page.metrics = &self.metrics.array
            page.blocks = &self.blocks.array
            page.keep = self.keep.bytes
            page.marks = self.marks.bytes
            keep_marked_blocks(&page)
        self.expected_f1 = -1.0
        self.block_scores = NULL
        self.chose_nodes = True
        self.stage = STAGE_CLASSIFIED

    def marked_shares(self, const unsigned char[::1] marks not None) -> list[float]:
        """For each block the share of its characters in text nodes of which `marks`, one byte per node, is not 0."""
        cdef const Block* block
        cdef uint32_t b, n, marked
        cdef list shares = []
        self.require(STAGE_MEASURED, "measure()")
        if marks.shape[0] != self.document.tree.n_nodes:
            raise ValueError(f"{marks.shape[0]} marks for {self.document.tree.n_nodes} nodes")
        for b in range(self.blocks.array.n_blocks):
            block = self.blocks.array.blocks + b
            marked = 0
            for n in range(block.start, block.end):
                # hidden text nodes have no characters
                if marks[n] and self.document.tree.nodes[n].kind == KIND_TEXT:
                    marked += self.metrics.array.nodes[n].characters
            shares.append(marked / <double> block.characters if block.characters else 0.0)
        return shares

    def node_marks(self) -> bytes | None:
        """One byte per node, 1 for those that the extractor chose; None where it chose blocks."""
        self.require(STAGE_CLASSIFIED, "classify()")
        return self.marks.bytes[:self.document.tree.n_nodes] if self.chose_nodes else None

    def kept(self) -> list[bool]:
        """For each block whether the extractor kept it."""
        self.require(STAGE_CLASSIFIED, "classify()")
        return [self.keep.bytes[i] != 0 for i in range(self.blocks.array.n_blocks)]

    def kept_bytes(self) -> bytes:
        """For each block a byte: 1 if the extractor kept it, else 0."""
        self.require(STAGE_CLASSIFIED, "classify()")
        return (<const char*> self.keep.bytes)[:self.blocks.array.n_blocks]

    def drop(self, const uint8_t[::1] unwanted not None) -> None:
        """Keeps no block any more whose byte in `unwanted` is not 0."""
        cdef uint32_t b
        self.require(STAGE_CLASSIFIED, "classify()")
        if unwanted.shape[0] != <Py_ssize_t> self.blocks.array.n_blocks:
            raise ValueError(f"{unwanted.shape[0]} bytes for {self.blocks.array.n_blocks} blocks")
        for b in range(self.blocks.array.n_blocks):
            if unwanted[b]:
                self.keep.bytes[b] = 0

    def scores(self) -> bytes | None:
        """The score of each block, signed 16-bit integers in 1/4096 of a logit; None where the extractor scores none, or was given evidence."""
        self.require(STAGE_CLASSIFIED, "classify()")
        if self.block_scores == NULL:
            return None
        return (<const char*> self.block_scores)[:self.blocks.array.n_blocks * sizeof(int16_t)]

    def marked_nodes(self) -> list[int] | None:
        """The nodes that the extractor chose, hidden ones among them; None where it chose blocks."""
        self.require(STAGE_CLASSIFIED, "classify()")
        if not self.chose_nodes:
            return None
        return [n for n in range(self.document.tree.n_nodes) if self.marks.bytes[n]]

    @property
    def confidence(self) -> float | None:
        """The expected F1 of what was kept, in [0, 1]; None where the extractor does not know it."""
        self.require(STAGE_CLASSIFIED, "classify()")
        return self.expected_f1 if self.expected_f1 >= 0.0 else None

    @property
    def n_blocks(self) -> int:
        """How many blocks the page has."""
        self.require(STAGE_MEASURED, "measure()")
        return self.blocks.array.n_blocks

    @property
    def n_words(self) -> int:
        """Words of the page's visible text."""
        self.require(STAGE_MEASURED, "measure()")
        return self.metrics.array.nodes[self.metrics.array.body].words if self.metrics.array.n_nodes else 0

    @property
    def text_density(self) -> float:
        """Characters per tag of the body."""
        self.require(STAGE_MEASURED, "measure()")
        return text_density(self.metrics.array.nodes + self.metrics.array.body) if self.metrics.array.n_nodes else 0.0

    @property
    def link_density(self) -> float:
        """Share of the body's characters that stand in links."""
        self.require(STAGE_MEASURED, "measure()")
        return link_density(self.metrics.array.nodes + self.metrics.array.body) if self.metrics.array.n_nodes else 0.0
