# SPDX-License-Identifier: Apache-2.0
"""The workspace of one worker: a document and everything that is computed from it, reused from page to page.

Each stage is one call without the GIL over plain arrays. The order is parse, measure, classify, render; extract() is all
of them in one. A workspace remembers which page it works on. If its document has parsed another page in the meantime,
its methods raise RuntimeError. Its metrics and blocks are used by it alone.
"""

cimport cython
from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from thresher.native.constructs.construct cimport (
    FORMULAS_DROP, FORMULAS_TEX, FORMULAS_TEXT, MATHS_UNKNOWN, FormulaRule, Rewriting
)
from thresher.native.constructs.rewrite cimport rewrite_constructs
from thresher.native.base.arrays cimport OUT_OF_MEMORY
from thresher.native.choosing.interface cimport MARKED_NODES, Page, ScoredPage, forget_scores, keep_marked_blocks
from thresher.native.choosing.registry cimport Extractor
from thresher.native.facts.candidates cimport FactWeights
from thresher.native.facts.page_types cimport N_SHAPE
from thresher.native.facts.linked_data cimport TYPE_NEWS, TYPE_RECIPE
from thresher.native.main_text cimport MainText, main_text
from thresher.native.measuring.blocks cimport *
from thresher.native.measuring.metrics cimport *
from thresher.native.choosing.region_rules cimport *
from thresher.native.choosing.structure_rules cimport decide_structures
from thresher.native.measuring.regions cimport has_item_type
from thresher.native.measuring.structures cimport *
from thresher.native.parsing.document cimport *
from thresher.native.parsing.reading cimport *
from thresher.native.shown.decision cimport *
from thresher.native.shown.placing cimport Placing, place_parts, placing_memory
from thresher.native.scoring.feature_table cimport *
from thresher.native.scoring.model cimport Model
from thresher.native.base.scratch cimport ByteArray, Scratch, clear_bytes, free_bytes, release, scratch_bytes
from thresher.native.templates.packed cimport *
from thresher.native.base.text_buffer cimport TextBuffer
from thresher.native.writing.output cimport (
    FORMAT_HTML, FORMAT_MARKDOWN, FORMAT_PICTURES, FORMAT_SOURCE, FORMAT_TEXT, Format, MarkupOptions, Passage, Picture,
    Pictures
)
from thresher.native.writing.render cimport render
from thresher.native.writing.urls cimport MAX_URL

from thresher.native.scoring.model import default_model


REASONS = {
    WHY_SHOWN: "shown", WHY_FAINT: "faint", WHY_SHEET: "sheet", WHY_CLIPPED: "clipped", WHY_READERS: "readers",
    WHY_TOOLTIP: "tooltip", WHY_ATTRIBUTE: "attribute", WHY_DISPLAY: "display", WHY_VISIBILITY: "visibility",
    WHY_DIALOG: "dialog", WHY_NOSCRIPT: "noscript", WHY_ARIA: "aria", WHY_ICON: "icon",
}
FORMATS = {"text": FORMAT_TEXT, "markdown": FORMAT_MARKDOWN, "html": FORMAT_HTML, "source": FORMAT_SOURCE}
REGION_RULES = {"leave": REGION_AS_CHOSEN, "drop": REGION_OUT, "keep": REGION_IN, "auto": REGION_AUTO}
AS_CHOSEN = ("leave",) * 5                      # for every region
FORMULA_RULES = {"tex": FORMULAS_TEX, "text": FORMULAS_TEXT, "drop": FORMULAS_DROP}


cdef MarkupOptions markup_options(str name, bint links, bint images, bint html_tables, bytes url):
    """How markup is written; the caller keeps `url`."""
    cdef MarkupOptions options
    options.format = <Format> <int> FORMATS[name]
    options.links = links
    options.images = images
    options.html_tables = html_tables
    options.url.data = <const uint8_t*> <const char*> url
    options.url.length = <uint32_t> min(len(url), MAX_URL)
    return options


cdef RegionRules region_rules(tuple names):
    """The rules for comments, tables, captions, titles and datelines; raises KeyError for an unknown one."""
    cdef RegionRules rules
    rules.comments, rules.tables, rules.captions, rules.titles, rules.datelines = [
        <RegionRule> <int> REGION_RULES[name] for name in names
    ]
    rules.scores = NULL
    return rules


cdef enum Stage:
    STAGE_NOTHING = 0
    STAGE_PARSED = 1
    STAGE_MEASURED = 2
    STAGE_CLASSIFIED = 3


