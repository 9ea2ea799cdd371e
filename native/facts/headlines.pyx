# SPDX-License-Identifier: Apache-2.0
"""What may be the headline of a page whose main text is known, and what speaks for each; see candidates.pyx.

Candidates are what the head of the page says (title element, OpenGraph, JSON-LD) with every run of pieces that begins or
ends it, headings, the first blocks of the main text, those right before it, and the site's name. Texts with the same
letters are one candidate.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from thresher.native.facts.letters cimport Letters, holds, is_in, key_of, letters_of, pairs_of
from thresher.native.base.word_table cimport WordTable, fill_words, value_of_word
from thresher.native.facts.candidates cimport (
    EVIDENCE_WORDS, Candidates, Evidence, Grade, Look, fill_grades, has, look_at, number_of, put, put_grade
)
from thresher.native.facts.labels import HEADLINE_ELEMENTS, HEADLINE_WORDS, TITLE_ELEMENTS
from thresher.native.facts.metadata cimport text_between
from thresher.native.facts.page_url cimport (
    PageUrl, TextWords, count_words, name_key, plain_letters, without_the
)
from thresher.native.facts.page_data cimport clean_text, headlines
from thresher.native.facts.titles cimport (
    Pieces, has_separators, is_domain, is_home_name, title_without_site, unescaped, without_beside, without_labels
)
from thresher.native.parsing.reading cimport KIND_ELEMENT, Attribute, Slice, Tree, first_bytes, next_letters, value_of
from thresher.native.parsing.known_values cimport KnownValue, is_known, place_of_value
from thresher.native.parsing.tags cimport *

cdef extern from *:
    int count_trailing_zeros "__builtin_ctz" (uint32_t) nogil


cdef enum:
    MAX_TITLE = 300         # characters of a candidate
    MAX_PIECES = 8          # of a title whose pieces are candidates
    MAX_PARTS = 8           # texts of a heading that are candidates
    MIN_PART = 6            # letters of one that a title names
    MIN_REST = 10           # characters of a heading without the site's name
    MIN_UNDER = 3           # words of a line that is the headline under the site's name,
    MAX_UNDER = 100         # and its characters
    MAX_THINGS = 8          # objects of JSON-LD whose names are
    MAX_BYTES = 256         # of a class, id or itemprop that are read
    MIN_HOLDING = 4         # letters of a text that is looked for in others
    NEAR = 3                # elements around a block whose classes are read,
    FAR = 5                 # and whose names are
    PLAIN = 12              # letters with which texts begin alike

cdef str ANCHORS = " ¶#§\u200b\uf0c1"
cdef tuple METAS = TITLE_ELEMENTS[2:]     # beside those of STATEMENTS


# --- evidence ---

cdef enum:                  # whose pieces are candidates
    TITLE_ELEMENT = 0
    OPEN_GRAPH = 1
    TWITTER = 2
    LINKED = 3
    N_STATEMENTS = 4
    META = 4                # other sources
    FIRST_HEADING = 5
    HEADING_PART = 6
    BLOCK = 7
    N_SOURCES = 8
    NO_SOURCE = 8
cdef enum:
    WHOLE = 0
    BEGIN = 1
    BUT_END = 2
    BUT_TWO = 3
    BEGIN_OF_TWO = 4
    OTHER_BEGIN = 5
    END = 6
    BUT_BEGIN = 7
    END_OF_TWO = 8
    OTHER_END = 9
    MIDDLE = 10
    BY_COLON = 11           # how it stands to the rest
    REST_IS_SITE = 12
    BESIDE_SITE = 13
    BESIDE_HOME = 14
    BESIDE_HOST = 15
    GREATER_PART = 16
    N_SPANS = 17
cdef tuple SPANS = (
    "whole", "begin", "but end", "but two", "begin of two", "begins", "end", "but begin", "end of two", "ends", "middle",
    "colon", "rest is site", "beside site", "beside home link", "beside host", "greater part",
)
cdef int[N_SOURCES] SOURCE_NUMBERS
cdef int[N_STATEMENTS][N_SPANS] SPAN_NUMBERS
for _n, _name in enumerate(("title", "og", "twitter", "linked", "meta", "h1", "h1 part", "block")):
    SOURCE_NUMBERS[_n] = number_of(f"t: by {_name}")
for _n, _name in enumerate(("title", "og", "twitter", "linked")):
    for _k in range(N_SPANS):
        SPAN_NUMBERS[_n][_k] = number_of(f"t: {_name} {SPANS[_k]}")

cdef Grade[4] GRADES_SOURCES
cdef Grade[4] GRADES_FAMILIES
cdef Grade[6] GRADES_IN_TITLE
cdef Grade[5] GRADES_SHARED
cdef Grade[5] GRADES_OF_TITLE
cdef Grade[5] GRADES_IN_NAME
cdef Grade[9] GRADES_LENGTH
cdef Grade[8] GRADES_WORDS
cdef Grade[5] GRADES_WITHIN
cdef Grade[5] GRADES_HOLDING
cdef Grade[4] GRADES_HEADINGS
cdef Grade[4] GRADES_PIECES
cdef Grade[4] GRADES_NTH
cdef Grade[5] GRADES_ALIKE
cdef Grade[6] GRADES_PLACE
cdef Grade[6] GRADES_ORDER
cdef Grade[13] GRADES_FROM_FIRST
cdef Grade[11] GRADES_FROM_TEXT
cdef Grade[5] GRADES_NEXT
fill_grades(GRADES_SOURCES, "t: sources", [1, 2, 3, 4])
fill_grades(GRADES_FAMILIES, "t: families", [0, 1, 2, 3])
fill_grades(GRADES_IN_TITLE, "t: tenths of title", [1, 3, 5, 7, 9, 10])
fill_grades(GRADES_SHARED, "t: quarters in title", [0, 1, 2, 3, 4])
fill_grades(GRADES_OF_TITLE, "t: quarters of title", [0, 1, 2, 3, 4])
fill_grades(GRADES_IN_NAME, "t: quarters in address", [0, 1, 2, 3, 4])
fill_grades(GRADES_LENGTH, "t: long", [3, 8, 15, 25, 40, 60, 90, 140, 141])
fill_grades(GRADES_WORDS, "t: words", [1, 2, 3, 5, 8, 12, 20, 21])
fill_grades(GRADES_WITHIN, "t: within", [0, 1, 3, 6, 7])
fill_grades(GRADES_HOLDING, "t: holds", [0, 1, 3, 6, 7])
fill_grades(GRADES_HEADINGS, "t: h1s", [0, 1, 2, 3])
fill_grades(GRADES_PIECES, "t: pieces", [1, 2, 3, 4])
fill_grades(GRADES_NTH, "t: of its level", [0, 1, 2, 3])
fill_grades(GRADES_ALIKE, "t: headings of the level", [1, 2, 4, 10, 11])
fill_grades(GRADES_PLACE, "t: place", [-1, 0, 1, 2, 3, 4])
fill_grades(GRADES_ORDER, "t: order", [2, 5, 15, 30, 60, 61])
fill_grades(GRADES_FROM_FIRST, "t: from kept", [-21, -9, -4, -3, -2, -1, 0, 1, 2, 3, 8, 20, 21])
fill_grades(GRADES_FROM_TEXT, "t: from text", [-21, -9, -5, -4, -3, -2, -1, 0, 8, 20, 21])
fill_grades(GRADES_NEXT, "t: next words", [2, 6, 12, 25, 26])

cdef enum:
    N_KINDS = 18            # of blocks (measuring/blocks.pxd)
    N_FLAGS = 12            # of Head
    N_NAMES = 32
cdef int[N_KINDS] KIND_NUMBERS = [number_of(f"t: kind {n}") for n in range(N_KINDS)]
cdef int[N_FLAGS] FLAG_NUMBERS = [number_of(f"t: {name}") for name in (
    "kept", "left", "highest", "highest yet", "linked", "repeated", "after heading", "before heading", "after kept",
    "before kept", "after link", "no text",
)]
cdef int[N_NAMES] NEAR_NUMBERS
cdef int[N_NAMES] CLASS_NUMBERS
cdef int[N_NAMES] TAG_NUMBERS
if len(HEADLINE_WORDS) > N_NAMES or len(HEADLINE_ELEMENTS) > N_NAMES:
    raise RuntimeError("there is no room for the words around headlines")
for _n, _name in enumerate(HEADLINE_WORDS):
    NEAR_NUMBERS[_n], CLASS_NUMBERS[_n] = number_of(f"t: in {_name}"), number_of(f"t: around {_name}")
for _n, _name in enumerate(HEADLINE_ELEMENTS):
    TAG_NUMBERS[_n] = number_of(f"t: tag {_name}")
cdef enum:
    N_LARGE = 6
    LINKED_FLAG = 4
cdef int[N_LARGE] LARGE_NUMBERS = [number_of(f"t: tag {name}") for name in ("b", "strong", "font", "center", "big", "th")]
cdef int ONLY_HEADING = number_of("t: only h1"), LATER_HEADING = number_of("t: later h1"), OF_THING = number_of("t: thing")
cdef int OF_SITE = number_of("t: site"), SITE_KEY = number_of("t: is site"), HOLDS_SITE = number_of("t: holds site")
cdef int WITHIN_SITE = number_of("t: within site"), HOME_LINK = number_of("t: is home link")
cdef int IS_HOST = number_of("t: is host"), HOLDS_HOST = number_of("t: holds host"), IS_DOMAIN = number_of("t: domain")
cdef int HOME_NAME = number_of("t: home name"), HOLDS_TITLE = number_of("t: holds title")
cdef int BEGINS_ALIKE = number_of("t: begins as title"), IN_SHARED = number_of("t: in og"), HOLDS_SHARED = number_of("t: holds og")
cdef int IN_HEADING = number_of("t: in h1"), HOLDS_HEADING = number_of("t: holds h1")
cdef int IN_LINKED = number_of("t: in linked"), HOLDS_LINKED = number_of("t: holds linked")
cdef int IS_NAME = number_of("t: is address"), HOLDS_NAME = number_of("t: holds address"), IN_NAME = number_of("t: in address")
cdef int IN_DESCRIPTION = number_of("t: in description"), ENDS_SENTENCE = number_of("t: ends as sentence")
cdef int ENDS_DOTS = number_of("t: ends with dots"), ENDS_MARK = number_of("t: ends with mark"), ENDS_COLON = number_of("t: ends with colon")
cdef int DIGIT = number_of("t: digit"), YEAR = number_of("t: year"), NO_LETTER = number_of("t: no letter")
cdef int CAPITALS = number_of("t: capitals"), NOT_ASCII = number_of("t: not ASCII"), SMALL_LETTER = number_of("t: small letter")
cdef int DIVIDED = number_of("t: divided"), IS_TRAIL = number_of("t: trail"), IS_ADDRESS = number_of("t: address")
cdef int FRONT_PAGE = number_of("t: front page"), NO_ADDRESS = number_of("t: no address")
cdef int NO_TITLE = number_of("t: no title"), SHARED = number_of("t: page og"), SAME_SHARED = number_of("t: page og is title")
cdef int MANY_PARTS = number_of("t: page articles")
cdef uint64_t HTTP = pairs_of("http")
cdef tuple OG_TYPES = ("article", "website", "product")
cdef int[3] OG_NUMBERS = [number_of(f"t: page {name}") for name in OG_TYPES]


# --- elements around a block ---

cdef WordTable NAMES
fill_words(&NAMES, {1 << n: words for n, words in enumerate(HEADLINE_WORDS.values())})
cdef uint32_t[TAG_COUNT] TAG_BITS
memset(TAG_BITS, 0, sizeof(TAG_BITS))
for _n, _tag in enumerate((
    TAG_HEADER, TAG_NAV, TAG_ASIDE, TAG_FOOTER, TAG_MAIN, TAG_ARTICLE, TAG_A, TAG_B, TAG_STRONG, TAG_FONT, TAG_CENTER, TAG_TD,
    TAG_TH, TAG_LI, TAG_BUTTON, TAG_LABEL, TAG_DT, TAG_EM, TAG_SPAN, TAG_BIG, TAG_FIGCAPTION, TAG_FORM,
)):
    TAG_BITS[<int> _tag] = 1 << _n


cdef uint32_t words_in(Slice value) noexcept nogil:
    """What the runs of letters of a class, id or itemprop say."""
    cdef Slice word
    cdef uint32_t said = 0
    value = first_bytes(value, MAX_BYTES)
    while next_letters(&value, &word):
        if word.length > 1:
            said |= value_of_word(&NAMES, word.data, word.length)
    return said


cdef Around read_around(const Tree* tree, uint32_t node, KnownValue* known) noexcept nogil:
    """What the elements around a node are called. `known` remembers what classes, ids and itemprops say."""
    cdef Around found
    cdef const Attribute* attribute
    cdef KnownValue* entry
    cdef uint32_t said, i
    cdef int steps
    memset(&found, 0, sizeof(found))
    for steps in range(FAR):
        node = tree.nodes[node].parent
        if node == 0:
            break
        if tree.nodes[node].kind != KIND_ELEMENT:
            continue
        if tree.nodes[node].tag < TAG_COUNT:
            found.tags |= TAG_BITS[tree.nodes[node].tag]
        if steps >= NEAR:
            continue
        said = 0
        attribute = tree.attributes + tree.nodes[node].attributes
        for i in range(tree.nodes[node].n_attributes):
            if attribute[i].name == ATTR_CLASS or attribute[i].name == ATTR_ID or attribute[i].name == ATTR_ITEMPROP:
                entry = known + place_of_value(attribute + i)
                if not is_known(entry, attribute + i):
                    entry.said = words_in(value_of(tree, attribute + i))
                said |= entry.said
        found.classes |= said
        if steps == 0:
            found.near = said
    return found


# --- candidates ---

cdef void put_bits(Evidence* evidence, uint32_t bits, const int* numbers) noexcept:
    while bits:
        put(evidence, numbers[count_trailing_zeros(bits)])
        bits &= bits - 1


cdef class Titles:
    """Texts that may be the headline, each spelling of the same letters once."""
    cdef Candidates rated
    cdef dict rows          # numbers by key
    cdef list ranks         # of the spelling that was taken: the lowest
    cdef set sites
    cdef set homes          # keys of what links to the front page are called
    cdef tuple labels       # of the host
    cdef bint is_front      # the page is a front page
    cdef str site_name      # None on a front page too
    cdef dict headings      # of those that begin with what kind of text follows: the rest by the letters of the whole

    cdef Evidence* add(self, str text, int source, int rank) except? NULL:
        """Add a text, or a source of one that is known; returns its evidence, which stays there until the next is added.
        NULL if it has no letters or is too long.
        """
        cdef str key
        cdef Py_ssize_t row
        cdef Evidence* evidence
        text = text.strip(ANCHORS)
        if len(text) > MAX_TITLE:
            return NULL
        key = key_of(text)
        if not key:
            return NULL
        if key in self.headings:
            text = self.headings[key]
            key = key_of(text)
        row = self.rows.setdefault(key, len(self.ranks))
        if row == len(self.ranks):
            evidence = self.rated.add(text, key)
            self.ranks.append(rank)
        else:
            evidence = self.rated.rows + row
            if rank < <int> self.ranks[row]:
                self.rated.texts[row], self.ranks[row] = text, rank
        if source < N_SOURCES:
            put(evidence, SOURCE_NUMBERS[source])
        return evidence

    cdef int add_statement(self, str text, list statements, int rank) except -1:
        """Add a title and its pieces, with who says it."""
        cdef Pieces pieces
        cdef Py_ssize_t n, i, k
        cdef int span
        self.add_span(text, statements, WHOLE, rank)
        if not has_separators(text, 1):
            return 0
        pieces = Pieces(text)
        n = len(pieces.texts)
        if n > MAX_PIECES:
            return 0
        pieces.read_letters()
        for i in range(n):
            for k in range(i + 1, n + 1):
                if i == 0 and k < n:
                    span = (
                        BEGIN_OF_TWO if n == 2 else BUT_END if k == n - 1 else BEGIN if k == 1
                        else BUT_TWO if k == n - 2 else OTHER_BEGIN
                    )
                elif i and k == n:
                    span = END_OF_TWO if n == 2 else END if i == n - 1 else BUT_BEGIN if i == 1 else OTHER_END
                elif i and k == i + 1:
                    span = MIDDLE
                else:
                    continue
                self.add_piece(pieces, i, k, statements, span, rank)
        return 0

    cdef Evidence* add_span(self, str text, list statements, int span, int rank) except? NULL:
        cdef Evidence* evidence = NULL
        cdef int statement
        for statement in statements:
            evidence = self.add(text, statement, rank)
            if evidence == NULL:
                return NULL
            put(evidence, SPAN_NUMBERS[statement][span])
        return evidence

    cdef int add_piece(
        self, Pieces pieces, Py_ssize_t first, Py_ssize_t last, list statements, int span, int rank
    ) except -1:
        """Add the pieces of a title from one to before another, with what stands beside them."""
        cdef Evidence* evidence = self.add_span(pieces.between(first, last), statements, span, rank)
        cdef Py_ssize_t n = len(pieces.texts), at
        cdef str rest
        cdef list beside = []
        cdef int statement
        cdef bint is_colon, is_rest, is_beside = False, is_home = False, is_host = False, is_greater
        if evidence == NULL:
            return 0
        at = pieces.ends[last - 1] if first == 0 else pieces.ends[first - 1]
        is_colon = pieces.title[at:at + 1] == ":"
        rest = without_the("".join(pieces.letters[:first] + pieces.letters[last:]))
        if first:
            beside.append(without_the(pieces.letters[first - 1]))
        if last < n:
            beside.append(without_the(pieces.letters[last]))
        is_rest = rest in self.sites
        beside.append(rest)
        for each in beside:
            is_beside = is_beside or each in self.sites
            is_home = is_home or each in self.homes
            is_host = is_host or (each and each in self.labels)
        is_greater = len("".join(pieces.letters[first:last])) >= len(rest)
        for statement in statements:
            if is_colon:
                put(evidence, SPAN_NUMBERS[statement][BY_COLON])
            if is_rest:
                put(evidence, SPAN_NUMBERS[statement][REST_IS_SITE])
            elif is_beside:
                put(evidence, SPAN_NUMBERS[statement][BESIDE_SITE])
            if is_home:
                put(evidence, SPAN_NUMBERS[statement][BESIDE_HOME])
            if is_host:
                put(evidence, SPAN_NUMBERS[statement][BESIDE_HOST])
            if is_greater:
                put(evidence, SPAN_NUMBERS[statement][GREATER_PART])
        return 0

    cdef str cleaned(self, str text):
        """A title without labels, and the site's name in brackets."""
        text = without_labels(unescaped(text))
        return text if self.is_front else without_beside(text, self.sites)

    cdef str heading(self, str text):
        """A heading without labels and, unless little is left, the site's name."""
        cdef str rest
        text = self.cleaned(text)
        if self.site_name is None or not text or not (
            text[len(text) - 1] == self.site_name[len(self.site_name) - 1]
            or text[0] == self.site_name[0] and u" » " in text
        ):
            return text
        rest = title_without_site(text, {without_the(name_key(self.site_name))})
        if not MIN_REST <= len(rest) < len(text):
            return text
        return rest if text.endswith(rest) or text[len(rest)] in u" |｜_" else text

    cdef int add_block(self, const Tree* tree, const Head* head) except -1:
        """Add a block."""
        cdef str text
        cdef Evidence* evidence
        if not head.alike and not head.words:
            return 0            # nothing follows it
        text = text_between(tree, head.start, head.end)
        if text is None:
            return 0
        evidence = self.add(self.heading(text), NO_SOURCE, 0 if head.kind == 2 else 1)
        if evidence == NULL or has(evidence, SOURCE_NUMBERS[BLOCK]):
            return 0
        put(evidence, SOURCE_NUMBERS[BLOCK])
        put(evidence, KIND_NUMBERS[head.kind])
        put_bits(evidence, head.flags, FLAG_NUMBERS)
        if head.alike:
            put_grade(evidence, GRADES_NTH, head.nth)
            put_grade(evidence, GRADES_ALIKE, head.alike)
        put_grade(evidence, GRADES_PLACE, head.place)
        put_grade(evidence, GRADES_FROM_FIRST, head.from_first)
        put_grade(evidence, GRADES_FROM_TEXT, head.from_text)
        put_grade(evidence, GRADES_ORDER, head.order)
        put_grade(evidence, GRADES_NEXT, head.words)
        put_bits(evidence, head.around.near, NEAR_NUMBERS)
        put_bits(evidence, head.around.classes, CLASS_NUMBERS)
        put_bits(evidence, head.around.tags, TAG_NUMBERS)
        return 0


