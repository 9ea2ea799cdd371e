# SPDX-License-Identifier: Apache-2.0
"""Features: what the learned scorer sees of each block, as rows of 16-bit integers, one row per feature.

Ratios are in thousandths, counts as they are, both cut off at the ends of the 16-bit range. Boosted trees only ask whether a value is
above a threshold, so nothing needs a logarithm or a mean, and whole numbers make the scores the same on every machine.

A *container* is an element that makes a block boundary (blocks.pxd); containers form a tree of their own, in document order. What a
block inherits is computed once per container. *Plain* text is text outside links. The *size* of a text is its characters, but at least three
per word, so that scripts written without spaces weigh as much as others. A block is *good* if it is larger than 80 and less than .3 of it
stands in links; such blocks are what articles are made of.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint16_t, uint32_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.parsing.document cimport Tree
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.scratch cimport Scratch


cpdef enum Feature:
    # the block itself
    BLOCK_SIZE = 0              # size
    BLOCK_WORDS                 # words
    BLOCK_PLAIN                 # size of its plain text
    BLOCK_LINK_DENSITY          # share of its size in links
    BLOCK_PUNCTUATION           # punctuation marks
    BLOCK_PUNCTUATION_DENSITY   # punctuation marks per size
    BLOCK_ENDS_SENTENCE         # 1 if its last character ends a sentence
    BLOCK_TAG                   # code of its container's tag
    BLOCK_TAGS                  # elements inside it
    BLOCK_COPIES                # blocks of the page with the same text
    BLOCK_SEEN                  # 1 if an earlier block has the same text
    BLOCK_ALIKE                 # siblings of its container with the same tag and class
    BLOCK_DEPTH                 # containers around it
    BLOCK_CONCEALED             # 1 if concealed (metrics.pxd)
    BLOCK_TERMS                 # learned weights of the first terms of its text: their sum,
    BLOCK_TERMS_MEAN            # and sixteen times their mean
    HEADING_TERMS               # the same of the last heading before it, with weights of headings; 0 for a heading
    HEADING_TERMS_MEAN
    # where it stands
    PLACE_BLOCKS                # share of the page's blocks before it
    PLACE_SIZE                  # share of the page's size before it
    PLACE_GOOD                  # share of the size of good blocks before it
    PLACE_FROM_END              # blocks after it
    PREVIOUS_GOOD               # blocks to the next good block before it
    NEXT_GOOD                   # blocks to the next good block after it
    PREVIOUS_HEADING            # blocks to the last heading
    PREVIOUS_TAG                # code of the tag of the block before
    NEXT_TAG                    # code of the tag of the block after
    PREVIOUS_SIZE               # size of the block before
    NEXT_SIZE                   # size of the block after
    PREVIOUS_LINK_DENSITY       # link density of the block before
    NEXT_LINK_DENSITY           # link density of the block after
    NEAR_SIZE                   # mean size of the seven blocks around it
    NEAR_LINK_DENSITY           # their link density
    WIDE_LINK_DENSITY           # link density of the 21 blocks around it
    WIDE_GOOD                   # share of their size in good blocks
    # what is around it: level 1 is the innermost container with more than one block, each next level one with more blocks
    LEVEL1_PLAIN_PER_TAG
    LEVEL1_GOOD                 # share of its size in good blocks
    LEVEL1_GOOD_SHARE           # share of the page's good size
    LEVEL1_TAG
    LEVEL1_DENSITY_SUM          # density sum relative to the page's largest (Sun, Song and Liao 2011)
    LEVEL1_CANDIDATE            # candidate score relative to the page's best
    LEVEL1_SHARE                # share of the page's size
    LEVEL2_PARAGRAPHS           # p per block
    LEVEL2_LINK_DENSITY
    LEVEL2_DENSITY_SUM
    LEVEL2_CANDIDATE
    LEVEL2_GOOD_SHARE
    LEVEL3_ITEMS                # li per block
    LEVEL3_INPUTS               # form controls inside it
    LEVEL3_GOOD_SHARE
    LEVEL4_GOOD_SHARE
    LEVEL4_SHARE
    LEVEL4_ITEMS
    LEVEL4_INPUTS
    LEVEL5_SIZE
    LEVEL5_IMAGES
    LEVEL5_INPUTS
    LEVEL5_GOOD_SHARE
    LOWEST_DENSITY              # lowest density on the path from the body
    # the best candidate: the container where the points of text-like blocks come together, as in Readability
    CANDIDATE_INSIDE            # 1 if the block is inside it
    CANDIDATE_DISTANCE          # blocks to it, negative before it
    CANDIDATE_CLIMB             # containers from it up to the first one that holds the block too
    CANDIDATE_SHARE             # share of the page's size in it
    CANDIDATE_COMMON_SHARE      # share of the page's size in the first container that holds both
    CANDIDATE_COMMON_LINKS      # link density there
    DENSEST_INSIDE              # 1 if the block is inside the container of the largest density sum
    DENSEST_SHARE               # share of the page's size in that container
    LARGEST_DISTANCE            # blocks to the block with the most plain text, negative before it
    # the page's headline: the heading that has most words of the title, else the first h1
    HEADLINE_DISTANCE           # blocks to it, negative before it; the smallest value where there is none
    HEADLINE_CLIMB
    HEADLINE_COMMON_SHARE
    HEADLINE_COMMON_GOOD        # share of the page's good size in the first container that holds both
    HEADLINE_COMMON_LINKS
    # repetition: blocks whose innermost three containers have the same tags and classes
    PATTERN_COUNT
    PATTERN_SHARE               # share of the page's size
    PATTERN_SPAN                # share of the page's blocks from the first to the last
    PATTERN_LINK_DENSITY
    PATTERN_PUNCTUATION         # punctuation marks per size
    PATTERN_SIZE                # mean size
    REPEATED_ALIKE              # largest number of alike siblings of any container around it
    REPEATED_LINK_DENSITY       # link density of those siblings
    REPEATED_SIZE               # size of the one around it
    # what the markup says
    IN_MAIN                     # main, article or itemprop articleBody: 1, 2 and 4 added up
    IN_FRAME                    # nav, aside, footer, header: 1, 2, 4 and 8 added up
    IN_FORM                     # form, dialog: 1 and 2 added up
    IN_TEXT                     # table, figure, blockquote or pre, list: 1, 2, 4 and 8 added up
    TOKENS_SUM                  # learned weights of the tokens of class, id, role and itemprop on the path from the root: their sum,
    TOKENS_LOWEST               # smallest
    TOKENS_HIGHEST              # and largest sum over one element
    # the page
    PAGE_SIZE                   # size in tens
    PAGE_BLOCKS
    PAGE_TAGS                   # elements of the body
    PAGE_INPUTS
    PAGE_IMAGES
    PAGE_GOOD                   # share of the size in good blocks
    PAGE_GOOD_BLOCKS
    PAGE_LARGEST                # share of the size in the largest block
    PAGE_LINK_DENSITY
    PAGE_PARAGRAPHS             # p per block
    PAGE_CONCEALED              # share of the size that is concealed
    N_FEATURES


cdef enum:
    LANES = 16              # rows are padded to a multiple of this many blocks; the padding is 0
    MORE_FEATURES = 32      # for what is computed of the first scores (context.pxd)
    TOKEN_BITS = 14
    N_TOKENS = 1 << 14      # tokens are hashed to this many weights
    N_WEIGHTS = 3 << 14     # weights of tokens of the markup, of terms of a block's text, of terms of the heading before it


ctypedef struct Container:      # an element that makes a block boundary; number 0 is the document
    uint32_t node
    uint32_t end                # one past its last node
    uint32_t parent             # number of the container around it
    uint32_t wider              # number of the innermost container around it with more blocks; 0 where there is none
    uint32_t first_block        # its blocks: [first_block, end_block)
    uint32_t end_block
    uint32_t images             # inside it
    uint32_t inputs             # form controls inside it
    uint32_t tags               # elements inside it, at least 1
    uint32_t signature          # hash of tag and class
    uint32_t alike              # number of the group of its alike siblings
    uint32_t repeated           # the container from here up with the most alike siblings
    uint32_t pattern            # number of the group of its alike paths
    uint32_t candidate_common   # first container from here up that holds the best candidate
    uint32_t headline_common    # first container from here up that holds the headline
    float candidate             # candidate score
    float density               # plain size per tag
    float density_sum           # sum of the densities of its children
    float lowest_density        # lowest density from the body down to it
    int32_t tokens_sum
    int16_t tokens_lowest
    int16_t tokens_highest
    uint16_t meaning            # Meaning bits of it and what is around it
    uint16_t depth              # containers around it
    uint8_t tag                 # code of its tag
    uint8_t is_leaf_text        # its text counts for the container around it: p, li, td and the like
    uint16_t reserved


ctypedef struct FeatureTable:
    int16_t* values             # value of feature f of block b: values[f * stride + b]; behind them is room for MORE_FEATURES rows
    uint32_t stride             # n_blocks rounded up to LANES
    uint32_t n_blocks
    Container* containers
    uint32_t n_containers
    uint32_t* container_of      # number of each block's container
    uint32_t* sizes             # size of each block


cdef int compute_features(
    FeatureTable* table, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const int8_t* weights, Scratch* scratch
) noexcept nogil


cdef class Features:
    """Owns the features of one page's blocks; the memory is reused from page to page."""
    cdef FeatureTable table
    cdef Scratch scratch
