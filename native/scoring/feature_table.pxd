# SPDX-License-Identifier: Apache-2.0
"""The features of a page's blocks: their numbers, and the table that holds their values.

feature_table.pyx documents each feature.

To add a feature: its number here, its row in DECLARED (feature_table.pyx), and the line that writes it, in
feature_values.pyx or, if it comes from first scores, in context.pyx. Then train a model that knows it.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int16_t, uint32_t

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.scoring.declared cimport Declared
from thresher.native.scoring.page_model cimport Container
from thresher.native.scoring.tokens cimport Vocabulary
from thresher.native.scoring.trees cimport LANES


cpdef enum Feature:
    # the block itself
    BLOCK_SIZE, BLOCK_WORDS, BLOCK_PLAIN, BLOCK_LINK_DENSITY, BLOCK_PUNCTUATION, BLOCK_PUNCTUATION_DENSITY
    BLOCK_ENDS_SENTENCE, BLOCK_TAG, BLOCK_TAGS, BLOCK_COPIES, BLOCK_SEEN, BLOCK_ALIKE, BLOCK_DEPTH, BLOCK_CONCEALED
    BLOCK_DIGITS, BLOCK_CAPITALS, BLOCK_DATE, BLOCK_TERMS, BLOCK_TERMS_MEAN, HEADING_TERMS, HEADING_TERMS_MEAN
    # where it is
    PLACE_BLOCKS, PLACE_SIZE, PLACE_GOOD, PLACE_FROM_END, PREVIOUS_GOOD, NEXT_GOOD, PREVIOUS_HEADING, PREVIOUS_TAG
    NEXT_TAG, PREVIOUS_SIZE, NEXT_SIZE, PREVIOUS_LINK_DENSITY, NEXT_LINK_DENSITY, NEAR_SIZE, NEAR_LINK_DENSITY
    WIDE_LINK_DENSITY, WIDE_GOOD
    # what is around it
    LEVEL1_PLAIN_PER_TAG, LEVEL1_GOOD, LEVEL1_GOOD_SHARE, LEVEL1_TAG, LEVEL1_DENSITY_SUM, LEVEL1_CANDIDATE
    LEVEL1_SHARE, LEVEL2_PARAGRAPHS, LEVEL2_LINK_DENSITY, LEVEL2_DENSITY_SUM, LEVEL2_CANDIDATE, LEVEL2_GOOD_SHARE
    LEVEL3_ITEMS, LEVEL3_INPUTS, LEVEL3_GOOD_SHARE, LEVEL4_GOOD_SHARE, LEVEL4_SHARE, LEVEL4_ITEMS, LEVEL4_INPUTS
    LEVEL5_SIZE, LEVEL5_IMAGES, LEVEL5_INPUTS, LEVEL5_GOOD_SHARE, LOWEST_DENSITY
    # the best candidate
    CANDIDATE_INSIDE, CANDIDATE_DISTANCE, CANDIDATE_CLIMB, CANDIDATE_SHARE, CANDIDATE_COMMON_SHARE
    CANDIDATE_COMMON_LINKS, DENSEST_INSIDE, DENSEST_SHARE, LARGEST_DISTANCE
    # the page's headline
    HEADLINE_DISTANCE, HEADLINE_CLIMB, HEADLINE_COMMON_SHARE, HEADLINE_COMMON_GOOD, HEADLINE_COMMON_LINKS
    # repetition
    PATTERN_COUNT, PATTERN_SHARE, PATTERN_SPAN, PATTERN_LINK_DENSITY, PATTERN_PUNCTUATION, PATTERN_SIZE
    REPEATED_ALIKE, REPEATED_LINK_DENSITY, REPEATED_SIZE
    # what the markup says
    IN_MAIN, IN_FRAME, IN_FORM, IN_TEXT, IN_COMMENTS, TOKENS_SUM, TOKENS_LOWEST, TOKENS_HIGHEST
    # what the page declares
    DECLARED_ARTICLE, DECLARED_RECIPE, DECLARED_OTHER, DECLARED_HEAD
    # the page
    PAGE_SIZE, PAGE_BLOCKS, PAGE_TAGS, PAGE_INPUTS, PAGE_IMAGES, PAGE_GOOD, PAGE_GOOD_BLOCKS, PAGE_LARGEST
    PAGE_LINK_DENSITY, PAGE_PARAGRAPHS, PAGE_CONCEALED, PAGE_COMMENTS, PAGE_COMMENT_BLOCKS, PAGE_BEFORE_COMMENTS
    PAGE_REPEATED, PAGE_REPEATED_GOOD, PAGE_REPEATED_OFTEN, PAGE_REPEATED_MOST, PAGE_BEFORE_REPEATED
    PAGE_DECLARED_ARTICLE, PAGE_DECLARED_RECIPE, PAGE_DECLARED_OTHER, PAGE_DECLARED_HEAD
    PAGE_IS_ARTICLE, PAGE_IS_RECIPE, PAGE_IS_PRODUCT, PAGE_IS_TALK, PAGE_IS_LIST
    PAGE_KIND, ADDRESS_DEPTH, ADDRESS_WORDS, ADDRESS_LENGTH, ADDRESS_DIGITS
    # the context of first scores
    FIRST_SCORE, FIRST_ABOVE, FIRST_BEFORE, FIRST_AFTER, FIRST_NEAR, FIRST_WIDE, FIRST_HEADING, FIRST_NEXT_GOOD
    FIRST_PLACE, FIRST_PATTERN, FIRST_PATTERN_OTHERS, FIRST_PATTERN_HIGHEST, FIRST_LEVEL1, FIRST_LEVEL1_OTHERS
    FIRST_LEVEL2, FIRST_LEVEL3, FIRST_BEST_INSIDE, FIRST_BEST_F1, FIRST_BEST_MEAN, FIRST_THRESHOLD, FIRST_F1
    FIRST_MEAN, FIRST_HIGHEST, FIRST_UNCERTAINTY


cdef enum:
    N_FEATURES = FIRST_SCORE                # of the page itself: what the first trees see
    N_ALL_FEATURES = FIRST_UNCERTAINTY + 1  # with their context: what the second trees see
    N_PAGE_FEATURES = 13                    # those of scope PAGE among the first N_FEATURES
    FAR = 999                               # the distance to a block that does not exist
    TILE = N_ALL_FEATURES * LANES           # values of LANES blocks
    LINE_BYTES = 64                         # of the processor's cache, which the values of LANES blocks fill


ctypedef struct BlockRange:     # blocks [first, end)
    uint32_t first
    uint32_t end


cpdef enum ChoiceFeature:
    # page features (feature_table.pyx), found by name
    CHOICE_PAGE_SIZE, CHOICE_PAGE_BLOCKS, CHOICE_PAGE_TAGS, CHOICE_PAGE_INPUTS, CHOICE_PAGE_IMAGES, CHOICE_PAGE_GOOD
    CHOICE_PAGE_GOOD_BLOCKS, CHOICE_PAGE_LARGEST, CHOICE_PAGE_LINK_DENSITY, CHOICE_PAGE_PARAGRAPHS
    CHOICE_PAGE_CONCEALED, CHOICE_CANDIDATE_SHARE, CHOICE_DENSEST_SHARE
    CHOICE_EXPECTED_SHARE       # sum of p * words over words
    CHOICE_UNCERTAINTY          # sum of p * (1 - p) * words over words
    CHOICE_UNCERTAINTY_KEPT     # sum of p * (1 - p) * words over the sum of p * words
    CHOICE_HIGHEST              # largest p
    CHOICE_ABOVE_10             # share of the words in blocks of p above .1
    CHOICE_ABOVE_30, CHOICE_ABOVE_50, CHOICE_ABOVE_70, CHOICE_ABOVE_90
    CHOICE_NUMBER               # index of the choice among the sixteen
    CHOICE_F1                   # expected F1
    CHOICE_PRECISION            # expected precision
    CHOICE_RECALL               # expected recall
    CHOICE_KEPT_SHARE           # share of the words that it keeps
    CHOICE_KEPT_WORDS
    CHOICE_KEPT_BLOCKS
    CHOICE_KEPT_SPAN            # share of the page's blocks from the first to the last that it keeps
    CHOICE_KEPT_LINKS           # mean link density of the kept words
    CHOICE_KEPT_INSIDE          # share of the kept words inside the best candidate
    CHOICE_LOWEST_KEPT          # smallest p that it keeps
    CHOICE_HIGHEST_DROPPED      # largest p that it drops
    CHOICE_SWITCHES             # changes from kept to dropped and back
    CHOICE_SWITCH_RATE          # those per block
    CHOICE_AGREEMENT            # Dice coefficient of its words with those of the choice by expected F1
    N_CHOICE_FEATURES


ctypedef struct FeatureTable:   # owns its arrays, which are reused from page to page
    int16_t* values             # tiles of LANES blocks: values_of() finds one; 0 beyond the last block or as for all
    int16_t* scores             # the score of each block, written by the scorer
    uint32_t n_blocks
    uint32_t n_tiles            # at least one
    Container* containers
    uint32_t n_containers
    uint32_t candidate          # the container that is the best candidate (page_model.pxd)
    uint32_t headline           # the block with the page's headline; NO_BLOCK if there is none
    uint32_t* container_of      # number of each block's container
    uint32_t* words             # words of each block
    int16_t* link_density       # and the feature BLOCK_LINK_DENSITY, for whoever chooses blocks
    Declared declared           # what the page declares
    Vocabulary vocabulary       # its tokens and terms
    BlockRange* ranges          # one for each container, for whoever chooses blocks
    int16_t* memory             # what holds the values
    size_t memory_capacity
    size_t containers_capacity
    size_t container_of_capacity
    size_t words_capacity
    size_t link_density_capacity
    size_t ranges_capacity


cdef int make_rows(FeatureTable* table, uint32_t n_blocks) noexcept nogil
cdef void free_features(FeatureTable* table) noexcept nogil
cdef size_t features_bytes(const FeatureTable* table) noexcept nogil
cdef void copy_container_values(int16_t* values, const int16_t* before) noexcept nogil
cdef void read_page_values(const FeatureTable* table, int16_t* values) noexcept nogil


cdef inline int16_t* values_of(const FeatureTable* table, uint32_t block) noexcept nogil:
    """The values of a block: that of feature f is f * LANES further on."""
    THRESHER_CHECK(block < table.n_blocks)
    return table.values + block // LANES * <size_t> TILE + block % LANES


cdef inline void fill_row(FeatureTable* table, int feature, int16_t value) noexcept nogil:
    """Give all blocks one value of a feature."""
    cdef int16_t* row = table.values + feature * LANES
    cdef uint32_t t, i
    for t in range(table.n_tiles):
        for i in range(LANES):
            row[i] = value
        row += TILE
