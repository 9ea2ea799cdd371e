# SPDX-License-Identifier: Apache-2.0
"""The features, each declared once, and the memory of their values.

Values are 16-bit integers. Boosted trees only ask whether a value is above a threshold, so features need no logarithms
or means, and integers make the scores the same on every machine.
"""

from typing import NamedTuple

from libc.stdlib cimport free
from libc.string cimport memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY, make_room
from thresher.native.scoring.declared cimport declared_bytes, free_declared


class Unit(NamedTuple):
    """What a feature counts, and the size of one unit of its value."""

    name: str
    scale: float


COUNT = Unit("count", 1)
SIZE = Unit("size", 1)                      # page_model.pxd
TENS = Unit("size", 0.1)
SHARE = Unit("share", 1000)
FLAG = Unit("flag", 1)
CODE = Unit("code", 1)
DISTANCE = Unit("blocks", 1)                # FAR if there is no such block
OFFSET = Unit("offset", 1)                  # blocks, negative in one direction
DENSITY = Unit("density", 1)                # plain size per tag
DENSITY_TENTHS = Unit("density", 10)
WEIGHT = Unit("weight", 1)                  # of tokens or terms, as learned
WEIGHT_16THS = Unit("weight", 16)
LOGIT = Unit("logit", 4096)
PROBABILITY = Unit("probability", 4096)

# The blocks that share a value: BLOCK none, CONTAINER those of one container, PAGE and WHOLE all. Choices of blocks
# also see features of scope PAGE, but not those of scope WHOLE, which do not help them.
BLOCK, CONTAINER, PAGE, WHOLE = "block", "container", "page", "whole"


class Declaration(NamedTuple):
    """A feature."""

    name: str
    scope: str
    unit: Unit
    meaning: str


