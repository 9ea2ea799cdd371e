# SPDX-License-Identifier: Apache-2.0
"""The main text of a page, for what describes the page: what it is made of, begins and ends with, and what it shows."""

cimport cython
from libc.stdint cimport int16_t, uint64_t
from libc.string cimport memchr, memcmp, memset

from thresher.native.base.characters cimport is_ascii_letter
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.facts.bylines cimport *
from thresher.native.facts.describe cimport ChosenPage, describe_page
from thresher.native.facts.headlines cimport *
from thresher.native.facts.metadata cimport find_interests, free_interests
from thresher.native.facts.page_types cimport *
from thresher.native.facts.line_labels cimport begins_by
from thresher.native.facts.signatures cimport text_at_edge
from thresher.native.measuring.blocks cimport *
from thresher.native.parsing.known_values cimport *
from thresher.native.parsing.reading cimport *
from thresher.native.scoring.feature_table cimport *
from thresher.native.scoring.probabilities cimport PROBABILITY_SCALE, probability
from thresher.native.scoring.trees cimport LANES


cdef enum:
    AROUND = 12             # blocks before and behind the kept ones that may name who signs, if they say so,
    BETWEEN = 8             # and blocks from the first kept one on that are left out
    PROSE = 30              # words of a block beyond which it is prose
    MOST_SIGNED = 12        # short blocks that begin with "by", beside those around the edges of the text
    NO_BLOCK = 0xFFFFFFFF
    PARAGRAPH_WORDS = 25    # of a block that is a paragraph, before which a headline stands
    MOST_HEAD_WORDS = 40    # of a block that may be the headline,
    MOST_HEAD_CHARACTERS = 298  # and characters
    FAR_BEHIND = 999


cdef inline int level_of(const Block* block) noexcept nogil:
    """The level of a heading; 0 for another block."""
    return block.kind - BLOCK_HEADING_1 + 1 if is_heading(block) else 0


cdef inline bint is_link(const Block* block) noexcept nogil:
    """True if most of a block is linked."""
    return 2 * block.link_characters > block.characters


cdef bint holds_name(Slice text, Slice name) noexcept nogil:
    """True if a text has a name of two bytes or more, and no ASCII letter around it. A first byte that is not ASCII is not
    looked for: most letters of a script have the same.
    """
    cdef uint32_t first = name.data[0] >= 0x80
    cdef const uint8_t* at = text.data + first
    cdef const uint8_t* end = text.data + text.length
    while at < end:
        at = <const uint8_t*> memchr(at, name.data[first], end - at)
        if at == NULL or <size_t> (end - at) < name.length - first:
            return False
        at -= first
        if memcmp(at, name.data, name.length) == 0 and not (at > text.data and is_ascii_letter((at - 1)[0])) and not (
            at + name.length < end and is_ascii_letter(at[name.length])
        ):
            return True
        at += first + 1
    return False


cdef MainText main_text(
    Document document, const MetricsArray* metrics, const BlockArray* blocks, const ScoredPage* scored,
    const uint8_t* keep, bint is_chosen
):
    """The main text of the page of a workspace; `keep` has a byte for each block, if they were chosen."""
    cdef MainText made = MainText.__new__(MainText)
    cdef uint32_t b
    made.document, made.tree, made.metrics, made.blocks = document, &document.tree, metrics, blocks
    made.scored, made.keep, made.is_chosen = scored, keep, is_chosen
    made.n = blocks.n_blocks if is_chosen else 0
    made.first = made.behind = made.n
    for b in range(made.n):
        if keep[b]:
            made.first = min(made.first, b)
            made.behind = b + 1
            made.n_kept += 1
    return made


