# SPDX-License-Identifier: Apache-2.0
"""Write the features of every block from the model of its page."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.measuring.blocks cimport BlockArray, is_heading
from thresher.native.scoring.declared cimport N_PARTS
from thresher.native.scoring.feature_table cimport *
from thresher.native.scoring.headline cimport NO_BLOCK
from thresher.native.scoring.page_model cimport *
from thresher.native.scoring.rounding cimport bounded, thousandths
from thresher.native.scoring.trees cimport LANES


cdef void write_page_values(
    FeatureTable* table, const PageModel* model, uint32_t longest, uint32_t concealed
) noexcept nogil:
    """Write the features that are equal for all blocks. `longest` is the size of the largest block, `concealed` the
    concealed size.
    """
    cdef:
        const Container* page = model.containers
        const Row* end = model.rows + model.n_blocks
        double size = end.size_before, per_size = 1000.0 / max(size, 1.0)
    fill_row(table, CANDIDATE_SHARE, <int16_t> (range_size(model.rows, model.containers + model.candidate) * per_size))
    fill_row(table, DENSEST_SHARE, <int16_t> (range_size(model.rows, model.containers + model.densest) * per_size))
    fill_row(table, PAGE_SIZE, bounded(<int64_t> size // 10))
    fill_row(table, PAGE_BLOCKS, bounded(model.n_blocks))
    fill_row(table, PAGE_TAGS, bounded(page.tags))
    fill_row(table, PAGE_INPUTS, bounded(page.inputs))
    fill_row(table, PAGE_IMAGES, bounded(page.images))
    fill_row(table, PAGE_GOOD, thousandths(end.good_before, size))
    fill_row(table, PAGE_GOOD_BLOCKS, bounded(end.good_blocks_before))
    fill_row(table, PAGE_LARGEST, thousandths(longest, size))
    fill_row(table, PAGE_LINK_DENSITY, thousandths(end.link_size_before, size))
    fill_row(table, PAGE_PARAGRAPHS, thousandths(end.paragraphs_before, model.n_blocks))
    fill_row(table, PAGE_CONCEALED, thousandths(concealed, size))


cdef void write_page_parts(FeatureTable* table, const PageModel* model) noexcept nogil:
    """Write the page features that tell a discussion from an article with comments."""
    cdef:
        const Row* row
        const Row* end = model.rows + model.n_blocks
        const Container* container
        const Group* group
        uint32_t b, in_comments = 0, most = 0
        double comments = 0, repeated = 0, repeated_good = 0, often = 0, good = end.good_before
        double before_comments = good, before_repeated = good
    for b in range(model.n_blocks):
        row = model.rows + b
        container = model.containers + row.container
        if container.meaning & MEANS_COMMENTS:
            if in_comments == 0:
                before_comments = row.good_before
            in_comments += 1
            comments += row.size if row.good else 0
        if container.pattern == <uint32_t> NO_GROUP:
            continue
        group = model.patterns + container.pattern
        if group.count >= 3:
            repeated += row.size
            if row.good:
                before_repeated = min(before_repeated, <double> row.good_before)
                repeated_good += row.size
                often += row.size if group.count >= 8 else 0
            if 10 * <uint64_t> group.link_size < 3 * <uint64_t> group.size:
                most = max(most, group.size)
    fill_row(table, PAGE_COMMENTS, thousandths(comments, good))
    fill_row(table, PAGE_COMMENT_BLOCKS, thousandths(in_comments, model.n_blocks))
    fill_row(table, PAGE_BEFORE_COMMENTS, thousandths(before_comments, good))
    fill_row(table, PAGE_REPEATED, thousandths(repeated, end.size_before))
    fill_row(table, PAGE_REPEATED_GOOD, thousandths(repeated_good, good))
    fill_row(table, PAGE_REPEATED_OFTEN, thousandths(often, good))
    fill_row(table, PAGE_REPEATED_MOST, thousandths(most, good))
    fill_row(table, PAGE_BEFORE_REPEATED, thousandths(before_repeated, good))


ctypedef struct Page:
    # What the features of all blocks of a page refer to.
    const PageModel* model
    const BlockArray* blocks
    const int16_t* before               # the values of the previous block; NULL: none
    uint32_t n_blocks
    uint32_t largest                    # the block with most text outside links
    uint32_t last_good                  # before the block at hand; NO_BLOCK: none
    uint32_t last_heading               # at the block at hand or before it; NO_BLOCK: none
    const Container* last_level1        # whose levels were written last; NULL: none
    double per_block                    # factors that make thousandths of the page's
    double per_size
    double per_good
    double best_points                  # of the candidate
    double best_sum                     # of the densest container


cdef inline void copy_before(int16_t* out, const Page* page, int first, int last) noexcept nogil:
    """Copy features `first` to `last` from the previous block."""
    cdef int f
    for f in range(first, last + 1):
        out[f * LANES] = page.before[f * LANES]


cdef void write_values(FeatureTable* table, const PageModel* model, const BlockArray* blocks) noexcept nogil:
    """Write the features of every block of a page. The table already has its rows and the blocks' containers."""
    cdef:
        Page page
        const Row* rows = model.rows
        const Row* end = rows + table.n_blocks
        uint32_t b, longest = 0, concealed = 0
        int16_t* out
    page.model = model
    page.blocks = blocks
    page.before = NULL
    page.n_blocks = table.n_blocks
    page.largest = 0
    page.last_good = page.last_heading = NO_BLOCK
    page.last_level1 = NULL
    page.per_block = 1000.0 / page.n_blocks
    page.per_size = 1000.0 / max(<double> end.size_before, 1.0)
    page.per_good = 1000.0 / max(<double> end.good_before, 1.0)
    page.best_points = model.containers[model.candidate].candidate
    page.best_sum = model.containers[model.densest].density_sum
    for b in range(page.n_blocks):
        if rows[b].size - rows[b].link_size > rows[page.largest].size - rows[page.largest].link_size:
            page.largest = b
        longest = max(longest, rows[b].size)
        if rows[b].concealed:
            concealed += rows[b].size
    write_page_values(table, model, longest, concealed)
    write_page_parts(table, model)
    write_next_good(table, rows)
    for b in range(page.n_blocks):
        THRESHER_CHECK(rows[b].container < model.n_containers and rows[b].copies < page.n_blocks)
        out = values_of(table, b)
        write_own(out, &page, b)
        table.link_density[b] = out[BLOCK_LINK_DENSITY * LANES]
        write_headings(out, &page, b)
        write_neighbours(out, &page, b)
        if b > 0 and rows[b].container == rows[b - 1].container:
            copy_container_values(out, page.before)
        else:
            write_container(out, &page, b)
        write_distances(out, &page, b)
        page.before = out


