# SPDX-License-Identifier: Apache-2.0
"""Finds tables, comments, captions, credits and the headline, and forces them in or out of the main text."""

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from thresher.native.base.prefix_table cimport Prefix, PrefixTable, fill_prefixes, first_prefix, next_prefix
from thresher.native.base.word_table cimport WordTable, fill_words
from thresher.native.choosing.datelines cimport mark_datelines, settle_datelines
from thresher.native.measuring.blocks cimport BLOCK_BUTTON, BLOCK_LABEL, Block, BlockArray, next_with_block
from thresher.native.measuring.metrics cimport FLAG_HIDDEN, MetricsArray, next_visible
from thresher.native.measuring.regions cimport has_word, is_comment_region, is_data_table
from thresher.native.parsing.reading cimport *
from thresher.native.scoring.feature_table cimport IN_COMMENTS, values_of
from thresher.native.scoring.trees cimport LANES
from thresher.native.scoring.headline cimport find_headline
from thresher.native.scoring.probabilities cimport probability
from thresher.native.parsing.tags cimport *


cdef enum:
    MAX_CAPTION_WORDS = 100
    MAX_CREDIT_WORDS = 60   # words of a block with a credit
    MAX_CREDIT_START = 32   # bytes that identify a credit
    MAX_CAPTION = 1024      # bytes of a block that are searched for one
    MAIN_TO_REST = 20       # times the words elsewhere make comments the main text


cdef enum Named:        # what a word names, or a text begins with, as bits
    NAMES_CAPTION = 1   # of a class: the caption or credit of a picture
    NAMES_REVIEWS = 2   # of a class or id: the reviews of customers; one review may be an article
    BEGINS_CREDIT = 4
    BEGINS_SOURCE = 8   # a credit where a block begins; within one it may be the source of what the block says
    BEGINS_AGENCY = 16  # only the credit of an agency says it


cdef WordTable CLASSES
fill_words(&CLASSES, {
    NAMES_CAPTION: """
        *caption *caption-text *caption__text *photo-credit *photocredit *image-credit *imagecredit *__credit
        *image-source *image-copyright *photo-source""",
    NAMES_REVIEWS: """
        reviews* *reviews customer-review* customer_review* product-review* product_review* course-review*
        *bewertungen""",
})
cdef PrefixTable CREDITS    # in the languages with the most pages
fill_prefixes(&CREDITS, {
    BEGINS_SOURCE: """
        image images picture credit credits source quelle fuente fonte crédit crédits crédito kilde zdroj
        источник Источник 提供""",
    BEGINS_CREDIT: [*"""
        photo photos photograph photography foto fotos bild bilder bildquelle bildrechte imagen fotograf fotografie
        fotografia kuva фото Фото 写真 图片来源 照片 صورة""".split(), "photo credit", "image credit"],
    BEGINS_AGENCY: [
        "getty images", "ap photo", "associated press", "picture alliance", "picture-alliance", "shutterstock",
        "imago/", "imago images", "reuters/", "afp/", "dpa/", "epa/", "epa-efe", "afp via",
    ],
})


cdef inline bint is_of_readers(const Tree* tree, uint32_t n) noexcept nogil:
    """True for an element that holds comments of readers or reviews of customers."""
    return is_comment_region(tree, n) or tree.nodes[n].n_attributes and (
        has_word(tree, n, ATTR_CLASS, &CLASSES, NAMES_REVIEWS) or has_word(tree, n, ATTR_ID, &CLASSES, NAMES_REVIEWS)
    )


cdef inline bint begins_comments(const Tree* tree, uint32_t n) noexcept nogil:
    """True for an element that holds comments or reviews and is neither the page nor its main part nor a form."""
    cdef uint16_t tag = tree.nodes[n].tag
    return (
        tag != TAG_HTML and tag != TAG_BODY and tag != TAG_MAIN and tag != TAG_ARTICLE and tag != TAG_FORM
        and is_of_readers(tree, n)
    )


cdef bint is_caption_element(const Tree* tree, uint32_t n) noexcept nogil:
    """True for an element that by its name or class holds the caption or credit of a picture."""
    return tree.nodes[n].tag == TAG_FIGCAPTION or has_word(tree, n, ATTR_CLASS, &CLASSES, NAMES_CAPTION)


