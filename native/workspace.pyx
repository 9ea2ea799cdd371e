# SPDX-License-Identifier: Apache-2.0
"""The workspace of one worker: a document and everything that is computed from it, reused from page to page.

Each stage is one call without the GIL over plain arrays. The order is parse, measure, classify, render; extract() is all
of them in one. A workspace remembers which page it works on. If its document has parsed another page in the meantime,
its methods raise RuntimeError. Its metrics and blocks are used by it alone.
"""

cimport cython
from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp, memcpy, memset

from thresher.native.base.characters cimport is_ascii_letter
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.constructs.construct cimport MATHS_UNKNOWN, FormulaRule, Rewriting
from thresher.native.constructs.rewrite cimport rewrite_constructs
from thresher.native.base.arrays cimport OUT_OF_MEMORY
from thresher.native.choosing.datelines cimport MARK_DATELINE
from thresher.native.choosing.interface cimport MARKED_NODES, Page, ScoredPage, forget_scores, keep_marked_blocks
from thresher.native.choosing.registry cimport Extractor
from thresher.native.facts.candidates cimport FactWeights
from thresher.native.facts.describe cimport ChosenPage, describe_page
from thresher.native.facts.page_types cimport *
from thresher.native.facts.headlines cimport MAX_HEADS, Head, read_around
from thresher.native.facts.metadata cimport find_interests, text_at_edge
from thresher.native.facts.linked_data cimport TYPE_NEWS, TYPE_RECIPE, LinkedData
from thresher.native.facts.shown_lines cimport begins_by
from thresher.native.measuring.blocks cimport *
from thresher.native.measuring.metrics cimport *
from thresher.native.choosing.region_rules cimport *
from thresher.native.choosing.structure_rules cimport decide_structures
from thresher.native.measuring.regions cimport has_item_type
from thresher.native.measuring.structures cimport *
from thresher.native.parsing.document cimport *
from thresher.native.parsing.known_values cimport *
from thresher.native.parsing.reading cimport *
from thresher.native.shown.decision cimport *
from thresher.native.shown.placing cimport Placing, place_parts, placing_memory
from thresher.native.scoring.feature_table cimport *
from thresher.native.scoring.model cimport Model
from thresher.native.scoring.probabilities cimport PROBABILITY_SCALE, probability
from thresher.native.scoring.trees cimport LANES
from thresher.native.base.scratch cimport ByteArray, Scratch, clear_bytes, free_bytes, release, scratch_bytes
from thresher.native.templates.packed cimport *
from thresher.native.base.text_buffer cimport TextBuffer
from thresher.native.writing.output cimport FORMAT_PICTURES, Format, MarkupOptions, Passage, Picture, Pictures
from thresher.native.writing.render cimport render
from thresher.native.writing.urls cimport MAX_URL

from thresher.native.scoring.model import default_model


REASONS = (     # index: Why
    "shown", "faint", "sheet", "clipped", "readers", "tooltip", "attribute", "display", "visibility", "dialog",
    "noscript", "aria", "icon",
)
FORMATS = ("text", "markdown", "html", "source")          # index: Format
REGION_RULES = ("leave", "drop", "keep", "auto")    # index: RegionRule
FORMULA_RULES = ("tex", "text", "drop")         # index: FormulaRule


cdef MarkupOptions markup_options(str name, bint links, bint images, bint html_tables, bytes url):
    """How markup is written; the caller keeps `url`."""
    cdef MarkupOptions options
    options.format = <Format> <int> FORMATS.index(name)
    options.links = links
    options.images = images
    options.html_tables = html_tables
    options.url.data = <const uint8_t*> <const char*> url
    options.url.length = <uint32_t> min(len(url), MAX_URL)
    return options


cdef RegionRules region_rules(str comments, str tables, str captions, str titles, str datelines):
    """Rules by their names; raises ValueError for an unknown one."""
    cdef RegionRules rules
    rules.comments = <RegionRule> <int> REGION_RULES.index(comments)
    rules.tables = <RegionRule> <int> REGION_RULES.index(tables)
    rules.captions = <RegionRule> <int> REGION_RULES.index(captions)
    rules.titles = <RegionRule> <int> REGION_RULES.index(titles)
    rules.datelines = <RegionRule> <int> REGION_RULES.index(datelines)
    rules.scores = NULL
    return rules


cdef enum Stage:
    STAGE_NOTHING = 0
    STAGE_PARSED = 1
    STAGE_MEASURED = 2
    STAGE_CLASSIFIED = 3


