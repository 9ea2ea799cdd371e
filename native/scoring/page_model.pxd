# SPDX-License-Identifier: Apache-2.0
"""The page as the features see it: blocks with their measures, the containers around them, and groups of similar ones.

A *container* is a box (blocks.pxd): an element that makes a block boundary. Containers form a tree in document order. What a
block inherits from its surroundings is computed once per container. *Plain* text is text outside links. The *size* of a
text is its characters, but at least three per word, so that scripts written without spaces get equal weight. A block is
*good* if its size is above GOOD_SIZE and less than .3 of it is in links; articles are made of such blocks. The
*pattern* of a block is the tags and classes of its innermost three containers.
"""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Tree
from thresher.native.scoring.declared cimport N_PARTS, Declared
from thresher.native.scoring.tokens cimport TermSums, Vocabulary
from thresher.native.base.scratch cimport Scratch


cdef enum:
    GOOD_SIZE = 80
    NO_GROUP = 0xFFFFFFFF


cdef enum Meaning:             # what the markup says about an element
    MEANS_MAIN = 1
    MEANS_ARTICLE = 2
    MEANS_BODY_TEXT = 4
    MEANS_NAVIGATION = 8
    MEANS_ASIDE = 16
    MEANS_FOOTER = 32
    MEANS_HEADER = 64
    MEANS_FORM = 128
    MEANS_DIALOG = 256
    MEANS_TABLE = 512
    MEANS_FIGURE = 1024
    MEANS_QUOTE = 2048
    MEANS_LIST = 4096
    MEANS_COMMENTS = 8192       # readers' comments (regions.pxd)


ctypedef struct Container:      # a box, with its number; number 0 is the document
    uint32_t node
    uint32_t parent             # number of the container around it
    uint32_t wider              # number of the innermost container around it that has more blocks; 0 if there is none
    uint32_t first_block        # its blocks: [first_block, end_block)
    uint32_t end_block
    uint32_t images             # inside it
    uint32_t inputs             # form controls inside it
    uint32_t tags               # elements inside it, at least 1
    uint32_t signature          # hash of tag and class
    uint32_t alike              # number of its group of similar siblings
    uint32_t repeated           # the container from here up with the most similar siblings
    uint32_t pattern            # number of its group of containers with the same path; NO_GROUP if it has no block
    uint32_t candidate_common   # first container from here up that holds the best candidate
    uint32_t headline_common    # first container from here up that holds the headline
    float candidate             # candidate score
    float density               # plain size per tag
    float density_sum           # sum of the densities of its children
    float lowest_density        # lowest density from the body down to it
    int32_t tokens_sum
    int16_t tokens_lowest
    int16_t tokens_highest
    uint16_t meaning            # Meaning bits of it and its ancestors
    uint16_t depth              # containers around it
    uint8_t tag                 # code of its tag
    uint8_t is_leaf_text        # its text counts for the container around it: p, li, td and similar
    uint16_t reserved


ctypedef struct Row:            # the measures of a block, and sums over the blocks before it
    uint64_t text               # hash of the beginning of its text
    TermSums terms              # learned weights of its first terms
    uint32_t container
    uint32_t size
    uint32_t link_size
    uint32_t punctuation
    uint32_t commas
    uint32_t copies             # number of the group of its copies
    uint8_t ends_sentence
    uint8_t good
    uint8_t seen
    uint8_t tag
    uint8_t concealed
    uint8_t date                # whether there is a date in its first characters,
    int16_t digits              # and thousandths of them that are digits
    int16_t capitals
    int16_t[N_PARTS] declared   # thousandths of the pairs of words at its beginning that are declared
    # sums before the block
    uint32_t size_before
    uint32_t link_size_before
    uint32_t punctuation_before
    uint32_t good_before        # size of good blocks
    uint32_t good_blocks_before
    uint32_t paragraphs_before
    uint32_t items_before


ctypedef struct Group:          # similar blocks or containers
    uint32_t count
    uint32_t size
    uint32_t link_size
    uint32_t punctuation
    uint32_t first
    uint32_t last


ctypedef struct PageModel:
    Container* containers       # owned by the FeatureTable; the other arrays are scratch memory
    Row* rows                   # for each block, and one after the last with the sums over all
    Group* copies               # groups of blocks with the same text,
    Group* alike                # of sibling containers with the same tag and class,
    Group* patterns             # and of blocks with the same pattern
    uint32_t n_containers
    uint32_t n_blocks
    uint32_t candidate          # the best candidate: the container with the most points of text-like blocks
    uint32_t densest            # the container with the largest density sum
    uint32_t headline           # the block with the page's headline (headline.pxd); NO_BLOCK if there is none


cdef int model_page(
    PageModel* model, Container* containers, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks,
    const Declared* declared, Vocabulary* words, Scratch* scratch,
) noexcept nogil


cdef inline double range_size(const Row* rows, const Container* c) noexcept nogil:
    """The size of a container's text."""
    return rows[c.end_block].size_before - rows[c.first_block].size_before


cdef inline double range_links(const Row* rows, const Container* c) noexcept nogil:
    """The size of a container's text in links."""
    return rows[c.end_block].link_size_before - rows[c.first_block].link_size_before


cdef inline double range_good(const Row* rows, const Container* c) noexcept nogil:
    """The size of a container's good blocks."""
    return rows[c.end_block].good_before - rows[c.first_block].good_before


cdef inline uint32_t n_blocks_of(const Container* c) noexcept nogil:
    """The number of blocks in a container."""
    return c.end_block - c.first_block
