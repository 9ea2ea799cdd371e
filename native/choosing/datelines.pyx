# SPDX-License-Identifier: Apache-2.0
"""Finds the elements and blocks that say who wrote a page and when, and keeps or drops them."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from thresher.native.base.word_table cimport WordTable, fill_words, is_word_of
from thresher.native.measuring.blocks cimport *
from thresher.native.measuring.metrics cimport FLAG_CONCEALED, MetricsArray
from thresher.native.measuring.regions cimport has_word
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tag_table cimport fill_tags
from thresher.native.parsing.tags cimport *
from thresher.native.scoring.headline cimport find_headline
from thresher.native.scoring.texts cimport Opening, open_block


cdef enum:
    MAX_WORDS = 40          # words of a dateline element
    MAX_BLOCKS = 12         # blocks of one that only its class or id names
    MAX_DATE_WORDS = 12     # words of a date next to one
    NEAR = 6                # blocks from main text to a dateline that is kept
    CONTENT_WORDS = 60      # words of datelines that may be the content of a page
    MAX_NAME = 64           # bytes of a class word,
    MAX_VALUE = 1024        # and of a class or id, that are read
    MARK_OUTSIDE = 4        # bit of a block in nav, footer or aside
    MARK_DATE = 8           # bit of a date next to a dateline


cdef enum Named:            # what a word of an attribute names, as bits
    NAMES_DATELINE = 1      # a class or id, with "-" for "_" and "__", and without what follows "--"
    NAMES_OTHER = 2         # a class or id as it is
    NAMES_PROPERTY = 4      # an itemprop
    NAMES_RELATION = 8      # a rel


WHOLE_WORDS = """
    dates time posted published updated modified metas tag category vcard subtext authi postprofile sources createdby
    infos-article infomation by reporter kdate redaktion info-meta editor origin poster member"""
PART_WORDS = """
    date published-on posted-on posted-by by-line author authors auteur autor author-name author-info user-name
    user-info user-details user-title usertitle user userextras user-extras user-stat member-name membername meta
    meta-data meta-info meta-item meta-items meta-bar meta-content meta-wrapper meta-container post-info article-info
    entry-info news-info story-info message-info entry-footer post-footer post-head tags tag-links tags-links cat-links
    category-links catlinks categories post-category entry-category category-name post-tag taglist tag-list reading-time
    read-time entry-time post-time publish-time published-time pub-time article-time news-time last-updated
    last-modified date-published date-modified date-posted creator profile-posts pub-date attribution post-details
    article-details entry-details post-data article-data pseudo fecha source edition-msg date-msg authorpane contributor
    contributors metabox post-id user-level tag-box tag-group tag-lists extra-info posted-info detail-info writer
    keywords article-source publicado publish-info rank-title"""
END_WORDS = """
    byline username pubdate postdate timestamp datetime dateline postmeta entrymeta articlemeta postinfo userinfo
    authorname userdetails postauthor articleinfo postedby postedon metadata pubtime articledate lastedit lastedited
    postcount membergroup userstat articlesource pubinfo newsdate publishdate publishtime postuser posttime newsinfo
    createtime articletime"""
BEGINNING_WORDS = """
    byline- dateline- posted- userinfo- metadata- pubtime- tags- post-info- entry-meta- post-meta- article-meta-"""
OTHER_WORDS = "recipe event product price"
# Parts count as whole words, and at the end of one after "-"; ends at the end of any word.
cdef WordTable WORDS
fill_words(&WORDS, {
    NAMES_DATELINE: [
        *WHOLE_WORDS.split(), *PART_WORDS.split(), *(f"*-{word}" for word in PART_WORDS.split()),
        *(f"*{word}" for word in END_WORDS.split()), *(f"{word}*" for word in BEGINNING_WORDS.split()),
    ],
    NAMES_OTHER: [f"*{word}*" for word in OTHER_WORDS.split()],
    NAMES_PROPERTY: "author datepublished datemodified datecreated",
    NAMES_RELATION: "author tag category",
})

# Elements whose class describes the page, a list or what it lists.
cdef uint8_t[TAG_COUNT] IS_NEVER_NAMED
fill_tags(IS_NEVER_NAMED, {1: "html body main article section form table tbody tr td th"})


cdef bint is_dateline_word(Slice word) noexcept nogil:
    """True for a word of a class or id that names a dateline."""
    cdef uint8_t[MAX_NAME] name
    cdef uint32_t i, n = 0
    for i in range(min(word.length, <uint32_t> MAX_NAME)):
        if word.data[i] == c"_" or word.data[i] == c"-":
            if begins(slice_from(word, i), b"--"):      # the rest is a variant
                break
            if n == 0 or name[n - 1] == c"-":
                continue
            name[n] = c"-"
        else:
            name[n] = word.data[i]
        n += 1
    return is_word_of(&WORDS, NAMES_DATELINE, name, n) and not is_word_of(&WORDS, NAMES_OTHER, word.data, word.length)


cdef bint names_dateline(Slice value) noexcept nogil:
    """True if a word of a class or id names a dateline."""
    cdef Slice rest = first_bytes(value, MAX_VALUE), word
    while next_word(&rest, &word):
        if is_dateline_word(first_bytes(word, MAX_NAME)):
            return True
    return False


cdef bint is_dateline_element(const Tree* tree, const BlockArray* blocks, uint32_t n, uint32_t block) noexcept nogil:
    """True for a dateline element; `block` is the first one in it."""
    cdef const Node* node = tree.nodes + n
    cdef uint32_t first = block, words = 0
    if node.tag != TAG_TIME and node.n_attributes == 0:
        return False
    while block < blocks.n_blocks and blocks.blocks[block].start < node.end:
        words += blocks.blocks[block].words
        block += 1
        if words > MAX_WORDS or block - first > MAX_WORDS:      # blocks of signs only have no words
            return False
    return (
        node.tag == TAG_TIME
        or has_word(tree, n, ATTR_ITEMPROP, &WORDS, NAMES_PROPERTY)
        or has_word(tree, n, ATTR_REL, &WORDS, NAMES_RELATION)
        or (
            block - first <= MAX_BLOCKS and not (node.tag < TAG_COUNT and IS_NEVER_NAMED[node.tag])
            and (names_dateline(class_of(tree, n)) or names_dateline(value_in(tree, n, ATTR_ID)))
        )
    )


cdef void mark_elements(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint8_t* keep
) noexcept nogil:
    """Mark the blocks of dateline elements, and those in nav, footer and aside. One pass over the nodes."""
    cdef const Node* node
    cdef uint32_t n = 1, block = 0, b, dateline_end = 0, outside_end = 0
    cdef uint8_t mark
    while next_with_block(tree, metrics, blocks, &n, &block):
        node = tree.nodes + n
        mark = 0
        if n >= dateline_end and is_dateline_element(tree, blocks, n, block):
            dateline_end = node.end
            mark = MARK_DATELINE
        elif n >= max(dateline_end, outside_end) and node.tag in (TAG_NAV, TAG_FOOTER, TAG_ASIDE):
            outside_end = node.end
            mark = MARK_OUTSIDE
        b = block
        while mark and b < blocks.n_blocks and blocks.blocks[b].start < node.end:
            keep[b] |= mark
            b += 1
        n += 1


cdef bint is_date(const Tree* tree, const MetricsArray* metrics, const Block* block) noexcept nogil:
    """True for a block that is hardly anything but a date."""
    cdef Opening opening
    if block.words > MAX_DATE_WORDS or is_heading(block):
        return False
    open_block(&opening, tree, metrics, block)
    return opening.date and 20 * opening.digits >= 3 * opening.characters


cdef void mark_datelines(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint8_t* keep, bint wanted
) noexcept nogil:
    """Set MARK_DATELINE for the blocks of datelines; those that can be kept if they are `wanted`."""
    cdef uint32_t b, n_blocks = blocks.n_blocks, headline = find_headline(tree, metrics, blocks)
    cdef const Block* block
    mark_elements(tree, metrics, blocks, keep)
    if headline < n_blocks:
        keep[headline] &= 1
    for b in range(n_blocks):
        if not keep[b] & MARK_DATELINE and b != headline and (
            b > 0 and (keep[b - 1] & MARK_DATELINE or b - 1 == headline)
            or b + 1 < n_blocks and (keep[b + 1] & MARK_DATELINE or b + 1 == headline)
        ) and is_date(tree, metrics, blocks.blocks + b):
            keep[b] |= MARK_DATE
    for b in range(n_blocks):
        block = blocks.blocks + b
        if keep[b] & MARK_DATE:
            keep[b] |= MARK_DATELINE
        if wanted and (
            keep[b] & MARK_OUTSIDE or block.kind == BLOCK_BUTTON or block.kind == BLOCK_LABEL
            or metrics.nodes[block.start].flags & FLAG_CONCEALED
        ):
            keep[b] &= 1
        keep[b] &= 1 | MARK_DATELINE


cdef void settle_datelines(
    uint8_t* keep, const uint32_t* words, size_t step, uint32_t n_blocks, bint wanted
) noexcept nogil:
    """Keep the marked blocks near kept ones if they are `wanted`, otherwise drop them unless they are the content; take
    away the marks. Block b has words[b * step] words.
    """
    cdef uint32_t b, first = n_blocks, end = 0
    cdef uint64_t all_words = 0, marked_words = 0
    cdef bint applies
    for b in range(n_blocks):
        if keep[b] & 1:
            first = min(first, b)
            end = b + 1
            all_words += words[b * step]
            if keep[b] & MARK_DATELINE:
                marked_words += words[b * step]
    applies = end > 0 if wanted else marked_words <= CONTENT_WORDS or 10 * marked_words <= 3 * all_words
    for b in range(n_blocks):
        if applies and keep[b] & MARK_DATELINE:
            if not wanted:
                keep[b] = 0
            elif b + NEAR >= first and b < end + NEAR:
                keep[b] = 1
        keep[b] &= 1