cdef enum:
    SHOWN_KEPT = 1          # of places_of(): a kept block has the name,
    SHOWN_LEFT = 2          # one that is left out,
    SHOWN_TOP = 4           # one before the fourth kept one,
    SHOWN_WITHIN = 8        # one behind it,
    SHOWN_BEHIND = 16       # one behind the last kept one,
    SHOWN_SHORT = 32        # a short one,
    SHOWN_ALONE = 64        # one that has little else,
    SHOWN_LINKED = 128      # one that is a link;
    SHOWN_OFTEN = 256       # or more than two blocks
    AROUND = 12             # blocks before and behind the kept ones that may name who signs, if they say so,
    BETWEEN = 8             # and blocks from the first kept one on that are left out
    PROSE = 30              # words of a block beyond which it is prose
    MOST_SIGNED = 12        # short blocks that begin with "by", beside those around the edges of the text
    HEADING_LEVELS = 6
    NO_BLOCK = 0xFFFFFFFF
    PARAGRAPH_WORDS = 25    # of a block that is a paragraph, before which a headline stands
    MOST_HEAD_WORDS = 40    # of a block that may be the headline,
    MOST_HEAD_CHARACTERS = 298  # and characters
    FAR_BEHIND = 999
    KEPT_NODES = 1 << 18        # nodes beyond which memory is freed before the next page
    KEPT_TEXT = 1 << 24         # bytes beyond which a text buffer is freed
    SEARCHES = 8                # how many times over the construct pass may visit the whole page


cdef enum:                  # Head.flags, in the order of their names in facts/headlines.pyx
    HEAD_KEPT = 1 << 0
    HEAD_LEFT = 1 << 1
    HEAD_HIGHEST = 1 << 2       # no heading of the page has a higher level
    HEAD_HIGHEST_YET = 1 << 3   # none before it has
    HEAD_LINKED = 1 << 4
    HEAD_REPEATED = 1 << 5      # another block has the same text
    HEAD_AFTER_HEADING = 1 << 6
    HEAD_BEFORE_HEADING = 1 << 7
    HEAD_AFTER_KEPT = 1 << 8
    HEAD_BEFORE_KEPT = 1 << 9
    HEAD_AFTER_LINK = 1 << 10
    HEAD_NO_TEXT = 1 << 11      # no paragraph of the page is kept


cdef inline int level_of(const Block* block) noexcept nogil:
    """The level of a heading; 0 for another block."""
    return block.kind - BLOCK_HEADING_1 + 1 if BLOCK_HEADING_1 <= block.kind <= BLOCK_HEADING_6 else 0