@cython.final
cdef class MainText:
    """What was chosen of a page. It refers to the arrays of a workspace, and is made anew for each call."""

    cdef tuple describe(self, str url, object latest, FactWeights weights, dict into):
        """What the page says about itself; see Workspace.describe()."""
        cdef ChosenPage chosen
        cdef const uint32_t* vocabulary = NULL
        cdef TypeWeights type_weights = weights.type_weights
        cdef int outcome
        if not self.is_chosen:
            return describe_page(self.document, NULL, None, url, latest, weights, into)
        if self.scored.scores != NULL:
            vocabulary = self.scored.table.vocabulary.found
        with nogil:
            chosen.linked = &self.scored.table.declared.linked if self.scored.scores != NULL else NULL
            outcome = find_interests(&chosen.elements, self.tree)
            self.find_shape(chosen.shape)
            chosen.n_heads = self.find_heads(chosen.heads)
            chosen.is_hashed = vocabulary != NULL
            if vocabulary != NULL:
                type_weights.add_hashed(chosen.hashed, vocabulary)
        try:
            if outcome != 0:
                raise MemoryError("no memory for the elements of a page")
            return describe_page(self.document, &chosen, self, url, latest, weights, into)
        finally:
            free_interests(&chosen.elements)

    cdef void find_shape(self, uint32_t* found) noexcept nogil:
        """Set what the page is made of, as facts/page_types.pxd has it (SHAPE_WORDS and so on)."""
        cdef uint32_t b, p
        cdef uint64_t unsure = 0
        cdef bint is_scored = self.scored.scores != NULL and self.scored.table.n_blocks == self.n
        cdef const Block* block
        cdef const int16_t* values
        memset(found, 0, N_SHAPE * sizeof(uint32_t))
        if self.metrics.n_nodes:
            found[SHAPE_WORDS] = self.metrics.nodes[self.metrics.body].words
        found[SHAPE_BLOCKS], found[SHAPE_FIRST] = self.n, self.first
        found[SHAPE_LAST], found[KEPT_BLOCKS] = self.behind if self.n_kept else 0, self.n_kept
        for b in range(self.n):
            block = self.blocks.blocks + b
            found[SHAPE_LINK_WORDS] += block.link_words
            found[SHAPE_ITEMS] += block.kind == BLOCK_LIST_ITEM
            found[SHAPE_PLAIN] += block.kind == BLOCK_TEXT
            found[SHAPE_HEADINGS] += level_of(block) > 0
            if is_scored:
                p = probability(self.scored.scores[b])
                unsure += <uint64_t> p * (PROBABILITY_SCALE - p) * block.words
                found[SHAPE_HIGHEST] = max(found[SHAPE_HIGHEST], p)
            if not self.keep[b]:
                continue
            found[KEPT_WORDS] += block.words
            found[KEPT_LINK_WORDS] += block.link_words
            found[KEPT_LARGEST] = max(found[KEPT_LARGEST], block.words)
            found[KEPT_LONG] += block.words >= 40
            found[KEPT_SHORT] += block.words <= 5
            found[KEPT_ITEMS] += block.kind == BLOCK_LIST_ITEM or block.kind == BLOCK_TABLE_CELL
            if level_of(block):
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

    cdef int place_at_edge(self, uint32_t b, uint32_t nth) noexcept nogil:
        """The place of a block (Edge), but EDGE_OTHER for all that are not at an edge; `nth` is the number of kept blocks
        before it.
        """
        cdef uint32_t to_end = self.n_kept - nth - 1        # kept blocks behind a kept one
        if b < self.first:
            return <int> b - <int> self.first if b + 2 >= self.first else EDGE_OTHER
        if b >= self.behind:
            return EDGE_BEHIND + <int> (b - self.behind) if b < self.behind + 3 else EDGE_OTHER
        if not self.keep[b]:
            return EDGE_BETWEEN if b <= self.first + BETWEEN else EDGE_OTHER
        return <int> nth if nth < EDGE_BETWEEN else EDGE_LAST + <int> to_end if to_end < 4 else EDGE_OTHER

    def edges(self) -> list[tuple[int, bool, bool, str]]:
        """Where the kept text may be signed: place (Edge), whether it is a heading, whether half of its words are in links
        and text of the blocks around its beginning and end, and of short ones elsewhere that begin with "by" and the like.
        Of a long block the text is its first or last bytes; one that cannot be signed there is left out.
        """
        cdef uint32_t b, nth = 0, others = 0
        cdef int place
        cdef bint begins, is_linked
        cdef const Block* block
        cdef list found = []
        cdef str text
        cdef Slice begin
        if not self.n_kept:
            return found
        for b in range(self.first - min(self.first, <uint32_t> AROUND), min(self.n, self.behind + AROUND)):
            block = self.blocks.blocks + b
            place = self.place_at_edge(b, nth)
            nth += self.keep[b] != 0
            if place == EDGE_OTHER:
                if block.words > 12 or others == MOST_SIGNED:
                    continue
            elif block.words > PROSE and not 0 <= place <= 2 and place != EDGE_LAST and place != EDGE_LAST + 1:
                continue        # prose
            elif not (EDGE_FIRST <= place < EDGE_BETWEEN or EDGE_LAST <= place < EDGE_BEHIND) and (
                block.words > 16 or 2 * block.link_words > block.words
            ):
                continue        # prose or navigation
            begin = without_space(text_of(self.tree, block.start))
            begins = begins_by(begin)
            if place == EDGE_OTHER:
                if not begins:
                    continue
                others += 1
                place = EDGE_OTHER if self.keep[b] else EDGE_LEFT
            text = text_at_edge(self.tree, block.start, block.end, place < EDGE_LAST, block.words > PROSE, begins)
            if text is not None:
                is_linked = 2 * block.link_words >= max(block.words, 1)
                found.append((place, level_of(block) > 0, is_linked, text))
        return found

    def places_of(self, list names not None) -> list[int]:
        """Where the page shows each of these names (UTF-8): the sum of what Shown says of the blocks with it."""
        return [self.shown_at(<bytes?> name) for name in names]

    cdef uint32_t shown_at(self, bytes written) except? 0:
        """places_of() one name."""
        cdef Slice name = Slice(data=<const uint8_t*> <const char*> written, length=<uint32_t> len(written))
        cdef const Block* block
        cdef uint32_t b, n, said = 0, times = 0, letters = 0
        if name.length < 2:
            return 0
        for n in range(name.length):
            letters += name.data[n] & 0xC0 != 0x80
        for b in range(self.n):
            block = self.blocks.blocks + b
            if block.characters < letters or not self.block_holds(block, name, letters):
                continue
            times += 1
            said |= SHOWN_KEPT if self.keep[b] else SHOWN_LEFT
            said |= SHOWN_TOP if b < self.first + 4 else SHOWN_BEHIND if b >= self.behind else SHOWN_WITHIN
            if block.words <= 12:
                said |= SHOWN_SHORT
            if block.characters <= letters + 4:
                said |= SHOWN_ALONE
            if 2 * block.link_words >= block.words:
                said |= SHOWN_LINKED
        return said | SHOWN_OFTEN if times > 2 else said

    cdef bint block_holds(self, const Block* block, Slice name, uint32_t letters) noexcept nogil:
        """True if a text of a block has a name of so many letters."""
        cdef const Node* nodes = self.tree.nodes
        cdef uint32_t n = block.start
        while n < block.end:
            if (
                nodes[n].kind == KIND_TEXT and nodes[n].length >= name.length
                and self.metrics.nodes[n].characters >= letters and holds_name(text_of(self.tree, n), name)
            ):
                return True
            n = nodes[n].end if nodes[n].kind == KIND_TEXT or nodes[n].kind == KIND_COMMENT else n + 1
        return False

    cdef uint32_t find_heads(self, Head* found) noexcept nogil:
        """Find blocks that may be the headline: the first headings of each level and the first that are kept, the first
        kept blocks, and those right before the first kept one and before the first paragraph. Returns how many, at most
        MAX_HEADS.
        """
        cdef const Block* blocks = self.blocks.blocks
        cdef uint32_t b, first = self.first if self.n_kept else NO_BLOCK, paragraph = NO_BLOCK, n_found = 0
        cdef uint32_t[HEADING_LEVELS + 1] alike, before
        cdef int level, highest = HEADING_LEVELS, so_far = HEADING_LEVELS, place = 0, n_headings = 0
        cdef KnownValue[KNOWN_VALUES] known
        cdef Head* head
        memset(known, 0, sizeof(known))
        memset(alike, 0, sizeof(alike))
        memset(before, 0, sizeof(before))
        for b in range(self.n):
            level = level_of(blocks + b)
            alike[level] += 1
            if level:
                highest = min(highest, level)
            elif self.keep[b] and blocks[b].words >= PARAGRAPH_WORDS:
                paragraph = min(paragraph, b)
        for b in range(self.n):
            level = level_of(blocks + b)
            if (
                blocks[b].words <= MOST_HEAD_WORDS and blocks[b].characters <= MOST_HEAD_CHARACTERS
                and (
                    (level and (before[level] < FIRST_OF_LEVEL or (self.keep[b] and n_headings < FIRST_HEADINGS)))
                    or (self.keep[b] and place < FIRST_KEPT)
                    or (b < first and first != NO_BLOCK and b + BEFORE_KEPT >= first)
                    or (b < paragraph and paragraph != NO_BLOCK and b + BEFORE_TEXT >= paragraph)
                )
            ):
                THRESHER_CHECK(n_found < MAX_HEADS)
                head = found + n_found
                n_found += 1
                head.start, head.end, head.kind, head.order = blocks[b].start, blocks[b].end, blocks[b].kind, <int> b
                head.nth, head.alike = <int> before[level] if level else 0, <int> alike[level] if level else 0
                head.place = place if self.keep[b] else -1
                head.from_first = <int> b - <int> first if first != NO_BLOCK else FAR_BEHIND
                head.from_text = <int> b - <int> paragraph if paragraph != NO_BLOCK else FAR_BEHIND
                head.words = <int> blocks[b + 1].words if b + 1 < self.n else 0
                head.around = read_around(self.tree, blocks[b].start, known)
                head.flags = self.flags_of(b) | (HEAD_NO_TEXT if paragraph == NO_BLOCK else 0)
                if level and level == highest:
                    head.flags |= HEAD_HIGHEST
                if level and level <= so_far:
                    head.flags |= HEAD_HIGHEST_YET
            before[level] += 1
            if level:
                so_far = min(so_far, level)
                n_headings += self.keep[b] != 0
            place += self.keep[b] != 0
        return n_found

    cdef int flags_of(self, uint32_t b) noexcept nogil:
        """What a block and those beside it say, as Head.flags."""
        cdef const Block* block = self.blocks.blocks + b
        cdef int flags = HEAD_KEPT if self.keep[b] else HEAD_LEFT
        if is_link(block):
            flags |= HEAD_LINKED
        if self.is_repeated(b):
            flags |= HEAD_REPEATED
        if b:
            if level_of(block - 1):
                flags |= HEAD_AFTER_HEADING
            if self.keep[b - 1]:
                flags |= HEAD_AFTER_KEPT
            if is_link(block - 1):
                flags |= HEAD_AFTER_LINK
        if b + 1 < self.n:
            if level_of(block + 1):
                flags |= HEAD_BEFORE_HEADING
            if self.keep[b + 1]:
                flags |= HEAD_BEFORE_KEPT
        return flags

    cdef bint is_repeated(self, uint32_t number) noexcept nogil:
        """True if another block begins with the same text and is as long."""
        cdef const Block* block = self.blocks.blocks + number
        cdef const Block* other
        cdef Slice text = without_space(text_of(self.tree, block.start))
        cdef uint32_t b
        for b in range(self.n):
            other = self.blocks.blocks + b
            if other.characters == block.characters and other.words == block.words and b != number and same_bytes(
                without_space(text_of(self.tree, other.start)), text
            ):
                return True
        return False