cdef Candidates title_candidates(
    dict values, list linked, const Tree* tree, const Head* heads, uint32_t n_heads, str site_name, set sites, tuple labels,
    PageUrl where, bint many_articles
):
    """What the headline may be. `sites` are keys of what the site is called, `labels` those of its host."""
    cdef Titles found = Titles.__new__(Titles)
    cdef dict statements = {}
    cdef str title = ""
    cdef Evidence* evidence
    cdef list h1
    cdef Py_ssize_t i
    cdef dict each_thing
    found.rated, found.rows, found.ranks = Candidates(), {}, []
    found.sites, found.labels, found.is_front = sites - {""}, labels, where.is_front_page
    found.site_name, found.headings = site_name if not where.is_front_page else None, {}
    h1 = [found.heading(text) for text in values.get("h1", [])]
    found.headings = {
        key_of(found.heading(whole)): text for whole in values.get("h1 kicker", []) for text in h1 if whole.endswith(text)
    }
    found.homes = {name_key(text) for text in values.get("home link", [])}
    for i, name in ((OPEN_GRAPH, "og:title"), (TWITTER, "twitter:title"), (TITLE_ELEMENT, "title")):
        if name in values:
            title = found.cleaned((<list> values[name])[0])
            (<list> statements.setdefault(title, [])).append(i)
    if "title" not in values:
        title = ""
    if linked:
        for text in headlines(linked)[:1]:
            (<list> statements.setdefault(found.cleaned(text), [])).append(LINKED)
    for text, said in statements.items():
        found.add_statement(text, said, 3 if said == [TITLE_ELEMENT] else 2)
    for name in METAS:
        if name in values:
            found.add((<list> values[name])[0], META, 2)
    for each in linked[:MAX_THINGS]:
        each_thing = each
        if "name" in each_thing and isinstance((<list> each_thing["name"])[0], str):
            evidence = found.add(clean_text((<list> each_thing["name"])[0]), NO_SOURCE, 4)
            if evidence != NULL:
                put(evidence, OF_THING)
    for i, text in enumerate(h1):
        evidence = found.add(text, FIRST_HEADING, 0)
        if evidence != NULL and i:
            put(evidence, LATER_HEADING)
        elif evidence != NULL and len(h1) == 1:
            put(evidence, ONLY_HEADING)
    for text in (<list> values.get("h1 part", []))[:MAX_PARTS]:
        found.add(text, HEADING_PART, 1)
    if site_name is not None:
        evidence = found.add(site_name, NO_SOURCE, 4)
        if evidence != NULL:
            put(evidence, OF_SITE)
    for i in range(n_heads):
        found.add_block(tree, heads + i)
    rate_titles(found, title, h1, values, linked, where, site_name, many_articles)
    return without_kickers(found)