cdef inline void write_next_good(FeatureTable* table, const Row* rows) noexcept nogil:
    """Write how far the next good block is, from the last block to the first."""
    cdef:
        uint32_t next_good = NO_BLOCK, b = table.n_blocks
    while b > 0:
        b -= 1
        values_of(table, b)[NEXT_GOOD * LANES] = bounded(next_good - b) if next_good != <uint32_t> NO_BLOCK else FAR
        if rows[b].good:
            next_good = b


cdef inline void write_own(int16_t* out, Page* page, uint32_t b) noexcept nogil:
    """Write what a block is by itself, and its place on the page."""
    cdef:
        const Row* row = page.model.rows + b
        int part
    out[BLOCK_SIZE * LANES] = bounded(row.size)
    out[BLOCK_WORDS * LANES] = bounded(page.blocks.blocks[b].words)
    out[BLOCK_PLAIN * LANES] = bounded(row.size - row.link_size)
    out[BLOCK_LINK_DENSITY * LANES] = thousandths(row.link_size, row.size)
    out[BLOCK_PUNCTUATION * LANES] = bounded(row.punctuation)
    out[BLOCK_PUNCTUATION_DENSITY * LANES] = thousandths(row.punctuation, row.size)
    out[BLOCK_ENDS_SENTENCE * LANES] = row.ends_sentence
    out[BLOCK_TAGS * LANES] = bounded(page.blocks.blocks[b].tags)
    out[BLOCK_COPIES * LANES] = bounded(page.model.copies[row.copies].count)
    out[BLOCK_SEEN * LANES] = row.seen
    out[BLOCK_CONCEALED * LANES] = row.concealed
    out[BLOCK_DIGITS * LANES] = row.digits
    out[BLOCK_CAPITALS * LANES] = row.capitals
    out[BLOCK_DATE * LANES] = row.date
    for part in range(N_PARTS):
        out[(DECLARED_ARTICLE + part) * LANES] = row.declared[part]
    out[PLACE_BLOCKS * LANES] = <int16_t> (b * page.per_block)
    out[PLACE_SIZE * LANES] = <int16_t> (row.size_before * page.per_size)
    out[PLACE_GOOD * LANES] = <int16_t> (row.good_before * page.per_good)
    out[PLACE_FROM_END * LANES] = bounded(page.n_blocks - b)
    out[PREVIOUS_GOOD * LANES] = bounded(b - page.last_good) if page.last_good != <uint32_t> NO_BLOCK else FAR
    if row.good:
        page.last_good = b