cdef uint32_t words_between(const BlockArray* blocks, uint32_t first, uint32_t end, uint32_t most) noexcept nogil:
    """The number of words in the blocks from `first` on that begin before node `end`. Stops once it exceeds `most`."""
    cdef uint32_t words = 0
    while first < blocks.n_blocks and blocks.blocks[first].start < end and words <= most:
        words += blocks.blocks[first].words
        first += 1
    return words


cdef bint is_credit(Slice text, bint first) noexcept nogil:
    """True for a text that begins like the credit of a picture; `first` where a block begins."""
    cdef const Prefix* row = first_prefix(&CREDITS, text.data, text.length)
    cdef Slice rest
    if first and (begins(text, b"\xc2\xa9") or begins_word(text, b"c)")):     # ©, (c)
        return True
    while row != NULL:
        rest = slice_from(text, row.length)
        if (first or row.value != BEGINS_SOURCE) and (
            row.value == BEGINS_AGENCY or rest.length and rest.data[0] in (c":", c"/", c"|")
            or begins(rest, b" :") or begins(rest, b"\xef\xbc\x9a") or begins_word(rest, b" by ")     # full-width :
            or begins_word(rest, b" via ") or begins(rest, b" \xc2\xa9")
        ):
            return True
        row = next_prefix(row + 1, text.data, text.length)
    return False


cdef bint holds_credit(const Tree* tree, const MetricsArray* metrics, const Block* block) noexcept nogil:
    """True if a visible word of a block is where the credit of a picture begins."""
    cdef Slice text
    cdef uint32_t n, next = block.start, i, left = MAX_CAPTION
    cdef bint first = True      # nothing but white space and brackets stands before
    cdef bint inside = False    # a word goes on
    cdef uint8_t byte
    while left:
        n = next_visible(tree, metrics, next, block.end)
        if n >= block.end:
            break
        next = n + 1
        if tree.nodes[n].kind != KIND_TEXT:
            inside = False
            continue
        text = text_of(tree, n)
        text.length = min(text.length, left)
        left -= text.length
        for i in range(text.length):
            byte = text.data[i]
            if not inside and not is_space(byte) or 0xE3 <= byte <= 0xE9:   # Chinese and Japanese have no spaces
                if is_credit(first_bytes(slice_from(text, i), MAX_CREDIT_START), first):
                    return True
            inside = not is_space(byte) and byte != c"(" and byte != c"[" and byte != c"/" and byte != c"|"
            first = first and not inside
    return False


cdef bint is_behind_picture(const Tree* tree, const BlockArray* blocks, uint32_t b) noexcept nogil:
    """True if a picture stands between a block and the previous one."""
    cdef uint32_t n = blocks.blocks[b - 1].end if b else 1
    while n < blocks.blocks[b].start:
        if tree.nodes[n].kind == KIND_ELEMENT and (
            tree.nodes[n].tag == TAG_IMG or tree.nodes[n].tag == TAG_PICTURE or tree.nodes[n].tag == TAG_VIDEO
        ):
            return True
        n += 1
    return False


cdef void apply_rule(
    const BlockArray* blocks, uint8_t* keep, uint32_t first, uint32_t end, RegionRule rule, const int16_t* scores,
    bint names=False
) noexcept nogil:
    """Drop the blocks from `first` on that begin before node `end`, except those that are SURE by their scores (which
    may be NULL); or keep those that are not mostly links, buttons or labels. Where there are `names`, links of two words
    or more are kept: they are names and dates.
    """
    cdef const Block* block
    while first < blocks.n_blocks and blocks.blocks[first].start < end:
        block = blocks.blocks + first
        if rule == REGION_OUT:
            if scores == NULL or scores[first] < SURE:
                keep[first] = 0
        elif (
            block.kind != BLOCK_BUTTON and block.kind != BLOCK_LABEL
            and (2 * <size_t> block.link_characters < block.characters or names and block.words > 1)
        ):
            keep[first] = 1
        first += 1