cdef Candidates under_site(Candidates found):
    """Of the candidates those that may be the headline of a page that else says only the site's name: blocks of the text
    in bold or large type, and headings.
    """
    cdef Candidates kept = Candidates()
    cdef const Evidence* evidence
    cdef Py_ssize_t i
    cdef int n
    cdef bint is_large
    for i in range(len(found.texts)):
        evidence = found.rows + i
        is_large = has(evidence, SOURCE_NUMBERS[FIRST_HEADING])
        for n in range(N_LARGE):
            is_large = is_large or has(evidence, LARGE_NUMBERS[n])
        if is_large and (has(evidence, GRADES_NEXT[3].number) or has(evidence, GRADES_NEXT[4].number)) and (
            len(<str> found.texts[i]) <= MAX_UNDER and count_words(found.texts[i]) >= MIN_UNDER
        ) and not (
            has(evidence, SITE_KEY) or has(evidence, WITHIN_SITE) or has(evidence, IS_HOST) or has(evidence, HOME_NAME)
            or has(evidence, FLAG_NUMBERS[LINKED_FLAG])
        ):
            kept.add(found.texts[i], None)[0] = evidence[0]
    return kept


cdef Candidates without_kickers(Titles found):
    """The candidates but headings that hold a text which titles have without the rest, and the rest: a kicker or a day is
    glued to it.
    """
    cdef Candidates kept = Candidates()
    cdef const Evidence* evidence
    cdef list parts = []
    cdef Py_ssize_t i
    cdef str key
    cdef bint glued
    for i in range(len(found.ranks)):
        evidence = found.rated.rows + i
        if has(evidence, SOURCE_NUMBERS[HEADING_PART]) and len(<str> found.rated.keys[i]) >= MIN_PART and (
            has(evidence, SOURCE_NUMBERS[TITLE_ELEMENT]) or has(evidence, SOURCE_NUMBERS[OPEN_GRAPH])
            or has(evidence, SOURCE_NUMBERS[LINKED])
        ) and not has(evidence, SITE_KEY):
            parts.append(found.rated.keys[i])
    if not parts:
        return found.rated
    for i in range(len(found.ranks)):
        key, evidence, glued = found.rated.keys[i], found.rated.rows + i, False
        if not (
            has(evidence, SOURCE_NUMBERS[TITLE_ELEMENT]) or has(evidence, SOURCE_NUMBERS[OPEN_GRAPH])
            or has(evidence, SOURCE_NUMBERS[LINKED])
        ):
            glued = has(evidence, SOURCE_NUMBERS[HEADING_PART])
            if has(evidence, SOURCE_NUMBERS[FIRST_HEADING]):
                for each in parts:
                    glued = glued or each in key
        if not glued:
            kept.add(found.rated.texts[i], None)[0] = evidence[0]
    return kept