cdef inline void write_headings(int16_t* out, Page* page, uint32_t b) noexcept nogil:
    """Write the terms of a block and of the heading above it."""
    cdef:
        const Row* rows = page.model.rows
        const Row* row = rows + b
        uint32_t last_heading
    if is_heading(page.blocks.blocks + b):
        page.last_heading = b
    last_heading = page.last_heading
    out[BLOCK_TERMS * LANES] = bounded(row.terms.as_text)
    out[BLOCK_TERMS_MEAN * LANES] = bounded(
        16 * row.terms.as_text // <int32_t> max(row.terms.n_terms, <uint32_t> 1))
    if last_heading != <uint32_t> NO_BLOCK and last_heading != b:
        out[HEADING_TERMS * LANES] = bounded(rows[last_heading].terms.as_heading)
        out[HEADING_TERMS_MEAN * LANES] = bounded(
            16 * rows[last_heading].terms.as_heading // <int32_t> max(rows[last_heading].terms.n_terms,
            <uint32_t> 1))
    else:
        out[HEADING_TERMS * LANES] = out[HEADING_TERMS_MEAN * LANES] = 0
    out[PREVIOUS_HEADING * LANES] = bounded(b - last_heading) if last_heading != <uint32_t> NO_BLOCK else FAR


cdef inline void write_neighbours(int16_t* out, const Page* page, uint32_t b) noexcept nogil:
    """Write what stands before, after and around a block."""
    cdef:
        const Row* rows = page.model.rows
        const Row* row = rows + b
        uint32_t low, high, n_blocks = page.n_blocks
        double part
    if b > 0:
        out[PREVIOUS_TAG * LANES] = (row - 1).tag
        out[PREVIOUS_SIZE * LANES] = bounded((row - 1).size)
        out[PREVIOUS_LINK_DENSITY * LANES] = thousandths((row - 1).link_size, (row - 1).size)
    else:
        out[PREVIOUS_TAG * LANES] = out[PREVIOUS_SIZE * LANES] = out[PREVIOUS_LINK_DENSITY * LANES] = -1
    if b + 1 < n_blocks:
        out[NEXT_TAG * LANES] = row[1].tag
        out[NEXT_SIZE * LANES] = bounded(row[1].size)
        out[NEXT_LINK_DENSITY * LANES] = thousandths(row[1].link_size, row[1].size)
    else:
        out[NEXT_TAG * LANES] = out[NEXT_SIZE * LANES] = out[NEXT_LINK_DENSITY * LANES] = -1
    low = b - 3 if b > 3 else 0
    high = min(b + 4, n_blocks)
    part = rows[high].size_before - rows[low].size_before
    out[NEAR_SIZE * LANES] = bounded(<int64_t> (part / (high - low)))
    out[NEAR_LINK_DENSITY * LANES] = thousandths(rows[high].link_size_before - rows[low].link_size_before, part)
    low = b - 10 if b > 10 else 0
    high = min(b + 11, n_blocks)
    part = rows[high].size_before - rows[low].size_before
    out[WIDE_LINK_DENSITY * LANES] = thousandths(rows[high].link_size_before - rows[low].link_size_before, part)
    out[WIDE_GOOD * LANES] = thousandths(rows[high].good_before - rows[low].good_before, part)


cdef inline void write_container(int16_t* out, Page* page, uint32_t b) noexcept nogil:
    """Write the features that are equal for all blocks of a container, for the first of a run of such blocks.

    Most neighbours have the same ancestors, so the values of one are copied to the next.
    """
    cdef:
        const Container* containers = page.model.containers
        const Row* row = page.model.rows + b
        const Container* c = containers + row.container
        const Container* before = containers + (row - 1).container if b > 0 else NULL
        const Container* level1 = c if n_blocks_of(c) > 1 else containers + c.wider
    out[BLOCK_TAG * LANES] = row.tag
    out[BLOCK_ALIKE * LANES] = bounded(page.model.alike[c.alike].count)
    out[BLOCK_DEPTH * LANES] = bounded(c.depth)
    if level1 == page.last_level1:
        copy_before(out, page, LEVEL1_PLAIN_PER_TAG, LOWEST_DENSITY)
    else:
        page.last_level1 = level1
        write_levels(out, page, level1)
    write_candidate(out, page, c, before)
    write_headline(out, page, c, before)
    write_repeated(out, page, c, before)
    write_meaning(out, c)