cdef bint holds_name(const uint8_t* text, uint32_t length, const uint8_t* name, uint32_t name_length) noexcept nogil:
    """True if a text has a name of two bytes or more, and no ASCII letter around it. A first byte that is not ASCII is not
    looked for: most letters of a script have the same.
    """
    cdef uint32_t first = name[0] >= 0x80
    cdef const uint8_t* at = text + first
    cdef const uint8_t* end = text + length
    while at < end:
        at = <const uint8_t*> memchr(at, name[first], end - at)
        if at == NULL or <size_t> (end - at) < name_length - first:
            return False
        at -= first
        if memcmp(at, name, name_length) == 0 and not (at > text and is_ascii_letter((at - 1)[0])) and not (
            at + name_length < end and is_ascii_letter(at[name_length])
        ):
            return True
        at += first + 1
    return False


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
        if self.text.capacity > KEPT_TEXT:
            free(self.text.data)
            memset(&self.text, 0, sizeof(TextBuffer))
        if self.spare.capacity > KEPT_TEXT:
            free(self.spare.data)
            memset(&self.spare, 0, sizeof(TextBuffer))
        if self.parts.capacity > KEPT_TEXT:
            free(self.parts.data)
            memset(&self.parts, 0, sizeof(TextBuffer))

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
        constructs (native/constructs). `formulas` become "tex", "text"
        or "drop". With `strict`, the rules for hidden text are strict, here and in measure() (metrics.pxd).
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
        rewriting.formulas = <FormulaRule> <int> FORMULA_RULES.index(formulas)
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

    def apply_region_rules(
        self, str comments="leave", str tables="leave", str captions="leave", str titles="leave",
        str datelines="leave",
    ) -> None:
        """Override the choice for regions (region_rules.pxd): "leave" it, "drop" the region or "keep" it. With "auto", what
        the learned extractor chose goes without readers' comments on a recipe, and without captions of which it is not
        sure on news.
        """
        cdef RegionRules rules = region_rules(comments, tables, captions, titles, datelines)
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
        wait for others in between. `rules` are the five of apply_region_rules().
        """
        cdef Rewriting rewriting
        cdef RegionRules regions = region_rules(rules[0], rules[1], rules[2], rules[3], rules[4])
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
        """write() without the GIL; 0 or OUT_OF_MEMORY."""
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

    def pack(
        self, int least, str comments="leave", str tables="leave", str captions="leave", str titles="leave",
        str datelines="leave",
    ) -> bytes:
        """The page in the form that PackedPage loads, with the texts of the blocks that are kept or have a score of at
        least `least`.

        The rules for regions are those of apply_region_rules(). Blocks can be chosen again if the learned extractor
        chose them.
        """
        cdef RegionRules regions = region_rules(comments, tables, captions, titles, datelines)
        cdef uint32_t n = self.blocks.array.n_blocks, b
        cdef uint8_t* wanted
        cdef uint8_t* rules
        cdef uint8_t* kept_of_all
        cdef const uint8_t* chosen
        cdef const int16_t* scores
        self.require(STAGE_CLASSIFIED, "classify()")
        self.fit_rules(&regions)
        scores = self.scored.scores
        if self.has_evidence:
            scores = NULL
        if clear_bytes(&self.packer.marks, 3 * <size_t> n) != 0:
            raise MemoryError(f"no memory to pack {n} blocks")
        wanted = self.packer.marks.bytes
        rules = wanted + n
        kept_of_all = rules + n
        chosen = self.chosen.bytes if self.has_chosen else self.keep.bytes
        self.document.begin()
        with nogil:
            for b in range(n):
                wanted[b] = self.keep.bytes[b] != 0 or (scores != NULL and scores[b] >= least)
            if scores != NULL and self.scored.choice.headline < n:
                wanted[self.scored.choice.headline] = 1     # it heads whatever another choice keeps
            if not leaves_as_chosen(&regions):
                # A rule keeps a block if the block ends up kept when none was, and drops it if it ends up dropped when
                # all were kept. What becomes of datelines depends on the other blocks.
                mark_regions(&self.document.tree, &self.metrics.array, &self.blocks.array, rules, &regions)
                memset(kept_of_all, 1, n)
                mark_regions(&self.document.tree, &self.metrics.array, &self.blocks.array, kept_of_all, &regions)
                for b in range(n):
                    if rules[b] & MARK_DATELINE:
                        rules[b] = KEEP_DATELINE if regions.datelines == REGION_IN else DROP_DATELINE
                        if chosen[b]:
                            rules[b] |= CHOSEN_DATELINE
                        wanted[b] |= rules[b] != DROP_DATELINE
                    else:
                        rules[b] = KEEP if rules[b] else DROP if not kept_of_all[b] else LEAVE
        try:
            return pack(
                &self.document.tree, &self.metrics.array, &self.blocks.array, &self.structures, &self.scored.choice,
                wanted, rules, &self.packer, &self.text
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

    def describe(self, str url, latest not None, FactWeights weights not None, dict into=None) -> tuple:
        """What the document's page, which came from `url`, says about itself, as native.facts.describe.describe() gives
        it. JSON-LD that the learned extractor has read is not read again. With `into`, also sets there what weights are
        fitted to: the candidates for "site" and "author", as (value, evidence), and the "date" of a page of any type.
        """
        cdef const LinkedData* data = NULL
        cdef const uint32_t* vocabulary = NULL
        cdef ChosenPage chosen
        cdef TypeWeights type_weights = weights.type_weights
        cdef int outcome
        cdef Hold held = Hold(self.document)
        if self.stage != STAGE_CLASSIFIED or self.document.tree.serial != self.serial:
            return describe_page(self.document, NULL, NULL, self, url, latest, weights, into)
        if self.scored.scores != NULL:
            data = &self.scored.table.declared.linked
            vocabulary = self.scored.table.vocabulary.found
        with nogil:
            outcome = find_interests(&chosen.elements, &self.document.tree)
            self.find_shape(chosen.shape)
            chosen.n_heads = self.find_heads(chosen.heads)
            chosen.is_hashed = vocabulary != NULL
            if vocabulary != NULL:
                type_weights.add_hashed(chosen.hashed, vocabulary)
        try:
            self.require_memory(outcome)
            return describe_page(self.document, data, &chosen, self, url, latest, weights, into)
        finally:
            free(chosen.elements.nodes)

    def vocabulary(self) -> bytes | None:
        """Which tokens and terms the page has, a bit for each hash (scoring/tokens.pxd); None unless the learned
        extractor has chosen.
        """
        if self.stage != STAGE_CLASSIFIED or self.scored.scores == NULL or self.document.tree.serial != self.serial:
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
        if self.stage != STAGE_CLASSIFIED or self.document.tree.serial != self.serial:
            return None
        self.find_shape(found)
        return tuple([found[b] for b in range(N_SHAPE)])

    cdef void find_shape(self, uint32_t* found) noexcept nogil:
        """What shape() returns."""
        cdef uint32_t b, n_blocks = self.blocks.array.n_blocks, p
        cdef uint64_t unsure = 0
        cdef bint is_scored
        cdef const Block* block
        cdef const int16_t* values
        memset(found, 0, N_SHAPE * sizeof(uint32_t))
        if self.metrics.array.n_nodes:
            found[SHAPE_WORDS] = self.metrics.array.nodes[self.metrics.array.body].words
        found[SHAPE_BLOCKS] = found[SHAPE_FIRST] = n_blocks
        is_scored = self.scored.scores != NULL and self.scored.table.n_blocks == n_blocks
        for b in range(n_blocks):
            block = self.blocks.array.blocks + b
            found[SHAPE_LINK_WORDS] += block.link_words
            found[SHAPE_ITEMS] += block.kind == BLOCK_LIST_ITEM
            found[SHAPE_PLAIN] += block.kind == BLOCK_TEXT
            found[SHAPE_HEADINGS] += BLOCK_HEADING_1 <= block.kind <= BLOCK_HEADING_6
            if is_scored:
                p = probability(self.scored.scores[b])
                unsure += <uint64_t> p * (PROBABILITY_SCALE - p) * block.words
                found[SHAPE_HIGHEST] = max(found[SHAPE_HIGHEST], p)
            if not self.keep.bytes[b]:
                continue
            found[SHAPE_FIRST] = min(found[SHAPE_FIRST], b)
            found[SHAPE_LAST] = b + 1
            found[KEPT_BLOCKS] += 1
            found[KEPT_WORDS] += block.words
            found[KEPT_LINK_WORDS] += block.link_words
            found[KEPT_LARGEST] = max(found[KEPT_LARGEST], block.words)
            found[KEPT_LONG] += block.words >= 40
            found[KEPT_SHORT] += block.words <= 5
            found[KEPT_ITEMS] += block.kind == BLOCK_LIST_ITEM or block.kind == BLOCK_TABLE_CELL
            if BLOCK_HEADING_1 <= block.kind <= BLOCK_HEADING_6:
                found[KEPT_HEADINGS] += 1
                found[KEPT_HEADING_WORDS] += block.words
            elif block.kind == BLOCK_PARAGRAPH:
                found[KEPT_PARAGRAPH_WORDS] += block.words
            if is_scored:
                values = values_of(&self.scored.table, b)
                found[KEPT_SENTENCES] += values[BLOCK_ENDS_SENTENCE * LANES] != 0
                found[KEPT_DATES] += values[BLOCK_DATE * LANES] != 0
                found[KEPT_DIGITS] += max(<int> values[BLOCK_DIGITS * LANES], 0)
                found[KEPT_CAPITALS] += max(<int> values[BLOCK_CAPITALS * LANES], 0)
        found[SHAPE_UNSURE] = <uint32_t> (4 * unsure // (PROBABILITY_SCALE * PROBABILITY_SCALE))

    def edges(self) -> list[tuple[int, int, int, str]]:
        """Where the kept text may be signed: place, kind, share of its words in links in hundredths and text of the
        blocks around its beginning and end, and of short ones that begin with "by" and the like. The place is -2 and -1
        before the first kept block, 0 to 5 from there on, 6 for those left out there, 10 to 13 for the last ones, the
        last first, 20 to 22 behind it, 30 for other kept ones and 31 for other ones that are left out. Of a long block the text is its first or last bytes; one that cannot be signed there is left
        out. Empty before classify().
        """
        cdef uint32_t b, n = self.blocks.array.n_blocks, first, last, before = 0, behind = 0, others = 0
        cdef int place
        cdef const Block* block
        cdef list found = []
        cdef str text
        cdef const Tree* tree = &self.document.tree
        cdef Slice begin
        if self.stage != STAGE_CLASSIFIED or tree.serial != self.serial:
            return found
        first = 0
        while first < n and not self.keep.bytes[first]:
            first += 1
        if first == n:
            return found
        last = n - 1
        while not self.keep.bytes[last]:
            last -= 1
        for b in range(first + 1, last + 1):
            behind += self.keep.bytes[b] != 0
        for b in range(first - min(first, <uint32_t> AROUND), min(n, last + AROUND + 1)):
            block = self.blocks.array.blocks + b
            place = 30
            begin = without_space(text_of(tree, block.start))
            if b < first:
                if b + 2 >= first:
                    place = <int> b - <int> first
            elif b > last:
                if b <= last + 3:
                    place = 19 + <int> (b - last)
            elif not self.keep.bytes[b]:
                if b <= first + BETWEEN:
                    place = 6
            else:
                if before < 6:
                    place = <int> before
                elif behind < 4:
                    place = 10 + <int> behind
                before += 1
                behind -= behind > 0
            if place == 30:
                if block.words > 12 or others == MOST_SIGNED:
                    continue
                if not begins_by(begin.data, begin.length):
                    continue
                others += 1
                if not self.keep.bytes[b]:
                    place = 31
            elif block.words > PROSE and not 0 <= place <= 2 and place != 10 and place != 11:
                continue        # prose
            elif not (0 <= place < 6 or 10 <= place < 20) and (block.words > 16 or 2 * block.link_words > block.words):
                continue        # prose or navigation
            text = text_at_edge(
                tree, block.start, block.end, place < 10, block.words > PROSE,
                place >= 30 or begins_by(begin.data, begin.length)
            )
            if text is not None:
                found.append((place, <int> block.kind, <int> (100 * block.link_words // max(block.words, 1)), text))
        return found

    def places_of(self, list names not None) -> list[int]:
        """Where the page shows each of these names (UTF-8): the sum of what Shown says of the blocks with it. 0 before
        classify().
        """
        cdef list found = [0] * len(names)
        cdef uint32_t first, last, n = self.blocks.array.n_blocks
        cdef Py_ssize_t i
        cdef bytes name
        if self.stage != STAGE_CLASSIFIED or self.document.tree.serial != self.serial:
            return found
        first = 0
        while first < n and not self.keep.bytes[first]:
            first += 1
        last = n
        while last > first and not self.keep.bytes[last - 1]:
            last -= 1
        for i in range(len(names)):
            name = names[i]
            if len(name) > 1:
                found[i] = self.shown_at(<const uint8_t*> <const char*> name, <uint32_t> len(name), first, last)
        return found

    cdef uint32_t shown_at(self, const uint8_t* name, uint32_t length, uint32_t first, uint32_t last) noexcept nogil:
        """places_of() one name; the kept blocks are among those from `first` to before `last`."""
        cdef const Tree* tree = &self.document.tree
        cdef const Block* block
        cdef uint32_t b, n, said = 0, times = 0, top = first + 4
        cdef Slice slice
        cdef uint32_t letters = 0
        for n in range(length):
            letters += name[n] & 0xC0 != 0x80
        for b in range(self.blocks.array.n_blocks):
            block = self.blocks.array.blocks + b
            if block.characters < letters:
                continue
            n = block.start
            while n < block.end:
                if tree.nodes[n].kind == KIND_TEXT:
                    if tree.nodes[n].length >= length and self.metrics.array.nodes[n].characters >= letters:
                        slice = text_of(tree, n)
                        if holds_name(slice.data, slice.length, name, length):
                            times += 1
                            said |= SHOWN_KEPT if self.keep.bytes[b] else SHOWN_LEFT
                            said |= SHOWN_TOP if b < top else SHOWN_BEHIND if b >= last else SHOWN_WITHIN
                            if block.words <= 12:
                                said |= SHOWN_SHORT
                            if block.characters <= letters + 4:
                                said |= SHOWN_ALONE
                            if 2 * block.link_words >= block.words:
                                said |= SHOWN_LINKED
                            break
                    n = tree.nodes[n].end
                else:
                    n = tree.nodes[n].end if tree.nodes[n].kind == KIND_COMMENT else n + 1
        if times > 2:
            said |= SHOWN_OFTEN
        return said

    cdef uint32_t find_heads(self, Head* found) noexcept nogil:
        """Find blocks that may be the headline: the first headings of each level and the first that are kept, the first
        kept blocks, and those right before the first kept one and before the first paragraph. Returns how many, at most
        MAX_HEADS.
        """
        cdef const Tree* tree = &self.document.tree
        cdef const Block* blocks = self.blocks.array.blocks
        cdef uint32_t b, first = NO_BLOCK, paragraph = NO_BLOCK, n = self.blocks.array.n_blocks, n_found = 0
        cdef uint32_t[HEADING_LEVELS + 1] alike, before
        cdef int level, highest = HEADING_LEVELS, so_far = HEADING_LEVELS, place = 0, n_headings = 0
        cdef KnownValue[KNOWN_VALUES] known
        cdef Head* head
        memset(known, 0, sizeof(known))
        memset(alike, 0, sizeof(alike))
        memset(before, 0, sizeof(before))
        for b in range(n):
            level = level_of(blocks + b)
            alike[level] += 1
            if level:
                highest = min(highest, level)
            if self.keep.bytes[b]:
                first = min(first, b)
                if level == 0 and blocks[b].words >= PARAGRAPH_WORDS:
                    paragraph = min(paragraph, b)
        for b in range(n):
            level = level_of(blocks + b)
            if (
                blocks[b].words <= MOST_HEAD_WORDS and blocks[b].characters <= MOST_HEAD_CHARACTERS
                and (
                    (level and (before[level] < 2 or (self.keep.bytes[b] and n_headings < 3)))
                    or (self.keep.bytes[b] and place < 3)
                    or (b < first and first != NO_BLOCK and b + 3 >= first)
                    or (b < paragraph and paragraph != NO_BLOCK and b + 4 >= paragraph)
                )
            ):
                THRESHER_CHECK(n_found < MAX_HEADS)
                head = found + n_found
                n_found += 1
                head.start, head.end, head.kind, head.order = blocks[b].start, blocks[b].end, blocks[b].kind, <int> b
                head.nth, head.alike = <int> before[level] if level else 0, <int> alike[level] if level else 0
                head.place = place if self.keep.bytes[b] else -1
                head.from_first = <int> b - <int> first if first != NO_BLOCK else FAR_BEHIND
                head.from_text = <int> b - <int> paragraph if paragraph != NO_BLOCK else FAR_BEHIND
                head.words = <int> blocks[b + 1].words if b + 1 < n else 0
                head.around = read_around(tree, blocks[b].start, known)
                head.flags = HEAD_KEPT if self.keep.bytes[b] else HEAD_LEFT
                if level and level == highest:
                    head.flags |= HEAD_HIGHEST
                if level and level <= so_far:
                    head.flags |= HEAD_HIGHEST_YET
                if 2 * blocks[b].link_characters > blocks[b].characters:
                    head.flags |= HEAD_LINKED
                if self.is_repeated(b):
                    head.flags |= HEAD_REPEATED
                if b:
                    if level_of(blocks + b - 1):
                        head.flags |= HEAD_AFTER_HEADING
                    if self.keep.bytes[b - 1]:
                        head.flags |= HEAD_AFTER_KEPT
                    if 2 * blocks[b - 1].link_characters > blocks[b - 1].characters:
                        head.flags |= HEAD_AFTER_LINK
                if b + 1 < n:
                    if level_of(blocks + b + 1):
                        head.flags |= HEAD_BEFORE_HEADING
                    if self.keep.bytes[b + 1]:
                        head.flags |= HEAD_BEFORE_KEPT
                if paragraph == NO_BLOCK:
                    head.flags |= HEAD_NO_TEXT
            before[level] += 1
            if level:
                so_far = min(so_far, level)
                n_headings += self.keep.bytes[b] != 0
            place += self.keep.bytes[b] != 0
        return n_found

    cdef bint is_repeated(self, uint32_t number) noexcept nogil:
        """True if another block begins with the same text and is as long."""
        cdef const Tree* tree = &self.document.tree
        cdef const Block* block = self.blocks.array.blocks + number
        cdef const Block* other
        cdef Slice text = text_of(tree, block.start), another
        cdef uint32_t b
        text = without_space(text)
        for b in range(self.blocks.array.n_blocks):
            other = self.blocks.array.blocks + b
            if other.characters == block.characters and other.words == block.words and b != number:
                another = without_space(text_of(tree, other.start))
                if another.length == text.length and memcmp(another.data, text.data, text.length) == 0:
                    return True
        return False

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