DECLARED = tuple(Declaration(*row) for row in (
    # the block itself
    ("block_size", BLOCK, SIZE, "size"),
    ("block_words", BLOCK, COUNT, "words"),
    ("block_plain", BLOCK, SIZE, "size of its plain text"),
    ("block_link_density", BLOCK, SHARE, "share of its size in links"),
    ("block_punctuation", BLOCK, COUNT, "punctuation marks"),
    ("block_punctuation_density", BLOCK, SHARE, "punctuation marks per size"),
    ("block_ends_sentence", BLOCK, FLAG, "1 if its last character ends a sentence"),
    ("block_tag", CONTAINER, CODE, "code of its container's tag"),
    ("block_tags", BLOCK, COUNT, "elements inside it"),
    ("block_copies", BLOCK, COUNT, "blocks of the page with the same text"),
    ("block_seen", BLOCK, FLAG, "1 if an earlier block has the same text"),
    ("block_alike", CONTAINER, COUNT, "siblings of its container with the same tag and class"),
    ("block_depth", CONTAINER, COUNT, "containers around it"),
    ("block_concealed", BLOCK, FLAG, "1 if it is concealed (metrics.pxd)"),
    ("block_digits", BLOCK, SHARE, "digits among its first characters (texts.pyx)"),
    ("block_capitals", BLOCK, SHARE, "capitals among them"),
    ("block_date", BLOCK, FLAG, "1 if there is a year or a time of the day among them"),
    ("block_terms", BLOCK, WEIGHT, "sum of the learned weights of its first terms (tokens.pxd)"),
    ("block_terms_mean", BLOCK, WEIGHT_16THS, "their mean"),
    ("heading_terms", BLOCK, WEIGHT,
     "sum of the weights, as terms of a heading, of the last heading before it; 0 for a heading itself"),
    ("heading_terms_mean", BLOCK, WEIGHT_16THS, "their mean"),
    # where it is
    ("place_blocks", BLOCK, SHARE, "share of the page's blocks before it"),
    ("place_size", BLOCK, SHARE, "share of the page's size before it"),
    ("place_good", BLOCK, SHARE, "share of the size of good blocks before it"),
    ("place_from_end", BLOCK, COUNT, "blocks after it"),
    ("previous_good", BLOCK, DISTANCE, "blocks to the next good block before it"),
    ("next_good", BLOCK, DISTANCE, "blocks to the next good block after it"),
    ("previous_heading", BLOCK, DISTANCE, "blocks to the last heading"),
    ("previous_tag", BLOCK, CODE, "code of the tag of the block before; -1, as in the next two, for the first block"),
    ("next_tag", BLOCK, CODE, "code of the tag of the block after; -1, as in the next two, for the last block"),
    ("previous_size", BLOCK, SIZE, "size of the block before"),
    ("next_size", BLOCK, SIZE, "size of the block after"),
    ("previous_link_density", BLOCK, SHARE, "link density of the block before"),
    ("next_link_density", BLOCK, SHARE, "link density of the block after"),
    ("near_size", BLOCK, SIZE, "mean size of the seven blocks around it"),
    ("near_link_density", BLOCK, SHARE, "their link density"),
    ("wide_link_density", BLOCK, SHARE, "link density of the 21 blocks around it"),
    ("wide_good", BLOCK, SHARE, "share of their size in good blocks"),
    # what is around it: level 1 is the innermost container with more than one block, each further level one with more
    # blocks
    ("level1_plain_per_tag", CONTAINER, DENSITY_TENTHS, "plain size per tag of the container of level 1"),
    ("level1_good", CONTAINER, SHARE, "share of its size in good blocks"),
    ("level1_good_share", CONTAINER, SHARE, "share of the page's good size"),
    ("level1_tag", CONTAINER, CODE, "code of its tag"),
    ("level1_density_sum", CONTAINER, SHARE, "density sum relative to the page's largest (Sun, Song and Liao 2011)"),
    ("level1_candidate", CONTAINER, SHARE, "candidate score relative to the page's best"),
    ("level1_share", CONTAINER, SHARE, "share of the page's size"),
    ("level2_paragraphs", CONTAINER, SHARE, "p per block of the container of level 2"),
    ("level2_link_density", CONTAINER, SHARE, "share of its size in links"),
    ("level2_density_sum", CONTAINER, DENSITY, "its density sum"),
    ("level2_candidate", CONTAINER, SHARE, "its candidate score relative to the page's best"),
    ("level2_good_share", CONTAINER, SHARE, "share of the page's good size"),
    ("level3_items", CONTAINER, SHARE, "li per block of the container of level 3"),
    ("level3_inputs", CONTAINER, COUNT, "form controls inside it"),
    ("level3_good_share", CONTAINER, SHARE, "share of the page's good size"),
    ("level4_good_share", CONTAINER, SHARE, "share of the page's good size in the container of level 4"),
    ("level4_share", CONTAINER, SHARE, "share of the page's size"),
    ("level4_items", CONTAINER, SHARE, "li per block"),
    ("level4_inputs", CONTAINER, COUNT, "form controls inside it"),
    ("level5_size", CONTAINER, SIZE, "size of the container of level 5"),
    ("level5_images", CONTAINER, COUNT, "images inside it"),
    ("level5_inputs", CONTAINER, COUNT, "form controls inside it"),
    ("level5_good_share", CONTAINER, SHARE, "share of the page's good size"),
    ("lowest_density", CONTAINER, DENSITY_TENTHS, "lowest density on the path from the body"),
    # the best candidate: the container with the most points of text-like blocks, as in Readability
    ("candidate_inside", BLOCK, FLAG, "1 if the block is inside it"),
    ("candidate_distance", BLOCK, OFFSET, "blocks to it, negative before it"),
    ("candidate_climb", CONTAINER, COUNT, "containers from it up to the first one that holds the block too"),
    ("candidate_share", PAGE, SHARE, "share of the page's size in it"),
    ("candidate_common_share", CONTAINER, SHARE, "share of the page's size in the first container that holds both"),
    ("candidate_common_links", CONTAINER, SHARE, "share of the size in links there"),
    ("densest_inside", BLOCK, FLAG, "1 if the block is inside the container of the largest density sum"),
    ("densest_share", PAGE, SHARE, "share of the page's size in that container"),
    ("largest_distance", BLOCK, OFFSET, "blocks to the block with the most plain text, negative before it"),
    # the page's headline: the heading that has most words of the title, otherwise the first h1
    ("headline_distance", BLOCK, OFFSET, "blocks to it, negative before it; -32768 where there is none"),
    ("headline_climb", CONTAINER, COUNT, "containers from it up to the first one that holds the block too"),
    ("headline_common_share", CONTAINER, SHARE, "share of the page's size in the first container that holds both"),
    ("headline_common_good", CONTAINER, SHARE, "share of the page's good size in the first container that holds both"),
    ("headline_common_links", CONTAINER, SHARE, "share of the size in links there"),
    # repetition: blocks whose innermost three containers have the same tags and classes
    ("pattern_count", CONTAINER, COUNT, "blocks of its pattern"),
    ("pattern_share", CONTAINER, SHARE, "their share of the page's size"),
    ("pattern_span", CONTAINER, SHARE, "share of the page's blocks from the first to the last of them"),
    ("pattern_link_density", CONTAINER, SHARE, "share of their size in links"),
    ("pattern_punctuation", CONTAINER, SHARE, "punctuation marks per size"),
    ("pattern_size", CONTAINER, SIZE, "their mean size"),
    ("repeated_alike", CONTAINER, COUNT, "largest number of alike siblings of any container around it"),
    ("repeated_link_density", CONTAINER, SHARE, "share of those siblings' size in links"),
    ("repeated_size", CONTAINER, SIZE, "size of the container that has them"),
    # what the markup says
    ("in_main", CONTAINER, CODE, "inside main, article, itemprop articleBody: 1, 2 and 4 added up"),
    ("in_frame", CONTAINER, CODE, "inside nav, aside, footer, header: 1, 2, 4 and 8 added up"),
    ("in_form", CONTAINER, CODE, "inside form, dialog: 1 and 2 added up"),
    ("in_text", CONTAINER, CODE, "inside table, figure, blockquote or pre, list: 1, 2, 4 and 8 added up"),
    ("in_comments", CONTAINER, FLAG, "1 inside comments of readers (regions.pxd)"),
    ("tokens_sum", CONTAINER, WEIGHT,
     "sum of the learned weights of the tokens on the path from the root (tokens.pxd)"),
    ("tokens_lowest", CONTAINER, WEIGHT, "the smallest sum over one element of the path"),
    ("tokens_highest", CONTAINER, WEIGHT, "and the largest"),
    # what the page declares (declared.pxd): how many of the block's first word pairs are declared there
    ("declared_article", BLOCK, SHARE, "in the text of an article or posting in JSON-LD"),
    ("declared_recipe", BLOCK, SHARE, "in ingredients or instructions in JSON-LD"),
    ("declared_other", BLOCK, SHARE, "in any other string of JSON-LD"),
    ("declared_head", BLOCK, SHARE, "in the title or description of the page"),
    # the page
    ("page_size", PAGE, TENS, "the page's size"),
    ("page_blocks", PAGE, COUNT, "its blocks"),
    ("page_tags", PAGE, COUNT, "elements of the body"),
    ("page_inputs", PAGE, COUNT, "form controls"),
    ("page_images", PAGE, COUNT, "images"),
    ("page_good", PAGE, SHARE, "share of the size in good blocks"),
    ("page_good_blocks", PAGE, COUNT, "good blocks"),
    ("page_largest", PAGE, SHARE, "share of the size in the largest block"),
    ("page_link_density", PAGE, SHARE, "share of the size in links"),
    ("page_paragraphs", PAGE, SHARE, "p per block"),
    ("page_concealed", PAGE, SHARE, "share of the size that is concealed"),
    # discussions and articles with comments: where the good size is
    ("page_comments", WHOLE, SHARE, "share of it inside comments of readers"),
    ("page_comment_blocks", WHOLE, SHARE, "share of the blocks inside them"),
    ("page_before_comments", WHOLE, SHARE, "share of it before the first of them"),
    ("page_repeated", WHOLE, SHARE, "share of the size in patterns of three blocks or more"),
    ("page_repeated_good", WHOLE, SHARE, "share of the good size in them"),
    ("page_repeated_often", WHOLE, SHARE, "in patterns of eight or more"),
    ("page_repeated_most", WHOLE, SHARE, "size of the largest pattern of few links, per good size"),
    ("page_before_repeated", WHOLE, SHARE, "share of it before the first good block in a pattern of three or more"),
    ("page_declared_article", WHOLE, COUNT, "pairs of words that the page declares as the text of an article"),
    ("page_declared_recipe", WHOLE, COUNT, "as a recipe"),
    ("page_declared_other", WHOLE, COUNT, "in any other string of JSON-LD"),
    ("page_declared_head", WHOLE, COUNT, "as title or description"),
    ("page_is_article", WHOLE, FLAG, "1 if the page declares itself an article or a posting in JSON-LD"),
    ("page_is_recipe", WHOLE, FLAG, "a recipe"),
    ("page_is_product", WHOLE, FLAG, "a product"),
    ("page_is_talk", WHOLE, FLAG, "a discussion, or questions and answers"),
    ("page_is_list", WHOLE, FLAG, "a list or a collection"),
    ("page_kind", WHOLE, CODE, "what og:type says: 0 nothing, 1 an article, 2 a website, 3 something else"),
    # the page's own URL (url_form.pxd), -1 where it gives none
    ("address_depth", WHOLE, COUNT, "parts of its path, at most 4"),
    ("address_words", WHOLE, COUNT, "words of the last part, at most 9"),
    ("address_length", WHOLE, COUNT, "its characters, at most 99"),
    ("address_digits", WHOLE, COUNT, "digits of its longest number, at most 9"),
    # the context of first scores (context.pxd); p is the first probability of a block; its weight in means and sums is
    # its words + 1
    ("first_score", BLOCK, LOGIT, "the first score"),
    ("first_above", BLOCK, PROBABILITY, "p less the page's threshold, first_threshold"),
    ("first_before", BLOCK, LOGIT, "first score of the block before, the smallest value for the first block"),
    ("first_after", BLOCK, LOGIT, "first score of the block after, the smallest value for the last block"),
    ("first_near", BLOCK, PROBABILITY, "mean p of the five blocks around it"),
    ("first_wide", BLOCK, PROBABILITY, "mean p of the 21 blocks around it"),
    ("first_heading", BLOCK, LOGIT, "first score of the last heading, the smallest value where there is none"),
    ("first_next_good", BLOCK, LOGIT, "first score of the next good block, the smallest value where there is none"),
    ("first_place", BLOCK, SHARE, "share of the page's sum of p before it"),
    ("first_pattern", CONTAINER, PROBABILITY, "mean p of the blocks of its pattern"),
    ("first_pattern_others", BLOCK, PROBABILITY, "mean p of those except itself"),
    ("first_pattern_highest", CONTAINER, LOGIT, "highest first score of them"),
    ("first_level1", CONTAINER, PROBABILITY, "mean p of the blocks in the container of level 1"),
    ("first_level1_others", BLOCK, PROBABILITY, "mean p of those except itself"),
    ("first_level2", CONTAINER, PROBABILITY, "mean p of the blocks in the container of level 2"),
    ("first_level3", CONTAINER, PROBABILITY, "mean p of the blocks in the container of level 3"),
    ("first_best_inside", BLOCK, FLAG,
     "1 if it is in the best container: the one of the largest expected F1 (decoding.pxd) if kept whole"),
    ("first_best_f1", PAGE, SHARE, "that F1"),
    ("first_best_mean", PAGE, PROBABILITY, "mean p in it"),
    ("first_threshold", PAGE, PROBABILITY, "p from which keeping all blocks has the largest expected F1"),
    ("first_f1", PAGE, SHARE, "that F1"),
    ("first_mean", PAGE, PROBABILITY, "mean p of the page"),
    ("first_highest", PAGE, PROBABILITY, "largest p of the page"),
    ("first_uncertainty", PAGE, SHARE, "sum of p * (1 - p) over the sum of p"),
))
"""Every feature, in the order of the numbers in feature_table.pxd."""