cdef inline void write_levels(int16_t* out, const Page* page, const Container* level1) noexcept nogil:
    """Write what the five innermost containers of several blocks are, from the innermost one out."""
    cdef:
        const Row* rows = page.model.rows
        const Container* containers = page.model.containers
        const Container* level2 = containers + level1.wider
        const Container* level3 = containers + level2.wider
        const Container* level4 = containers + level3.wider
        const Container* level5 = containers + level4.wider
        double part = range_size(rows, level1), per_size = page.per_size, per_good = page.per_good
    out[LEVEL1_PLAIN_PER_TAG * LANES] = bounded(<int64_t> (10.0 * level1.density))
    out[LEVEL1_GOOD * LANES] = thousandths(range_good(rows, level1), part)
    out[LEVEL1_GOOD_SHARE * LANES] = <int16_t> (range_good(rows, level1) * per_good)
    out[LEVEL1_TAG * LANES] = level1.tag
    out[LEVEL1_DENSITY_SUM * LANES] = thousandths(level1.density_sum, page.best_sum)
    out[LEVEL1_CANDIDATE * LANES] = thousandths(level1.candidate, page.best_points)
    out[LEVEL1_SHARE * LANES] = <int16_t> (part * per_size)
    out[LEVEL2_PARAGRAPHS * LANES] = thousandths(
        rows[level2.end_block].paragraphs_before - rows[level2.first_block].paragraphs_before,
        n_blocks_of(level2))
    out[LEVEL2_LINK_DENSITY * LANES] = thousandths(range_links(rows, level2), range_size(rows, level2))
    out[LEVEL2_DENSITY_SUM * LANES] = bounded(<int64_t> level2.density_sum)
    out[LEVEL2_CANDIDATE * LANES] = thousandths(level2.candidate, page.best_points)
    out[LEVEL2_GOOD_SHARE * LANES] = <int16_t> (range_good(rows, level2) * per_good)
    out[LEVEL3_ITEMS * LANES] = thousandths(
        rows[level3.end_block].items_before - rows[level3.first_block].items_before, n_blocks_of(level3))
    out[LEVEL3_INPUTS * LANES] = bounded(level3.inputs)
    out[LEVEL3_GOOD_SHARE * LANES] = <int16_t> (range_good(rows, level3) * per_good)
    out[LEVEL4_GOOD_SHARE * LANES] = <int16_t> (range_good(rows, level4) * per_good)
    out[LEVEL4_SHARE * LANES] = <int16_t> (range_size(rows, level4) * per_size)
    out[LEVEL4_ITEMS * LANES] = thousandths(
        rows[level4.end_block].items_before - rows[level4.first_block].items_before, n_blocks_of(level4))
    out[LEVEL4_INPUTS * LANES] = bounded(level4.inputs)
    out[LEVEL5_SIZE * LANES] = bounded(<int64_t> range_size(rows, level5))
    out[LEVEL5_IMAGES * LANES] = bounded(level5.images)
    out[LEVEL5_INPUTS * LANES] = bounded(level5.inputs)
    out[LEVEL5_GOOD_SHARE * LANES] = <int16_t> (range_good(rows, level5) * per_good)
    out[LOWEST_DENSITY * LANES] = bounded(<int64_t> min(10.0 * level1.lowest_density, 32767.0))


cdef inline void write_candidate(
    int16_t* out, const Page* page, const Container* c, const Container* before
) noexcept nogil:
    """Write what a container has in common with the candidate."""
    cdef:
        const Row* rows = page.model.rows
        const Container* containers = page.model.containers
        const Container* common
    if before != NULL and before.candidate_common == c.candidate_common:
        out[CANDIDATE_CLIMB * LANES] = page.before[CANDIDATE_CLIMB * LANES]
        copy_before(out, page, CANDIDATE_COMMON_SHARE, CANDIDATE_COMMON_LINKS)
    else:
        common = containers + c.candidate_common
        out[CANDIDATE_CLIMB * LANES] = bounded(containers[page.model.candidate].depth - common.depth)
        out[CANDIDATE_COMMON_SHARE * LANES] = <int16_t> (range_size(rows, common) * page.per_size)
        out[CANDIDATE_COMMON_LINKS * LANES] = thousandths(range_links(rows, common), range_size(rows, common))