cdef enum:
    KEPT_NODES = 1 << 18        # nodes beyond which memory is freed before the next page
    KEPT_TEXT = 1 << 24         # bytes beyond which a text buffer is freed
    SEARCHES = 8                # how many times over the construct pass may visit the whole page


cdef void trim_text(TextBuffer* text) noexcept:
    """Free a buffer that only a huge page needed."""
    if text.capacity > KEPT_TEXT:
        free(text.data)
        memset(text, 0, sizeof(TextBuffer))


@cython.final
cdef class Workspace:
    """A document, its metrics, blocks, choice of blocks and text. One thread at a time: a call while another thread is
    at work raises RuntimeError.

    `model` is that of the learned extractor. Without one, the package's model is read on first use.
    """
    cdef readonly Document document
    cdef readonly Metrics metrics
    cdef readonly Blocks blocks
    cdef readonly Model model
    cdef ScoredPage scored      # by the learned extractor
    cdef bint has_evidence      # evidence changed the choice, so the scores alone do not explain it
    cdef TextBuffer text
    cdef TextBuffer spare       # for the pass that rewrites constructs,
    cdef TextBuffer parts       # and where the formulas of a text are in it
    cdef ByteArray keep             # one byte per block
    cdef ByteArray chosen           # the choice before a rule on datelines changed it,
    cdef bint has_chosen            # if there is one
    cdef ByteArray marks            # one byte per node
    cdef int stage
    cdef uint64_t serial        # serial number of the parsed page's tree
    cdef bint chose_nodes
    cdef double expected_f1
    cdef Scratch choosing       # the scratch memory of classify(),
    cdef Scratch writing        # of render()
    cdef StructureArray structures      # what is kept or dropped as a whole
    cdef Packer packer          # memory of pack(),
    cdef Placing placing        # and of place_parts()

    def __cinit__(self, Document document not None, Model model=None):
        self.document = document
        self.metrics = Metrics()
        self.blocks = Blocks()
        self.metrics.owner = self.blocks.owner = document
        self.model = model

    def __dealloc__(self):
        self.free_pass()
        free(self.text.data)
        free(self.spare.data)
        free(self.parts.data)

    cdef void free_pass(self) noexcept:
        """Free the memory whose size depends on the page."""
        free_features(&self.scored.table)
        forget_scores(&self.scored)
        release(&self.choosing)
        release(&self.writing)
        free_packer(&self.packer)
        placing_memory(&self.placing, True)
        free_structures(&self.structures)
        free_bytes(&self.keep)
        free_bytes(&self.chosen)
        free_bytes(&self.marks)

    cdef void trim(self) noexcept:
        """Free what only a huge page needed, so that a worker does not hold that memory for ever."""
        if self.metrics.array.capacity > KEPT_NODES:
            free_metrics(&self.metrics.array)
            free_blocks(&self.blocks.array)
            self.free_pass()
        trim_text(&self.text)
        trim_text(&self.spare)
        trim_text(&self.parts)

    @property
    def nbytes(self) -> int:
        """Bytes of memory held, without the document's."""
        return (
            self.metrics.array.capacity * sizeof(NodeMetrics)
            + shown_memory(&self.metrics.array.shown, False)
            + self.blocks.array.capacity * sizeof(Block)
            + self.blocks.array.boxes_capacity * sizeof(Box)
            + self.blocks.array.places_capacity * sizeof(Place)
            + features_bytes(&self.scored.table)
            + scratch_bytes(&self.choosing)
            + scratch_bytes(&self.writing)
            + packer_bytes(&self.packer)
            + placing_memory(&self.placing, False)
            + structures_bytes(&self.structures)
            + self.keep.capacity
            + self.chosen.capacity
            + self.marks.capacity
            + self.text.capacity
            + self.spare.capacity
            + self.parts.capacity
        )

    cdef int require(self, int stage, str call) except -1:
        """Raise RuntimeError if a stage was not reached, if its results no longer belong to the document's page, or if
        another thread is at work on it.
        """
        self.document.require_idle()
        if self.stage < stage:
            raise RuntimeError(f"call {call} first")
        if self.document.tree.serial != self.serial:
            raise RuntimeError("the document has parsed another page since; call parse(page) of the workspace")
        if stage >= STAGE_MEASURED:
            require_blocks_of(self.document, &self.metrics.array, &self.blocks.array)
        return 0

    def parse(self, page, str formulas="tex", *, bint strict=False) -> None:
        """Parse a page of UTF-8 bytes, put its segments and shadow roots in place (native/shown), and rewrite its
        constructs (native/constructs). `formulas` become "tex", "text" or "drop". With `strict`, the rules for hidden
        text are strict, here and in measure() (metrics.pxd).
        """
        cdef Rewriting rewriting
        cdef int outcome
        self.document.begin()
        try:
            self.take_page(&rewriting, page, formulas, strict)
            with nogil:
                outcome = self.parse_page(&rewriting)
        finally:
            self.document.done()
        self.require_memory(outcome)

    cdef int take_page(
        self, Rewriting* rewriting, const unsigned char[::1] page, str formulas, bint strict
    ) except -1:
        """Get ready to parse a page."""
        rewriting.formulas = <FormulaRule> <int> FORMULA_RULES[formulas]
        rewriting.strict = strict
        self.stage = STAGE_NOTHING
        self.trim()
        self.document.take_page(page)
        return 0

    cdef int parse_page(self, Rewriting* rewriting) noexcept nogil:
        """Parse the page that was taken and rewrite its constructs, between begin() and done(); 0 or OUT_OF_MEMORY."""
        cdef int outcome = 0
        self.metrics.array.strict = rewriting.strict
        self.document.parse_page()
        self.serial = self.document.tree.serial
        rewriting.tree = &self.document.tree
        rewriting.arena = &self.document.arena
        rewriting.text = &self.text
        rewriting.scratch = &self.choosing
        rewriting.spare = &self.spare
        rewriting.parts = &self.parts
        rewriting.maths = MATHS_UNKNOWN
        rewriting.budget = SEARCHES * (<uint64_t> self.document.tree.n_nodes + self.document.tree.page_length)
        rewriting.unbroken_end = 0
        rewriting.any_reference = False
        rewriting.any_raised = False
        rewriting.failed = False
        if self.document.builder.has_template:
            outcome = place_parts(&self.placing, &self.document.arena, &self.document.tree)
        if outcome == 0:
            outcome = decide(&self.metrics.array.shown, &self.document.tree)
        if outcome == 0:
            rewriting.shown = self.metrics.array.shown.nodes
            outcome = rewrite_constructs(rewriting)
        if outcome == 0:
            self.stage = STAGE_PARSED
        return outcome

    cdef int require_memory(self, int outcome) except -1:
        """Raise MemoryError unless a step returned 0."""
        if outcome != 0:
            raise MemoryError(f"no memory for a page of {self.document.tree.n_nodes} nodes")
        return 0

    def measure(self, *, bint with_concealed=False, bint as_shown=False) -> None:
        """Compute the metrics of all nodes and cut the page into blocks, on request with concealed text, and with that
        text as if it were shown (metrics.pxd).
        """
        cdef int outcome
        self.require(STAGE_PARSED, "parse(page)")
        self.document.begin()
        with nogil:
            outcome = self.measure_page(with_concealed, as_shown)
        self.document.done()
        self.require_memory(outcome)

    cdef int measure_page(self, bint with_concealed, bint as_shown) noexcept nogil:
        """Measure the parsed page, between begin() and done(); 0 or OUT_OF_MEMORY."""
        cdef int outcome
        self.stage = STAGE_PARSED
        self.metrics.array.with_concealed = with_concealed
        self.metrics.array.concealed_as_shown = as_shown
        outcome = measure_nodes(&self.metrics.array, &self.document.tree)
        if outcome == 0:
            outcome = find_blocks(&self.blocks.array, &self.document.tree, &self.metrics.array)
        if outcome == 0:
            outcome = find_structures(
                &self.structures, &self.document.tree, &self.metrics.array, &self.blocks.array
            )
        if outcome == 0:
            self.stage = STAGE_MEASURED
        return outcome

    cdef int begin_choice(self) noexcept nogil:
        """Make room for a choice of blocks; none is kept yet. 0 or OUT_OF_MEMORY."""
        self.expected_f1 = -1.0
        forget_scores(&self.scored)
        self.has_evidence = False
        self.has_chosen = False
        self.stage = STAGE_MEASURED
        if (
            clear_bytes(&self.keep, self.blocks.array.n_blocks) != 0
            or clear_bytes(&self.marks, self.document.tree.n_nodes) != 0
        ):
            return OUT_OF_MEMORY
        return 0

    def classify(self, Extractor extractor not None, const int16_t[::1] evidence=None) -> None:
        """Let an extractor choose blocks. If the page was measured with the wrong setting for concealed text, it is
        measured again.

        `evidence`: for each block the evidence from other pages, in 1/4096 of a logit that it is main text. Only the
        learned extractor uses it.
        """
        cdef int outcome
        cdef const int16_t* given = NULL
        self.require_model(extractor)       # reads a file: another thread may use the workspace meanwhile
        self.require(STAGE_MEASURED, "measure()")
        if (
            self.metrics.array.with_concealed != extractor.reads_concealed
            or self.metrics.array.concealed_as_shown != extractor.takes_as_shown
        ):
            self.measure(with_concealed=extractor.reads_concealed, as_shown=extractor.takes_as_shown)
        if evidence is not None:
            if evidence.shape[0] != <Py_ssize_t> self.blocks.array.n_blocks:
                raise ValueError(f"evidence of {evidence.shape[0]} blocks for {self.blocks.array.n_blocks}")
            if evidence.shape[0]:
                given = &evidence[0]
        self.document.begin()
        with nogil:
            outcome = self.choose_blocks(extractor, given)
        self.document.done()
        self.require_memory(outcome)
        self.has_evidence = evidence is not None

    cdef int require_model(self, Extractor extractor) except -1:
        """Raise TypeError for an extractor that is none of EXTRACTORS; read the package's model if it needs one."""
        if extractor.function == NULL:
            raise TypeError("an extractor comes from EXTRACTORS")
        if extractor.uses_model and self.model is None:
            self.model = default_model()
        return 0

    cdef int choose_blocks(self, Extractor extractor, const int16_t* evidence) noexcept nogil:
        """Let an extractor choose blocks of the measured page, between begin() and done(); 0 or OUT_OF_MEMORY."""
        cdef Page page
        cdef int outcome = self.begin_choice()
        if outcome != 0:
            return outcome
        page.tree = &self.document.tree
        page.metrics = &self.metrics.array
        page.blocks = &self.blocks.array
        page.scratch = &self.choosing
        page.options = extractor.values
        page.model = &self.model.parts if extractor.uses_model else NULL
        page.evidence = evidence
        page.scored = &self.scored
        page.keep = self.keep.bytes
        page.marks = self.marks.bytes
        page.confidence = &self.expected_f1
        outcome = extractor.function(&page)
        if outcome == OUT_OF_MEMORY:
            forget_scores(&self.scored)
            return outcome
        if outcome == MARKED_NODES:
            keep_marked_blocks(&page)
        decide_structures(
            self.structures.structures, self.structures.n_structures, self.structures.words,
            self.blocks.array.n_blocks, extractor.uses_model, self.keep.bytes
        )
        self.chose_nodes = outcome == MARKED_NODES
        self.stage = STAGE_CLASSIFIED
        return 0

    cdef void fit_rules(self, RegionRules* rules) noexcept nogil:
        """Replace "auto" by what suits the classified page."""
        if rules.comments == REGION_AUTO:
            rules.comments = REGION_OUT if self.is_recipe_with_comments() else REGION_AS_CHOSEN
        elif rules.comments == REGION_OUT and self.scored.scores != NULL and comments_are_main(
            &self.document.tree, &self.metrics.array, &self.blocks.array, self.scored.scores
        ):
            rules.comments = REGION_AS_CHOSEN
        if rules.tables == REGION_AUTO:
            rules.tables = REGION_AS_CHOSEN
        if rules.titles == REGION_AUTO:
            rules.titles = REGION_AS_CHOSEN
        if rules.datelines == REGION_AUTO:
            rules.datelines = REGION_AS_CHOSEN
        if rules.captions == REGION_AUTO:
            rules.captions = REGION_OUT if self.is_news() else REGION_AS_CHOSEN
            rules.scores = self.scored.scores

    cdef bint is_recipe_with_comments(self) noexcept nogil:
        """True for a page that declares a recipe and has comments of readers, if the learned extractor chose and finds
        any other block likely. Thousands of words of comments can look likelier than a recipe's short lines.
        """
        return outweighs_comments(&self.scored, self.blocks.array.n_blocks) and self.declares(
            TYPE_RECIPE, b"schema.org/Recipe"
        )

    cdef bint is_news(self) noexcept nogil:
        """True for a page that declares a news article, if the learned extractor chose."""
        return self.scored.scores != NULL and self.declares(TYPE_NEWS, b"NewsArticle")

    cdef bint declares(self, uint32_t linked_type, const char* item_type) noexcept nogil:
        """True if the JSON-LD of the scored page has an object of a type, or if an itemtype ends with this."""
        return self.scored.table.declared.types & linked_type != 0 or has_item_type(&self.document.tree, item_type)

    def apply_region_rules(self, tuple names not None) -> None:
        """Override the choice for comments, tables, captions, titles and datelines (region_rules.pxd), each by its rule:
        "leave" it, "drop" the region or "keep" it. With "auto", what the learned extractor chose goes without readers'
        comments on a recipe, and without captions of which it is not sure on news.
        """
        cdef RegionRules rules = region_rules(names)
        cdef int outcome
        self.require(STAGE_CLASSIFIED, "classify()")
        self.document.begin()
        with nogil:
            outcome = self.apply_rules(&rules)
        self.document.done()
        self.require_memory(outcome)

    cdef int apply_rules(self, RegionRules* rules) noexcept nogil:
        """Apply rules to the classified page, between begin() and done(); 0 or OUT_OF_MEMORY."""
        self.fit_rules(rules)
        if leaves_as_chosen(rules):
            return 0
        if rules.datelines != REGION_AS_CHOSEN:
            if clear_bytes(&self.chosen, self.blocks.array.n_blocks) != 0:
                return OUT_OF_MEMORY
            memcpy(self.chosen.bytes, self.keep.bytes, self.blocks.array.n_blocks)
            self.has_chosen = True
        apply_region_rules(&self.document.tree, &self.metrics.array, &self.blocks.array, self.keep.bytes, rules)
        return 0

    def extract(
        self, page, Extractor extractor not None, tuple rules not None, str formulas="tex", *, bint strict=False,
        str name="text", bint links=False, bint images=False, bint html_tables=False, bytes url=b""
    ) -> bytes:
        """parse(), measure(), classify(), apply_region_rules() and render_markup() of a page, for which this thread does not
        wait for others in between. `rules` are those of apply_region_rules().
        """
        cdef Rewriting rewriting
        cdef RegionRules regions = region_rules(rules)
        cdef MarkupOptions options = markup_options(name, links, images, html_tables, url)
        cdef int outcome
        self.require_model(extractor)
        self.document.begin()
        try:
            self.take_page(&rewriting, page, formulas, strict)
            with nogil:
                outcome = self.parse_page(&rewriting)
                if outcome == 0:
                    outcome = self.measure_page(extractor.reads_concealed, extractor.takes_as_shown)
                if outcome == 0:
                    outcome = self.choose_blocks(extractor, NULL)
                if outcome == 0:
                    outcome = self.apply_rules(&regions)
                if outcome == 0:
                    outcome = self.write_blocks(&self.blocks.array, self.keep.bytes, &options, NULL, NULL)
            self.require_memory(outcome)
            return self.text.data[:self.text.length]
        finally:
            self.document.done()

    cdef int write(
        self, const BlockArray* blocks, const uint8_t* keep, const MarkupOptions* options, Passage* passage,
        Pictures* pictures
    ) except -1:
        """Write some blocks to self.text (render() of native/writing). The caller has reserved the document. Raises
        MemoryError.
        """
        cdef int outcome
        if blocks.n_blocks == 1:    # done sooner than another thread would give the GIL back
            return self.require_memory(self.write_blocks(blocks, keep, options, passage, pictures))
        with nogil:
            outcome = self.write_blocks(blocks, keep, options, passage, pictures)
        return self.require_memory(outcome)

    cdef int write_blocks(
        self, const BlockArray* blocks, const uint8_t* keep, const MarkupOptions* options, Passage* passage,
        Pictures* pictures
    ) noexcept nogil:
        """Write some blocks to self.text; 0 or OUT_OF_MEMORY."""
        return render(
            &self.text, &self.document.tree, &self.metrics.array, blocks, keep, &self.writing, options, passage, pictures
        )

    def render(self) -> bytes:
        """The text of the kept blocks, as UTF-8."""
        self.require(STAGE_CLASSIFIED, "classify()")
        self.document.begin()
        try:
            return self.text_of(0, self.blocks.array.n_blocks, self.keep.bytes)
        finally:
            self.document.done()

    def render_markup(
        self, str name not None, *, bint links=False, bint images=False, bint html_tables=False, bytes url=b""
    ) -> bytes:
        """The kept blocks as "text", "markdown", "html" or "source", in UTF-8. `url` is the page's, for relative
        addresses of links and images. `html_tables`: in Markdown, write tables that it cannot express as HTML.
        """
        cdef MarkupOptions options
        self.require(STAGE_CLASSIFIED, "classify()")
        options = markup_options(name, links, images, html_tables, url)
        self.document.begin()
        try:
            self.write(&self.blocks.array, self.keep.bytes, &options, NULL, NULL)
            return self.text.data[:self.text.length]
        finally:
            self.document.done()

    def pack(self, int least, tuple region_names not None=AS_CHOSEN) -> bytes:
        """The page in the form that PackedPage loads, with the texts of the blocks that are kept or have a score of at
        least `least`.

        `region_names` are the rules of apply_region_rules(). Blocks can be chosen again if the learned extractor
        chose them.
        """
        cdef RegionRules regions = region_rules(region_names)
        cdef const int16_t* scores = NULL
        self.require(STAGE_CLASSIFIED, "classify()")
        self.fit_rules(&regions)
        if not self.has_evidence:
            scores = self.scored.scores
        self.document.begin()
        try:
            return pack(
                &self.document.tree, &self.metrics.array, &self.blocks.array, &self.structures, &self.scored.choice,
                scores, least, self.keep.bytes, self.chosen.bytes if self.has_chosen else self.keep.bytes, &regions,
                &self.packer, &self.text
            )
        finally:
            self.document.done()

    cdef bytes text_of(self, uint32_t first, uint32_t end, const uint8_t* keep):
        """The plain text of the kept ones of blocks `first` to `end`. The caller has reserved the document."""
        cdef BlockArray run
        cdef MarkupOptions plain
        memset(&plain, 0, sizeof(MarkupOptions))
        run.blocks = self.blocks.array.blocks + first
        run.n_blocks = end - first
        self.write(&run, keep, &plain, NULL, NULL)
        return self.text.data[:self.text.length]

    def render_block(self, int index) -> bytes:
        """The text of one block in UTF-8, kept or not."""
        cdef uint8_t yes = 1
        self.require(STAGE_MEASURED, "measure()")
        if not 0 <= index < <int> self.blocks.array.n_blocks:
            raise IndexError(f"block {index} of {self.blocks.array.n_blocks}")
        self.document.begin()
        try:
            return self.text_of(index, index + 1, &yes)
        finally:
            self.document.done()

    def render_runs(self, list cuts not None) -> list[bytes]:
        """The text of the kept blocks in runs, in UTF-8: of the blocks before cuts[0], from there to cuts[1], and so on
        to the last. `cuts` must not fall.
        """
        cdef uint32_t start = 0, n_blocks = self.blocks.array.n_blocks, end
        self.require(STAGE_CLASSIFIED, "classify()")
        texts = []
        self.document.begin()
        try:
            for end in [*cuts, n_blocks]:
                if not start <= end <= n_blocks:
                    raise IndexError(f"a run of blocks from {start} to {end} of {n_blocks}")
                texts.append(self.text_of(start, end, self.keep.bytes + start))
                start = end
        finally:
            self.document.done()
        return texts

    def render_passages(
        self, list passages not None, str name not None, *, bint links=False, bint html_tables=False, bytes url=b""
    ) -> list[bytes]:
        """Texts of elements, each written by itself, in UTF-8. A passage is a node and the blocks inside of it that are
        written. The formats are those of render_markup(). No images.

        Raises IndexError for a node that is none of the page, and for a block that is not kept or not inside the node.
        """
        cdef MarkupOptions options
        cdef Passage passage
        cdef uint32_t node, block, first, last
        cdef bytearray chosen
        cdef uint8_t[::1] keep
        self.require(STAGE_CLASSIFIED, "classify()")
        options = markup_options(name, links, False, html_tables, url)
        memset(&passage, 0, sizeof(Passage))
        chosen = bytearray(self.blocks.array.n_blocks + 1)      # not empty, so that it has an address
        keep = chosen
        texts = []
        self.document.begin()
        try:
            for node, blocks in passages:
                if not node < self.document.tree.n_nodes:
                    raise IndexError(f"node {node} of {self.document.tree.n_nodes}")
                passage.first = node + 1
                passage.end = self.document.tree.nodes[node].end
                first = first_block_from(&self.blocks.array, node)
                last = first_block_from(&self.blocks.array, passage.end)
                for block in blocks:
                    if not first <= block < last or not self.keep.bytes[block]:
                        raise IndexError(f"block {block} is not kept or not inside node {node}")
                for block in blocks:
                    keep[block] = 1
                self.write(&self.blocks.array, &keep[0], &options, &passage, NULL)
                texts.append(self.text.data[:self.text.length])
                for block in blocks:
                    keep[block] = 0
        finally:
            self.document.done()
        return texts

    def pictures(self, int most, bytes url=b"") -> tuple[list[tuple[int, int, bytes]], int]:
        """The images that belong to the kept blocks, in the order of the page, and how many there are in all. Of the
        first `most`: node, the block before which it stands, and its address, absolute if `url` is the page's.
        """
        cdef MarkupOptions options
        cdef Pictures pictures
        cdef uint32_t i, start = 0
        self.require(STAGE_CLASSIFIED, "classify()")
        if most < 1:
            raise ValueError(f"most must be at least 1, not {most}")
        options = markup_options("source", False, True, False, url)
        options.format = FORMAT_PICTURES
        pictures.most, pictures.count = <uint32_t> most, 0
        self.document.begin()
        pictures.found = <Picture*> malloc(<size_t> most * sizeof(Picture))
        try:
            if pictures.found == NULL:
                raise MemoryError(f"no memory for {most} pictures")
            self.write(&self.blocks.array, self.keep.bytes, &options, NULL, &pictures)
            listed = []
            for i in range(min(pictures.count, pictures.most)):
                address = self.text.data[start:pictures.found[i].address_end]
                listed.append((pictures.found[i].node, pictures.found[i].block, address))
                start = pictures.found[i].address_end
            return listed, pictures.count
        finally:
            self.document.done()
            free(pictures.found)

    def keep_nodes(self, const unsigned char[::1] marks not None) -> None:
        """Set a choice that was made elsewhere: one byte per node, not 0 for the text nodes of the main text. render()
        then writes it.

        A block is kept if at least half of its characters are in such nodes. Raises ValueError unless there are as many
        bytes as nodes.
        """
        cdef Page page
        self.require(STAGE_MEASURED, "measure()")
        if marks.shape[0] != self.document.tree.n_nodes:
            raise ValueError(f"{marks.shape[0]} marks for {self.document.tree.n_nodes} nodes")
        self.require_memory(self.begin_choice())
        self.document.begin()
        with nogil:
            memcpy(self.marks.bytes, &marks[0], self.document.tree.n_nodes)
            page.tree = &self.document.tree
            page.metrics = &self.metrics.array
            page.blocks = &self.blocks.array
            page.keep = self.keep.bytes
            page.marks = self.marks.bytes
            keep_marked_blocks(&page)
        self.document.done()
        self.chose_nodes = True
        self.stage = STAGE_CLASSIFIED

    def marked_shares(self, const unsigned char[::1] marks not None) -> list[float]:
        """For each block, the share of its characters in text nodes whose byte in `marks` is not 0."""
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
        """One byte per node, 1 for those that the extractor chose, hidden ones included; None if it chose blocks."""
        self.require(STAGE_CLASSIFIED, "classify()")
        return self.marks.bytes[:self.document.tree.n_nodes] if self.chose_nodes else None

    cdef MainText main_text(self):
        """The main text of the page; that of a page without one before classify()."""
        return main_text(
            self.document, &self.metrics.array, &self.blocks.array, &self.scored, self.keep.bytes, self.is_classified()
        )

    cdef bint is_classified(self) noexcept:
        """True if blocks of the document's page were chosen."""
        return self.stage == STAGE_CLASSIFIED and self.document.tree.serial == self.serial

    def describe(self, str url, latest not None, FactWeights weights not None, dict into=None) -> tuple:
        """What the document's page, which came from `url`, says about itself, as native.facts.describe.describe() gives
        it. JSON-LD that the learned extractor has read is not read again. With `into`, also sets there what weights are
        fitted to: the candidates for "site" and "author", as (value, evidence), and the "date" of a page of any type.
        """
        cdef Hold held = Hold(self.document)
        return self.main_text().describe(url, latest, weights, into)

    def vocabulary(self) -> bytes | None:
        """Which tokens and terms the page has, a bit for each hash (scoring/tokens.pxd); None unless the learned
        extractor has chosen.
        """
        self.document.require_idle()
        if not self.is_classified() or self.scored.scores == NULL:
            return None
        return (<const char*> self.scored.table.vocabulary.found)[:sizeof(self.scored.table.vocabulary.found)]

    def kept(self) -> list[bool]:
        """For each block, True if the extractor kept it."""
        self.require(STAGE_CLASSIFIED, "classify()")
        return [self.keep.bytes[i] != 0 for i in range(self.blocks.array.n_blocks)]

    def kept_bytes(self) -> bytes:
        """A byte for each block: 1 if the extractor kept it, else 0."""
        self.require(STAGE_CLASSIFIED, "classify()")
        return (<const char*> self.keep.bytes)[:self.blocks.array.n_blocks]

    def drop(self, const uint8_t[::1] unwanted not None) -> None:
        """Drop every block whose byte in `unwanted` is not 0."""
        cdef uint32_t b
        self.require(STAGE_CLASSIFIED, "classify()")
        if unwanted.shape[0] != <Py_ssize_t> self.blocks.array.n_blocks:
            raise ValueError(f"{unwanted.shape[0]} bytes for {self.blocks.array.n_blocks} blocks")
        for b in range(self.blocks.array.n_blocks):
            if unwanted[b]:
                self.keep.bytes[b] = 0

    def scores(self) -> bytes | None:
        """The score of each block, as signed 16-bit integers in 1/4096 of a logit. None if the extractor computes no
        scores or was given evidence.
        """
        self.require(STAGE_CLASSIFIED, "classify()")
        if self.scored.scores == NULL or self.has_evidence:
            return None
        return (<const char*> self.scored.scores)[:self.blocks.array.n_blocks * sizeof(int16_t)]

    @property
    def confidence(self) -> float | None:
        """The expected F1 of the kept blocks, 0 to 1; None if the extractor does not estimate it."""
        self.require(STAGE_CLASSIFIED, "classify()")
        return self.expected_f1 if self.expected_f1 >= 0.0 else None

    @property
    def n_blocks(self) -> int:
        """The number of blocks of the page."""
        self.require(STAGE_MEASURED, "measure()")
        return self.blocks.array.n_blocks

    @property
    def n_words(self) -> int:
        """Words of the page's visible text."""
        self.require(STAGE_MEASURED, "measure()")
        return self.metrics.array.nodes[self.metrics.array.body].words if self.metrics.array.n_nodes else 0

    def shape(self) -> tuple[int, ...] | None:
        """What the page is made of, as facts/page_types.pxd has it (SHAPE_WORDS and so on); None before classify()."""
        cdef uint32_t[N_SHAPE] found
        self.document.require_idle()
        if not self.is_classified():
            return None
        self.main_text().find_shape(found)
        return tuple([found[b] for b in range(N_SHAPE)])

    @property
    def text_density(self) -> float:
        """Characters per tag of the body."""
        self.require(STAGE_MEASURED, "measure()")
        return text_density(self.metrics.array.nodes + self.metrics.array.body) if self.metrics.array.n_nodes else 0.0

    @property
    def wall(self) -> str | None:
        """What hides a part of the page's text: "wall" where the page's text ends with its notice, "declared" where the
        page says that it is not free and shows little; None for other pages (measuring/walls.pxd).
        """
        self.require(STAGE_MEASURED, "measure()")
        return (None, "wall", "declared")[self.structures.wall]

    @property
    def hidden_share(self) -> float:
        """Share of the characters of the kept blocks that are concealed (metrics.pxd); 0 if nothing is kept."""
        cdef uint32_t b
        cdef uint64_t kept = 0, concealed = 0
        cdef const Block* block
        self.require(STAGE_CLASSIFIED, "classify()")
        for b in range(self.blocks.array.n_blocks):
            block = self.blocks.array.blocks + b
            if self.keep.bytes[b]:
                kept += block.characters
                if self.metrics.array.nodes[block.start].flags & FLAG_CONCEALED:
                    concealed += block.characters
        return <double> concealed / kept if kept else 0.0

    @property
    def too_many_styles(self) -> bool:
        """Whether the page's style sheets went over a bound, so that none of them was read."""
        self.document.require_idle()
        return self.metrics.array.shown.serial == self.document.tree.serial and self.metrics.array.shown.sheets.too_large

    def concealed(self) -> list[tuple[int, str, bool]]:
        """The outermost concealed elements: node, the reason (decision.pxd), and whether it is a run in a line."""
        cdef uint32_t n = 1
        cdef Decision decision
        self.require(STAGE_MEASURED, "measure()")
        found = []
        while n < self.document.tree.n_nodes:
            decision = self.metrics.array.shown.nodes[n]
            if self.document.tree.nodes[n].kind != KIND_ELEMENT or decision.how & HOW_NOT_TEXT:
                n = self.document.tree.nodes[n].end
            elif decision.why != WHY_SHOWN and not decision.how & HOW_SEEN:
                found.append((n, REASONS[decision.why], decision.how & HOW_RUN != 0))
                n = self.document.tree.nodes[n].end
            else:
                n += 1
        return found

    @property
    def link_density(self) -> float:
        """Share of the body's characters that are inside links."""
        self.require(STAGE_MEASURED, "measure()")
        return link_density(self.metrics.array.nodes + self.metrics.array.body) if self.metrics.array.n_nodes else 0.0