FAR_VALUE = <int> FAR
"""The value of a feature with the unit DISTANCE if there is no such block."""

_NAMES = tuple(feature.name for feature in DECLARED)
FEATURES = _NAMES[:N_FEATURES]
"""Names of the features of the page itself."""
CONTEXT_FEATURES = _NAMES[N_FEATURES:]
"""Names of the features that come from first scores (context.pxd)."""

if _NAMES != tuple(name.lower() for name in globals()["Feature"].__members__):
    raise RuntimeError("the features of feature_table.pxd are not those that are declared")


cdef enum:
    MAX_RUNS = 16

cdef int[N_PAGE_FEATURES] PAGE_FEATURES     # numbers of the features with scope PAGE
cdef int[MAX_RUNS][2] RUNS                  # the features with scope CONTAINER, as ranges of numbers
cdef int N_RUNS = 0


cdef int _sort_by_scope() except -1:
    """Fill the lists of features by scope."""
    global N_RUNS
    cdef int f, n = 0
    pages = [f for f in range(N_FEATURES) if DECLARED[f].scope == PAGE]
    if len(pages) != N_PAGE_FEATURES:
        raise RuntimeError(f"{len(pages)} features of the page are declared, and N_PAGE_FEATURES is {N_PAGE_FEATURES}")
    for n in range(N_PAGE_FEATURES):
        PAGE_FEATURES[n] = pages[n]
    for f in range(N_FEATURES):
        if DECLARED[f].scope == CONTAINER:
            if f == 0 or DECLARED[f - 1].scope != CONTAINER:
                if N_RUNS == MAX_RUNS:
                    raise RuntimeError(f"more than {MAX_RUNS} runs of features of containers")
                RUNS[N_RUNS][0] = f
                N_RUNS += 1
            RUNS[N_RUNS - 1][1] = f + 1
    return 0