cdef inline void write_headline(
    int16_t* out, const Page* page, const Container* c, const Container* before
) noexcept nogil:
    """Write what a container has in common with the headline."""
    cdef:
        const Row* rows = page.model.rows
        const Container* containers = page.model.containers
        const Container* common
        uint32_t headline = page.model.headline
    if before != NULL and before.headline_common == c.headline_common:
        copy_before(out, page, HEADLINE_CLIMB, HEADLINE_COMMON_LINKS)
    elif headline != <uint32_t> NO_BLOCK:
        common = containers + c.headline_common
        out[HEADLINE_CLIMB * LANES] = bounded(containers[rows[headline].container].depth - common.depth)
        out[HEADLINE_COMMON_SHARE * LANES] = <int16_t> (range_size(rows, common) * page.per_size)
        out[HEADLINE_COMMON_GOOD * LANES] = <int16_t> (range_good(rows, common) * page.per_good)
        out[HEADLINE_COMMON_LINKS * LANES] = thousandths(range_links(rows, common), range_size(rows, common))
    else:
        out[HEADLINE_CLIMB * LANES] = out[HEADLINE_COMMON_SHARE * LANES] = -1
        out[HEADLINE_COMMON_GOOD * LANES] = out[HEADLINE_COMMON_LINKS * LANES] = -1


cdef inline void write_repeated(
    int16_t* out, const Page* page, const Container* c, const Container* before
) noexcept nogil:
    """Write how often containers like this one stand on the page."""
    cdef:
        const Container* containers = page.model.containers
        const Group* group
    THRESHER_CHECK(c.pattern < page.model.n_containers and c.repeated < page.model.n_containers)
    if before != NULL and before.pattern == c.pattern:
        copy_before(out, page, PATTERN_COUNT, PATTERN_SIZE)
    else:
        group = page.model.patterns + c.pattern
        out[PATTERN_COUNT * LANES] = bounded(group.count)
        out[PATTERN_SHARE * LANES] = <int16_t> (group.size * page.per_size)
        out[PATTERN_SPAN * LANES] = <int16_t> ((group.last - group.first) * page.per_block)
        out[PATTERN_LINK_DENSITY * LANES] = thousandths(group.link_size, group.size)
        out[PATTERN_PUNCTUATION * LANES] = thousandths(group.punctuation, group.size)
        out[PATTERN_SIZE * LANES] = bounded(group.size // max(group.count, <uint32_t> 1))
    if before != NULL and before.repeated == c.repeated:
        copy_before(out, page, REPEATED_ALIKE, REPEATED_SIZE)
    else:
        group = page.model.alike + containers[c.repeated].alike
        out[REPEATED_ALIKE * LANES] = bounded(group.count)
        out[REPEATED_LINK_DENSITY * LANES] = thousandths(group.link_size, group.size)
        out[REPEATED_SIZE * LANES] = bounded(<int64_t> range_size(page.model.rows, containers + c.repeated))


cdef inline void write_meaning(int16_t* out, const Container* c) noexcept nogil:
    """Write what the names of a container's elements and their classes say."""
    cdef uint16_t meaning = c.meaning
    out[IN_MAIN * LANES] = meaning & (MEANS_MAIN | MEANS_ARTICLE | MEANS_BODY_TEXT)
    out[IN_FRAME * LANES] = (
        meaning & (MEANS_NAVIGATION | MEANS_ASIDE | MEANS_FOOTER | MEANS_HEADER)) // MEANS_NAVIGATION
    out[IN_FORM * LANES] = (meaning & (MEANS_FORM | MEANS_DIALOG)) // MEANS_FORM
    out[IN_TEXT * LANES] = (meaning & (MEANS_TABLE | MEANS_FIGURE | MEANS_QUOTE | MEANS_LIST)) // MEANS_TABLE
    out[IN_COMMENTS * LANES] = (meaning & MEANS_COMMENTS) != 0
    out[TOKENS_SUM * LANES] = <int16_t> c.tokens_sum
    out[TOKENS_LOWEST * LANES] = c.tokens_lowest
    out[TOKENS_HIGHEST * LANES] = c.tokens_highest


cdef inline void write_distances(int16_t* out, const Page* page, uint32_t b) noexcept nogil:
    """Write how far a block is from where the main text is likely."""
    cdef:
        const Container* best = page.model.containers + page.model.candidate
        const Container* dense = page.model.containers + page.model.densest
        uint32_t headline = page.model.headline
    out[CANDIDATE_INSIDE * LANES] = best.first_block <= b < best.end_block
    if b < best.first_block:
        out[CANDIDATE_DISTANCE * LANES] = bounded(<int64_t> b - best.first_block)
    else:
        out[CANDIDATE_DISTANCE * LANES] = bounded(<int64_t> b + 1 - best.end_block) if b >= best.end_block else 0
    out[DENSEST_INSIDE * LANES] = dense.first_block <= b < dense.end_block
    out[LARGEST_DISTANCE * LANES] = bounded(<int64_t> b - page.largest)
    out[HEADLINE_DISTANCE * LANES] = bounded(<int64_t> b - headline) if headline != <uint32_t> NO_BLOCK else -32768