cdef int rate_titles(
    Titles found, str title, list headings, dict values, list linked, PageUrl where, str site_name, bint many_articles
) except -1:
    """Add how the candidates stand to each other and to what the page says, and how they are written; `title` is the
    title element, "" for none, and `headings` are those of the first level.
    """
    cdef str title_key = key_of(title), plain_title = plain_letters(title, title_key)[:PLAIN], text, key, plain, letters
    cdef Letters whole = letters_of(title_key), name = letters_of(where.name()), described = letters_of("")
    cdef Letters shared = letters_of(key_of(found.cleaned((<list> values["og:title"])[0])) if "og:title" in values else "")
    cdef Letters site = letters_of(name_key(site_name) if site_name is not None else "")
    cdef TextWords title_words = TextWords(), words = TextWords()
    cdef list h1 = [letters_of(key_of(each)) for each in headings]
    cdef list said = [letters_of(key_of(each)) for each in headlines(linked)[:1]] if linked else []
    cdef Look look
    cdef bint has_words, is_plain
    cdef uint64_t pairs
    cdef str host = found.labels[len(found.labels) - 1] if found.labels else ""
    cdef Evidence of_page
    cdef Evidence* evidence
    cdef Py_ssize_t i, k, common
    cdef int sources, families, number
    cdef Py_UCS4 last
    for each in ("description", "og:description"):
        if each in values and not described.key:
            described = letters_of(key_of((<list> values[each])[0]))
    title_words.read(title)
    memset(&of_page, 0, sizeof(of_page))
    put_grade(&of_page, GRADES_HEADINGS, len(h1))
    if title:
        put_grade(&of_page, GRADES_PIECES, len(Pieces(title).texts))
    else:
        put(&of_page, NO_TITLE)
    if where.is_front_page:
        put(&of_page, FRONT_PAGE)
    if not where.host:
        put(&of_page, NO_ADDRESS)
    if shared.key:
        put(&of_page, SAME_SHARED if shared.key == title_key else SHARED)
    if many_articles:
        put(&of_page, MANY_PARTS)
    for i in range(len(OG_TYPES)):
        if values.get("og:type", [""])[0] == OG_TYPES[i]:
            put(&of_page, OG_NUMBERS[i])
    for i in range(len(found.ranks)):
        text, key, evidence = found.rated.texts[i], found.rated.keys[i], found.rated.rows + i
        for k in range(EVIDENCE_WORDS):
            evidence.bits[k] |= of_page.bits[k]
        sources = families = 0
        for number in range(N_SOURCES):
            sources += has(evidence, SOURCE_NUMBERS[number])
        families = (
            has(evidence, SOURCE_NUMBERS[TITLE_ELEMENT])
            + (has(evidence, SOURCE_NUMBERS[OPEN_GRAPH]) or has(evidence, SOURCE_NUMBERS[TWITTER]))
            + (has(evidence, SOURCE_NUMBERS[LINKED]) or has(evidence, SOURCE_NUMBERS[META]))
            + (
                has(evidence, SOURCE_NUMBERS[FIRST_HEADING]) or has(evidence, SOURCE_NUMBERS[HEADING_PART])
                or has(evidence, SOURCE_NUMBERS[BLOCK])
            )
        )
        put_grade(evidence, GRADES_SOURCES, sources)
        put_grade(evidence, GRADES_FAMILIES, families)
        look, pairs, has_words = look_at(text), evidence.pairs, False
        plain = key if look.is_ascii else plain_letters(text, key)
        is_plain = plain == key
        if title_key and key != title_key:
            if holds(title_key, whole.pairs, key, pairs):
                put_grade(evidence, GRADES_IN_TITLE, 10 * len(key) // len(title_key))
            elif holds(key, pairs, title_key, whole.pairs):
                put(evidence, HOLDS_TITLE)
            else:
                words.read(text)
                has_words = True
                if words.n and title_words.n:
                    common = words.shared(title_words)
                    put_grade(evidence, GRADES_SHARED, 4 * common // words.n)
                    put_grade(evidence, GRADES_OF_TITLE, 4 * common // title_words.n)
                if plain == plain_title or (len(plain_title) == PLAIN and plain.startswith(plain_title)):
                    put(evidence, BEGINS_ALIKE)
        put_relation(evidence, key, shared, IN_SHARED, HOLDS_SHARED)
        for each in h1:
            put_relation(evidence, key, each, IN_HEADING, HOLDS_HEADING)
        for each in said:
            put_relation(evidence, key, each, IN_LINKED, HOLDS_LINKED)
        letters = without_the(key)
        if letters in found.sites:
            put(evidence, SITE_KEY)
        elif len(site.key) >= MIN_HOLDING:
            if holds(letters, pairs, site.key, site.pairs):
                put(evidence, HOLDS_SITE)
            elif holds(site.key, site.pairs, letters, pairs if letters is key else 0):
                put(evidence, WITHIN_SITE)
        if letters in found.homes:
            put(evidence, HOME_LINK)
        if found.labels:
            if without_the(plain) in found.labels or key in found.labels:
                put(evidence, IS_HOST)
            elif len(host) >= MIN_HOLDING and is_in(host, plain):
                put(evidence, HOLDS_HOST)
        if name.key:
            if plain == name.key:
                put(evidence, IS_NAME)
            elif len(name.key) > 5 and holds(plain, pairs if is_plain else ~<uint64_t> 0, name.key, name.pairs):
                put(evidence, HOLDS_NAME)
            elif len(plain) >= MIN_HOLDING and holds(name.key, name.pairs, plain, pairs if is_plain else 0):
                put(evidence, IN_NAME)
            else:
                if not has_words:
                    words.read(text)
                if words.n:
                    put_grade(evidence, GRADES_IN_NAME, 4 * words.named(name) // words.n)
        if len(key) > 5 and holds(described.key, described.pairs, key, pairs):
            put(evidence, IN_DESCRIPTION)
        put_grade(evidence, GRADES_LENGTH, len(text))
        put_grade(evidence, GRADES_WORDS, look.words)
        last = text[len(text) - 1]
        if last == u"…" or text.endswith("..."):
            put(evidence, ENDS_DOTS)
        elif last in u".。":
            put(evidence, ENDS_SENTENCE)
        elif last in u"!?！？":
            put(evidence, ENDS_MARK)
        elif last in u":：":
            put(evidence, ENDS_COLON)
        if is_home_name(text):
            put(evidence, HOME_NAME)
        if look.words == 1 and "." in text and is_domain(text):
            put(evidence, IS_DOMAIN)
        if look.has_digit:
            put(evidence, DIGIT)
            if look.has_year:
                put(evidence, YEAR)
            if key.isdigit():
                put(evidence, NO_LETTER)
        if look.is_upper:
            put(evidence, CAPITALS)
        if not look.is_ascii:
            put(evidence, NOT_ASCII)
        if text[0].islower():
            put(evidence, SMALL_LETTER)
        if look.may_divide and has_separators(text, 1):
            put(evidence, DIVIDED)
            if is_trail(text):
                put(evidence, IS_TRAIL)
        if holds(text, pairs, "http", HTTP) or u"@" in text:
            put(evidence, IS_ADDRESS)
        found.rated.put_holding(i, pairs, MIN_HOLDING, GRADES_WITHIN, GRADES_HOLDING)
    return 0


cdef bint is_trail(str text) noexcept:
    """True if an arrow between spaces divides a text, as the names of pages above it."""
    cdef Py_ssize_t i
    for i in range(1, len(text) - 1):
        if text[i] in u">›»" and text[i - 1].isspace() and text[i + 1].isspace():
            return True
    return False


cdef int put_relation(Evidence* evidence, str key, Letters other, int is_in, int is_whole) except -1:
    """Add that a text is a part of another, or the other a part of it."""
    if key == other.key or len(other.key) < MIN_HOLDING:
        return 0
    if holds(other.key, other.pairs, key, evidence.pairs):
        put(evidence, is_in)
    elif holds(key, evidence.pairs, other.key, other.pairs):
        put(evidence, is_whole)
    return 0