_sort_by_scope()
PAGE_FEATURE_NAMES = tuple(_NAMES[f] for f in PAGE_FEATURES)
"""Names of the features that are equal for all blocks of a page, in the order of read_page_values()."""


cdef int make_rows(FeatureTable* table, uint32_t n_blocks) noexcept nogil:
    """Make room for the values of that many blocks, at least one; 0, or OUT_OF_MEMORY."""
    cdef size_t n_tiles = (<size_t> n_blocks + LANES - 1) // LANES
    table.n_blocks = 0
    if (
        make_room(&table.memory, &table.memory_capacity, n_tiles * (TILE + LANES) + LANES) != 0
        or make_room(&table.container_of, &table.container_of_capacity, n_blocks) != 0
        or make_room(&table.words, &table.words_capacity, n_blocks) != 0
        or make_room(&table.link_density, &table.link_density_capacity, n_blocks) != 0
    ):
        return OUT_OF_MEMORY
    # A vector that begins elsewhere is in two lines of the processor's cache, and takes twice as long to load.
    table.values = <int16_t*> ((<size_t> table.memory + LINE_BYTES - 1) // LINE_BYTES * LINE_BYTES)
    table.n_blocks = n_blocks
    table.n_tiles = <uint32_t> n_tiles
    table.scores = table.values + n_tiles * TILE
    memset(table.values + (n_tiles - 1) * TILE, 0, TILE * sizeof(int16_t))
    return 0


cdef void free_features(FeatureTable* table) noexcept nogil:
    """Free the memory."""
    free(table.memory)
    free(table.containers)
    free(table.container_of)
    free(table.words)
    free(table.link_density)
    free(table.ranges)
    free_declared(&table.declared)
    memset(table, 0, sizeof(FeatureTable))


cdef size_t features_bytes(const FeatureTable* table) noexcept nogil:
    """Bytes of memory held."""
    return (
        (table.memory_capacity + table.link_density_capacity) * sizeof(int16_t) + table.containers_capacity * sizeof(Container)
        + (table.container_of_capacity + table.words_capacity) * sizeof(uint32_t)
        + table.ranges_capacity * sizeof(BlockRange) + declared_bytes(&table.declared)
    )


cdef void copy_container_values(int16_t* values, const int16_t* before) noexcept nogil:
    """Copy the container's features from the values of the previous block, which is in the same container."""
    cdef int run, f
    for run in range(N_RUNS):
        for f in range(RUNS[run][0], RUNS[run][1]):
            values[f * LANES] = before[f * LANES]


cdef void read_page_values(const FeatureTable* table, int16_t* values) noexcept nogil:
    """Read the N_PAGE_FEATURES page features, of a page with at least one block."""
    cdef int i
    THRESHER_CHECK(table.n_blocks > 0)
    for i in range(N_PAGE_FEATURES):
        values[i] = table.values[PAGE_FEATURES[i] * LANES]


CHOICE_FEATURES = tuple(name.lower() for name in globals()["ChoiceFeature"].__members__ if name != "N_CHOICE_FEATURES")
"""Names of the features of a choice, in the order of their numbers."""