cdef bint outweighs_comments(const ScoredPage* scored, uint32_t n_blocks) noexcept nogil:
    """True if a scored page has comments of readers, and another block that is more likely kept than not."""
    cdef bint any_inside = False, likely_outside = False, inside
    cdef uint32_t b
    if scored.scores == NULL:
        return False
    for b in range(n_blocks):
        inside = values_of(&scored.table, b)[IN_COMMENTS * LANES] != 0
        any_inside |= inside
        likely_outside |= not inside and scored.scores[b] > 0
    return any_inside and likely_outside


cdef bint comments_are_main(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const int16_t* scores
) noexcept nogil:
    """True if by their scores nearly all words of the main text are in what looks like comments or reviews, as in a
    thread whose posts are called so. One pass over the nodes.
    """
    cdef const Node* node
    cdef uint32_t n = 1, block = 0, end = 0
    cdef uint64_t inside = 0, outside = 0, expected     # words, each times its block's probability
    while block < blocks.n_blocks and n < tree.n_nodes:
        node = tree.nodes + n
        if metrics.nodes[n].flags & FLAG_HIDDEN:
            n = node.end
            continue
        if n >= end and node.kind == KIND_ELEMENT and node.namespace == NS_HTML and begins_comments(tree, n):
            end = node.end
        while block < blocks.n_blocks and blocks.blocks[block].start <= n:
            expected = <uint64_t> blocks.blocks[block].words * probability(scores[block])
            if blocks.blocks[block].start < end:
                inside += expected
            else:
                outside += expected
            block += 1
        n += 1
    return outside * MAIN_TO_REST < inside


cdef void mark_regions(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint8_t* keep, const RegionRules* rules
) noexcept nogil:
    """Change which blocks are kept, according to the rule for each kind of region, and mark the blocks of datelines
    that no other rule decides on. One pass over the nodes.
    """
    cdef const Node* node
    cdef uint32_t n = 1, block = 0, columns = 0, comments_end = 0, tables_end = 0, captions_end = 0, credit = 0, headline
    if rules.datelines != REGION_AS_CHOSEN:
        mark_datelines(tree, metrics, blocks, keep, rules.datelines == REGION_IN)
    while next_with_block(tree, metrics, blocks, &n, &block):
        node = tree.nodes + n
        if (
            rules.tables != REGION_AS_CHOSEN and node.tag == TAG_TABLE and n >= tables_end
            and is_data_table(tree, metrics, blocks, n, block, &columns)
        ):
            apply_rule(blocks, keep, block, node.end, rules.tables, NULL)
            tables_end = node.end
        elif rules.comments != REGION_AS_CHOSEN and n >= comments_end and begins_comments(tree, n):
            apply_rule(blocks, keep, block, node.end, rules.comments, NULL, True)
            comments_end = node.end
        elif (
            rules.captions != REGION_AS_CHOSEN and n >= captions_end and is_caption_element(tree, n)
            and words_between(blocks, block, node.end, MAX_CAPTION_WORDS) <= MAX_CAPTION_WORDS
        ):
            apply_rule(blocks, keep, block, node.end, rules.captions, rules.scores)
            captions_end = node.end
        n += 1
    if rules.captions != REGION_AS_CHOSEN:
        for credit in range(blocks.n_blocks):
            if (
                blocks.blocks[credit].words <= MAX_CREDIT_WORDS and is_behind_picture(tree, blocks, credit)
                and holds_credit(tree, metrics, blocks.blocks + credit)
            ):
                apply_rule(blocks, keep, credit, blocks.blocks[credit].start + 1, rules.captions, rules.scores)
    if rules.titles != REGION_AS_CHOSEN:
        headline = find_headline(tree, metrics, blocks)
        if headline < blocks.n_blocks:
            keep[headline] = rules.titles == REGION_IN


cdef void apply_region_rules(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint8_t* keep, const RegionRules* rules
) noexcept nogil:
    """Change which blocks are kept, according to the rule for each kind of region."""
    mark_regions(tree, metrics, blocks, keep, rules)
    if rules.datelines != REGION_AS_CHOSEN and blocks.n_blocks:
        settle_datelines(
            keep, &blocks.blocks[0].words, sizeof(Block) // sizeof(uint32_t), blocks.n_blocks,
            rules.datelines == REGION_IN
        )
