# SPDX-License-Identifier: Apache-2.0
"""Computes all features of a page's blocks that need no scores."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int8_t, int16_t, uint32_t
from libc.string cimport memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY, make_room
from thresher.native.facts.linked_data cimport (
    TYPE_ARTICLE, TYPE_FAQ, TYPE_FORUM, TYPE_LIST, TYPE_PRODUCT, TYPE_QUESTION, TYPE_RECIPE
)
from thresher.native.measuring.blocks cimport Block, BlockArray, Blocks, require_blocks_of
from thresher.native.measuring.metrics cimport FLAG_BLANK, FLAG_HIDDEN, Metrics, MetricsArray
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport TAG_COUNT, TAG_UNKNOWN
from thresher.native.scoring.declared cimport N_PARTS, read_declared
from thresher.native.scoring.feature_table cimport *
from thresher.native.scoring.feature_values cimport write_values
from thresher.native.scoring.page_model cimport PageModel, model_page
from thresher.native.scoring.rounding cimport bounded
from thresher.native.scoring.tokens cimport *
from thresher.native.scoring.texts cimport MAX_TERMS, TextPass, read_on, start_pass
from thresher.native.base.scratch cimport Scratch, release
from thresher.native.scoring.trees cimport LANES


cdef int compute_features(
    FeatureTable* table, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks,
    const int8_t* weights, Scratch* scratch
) noexcept nogil:
    """Compute the features of all blocks; 0, or OUT_OF_MEMORY.

    `weights` are those of tokens and terms, or NULL.
    """
    cdef PageModel model
    cdef uint32_t n_blocks = blocks.n_blocks, b
    table.n_blocks = 0
    table.n_containers = 0
    table.vocabulary.weights = weights
    memset(table.vocabulary.found, 0, sizeof(table.vocabulary.found))
    if n_blocks == 0:
        return 0
    if (
        make_room(&table.containers, &table.containers_capacity, blocks.n_boxes) != 0
        or read_declared(&table.declared, tree, &metrics.shown) != 0
        or model_page(&model, table.containers, tree, metrics, blocks, &table.declared, &table.vocabulary, scratch) != 0
        or make_rows(table, n_blocks) != 0
    ):
        return OUT_OF_MEMORY
    table.n_containers = model.n_containers
    table.candidate = model.candidate
    table.headline = model.headline
    for b in range(n_blocks):
        table.container_of[b] = model.rows[b].container
        table.words[b] = blocks.blocks[b].words
    write_values(table, &model, blocks)
    write_declared(table)
    return 0


cdef void write_declared(FeatureTable* table) noexcept nogil:
    """Write the features of what the page declares, for all blocks."""
    cdef uint32_t types = table.declared.types
    cdef int part
    for part in range(N_PARTS):
        fill_row(table, PAGE_DECLARED_ARTICLE + part, bounded(table.declared.n_pairs[part]))
    fill_row(table, PAGE_IS_ARTICLE, (types & TYPE_ARTICLE) != 0)
    fill_row(table, PAGE_IS_RECIPE, (types & TYPE_RECIPE) != 0)
    fill_row(table, PAGE_IS_PRODUCT, (types & TYPE_PRODUCT) != 0)
    fill_row(table, PAGE_IS_TALK, (types & (TYPE_FORUM | TYPE_QUESTION | TYPE_FAQ)) != 0)
    fill_row(table, PAGE_IS_LIST, (types & TYPE_LIST) != 0)
    fill_row(table, PAGE_KIND, table.declared.og_type)
    fill_row(table, ADDRESS_DEPTH, table.declared.url.depth)
    fill_row(table, ADDRESS_WORDS, table.declared.url.words)
    fill_row(table, ADDRESS_LENGTH, table.declared.url.length)
    fill_row(table, ADDRESS_DIGITS, table.declared.url.digits)


cdef bytes feature_bytes(const FeatureTable* table, int feature):
    """The values of a feature, one for each block: 16-bit integers in native byte order."""
    cdef bytes found = PyBytes_FromStringAndSize(NULL, table.n_blocks * sizeof(int16_t))
    cdef int16_t* values = <int16_t*> PyBytes_AS_STRING(found)
    cdef uint32_t b
    for b in range(table.n_blocks):
        values[b] = values_of(table, b)[feature * LANES]
    return found


@cython.final
cdef class Features:
    """The features of one page's blocks, for training and inspection; the memory is reused from page to page."""

    def __dealloc__(self):
        free_features(&self.table)
        release(&self.scratch)

    def compute(
        self, Document document not None, Metrics metrics not None, Blocks blocks not None, bytes token_weights=None
    ) -> None:
        """Compute the features of a document with its metrics and blocks. Without weights, the features of tokens and
        terms are 0.

        Raises ValueError unless the weights are one byte for each of 16384 tokens, terms and terms of headings, and
        RuntimeError unless metrics and blocks belong to the document.
        """
        cdef const int8_t* weights = NULL
        require_blocks_of(document, &metrics.array, &blocks.array)
        if token_weights is not None:
            if len(token_weights) != N_WEIGHTS:
                raise ValueError(f"{len(token_weights)} token weights, not {N_WEIGHTS}")
            weights = <const int8_t*> <const char*> token_weights
        self.serial = 0
        if compute_features(
            &self.table, &document.tree, &metrics.array, &blocks.array, weights, &self.scratch
        ) != 0:
            raise MemoryError(f"no memory for the features of {blocks.array.n_blocks} blocks")
        self.serial = document.tree.serial

    cdef int require(self, Document document) except -1:
        """Raise RuntimeError unless the features belong to the document's page, on which no other thread is at work."""
        document.require_idle()
        if self.serial != document.tree.serial:
            raise RuntimeError("the features are of another page than the document; compute them first")
        return 0

    @property
    def n_blocks(self) -> int:
        """The number of blocks of the page."""
        return self.table.n_blocks

    def values(self) -> bytes:
        """All values: 16-bit integers in native byte order, one row of n_blocks values per feature."""
        return b"".join([feature_bytes(&self.table, f) for f in range(N_FEATURES)])

    def containers(self) -> list[int]:
        """The container of each block, by number."""
        return [self.table.container_of[b] for b in range(self.table.n_blocks)]

    def parents(self) -> list[int]:
        """The container around each container, by number; the document, number 0, has itself."""
        return [self.table.containers[i].parent for i in range(self.table.n_containers)]

    def terms(self, Document document not None, Metrics metrics not None, Blocks blocks not None) -> list[list[int]]:
        """The hashed terms at the beginning of each block's text, as far as they are read.

        Raises RuntimeError unless metrics and blocks belong to the document.
        """
        cdef:
            const Tree* tree = &document.tree
            const Block* block
            TextPass read
            Slice text
            uint32_t b, n
            list found = []
        require_blocks_of(document, &metrics.array, &blocks.array)
        for b in range(blocks.array.n_blocks):
            block = blocks.array.blocks + b
            start_pass(&read, 0, MAX_TERMS, 0)
            for n in range(block.start, block.end):
                if tree.nodes[n].kind == KIND_TEXT and not metrics.array.nodes[n].flags & (FLAG_HIDDEN | FLAG_BLANK):
                    text = text_of(tree, n)
                    read_on(&read, text.data, text.data + text.length, readable_end(tree, tree.nodes[n].start))
            found.append([read.terms[i] for i in range(read.n_terms)])
        return found

    def tokens(self, Document document not None) -> list[list[int]]:
        """The hashed tokens of each container, without those of the containers around it.

        Raises RuntimeError if the features are of another page.
        """
        cdef:
            const Tree* tree = &document.tree
            const Node* node
            const Attribute* attribute
            Slice rest
            uint32_t i, j, start, token, tag
            list found = [[]], own
        self.require(document)
        for i in range(1, self.table.n_containers):
            node = tree.nodes + self.table.containers[i].node
            tag = node.tag if node.tag < TAG_COUNT else TAG_UNKNOWN
            own = []
            token = token_of_tag(tag)
            if token < N_TOKENS:
                own.append(token)
            for j in range(node.n_attributes):
                attribute = tree.attributes + node.attributes + j
                start = start_of_token(attribute.name, tag)
                if start == 0:
                    continue
                rest = value_of(tree, attribute)
                while read_tokens(&rest, readable_end(tree, attribute.value_start), start, &token, 1):
                    own.append(token)
            found.append(own)
        return found if self.table.n_containers else []
